"""Reading the entries of the register: mappings taken field by field, every fault noted with its place."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.language import source as written

Word = TypeVar("Word", bound=StrEnum)


def nearest(word: str, known: Sequence[str], otherwise: str) -> str:
    """Word the hint for an unknown name: the known one that is nearest, or else what ``otherwise`` says."""
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else otherwise


class Entry:
    """One mapping of a register file, read field by field; every fault goes into the notebook with its place."""

    def __init__(self, node: written.Mapping, what: str, findings: Findings) -> None:
        """Read ``node``, called ``what`` in messages, into the notebook ``findings``."""
        self.node = node
        self.what = what
        self.findings = findings

    @property
    def span(self) -> Span:
        """Where the entry stands."""
        return self.node.span

    def fault(self, id_: str, message: str, span: Span | None = None, hint: str = "") -> None:
        """Write a fault down, at the entry itself unless a place is given."""
        self.findings.add(Diagnostic(id_, message, span or self.span, hint))

    def only(self, *fields: str) -> None:
        """Refuse every field but these (RS6002)."""
        for name, span in self.node.keys.items():
            if name not in fields:
                hint = nearest(name, fields, f"fields here: {', '.join(fields)}")
                self.fault("RS6002", f"{self.what} has no field {name}", span, hint)

    def text(self, name: str, form: re.Pattern[str] | None = None, *, needed: bool = True) -> str:
        """Read a text; RS6001 when it is needed and missing, RS6005 when it does not have the form."""
        node = self.node.items.get(name)
        if node is None:
            if needed:
                self.fault("RS6001", f"{self.what} lacks {name}", hint=f"add a line `{name}: …`")
            return ""
        return self._text(node, f"{name} of {self.what}", form)

    def _text(self, node: written.Node, what: str, form: re.Pattern[str] | None) -> str:
        if not isinstance(node, written.Scalar) or not node.text.strip():
            self.fault("RS6003", f"{what} must be a text", node.span, "write one text, not empty, no list")
            return ""
        if form is not None and not form.fullmatch(node.text):
            self.fault("RS6005", f"{what} is ill-formed: {node.text}", node.span, f"it must match {form.pattern}")
        return node.text

    def word(self, name: str, kind: type[Word], otherwise: Word) -> Word:
        """Read one of the words of ``kind``; RS6004 and ``otherwise`` when it is another."""
        text = self.text(name)
        words = {str(word): word for word in kind}
        if text and text not in words:
            hint = f"one of {', '.join(words)}"
            self.fault("RS6004", f"{name} of {self.what} cannot be {text}", self.node.items[name].span, hint)
        return words.get(text, otherwise)

    def texts(self, name: str, form: re.Pattern[str] | None = None, *, needed: bool = True) -> tuple[str, ...]:
        """Read a list of texts, each of the form."""
        return tuple(self._text(node, f"{name} of {self.what}", form) for node in self._list(name, needed=needed))

    def entries(self, name: str) -> Iterator["Entry"]:
        """Go through a list of entries with named fields."""
        for number, node in enumerate(self._list(name, needed=True), 1):
            if isinstance(node, written.Mapping):
                yield Entry(node, f"entry {number} of {name} in {self.what}", self.findings)
            else:
                self.fault("RS6003", f"entry {number} of {name} must have named fields", node.span)

    def _list(self, name: str, *, needed: bool) -> Sequence[written.Node]:
        node = self.node.items.get(name)
        if node is None:
            if needed:
                self.fault("RS6001", f"{self.what} lacks {name}", hint=f"add `{name}:` and its list")
            return ()
        if not isinstance(node, written.Sequence) or not node.items:
            self.fault("RS6003", f"{name} of {self.what} must be a list, not empty", node.span)
            return ()
        return node.items

    def named(self, name: str) -> Iterator[tuple[str, "Entry"]]:
        """Go through entries that are named by their keys."""
        node = self.node.items.get(name)
        if not isinstance(node, written.Mapping):
            self.fault("RS6003", f"{name} of {self.what} must have named entries", node.span if node else None)
            return
        for key, entry in node.items.items():
            if isinstance(entry, written.Mapping):
                yield key, Entry(entry, key, self.findings)
            else:
                self.fault("RS6003", f"{key} in {name} must have named fields", node.keys[key])
