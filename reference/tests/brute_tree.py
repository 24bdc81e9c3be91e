"""Plays found by trying everything: a measure for the lister and the look ahead that asks neither."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path

from canasta.games import open_game
from canasta.kernel.acts import NEW_GROUP, Move
from canasta.kernel.game import Game
from canasta.kernel.state import Stack, State
from canasta.language.ruleset import Act

sys.path.insert(0, str(Path(__file__).parent))
from random_positions import moments

sys.path.pop(0)

Key = tuple[object, ...]


@dataclass(slots=True)
class Tree:
    """Every way to end a turn from a state, found by trying the acts that ``offered`` gives; a standstill is no such way."""

    game: Game
    turn_no: int
    seat: int
    brute: bool
    known: dict[Key, frozenset[Key]] = field(default_factory=dict)

    def ends(self, state: State) -> frozenset[Key]:
        """Find how the table can lie when the turn has ended."""
        key = lying(self.game, state)
        if state.over or state.turn_no != self.turn_no:
            return frozenset([key])
        if key not in self.known:
            found: set[Key] = set()
            for move in self.offered(state):
                found |= self.ends(self.game.turn.carry_out(state, move))
            self.known[key] = frozenset(found)
        return self.known[key]

    def offered(self, state: State) -> list[Move]:
        """Give what may be tried: what the lister lists, or, by brute force, whatever nothing is said against.

        By brute force nothing looks ahead: what would have stood at a table is tried, and a dead end shows itself.
        """
        if not self.brute:
            listed = self.game.legal(state)
            assert not listed.unknown
            return list(listed.moves)
        return [m for m in every_move(self.game, state) if not self.game.as_played(state, m)[1].violations]


def every_move(game: Game, state: State) -> Iterator[Move]:
    """List all acts with cards of the hand, sensible or not."""
    for name in game.machine.phases[state.phase].acts:
        act = game.ruleset.acts[name]
        hand = state.zone(game.machine.hand)[state.seat]
        match act.choose:
            case "none":
                yield Move(name, state.seat)
            case "card":
                yield from (Move(name, state.seat, (k,)) for k in range(game.deck.size) if hand[k])
            case "option":
                assert act.option_type is not None
                yield from (Move(name, state.seat, option=act.option_type.words.index(w)) for w in act.options)
            case "groups":
                groups = [g.gid for g in game._judge.groups(state, act, state.seat)]
                yield from (Move(name, state.seat, (), one, other=other) for one, other in combinations(groups, 2))
            case _:
                yield from every_part(game, state, act, hand)


def every_part(game: Game, state: State, act: Act, hand: list[int]) -> Iterator[Move]:
    groups = [NEW_GROUP, *(g.gid for g in game._judge.groups(state, act, state.seat))]
    for counts in product(*(range(n + 1) for n in hand[:-1])):
        cards = tuple(k for k, n in enumerate(counts) for _ in range(n))
        if cards or act.top:
            yield from (Move(act.name, state.seat, cards, group) for group in groups)


def lying(game: Game, state: State) -> Key:
    """Say how everything lies, whatever the numbers of the groups and the order of the parts."""
    found: list[object] = [
        state.seat,
        state.phase,
        state.turn_no,
        state.over,
        state.reason,
        state.stage,
        bool(state.draft),
        *state.laid,
    ]
    for zone in game.ruleset.zones.values():
        content = state.zone(zone.index)
        for place in [content] if zone.of.value == "table" else content:
            if zone.form.value == "groups":
                united = {p.gid for p in state.parts if p.unites and p.stage == state.stage}
                found.append(
                    tuple(
                        sorted(
                            (g.shape, g.was, tuple(g.cards), tuple(g.added), g.turn, g.marks, g.gid in united)
                            for g in place
                        )
                    )
                )
            else:
                found.append(tuple(place.cards if isinstance(place, Stack) else place))
    return (*found, *(repr(state.variable(v.index)) for v in game.ruleset.state.values()))


def thinned(game: Game, state: State, most: int) -> State:
    """Put cards of the acting hand, and of the pile below its top, under the stock, until few are left."""
    fewer = state.copy()
    hand = fewer.zone(game.machine.hand)[fewer.seat]
    stock = fewer.zone(game.ruleset.zones["stock"].index)
    pile = fewer.zone(game.ruleset.zones["pile"].index)
    while len(pile.cards) > 2:
        card = pile.cards.pop(0)
        pile.counts[card] -= 1
        stock.cards.insert(0, card)
        stock.counts[card] += 1
    while sum(hand) > most:
        card = min((k for k, n in enumerate(hand) if n), key=lambda k: (hand[k], k))
        hand[card] -= 1
        stock.cards.insert(0, card)
        stock.counts[card] += 1
    return fewer


def starts(name: str, seeds: range, *, by_face: bool, most: int) -> Iterator[tuple[Game, State]]:
    """Give states between plays in which the seat to act holds few cards."""
    game = open_game(name, by_face=by_face)
    for seed in seeds:
        for state, _, _ in moments(game, seed):
            mine = state.seat == state.turn_seat  # who answers is not the one whose cards will be tried
            if mine and not state.draft and not state.parts and sum(state.zone(game.machine.hand)[state.seat]):
                yield game, thinned(game, state, most)
