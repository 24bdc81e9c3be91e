"""The list of failures that an author knows of. What is listed must fail, and just as it is written.

A line is ``CASE  status  # reason``; CASE is an id or a pattern, with ``@1`` after it only its form of that level. An entry whose
cases pass, fail otherwise or are not asked, or that covers more than a few, is itself a finding.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from canasta_conformance.grading import FAULTS, FINDINGS, NOT_ASKED, Status
from canasta_conformance.stream import Record, Report
from canasta_conformance.suite import fits

MOST: Final = 20
"""An entry that covers more forms than this says nothing any more."""

TOLD: Final = 3
"""So many cases of one entry that are otherwise than listed are told; a list that is wrong altogether need not be told line by line."""

UNKNOWN: Final = "not looked into yet"
_HEAD: Final = "# Failures that are known. Each must fail as it is written; `--fix` brings this list up to date."

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

    def holds(self, result: Record) -> bool:
        """Ask whether it speaks of a result, and this is as it says."""
        return self.covers(result) and result["status"] == self.status


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
    seen: dict[tuple[str, str], int] = {}
    unstarted = all(result["status"] == Status.NO_START for result in report.results)
    for entry in entries:
        concerned = [result for result in report.results if entry.covers(result)]
        # A run that was broken off says nothing of what it did not come to, and one that never began nothing at all.
        covered = [] if unstarted else [result for result in concerned if result["status"] != Status.NOT_RUN]
        known |= {_form(r) for r in covered if entry.holds(r)}
        if covered or (report.asks_everything and not concerned):
            complaints += [(entry.line, f"{entry.name}: {text}") for text in _wrong(entry, covered)]
        before = seen.setdefault((entry.name, entry.status), entry.line)
        if before != entry.line:
            complaints.append((entry.line, f"{entry.name}: stands in line {before} as well"))
    return Compared(frozenset(known), tuple(complaints))


def _wrong(entry: Entry, covered: Sequence[Record]) -> Iterator[str]:
    if not covered:
        yield "covers no case of this run"
        return
    if len(covered) > MOST:
        yield f"covers {len(covered)} forms, and {MOST} at most are allowed"
        return
    covered = _to_judge(covered)
    others = [result for result in covered if result["status"] != entry.status]
    for result in others[:TOLD]:
        # An entry that names a single form need not have it named again.
        where = "" if len(covered) == 1 else f"{result['case']}, level {result['level']}, "
        gone = "the entry" if len(others) == len(covered) else "it"
        yield f"{where}{_told(result['status'], gone)}"
    if len(others) > TOLD:
        yield f"and {len(others) - TOLD} more are otherwise"


def _to_judge(covered: Sequence[Record]) -> list[Record]:
    """Leave out forms that were not asked, where another form of their case was: nobody expects anything of them."""
    asked = {result["case"] for result in covered if result["status"] not in NOT_ASKED}
    return [result for result in covered if result["status"] not in NOT_ASKED or result["case"] not in asked]


def _told(status: str, gone: str) -> str:
    """Say of a form that is otherwise than listed how it is."""
    if status == Status.PASS:
        return f"passes now: take {gone} out"
    return f"is not asked ({status})" if status in NOT_ASKED else f"is {status} now"


def fixed(report: Report, text: str) -> str:
    """Bring a list up to date after a whole run: what still holds stays as it is, remarks too, and what fails besides is added.

    An entry that holds only for some of its cases is replaced by one for each of them, with the same reason.
    """
    entries = {entry.line: entry for entry in read(text)}
    wrong = {line for line, _ in compare(report, tuple(entries.values())).complaints}
    failed = _failed(report)
    listed = {_form(r) for r in failed for line, e in entries.items() if line not in wrong and e.holds(r)}
    written: list[str] = []
    for number, line in enumerate(text.splitlines() or [_HEAD], start=1):
        if number not in wrong:
            written.append(line)
            continue
        held = [r for r in failed if entries[number].holds(r) and _form(r) not in listed]
        written += _entries_of(held, [entries[number]])
        listed |= set(map(_form, held))
    written += _entries_of([r for r in failed if _form(r) not in listed], entries.values())
    return "\n".join(written) + "\n"


def _form(result: Record) -> tuple[str, int]:
    return result["case"], result["form"]


def _entries_of(results: Iterable[Record], old: Iterable[Entry]) -> list[str]:
    """Write an entry for each result, with the reason of an old one that speaks of its case, though it may fail otherwise now."""
    reasons = {entry: entry.reason for entry in old}
    found = (
        f"{r['case']}@{r['level']}  {r['status']}  # "
        + (next((reason for entry, reason in reasons.items() if entry.covers(r)), "") or UNKNOWN)
        for r in results
    )
    return list(dict.fromkeys(found))


def _failed(report: Report) -> list[Record]:
    """List what can be expected to fail again; what comes and goes cannot."""
    return [r for r in report.results if r["status"] in COUNTED and r["status"] != Status.FLAKY]
