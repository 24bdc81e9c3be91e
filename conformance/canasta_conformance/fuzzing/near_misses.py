"""Turns that differ from a legal one in one thing: most are wrong in one thing, some are legal in another way."""

from collections.abc import Callable, Mapping
from typing import Final

from canasta.kernel.acts import NEW_GROUP, Move
from canasta.notation.record import Written
from canasta.shuffle import SplitMix64
from canasta_conformance.fuzzing.situation import Situation

FEW: Final = 6
"""With a hand of no more cards than these, going out is tried more often."""

PAIR: Final = 2

Change = Callable[[Situation, list[Move], SplitMix64], "list[Move] | None"]


def near_miss(
    table: Situation, moves: list[Move], generator: SplitMix64, changes: "tuple[Change, ...] | None" = None
) -> list[Move] | None:
    """Change one thing in a turn; nothing where the change that was drawn finds nothing to change."""
    known = changes or CHANGES
    change = known[generator.below(len(known))]
    if not table.stack("stock") and declined in known and generator.below(2):
        change = declined
    elif len(table.hand()) <= FEW and everything_laid in known and generator.below(2):
        change = everything_laid
    found = change(table, moves, generator)
    return found if found is not None and found != moves else None


def any_card(table: Situation, generator: SplitMix64) -> int:
    """Draw a card: mostly one of the hand; else the top of the stock, which the player may be about to draw; else any."""
    hand, stock = table.hand(), table.stack("stock")
    drawn = generator.below(6)
    if drawn == 0 and stock:
        return int(stock[-1])
    return hand[generator.below(len(hand))] if hand and drawn < 5 else generator.below(table.game.deck.size)  # noqa: PLR2004 - five of six


def _parts(table: Situation, moves: list[Move]) -> list[int]:
    return [n for n, move in enumerate(moves) if table.kind(move) in {Written.LAY, Written.TAKE}]


def another_discard(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """Another card is discarded."""
    if table.kind(moves[-1]) not in {Written.DISCARD, Written.KNOCK} or not moves[-1].cards:
        return None
    return [*moves[:-1], moves[-1]._replace(cards=(any_card(table, generator),))]


def no_discard(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """The turn ends otherwise: out instead of a discard, or declined; in games that know it, by a knock."""
    last = moves[-1]
    if table.kind(last) is Written.DECLINE or len(moves) == 1:
        return None
    ends = [table.ending(kind) for kind in (Written.OUT, Written.DECLINE, Written.KNOCK) if table.ending(kind)]
    if not ends:
        return None
    act = table.game.ruleset.acts[ends[generator.below(len(ends))]]
    cards = (last.cards or (any_card(table, generator),)) if act.choose == "card" else ()
    return [*moves[:-1], Move(act.name, last.seat, cards)]


def part_left_out(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """One part is not laid."""
    parts = [n for n in _parts(table, moves) if table.kind(moves[n]) is Written.LAY]
    if not parts:
        return None
    left = parts[generator.below(len(parts))]
    new = moves[left].group == NEW_GROUP
    if new and any(move.group >= 0 for move in moves[left + 1 :]):
        return None  # what joins it would have no meld to join
    return [*moves[:left], *moves[left + 1 :]]


def card_changed(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """One part has a card more, a card less, or another card."""
    parts = _parts(table, moves)
    if not parts:
        return None
    part = parts[generator.below(len(parts))]
    cards = list(moves[part].cards)
    kind = generator.below(3)
    if kind == 0:
        cards.append(any_card(table, generator))
    elif not cards:
        return None
    else:
        place = generator.below(len(cards))
        cards[place : place + 1] = [] if kind == 1 else [any_card(table, generator)]
    if not cards and table.kind(moves[part]) is Written.LAY:
        return None
    return [*moves[:part], moves[part]._replace(cards=tuple(sorted(cards))), *moves[part + 1 :]]


def part_added(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """Something more is laid: cards of a rank with or without wild ones, or a card onto a meld of the side."""
    ending = {Written.DISCARD, Written.OUT, Written.ASK}
    places = [n for n, move in enumerate(moves) if table.kind(move) in ending]
    lay = table.act(Written.LAY)
    if not places or not lay:
        return None
    place = places[generator.below(len(places))]
    groups = [group.gid for group in table.own_groups()]
    seat, card, hand = table.state.turn_seat, any_card(table, generator), table.hand()
    wild = [other for other in hand if table.wild(other)]
    if groups and generator.below(2):
        card = wild[0] if wild and generator.below(2) else card
        part = Move(lay, seat, (card,), groups[generator.below(len(groups))])
    else:
        rank = table.game.deck.rank[card]
        alike = [other for other in hand if table.game.deck.rank[other] == rank]
        cards = [*alike, *wild[: generator.below(len(wild) + 1)]] if generator.below(3) else alike
        if len(cards) < PAIR:  # a single card is never near a meld
            return None
        part = Move(lay, seat, tuple(sorted(cards)))
    return [*moves[:place], part, *moves[place:]]


def taken_instead(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """The pile is taken instead of what the turn began with, with cards that look right or nearly so."""
    pile, take = table.stack("pile"), table.act(Written.TAKE)
    if not pile or not take or table.kind(moves[0]) not in {Written.DRAW, Written.TAKE, Written.DECLINE}:
        return None
    deck, seat = table.game.deck, table.state.turn_seat
    rest = [move for move in moves[1:] if table.kind(move) is not Written.PICK and move.group == NEW_GROUP]
    if table.kind(moves[0]) is Written.DECLINE and table.act(Written.DISCARD):
        rest = [Move(table.act(Written.DISCARD), seat, (any_card(table, generator),))]
    if not table.game.ruleset.acts[take].top:
        return [Move(take, seat), *rest]
    hand, top = table.hand(), pile[-1]
    alike = [card for card in hand if deck.rank[card] == deck.rank[top]]
    wild = [card for card in hand if table.wild(card)]
    cards = alike[: generator.below(4)] + wild[: generator.below(3)]
    groups = table.own_groups()
    onto = groups[generator.below(len(groups))].gid if groups and generator.below(2) else NEW_GROUP
    if onto >= 0:
        same = [group for group in groups if deck.rank[top] == group.rank]
        onto = same[0].gid if same and generator.below(4) else onto
    return [Move(take, seat, tuple(sorted(cards)), onto), *rest]


def declined(table: Situation, moves: list[Move], _: SplitMix64) -> list[Move] | None:
    """The pile is declined instead."""
    decline = table.act(Written.DECLINE)
    return [Move(decline, table.state.turn_seat)] if decline and table.kind(moves[0]) is not Written.DECLINE else None


def asked(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """The partner is asked somewhere in the turn, and answers."""
    ask = table.act(Written.ASK)
    if not ask or len(moves) < 2:  # noqa: PLR2004 - nothing is asked before the draw
        return None
    place = 1 + generator.below(len(moves) - 1)
    question = Move(ask, table.state.turn_seat)
    state, codes = table.ask_reference([*moves[:place], question])
    if codes:
        return [*moves[:place], question, *moves[place:]]
    options = table.game.listing.candidates(state)
    if not options:
        return None
    answer = options[generator.below(len(options))]
    return [*moves[:place], question, answer, *moves[place:]]


def everything_laid(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """All that finds a place is laid, and the turn ends with what is left: nobody knows whether that goes."""
    seat, deck, lay = table.state.turn_seat, table.game.deck, table.act(Written.LAY)
    start = moves[:1]
    drawn, codes = table.ask_reference(start)
    if not lay or table.kind(start[0]) is not Written.DRAW or codes or drawn.over:
        return None
    hand = table.hand(drawn)
    lying = {group.rank: group.gid for group in table.own_groups()}
    wild = [card for card in hand if table.wild(card)]
    parts: list[Move] = []
    for rank in sorted({deck.rank[card] for card in hand if not table.wild(card)}):
        alike = [card for card in hand if deck.rank[card] == rank]
        if rank in lying:
            parts.append(Move(lay, seat, tuple(alike), lying[rank]))
            continue
        while wild and len(alike) == PAIR:  # a pair wants one card more
            alike.append(wild.pop())
        if len(alike) > PAIR:
            parts.append(Move(lay, seat, tuple(sorted(alike))))
    places = sorted(lying.values())
    parts += [Move(lay, seat, (card,), places[generator.below(len(places))]) for card in wild if places]
    left = list(hand)
    for part in parts:
        for card in part.cards:
            left.remove(card)
    discard, last = table.act(Written.DISCARD), table.ending(Written.OUT, Written.DECLINE)
    if left and discard:
        return [*start, *parts, Move(discard, seat, (left[generator.below(len(left))],))]
    return [*start, *parts, Move(last, seat)] if last and not left else None


def out_of_order(table: Situation, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """An act comes at the wrong time: twice, too early, or not at all."""
    place = generator.below(len(moves))
    move = moves[place]
    if table.kind(move) in {Written.LAY, Written.TAKE} and move.group == NEW_GROUP:
        return None
    return (
        [*moves[:place], *moves[place + 1 :]]
        if generator.below(2) and len(moves) > 1
        else [*moves[: place + 1], move, *moves[place + 1 :]]
    )


CHANGES: Final[tuple[Change, ...]] = (
    another_discard,
    no_discard,
    part_left_out,
    card_changed,
    card_changed,
    part_added,
    part_added,
    taken_instead,
    taken_instead,
    declined,
    asked,
    everything_laid,
    everything_laid,
    out_of_order,
)

BY_NAME: Final[Mapping[str, Change]] = {change.__name__: change for change in CHANGES}
