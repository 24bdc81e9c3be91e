"""Rule files as text with places: strict YAML in which every value stays text and knows where it was written."""

import re
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Span
from canasta.language.nodes import Mapping, Node, Scalar, Sequence, line_and_column, plain
from canasta.language.strict_yaml import Reader

__all__ = [
    "Mapping",
    "Node",
    "RuleFileError",
    "Scalar",
    "Sequence",
    "file_text",
    "plain",
    "read_file",
    "read_list",
    "read_text",
]

LARGEST: Final = 2_000_000
"""The largest rule file in characters; the longest shipped chapter has a fiftieth of it."""

MOST_OF_A_KIND: Final = 10
"""So many unreadable characters are named one by one; a picture opened by mistake has thousands."""


class RuleFileError(CanastaError):
    """A rule file that cannot be used, with everything that is wrong with it."""


_FOREIGN: Final = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Control characters, separators that only some programs take for line breaks, and signs that turn text around."""
_TAB: Final = re.compile(r"^[ ]*(\t[ \t]*)(?=[^\s])", re.MULTILINE)


def read_file(path: Traversable | Path, shown: str = "") -> Mapping:
    """Read a rule file; ``shown`` is the name that places in it get, else the path as given.

    Raises:
        RuleFileError: with all findings (RS00xx) when the file cannot be read or is not strict YAML.
    """
    return read_text(file_text(path, shown), shown or str(path))


def file_text(path: Traversable | Path, shown: str = "", *, keep_mark: bool = False) -> str:
    """Fetch the text of a file that a person named; a byte order mark is dropped unless it is to be kept.

    Raises:
        RuleFileError: RS0018 when it cannot be opened, RS0017 when it is not UTF-8, RS0019 when it is too long.
    """
    name = shown or str(path)
    try:
        with path.open("rb") as file:
            raw: bytes = file.read(4 * LARGEST + 1)
    except (OSError, KeyError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "no such file").lower()
        hint = "check the spelling of the path, and that you may read the file"
        raise RuleFileError([Diagnostic("RS0018", f"cannot read {name}: {reason}", hint=hint)]) from None
    if len(raw) > 4 * LARGEST:
        raise RuleFileError([_too_long(name)])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        good = raw[: error.start].decode("utf-8", "replace").removeprefix("\ufeff")
        line, column = line_and_column(good, len(good))
        found = Diagnostic(
            "RS0017",
            f"byte 0x{raw[error.start]:02x} is not UTF-8 text",
            Span(name, line, column, line, column + 1),
            "save the file again as UTF-8; most editors offer it under 'Save with encoding'",
        )
        raise RuleFileError([found]) from None
    return text if keep_mark else text.removeprefix("\ufeff")


def _too_long(name: str) -> Diagnostic:
    hint = "split a long rule set into chapters"
    return Diagnostic("RS0019", f"{name} is longer than {LARGEST} characters", hint=hint)


def read_text(text: str, file: str) -> Mapping:
    """Read the text of a rule file, ``file`` being the name that places in it get.

    Raises:
        RuleFileError: with all findings (RS00xx) when the text is not one strict YAML mapping.
    """
    top = _read(text, file)
    if not isinstance(top, Mapping):
        what = "a list" if isinstance(top, Sequence) else "bare text"
        hint = "write `key: value` lines, beginning with `ruleset: NAME` or `chapter: NAME`"
        raise RuleFileError([Diagnostic("RS0013", f"the file is {what}, not keys with values", top.span, hint)])
    return top


def read_list(path: Traversable | Path, shown: str = "") -> Sequence:
    """Read a file of data that is a list, strictly, like a rule file.

    Raises:
        RuleFileError: with all findings (RS00xx) when the file cannot be read or is not one strict YAML list.
    """
    name = shown or str(path)
    top = _read(file_text(path, shown), name)
    if not isinstance(top, Sequence):
        message = "the file is not a list"
        raise RuleFileError([Diagnostic("RS0013", message, top.span, "begin each entry with a hyphen and a space")])
    return top


def _read(text: str, file: str) -> Node:
    if len(text) > LARGEST:
        raise RuleFileError([_too_long(file)])
    text = text.removeprefix("\ufeff")
    findings = Findings()
    _refuse_foreign(text, file, findings)
    findings.raise_errors(RuleFileError)
    tabs = [m.span(1) for m in _TAB.finditer(text)]
    # spaces of equal number keep every place, so that reading can go on to further findings
    page = _TAB.sub(lambda m: m.group().replace("\t", " "), text)
    reader = Reader(page, file, findings, tabs=bool(tabs))
    for begin, end in tabs[:MOST_OF_A_KIND]:
        hint = "indent with spaces only"
        findings.add(Diagnostic("RS0004", "a tab stands in the indentation", reader.span(begin, end), hint))
    top = reader.read()
    findings.raise_errors(RuleFileError)
    if top is None:
        hint = "a rule file begins with `ruleset: NAME` or `chapter: NAME`"
        raise RuleFileError([Diagnostic("RS0012", "the file is empty", Span(file, 1, 1, 1, 1), hint)])
    return top


def _refuse_foreign(text: str, file: str, findings: Findings) -> None:
    found = list(_FOREIGN.finditer(text))
    for place in found[:MOST_OF_A_KIND]:
        line, column = line_and_column(text, place.start())
        more = len(found) - MOST_OF_A_KIND
        also = f" (and {more} more)" if more > 0 and place is found[MOST_OF_A_KIND - 1] else ""
        message = f"the character U+{ord(place.group()):04X} cannot stand in a rule file{also}"
        hint = "delete the invisible character, or open the file in a plain text editor"
        findings.add(Diagnostic("RS0016", message, Span(file, line, column, line, column + 1), hint))
