"""What a person names on the command line: files, folders, standard input; and what kind of text each of them holds."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple

from canasta.diagnostics import Diagnostic, Span
from canasta_tools.output import keep_text

STDIN: Final = "-"
_HEAD: Final = 8192
"""Bytes that are looked at to tell what a text is."""

_RULES: Final = re.compile(rb"^(ruleset|extends)[ \t]*:", re.MULTILINE)
_CHAPTER: Final = re.compile(rb"^chapter[ \t]*:", re.MULTILINE)
_POSITION: Final = re.compile(rb"\s*[A-Z] at [a-z_]+ *(;|$)", re.MULTILINE)


class Kind(StrEnum):
    """What a text holds."""

    RECORD = "record"
    RULES = "rule file"
    CHAPTER = "chapter of a rule set"
    POSITIONS = "positions"
    RECORD_JSON = "record as JSON"
    GAME = "game of a program"
    JSON = "text in JSON that is neither a record nor a game"


_MANY: Final = {
    Kind.RECORD: "records", Kind.RULES: "rule files", Kind.CHAPTER: "chapters of rule sets", Kind.POSITIONS: "positions",
    Kind.RECORD_JSON: "records as JSON", Kind.GAME: "games of programs", Kind.JSON: "JSON",
}  # fmt: skip
"""What several texts of a kind are called."""


class Input(NamedTuple):
    """One text to work on: the name that findings bear, its kind, and where it lies; standard input is held whole."""

    name: str
    kind: Kind
    path: str | None
    data: bytes = b""

    def open(self) -> BinaryIO:
        """Open the text for reading."""
        return BytesIO(self.data) if self.path is None else open(self.path, "rb")  # noqa: PTH123 - see _walk; the caller closes it

    def read(self) -> bytes:
        """Read the whole text."""
        with self.open() as stream:
            return stream.read()

    def text(self) -> str:
        """Read the whole text as UTF-8, damaged bytes shown as such."""
        return self.read().decode("utf-8-sig", "replace")


def whole(name: str) -> Span:
    """Give the place of a finding that is about a text as a whole: its beginning."""
    return Span(name, 1, 1, 1, 1)


def gather(paths: Sequence[str], *, stdin_name: str = "") -> Iterator[Input | Diagnostic]:
    """Find the texts that paths name, in their order, folders walked in sorted order; a diagnostic where there is none."""
    for path in paths:
        if path == STDIN:
            yield _stdin(stdin_name)
        elif os.path.isdir(path):  # noqa: PTH112 - a path may hold signs that pathlib would raise on
            found = False
            for inside in _walk(path):
                found = True
                yield inside
            if not found:
                hint = "records end in .cgn, positions in .position; rule files end in .yaml and say `ruleset:`"
                yield Diagnostic("US0008", f"there is nothing to read in the folder {path}", whole(path), hint)
        else:
            yield _file(path)


def only(kinds: frozenset[Kind], found: Input | Diagnostic, purpose: str) -> Input | Diagnostic:
    """Let texts of some kinds pass; for any other say what it is and what is wanted."""
    if isinstance(found, Diagnostic) or found.kind in kinds:
        return found
    *many, last = sorted(_MANY[kind] for kind in kinds)
    wanted = f"{', '.join(many)} or {last}" if many else last
    article = "" if found.kind in (Kind.POSITIONS, Kind.JSON) else "a "
    message = f"{found.name} holds {article}{found.kind}; {purpose} works on {wanted}"
    return Diagnostic(
        "US0007", message, whole(found.name), "the ending of a file's name tells its kind: .cgn is a record"
    )


def nothing_in(found: Input) -> Diagnostic:
    """Say that a text holds nothing of its kind, which is not the same as nothing wrong."""
    what = "position" if found.kind is Kind.POSITIONS else "record"
    hint = "a record has at least a deal line and what was played or scored; see `canasta explain US0016`"
    return Diagnostic(
        "US0016", f"there is no {what} in {found.name}", whole(found.name), hint if what == "record" else ""
    )


def _stdin(name: str) -> Input | Diagnostic:
    data = sys.stdin.buffer.read()
    keep_text(name or "<stdin>", data.decode("utf-8-sig", "replace"))
    return _told(name or "<stdin>", data[:_HEAD], None, data, by_name=bool(name))


def _file(path: str) -> Input | Diagnostic:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a path may hold signs that pathlib would raise on
            head = file.read(_HEAD)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "this can be no file's name"
        message = f"{path} cannot be read: {(why or 'no reason given').lower()}"
        return Diagnostic("US0006", message, whole(path), _near(path))
    return _told(path, head, path, b"", by_name=True)


def _near(path: str) -> str:
    """Look for a file of a similar name."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistyped name

    folder, name = os.path.split(path)
    try:
        close = get_close_matches(name, os.listdir(folder or "."), 1)  # noqa: PTH208 - names are all that is wanted
    except (OSError, ValueError):
        close = []
    if not close:
        return "check the spelling, and the folder you are in"
    return f"did you mean {os.path.join(folder, close[0])}?"  # noqa: PTH118 - as the person wrote it


def _walk(folder: str) -> Iterator[Input]:
    """Go through a folder in sorted order and pass over whatever is neither record, position nor rule set.

    Paths are texts here, for pathlib takes longer to load than a deal to check.
    """
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            path = os.path.normpath(os.path.join(at, name))  # noqa: PTH118 - as said above
            if not name.endswith((".cgn", ".position", ".yaml", ".yml", ".json")):
                continue
            try:
                with open(path, "rb") as file:  # noqa: PTH123 - as said above
                    head = file.read(_HEAD)
            except OSError:
                head = b""
            if name.endswith((".yaml", ".yml")) and not _RULES.search(head):
                continue
            if name.endswith(".json") and b'"canasta-record/' not in head:
                continue
            found = _told(path.replace(os.sep, "/"), head, path, b"", by_name=True)
            if isinstance(found, Input):
                yield found


def _told(name: str, head: bytes, path: str | None, data: bytes, *, by_name: bool) -> Input | Diagnostic:
    kind = _kind(name if by_name else "", head)
    if kind is None:
        hint = "name it: records end in .cgn, rule files in .yaml, positions in .position, JSON in .json"
        hint += "; for standard input there is --stdin-filename"
        return Diagnostic("US0007", f"it cannot be told what {name} is", whole(name), hint)
    return Input(name, kind, path, data)


def _kind(name: str, head: bytes) -> Kind | None:
    """Tell what a text is: by the ending of its name, else by how it begins."""
    lower = name.lower()
    if lower.endswith(".cgn"):
        return Kind.RECORD
    if lower.endswith(".position"):
        return Kind.POSITIONS
    if lower.endswith((".yaml", ".yml")):
        return Kind.CHAPTER if _CHAPTER.search(head) and not _RULES.search(head) else Kind.RULES
    begin = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith(b"{") or lower.endswith(".json"):
        if b'"canasta-record/' in head:
            return Kind.RECORD_JSON
        return Kind.GAME if b'"deals"' in head or b'"players"' in head else Kind.JSON
    if _RULES.search(head):
        return Kind.RULES
    if _POSITION.match(begin):
        return Kind.POSITIONS
    return Kind.RECORD if begin.startswith((b"[", b";", b"Deal", b"deal")) or not name else None
