"""How a state differs from what a position says of it: only the places that the position names are compared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from canasta.kernel.game import Game
from canasta.kernel.state import Group, State
from canasta.language.ruleset import Form, Owner, Zone
from canasta.notation.cards import Card, CardFault, read_cards
from canasta.notation.position_text import Field, Position
from canasta.playing.cards import CardNames, card_names
from canasta.playing.describing import NO_CARDS
from canasta.playing.positions import REST, of_place, read_fields
from canasta.playing.seats import Seats, seats_of


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a state is not as expected, both written as a position writes them."""

    place: str
    expected: str
    found: str


def differences(game: Game, state: State, expected: Position, seats: Seats | None = None) -> tuple[Difference, ...]:
    """Compare a state with a position. An unknown card in what is expected stands for any card, one without a suit for any of its rank.

    Raises:
        PositionError: when the position cannot be read.
    """
    return tuple(_differences(game, state, expected, seats or seats_of(game.ruleset.table)))


def _differences(game: Game, state: State, expected: Position, seats: Seats) -> Iterator[Difference]:
    wanted = read_fields(game, expected, seats)
    names = card_names(game.ruleset, game.deck)
    if expected.seat:
        told = f"{expected.seat} at {expected.phase}"
        found = f"{seats.names[state.seat]} at {game.machine.phases[state.phase].name}"
        if told != found or state.over:
            yield Difference("to act", told, f"the deal is over: {state.reason}" if state.over else found)
    for one in expected:
        zone = game.ruleset.zones.get(one.place)
        if zone is None:
            same = of_place(game, state, one, seats) == of_place(game, wanted, one, seats)
        elif zone.form is Form.GROUPS:
            same = _same_groups(names, _content(zone, state, one, seats), _content(zone, wanted, one, seats), one)
        elif zone.form is Form.STACK:
            same = _same_stack(names, _content(zone, state, one, seats).cards, _written(one))
        else:
            same = _same_bag(names, _content(zone, state, one, seats), _written(one))
        if not same:
            yield Difference(_name(one), _texts(one), _texts(of_place(game, state, one, seats)))


def _content(zone: Zone, state: State, one: Field, seats: Seats) -> Any:  # noqa: ANN401 - what the zone holds
    content = state.zone(zone.index)
    return content if zone.of is Owner.TABLE else content[seats.owner(zone.of, one.owner) or 0]


def _written(one: Field) -> list[Card]:
    """List the cards that a field names, which has been read before."""
    return [card for value in one.values for card in _cards_of(value.text)]


def _cards_of(run: str) -> tuple[Card, ...]:
    cards = () if run in (REST, NO_CARDS) else read_cards(run)
    return () if isinstance(cards, CardFault) else cards


def _same_bag(names: CardNames, found: list[int], wanted: Sequence[Card]) -> bool:
    """Match written cards with those of a bag: the more a card says the earlier it chooses, and the unknown come last."""
    left = found[:]
    for card in sorted(wanted, key=lambda c: (c.hidden, len(names.kinds(c)))):
        kinds = range(len(left)) if card.hidden else names.kinds(card)
        kind = next((k for k in kinds if left[k]), None)
        if kind is None:
            return False
        left[kind] -= 1
    return not any(left)


def _same_stack(names: CardNames, found: Sequence[int], wanted: Sequence[Card]) -> bool:
    pairs = zip(found, wanted, strict=False)
    return len(found) == len(wanted) and all(card.hidden or kind in names.kinds(card) for kind, card in pairs)


def _same_groups(names: CardNames, found: list[Group], wanted: list[Group], one: Field) -> bool:
    left = list(found)
    told = [_cards_of(value.text.partition(":")[0]) for value in one.values]
    pairs = [(cards, group) for cards, group in zip([c for c in told if c], wanted, strict=True)]
    for cards, group in sorted(pairs, key=lambda pair: sum(len(names.kinds(c)) for c in pair[0])):
        fitting = (g for g in left if _same_bag(names, g.cards, cards) and set(group.marks) <= set(g.marks))
        twin = next(fitting, None)
        if twin is None:
            return False
        left.remove(twin)
    return not left


def _name(one: Field) -> str:
    return f"{one.place}.{one.owner}" if one.owner else one.place


def _texts(one: Field) -> str:
    """Write what stands in a field, without its name."""
    return " ".join(one.texts) or "yes"
