"""Looking ahead: whether a player can stay in, or can take the pile and still end the turn."""

from collections import Counter
from collections.abc import Iterator

from .cards import NATURAL, RANK_OF, RED_THREES, VALUE, WILD, Card, values
from .dealing import begin_stretch
from .going_out import can_go_out, with_runs
from .melds import CANASTA_SIZE, LEAST_NATURALS, MELD_SIZE, RUN, SET, Meld, faults, is_canasta, kind_of
from .rules import Rules
from .table import Table

PAIR = 2


def can_stay_in(table: Table) -> bool:
    """Whether the player in turn, who has laid nothing since the reveal, can end the turn and keep a card."""
    rules, hand = table.rules, table.hand
    if table.memory.black_threes and not rules.black_threes_any_time:
        return False
    if len(hand) == 1 and rules.pass_with_last_card:
        return rules.going_out or not table.memory.has_laid
    return len(hand) > 1 and (rules.red_threes_laid == "at_will" or any(card not in RED_THREES for card in hand))


def can_end_the_turn(table: Table) -> bool:
    """Whether the player in turn can end it somehow after the pile has been picked up."""
    if len(table.hand) > 1:
        return True
    if table.rules.going_out:
        return bool(table.hand and table.rules.pass_with_last_card) or can_go_out(table)
    # Nobody goes out, so the only hope is that the last card completes the canasta that wins the prize.
    prize = table.rules.prize and not table.prize_given and table.stock
    return bool(prize) and any(_completes(meld, card, table.rules) for meld in table.own for card in table.hand)


def _completes(meld: Meld, card: Card, rules: Rules) -> bool:
    grown = Meld([*meld.cards, card], settled=meld.settled, settled_wilds=meld.settled_wilds)
    return not is_canasta(meld) and is_canasta(grown) and not faults(grown, rules)


def run_with(cards: list[Card], top: Card) -> bool:
    """Whether a card by itself fits a sequence that lies."""
    return bool(cards) and kind_of(cards) == RUN and kind_of([*cards, top]) == RUN


def can_take_the_pile(table: Table, forced: str) -> bool:
    """Whether the player in turn is forced to take: onto an own meld, whenever possible, or never."""
    if forced == "never" or not table.pile or table.pile[-1] not in NATURAL:
        return False
    top = RANK_OF[table.pile[-1]]
    fits = any((meld.kind == SET and meld.rank == top) or run_with(meld.cards, table.pile[-1]) for meld in table.own)
    if forced == "own_meld" and (table.frozen_for_side or not fits):
        return False
    if len(table.hand) == 1 and len(table.pile) == 1 and not table.one_card_for_one:
        return False
    if not table.side_opened:
        return _can_open_with_the_pile(table)
    # Nobody has to take it for a new meld, also where a canasta of that rank lies and takes no more cards.
    ways = [way for way in _ways_to_take(table) if way[1] is not None or forced != "own_meld"]
    return any(_ends_well(table, cards, onto) for cards, onto in ways)


def _ways_to_take(table: Table) -> Iterator[tuple[list[Card], Meld | None]]:
    """The smallest ways for an opened side to meld the top card: cards of the hand, and the meld that they join."""
    rules, top = table.rules, RANK_OF[table.pile[-1]]
    naturals = [card for card in table.hand if RANK_OF[card] == top]
    wilds = [card for card in table.hand if card in WILD]
    melds = [meld for meld in table.own if meld.kind == SET and meld.rank == top]
    for meld in table.own:
        if run_with(meld.cards, table.pile[-1]) and not is_canasta(meld) and not table.frozen:
            yield [], meld
    for meld in melds:
        full = len(meld.cards) >= rules.longest_set
        if not table.frozen and rules.take_own_group and not full and (rules.take_onto_canasta or not is_canasta(meld)):
            yield [], meld
        if len(naturals) >= LEAST_NATURALS and len(meld.cards) + PAIR < rules.longest_set:
            yield naturals[:LEAST_NATURALS], meld
    if not melds or rules.runs:
        if len(naturals) >= LEAST_NATURALS:
            yield naturals[:LEAST_NATURALS], None
        if not table.frozen and naturals and rules.natural_and_wild_take:
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
    if onto is None or onto.kind != RUN or table.rules.take_onto_sequence == "whole_pile":
        kept = table.rules.red_threes_laid == "at_will"
        after.hand.extend(card for card in after.pile if kept or card not in RED_THREES)
        after.pile.clear()
    after.memory.source = "pile"
    begin_stretch(after)
    if after.rules.prize and not after.prize_given and after.stock and any(is_canasta(meld) for meld in after.own):
        return True
    after.memory.has_laid = True
    return can_end_the_turn(after)


def _can_open_with_the_pile(table: Table) -> bool:
    """Whether an unopened side reaches its minimum with the top card, a natural pair and other melds from the hand."""
    hand, rules, top = table.hand, table.rules, table.pile[-1]
    wild_points = sorted((VALUE[card] for card in hand if card in WILD), reverse=True)
    best: dict[tuple[int, int], int] = {}
    # The wild cards that count most are laid first; what is left over is the same in number.
    naturals = [card for card in hand if card in NATURAL]
    for left, _ in with_runs(table, naturals):
        counts = Counter(RANK_OF[card] for card in left)
        if counts[RANK_OF[top]] < LEAST_NATURALS:
            continue
        start = {(len(naturals) - len(left), 0): VALUE[top] + values(naturals) - values(left)}
        for rank, count in sorted(counts.items()):
            start = _lay_some(start, rank, count, len(wild_points), rules, own=rank == RANK_OF[top])
        if rules.wild_melds:
            start = _lay_wilds(start, len(wild_points))
        for key, points in start.items():
            best[key] = max(best.get(key, 0), points)
    kept_from_pile = sum(card not in RED_THREES for card in table.pile[:-1])
    enough = [
        len(hand) - used - wilds + kept_from_pile
        for (used, wilds), points in best.items()
        if points + sum(wild_points[:wilds]) >= table.minimum
    ]
    if not enough or max(enough) > 1:
        return bool(enough)
    # So few cards are left that the turn can only end by going out, with all that the pile brings.
    after = table.copy()
    after.hand.extend(card for card in after.pile if card not in RED_THREES)
    after.memory.source = "pile"
    return can_go_out(after)


def _lay_wilds(best: dict[tuple[int, int], int], wilds: int) -> dict[tuple[int, int], int]:
    """The same with a meld of wild cards besides, or none; several such melds are worth no more than a long one."""
    further = dict(best)
    for (used, spent), points in best.items():
        for more in range(MELD_SIZE, min(CANASTA_SIZE, wilds - spent) + 1):
            further[used, spent + more] = max(further.get((used, spent + more), 0), points)
    return further


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
            if rules.twice_as_many_naturals:
                most = min(most, size // 2)
            for more in range(max(0, MELD_SIZE - size), most + 1):
                key = (used + laid, spent + more)
                further[key] = max(further.get(key, 0), points + laid * VALUE[rank])
    return further
