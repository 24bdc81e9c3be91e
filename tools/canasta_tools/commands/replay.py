"""`canasta replay`: go through a record turn by turn."""

import sys
from collections.abc import Iterator

import click

from canasta.diagnostics import Diagnostic, Severity
from canasta.kernel.state import Stack, State
from canasta.language.ruleset import Form, Owner
from canasta.notation.position_text import write_position
from canasta.notation.record import Record, Turn
from canasta.notation.writer import write_actions
from canasta.playing.claims import members_of
from canasta.playing.positions import of_state
from canasta.playing.report import DealReport, MatchReport, TurnReport
from canasta.playing.seats import Seats, seats_of
from canasta.rendering import to_json
from canasta_tools.inputs import Kind, gather, nothing_in, only
from canasta_tools.output import Colour, Format, code_of, fail, in_colour, paint, write, write_json
from canasta_tools.parameters import rules_option, shape_of, shape_options
from canasta_tools.records import game_of, one_record, replayed, to_look_at
from canasta_tools.score_sheet import outcome, score_data
from canasta_tools.show import Drawing

SCHEMA = "canasta-replay/1"
_SIGNS = {Severity.ERROR: ("✗", "31"), Severity.WARNING: ("!", "33"), Severity.NOTE: ("·", "36")}


@click.command("replay", short_help="Go through a record turn by turn.")
@click.argument("path", metavar="FILE", type=click.Path())
@shape_options([Format.TEXT, Format.JSON, Format.JSONL])
@rules_option("Judge by this rule set, whatever the record names.")
@click.option("--match", type=click.IntRange(1), default=1, metavar="N", help="Which record of the file, from 1.")
@click.option("--deal", type=click.IntRange(1), metavar="N", help="Only this deal.")
@click.option("--show", "draw", is_flag=True, help="Draw the table after each turn.")
@click.option("--step", is_flag=True, help="Wait for a key after each turn.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    path: str,
    shape: str,
    as_json: bool,
    colour: str,
    rules: str | None,
    match: int,
    deal: int | None,
    draw: bool,
    step: bool,
) -> int:
    """Go through a record turn by turn: what was done, how many cards lie where afterwards, what was not in order."""
    (found,) = list(gather([path]))[:1]
    source = only(frozenset({Kind.RECORD, Kind.RECORD_JSON}), found, "canasta replay")
    if isinstance(source, Diagnostic):
        return fail([source], Colour(colour))
    record, misfits = one_record(source, match, rules)
    report = replayed(record, rules)
    chosen = [d for d in report.deals if deal in (None, d.number)]
    if not report.deals:
        return fail([nothing_in(source)], Colour(colour))
    if not chosen:
        numbers = ", ".join(str(d.number) for d in report.deals) or "none"
        return fail(
            [Diagnostic("US0014", f"{source.name} has no deal {deal}", None, f"its deals: {numbers}")], Colour(colour)
        )
    wanted = shape_of(shape, as_json=as_json)
    of_all = {f for d in report.deals for f in d.findings}
    apart = [*misfits, *(f for f in report.findings if f not in of_all and f not in misfits)]
    if wanted is Format.JSON:
        write_json(
            {
                "schema": SCHEMA,
                **score_data(report),
                "findings": to_json(apart),
                "deals": [_deal_data(report, d) for d in chosen],
            }
        )
    elif wanted is Format.JSONL:
        for one in chosen:
            for data in _turns_data(report, one):
                write_json({"deal": one.number, **data}, lean=True)
        if apart:
            to_look_at(source, apart, report)
    else:
        told = _Telling(record, report, in_colour(Colour(colour), sys.stdout), draw=draw, step=step)
        for one in chosen:
            told.deal(one)
        for finding in apart:
            told.finding(finding)
        write(outcome(report))
    of_deals = [f for d in chosen for f in d.findings]
    return code_of(of_deals if deal is not None else [*report.findings, *misfits])


class _Telling:
    """Tells a match to a person."""

    def __init__(self, record: Record, report: MatchReport, colour: bool, *, draw: bool, step: bool) -> None:  # noqa: FBT001 - as asked for
        """Take what is to be told and how."""
        self.record, self.report, self.colour, self.draw, self.step = record, report, colour, draw, step
        self.players = {tag.name: tag.value for tag in record.tags if tag.name in record.seats}

    def deal(self, one: DealReport) -> None:
        """Tell one deal."""
        head = f"Deal {one.number}" + (f" · dealer {one.dealer}" if one.dealer else "") + f" · {one.depth.value}"
        write(paint(head, "1", colour=self.colour))
        if one.start is not None:
            out = [name for seat, name in enumerate(self._seats(one.start).names) if seat not in one.start.playing]
            if out:
                write(f"      {' and '.join(out)} sit{'s' if len(out) == 1 else ''} this deal out")
        told: set[Diagnostic] = set()
        for number, turn in enumerate(one.turns, 1):
            self._turn(number, turn)
            told.update(turn.findings)
            if self.step:
                click.pause("")
        for finding in one.findings:
            if finding not in told:
                self.finding(finding)
        if one.reason:
            write(f"  ended: {one.reason}")
        for side, items in one.items.items():
            figures = " ".join(f"{name} {points}" for name, points in items.items()) or "nothing"
            write(
                f"  {side}: {figures} = {one.scored.get(side, sum(items.values()))}, total {one.totals.get(side, '?')}"
            )
        write("\n")

    def _turn(self, number: int, turn: TurnReport) -> None:
        text = f"{turn.turn.seat}  {write_actions(turn.turn.actions)}"
        write(f"{number:>4}  {text:<46} {paint(self._sizes(turn.after), '2', colour=self.colour)}".rstrip())
        for side in turn.after.sides:
            if members_of(turn.before, side) != (members := members_of(turn.after, side)):
                names = self._seats(turn.after).names
                write(f"      {' and '.join(names[seat] for seat in members)} are one side from now on")
        for finding in turn.findings:
            self.finding(finding)
        if self.draw:
            game = game_of(self.report, turn.after)
            drawing = Drawing(game, None, self.players, colour=self.colour, seat_names=self.record.seats)
            write(f"\n{drawing.draw(turn.after)}\n\n")

    def _seats(self, state: State) -> Seats:
        return seats_of(game_of(self.report, state).ruleset.table, self.record.seats)

    def finding(self, finding: Diagnostic) -> None:
        """Tell a finding in a line; `canasta check` tells it in full."""
        sign, shade = _SIGNS[finding.severity]
        told = finding.message.partition(": ")[0] if finding.code else finding.message
        about = f" [{finding.clause}]" if finding.clause else ""
        write(f"      {paint(f'{sign} {finding.code or finding.id}', shade, colour=self.colour)} {told}{about}")

    def _sizes(self, state: State) -> str:
        """Say how many cards lie in the hands and in the stacks of the table."""
        game = game_of(self.report, state)
        hands = [str(sum(hand)) for hand in state.zone(game.machine.hand)]
        stacks = [
            f"{zone.name} {len(content.cards)}"
            for zone in game.ruleset.zones.values()
            if zone.of is Owner.TABLE
            and zone.form is Form.STACK
            and isinstance(content := state.zone(zone.index), Stack)
        ]
        return f"hands {' '.join(hands)}, {', '.join(stacks)}"


def _deal_data(report: MatchReport, one: DealReport) -> dict[str, object]:
    return {
        "number": one.number, "depth": one.depth.value, "dealer": one.dealer, "reason": one.reason,
        "turns": list(_turns_data(report, one)), "items": one.items, "scored": one.scored, "totals": one.totals,
        "findings": to_json(one.findings),
    }  # fmt: skip


def _turns_data(report: MatchReport, one: DealReport) -> Iterator[dict[str, object]]:
    for number, turn in enumerate(one.turns, 1):
        after = of_state(game_of(report, turn.after), turn.after)
        yield {
            "turn": number, "seat": turn.turn.seat, "text": _text(turn.turn), "after": write_position(after),
            "findings": to_json(turn.findings),
        }  # fmt: skip


def _text(turn: Turn) -> str:
    return write_actions(turn.actions)
