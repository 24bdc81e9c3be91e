"""The colours of the notation cover its grammar and lose no sign of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from pygments import highlight
from pygments.formatters import NullFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Error

from canasta.rooms import room
from canasta_tools.lexer import COLOURS, CgnLexer

EXAMPLES = sorted(path.name for path in (room("grammar") / "examples").iterdir() if path.name.endswith(".cgn"))
GRAMMAR = (room("grammar") / "notation.lark").read_text(encoding="utf-8")


def test_every_terminal_of_a_line_has_a_colour() -> None:
    line = Lark(GRAMMAR, parser="lalr", lexer="contextual", start="line")
    assert {terminal.name for terminal in line.terminals} - {"_NL"} == set(COLOURS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_coloured_without_an_error(name: str) -> None:
    text = (room("grammar") / "examples" / name).read_text(encoding="utf-8")
    tokens = list(CgnLexer().get_tokens(text))
    assert "".join(word for _, word in tokens) == text
    assert not [word for kind, word in tokens if kind in Error]


@given(st.text(max_size=60))
def test_no_sign_of_any_text_is_lost(text: str) -> None:
    assert "".join(word for _, _, word in CgnLexer().get_tokens_unprocessed(text)) == text


def test_a_fault_is_shown_from_where_reading_stopped() -> None:
    assert (Error, "G 8") in list(CgnLexer().get_tokens("N KG 8\n"))


def test_pygments_finds_the_lexer_by_name_and_by_file() -> None:
    assert isinstance(get_lexer_by_name("cgn"), CgnLexer)
    assert isinstance(get_lexer_for_filename("match.cgn"), CgnLexer)
    assert highlight("N 7c\n", CgnLexer(), NullFormatter()) == "N 7c\n"
