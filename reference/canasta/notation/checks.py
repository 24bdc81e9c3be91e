"""What a record must agree with itself about, without any rule set: sums, running totals, the result, the digest."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from canasta.diagnostics import Diagnostic, Severity
from canasta.notation import record as r
from canasta.notation.writer import digest


def check_record(record: r.Record) -> Iterator[Diagnostic]:
    """Go through a record and say where two of its figures cannot both be right."""
    yield from _Pad(record).check()
    yield from _check_upcards(record)
    yield from _check_penalties(record)
    yield from _check_digest(record)


def check_what_was_read(record: r.Record, unread: Mapping[int, str]) -> Iterator[Diagnostic]:
    """Do the same with what was read of a record, of which some lines could not be read or do not belong where they stand.

    ``unread`` gives these lines by number, each with the side that it is about where that is plain. One fault must not hide the
    others; only what may hang on such a line is left alone: a running total of its side, or of any, with the line before it, and
    whatever concerns the whole text.
    """
    yield from _Pad(record, unread).check()
    yield from _check_penalties(record)


@dataclass(slots=True)
class _Pad:
    """The pad, added up as a scorekeeper would."""

    record: r.Record
    unread: Mapping[int, str] = field(default_factory=dict)
    unread_of: dict[str, list[int]] = field(default_factory=dict)
    """By sides, the lines that could not be read and may be about them, in ascending order."""
    running: dict[str, int] = field(default_factory=dict)
    """What each side has so far, where that is known."""
    since: dict[str, int] = field(default_factory=dict)
    """The line in which it was last settled."""

    def check(self) -> Iterator[Diagnostic]:
        """Check every line of scores, and the result."""
        for deal in self.record.deals:
            for score in deal.scores:
                yield from self._line(score, deal.number)
        yield from self._result()

    def _line(self, score: r.Score, deal: int) -> Iterator[Diagnostic]:
        at = score.span.line if score.span else 0
        sure = self._sure(score.side, at)
        before = self.running.get(score.side) if sure else None
        self.since[score.side] = at
        if not sure:
            self.running.pop(score.side, None)
        if not score.items:
            self.running[score.side] = score.total or 0
            return
        come_to = sum(item.points for item in score.items)
        if score.sum is not None and score.sum != come_to:
            what = f"the figures of {score.side} come to {come_to}, not {score.sum}"
            yield Diagnostic("CN2002", what, score.span, _meant(score, before or 0))
        first = deal == 1 and sure
        if before is None and not first and score.total is not None:
            before = score.total - come_to
        total = (before or 0) + come_to
        if score.total is not None and score.total != total:
            yield Diagnostic(
                "CN2003",
                f"{score.side} had {before or 0} and scored {come_to}, which makes {total}, not {score.total}",
                score.span,
                "the number after total is the running total of the match; mend it or the figures",
            )
        if before is not None or first:
            self.running[score.side] = total

    def _sure(self, side: str, at: int) -> bool:
        """Ask whether everything was read between the last line of a side, or the beginning, and this one."""
        if side not in self.unread_of:
            self.unread_of[side] = sorted(line for line, of in self.unread.items() if not of or set(of) & set(side))
        lines = self.unread_of[side]
        after = bisect_left(lines, self.since.get(side, 0))
        return after == len(lines) or lines[after] > at

    def _result(self) -> Iterator[Diagnostic]:
        """Compare the result with the running totals, where both are known."""
        result = self.record.result
        if result is None:
            return
        at = result.span.line if result.span else 0
        for side, points in result.totals:
            if side in self.running and self.running[side] != points and self._sure(side, at):
                yield Diagnostic(
                    "CN2007",
                    f"the result gives {side} {points}, the deals come to {self.running[side]}",
                    result.span,
                    "mend the result or the score lines",
                )


def _meant(score: r.Score, before: int) -> str:
    """A hint for a sum that is wrong: perhaps it was meant as the running total."""
    come_to = sum(item.points for item in score.items)
    if score.sum == before + come_to:
        return f"after = stands what this deal came to; a running total is written: total {score.sum}"
    return "mend the sum, or the figures before it"


def _check_upcards(record: r.Record) -> Iterator[Diagnostic]:
    """Ask about upcards that are written below a turn in which more happened than that dealt cards were laid and replaced."""
    for deal in record.deals:
        played = False
        for line in deal.lines:
            if isinstance(line, r.Turn):
                played = played or any(a.kind not in (r.Written.SHOW, r.Written.DRAW) for a in line.actions)
            elif isinstance(line, r.Upcards) and played:
                hint = "the discard pile begins before anybody plays; only dealt red threes are laid above it"
                message = "this line belongs before the first turn"
                yield Diagnostic("CN0062", message, line.span, hint, severity=Severity.WARNING)


def _check_penalties(record: r.Record) -> Iterator[Diagnostic]:
    """Ask about penalties that give points, since the sign is easily forgotten."""
    for deal in record.deals:
        for mark in (mark for turn in deal.turns for mark in turn.marks):
            if mark.kind is r.MarkKind.PENALTY and mark.points > 0:
                message = f"this penalty gives {mark.who} {mark.points} points"
                hint = f"a penalty that takes them away is written with a minus: !pen {mark.who} -{mark.points}"
                yield Diagnostic("CN0036", message, mark.span, hint, severity=Severity.WARNING)


def _check_digest(record: r.Record) -> Iterator[Diagnostic]:
    """Compare the digest tag with the text."""
    tag = next((tag for tag in record.tags if tag.name == "Digest"), None)
    if tag is not None and tag.value != (due := digest(record)):
        yield Diagnostic(
            "CN0015",
            f"the record does not agree with its digest: it has {due}",
            tag.span,
            "something was changed after the digest was written: find the change, or write the new digest",
        )
