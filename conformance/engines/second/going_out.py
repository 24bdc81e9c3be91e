"""Whether a whole hand can be laid down: every card but a last one finds a meld, and there are canastas enough."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .cards import BLACK_THREES, NATURAL, RANK_OF, RANKS, RED_THREES, SUIT_OF, WILD, Card, values
from .melds import CANASTA_SIZE, LEAST_NATURALS, MELD_SIZE, RUN, SET, WILDS, Meld, faults
from .rules import Rules
from .table import Table

Best = dict[int, int]
"""By the number of wild cards used: how many canastas there can be at most."""

Way = tuple[Counter[Card], int]
"""Cards that are laid as runs, and how many canastas that makes."""


@dataclass(frozen=True, slots=True)
class Place:
    """A meld as it would lie with its natural cards: how many more wild cards it needs and bears."""

    size: int
    least: int
    most: int


def can_go_out(table: Table) -> bool:
    """Whether the player in turn, after the draw, can get rid of every card by these rules."""
    if not table.rules.going_out:
        return False
    last: list[Card | None] = [None, *sorted(set(table.hand))]
    if table.rules.red_threes_laid == "at_once":
        last = [card for card in last if card not in RED_THREES]
    return any(_goes_down(table, card) for card in last)


def _goes_down(table: Table, last: Card | None) -> bool:
    """Whether the whole hand but one card can be melded, with canastas and points enough."""
    rest = list(table.hand)
    if last is not None:
        rest.remove(last)
    if not _points_suffice(table, values(rest)):
        return False
    black = sum(card in BLACK_THREES for card in rest)
    wilds = sum(card in WILD for card in rest)
    naturals = [card for card in rest if card in NATURAL]
    if 0 < black < MELD_SIZE or len(naturals) + wilds + black < len(rest):
        return False
    need = table.rules.canastas_to_go_out
    for left, runs in with_runs(table, naturals):
        if table.rules.escalera_to_go_out and not runs:
            continue
        most = _best(table, Counter(RANK_OF[card] for card in left), wilds).get(wilds, -1)
        if most >= 0 and most + runs >= need:
            return True
    return False


def _points_suffice(table: Table, points: int) -> bool:
    """Whether a whole hand that goes down may go down, for its worth or because it is concealed."""
    if table.side_opened or table.memory.laid + points >= table.minimum:
        return True
    # An unopened side has no melds of a partner, so a canasta among what is laid now is the player's own.
    rules = table.rules
    return table.memory.source == "stock" and rules.concealed_hands and not rules.concealed_needs_minimum


# Sets and wild cards


def _best(table: Table, naturals: Counter[str], wilds: int) -> Best:
    """The most canastas with every natural card in a set, for each number of wild cards used."""
    rules = table.rules
    best: Best = {0: 0}
    lying = [meld for meld in table.own if meld.kind == SET]
    for rank in sorted({*naturals, *(meld.rank for meld in lying)}):
        ways = _ways_of_rank([meld for meld in lying if meld.rank == rank], naturals[rank], rank, rules)
        best = _joined(best, _any_of(ways, wilds), wilds)
    if rules.wild_melds:
        best = _joined(best, _wild_melds(table, wilds), wilds)
    return best


def _joined(one: Best, other: Best, wilds: int) -> Best:
    found: Best = {}
    for used, count in one.items():
        for more, further in other.items():
            if used + more <= wilds:
                found[used + more] = max(found.get(used + more, -1), count + further)
    return found


def _any_of(ways: Iterator[list[Place]], wilds: int) -> Best:
    """The best of several ways to lay the cards of a rank."""
    found: Best = {}
    for places in ways:
        best: Best = {0: 0}
        for place in places:
            span = range(place.least, min(place.most, wilds) + 1)
            best = _joined(best, {more: int(place.size + more >= CANASTA_SIZE) for more in span}, wilds)
        for used, count in best.items():
            found[used] = max(found.get(used, -1), count)
    return found


def _ways_of_rank(lying: list[Meld], count: int, rank: str, rules: Rules) -> Iterator[list[Place]]:
    """Every way to lay the natural cards of a rank: with the sets that lie, and as new ones where that is allowed."""
    for united in _unions(lying, rules):
        for new in range(count + 1):
            if new and united and not rules.runs:
                break
            for shares in _shares(count - new, len(united)):
                old = [_place(meld, extra, rules) for meld, extra in zip(united, shares, strict=True)]
                if any(place.least > place.most for place in old):
                    continue
                for parts in _new_sets(new, new, rules):
                    begun = [_place(Meld([rank] * part), 0, rules) for part in parts]
                    if all(place.least <= place.most for place in begun):
                        yield [*old, *begun]


def _unions(lying: list[Meld], rules: Rules) -> Iterator[list[Meld]]:
    """Every way to unite the sets of a rank that lie, where a side may have several."""
    yield lying
    if not rules.runs:
        return
    for one in range(len(lying)):
        for other in range(one + 1, len(lying)):
            united = lying[one].united(lying[other])
            rest = [meld for at, meld in enumerate(lying) if at not in {one, other}]
            if not faults(united, rules):
                yield from _unions([united, *rest], rules)


def _new_sets(count: int, most: int, rules: Rules) -> Iterator[list[int]]:
    """Every way to part a number of natural cards into new sets, the largest first."""
    if not count:
        yield []
        return
    for first in range(min(count, most), LEAST_NATURALS - 1, -1):
        if first == count or rules.runs:
            for rest in _new_sets(count - first, first, rules):
                yield [first, *rest]


def _shares(count: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to deal a number of like cards to some melds."""
    if not parts:
        if not count:
            yield ()
        return
    for first in range(count + 1):
        for rest in _shares(count - first, parts - 1):
            yield (first, *rest)


def _place(meld: Meld, extra: int, rules: Rules) -> Place:
    naturals, wilds = meld.naturals + extra, meld.wilds
    size = naturals + wilds
    most = min(rules.most_wilds - wilds, rules.longest_set - size)
    if rules.wilds_not_more_than_naturals:
        most = min(most, naturals - wilds)
    if rules.twice_as_many_naturals:
        most = min(most, naturals // 2 - wilds)
    if meld.settled >= CANASTA_SIZE:
        pure = not meld.settled_wilds and not rules.wild_onto_natural_canasta
        most = min(most, 0) if pure or not rules.wild_onto_canasta else most
    if naturals < LEAST_NATURALS:
        most = -1
    return Place(size, max(0, MELD_SIZE - size), most)


def _wild_melds(table: Table, wilds: int) -> Best:
    """The most canastas of wild cards alone, for each number of them that is laid so."""
    best: Best = {0: 0}
    cap = CANASTA_SIZE
    for meld in (meld for meld in table.own if meld.kind == WILDS):
        size = len(meld.cards)
        grown = {more: int(size + more >= CANASTA_SIZE) for more in range(max(0, MELD_SIZE - size), cap - size + 1)}
        best = _joined(best, grown, wilds)
    fresh: Best = {0: 0} | {size: int(size >= CANASTA_SIZE) for size in range(MELD_SIZE, cap + 1)}
    for _ in range(wilds // MELD_SIZE):
        best = _joined(best, fresh, wilds)
    return best


# Runs


def with_runs(table: Table, naturals: list[Card]) -> Iterator[tuple[list[Card], int]]:
    """Every way to lay some natural cards as runs: what is left of them, and how many runs are canastas then."""
    if not table.rules.runs:
        yield naturals, 0
        return
    lying = [meld for meld in table.own if meld.kind == RUN]
    ways: list[list[Way]] = []
    for suit in sorted({SUIT_OF[card] for card in naturals} | {SUIT_OF[meld.cards[0]] for meld in lying}):
        held = Counter(card for card in naturals if SUIT_OF[card] == suit)
        spans = [_span(meld) for meld in lying if SUIT_OF[meld.cards[0]] == suit]
        ways.append(list(_runs_of_suit(held, suit, spans, 0, CANASTA_SIZE)))
    for used, count in _every(ways):
        left = Counter(naturals)
        left.subtract(used)
        yield list(left.elements()), count


def _every(ways: list[list[Way]]) -> Iterator[Way]:
    if not ways:
        yield Counter(), 0
        return
    for used, count in ways[0]:
        for others, further in _every(ways[1:]):
            yield used + others, count + further


def _span(meld: Meld) -> tuple[int, int]:
    """Where a run begins and ends."""
    places = [RANKS.index(RANK_OF[card]) for card in meld.cards]
    return min(places), max(places)


def _runs_of_suit(held: Counter[Card], suit: str, spans: list[tuple[int, int]], start: int, cap: int) -> Iterator[Way]:
    """Every way to lengthen the runs of a suit that lie, and to begin new ones."""
    if spans:
        (low, high), others = spans[0], spans[1:]
        for first in range(low, -1, -1):
            for final in range(high, len(RANKS)):
                added = Counter(RANKS[at] + suit for at in (*range(first, low), *range(high + 1, final + 1)))
                if final - first >= cap or not added <= held:
                    break
                for used, count in _runs_of_suit(held - added, suit, others, start, cap):
                    yield used + added, count + (final - first + 1 >= CANASTA_SIZE)
        return
    yield Counter(), 0
    for first in range(start, len(RANKS) - MELD_SIZE + 1):
        for final in range(first + MELD_SIZE - 1, min(first + cap, len(RANKS))):
            added = Counter(RANKS[at] + suit for at in range(first, final + 1))
            if not added <= held:
                break
            for used, count in _runs_of_suit(held - added, suit, [], first, cap):
                yield used + added, count + (final - first + 1 >= CANASTA_SIZE)
