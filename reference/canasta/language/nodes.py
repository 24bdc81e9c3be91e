"""What a rule file consists of once read: texts, lists and mappings that know where they were written."""

import re
from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import Span
from canasta.language.folding import offsets

BREAK: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text, whatever it looks like: nothing is taken for a number, a date or a truth value."""

    text: str
    span: Span
    _page: str = field(default="", compare=False, repr=False)
    _begin: int = field(default=-1, compare=False, repr=False)
    _end: int = field(default=-1, compare=False, repr=False)
    _style: str = field(default="", compare=False, repr=False)

    def within(self, start: int, end: int) -> Span:
        """Find the place in the file of the characters ``text[start:end]``, or of the whole where that is unknown.

        An empty range gives the place of the one character that stands there, or the end of the text.
        """
        if self._begin < 0 or not 0 <= start <= end <= len(self.text):
            return self.span
        known = offsets(self._page[self._begin : self._end], self._style, self.text)
        if known is None:
            return self.span
        if start == len(self.text):
            first = known[-1] + 1 if known else 0
            last = first
        else:
            first = known[start]
            last = known[max(end, start + 1) - 1] + 1
        line, column = self._place(first)
        end_line, end_column = self._place(last)
        return Span(self.span.file, line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        before = self._page[self._begin : self._begin + offset]
        breaks = list(BREAK.finditer(before))
        if not breaks:
            return self.span.line, self.span.column + offset
        return self.span.line + len(breaks), len(before) - breaks[-1].end() + 1


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of values in the order written."""

    items: "tuple[Node, ...]"
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Named values in the order written, and the place of every name."""

    items: "dict[str, Node]"
    keys: dict[str, Span]
    span: Span


Node = Scalar | Sequence | Mapping


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Find line and column, both from 1, of an offset in a text; a line ends as YAML says."""
    breaks = list(BREAK.finditer(text, 0, offset))
    return len(breaks) + 1, offset - (breaks[-1].end() if breaks else 0) + 1


def plain(node: Node) -> object:
    """Turn a node into nested dicts, lists and texts without places, as the schema check reads it."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.items.items()}
