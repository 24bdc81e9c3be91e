"""From a state of a game to the position that describes it: only what is otherwise than a position has it anyway."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import Span
from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.language.kinds import every_expression
from canasta.language.ruleset import Form, Owner, Ruleset, Variable, Zone
from canasta.language.types import BAG, BOOL, SEAT, Op
from canasta.notation.cards import UNKNOWN
from canasta.notation.position_text import Field, Position, Value
from canasta.playing.cards import CardNames, card_names
from canasta.playing.laying import Laying
from canasta.playing.seats import Seats, seats_of

NO_CARDS: Final = "?0"
NO_SHAPE: Final = "none"


def of_state(game: Game, state: State, seats: Seats | None = None) -> Position:
    """Describe a state so that setting the position up gives one that is judged and played alike.

    Empty zones and values that a position has anyway are left out.
    """
    return _Writing(game, seats or seats_of(game.ruleset.table)).position(state)


def of_place(game: Game, state: State, place: Field, seats: Seats | None = None) -> Field:
    """Describe one place of a state, named by a field; it is described even where it has the value it has anyway."""
    names = seats or seats_of(game.ruleset.table)
    return _Writing(game, names).place(state, place.place, place.owner)


def of_everything(game: Game, state: State, seats: Seats | None = None) -> tuple[Field, ...]:
    """Describe every zone and every variable of every owner, also where they have what they have anyway."""
    writing = _Writing(game, seats or seats_of(game.ruleset.table))
    places: list[Zone | Variable] = [*game.ruleset.zones.values(), *game.ruleset.state.values()]
    return tuple(
        writing.place(state, place.name, owner) for place in places for owner in writing.seats.owners(place.of) or ("",)
    )


@dataclass(slots=True)
class _Writing:
    """The work of describing states of one game."""

    game: Game
    seats: Seats
    names: CardNames = field(init=False)
    turns_matter: bool = field(init=False)

    def __post_init__(self) -> None:
        self.names = card_names(self.game.ruleset, self.game.deck)
        self.turns_matter = reads_old_turns(self.game.ruleset)

    def position(self, state: State) -> Position:
        """Describe a state as it lies, with what was laid in the turn under way."""
        rules = self.game.ruleset
        fields = [self._zone(state, zone, i) for zone in rules.zones.values() for i in self._owners(zone.of)]
        fields += [self._variable(state, v, i) for v in rules.state.values() for i in self._owners(v.of)]
        fields += [_field(name, "", text.split()) for name, text, needed in self._every_word(state) if needed]
        fields += Laying(self.game, self.names, self.seats, _nobody).fields(state)
        phase = self.game.machine.phases[state.phase].name
        return Position(self.seats.names[state.seat], phase, tuple(f for f in fields if f is not None))

    def place(self, state: State, name: str, owner: str) -> Field:
        """Describe one place, whatever it holds."""
        rules = self.game.ruleset
        found: Field | None = None
        if name in rules.zones:
            zone = rules.zones[name]
            found = self._zone(state, zone, self.seats.owner(zone.of, owner) or 0) or _field(name, owner, [NO_CARDS])
        elif name in rules.state:
            variable = rules.state[name]
            found = self._value(state, variable, self.seats.owner(variable.of, owner) or 0)
        else:
            found = next((_field(n, "", text.split()) for n, text, _ in self._every_word(state) if n == name), None)
        return found or _field(name, owner, ["none"])

    def _owners(self, of: Owner) -> range:
        return range(max(1, len(self.seats.owners(of))))

    def _owner(self, of: Owner, owner: int) -> str:
        names = self.seats.owners(of)
        return names[owner] if names else ""

    def _every_word(self, state: State) -> list[tuple[str, str, bool]]:
        """List the words that every game has: name, text, and whether it is other than a position has it anyway."""
        table = self.game.ruleset.table
        changed = state.sides != list(range(len(table.sides))) or any(
            state.side_of[s] != i for i, side in enumerate(table.sides) for s in side
        )
        return [
            ("dealer", self.seats.names[state.dealer], state.dealer != table.seats - 1),
            ("deal_no", str(state.deal_no), state.deal_no != 1),
            ("turn_no", str(state.turn_no), state.turn_no != table.seats + 1),
            ("turn_seat", self.seats.names[state.turn_seat], state.turn_seat != state.seat),
            ("sides", " ".join(self._party(state, i) for i in state.sides), changed),
            ("reason", state.reason or "none", state.over),
        ]

    def _party(self, state: State, side: int) -> str:
        """Name a side by its seats, first one of those that it had from the beginning."""
        own = self.game.ruleset.table.sides[side]
        members = [s for s, i in enumerate(state.side_of) if i == side]
        return self.seats.party(sorted(members, key=lambda s: s not in own))

    def _zone(self, state: State, zone: Zone, owner: int) -> Field | None:
        content = state.zone(zone.index)
        place = content if zone.of is Owner.TABLE else content[owner]
        if zone.form is Form.GROUPS:
            texts = [self._group(state, g) for g in place]
        elif isinstance(place, Stack):
            texts = self._runs(place.cards)
        else:
            texts = self._runs(listed(place))
        return _field(zone.name, self._owner(zone.of, owner), texts) if texts else None

    def _runs(self, kinds: list[int]) -> list[str]:
        """Write cards in one run, unknown ones in a row as one word of their own."""
        texts: list[str] = []
        for kind in kinds:
            card = self.names.card(kind)
            if card == UNKNOWN:
                if texts and texts[-1][0] == "?":
                    texts[-1] = f"?{int(texts[-1][1:]) + 1}"
                else:
                    texts.append("?1")
            elif texts and texts[-1][0] != "?":
                texts[-1] += str(card)
            else:
                texts.append(str(card))
        return texts

    def _group(self, state: State, group: Group) -> str:
        rules, deck = self.game.ruleset, self.game.deck
        run = "".join(str(self.names.card(k)) for k in listed(group.cards))
        flags = [f"@{group.turn}"] if group.turn and (group.turn == state.turn_no or self.turns_matter) else []
        flags += [rules.marks[m] for m in group.marks]
        twin = self.game.machine.shapes.settle(Group(0, -1, 0, deck.bag(listed(group.cards))))
        if group.shape < 0:
            flags.append(NO_SHAPE)
        elif twin.shape != group.shape:
            flags.append(next(n for n, s in rules.shapes.items() if s.index == group.shape))
        return ":".join([run, *flags])

    def _variable(self, state: State, variable: Variable, owner: int) -> Field | None:
        content = state.variable(variable.index)
        value = content if variable.of is Owner.TABLE else content[owner]
        bag = variable.type == BAG
        return None if (not any(value) if bag else value == variable.start) else self._value(state, variable, owner)

    def _value(self, state: State, variable: Variable, owner: int) -> Field:
        content = state.variable(variable.index)
        value = content if variable.of is Owner.TABLE else content[owner]
        name = self._owner(variable.of, owner)
        if variable.type == BAG:
            return _field(variable.name, name, self._runs(listed(value)) or [NO_CARDS])
        if variable.type.words:
            return _field(variable.name, name, [variable.type.words[value]])
        if variable.type == BOOL:
            return _field(variable.name, name, [] if value else ["no"])
        text = self.seats.written(value) if variable.type == SEAT else str(value)
        return _field(variable.name, name, [text])


def reads_old_turns(ruleset: Ruleset) -> bool:
    """Ask whether a rule looks at the turn in which a group was begun otherwise than to ask whether it is this turn."""
    asked = compared = 0
    for expr in every_expression(ruleset):
        asked += expr.op is Op.GROUP_ATTR and expr.ref == "turn"
        words = {(a.op, a.ref) for a in expr.args}
        compared += expr.op in (Op.EQ, Op.NE) and words == {(Op.GROUP_ATTR, "turn"), (Op.CONTEXT, "turn_no")}
    return asked > compared


def _nobody(_id: str, _message: str, _span: Span | None, _hint: str) -> None:
    """Writing finds no fault."""


def _field(place: str, owner: str, texts: Iterable[str]) -> Field:
    return Field(place, owner, tuple(Value(t) for t in texts))
