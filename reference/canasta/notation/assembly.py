"""A record while its lines come in: what belongs where, what stands twice, and where one record ends."""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from canasta.diagnostics import Diagnostic, Label, Severity, Span
from canasta.notation import record as r
from canasta.notation.checks import check_record, check_what_was_read
from canasta.notation.hints import Explained, tag_meant
from canasta.notation.lines import LANGUAGES, DealHead, LineReader, Piece, Remark

LONGEST_LINE = 65_536
MOST_LINES = 100_000
MOST_FINDINGS = 200
MOST_DEALS = 99_999
VERSION = "1"

_SEAT_NAME = re.compile(r"[^\W\d_][0-9]?")
_STAGES: dict[type, int] = {r.Hand: 0, r.Stock: 0, r.Seed: 0, r.Upcards: 1, r.Turn: 1}
_LAST_STAGE = 2
_PLACES = ("before the first turn", "among the turns")


Seating = Callable[[r.Record], tuple[str, ...]]
"""Gives the seats, in order of play, of the rule set by which a record with such tags is read; none where it is not known."""


def no_seating(_: r.Record) -> tuple[str, ...]:
    """Know no rule set."""
    return ()


class Reading(NamedTuple):
    """What one record of a text came to: the record, or None when it could not be read, and all findings about it."""

    record: r.Record | None
    diagnostics: tuple[Diagnostic, ...]


class _OpenDeal:
    """A deal while its lines come in."""

    def __init__(self, head: DealHead, number: int) -> None:
        self.head = head
        self.number = number
        self.lines: list[r.Line] = []
        self.seen: dict[tuple[str, str], Span | None] = {}
        self.stage = 0

    def close(self) -> r.Deal:
        return r.Deal(self.number, self.head.dealer, tuple(self.lines), self.head.notes, self.head.span)


class Assembly:
    """Takes the lines of one record; :meth:`feed` says when a line begins the next."""

    def __init__(self, file: str, pending: list[str] | None = None, seating: Seating = no_seating) -> None:
        """Begin with the usual seats and letters; ``seating`` knows the seats of the rule sets that a tag may name."""
        self.seating = seating
        self.file = file
        self.pending: list[str] = [] if pending is None else pending
        self.tags: list[r.Tag] = []
        self.deals: list[r.Deal] = []
        self.deal: _OpenDeal | None = None
        self.result: r.Result | None = None
        self.settled = 0
        self.lines = 0
        self.begun = 0
        self.broken: dict[int, str] = {}
        """The lines that could not be read, or do not belong where they stand, each with the side that it is plainly about."""
        self.dropped = 0
        self.line = LineReader(self.file)
        tags = self.tags  # not the assembly, which would hold itself in memory
        self.line.seating = lambda: seating(r.Record(tuple(tags), span=_span_of_rules(tags, file)))

    # ---- lines ----

    def begins_the_next(self, text: str) -> bool:
        """Whether a line is a tag that can only belong to the next record."""
        return text.lstrip(" \t").startswith("[") and bool(self.deals or self.deal or self.result)

    def feed(self, text: str, number: int) -> None:
        """Take one line, without its line feed."""
        if not text.strip(" \t"):
            self.settled = len(self.pending)
            return
        self.begun = self.begun or number
        self.line.number = number
        self.lines += 1
        if self.lines > MOST_LINES:
            self._too_many_lines()
        elif len(text) > LONGEST_LINE:
            self._say("CN0003", 0, f"this line has more than {LONGEST_LINE} signs", "break it into several lines")
        elif text.isprintable() or self._clean(text):
            before = len(self.line.findings.errors)
            piece = self.line.read(text, number, self._above(text))
            if len(self.line.findings.errors) > before:
                self.broken[number] = self._about(text)
            if piece is not None:
                self._place(piece)
        self._bound_findings()

    def _about(self, text: str) -> str:
        """Name the side that stands with a colon at the beginning of a line; nothing where it is no such line."""
        name, colon, _ = text.partition(":")
        seats = _SEAT_NAME.findall(name := name.strip().upper())
        return name if colon and name == "".join(seats) and all(seat in self.line.seats for seat in seats) else ""

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
            category = unicodedata.category(sign)
            if category == "Cs":
                self._say("CN0001", at, "this is not UTF-8 text", "save the file as UTF-8")
                return False
            if category in ("Cc", "Zl", "Zp") and sign != "\t":
                self._say("CN0002", at, f"a control character (U+{ord(sign):04X}) stands here", "delete it")
                return False
        return True

    def _too_many_lines(self) -> None:
        """Say once that a record is too long, and pass over the rest of it."""
        if self.lines == MOST_LINES + 1:
            self._say("CN0004", 0, f"this record has more than {MOST_LINES} lines", "begin the next record with a tag")

    def _bound_findings(self) -> None:
        """Keep only so many findings of a record."""
        extra = len(self.line.findings.found) - MOST_FINDINGS
        if extra > 0:
            self.dropped += extra
            del self.line.findings.found[MOST_FINDINGS:]

    def _say(self, name: str, at: int, message: str, hint: str) -> None:
        """Refuse the present line for a sign in it."""
        self.line.say(Explained(name, message, at, 1, hint))
        self.broken[self.line.number] = ""

    def _refuse(self, name: str, span: Span | None, message: str, hint: str, first: Span | None = None) -> None:
        """Refuse a line for where it stands; ``first`` is the line that it repeats."""
        labels = (Label(first, "the first one"),) if first else ()
        self.line.findings.add(Diagnostic(name, message, span, hint, labels))
        self.broken[self.line.number] = ""

    def _warn(self, name: str, span: Span | None, message: str, hint: str) -> None:
        self.line.findings.add(Diagnostic(name, message, span, hint, severity=Severity.WARNING))

    # ---- pieces ----

    def _place(self, piece: Piece) -> None:
        """Put what a line said where it belongs."""
        if isinstance(piece, Remark):
            self.pending.extend(piece.texts)
        elif isinstance(piece, tuple):
            for tag in piece:
                self._tag(tag)
        elif self.result is not None:
            hint = "put the result last; a tag begins the next record"
            self._refuse("CN0068", piece.span, "nothing can follow the result", hint)
        elif isinstance(piece, DealHead):
            self._begin(piece)
        elif isinstance(piece, r.Result):
            self._end_deal()
            self.result = piece
        else:
            self._line(piece)

    def _tag(self, tag: r.Tag) -> None:
        """Take a tag, and obey the few that say how to read on."""
        known = next((old for old in self.tags if old.name == tag.name), None)
        if known is not None:
            hint = "a record has each tag once; the next record begins after the deals of this one"
            self._refuse("CN0011", tag.span, f"the tag {tag.name} stands here a second time", hint, known.span)
            return
        self.tags.append(tag)
        if tag.name == "Language":
            self._language(tag)
        elif tag.name == "Seats":
            self._seats(tag)
        elif tag.name == "CGN" and tag.value != VERSION:
            message = f"this record names version {tag.value} of the notation"
            self._warn("CN0016", tag.span, message, f"it is read as version {VERSION}")
        elif (meant := tag_meant(tag.name)) is not None:
            hint = f"did you mean {meant}? Other tags are kept, and change nothing"
            self._warn("CN0017", tag.span, f"nothing reads a tag {tag.name}", hint)

    def _language(self, tag: r.Tag) -> None:
        if tag.value in LANGUAGES:
            self.line.language = tag.value
            return
        hint = f"the languages are {' '.join(LANGUAGES)}; without the tag the letters are A K Q J T"
        self._refuse("CN0013", tag.span, f"the rank letters of {tag.value!r} are not known", hint)

    def _seats(self, tag: r.Tag) -> None:
        seats = tuple(tag.value.split())
        good = all(_SEAT_NAME.fullmatch(seat) and seat == seat.upper() for seat in seats)
        if seats and good and len(set(seats)) == len(seats):
            self.line.seats, self.line.seating = seats, tuple
            return
        hint = 'name each seat once, in order of play, by a capital letter and perhaps a digit: [Seats "A B C"]'
        self._refuse("CN0014", tag.span, f"the seats {tag.value!r} cannot be used", hint)

    def _begin(self, head: DealHead) -> None:
        """Begin a deal."""
        self._end_deal()
        last = self.deals[-1].number if self.deals else 0
        number = last + 1 if head.number is None else head.number
        if number > MOST_DEALS:
            hint = f"deals are numbered from 1 to {MOST_DEALS}"
            self._refuse("CN0063", head.span, f"there is no deal {number}", hint)
        elif number <= last:
            hint = f"number the deals upwards, or leave the number out: this would be deal {last + 1}"
            self._refuse("CN0060", head.span, f"deal {number} cannot follow deal {last}", hint)
        elif self.deals and number != last + 1:
            hint = "a deal between them is missing, or the number is wrong"
            self._warn("CN0071", head.span, f"deal {number} follows deal {last}", hint)
        self.deal = _OpenDeal(head, number)

    def _end_deal(self) -> None:
        """Close the deal that is open, if any."""
        if self.deal is not None:
            self.deals.append(self.deal.close())
            self.deal = None

    def _line(self, line: r.Line) -> None:
        """Take a line of a deal; the first deal may begin without saying so."""
        if self.deal is None:
            self._begin(DealHead(None, "", r.NO_NOTES, line.span or self.line.span(0, 1)))
        deal = self.deal
        assert deal is not None  # noqa: S101 it was begun just now
        stage = _STAGES.get(type(line), _LAST_STAGE)
        if stage < deal.stage:
            hint = "in a deal come hands and stock, then upcard and turns, then how it ended and the scores"
            self._refuse("CN0062", line.span, f"this line belongs {_PLACES[stage]}", hint)
        deal.stage = max(deal.stage, stage)
        if not isinstance(line, r.Turn):
            key = (type(line).__name__, _owner(line))
            if key in deal.seen:
                self._twice(line, deal.number, deal.seen[key])
            deal.seen.setdefault(key, line.span)
        deal.lines.append(line)

    def _twice(self, line: r.Line, number: int, first: Span | None) -> None:
        """Say that a deal has two lines of which it can have one."""
        if isinstance(line, r.Score):
            hint = f"begin the next deal with a line: Deal {number + 1}"
            self._refuse("CN2006", line.span, f"{line.side} is scored twice in deal {number}", hint, first)
        else:
            hint = "keep one of the two lines"
            self._refuse("CN0061", line.span, f"deal {number} says this a second time", hint, first)

    # ---- the end of a record ----

    def close(self, *, followed: bool) -> tuple[Reading | None, "Assembly"]:
        """Close the record, None when nothing was written, and open the next.

        Comments after the last empty line stand above the next record, if one follows.
        """
        self._end_deal()
        keep = self.settled if followed else len(self.pending)
        following = Assembly(self.file, self.pending[keep:], self.seating)
        if not self.begun:
            return None, following
        found = self.line.findings.found
        if self.dropped:
            message = f"{self.dropped} further findings in this record are not shown"
            note = Diagnostic("CN0005", message, found[-1].span, "mend those above first", severity=Severity.NOTE)
            found.append(note)
        span = Span(self.file, self.begun, 1, self.line.number, 1)
        record = r.Record(
            tuple(self.tags), tuple(self.deals), self.result, tuple(self.pending[:keep]), span, self.line.seats
        )
        if self.broken:
            return Reading(None, (*found, *check_what_was_read(record, self.broken))), following
        return Reading(record, (*found, *check_record(record))), following


def _span_of_rules(tags: list[r.Tag], file: str) -> Span:
    """Find the place that names the rule set, else the beginning of the file."""
    return next((tag.span for tag in tags if tag.name == "Rules" and tag.span), Span(file, 1, 1, 1, 1))


def _owner(line: r.Line) -> str:
    """The seat or side that a line is about, if any."""
    if isinstance(line, (r.Hand, r.Left)):
        return line.seat
    return line.side if isinstance(line, (r.Melds, r.RedThrees, r.Score)) else ""
