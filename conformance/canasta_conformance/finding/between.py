"""What lies between two sketches: their single differences, and the sketches that have only some of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, TypeVar

from canasta.language.ruleset import Form, Ruleset
from canasta.notation.cards import Card
from canasta.notation.record import Action
from canasta_conformance.finding.sketch import Place, Sketch

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

Chosen = frozenset[int]
"""The numbers of the differences that are taken over."""

Strand = tuple[Sequence[T], Sequence[T]]
"""What stands somewhere in one row and in another."""

_SAME: Final = "equal"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sketch that differs: in how many ways, and what writes it with some of them."""

    number: int
    write: Callable[[Sketch, Chosen], None]


@dataclass(frozen=True, slots=True)
class Between:
    """Everything that lies between one sketch and another."""

    one: Sketch
    parts: tuple[Part, ...]

    @property
    def number(self) -> int:
        """How many differences there are."""
        return sum(part.number for part in self.parts)

    def at(self, chosen: Chosen) -> Sketch:
        """Give the first sketch with some of the differences."""
        found, first = self.one.copy(), 0
        for part in self.parts:
            own = frozenset(at - first for at in chosen if first <= at < first + part.number)
            if own:
                part.write(found, own)
            first += part.number
        for place, rows in list(found.cards.items()):
            if not any(rows) and place not in self.one.cards:
                del found.cards[place]
        return found


def between(rules: Ruleset, one: Sketch, other: Sketch) -> Between:
    """Find the differences of two sketches of a rule set."""
    return Between(one, tuple(part for part in _parts(rules, one, other) if part.number))


def _parts(rules: Ruleset, one: Sketch, other: Sketch) -> Iterator[Part]:
    if (one.seat, one.phase) != (other.seat, other.phase):
        yield Part(1, lambda found, _: _begin(found, other))
    yield from _named(one.options, other.options, lambda found: found.options)
    yield from _named(one.values, other.values, lambda found: found.values)
    for place in dict.fromkeys([*one.cards, *other.cards]):
        mine, theirs = one.cards.get(place, []), other.cards.get(place, [])
        match rules.zones[place[0]].form:
            case Form.GROUPS:
                yield from _groups(place, mine, theirs)
            case Form.STACK:
                yield _stack(place, mine[0] if mine else [], theirs[0] if theirs else [])
            case Form.BAG:
                yield _bag(place, 0, mine[0] if mine else [], theirs[0] if theirs else [])
    yield _turn(one.acts, other.acts)


def _begin(found: Sketch, other: Sketch) -> None:
    found.seat, found.phase = other.seat, other.phase


def _named(one: dict[K, V], other: dict[K, V], of: Callable[[Sketch], dict[K, V]]) -> Iterator[Part]:
    """Go through what is told under a name, each name by itself."""
    for name in dict.fromkeys([*one, *other]):
        if one.get(name) != other.get(name):
            yield _telling(name, other, of)


def _telling(name: K, other: dict[K, V], of: Callable[[Sketch], dict[K, V]]) -> Part:
    def write(found: Sketch, _: Chosen) -> None:
        if name in other:
            of(found)[name] = other[name]
        else:
            of(found).pop(name, None)

    return Part(1, write)


# ---- cards -----------------------------------------------------------------------------------------------------------


def _groups(place: Place, mine: list[list[Card]], theirs: list[list[Card]]) -> Iterator[Part]:
    """Pair the melds that have most cards in common; what is left over of either is one difference each."""
    waiting = [row for row in theirs if row]
    for at, row in enumerate(mine):
        alike = [(-(Counter(row) & Counter(other)).total(), to) for to, other in enumerate(waiting)]
        most, to = min(alike, default=(0, 0))
        if most:
            yield _bag(place, at, row, waiting.pop(to))
        else:
            yield _gone(place, at, row)
    for row in waiting:
        yield _come(place, row)


def _gone(place: Place, at: int, row: list[Card]) -> Part:
    return Part(int(bool(row)), lambda found, _: found.cards[place][at].clear())


def _come(place: Place, row: list[Card]) -> Part:
    return Part(1, lambda found, _: found.cards.setdefault(place, []).append(list(row)))


def _bag(place: Place, at: int, mine: list[Card], theirs: list[Card]) -> Part:
    """Take each card by itself: those that go, then those that come."""
    before, after = Counter(mine), Counter(theirs)
    gone, come = list((before - after).elements()), list((after - before).elements())

    def write(found: Sketch, chosen: Chosen) -> None:
        row = found.cards.setdefault(place, [[]])[at]
        for number, card in enumerate(gone):
            if number in chosen:
                row.remove(card)
        row += [card for number, card in enumerate(come, len(gone)) if number in chosen]

    return Part(len(gone) + len(come), write)


def _stack(place: Place, mine: list[Card], theirs: list[Card]) -> Part:
    """Keep the order of a stack: each stretch that differs is one difference, and each card that is another."""
    strands = list(_strands(mine, theirs))

    def write(found: Sketch, chosen: Chosen) -> None:
        found.cards[place] = [_woven(strands, chosen)]

    return Part(_number(strands), write)


# ---- the turn --------------------------------------------------------------------------------------------------------


def _turn(mine: Sequence[Action], theirs: Sequence[Action]) -> Part:
    """Take each act by itself, and of two that are alike each card."""
    stretches = [_Stretch(one, other) for one, other in _strands(mine, theirs)]

    def write(found: Sketch, chosen: Chosen) -> None:
        acts: list[Action] = []
        first = 0
        for stretch in stretches:
            acts += stretch.at(frozenset(n - first for n in chosen if first <= n < first + stretch.number))
            first += stretch.number
        found.acts = acts

    return Part(sum(stretch.number for stretch in stretches), write)


class _Stretch:
    """A stretch of a turn: the acts of one and of the other."""

    def __init__(self, one: Sequence[Action], other: Sequence[Action]) -> None:
        """Ask whether the acts are one of the same kind, with other cards or another aim."""
        self.one, self.other = one, other
        self.cards: list[Strand[Card]] = []
        if len(one) == len(other) == 1 and one != other and one[0].kind is other[0].kind:
            self.cards = list(_strands(one[0].cards, other[0].cards))

    @property
    def number(self) -> int:
        """How many differences there are."""
        if not self.cards:
            return int(self.one != self.other)
        return _number(self.cards) + (replace(self.one[0], cards=()) != replace(self.other[0], cards=()))

    def at(self, chosen: Chosen) -> Sequence[Action]:
        """Give the acts with some of the differences."""
        if not self.cards:
            return self.other if chosen else self.one
        framed = self.other[0] if _number(self.cards) in chosen else self.one[0]
        return [replace(framed, cards=tuple(_woven(self.cards, chosen)))]


def _strands(mine: Sequence[T], theirs: Sequence[T]) -> Iterator[Strand[T]]:
    """Lay two rows beside each other: what they share, and what stands in one instead of in the other."""
    for same, i, j, k, m in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if same != _SAME and j - i == m - k:
            yield from ((mine[i + n : i + n + 1], theirs[k + n : k + n + 1]) for n in range(j - i))
        else:
            yield mine[i:j], theirs[k:m]


def _number(strands: Sequence[Strand[T]]) -> int:
    return sum(one != other for one, other in strands)


def _woven(strands: Sequence[Strand[T]], chosen: Chosen) -> list[T]:
    """Make one row of two: where they differ, what is chosen of the other."""
    found: list[T] = []
    number = 0
    for one, other in strands:
        differs = one != other
        found += other if differs and number in chosen else one
        number += differs
    return found
