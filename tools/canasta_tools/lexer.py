"""Colours for the notation: a Pygments lexer that reads with the grammar itself, so the two cannot disagree.

It serves the documentation, terminals and every editor or site that uses Pygments, under the names ``cgn`` and ``*.cgn``.
"""

from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    String,
    Text,
    Whitespace,
    _TokenType,
)

from canasta.notation.driver import Stop, tables

COLOURS: dict[str, _TokenType] = {
    **dict.fromkeys(("DEAL", "DEALER", "HAND", "STOCK", "SEED", "UP"), Keyword.Declaration),
    **dict.fromkeys(("MELDS", "REDS", "LEFT", "END", "RESULT", "TOTAL", "STATE"), Keyword.Declaration),
    **dict.fromkeys(("SEAT", "SIDE", "SCORED"), Name.Label),
    **dict.fromkeys(("PICK", "ASK", "YES", "NO", "OUT", "PASS", "KNOCK", "UNITE"), Keyword),
    **dict.fromkeys(("LAY", "CARDS"), Literal),
    **dict.fromkeys(("NUMBER", "POINTS", "HOWMANY"), Number.Integer),
    **dict.fromkeys(("STOOD", "BACK", "PENALTY"), Name.Exception),
    **dict.fromkeys(("ITEM", "WORD"), Name.Attribute),
    **dict.fromkeys(("BRACED", "TRAILING"), Comment),
    "TAG": Name.Decorator,
    "DRAW": Operator,
    "TAKE": Operator.Word,
    "SHOW": Operator,
    "DISCARD": Literal.Date,
    "CLAIM": Name.Constant,
    "WHY": String,
    "EQUALS": Operator,
}


class CgnLexer(Lexer):
    """Canasta game notation."""

    name = "Canasta game notation"
    url = "https://canasta-spec.invalid/notation"
    aliases: ClassVar[list[str]] = ["cgn"]
    filenames: ClassVar[list[str]] = ["*.cgn"]
    mimetypes: ClassVar[list[str]] = ["text/x-cgn"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Give each stretch of the text with its colour; what cannot be read is marked as an error."""
        at = 0
        for line in text.splitlines(keepends=True):
            yield from _line(line.rstrip("\r\n"), at)
            end = len(line.rstrip("\r\n"))
            if line[end:]:
                yield at + end, Whitespace, line[end:]
            at += len(line)


def _line(line: str, offset: int) -> Iterator[tuple[int, _TokenType, str]]:
    """Colour one line."""
    begin = len(line) - len(line.lstrip(" \t"))
    if begin == len(line):
        if line:
            yield offset, Whitespace, line
        return
    read = tables().read(line, "line", begin)
    words = list(read.words) if isinstance(read, Stop) else read
    at = 0
    for word in words:
        if word.at > at:
            yield offset + at, Whitespace, line[at : word.at]
        yield offset + word.at, COLOURS.get(word.kind, Text), word.text
        at = word.at + len(word.text)
    rest = line[at:]
    if rest:
        yield offset + at, Error if rest.strip(" \t") else Whitespace, rest
