"""The list of failures that an author knows of. What is listed must fail, and just as it is written.

A line is ``CASE  status  # reason``; CASE is an id or a pattern, with ``@1`` after it only its form of that level. An entry whose
cases pass, fail otherwise or are not asked, or that covers more than a few, is itself a finding.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from canasta_conformance.grading import FAULTS, FINDINGS, Status
from canasta_conformance.stream import Record, Report
from canasta_conformance.suite import fits

MOST: Final = 20
"""An entry that covers more forms than this says nothing any more."""

COUNTED: Final = frozenset({*FAULTS, *FINDINGS, Status.WRONG_REASON})
"""What can be expected."""


class ListError(Exception):
    """A list that cannot be read: what is wrong, and in which line."""

    def __init__(self, text: str, line: int) -> None:
        """Carry what is wrong."""
        self.text, self.line = text, line
        super().__init__(f"line {line}: {text}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list."""

    pattern: str
    level: int | None
    status: str
    reason: str
    line: int

    @property
    def name(self) -> str:
        """The pattern as it is written."""
        return self.pattern if self.level is None else f"{self.pattern}@{self.level}"

    def covers(self, result: Record) -> bool:
        """Ask whether it speaks of a result."""
        return self.level in (None, result["level"]) and fits(result["case"], self.pattern)


@dataclass(frozen=True, slots=True)
class Compared:
    """A run compared with the list: the results that were expected to fail and did, and what is wrong with the list."""

    known: frozenset[tuple[str, int]]
    complaints: tuple[tuple[int, str], ...]


def read(text: str) -> tuple[Entry, ...]:
    """Read a list.

    Raises:
        ListError: when a line is no entry.
    """
    return tuple(_entries(text.splitlines()))


def _entries(lines: Iterable[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, start=1):
        told, _, reason = line.partition("#")
        words = told.split()
        if not words:
            continue
        if len(words) != 2:  # noqa: PLR2004 - a pattern and a status
            raise ListError("an entry is a case and a status, then # and the reason", number)
        pattern, _, level = words[0].partition("@")
        if level not in ("", "0", "1", "2"):
            raise ListError(f"there is no level {level}", number)
        if words[1] not in COUNTED:
            raise ListError(f"{words[1]} is no status of a failure; they are {', '.join(sorted(COUNTED))}", number)
        yield Entry(pattern, int(level) if level else None, words[1], reason.strip(), number)


def compare(report: Report, entries: Sequence[Entry]) -> Compared:
    """See that everything that is listed fails as it is written."""
    known: set[tuple[str, int]] = set()
    complaints: list[tuple[int, str]] = []
    for entry in entries:
        covered = [result for result in report.results if entry.covers(result)]
        known |= {(r["case"], r["form"]) for r in covered if r["status"] == entry.status}
        complaints += [(entry.line, f"{entry.name}: {text}") for text in _wrong(entry, covered)]
    return Compared(frozenset(known), tuple(complaints))


def _wrong(entry: Entry, covered: Sequence[Record]) -> Iterator[str]:
    if not covered:
        yield "covers no case of this run"
    elif len(covered) > MOST:
        yield f"covers {len(covered)} forms, and {MOST} at most are allowed"
    for result in covered:
        if result["status"] == entry.status:
            continue
        told = "passes now: take the entry out" if result["status"] == "pass" else f"is {result['status']} now"
        yield f"{result['case']}, level {result['level']}, {told}"


def fixed(report: Report, entries: Sequence[Entry]) -> str:
    """Write the list anew from a whole run; the reasons of entries that still hold are kept."""
    lines = ["# Failures that are known. Each must fail as it is written; `--fix` writes this list anew."]
    reasons: Mapping[str, str] = {entry.name: entry.reason for entry in entries}
    for result in report.results:
        if result["status"] in COUNTED and result["status"] != Status.FLAKY:
            name = f"{result['case']}@{result['level']}"
            covering = next((e.reason for e in entries if e.covers(result)), "")
            reason = reasons.get(name) or covering or "not looked into yet"
            lines.append(f"{name}  {result['status']}  # {reason}")
    return "\n".join(dict.fromkeys(lines)) + "\n"
