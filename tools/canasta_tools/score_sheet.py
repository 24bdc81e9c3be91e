"""The score sheet of a match: what each deal gave to each side, the running totals, the next minimum, the winner."""

from canasta.notation.record import Depth
from canasta.playing.report import DealReport, MatchReport
from canasta_tools.output import paint


def sheet(report: MatchReport, *, items: bool = False, colour: bool = False) -> str:
    """Lay the score sheet of a match out as a table; with ``items`` every figure of every deal has a line of its own."""
    sides = sides_of(report)
    steps = list(dict.fromkeys(name for deal in report.deals for name in deal.steps))
    width = max(8, *(len(side) + 2 for side in sides)) if sides else 8
    head = f"{'deal':<{_label(report, items=items)}}" + "".join(f"{side:>{width}}{'total':>{width}}" for side in sides)
    head += "".join(f"   next {name}" for name in steps)
    lines = [paint(head, "1", colour=colour)]
    for deal in report.deals:
        lines += _deal(deal, sides, steps, width, _label(report, items=items), items=items)
    return "\n".join([*lines, *_notes(report), "", outcome(report)])


def outcome(report: MatchReport) -> str:
    """Say in a sentence how the match stands or ended."""
    points = ", ".join(f"{side} {total}{_without(report, side)}" for side, total in report.totals.items())
    if not report.winners:
        return f"The match goes on: {points}." if points else "Nothing is scored yet."
    if len(report.winners) > 1:
        return f"The match is drawn between {' and '.join(report.winners)}: {points}."
    return f"{report.winners[0]} has won: {points}."


def lacking(report: MatchReport, deal: DealReport) -> list[str]:
    """List the sides of which nobody can know what a deal brought them: it is unfinished, or their score was not written."""
    return [side for side in report.totals if side not in deal.scored]


def _without(report: MatchReport, side: str) -> str:
    """Say which deals a total lacks: those that others were scored for, or that another deal followed.

    A total that is written later makes up for them.
    """
    gaps: list[int] = []
    before = 0
    for deal in report.deals:
        now = deal.totals.get(side, before)
        if now != before + deal.scored.get(side, 0):
            gaps.clear()
        elif side not in deal.scored and (deal.scored or deal is not report.deals[-1]):
            gaps.append(deal.number)
        before = now
    return f" (without deal{'' if len(gaps) == 1 else 's'} {', '.join(map(str, gaps))})" if gaps else ""


def _notes(report: MatchReport) -> list[str]:
    """Explain the stars of the sheet, one line a deal."""
    told = []
    for deal in report.deals:
        sides = lacking(report, deal)
        if sides and not deal.scored and not deal.reason and deal.depth in (Depth.MOVES, Depth.FULL):
            told.append(f"* deal {deal.number} is not finished: nothing of it is in the totals")
        elif sides:
            told.append(f"* what deal {deal.number} brought {' and '.join(sides)} is not known, and not in the totals")
    return ["", *told] if told else []


def standing(report: MatchReport) -> str:
    """Say in one line how the match stands, and what the totals mean for the next deal."""
    points = ", ".join(f"{side} {total}" for side, total in report.totals.items())
    steps = report.deals[-1].steps if report.deals and not report.winners else {}
    told = [f"next {name}: {', '.join(f'{s} {n}' for s, n in by.items())}" for name, by in steps.items()]
    return "; ".join([points, *told])


def sides_of(report: MatchReport) -> list[str]:
    """List the sides of a match in the order in which they were scored."""
    found = [side for deal in report.deals for side in (*deal.scored, *deal.totals)]
    return list(dict.fromkeys([*found, *report.totals]))


def score_data(report: MatchReport) -> dict[str, object]:
    """Give the score sheet as plain data."""
    deals = [
        {
            "number": d.number, "depth": d.depth.value, "reason": d.reason, "items": d.items, "scored": d.scored,
            "lacking": lacking(report, d), "totals": d.totals, "next": d.steps,
        }
        for d in report.deals
    ]  # fmt: skip
    return {
        "rules": report.rules, "depth": report.depth.value, "deals": deals, "totals": report.totals,
        "winners": list(report.winners), "ending": report.ending,
    }  # fmt: skip


def _label(report: MatchReport, *, items: bool) -> int:
    if not items:
        return 6
    names = [name for deal in report.deals for side in deal.items.values() for name in side]
    return max([6, *(len(name) + 4 for name in names)])


def _deal(deal: DealReport, sides: list[str], steps: list[str], width: int, label: int, *, items: bool) -> list[str]:
    lines = []
    if items:
        names = dict.fromkeys(name for side in deal.items.values() for name in side)
        for name in names:
            figures = [deal.items.get(side, {}).get(name, 0) for side in sides]
            row = "".join(f"{figure or '':>{width}}{'':>{width}}" for figure in figures)
            lines.append(f"  {name:<{label - 2}}{row}".rstrip())
    row = "".join(f"{deal.scored.get(s, '—'):>{width}}{deal.totals.get(s, '—'):>{width}}" for s in sides)
    after = "".join(
        f"   {' '.join(f'{s} {deal.steps[name][s]}' for s in sides if s in deal.steps[name])}"
        for name in steps
        if name in deal.steps
    )
    number = f"{deal.number}*" if any(side not in deal.scored for side in deal.totals) else f"{deal.number}"
    return [*lines, f"{number:<{label}}{row}{after}".rstrip()]
