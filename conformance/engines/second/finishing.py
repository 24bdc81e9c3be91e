"""Looking ahead: whether a player can go out, can stay in, or can take the pile and still end the turn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .cards import BLACK_THREES, NATURAL, RANK_OF, RED_THREES, VALUE, WILD, Card, values
from .dealing import begin_stretch
from .melds import CANASTA_SIZE, LEAST_NATURALS, MELD_SIZE, Meld, is_canasta
from .rules import Rules
from .table import Table


@dataclass(frozen=True, slots=True)
class Place:
    """A meld as it would lie with all natural cards of its rank: how many more wild cards it needs and bears."""

    size: int
    least: int
    most: int


def can_stay_in(table: Table) -> bool:
    """Whether the player in turn, who has laid nothing since the reveal, can end the turn and keep a card."""
    discards = [card for card in table.hand if card not in RED_THREES]
    return len(table.hand) > 1 and bool(discards) and not table.memory.black_threes


def can_go_out(table: Table) -> bool:
    """Whether the player in turn, after the draw, can get rid of every card by these rules."""
    hand = table.hand
    if any(card in RED_THREES for card in hand):
        return False
    last: list[Card | None] = [None, *sorted(set(hand))]
    return any(_goes_down(table, card) for card in last)


def _goes_down(table: Table, last: Card | None) -> bool:
    """Whether the whole hand but one card can be melded, with canastas and points enough."""
    rest = list(table.hand)
    if last is not None:
        rest.remove(last)
    black = sum(card in BLACK_THREES for card in rest)
    if 0 < black < MELD_SIZE:
        return False
    wilds = sum(card in WILD for card in rest)
    naturals = Counter(RANK_OF[card] for card in rest if card in NATURAL)
    if sum(naturals.values()) + wilds + black < len(rest):
        return False
    counts = [_most_canastas(places, wilds, CANASTA_SIZE) for places in _arrangements(table, naturals)]
    return max(counts, default=-1) >= table.rules.canastas_to_go_out and _points_suffice(table, values(rest))


def _points_suffice(table: Table, points: int) -> bool:
    """Whether a whole hand that goes down may go down, for its worth or because it is concealed."""
    if table.side_opened or table.memory.laid + points >= table.minimum:
        return True
    # An unopened side has no melds of a partner, so a canasta among what is laid now is the player's own.
    return table.memory.source == "stock" and not table.rules.concealed_needs_minimum


def _arrangements(table: Table, naturals: Counter[str]) -> Iterator[list[Place]]:
    """Every way to share the natural cards among the melds."""
    choices: list[list[list[Place]]] = []
    lying: dict[str, list[Meld]] = {}
    for meld in table.own:
        lying.setdefault(meld.rank, []).append(meld)
    for rank, melds in lying.items():
        if rank == "3":
            continue
        choices.append(
            [
                [_place(meld, extra, table.rules) for meld, extra in zip(melds, shares, strict=True)]
                for shares in _shares(naturals[rank], len(melds))
            ]
        )
    for rank, count in naturals.items():
        if rank not in lying:
            choices.append([[_place(Meld([rank] * count), 0, table.rules)]])
    for places in _product(choices):
        if all(place.least <= place.most for place in places):
            yield places


def _product(choices: list[list[list[Place]]]) -> Iterator[list[Place]]:
    if not choices:
        yield []
        return
    for first in choices[0]:
        for rest in _product(choices[1:]):
            yield [*first, *rest]


def _shares(count: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to deal a number of like cards to some melds."""
    if parts == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _shares(count - first, parts - 1):
            yield (first, *rest)


def _place(meld: Meld, extra: int, rules: Rules) -> Place:
    naturals, wilds = meld.naturals + extra, meld.wilds
    size = naturals + wilds
    most = rules.most_wilds - wilds
    if rules.wilds_not_more_than_naturals:
        most = min(most, naturals - wilds)
    if not rules.wild_onto_natural_canasta and meld.settled >= CANASTA_SIZE and not meld.settled_wilds:
        most = min(most, 0)
    if naturals < LEAST_NATURALS:
        most = -1
    return Place(size, max(0, MELD_SIZE - size), most)


def _most_canastas(places: list[Place], wilds: int, size: int) -> int:
    """How many canastas there are at most when every wild card is laid; -1 if they do not all fit."""
    best: dict[int, int] = {0: 0}
    for place in places:
        further: dict[int, int] = {}
        for used, found in best.items():
            for more in range(place.least, min(place.most, wilds - used) + 1):
                count = found + (place.size + more >= size)
                further[used + more] = max(further.get(used + more, -1), count)
        best = further
    return best.get(wilds, -1)


# Taking the pile


def can_take_the_pile(table: Table, forced: str) -> bool:
    """Whether the player in turn is forced to take: onto an own meld, whenever possible, or never."""
    if forced == "never" or not table.pile or table.pile[-1] not in NATURAL:
        return False
    top = RANK_OF[table.pile[-1]]
    fits = any(meld.rank == top for meld in table.own)
    if forced == "own_meld" and (table.frozen_for_side or not fits):
        return False
    if len(table.hand) == 1 and len(table.pile) == 1 and not table.one_card_for_one:
        return False
    if not table.side_opened:
        return _can_open_with_the_pile(table)
    return any(_ends_well(table, cards, onto) for cards, onto in _ways_to_take(table))


def _ways_to_take(table: Table) -> Iterator[tuple[list[Card], Meld | None]]:
    """The smallest ways for an opened side to meld the top card: cards of the hand, and the meld that they join."""
    rules, top = table.rules, RANK_OF[table.pile[-1]]
    naturals = [card for card in table.hand if RANK_OF[card] == top]
    wilds = [card for card in table.hand if card in WILD]
    melds = [meld for meld in table.own if meld.rank == top]
    for meld in melds:
        if not table.frozen and (rules.take_onto_canasta or not is_canasta(meld)):
            yield [], meld
        if len(naturals) >= LEAST_NATURALS:
            yield naturals[:LEAST_NATURALS], meld
    if not melds:
        if len(naturals) >= LEAST_NATURALS:
            yield naturals[:LEAST_NATURALS], None
        if not table.frozen and naturals:
            for wild in sorted(set(wilds)):
                yield [naturals[0], wild], None


def _ends_well(table: Table, cards: list[Card], onto: Meld | None) -> bool:
    """Whether a player who takes the pile so can end the turn: keep two cards to discard one of, or go out."""
    after = table.copy()
    if onto is None:
        after.own.append(Meld([after.pile.pop(), *cards], new=True))
    else:
        after.own[table.own.index(onto)].cards += [after.pile.pop(), *cards]
    for card in cards:
        after.hand.remove(card)
    after.hand.extend(card for card in after.pile if card not in RED_THREES)
    after.pile.clear()
    after.memory.source = "pile"
    begin_stretch(after)
    return len(after.hand) > 1 or can_go_out(after)


def _can_open_with_the_pile(table: Table) -> bool:
    """Whether an unopened side reaches its minimum with the top card, a natural pair and other melds from the hand."""
    hand, rules, top = table.hand, table.rules, table.pile[-1]
    counts = Counter(RANK_OF[card] for card in hand if card in NATURAL)
    if counts[RANK_OF[top]] < LEAST_NATURALS:
        return False
    jokers = sum(card == "Jk" for card in hand)
    deuces = sum(card in WILD for card in hand) - jokers
    # The wild cards that count most are laid first; what is left over is the same in number.
    wild_points = [VALUE["Jk"]] * jokers + [VALUE["2"]] * deuces
    best: dict[tuple[int, int], int] = {(0, 0): VALUE[top]}
    for rank, count in sorted(counts.items()):
        best = _lay_some(best, rank, count, len(wild_points), rules, own=rank == RANK_OF[top])
    kept_from_pile = sum(card not in RED_THREES for card in table.pile[:-1])
    for (used, wilds), points in best.items():
        left = len(hand) - used - wilds + kept_from_pile
        if points + sum(wild_points[:wilds]) >= table.minimum and left > 1:
            return True
    return False


def _lay_some(
    best: dict[tuple[int, int], int], rank: str, count: int, wilds: int, rules: Rules, *, own: bool
) -> dict[tuple[int, int], int]:
    """The most points for each number of natural and of wild cards laid, with one rank more."""
    further = {} if own else dict(best)
    for (used, spent), points in best.items():
        for laid in range(LEAST_NATURALS, count + 1):
            size = laid + own
            most = min(rules.most_wilds, wilds - spent)
            if rules.wilds_not_more_than_naturals:
                most = min(most, size)
            for more in range(max(0, MELD_SIZE - size), most + 1):
                key = (used + laid, spent + more)
                further[key] = max(further.get(key, 0), points + laid * VALUE[rank])
    return further
