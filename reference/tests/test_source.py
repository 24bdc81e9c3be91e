"""Strict YAML: everything stays text, every place is right, every refusal is told."""

import random
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from canasta.diagnostics import Diagnostic
from canasta.language import strict_yaml
from canasta.language.source import LARGEST, Mapping, Node, RuleFileError, Scalar, Sequence, plain, read_file, read_text

PAGE = """\
# a comment
title: Canasta for four   # another
about: >-
  Hello my
  dear friend

  next paragraph
    deeper
  back
plain: count(c in hand
    where c is wild)
    >= 2

    and yes
single: 'it''s a
  matter of taste'
double: "a \\"b\\" \\\\ c"
literal: |
  move a
    to b

  end c
indicated: |2
    two more
kept: |+
  x

flow: {a: [1, no, 10], b: 'Q R'}
list:
  - id: x
    when: hand >= 1:30
  - bare words
"""


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    parts = node.items if isinstance(node, Sequence) else tuple(node.items.values())
    return [s for part in parts for s in scalars(part)]


def refused(page: str) -> tuple[Diagnostic, ...]:
    try:
        read_text(page, "f")
    except RuleFileError as error:
        return error.diagnostics
    return ()


def at(page: str, line: int, column: int) -> int:
    return sum(len(row) for row in page.splitlines(keepends=True)[: line - 1]) + column - 1


def misplaced(page: str, scalar: Scalar) -> list[str]:
    """List the characters of a text whose place in the page shows something else; folded breaks show white space."""
    wrong = []
    for i, character in enumerate(scalar.text):
        span = scalar.within(i, i + 1)
        shown = page[at(page, span.line, span.column) :][:1]
        folded = character in " \n" and shown in "\r\n \t"
        escaped = "\\" in (shown, page[at(page, scalar.span.line, scalar.span.column) :][1:2]) or span == scalar.span
        fits = shown == character or folded or (escaped and "\\" in page)  # some escapes have no single place
        if not fits:
            wrong.append(f"{character!r} at {span} shows {shown!r}")
    return wrong


def test_everything_is_text() -> None:
    page = "a: [no, 10, 1:30, 0o7, 1e3, ~, null, 2026-11-29, Q, .5]"
    assert plain(read_text(page, "f")) == {
        "a": ["no", "10", "1:30", "0o7", "1e3", "~", "null", "2026-11-29", "Q", ".5"]
    }


def test_texts_are_those_of_the_yaml_parser() -> None:
    assert plain(read_text(PAGE, "f")) == yaml.load(PAGE, Loader=yaml.BaseLoader)  # noqa: S506 - makes texts of everything, which is the point


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_character_is_found_again(newline: str) -> None:
    page = PAGE.replace("\n", newline)
    for scalar in scalars(read_text(page, "f")):
        assert misplaced(page, scalar) == []


def test_a_range_reaches_over_lines() -> None:
    node = read_text(PAGE, "f").items["plain"]
    assert isinstance(node, Scalar)
    start = node.text.index("hand where")
    assert str(node.within(start, start + 4)) == "f:10:19"
    span = node.within(start, start + 10)
    assert (span.line, span.column, span.end_line, span.end_column) == (10, 19, 11, 10)
    end = node.within(len(node.text), len(node.text))
    assert (end.line, end.column) == (14, 12)


def test_an_unknown_place_is_the_whole() -> None:
    node = read_text('a: "x \\x41 y"', "f").items["a"]
    assert isinstance(node, Scalar)
    assert node.text == "x A y"
    assert node.within(0, 1) == node.span
    assert node.within(3, 99) == node.span


def test_places_of_keys_and_containers() -> None:
    top = read_text(PAGE, "f")
    assert str(top.keys["flow"]) == "f:28:1"
    listed = top.items["list"]
    assert isinstance(listed, Sequence)
    first = listed.items[0]
    assert isinstance(first, Mapping)
    assert (first.span.line, first.span.column, first.span.end_line, first.span.end_column) == (30, 5, 31, 23)
    assert (top.span.end_line, top.span.end_column) == (32, 15)


def test_the_parser_in_python_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = read_text(PAGE, "f")
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    slow = read_text(PAGE, "f")
    assert slow == fast
    for scalar in scalars(slow):
        assert misplaced(PAGE, scalar) == []


def test_a_byte_order_mark_is_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfruleset: x\r\n")
    assert str(read_file(path, "a.yaml").items["ruleset"].span) == "a.yaml:1:10"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(RuleFileError) as caught:
            read_file(path)
        assert [d.id for d in caught.value.diagnostics] == ["RS0018"]


def test_a_file_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(RuleFileError) as caught:
        read_text("a" * (LARGEST + 1), "f")
    assert [d.id for d in caught.value.diagnostics] == ["RS0019"]
    path = tmp_path / "a.yaml"
    path.write_bytes(b"#" * (4 * LARGEST + 1))
    with pytest.raises(RuleFileError) as caught:
        read_file(path)
    assert [d.id for d in caught.value.diagnostics] == ["RS0019"]


def test_all_findings_come_together() -> None:
    page = "a: 1\na: 2\nb: &x 3\nc: *x\nd: !!int 3\ne:\n<<: {f: 1}\n---\n"
    with pytest.raises(RuleFileError) as caught:
        read_text(page, "f")
    ids = [d.id for d in caught.value.diagnostics]
    assert ids == ["RS0005", "RS0006", "RS0007", "RS0009", "RS0020", "RS0008", "RS0010"]


def test_a_thousand_faults_of_a_kind_are_told_shortly() -> None:
    with pytest.raises(RuleFileError) as caught:
        read_text("\x00" * 5000, "f")
    assert len(caught.value.diagnostics) == 10
    assert "4990 more" in caught.value.diagnostics[-1].message


def test_brackets_without_end_take_no_time() -> None:
    for page in ("[" * 1_000_000, "{a: " * 400_000, "- " * 900_000):
        with pytest.raises(RuleFileError) as caught:
            read_text(page, "f")
        assert caught.value.diagnostics[0].id in ("RS0015", "RS0003", "RS0021")


LINES = st.lists(st.text(alphabet="ab: #'\"[]{}&*!|>-?,%@`\\\t\n\r\x00\u2028é€🂡0n", max_size=30), max_size=8).map(
    "\n".join
)


@given(LINES)
@settings(max_examples=300, deadline=None)
def test_any_text_gives_nodes_or_findings(page: str) -> None:
    for head in ("", "a:\n  - ", "x: |\n  "):
        rows = re.split(r"\r\n|\r|\n", head + page)
        for d in refused(head + page):
            assert d.span is None or 1 <= d.span.line <= len(rows), d
            assert d.span is None or 1 <= d.span.column <= len(rows[d.span.line - 1]) + 2, d
        if not refused(head + page):
            for scalar in scalars(read_text(head + page, "f")):
                assert misplaced(head + page, scalar) == []


WORDS = st.lists(
    st.sampled_from(["hand", "is", ">=", "2", "(c", "in", "pile)", "x.rank", "=", "$K", "é"]), min_size=1, max_size=12
)


@given(WORDS, st.randoms(use_true_random=False), st.sampled_from(["", ">", ">-", "|", "|-", "|+", "'", '"']))
@settings(max_examples=300, deadline=None)
def test_written_in_any_style_each_word_is_found(words: list[str], chance: random.Random, style: str) -> None:
    joints = [chance.choice([" ", " ", "\n      ", "\n\n      ", "  "]) for _ in words]
    words = ["x", *words]  # a sign at the beginning would need quotation marks
    body = words[0] + "".join(j + w for j, w in zip(joints, words[1:], strict=True))
    quote = style if style in ("'", '"') else ""
    written = f"{style}\n      {body}" if style and not quote else f"{quote}{body}{quote}"
    page = f"top:\n  - key: {written}\n    other: 1\n"
    node = scalars(read_text(page, "f"))[0]
    assert misplaced(page, node) == []
    at_ = 0
    for word in words:
        at_ = node.text.index(word, at_)
        span = node.within(at_, at_ + len(word))
        assert page[at(page, span.line, span.column) : at(page, span.end_line, span.end_column)] == word
        at_ += len(word)


def test_the_deepest_nesting_is_as_stated() -> None:
    fits = "a: " + "[" * (strict_yaml.DEEPEST - 1) + "x" + "]" * (strict_yaml.DEEPEST - 1)
    assert read_text(fits, "f").items
    with pytest.raises(RuleFileError):
        read_text(fits.replace("x", "[x]"), "f")
