"""`canasta show`: draw the table, so that a person can see it."""

import sys
from collections.abc import Iterable

import click

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.cards import Card
from canasta.notation.position_text import parse_position, position_to_json, write_position
from canasta.playing.positions import of_state
from canasta_tools.dispatch import UsageFault
from canasta_tools.inputs import Input, Kind, gather, nothing_in, only
from canasta_tools.output import Code, Colour, Format, fail, in_colour, say, write, write_json
from canasta_tools.parameters import rules_option, shape_of, shape_options
from canasta_tools.positions import COMMAND_LINE, cards_of, looks_like_a_position, read_position
from canasta_tools.records import game_of, one_record, replayed, to_look_at
from canasta_tools.show import Drawing


@click.command("show", short_help="Draw the table, so that a person can see it.")
@click.argument("what", metavar="FILE|POSITION")
@shape_options([Format.TEXT, Format.JSON])
@rules_option("The rule set of a position, or instead of the one that a record names.")
@click.option("--match", type=click.IntRange(1), default=1, metavar="N", help="Which record of the file, from 1.")
@click.option("--deal", type=click.IntRange(1), metavar="N", help="Which deal; without it the last.")
@click.option(
    "--turn",
    type=click.IntRange(0),
    metavar="M",
    help="After which turn of the deal, 0 before the first; without it the last.",
)
@click.option("--seat", metavar="SEAT", help="Draw only what this seat can see.")
@click.option("--ascii", "plain", is_flag=True, help="Use plain letters for suits and frames.")
@click.option("--position", "as_position", is_flag=True, help="Write the position as one line of text instead.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    what: str,
    shape: str,
    as_json: bool,
    colour: str,
    rules: str | None,
    match: int,
    deal: int | None,
    turn: int | None,
    seat: str | None,
    plain: bool,
    as_position: bool,
) -> int:
    """Draw the table: of a position such as "N at play; hand.N KK459; stock ?30", or of a record after a turn.

    Cards that nobody wrote down are counted, not invented.
    """
    if looks_like_a_position(what):
        game, state = read_position(what, rules or "classic")
        players: dict[str, str] = {}
        names: tuple[str, ...] = ()
        written, _ = parse_position(what, COMMAND_LINE)
        suits = written is not None and _any_suit(cards_of(written))
    else:
        (found,) = gather([what])
        source = only(frozenset({Kind.RECORD, Kind.RECORD_JSON, Kind.POSITIONS}), found, "canasta show")
        if isinstance(source, Diagnostic):
            return fail([source], Colour(colour))
        game, state, players, names, suits = _from_file(source, rules, match, deal, turn)
    position = of_state(game, state)
    if shape_of(shape, as_json=as_json) is Format.JSON:
        write_json(position_to_json(position))
    elif as_position:
        write(write_position(position))
    else:
        drawing = Drawing(game, None, players, plain, in_colour(Colour(colour), sys.stdout), names)
        drawing.viewer = _viewer(drawing, seat)
        write(drawing.draw(state))
        if suits and not game.deck.by_face:
            say("suits are not drawn: some cards were written without theirs")
    return Code.CLEAN


def _viewer(drawing: Drawing, seat: str | None) -> int | None:
    if seat is None:
        return None
    found = drawing.seats.seat(seat.upper())
    if found is None:
        raise UsageFault("US0014", f"there is no seat {seat}", f"seats are {' '.join(drawing.seats.names)}")
    return found


def _from_file(
    source: Input, rules: str | None, match: int, deal: int | None, turn: int | None
) -> tuple[Game, State, dict[str, str], tuple[str, ...], bool]:
    """Find the state that is meant in a file of records or positions."""
    if source.kind is Kind.POSITIONS:
        lines = [line for line in source.text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
        if not 1 <= match <= len(lines):
            raise UsageFault(
                "US0014", f"{source.name} has {len(lines)} positions", f"--match N goes from 1 to {len(lines)}"
            )
        game, state = read_position(lines[match - 1], rules or "classic", source.name)
        return game, state, {}, (), False
    record, misfits = one_record(source, match, rules)
    report = replayed(record, rules)
    deals = [d for d in report.deals if d.start is not None and (deal is None or d.number == deal)]
    if not report.deals:
        raise CanastaError([nothing_in(source)])
    if not deals:
        hint = (
            "only the pad or the melds of it were written down"
            if deal is None
            else "see `canasta replay` for its deals"
        )
        raise UsageFault("US0014", f"{source.name} has no deal{f' {deal}' if deal else ''} that can be shown", hint)
    chosen = deals[-1]
    turns = chosen.turns
    if turn is not None and turn > len(turns):
        raise UsageFault(
            "US0014", f"deal {chosen.number} has {len(turns)} turns", f"--turn M goes from 0 to {len(turns)}"
        )
    after = chosen.start if turn == 0 or not turns else turns[(turn or len(turns)) - 1].after
    if after is None:
        raise CanastaError([Diagnostic("US0014", f"deal {chosen.number} cannot be shown")])
    to_look_at(source, misfits, report)
    game = game_of(report, after)
    players = {tag.name: tag.value for tag in record.tags if tag.name in record.seats}
    cards = (
        card
        for line in record.deals[report.deals.index(chosen)].turns
        for action in line.actions
        for card in action.cards
    )
    return game, after, players, record.seats, _any_suit(cards)


def _any_suit(cards: Iterable[Card]) -> bool:
    """Ask whether any card was written with its suit."""
    return any(card.suit for card in cards)
