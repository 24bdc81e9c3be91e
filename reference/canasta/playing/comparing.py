"""How a state differs from what a position says of it: only the places that the position names are compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.language.ruleset import Form, Owner, Zone
from canasta.notation.position_text import Field, Position
from canasta.playing.positions import of_place, read_fields
from canasta.playing.seats import Seats, seats_of


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a state is not as expected, both written as a position writes them."""

    place: str
    expected: str
    found: str


def differences(game: Game, state: State, expected: Position, seats: Seats | None = None) -> tuple[Difference, ...]:
    """Compare a state with a position. An unknown card in what is expected stands for any card.

    Raises:
        PositionError: when the position cannot be read.
    """
    return tuple(_differences(game, state, expected, seats or seats_of(game.ruleset.table)))


def _differences(game: Game, state: State, expected: Position, seats: Seats) -> Iterator[Difference]:
    wanted = read_fields(game, expected, seats)
    if expected.seat:
        told = f"{expected.seat} at {expected.phase}"
        found = f"{seats.names[state.seat]} at {game.machine.phases[state.phase].name}"
        if told != found or state.over:
            yield Difference("to act", told, f"the deal is over: {state.reason}" if state.over else found)
    for one in expected:
        zone = game.ruleset.zones.get(one.place)
        if zone is not None:
            same = _same_zone(zone, _content(zone, state, one, seats), _content(zone, wanted, one, seats))
        else:
            same = of_place(game, state, one, seats) == of_place(game, wanted, one, seats)
        if not same:
            yield Difference(_name(one), _texts(one), _texts(of_place(game, state, one, seats)))


def _content(zone: Zone, state: State, one: Field, seats: Seats) -> Any:  # noqa: ANN401 - what the zone holds
    content = state.zone(zone.index)
    return content if zone.of is Owner.TABLE else content[seats.owner(zone.of, one.owner) or 0]


def _same_zone(zone: Zone, found: Any, wanted: Any) -> bool:  # noqa: ANN401 - what the zone holds
    if zone.form is Form.STACK:
        return _same_stack(found, wanted)
    if zone.form is Form.GROUPS:
        return _same_groups(found, wanted)
    return sum(found) == sum(wanted) and all(w <= f for f, w in zip(found[:-1], wanted[:-1], strict=True))


def _same_stack(found: Stack, wanted: Stack) -> bool:
    unknown = len(found.counts) - 1
    pairs = zip(found.cards, wanted.cards, strict=False)
    return len(found.cards) == len(wanted.cards) and all(w in (f, unknown) for f, w in pairs)


def _same_groups(found: list[Group], wanted: list[Group]) -> bool:
    left = list(found)
    for group in wanted:
        twin = next((g for g in left if g.cards == group.cards and set(group.marks) <= set(g.marks)), None)
        if twin is None:
            return False
        left.remove(twin)
    return not left


def _name(one: Field) -> str:
    return f"{one.place}.{one.owner}" if one.owner else one.place


def _texts(one: Field) -> str:
    """Write what stands in a field, without its name."""
    return " ".join(one.texts) or "yes"
