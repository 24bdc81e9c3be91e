"""What the command prints: findings in four formats, data as JSON, colour only where somebody can see it."""

import os
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, TextIO

from canasta.diagnostics import Diagnostic, Severity

_TYPED: Final[dict[str, str]] = {}
"""Texts without a file, by their names in findings: what was typed or piped in this call."""


class Format(StrEnum):
    """How results are written: for a person, as one JSON value, as one JSON value a line, or for a code host."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"


class Colour(StrEnum):
    """Whether colour is used: where a terminal shows it, always, or never."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Code:
    """What the command's exit code says."""

    CLEAN: Final = 0
    FINDINGS: Final = 1
    USAGE: Final = 2
    BROKEN_ENGINE: Final = 3
    OWN_FAULT: Final = 101
    INTERRUPTED: Final = 130


def in_colour(choice: Colour, stream: TextIO) -> bool:
    """Decide on colour: what was asked for, else ``NO_COLOR`` and ``FORCE_COLOR``, else whether it is a terminal."""
    if choice is not Colour.AUTO:
        return choice is Colour.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def paint(text: str, code: str, *, colour: bool) -> str:
    """Give a text in a colour of the terminal, or as it is."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def write(text: str) -> None:
    """Write to standard output, ending the line if it is not ended."""
    sys.stdout.write(text if text.endswith("\n") or not text else f"{text}\n")


def say(text: str) -> None:
    """Tell the person at the keyboard something that is no result, on standard error."""
    sys.stdout.flush()
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def write_json(data: object, *, lean: bool = False) -> None:
    """Write one JSON value: indented, or with ``lean`` on a single line."""
    import json  # noqa: PLC0415 - only those pay for it who ask for JSON

    write(json.dumps(data, ensure_ascii=False, indent=None if lean else 2))


def keep_text(name: str, text: str) -> None:
    """Keep a text that has no file under the name that findings give it, so that its line can be shown."""
    _TYPED[name] = text


def _source_of(name: str) -> str | None:
    from canasta.rendering import source_of  # noqa: PLC0415 - a good file has no findings

    return _TYPED[name] if name in _TYPED else source_of(name)


def write_finding(finding: Diagnostic, shape: Format, *, colour: bool) -> None:
    """Write one finding in a format that is written finding by finding."""
    from canasta.rendering import to_github, to_json, to_terminal  # noqa: PLC0415 - a good file has none

    if shape is Format.GITHUB:
        write(to_github([finding]))
    elif shape is Format.JSONL:
        write_json(to_json([finding])[0], lean=True)
    else:
        write(to_terminal(finding, _source_of, colour=colour))


def fail(findings: Iterable[Diagnostic], colour: Colour = Colour.AUTO) -> int:
    """Tell on standard error why nothing could be done, and give the exit code for that."""
    from canasta.rendering import to_terminal  # noqa: PLC0415 - a good file has none

    painted = in_colour(colour, sys.stderr)
    for finding in findings:
        say(to_terminal(finding, _source_of, colour=painted))
    return Code.USAGE


def code_of(findings: Iterable[Diagnostic], *, strict: bool = False) -> int:
    """Give the exit code for findings: errors count, warnings only if ``strict``, notes never."""
    counted = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    return Code.FINDINGS if any(f.severity in counted for f in findings) else Code.CLEAN


def in_words(findings: Sequence[Diagnostic]) -> str:
    """Count findings in words; notes are no findings and are told apart."""
    notes = sum(f.severity is Severity.NOTE for f in findings)
    found = len(findings) - notes
    told = f"{found} finding{'' if found == 1 else 's'}" if found else "nothing wrong"
    return f"{told}, {notes} note{'' if notes == 1 else 's'}" if notes else told
