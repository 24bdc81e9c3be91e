"""From the text of a position to a state of a game, and back.

Fields are named by the zones and state variables of the rule set, and by the words under which rules read the rest:
``dealer``, ``deal_no``, ``turn_no``, ``turn_seat``, ``sides``, ``reason``, and for a turn under way ``parts`` (what was laid
in it and is settled) and ``laid`` (the play that is being composed). Cards in a stack stand from the bottom up.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Span
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.language.kinds import every_expression
from canasta.language.ruleset import Form, Owner, Ruleset, Variable, Zone
from canasta.language.types import BAG, BOOL, SEAT, Op
from canasta.notation.cards import INTERNATIONAL, UNKNOWN, Card, CardFault, read_cards
from canasta.notation.position_text import Field, Position, Value
from canasta.playing.cards import CardNames
from canasta.playing.laying import Laying
from canasta.playing.seats import Seats, seats_of

SETUP: Final = "setup"
REST: Final = "rest"
NO_CARDS: Final = "?0"
NO_SHAPE: Final = "none"
WORDS: Final = ("dealer", "deal_no", "turn_no", "turn_seat", "sides", "reason", "parts", "laid")


class PositionError(CanastaError):
    """A position that cannot be set up, with every fault that was found."""


def to_state(game: Game, position: Position, seats: Seats | None = None) -> State:
    """Set up the state that a position describes; ``X at setup`` deals from the stated stock, whose last card is on top.

    Raises:
        PositionError: PL0001 to PL0011 and the CN004x of card texts, all of them.
    """
    return _Reading(game, position, seats or seats_of(game.ruleset.table)).state()


@dataclass(slots=True)
class _Reading:
    """The work of setting one position up."""

    game: Game
    position: Position
    seats: Seats
    findings: Findings = field(default_factory=Findings)
    names: CardNames = field(init=False)
    mentioned: list[int] = field(init=False)
    placed: dict[int, Span | None] = field(default_factory=dict)
    rest: list[tuple[Field, Callable[[list[int]], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = CardNames(self.game.ruleset, self.game.deck)
        self.mentioned = self.game.deck.empty()

    def say(self, id_: str, message: str, span: Span | None, hint: str = "") -> None:
        """Note a fault."""
        self.findings.add(Diagnostic(id_, message, span or self.position.span, hint))

    # -- the whole ---------------------------------------------------------------------------------------------------

    def state(self) -> State:
        """Read every field; then see that no card is there too often; then lay what is being composed."""
        rules = self.game.ruleset
        if self.position.phase == SETUP and SETUP not in rules.phases:
            return self._set_up()
        last = rules.table.seats - 1
        state = self.game.turn.blank(last, 1, {})
        state.turn_no = rules.table.seats + 1
        self._mover(state)
        late = [f for f in self.position if f.place in ("parts", "laid") and not self._declared(f.place)]
        for one in self.position:
            if one not in late:
                self._field(state, one)
        self._fill_rest()
        self._count_cards()
        self.findings.raise_errors(PositionError)
        laying = {f.place: f for f in late}
        Laying(self.game, self.names, self.seats, self.say).read(state, laying.get("parts"), laying.get("laid"))
        self.findings.raise_errors(PositionError)
        return state

    def _declared(self, place: str) -> bool:
        return place in self.game.ruleset.zones or place in self.game.ruleset.state

    def _set_up(self) -> State:
        table = self.game.ruleset.table
        dealer = self.seats.seat(self.position.seat)
        order: list[int] = []
        for one in self.position:
            if one.place == "dealer":
                dealer = self._seat(one)
            elif one.place == table.order:
                order = self._stack_cards(one)
            else:
                hint = f"before the deal only dealer and {table.order} can be said"
                self.say("PL0001", f"{one.place} cannot be said before the cards are dealt", one.span, hint)
        if dealer is None:
            self.say("PL0008", f"there is no seat {self.position.seat}", self.position.span, self._known_seats())
        self._count_cards()
        if not self.findings.errors and len(order) != self.game.deck.total:
            hint = f"write ?{self.game.deck.total - len(order)} more cards" if len(order) < self.game.deck.total else ""
            found = self.position.find(table.order)
            span = found.span if found else self.position.span
            self.say("PL0010", f"the pack has {self.game.deck.total} cards, and here are {len(order)}", span, hint)
        self.findings.raise_errors(PositionError)
        return self.game.start(order[::-1], dealer or 0)

    def _mover(self, state: State) -> None:
        if not self.position.seat:
            return
        seat = self.seats.seat(self.position.seat)
        if seat is None:
            self.say("PL0008", f"there is no seat {self.position.seat}", self.position.span, self._known_seats())
        else:
            state.seat = state.turn_seat = seat
        phase = self.game.ruleset.phases.get(self.position.phase)
        if phase is None:
            hint = f"known: {', '.join([*self.game.ruleset.phases, SETUP])}"
            self.say("PL0007", f"there is no phase {self.position.phase}", self.position.span, hint)
        else:
            state.phase = phase.index

    def _known_seats(self) -> str:
        return f"seats are {' '.join(self.seats.names)}"

    def _field(self, state: State, one: Field) -> None:
        rules = self.game.ruleset
        if one.place in rules.zones:
            self._zone(state, one, rules.zones[one.place])
        elif one.place in rules.state:
            self._variable(state, one, rules.state[one.place])
        elif one.place in WORDS:
            self._word(state, one)
        else:
            known = [*rules.zones, *rules.state, *WORDS]
            close = get_close_matches(one.place, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
            self.say("PL0001", f"{rules.name} has no place {one.place}", one.span, hint)

    def _owner(self, one: Field, of: Owner) -> int | None:
        if of is Owner.TABLE:
            if one.owner:
                self.say("PL0002", f"{one.place} belongs to the table, not to {one.owner}", one.span, f"write {one.place}")
                return None
            return -1
        found = self.seats.owner(of, one.owner)
        if found is None:
            names = self.seats.owners(of)
            what = f"there is no {of} {one.owner}" if one.owner else f"whose {one.place} is not said"
            self.say("PL0002", what, one.span, f"write one of {', '.join(f'{one.place}.{n}' for n in names)}")
        return found

    # -- words that every game has -----------------------------------------------------------------------------------

    def _word(self, state: State, one: Field) -> None:
        if one.owner:
            self._owner(one, Owner.TABLE)
        match one.place:
            case "dealer" | "turn_seat":
                seat = self._seat(one)
                setattr(state, one.place, seat if seat is not None else 0)
            case "deal_no" | "turn_no":
                setattr(state, one.place, self._number(one))
            case "reason":
                state.over, state.reason = True, self._one_of(one, self.game.ruleset.reasons)
            case "sides":
                self._sides(state, one)

    def _sides(self, state: State, one: Field) -> None:
        state.sides = []
        seen: list[int] = []
        for value in one.values:
            members = self.seats.members(value.text)
            if not members or set(members) & set(seen):
                self.say("PL0003", f"{value.text} names no side", value.span, self._known_seats())
                return
            seen += members
            kept = next(i for i, s in enumerate(self.game.ruleset.table.sides) if members[0] in s)
            state.sides.append(kept)
            for seat in members:
                state.side_of[seat] = kept
        if len(seen) != self.game.ruleset.table.seats or len(set(state.sides)) != len(state.sides):
            self.say("PL0003", "these sides do not hold every seat once", one.span, self._known_seats())

    def _seat(self, one: Field) -> int | None:
        text = one.texts[0] if len(one.texts) == 1 else ""
        seat = self.seats.seat(text)
        if seat is None:
            self.say("PL0003", f"{one.place} names no seat", one.span, self._known_seats())
        return seat

    def _number(self, one: Field) -> int:
        text = one.texts[0] if len(one.texts) == 1 else ""
        digits = text[1:] if text[:1] in "+-" else text
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
            self.say("PL0003", f"{one.place} is a whole number", one.span, f"write {one.place} 7")
            return 0
        return int(text)

    def _one_of(self, one: Field, words: Iterable[str]) -> str:
        known = list(words)
        text = one.texts[0] if len(one.texts) == 1 else ""
        if text not in known:
            self.say("PL0003", f"{text or 'nothing'} is no word for {one.place}", one.span, f"known: {', '.join(known)}")
        return text

    # -- variables ---------------------------------------------------------------------------------------------------

    def _variable(self, state: State, one: Field, variable: Variable) -> None:
        owner = self._owner(one, variable.of)
        value = self.value(one, variable)
        if owner is None or value is None:
            return
        if variable.of is Owner.TABLE:
            setattr(state, f"v{variable.index}", value)
        else:
            state.variable(variable.index)[owner] = value

    def value(self, one: Field, variable: Variable) -> Any:  # noqa: ANN401 - a number or a bag, as the variable has it
        """Read the value of a variable; nothing when it cannot be read."""
        if variable.type.words:
            word = self._one_of(one, variable.type.words)
            return variable.type.words.index(word) if word in variable.type.words else None
        if variable.type == BOOL:
            return int((self._one_of(one, ("yes", "no")) if one.values else "yes") == "yes")
        if variable.type == SEAT:
            return self._seat(one)
        if variable.type == BAG:
            return self.game.deck.bag([k for v in one.values for k in self._cards(v)])
        return self._number(one)

    # -- zones -------------------------------------------------------------------------------------------------------

    def _zone(self, state: State, one: Field, zone: Zone) -> None:
        owner = self._owner(one, zone.of)
        if owner is None:
            return
        content = state.zone(zone.index)
        place = content if zone.of is Owner.TABLE else content[owner]
        if zone.form is Form.GROUPS:
            for value in one.values:
                group = self._group(state, value)
                if group is not None:
                    place.append(group)
        elif zone.form is Form.STACK:
            for card in self._stack_cards(one):
                place.push(card)
        elif REST in one.texts and len(one.texts) == 1:
            self.rest.append((one, lambda cards: _add(place, cards)))
        else:
            for value in one.values:
                for card in self._cards(value, count=True):
                    place[card] += 1

    def _stack_cards(self, one: Field) -> list[int]:
        cards: list[int] = []
        for value in one.values:
            if value.text == REST:
                self.say("PL0009", "the order of a stack cannot be left to the rest", value.span, "write ?30 for thirty unknown cards")
            else:
                cards += self._cards(value, count=True)
        return cards

    def _cards(self, value: Value, *, count: bool = False) -> list[int]:
        """Read a run of cards as kinds; faults are noted and give no card."""
        if value.text == NO_CARDS:
            return []
        cards = read_cards(value.text, INTERNATIONAL.language)
        if isinstance(cards, CardFault):
            span = value.span
            if span is not None:
                at = span.column + cards.start
                span = Span(span.file, span.line, at, span.line, at + cards.length)
            self.say(cards.id, cards.message, span, cards.hint)
            return []
        kinds = [self._kind(c, value) for c in cards]
        found = [k for k in kinds if k is not None]
        if count:
            for kind in found:
                self.mentioned[kind] += 1
                self.placed[kind] = value.span
        return found

    def _kind(self, card: Card, value: Value) -> int | None:
        kinds = self.names.kinds(card)
        if len(kinds) == 1:
            return kinds[0]
        if kinds:
            choices = " or ".join(self.game.deck.name(k) for k in kinds)
            self.say("PL0004", f"{card} does not settle which card is meant", value.span, f"write {choices}")
        else:
            self.say("PL0004", f"there is no card {card} in this pack", value.span)
        return None

    def _group(self, state: State, value: Value) -> Group | None:
        """Read one group: its cards, then after colons the turn it was begun in (``@3``), its marks, its shape."""
        run, *flags = value.text.split(":")
        cards = self._cards(Value(run, value.span), count=True)
        if not cards:
            return None
        group = Group(state.next_gid, -1, 0, self.game.deck.bag(cards))
        state.next_gid += 1
        rules = self.game.ruleset
        marks: set[int] = set()
        for flag in flags:
            if flag[:1] == "@" and flag[1:].isdigit():
                group.turn = int(flag[1:])
            elif flag in rules.marks:
                marks.add(rules.marks.index(flag))
            elif flag in rules.shapes:
                group.shape = rules.shapes[flag].index
            elif flag != NO_SHAPE:
                known = [*rules.marks, *rules.shapes, "@3 for the turn it was begun in", NO_SHAPE]
                self.say("PL0006", f"{flag or 'nothing'} says nothing of a group", value.span, f"known: {', '.join(known)}")
        group.marks = tuple(sorted(marks))
        self.game.machine.shapes.settle(group)
        group.was, group.added = group.size, self.game.deck.empty()
        if group.shape < 0 and NO_SHAPE not in flags:
            hint = f"known: {', '.join(rules.shapes)}; if it lay so in spite of the rules, write {run}:{NO_SHAPE}"
            self.say("PL0006", f"{run} has none of the shapes of this rule set", value.span, hint)
        return group

    # -- the pack ----------------------------------------------------------------------------------------------------

    def _fill_rest(self) -> None:
        """Put the cards that nothing else mentions where the word ``rest`` stands; unknown ones where others are unknown."""
        for one, _ in self.rest[1:]:
            self.say("PL0009", "only one place can hold the rest", one.span, "write ?11 for eleven unknown cards")
        if self.rest and not self.findings.errors:
            deck = self.game.deck
            left = [n - m for n, m in zip(deck.full(), self.mentioned, strict=True)]
            unknown = self.mentioned[deck.size]
            cards = left[:-1] + [0] if not unknown else [0] * deck.size + [sum(left[:-1]) - unknown]
            self.rest[0][1]([max(0, n) for n in cards])

    def _count_cards(self) -> None:
        deck = self.game.deck
        for kind, copies in enumerate(deck.copies):
            if self.mentioned[kind] > copies:
                what = f"{self.mentioned[kind]} cards {deck.name(kind)} lie here, and the pack has {copies}"
                self.say("PL0005", what, self.placed.get(kind))
        if sum(self.mentioned) > deck.total:
            self.say("PL0005", f"{sum(self.mentioned)} cards lie here, and the pack has {deck.total}", self.position.span)


def _add(bag: list[int], cards: list[int]) -> None:
    for kind, n in enumerate(cards):
        bag[kind] += n


# -- and back --------------------------------------------------------------------------------------------------------


def of_state(game: Game, state: State, seats: Seats | None = None) -> Position:
    """Describe a state so that setting the position up gives one that is judged and played alike.

    Empty zones and values that a position has anyway are left out.
    """
    return _Writing(game, seats or seats_of(game.ruleset.table)).position(state)


@dataclass(slots=True)
class _Writing:
    """The work of describing states of one game."""

    game: Game
    seats: Seats
    names: CardNames = field(init=False)
    turns_matter: bool = field(init=False)

    def __post_init__(self) -> None:
        self.names = CardNames(self.game.ruleset, self.game.deck)
        self.turns_matter = reads_old_turns(self.game.ruleset)

    def position(self, state: State) -> Position:
        """Describe a state as it lies, with what was laid in the turn under way."""
        rules = self.game.ruleset
        fields = [self._zone(state, zone, i) for zone in rules.zones.values() for i in self._owners(zone.of)]
        fields += [self._variable(state, v, i) for v in rules.state.values() for i in self._owners(v.of)]
        fields += self._words(state)
        fields += Laying(self.game, self.names, self.seats, _nobody).fields(state)
        phase = self.game.machine.phases[state.phase].name
        return Position(self.seats.names[state.seat], phase, tuple(f for f in fields if f is not None))

    def _owners(self, of: Owner) -> range:
        return range(max(1, len(self.seats.owners(of))))

    def _owner(self, of: Owner, owner: int) -> str:
        names = self.seats.owners(of)
        return names[owner] if names else ""

    def _words(self, state: State) -> list[Field | None]:
        table = self.game.ruleset.table
        sides = [[s, *(x for x in range(table.seats) if state.side_of[x] == i and x != s)] for i in state.sides for s in [self._first(state, i)]]
        changed = state.sides != list(range(len(table.sides))) or any(
            state.side_of[s] != i for i, side in enumerate(table.sides) for s in side
        )
        said = (
            ("dealer", self.seats.names[state.dealer], state.dealer != table.seats - 1),
            ("deal_no", str(state.deal_no), state.deal_no != 1),
            ("turn_no", str(state.turn_no), state.turn_no != table.seats + 1),
            ("turn_seat", self.seats.names[state.turn_seat], state.turn_seat != state.seat),
            ("sides", " ".join(self.seats.party(s) for s in sides), changed),
            ("reason", state.reason, state.over),
        )
        return [_field(name, "", text.split()) for name, text, needed in said if needed]

    def _first(self, state: State, side: int) -> int:
        own = self.game.ruleset.table.sides[side]
        return next((s for s in own if state.side_of[s] == side), own[0])

    def _zone(self, state: State, zone: Zone, owner: int) -> Field | None:
        content = state.zone(zone.index)
        place = content if zone.of is Owner.TABLE else content[owner]
        if zone.form is Form.GROUPS:
            texts = [self._group(state, g) for g in place]
        elif isinstance(place, Stack):
            texts = self._runs(place.cards)
        else:
            texts = self._runs([k for k, n in enumerate(place) for _ in range(n)])
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
        run = "".join(str(self.names.card(k)) for k, n in enumerate(group.cards) for _ in range(n))
        flags = [f"@{group.turn}"] if group.turn and (group.turn == state.turn_no or self.turns_matter) else []
        flags += [rules.marks[m] for m in group.marks]
        twin = self.game.machine.shapes.settle(Group(0, -1, 0, deck.bag([k for k, n in enumerate(group.cards) for _ in range(n)])))
        if group.shape < 0:
            flags.append(NO_SHAPE)
        elif twin.shape != group.shape:
            flags.append(next(n for n, s in rules.shapes.items() if s.index == group.shape))
        return ":".join([run, *flags])

    def _variable(self, state: State, variable: Variable, owner: int) -> Field | None:
        content = state.variable(variable.index)
        value = content if variable.of is Owner.TABLE else content[owner]
        name = self._owner(variable.of, owner)
        if variable.type == BAG:
            texts = self._runs([k for k, n in enumerate(value) for _ in range(n)])
            return _field(variable.name, name, texts) if texts else None
        if value == variable.start:
            return None
        if variable.type.words:
            return _field(variable.name, name, [variable.type.words[value]])
        if variable.type == BOOL:
            return _field(variable.name, name, [] if value else ["no"])
        text = self.seats.names[value] if variable.type == SEAT else str(value)
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
