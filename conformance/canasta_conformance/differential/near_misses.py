"""Turns that differ from a legal one in one thing: most are wrong in one thing, some are legal in another way."""

from collections.abc import Callable

from canasta.kernel.acts import NEW_GROUP, Move
from canasta.kernel.cards import listed
from canasta.shuffle import SplitMix64
from canasta_conformance.differential.tables import Tables

FEW = 6
"""With a hand of no more cards than these, going out is tried more often."""

Change = Callable[[Tables, list[Move], SplitMix64], "list[Move] | None"]


def near_miss(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """A turn with one thing changed, or nothing where the change that was drawn finds nothing to change."""
    change = CHANGES[generator.below(len(CHANGES))]
    if not tables.zone(tables.state, "stock").cards and generator.below(2):
        change = declined
    elif len(_hand(tables)) <= FEW and generator.below(2):
        change = everything_laid
    found = change(tables, moves, generator)
    return found if found is not None and found != moves else None


def _hand(tables: Tables) -> list[int]:
    return listed(tables.zone(tables.state, "hand")[tables.state.turn_seat][:-1])


def _any_card(tables: Tables, generator: SplitMix64) -> int:
    """Mostly a card of the hand; else the top of the stock, which the player may be about to draw; else any."""
    hand, stock = _hand(tables), tables.zone(tables.state, "stock").cards
    drawn = generator.below(6)
    if drawn == 0 and stock:
        return int(stock[-1])
    return hand[generator.below(len(hand))] if hand and drawn < 5 else generator.below(tables.game.deck.size)  # noqa: PLR2004 - five of six


def _parts(moves: list[Move]) -> list[int]:
    return [at for at, move in enumerate(moves) if move.act in {"lay", "take"}]


def another_discard(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """Another card is discarded."""
    if moves[-1].act != "discard":
        return None
    return [*moves[:-1], moves[-1]._replace(cards=(_any_card(tables, generator),))]


def no_discard(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """The turn ends otherwise: out instead of a discard, or declined."""
    last = moves[-1]
    if last.act == "decline" or len(moves) == 1:
        return None
    known = tables.game.ruleset.acts
    ends = [act for act in ("out", "pass" if "pass" in known else "decline") if act in known]
    return [*moves[:-1], Move(ends[generator.below(len(ends))], last.seat)]


def part_left_out(_: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """One part is not laid."""
    parts = [at for at in _parts(moves) if moves[at].act == "lay"]
    if not parts:
        return None
    at = parts[generator.below(len(parts))]
    new = moves[at].group == NEW_GROUP
    if new and any(move.group >= 0 for move in moves[at + 1 :]):
        return None  # what joins it would have no meld to join
    return [*moves[:at], *moves[at + 1 :]]


def card_changed(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """One part has a card more, a card less, or another card."""
    parts = _parts(moves)
    if not parts:
        return None
    at = parts[generator.below(len(parts))]
    cards = list(moves[at].cards)
    kind = generator.below(3)
    if kind == 0:
        cards.append(_any_card(tables, generator))
    elif not cards:
        return None
    else:
        place = generator.below(len(cards))
        cards[place : place + 1] = [] if kind == 1 else [_any_card(tables, generator)]
    if not cards and moves[at].act == "lay":
        return None
    return [*moves[:at], moves[at]._replace(cards=tuple(sorted(cards))), *moves[at + 1 :]]


def part_added(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """Something more is laid: cards of a rank with or without wild ones, or a card onto a meld of the side."""
    places = [at for at, move in enumerate(moves) if move.act in {"discard", "out", "ask"}]
    if not places:
        return None
    at = places[generator.below(len(places))]
    groups = [group.gid for group in tables.zone(tables.state, "melds")[tables.state.side_of[tables.state.turn_seat]]]
    seat = tables.state.turn_seat
    card = _any_card(tables, generator)
    hand = _hand(tables)
    wild = [other for other in hand if tables.game.deck.classes["wild"][other]]
    if groups and generator.below(2):
        card = wild[0] if wild and generator.below(2) else card
        part = Move("lay", seat, (card,), groups[generator.below(len(groups))])
    else:
        rank = tables.game.deck.rank[card]
        alike = [other for other in hand if tables.game.deck.rank[other] == rank]
        cards = [*alike, *wild[: generator.below(len(wild) + 1)]] if generator.below(3) else alike
        if len(cards) < 2:  # noqa: PLR2004 - a single card is never near a meld
            return None
        part = Move("lay", seat, tuple(sorted(cards)))
    return [*moves[:at], part, *moves[at:]]


def taken_instead(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """The pile is taken instead of what the turn began with, with cards that look right or nearly so."""
    pile = tables.zone(tables.state, "pile").cards
    if not pile or moves[0].act not in {"draw", "take", "decline"}:
        return None
    deck, seat = tables.game.deck, tables.state.turn_seat
    hand, top = _hand(tables), pile[-1]
    alike = [card for card in hand if deck.rank[card] == deck.rank[top]]
    wild = [card for card in hand if deck.classes["wild"][card]]
    cards = alike[: generator.below(4)] + wild[: generator.below(3)]
    groups = [group.gid for group in tables.zone(tables.state, "melds")[tables.state.side_of[seat]]]
    onto = groups[generator.below(len(groups))] if groups and generator.below(2) else NEW_GROUP
    if onto >= 0:
        same = [g for g in tables.zone(tables.state, "melds")[tables.state.side_of[seat]] if deck.rank[top] == g.rank]
        onto = same[0].gid if same and generator.below(4) else onto
    rest = [move for move in moves[1:] if move.act != "pick" and move.group == NEW_GROUP]
    if moves[0].act == "decline":
        rest = [Move("discard", seat, (_any_card(tables, generator),))]
    return [Move("take", seat, tuple(sorted(cards)), onto), *rest]


def declined(tables: Tables, moves: list[Move], _: SplitMix64) -> list[Move] | None:
    """The pile is declined instead."""
    return None if moves[0].act == "decline" else [Move("decline", tables.state.turn_seat)]


def asked(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """The partner is asked somewhere in the turn, and answers."""
    if "ask" not in tables.game.ruleset.acts or len(moves) < 2:  # noqa: PLR2004 - nothing is asked before the draw
        return None
    at = 1 + generator.below(len(moves) - 1)
    state, codes = tables.ask_reference([*moves[:at], Move("ask", tables.state.turn_seat)])
    if codes:
        return [*moves[:at], Move("ask", tables.state.turn_seat), *moves[at:]]
    options = tables.game.listing.candidates(state)
    if not options:
        return None
    answer = options[generator.below(len(options))]
    return [*moves[:at], Move("ask", tables.state.turn_seat), answer, *moves[at:]]


def everything_laid(tables: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """All that finds a place is laid, and the turn ends with what is left: nobody knows whether that goes."""
    seat, deck = tables.state.turn_seat, tables.game.deck
    start = moves[:1]
    drawn, codes = tables.ask_reference(start)
    if start[0].act != "draw" or codes or drawn.over:
        return None
    hand = listed(tables.zone(drawn, "hand")[seat][:-1])
    lying = {group.rank: group.gid for group in tables.zone(tables.state, "melds")[tables.state.side_of[seat]]}
    wild = [card for card in hand if deck.classes["wild"][card]]
    parts: list[Move] = []
    for rank in sorted({deck.rank[card] for card in hand if not deck.classes["wild"][card]}):
        alike = [card for card in hand if deck.rank[card] == rank]
        if rank in lying:
            parts.append(Move("lay", seat, tuple(alike), lying[rank]))
            continue
        while wild and len(alike) == 2:  # noqa: PLR2004 - a pair wants one card more
            alike.append(wild.pop())
        if len(alike) > 2:  # noqa: PLR2004 - three cards make a meld
            parts.append(Move("lay", seat, tuple(sorted(alike))))
    places = sorted(lying.values())
    parts += [Move("lay", seat, (card,), places[generator.below(len(places))]) for card in wild if places]
    left = list(hand)
    for part in parts:
        for card in part.cards:
            left.remove(card)
    last = "out" if "out" in tables.game.ruleset.acts else "pass"
    end = Move("discard", seat, (left[generator.below(len(left))],)) if left else Move(last, seat)
    return [*start, *parts, end]


def out_of_order(_: Tables, moves: list[Move], generator: SplitMix64) -> list[Move] | None:
    """An act comes at the wrong time: twice, too early, or not at all."""
    at = generator.below(len(moves))
    move = moves[at]
    if move.act in {"lay", "take"} and move.group == NEW_GROUP:
        return None
    return (
        [*moves[:at], *moves[at + 1 :]]
        if generator.below(2) and len(moves) > 1
        else [*moves[: at + 1], move, *moves[at + 1 :]]
    )


CHANGES: tuple[Change, ...] = (
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
