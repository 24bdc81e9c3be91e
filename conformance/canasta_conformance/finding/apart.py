"""How far two sketches lie apart: cards moved or exchanged, values, and what is done otherwise in the turn, each counted once."""

from collections import Counter
from collections.abc import Sequence

from canasta.notation.record import Action
from canasta_conformance.finding.sketch import Place, Sketch

Lying = tuple[Place, str]
"""A card where it lies."""


def apart(one: Sketch, other: Sketch) -> int:
    """Count in how many things two sketches differ.

    A card that lies elsewhere is one thing, and so is a card instead of another, one more, or one less; a value; an option; who acts;
    the phase; an act more or less, where one with several cards is as many; a card, a meld or a word of an act.
    """
    told = sum(a != b for a, b in ((one.seat, other.seat), (one.phase, other.phase)))
    named = {*one.values, *other.values}
    values = sum(one.values.get(place) != other.values.get(place) for place in named)
    chosen = {*one.options, *other.options}
    options = sum(one.options.get(name) != other.options.get(name) for name in chosen)
    return told + values + options + _cards(one, other) + _acts(one.acts, other.acts)


def _lying(sketch: Sketch) -> Counter[Lying]:
    return Counter((place, str(card)) for place, row in sketch.rows() for card in row)


def _cards(one: Sketch, other: Sketch) -> int:
    """Count cards that lie otherwise: pairs of one gone and one come, as many as there can be, and what is left over."""
    before, after = _lying(one), _lying(other)
    gone, come = list((before - after).elements()), list((after - before).elements())
    return len(gone) + len(come) - _pairs(gone, come)


def _pairs(gone: Sequence[Lying], come: Sequence[Lying]) -> int:
    """Count the most pairs of the same card or of the same place (a greatest matching, by paths that are begun anew)."""
    taken: dict[int, int] = {}

    def found(at: int, seen: set[int]) -> bool:
        for to, (place, card) in enumerate(come):
            if to not in seen and (gone[at][0] == place or gone[at][1] == card):
                seen.add(to)
                if to not in taken or found(taken[to], seen):
                    taken[to] = at
                    return True
        return False

    return sum(found(at, set()) for at in range(len(gone)))


def _acts(one: Sequence[Action], other: Sequence[Action]) -> int:
    """Count what is done otherwise: the least that makes one turn of the other, act by act."""
    row = [0]
    for act in other:
        row.append(row[-1] + _weight(act))
    for act in one:
        above, row = row, [row[0] + _weight(act)]
        for at, wanted in enumerate(other):
            ways = [above[at + 1] + _weight(act), row[at] + _weight(wanted)]
            if act.kind is wanted.kind:
                ways.append(above[at] + _otherwise(act, wanted))
            row.append(min(ways))
    return row[-1]


def _weight(act: Action) -> int:
    return max(1, len(act.cards))


def _otherwise(one: Action, other: Action) -> int:
    before, after = Counter(map(str, one.cards)), Counter(map(str, other.cards))
    cards = max((before - after).total(), (after - before).total())
    shown = (one.replacement, one.word, one.target, one.other) != (
        other.replacement,
        other.word,
        other.target,
        other.other,
    )
    return cards + shown
