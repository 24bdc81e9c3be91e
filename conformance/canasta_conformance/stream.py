"""The stream of a run: one JSON line for each record, and an end without which it is not believed."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TextIO

from canasta_conformance.records import END, HEAD, RESULT, Fields, fault_of

if TYPE_CHECKING:
    from canasta_conformance.suite import Suite

Data = Mapping[str, Any]
Record = dict[str, Any]

SCHEMA: Final = "canasta-run/1"
OTHERWISE: Final = "in another order"
"""What is told of a form that comes out otherwise when everything is asked again."""
KNOWN: Final = "known"
"""The status that a failure has in a report when the list of expected failures names it."""

_LONGEST: Final = 16 << 20

_UNSHOWN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def clean(text: object) -> str:
    """Give what an engine said without signs that a terminal or XML would obey, or choke on."""
    return _UNSHOWN.sub("\ufffd", str(text))


class StreamError(Exception):
    """A stream that is no whole report: what is wrong, and in which line."""

    def __init__(self, text: str, line: int = 0) -> None:
        """Carry what is wrong."""
        self.text, self.line = text, line
        super().__init__(f"line {line}: {text}" if line else text)


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run as it was read: what was asked of whom, the results by case and form, and the end."""

    head: Data
    results: tuple[Record, ...]
    end: Data

    @property
    def engine(self) -> str:
        """The name and version of the engine, or its address where it never said who it is."""
        engine = self.head.get("engine")
        return clean(f"{engine['name']} {engine['version']}" if engine else str(self.head["address"]))

    @property
    def unasked(self) -> tuple[str, ...]:
        """What the engine did between two cases without being asked, a text for each time."""
        return tuple(clean(told) for told in self.end.get("unasked", ()))

    @property
    def counts(self) -> Counter[str]:
        """How many results have each status."""
        return Counter(result["status"] for result in self.results)

    def without(self, known: Collection[tuple[str, int]]) -> "Report":
        """Give the report with failures that were expected marked as known, so that they are counted and not shown."""
        results = tuple({**r, "status": KNOWN} if (r["case"], r["form"]) in known else r for r in self.results)
        return replace(self, results=results)

    @property
    def asks_everything(self) -> bool:
        """Whether all forms of the suite were to be asked, and not a selection of them."""
        return bool(self.head["forms"] >= self.head.get("of", 0))

    def by_form(self) -> dict[tuple[str, int], Record]:
        """Give the results by case and form."""
        return {(r["case"], r["form"]): r for r in self.results}


def write(records: Iterable[Record], out: TextIO) -> Iterator[Record]:
    """Write records as they come, one line each, and pass them on."""
    for record in records:
        out.write(json.dumps(record) + "\n")
        out.flush()
        yield record


def collect(records: Iterable[Record]) -> Report:
    """Put the records of a run together.

    Raises:
        StreamError: when they are not one whole run.
    """
    return _Reading().all(enumerate(records, start=1))


def read(lines: Iterable[str], suite: "Suite | None" = None) -> Report:
    """Read a stream; where the suite that was asked is at hand, every case is looked for in it.

    Raises:
        StreamError: when a line is no record, or they are not one whole run.
    """
    return _Reading(suite).all(_parsed(lines))


def _parsed(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if len(line) > _LONGEST:
            raise StreamError("this line is too long for a record", number)
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise StreamError("this line is no JSON", number) from None
        if not isinstance(record, dict):
            raise StreamError("this line is no record", number)
        yield number, record


class _Reading:
    """The work of reading one stream."""

    def __init__(self, suite: "Suite | None" = None) -> None:
        self.suite = suite
        self.head: Record | None = None
        self.end: Record | None = None
        self.results: dict[tuple[str, int], Record] = {}

    def all(self, records: Iterable[tuple[int, Record]]) -> Report:
        for number, record in records:
            self._take(record, number)
        if self.head is None:
            raise StreamError("the stream is empty")
        if self.end is None:
            raise StreamError(f"the stream has no end: the run was broken off, or the file was cut; {self._reached()}")
        missing = self.head["forms"] - len(self.results)
        if missing:
            raise StreamError(self._reached())
        # They were asked in an order of chance, which a report does not show.
        return Report(self.head, tuple(self.results[key] for key in sorted(self.results)), self.end)

    def _reached(self) -> str:
        forms = self.head["forms"] if self.head else 0
        return f"{forms} forms were to be asked, and {len(self.results)} results stand here"

    def _take(self, record: Record, number: int) -> None:
        kind = record.get("type")
        if self.end is not None:
            raise StreamError("something stands after the end", number)
        if self.head is None and "type" not in record and "exchange" in record:
            raise StreamError("this is a recording, as `canasta conformance record` writes it, and no run", number)
        if (self.head is None) != (kind == "run"):
            raise StreamError("a stream begins with one record of type run", number)
        if kind == "run":
            if record.get("schema") != SCHEMA:
                raise StreamError(
                    f"this is a stream of schema {record.get('schema')}, and {SCHEMA} is read here", number
                )
            _see(record, HEAD, "the first record", number)
            self.head = record
        elif kind == "result":
            _see(record, RESULT, "this result", number)
            self._result(record, number)
        elif kind == "end":
            _see(record, END, "the end", number)
            self.end = record
        else:
            raise StreamError(f"there are no records of type {kind}", number)

    def _result(self, record: Record, number: int) -> None:
        key = (record["case"], record["form"])
        if key in self.results:
            raise StreamError(f"{key[0]}, form {key[1]}, stands here twice", number)
        if self.head is not None and self.suite is not None and self.head["suite"] == self.suite.digest:
            case = self.suite.cases.get(key[0])
            if case is None or key[1] >= len(case.forms):
                what = "no such case" if case is None else f"no form {key[1]} of it"
                raise StreamError(f"{key[0]}: in the suite of this run there is {what}", number)
        self.results[key] = record


def _see(record: Record, fields: Fields, what: str, number: int) -> None:
    """See that a record has the shape by which it is written.

    Raises:
        StreamError: when it has not.
    """
    wrong = fault_of(record, fields)
    if wrong:
        raise StreamError(f"{what} {wrong}", number)
