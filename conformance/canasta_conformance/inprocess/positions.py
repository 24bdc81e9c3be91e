"""Positions of messages as states of the reference, and back."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Group, Stack, State
from canasta.language.ruleset import Form, Owner, Variable
from canasta.language.types import BAG, BOOL, SEAT
from canasta.notation.cards import CardFault, read_cards
from canasta.notation.position_text import Field, Position, Value
from canasta.playing.describing import NO_SHAPE
from canasta.playing.positions import to_state as state_of
from canasta.playing.seats import Seats, seats_of

Data = dict[str, Any]

NO_CARDS: Final = "?0"


def to_state(game: Game, position: Mapping[str, Any], *, as_it_lies: bool = False) -> State:
    """Set a position of a message up; with ``as_it_lies`` also one with melds of a shape that the rules do not know.

    Raises:
        PositionError: with everything that is wrong with it.
    """
    zones = [_field(name, _runs(cards)) for name, cards in position.get("zones", {}).items()]
    if as_it_lies:
        zones = [_with_marks(game, zone) for zone in zones]
    values = (_field(name, _words(name, value)) for name, value in position.get("values", {}).items())
    return state_of(game, Position(position["seat"], position["phase"], (*zones, *values)))


def _with_marks(game: Game, zone: Field) -> Field:
    """Mark the melds of a zone that have no shape."""
    known = game.ruleset.zones.get(zone.place)
    if known is None or known.form is not Form.GROUPS:
        return zone
    return Field(
        zone.place, zone.owner, tuple(value if _shaped(game, value) else _unshaped(value) for value in zone.values)
    )


def _shaped(game: Game, meld: Value) -> bool:
    """Ask whether cards make a meld of some shape; what cannot be read is told as that elsewhere."""
    cards = read_cards(meld.text)
    if isinstance(cards, CardFault) or meld.text == NO_CARDS:
        return True
    kinds = [game.deck.find(card.rank, card.suit) for card in cards]
    return game.machine.shapes.settle(Group(0, NOBODY, 0, game.deck.bag(kinds))).shape != NOBODY


def _unshaped(meld: Value) -> Value:
    return Value(f"{meld.text}:{NO_SHAPE}")


def _field(name: str, texts: Iterable[str]) -> Field:
    place, _, owner = name.partition(".")
    return Field(place, owner, tuple(Value(text) for text in texts))


def _runs(cards: list[Any]) -> list[str]:
    if cards and isinstance(cards[0], list):
        return ["".join(meld) for meld in cards]
    return [",".join(cards)] if cards else [NO_CARDS]


def _words(name: str, value: object) -> list[str]:
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, list):
        return [str(v) for v in value] if name == "sides" else [",".join(str(v) for v in value) or NO_CARDS]
    return [str(value)]


def observed(game: Game, state: State, seat: str | None = None) -> Data:
    """Show how things lie: everything, or what one seat may see."""
    return _Showing(game, seats_of(game.ruleset.table), state).all(seat)


class _Showing:
    """The work of showing one state."""

    def __init__(self, game: Game, seats: Seats, state: State) -> None:
        self.game, self.seats, self.state = game, seats, state
        # A side that has become part of another one has no name, and is not shown.
        parties = tuple(
            self._party(side) if side in state.sides else "" for side in range(len(seats.owners(Owner.SIDE)))
        )
        self._owners = {Owner.TABLE: (), Owner.SEAT: seats.owners(Owner.SEAT), Owner.SIDE: parties}

    def all(self, seat: str | None) -> Data:
        """Show zones and values."""
        zones = self._zones() if seat is None else self._seen(self.seats.seat(seat))
        phase = self.game.machine.phases[self.state.phase].name
        told: Data = {"seat": self.seats.names[self.state.seat], "phase": phase, "zones": zones}
        return told | {"values": self._values()}

    def _name(self, name: str, of: Owner, owner: int) -> str:
        owners = self._owners[of]
        return f"{name}.{owners[owner]}" if owners else name

    def _party(self, side: int) -> str:
        """Name a side; one whose partners were found in mid-deal by the first of its seats, whoever joined whom."""
        members = [seat for seat, its in enumerate(self.state.side_of) if its == side]
        if sorted(members) == sorted(self.game.ruleset.table.sides[side]):
            return self.seats.sides[side]
        return self.seats.names[members[0]]

    def _gone(self, of: Owner, owner: int) -> bool:
        """Ask whether an owner is a side that has become part of another one."""
        return of is Owner.SIDE and owner not in self.state.sides

    def _zones(self) -> Data:
        found: Data = {}
        for zone in self.game.ruleset.zones.values():
            content = self.state.zone(zone.index)
            for owner, place in enumerate([content] if zone.of is Owner.TABLE else content):
                if self._gone(zone.of, owner):
                    continue
                name = self._name(zone.name, zone.of, owner)
                if zone.form is Form.GROUPS:
                    found[name] = [self._cards(listed(group.cards)) for group in place]
                else:
                    found[name] = self._cards(place.cards if isinstance(place, Stack) else listed(place))
        return found

    def _seen(self, seat: int | None) -> Data:
        found: Data = {}
        of = {zone.name: zone.of for zone in self.game.ruleset.zones.values()}
        for name, owner, lot in self.game.observe(self.state, seat).zones:
            if self._gone(of[name], owner):
                continue
            place = self._name(name, of[name], owner)
            if isinstance(lot, tuple):
                found[place] = [self._cards(group[2:]) for group in lot]
            else:
                found[place] = ["?"] * (lot.size - len(lot.cards)) + self._cards(lot.cards)
        return found

    def _cards(self, kinds: Iterable[int]) -> list[str]:
        return [self.game.deck.name(kind) for kind in kinds]

    def _values(self) -> Data:
        state = self.state
        found: Data = {}
        for variable in self.game.ruleset.state.values():
            content = state.variable(variable.index)
            for owner, value in enumerate([content] if variable.of is Owner.TABLE else content):
                if not self._gone(variable.of, owner):
                    found[self._name(variable.name, variable.of, owner)] = self._value(variable, value)
        found |= {"dealer": self.seats.names[state.dealer], "deal_no": state.deal_no}
        sides = [self._members(side) for side in state.sides]
        return found | {"sides": sides} | ({"reason": state.reason} if state.over else {})

    def _members(self, side: int) -> str:
        return self.seats.party([seat for seat, its in enumerate(self.state.side_of) if its == side])

    def _value(self, variable: Variable, value: Any) -> object:  # noqa: ANN401 - a number or a bag, as the variable has it
        if variable.type == BAG:
            return self._cards(listed(value))
        if variable.type.words:
            return variable.type.words[value]
        if variable.type == BOOL:
            return bool(value)
        return self.seats.written(value) if variable.type == SEAT else int(value)
