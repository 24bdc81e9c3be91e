"""The reader of records: any lines in, one record at a time out, with every finding collected.

It needs memory for one record only, and every record is bounded. A record in which a line could not be read is not
given back in part, since what is left of it might be a game that was never played; its findings are.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.notation import record as r
from canasta.notation.checks import check_record
from canasta.notation.hints import Explained
from canasta.notation.lines import LANGUAGES, DealHead, LineReader, Piece, Remark

LONGEST_LINE = 65_536
MOST_LINES = 100_000
MOST_FINDINGS = 200
VERSION = "1"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one record of a text came to: the record, or None when it could not be read, and all findings about it."""

    record: r.Record | None
    diagnostics: tuple[Diagnostic, ...]


def read_text(text: str, file: str) -> tuple[list[r.Record], list[Diagnostic]]:
    """Read all records of a text; ``file`` is the name that findings carry."""
    records: list[r.Record] = []
    found: list[Diagnostic] = []
    for reading in read_records(text.split("\n"), file):
        found.extend(reading.diagnostics)
        if reading.record is not None:
            records.append(reading.record)
    return records, found


def read_bytes(data: bytes, file: str) -> tuple[list[r.Record], list[Diagnostic]]:
    """Read all records of a file's bytes, whatever they are."""
    return read_text(data.decode("utf-8", "surrogateescape"), file)


def read_stream(stream: BinaryIO, file: str) -> Iterator[Reading]:
    """Read the records of an open file one at a time, in memory that does not grow with the file."""
    return read_records(_stream_lines(stream), file)


def _stream_lines(stream: BinaryIO) -> Iterator[str]:
    """Give the lines of a stream; of one that is too long only as much as it takes to refuse it."""
    while line := stream.readline(LONGEST_LINE * 4 + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(LONGEST_LINE)):
            pass
        yield line.decode("utf-8", "surrogateescape")


def read_records(lines: Iterable[str], file: str) -> Iterator[Reading]:
    """Read the records of a sequence of lines, with or without their line feeds, one at a time."""
    assembly = _Assembly(file)
    for number, raw in enumerate(lines, 1):
        text = raw.removesuffix("\n").removesuffix("\r")
        if number == 1:
            text = text.removeprefix("\ufeff")
        done = assembly.feed(text, number)
        if done is not None:
            yield done
    last = assembly.finish(())
    if last is not None:
        yield last


_SEAT_NAME = re.compile(r"[^\W\d_a-z][0-9]?")
_ORDER: dict[type, int] = {r.Hand: 0, r.Stock: 0, r.Seed: 0, r.Upcards: 1, r.Turn: 1}
_PLACES = ("before the first turn", "among the turns", "after the last turn")


@dataclass(slots=True)
class _OpenDeal:
    """A deal while its lines come in."""

    head: DealHead
    number: int
    lines: list[r.Line] = field(default_factory=list)
    seen: dict[tuple[str, str], Span | None] = field(default_factory=dict)
    stage: int = 0

    def close(self) -> r.Deal:
        return r.Deal(self.number, self.head.dealer, tuple(self.lines), self.head.notes, self.head.span)


@dataclass(slots=True)
class _Assembly:
    """A record while its lines come in."""

    file: str
    line: LineReader = field(init=False)
    tags: list[r.Tag] = field(default_factory=list)
    deals: list[r.Deal] = field(default_factory=list)
    deal: _OpenDeal | None = None
    result: r.Result | None = None
    pending: list[str] = field(default_factory=list)
    settled: int = 0
    lines: int = 0
    begun: int = 0
    broken: bool = False
    dropped: int = 0

    def __post_init__(self) -> None:
        self.line = LineReader(self.file)

    # ---- lines ----

    def feed(self, text: str, number: int) -> Reading | None:
        """Take one line; give the record that it completes, if any."""
        if not text.strip(" \t"):
            self.settled = len(self.pending)
            return None
        done = None
        if text.lstrip(" \t").startswith("[") and (self.deals or self.deal or self.result):
            done = self.finish(tuple(self.pending[self.settled :]))
        self.begun = self.begun or number
        self.lines += 1
        if self.lines > MOST_LINES:
            self._too_many_lines(text, number)
            return done
        self.line.number = number
        if len(text) > LONGEST_LINE:
            self.say("CN0003", 0, 1, f"this line has more than {LONGEST_LINE} signs", "break it into several lines")
            self.broken = True
        elif text.isprintable() or self._clean(text):
            before = len(self.line.findings.errors)
            piece = self.line.read(text, number, self._above(text))
            self.broken |= len(self.line.findings.errors) > before
            if piece is not None:
                self._place(piece)
        self._bound_findings()
        return done

    def _above(self, text: str) -> tuple[str, ...]:
        """The comments that stand above this line, unless it is a comment itself."""
        if text.lstrip(" \t")[0] in "{;" or not self.pending:
            return ()
        above = tuple(self.pending)
        self.pending.clear()
        self.settled = 0
        return above

    def _clean(self, text: str) -> bool:
        """Whether a line holds only signs that can be shown; a finding tells of the first that cannot."""
        for at, sign in enumerate(text):
            if sign == "\t" or sign.isprintable():
                continue
            category = unicodedata.category(sign)
            if category == "Cs":
                self.say("CN0001", at, 1, "this is not UTF-8 text", "save the file as UTF-8")
            elif category in ("Cc", "Zl", "Zp"):
                self.say("CN0002", at, 1, f"a control character (U+{ord(sign):04X}) stands here", "delete it")
            else:
                continue
            self.broken = True
            return False
        return True

    def _too_many_lines(self, text: str, number: int) -> None:
        """Say once that a record is too long, and pass over the rest of it."""
        del text
        if not self.broken or self.lines == MOST_LINES + 1:
            self.line.number = number
            hint = "begin the next record with a tag"
            self.say("CN0004", 0, 1, f"this record has more than {MOST_LINES} lines", hint)
        self.broken = True

    def _bound_findings(self) -> None:
        """Keep only so many findings of a record."""
        extra = len(self.line.findings.found) - MOST_FINDINGS
        if extra > 0:
            self.dropped += extra
            del self.line.findings.found[MOST_FINDINGS:]

    def say(
        self, name: str, at: int, length: int, message: str, hint: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Note a finding about the present line."""
        self.line.say(Explained(name, message, at, length, hint), severity)

    # ---- pieces ----

    def _place(self, piece: Piece) -> None:
        """Put what a line said where it belongs."""
        if isinstance(piece, Remark):
            self.pending.extend(piece.texts)
        elif isinstance(piece, tuple):
            for tag in piece:
                self._tag(tag)
        elif self.result is not None:
            self._fault(
                piece.span,
                "CN0068",
                "nothing can follow the result",
                "put the result last; a tag begins the next record",
            )
        elif isinstance(piece, DealHead):
            self._begin(piece)
        elif isinstance(piece, r.Result):
            self._end_deal()
            self.result = piece
        else:
            self._line(piece)

    def _fault(self, span: Span | None, name: str, message: str, hint: str) -> None:
        """Note that a line cannot stand where it stands."""
        self.line.findings.add(Diagnostic(name, message, span, hint))
        self.broken = True

    def _tag(self, tag: r.Tag) -> None:
        """Take a tag, and obey the few that say how to read on."""
        if any(known.name == tag.name for known in self.tags):
            self._fault(
                tag.span,
                "CN0011",
                f"the tag {tag.name} stands here a second time",
                "a record has each tag once; the next record begins after the deals of this one",
            )
            return
        self.tags.append(tag)
        if tag.name == "Language":
            if tag.value in LANGUAGES:
                self.line.language = tag.value
            else:
                self._fault(
                    tag.span,
                    "CN0013",
                    f"the rank letters of {tag.value!r} are not known",
                    f"the languages are {' '.join(LANGUAGES)}; without the tag the letters are A K Q J T",
                )
        elif tag.name == "Seats":
            seats = tuple(tag.value.split())
            if seats and all(map(_SEAT_NAME.fullmatch, seats)) and len(set(seats)) == len(seats):
                self.line.seats = seats
            else:
                self._fault(
                    tag.span,
                    "CN0014",
                    f"the seats {tag.value!r} cannot be used",
                    'name each seat once, in order of play, by a capital letter and perhaps a digit: [Seats "A B C"]',
                )
        elif tag.name == "CGN" and tag.value != VERSION:
            self.line.findings.add(
                Diagnostic(
                    "CN0016",
                    f"this record names version {tag.value} of the notation",
                    tag.span,
                    f"it is read as version {VERSION}",
                    severity=Severity.WARNING,
                )
            )

    def _begin(self, head: DealHead) -> None:
        """Begin a deal."""
        self._end_deal()
        last = self.deals[-1].number if self.deals else 0
        number = last + 1 if head.number is None else head.number
        if number <= last:
            self._fault(
                head.span,
                "CN0060",
                f"deal {number} cannot follow deal {last}",
                f"number the deals upwards, or leave the number out: this would be deal {last + 1}",
            )
        elif self.deals and number != last + 1:
            self.line.findings.add(
                Diagnostic(
                    "CN0071",
                    f"deal {number} follows deal {last}",
                    head.span,
                    "a deal between them is missing, or the number is wrong",
                    severity=Severity.WARNING,
                )
            )
        self.deal = _OpenDeal(head, number)

    def _end_deal(self) -> None:
        """Close the deal that is open, if any."""
        if self.deal is not None:
            self.deals.append(self.deal.close())
            self.deal = None

    def _line(self, line: r.Line) -> None:
        """Take a line of a deal; the first deal may begin without saying so."""
        if self.deal is None:
            assert line.span is not None  # noqa: S101 every line that was read has a place
            self._begin(DealHead(None, "", r.NO_NOTES, line.span))
        deal = self.deal
        assert deal is not None  # noqa: S101 it was begun just now
        stage = _ORDER.get(type(line), 2)
        if stage < deal.stage:
            self._fault(
                line.span,
                "CN0062",
                f"this line belongs {_PLACES[stage]}",
                "in a deal come hands and stock, then upcard and turns, then how it ended and the scores",
            )
        deal.stage = max(deal.stage, stage)
        if not isinstance(line, r.Turn):
            key = (type(line).__name__, _owner(line))
            if key in deal.seen:
                self._twice(line, deal.number)
            deal.seen[key] = line.span
        deal.lines.append(line)

    def _twice(self, line: r.Line, number: int) -> None:
        """Say that a deal has two lines of which it can have one."""
        if isinstance(line, r.Score):
            self._fault(
                line.span,
                "CN2006",
                f"{line.side} is scored twice in deal {number}",
                f"begin the next deal with a line: Deal {number + 1}",
            )
        else:
            self._fault(line.span, "CN0061", f"deal {number} says this a second time", "keep one of the two lines")

    # ---- the end of a record ----

    def finish(self, above: tuple[str, ...]) -> Reading | None:
        """Close the record; ``above`` are comments that already belong to the next one."""
        self._end_deal()
        closing = tuple(self.pending[: len(self.pending) - len(above)])
        found = self.line.findings.found
        if self.dropped:
            found.append(
                Diagnostic(
                    "CN0005",
                    f"{self.dropped} further findings in this record are not shown",
                    found[-1].span,
                    "mend those above first",
                    severity=Severity.NOTE,
                )
            )
        reading = None
        if self.begun:
            span = Span(self.file, self.begun, 1, self.line.number, 1)
            record = r.Record(tuple(self.tags), tuple(self.deals), self.result, closing, span)
            found = found if self.broken else [*found, *check_record(record)]
            reading = Reading(None if self.broken else record, tuple(found))
        fresh = _Assembly(self.file)
        fresh.pending = list(above)
        for name in self.__slots__:
            setattr(self, name, getattr(fresh, name))
        return reading


def _owner(line: r.Line) -> str:
    """The seat or side that a line is about, if any."""
    match line:
        case (
            r.Hand(seat=owner)
            | r.Left(seat=owner)
            | r.Melds(side=owner)
            | r.RedThrees(side=owner)
            | r.Score(side=owner)
        ):
            return owner
        case _:
            return ""
