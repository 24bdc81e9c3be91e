"""What a record must agree with itself about, without any rule set: sums, running totals, the result, the digest."""

from collections.abc import Iterator

from canasta.diagnostics import Diagnostic, Severity
from canasta.notation import record as r
from canasta.notation.writer import digest


def check_record(record: r.Record) -> Iterator[Diagnostic]:
    """Go through a record and say where two of its figures cannot both be right."""
    yield from _check_pad(record)
    yield from _check_upcards(record)
    yield from _check_penalties(record)
    yield from _check_digest(record)


def _check_pad(record: r.Record) -> Iterator[Diagnostic]:
    """Add up the pad as a scorekeeper would."""
    running: dict[str, int] = {}
    for deal in record.deals:
        for score in deal.scores:
            if not score.items:
                running[score.side] = score.total or 0
                continue
            come_to = sum(item.points for item in score.items)
            if score.sum is not None and score.sum != come_to:
                yield Diagnostic(
                    "CN2002",
                    f"the figures of {score.side} come to {come_to}, not {score.sum}",
                    score.span,
                    _meant(score, running),
                )
            before = running.get(score.side)
            if before is None and deal.number > 1 and score.total is not None:
                before = score.total - come_to
            total = (before or 0) + come_to
            if score.total is not None and score.total != total:
                yield Diagnostic(
                    "CN2003",
                    f"{score.side} had {before or 0} and scored {come_to}, which makes {total}, not {score.total}",
                    score.span,
                    "the number after total is the running total of the match; mend it or the figures",
                )
            if before is not None or deal.number == 1:
                running[score.side] = total
    yield from _check_result(record, running)


def _meant(score: r.Score, running: dict[str, int]) -> str:
    """A hint for a sum that is wrong: perhaps it was meant as the running total."""
    come_to = sum(item.points for item in score.items)
    if score.sum == running.get(score.side, 0) + come_to:
        return f"after = stands what this deal came to; a running total is written: total {score.sum}"
    return "mend the sum, or the figures before it"


def _check_result(record: r.Record, running: dict[str, int]) -> Iterator[Diagnostic]:
    """Compare the result with the running totals, where both are known."""
    if record.result is None:
        return
    for side, points in record.result.totals:
        if side in running and running[side] != points:
            yield Diagnostic(
                "CN2007",
                f"the result gives {side} {points}, the deals come to {running[side]}",
                record.result.span,
                "mend the result or the score lines",
            )


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
