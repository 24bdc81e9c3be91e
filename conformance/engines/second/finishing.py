"""Looking ahead: whether a player can stay in, or can take the pile and still end the turn."""

from collections import Counter
from collections.abc import Iterator

from .cards import NATURAL, RANK_OF, RED_THREES, VALUE, WILD, Card
from .dealing import begin_stretch
from .going_out import can_go_out
from .melds import LEAST_NATURALS, MELD_SIZE, Meld, is_canasta
from .rules import Rules
from .table import Table


def can_stay_in(table: Table) -> bool:
    """Whether the player in turn, who has laid nothing since the reveal, can end the turn and keep a card."""
    discards = [card for card in table.hand if card not in RED_THREES]
    return len(table.hand) > 1 and bool(discards) and not table.memory.black_threes


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
