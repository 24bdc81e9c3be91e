"""The repairs of a turn: everything that one who has played it may have meant otherwise, or found otherwise on the table.

Each is one thing that a person would name: some cards more or less of a kind in a meld, a value, an act that is left out. They are
gone through in a fixed order, and none is left to chance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from canasta.language.ruleset import Form, Lasts, Ruleset
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.record import Action, Target, Written
from canasta_conformance.finding.changing import CARDED, STEPS, Vocabulary
from canasta_conformance.finding.sketch import Place, Sketch

MOST: Final = 7
"""So many cards of one kind may come or go together."""

FEW: Final = 2
"""So many cards may be left in the stock where it is nearly used up, or come to a hand."""

ANSWERS: Final = ("yes", "no")


@dataclass(frozen=True)
class Repairs:
    """The repairs of one turn under the rules of a game."""

    rules: Ruleset
    words: Vocabulary
    sketch: Sketch
    lent: tuple[tuple[Place, tuple[Card, ...]], ...] = ()
    """Groups that lie in other turns."""

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards that may come in: those that are there already, and one of each rank."""
        there = [card for _, row in self.sketch.rows() for card in row if not card.hidden]
        ranks = {card.rank: card for card in reversed(self.words.cards)}
        return tuple(dict.fromkeys([*there, *ranks.values()]))

    def all(self) -> Iterator[Sketch]:
        """Go through the repairs."""
        yield from self._values()
        yield from self._phases()
        yield from self._on_the_table()
        yield from self._lent()
        yield from self._stocks()
        yield from self._acts()
        yield from self._endings()
        for at, act in enumerate(self.sketch.acts):
            if act.kind in CARDED:
                yield from self._more_cards(at, act)
                yield from self._fewer_cards(at, act)
            yield from self._other_cards(at, act)
            yield from self._aims(at, act)
        yield from self._kinds()

    # -- the position ------------------------------------------------------------------------------------------------

    def _values(self) -> Iterator[Sketch]:
        for place, known in self.words.values:
            if place in self.words.ending:
                continue
            old = self.sketch.values.get(place)
            if old is not None:
                yield self._telling(place, None)
            for word in known or self._numbers(old):
                if [word] != old:
                    yield self._telling(place, word)

    def _numbers(self, old: list[str] | None) -> list[str]:
        near = [str(int(old[0]) + step) for step in STEPS] if old and old[0].lstrip("-").isdecimal() else []
        return list(dict.fromkeys([*near, *map(str, self.words.numbers)]))

    def _telling(self, place: Place, word: str | None) -> Sketch:
        found = self.sketch.copy()
        found.values.pop(place, None)
        if word is not None:
            found.values[place] = [word]
        return found

    def _phases(self) -> Iterator[Sketch]:
        """The turn is at another point, and in its first phase nothing has happened in it yet."""
        for number, phase in enumerate(self.rules.phases):
            if phase != self.sketch.phase:
                found = self.sketch.copy()
                found.phase = phase
                if number == 0:
                    for place in self.sketch.values:
                        variable = self.rules.state.get(place[0])
                        if variable is not None and variable.lasts is Lasts.TURN:
                            del found.values[place]
                yield found

    def _on_the_table(self) -> Iterator[Sketch]:
        """Cards lie there more or less, or other ones; a meld lies there or not."""
        for place, rows in self.sketch.cards.items():
            if place == self.words.parts.stock:
                continue
            groups = self.rules.zones[place[0]].form is Form.GROUPS
            for at, row in enumerate(rows):
                if groups:
                    yield self._with_row(place, at, [])
                yield from (self._with_row(place, at, new) for new in self._rows(row, MOST if groups else FEW))

    def _lent(self) -> Iterator[Sketch]:
        """A group lies there in addition that lies in another turn."""
        for place, row in self.lent:
            if list(row) not in self.sketch.cards.get(place, []):
                found = self.sketch.copy()
                found.cards.setdefault(place, []).append(list(row))
                yield found

    def _rows(self, row: Sequence[Card], most: int) -> Iterator[list[Card]]:
        known = list(dict.fromkeys(card for card in row if not card.hidden))
        for card in known:
            yield from ([*row, *[card] * number] for number in range(1, most + 1))
            yield from (_without(row, [card] * number) for number in range(1, min(row.count(card), MOST) + 1))
        yield from ([*row, card] for card in self.cards)
        for card in known:
            at = len(row) - 1 - list(row)[::-1].index(card)
            yield from ([*row[:at], other, *row[at + 1 :]] for other in self.cards if other != card)

    def _with_row(self, place: Place, at: int, row: list[Card]) -> Sketch:
        found = self.sketch.copy()
        found.cards[place][at] = row
        return found

    def _stocks(self) -> Iterator[Sketch]:
        """The stock is nearly used up, or there is one card more below."""
        stock = self.words.parts.stock
        lying = self.sketch.cards.get(stock, [[]])[0]
        for row in ([UNKNOWN, *lying], *([UNKNOWN] * number for number in range(FEW + 1))):
            found = self.sketch.copy()
            found.cards[stock] = [row]
            yield found

    # -- the turn ----------------------------------------------------------------------------------------------------

    def _acts(self) -> Iterator[Sketch]:
        """An act is not done, with its cards in the hand or not; two are done the other way round; an answer is another."""
        acts, hand = self.sketch.acts, self._hand()
        for at, act in enumerate(acts):
            held = _less(hand, act.cards)
            if len(acts) > 1:
                yield self._with([*acts[:at], *acts[at + 1 :]], hand)
                if held is not None:
                    yield self._with([*acts[:at], *acts[at + 1 :]], held)
            if act.kind is Written.ANSWER:
                yield from (self._with(self._put(at, replace(act, word=word)), hand) for word in ANSWERS)
            for to in range(at + 1, len(acts)):
                swapped = list(acts)
                swapped[at], swapped[to] = acts[to], act
                yield self._with(swapped, hand)

    def _endings(self) -> Iterator[Sketch]:
        """The turn is brought to its end, or to another one; it begins with the draw."""
        acts, hand = self.sketch.acts, self._hand()
        for card in dict.fromkeys(hand):
            last = Action(Written.DISCARD, (card,))
            yield self._with([*acts, last], hand)
            yield self._with([*acts, last], [*hand, card])
            yield self._with([*acts[:-1], last], hand)
        yield self._with([*acts, Action(Written.OUT)], hand)
        yield self._with([*acts[:-1], Action(Written.OUT)], hand)
        yield self._with([Action(Written.DRAW, (UNKNOWN,)), *acts], hand)

    def _more_cards(self, at: int, act: Action) -> Iterator[Sketch]:
        """An act has more cards, and the hand with it or not."""
        hand = self._hand()
        for card in dict.fromkeys([*act.cards, *hand, *self.cards]):
            for number in range(1, MOST + 1 if card in act.cards else FEW):
                acts = self._put(at, replace(act, cards=(*act.cards, *[card] * number)))
                yield self._with(acts, hand)
                yield self._with(acts, [*hand, *[card] * number])

    def _fewer_cards(self, at: int, act: Action) -> Iterator[Sketch]:
        """An act has fewer cards, and the hand with it or not."""
        first, hand = _first(act), self._hand()
        for card in dict.fromkeys(act.cards[first:]):
            for number in range(1, act.cards[first:].count(card) + 1):
                left = (*act.cards[:first], *_without(act.cards[first:], [card] * number))
                for held in (hand, _less(hand, [card] * number)):
                    if left and held is not None:
                        yield self._with(self._put(at, replace(act, cards=left)), held)

    def _other_cards(self, at: int, act: Action) -> Iterator[Sketch]:
        """A card of an act is another, in the hand as well or not."""
        hand = self._hand()
        for place, card in enumerate(act.cards):
            held = _less(hand, [card])
            for other in self.cards:
                cards = (*act.cards[:place], other, *act.cards[place + 1 :])
                yield self._with(self._put(at, replace(act, cards=cards)), hand)
                if held is not None and place >= _first(act):
                    yield self._with(self._put(at, replace(act, cards=cards)), [*held, other])

    def _aims(self, at: int, act: Action) -> Iterator[Sketch]:
        """Cards go to another meld, or begin one; cards that began a meld join one."""
        if act.kind in CARDED:
            lying = [row[0] for (name, _), row in self.sketch.rows() if name in self.words.parts.melds and row]
            aims = [Target(card) for card in dict.fromkeys([*lying, *act.cards])]
            for aim in (*aims, Target(None), None):
                yield self._with(self._put(at, replace(act, target=aim)), self._hand())

    def _kinds(self) -> Iterator[Sketch]:
        """All cards of one kind are of another, wherever they lie or are played; or all cards of one rank."""
        there = [card for _, row in self.sketch.rows() for card in row]
        named = dict.fromkeys(c for c in (*there, *(c for act in self.sketch.acts for c in act.cards)) if not c.hidden)
        for new in self.cards:
            for old in named:
                yield self._exchanged(frozenset([old]), new)
            for rank in dict.fromkeys(card.rank for card in named):
                yield self._exchanged(frozenset(card for card in named if card.rank == rank), new)

    def _exchanged(self, old: frozenset[Card], new: Card) -> Sketch:
        found = self.sketch.copy()
        for _, row in found.rows():
            row[:] = [new if card in old else card for card in row]
        found.acts = [replace(act, cards=tuple(new if c in old else c for c in act.cards)) for act in found.acts]
        return found

    def _hand(self) -> list[Card]:
        return self.sketch.cards.get((self.words.parts.hand, self.sketch.seat), [[]])[0]

    def _put(self, at: int, act: Action) -> list[Action]:
        return [*self.sketch.acts[:at], act, *self.sketch.acts[at + 1 :]]

    def _with(self, acts: list[Action], hand: Sequence[Card]) -> Sketch:
        found = self.sketch.copy()
        found.acts = acts
        found.cards[self.words.parts.hand, found.seat] = [list(hand)]
        return found


def _first(act: Action) -> int:
    """Say which card is the first of the hand's own: that of a take comes from the pile."""
    return 1 if act.kind is Written.TAKE else 0


def _without(row: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    return _less(row, cards) or []


def _less(hand: Sequence[Card], cards: Sequence[Card]) -> list[Card] | None:
    """Take cards from a hand; nothing where it has not got them."""
    left = list(hand)
    for card in cards:
        if card not in left:
            return None
        left.remove(card)
    return left
