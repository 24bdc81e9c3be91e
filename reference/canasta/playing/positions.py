"""From the text of a position to a state of a game, and back.

Fields are named by the zones and state variables of the rule set, and by the words under which rules read the rest:
``dealer``, ``deal_no``, ``turn_no``, ``turn_seat``, ``sides``, ``reason``, and for a turn under way ``parts`` (what was laid
in it and is settled) and ``laid`` (the play that is being composed). Cards in a stack stand from the bottom up.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Span
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Group, State
from canasta.language.ruleset import Form, Lasts, Owner, Variable, Zone
from canasta.language.types import BAG, BOOL, SEAT
from canasta.notation.cards import INTERNATIONAL, Card, CardFault, read_cards
from canasta.notation.position_text import Field, Position, Value
from canasta.playing.cards import CardNames, card_names
from canasta.playing.describing import NO_CARDS, NO_SHAPE, of_place, of_state
from canasta.playing.laying import Laying
from canasta.playing.seats import NO_SEAT, Seats, seats_of
from canasta.playing.suits_in_turn import SuitsInTurn

__all__ = ["PositionError", "of_place", "of_state", "read_fields", "to_state"]

SETUP: Final = "setup"
REST: Final = "rest"
MOST_DIGITS: Final = 9
WORDS: Final = ("dealer", "deal_no", "turn_no", "turn_seat", "sides", "reason", "parts", "laid")


class PositionError(CanastaError):
    """A position that cannot be set up, with every fault that was found."""


def to_state(game: Game, position: Position, seats: Seats | None = None) -> State:
    """Set up the state that a position describes; ``X at setup`` deals from the stated stock, whose last card is on top.

    Raises:
        PositionError: PL0001 to PL0011 and the CN004x of card texts, all of them.
    """
    return _Reading(game, position, seats or seats_of(game.ruleset.table)).state()


def read_fields(game: Game, position: Position, seats: Seats | None = None) -> State:
    """Read what a position says into an otherwise empty state, without asking whether the whole could be.

    Raises:
        PositionError: when a field cannot be read.
    """
    return _Reading(game, position, seats or seats_of(game.ruleset.table)).fields()


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
    suits: SuitsInTurn = field(init=False)

    def __post_init__(self) -> None:
        self.names = card_names(self.game.ruleset, self.game.deck)
        self.mentioned = self.game.deck.empty()
        self.suits = SuitsInTurn(self.game.deck)
        for one in self.position:
            if one.place in self.game.ruleset.zones:
                for value in one.values:
                    self.suits.name_outright(self._outright(value.text.partition(":")[0]))

    def _outright(self, run: str) -> Iterator[int]:
        """Find the cards of a run that leave no choice."""
        cards = () if run in (REST, NO_CARDS) else read_cards(run, INTERNATIONAL.language)
        for card in () if isinstance(cards, CardFault) else cards:
            kinds = self.names.kinds(card)
            if len(kinds) == 1:
                yield kinds[0]

    def say(self, id_: str, message: str, span: Span | None, hint: str = "") -> None:
        """Note a fault."""
        self.findings.add(Diagnostic(id_, message, span or self.position.span, hint))

    # -- the whole ---------------------------------------------------------------------------------------------------

    def state(self) -> State:
        """Read every field; then see that no card is there too often; then lay what is being composed."""
        rules = self.game.ruleset
        if self.position.phase == SETUP and SETUP not in rules.phases:
            return self._set_up()
        state = self._empty()
        late = [f for f in self.position if f.place in ("parts", "laid") and not self._declared(f.place)]
        for one in self.position:
            if one not in late:
                self._field(state, one)
        self._fill_rest()
        self._count_cards()
        state.open = bool(self.mentioned[self.game.deck.size])
        self.findings.raise_errors(PositionError)
        laying = {f.place: f for f in late}
        Laying(self.game, self.names, self.seats, self.say).read(state, laying.get("parts"), laying.get("laid"))
        self.findings.raise_errors(PositionError)
        return state

    def fields(self) -> State:
        """Read every field into an empty state."""
        state = self._empty()
        for one in self.position:
            self._field(state, one)
        self.findings.raise_errors(PositionError)
        return state

    def _empty(self) -> State:
        table, deal = self.game.ruleset.table, self.position.find("deal_no")
        state = self.game.turn.blank(table.seats - 1, self._number(deal) if deal else 1, {})
        state.turn_no = table.seats + 1
        if self.position.phase in self.game.ruleset.phases or self.position.phase != SETUP:
            self._mover(state)
        return state

    def _declared(self, place: str) -> bool:
        return place in self.game.ruleset.zones or place in self.game.ruleset.state

    def _set_up(self) -> State:
        table = self.game.ruleset.table
        dealer = self.seats.seat(self.position.seat)
        empty, deal_no = self._empty(), 1
        order: list[int] = []
        carried: dict[str, list[int]] = {}
        for one in self.position:
            variable = self.game.ruleset.state.get(one.place)
            if one.place == "dealer":
                dealer = self._seat(one)
            elif one.place == "deal_no":
                deal_no = self._number(one)
            elif one.place == table.order:
                order = self._stack_cards(one)
            elif variable is not None and variable.lasts is Lasts.MATCH:
                self._variable(empty, one, variable)
                content = empty.variable(variable.index)
                carried[variable.name] = [content] if variable.of is Owner.TABLE else content
            else:
                hint = f"before the deal dealer, deal_no, {table.order} and what lasts a match can be said"
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
        return self.game.start(order[::-1], dealer or 0, deal_no, carried)

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
                self.say(
                    "PL0002", f"{one.place} belongs to the table, not to {one.owner}", one.span, f"write {one.place}"
                )
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
            case "turn_no":
                state.turn_no = self._number(one)
            case "deal_no":
                pass  # the empty state was made for that deal
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
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            self.say("PL0003", f"{one.place} is a whole number", one.span, f"write {one.place} 7")
            return 0
        return int(text)

    def _one_of(self, one: Field, words: Iterable[str]) -> str:
        known = list(words)
        text = one.texts[0] if len(one.texts) == 1 else ""
        if text not in known:
            self.say(
                "PL0003", f"{text or 'nothing'} is no word for {one.place}", one.span, f"known: {', '.join(known)}"
            )
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
            return NOBODY if one.texts == (NO_SEAT,) else self._seat(one)
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
                self.say(
                    "PL0009",
                    "the order of a stack cannot be left to the rest",
                    value.span,
                    "write ?30 for thirty unknown cards",
                )
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
        if self.suits.alike(kinds):
            return self.suits.next(kinds)
        if kinds:
            choices = " or ".join(self.game.deck.name(k) for k in kinds)
            self.say("PL0004", f"{card} does not settle which card is meant", value.span, f"write {choices}")
            return None
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
                self.say(
                    "PL0006", f"{flag or 'nothing'} says nothing of a group", value.span, f"known: {', '.join(known)}"
                )
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
            cards = [*left[:-1], 0] if not unknown else [0] * deck.size + [sum(left[:-1]) - unknown]
            self.rest[0][1]([max(0, n) for n in cards])

    def _count_cards(self) -> None:
        deck = self.game.deck
        for kind, copies in enumerate(deck.copies):
            if self.mentioned[kind] > copies:
                what = f"{self.mentioned[kind]} cards {deck.name(kind)} lie here, and the pack has {copies}"
                self.say("PL0005", what, self.placed.get(kind))
        if sum(self.mentioned) > deck.total:
            self.say(
                "PL0005", f"{sum(self.mentioned)} cards lie here, and the pack has {deck.total}", self.position.span
            )


def _add(bag: list[int], cards: list[int]) -> None:
    for kind, n in enumerate(cards):
        bag[kind] += n
