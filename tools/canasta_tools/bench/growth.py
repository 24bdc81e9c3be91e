"""How the cost of listing legal acts grows: with the cards of a hand, the melds on the table, and the packs of a deck.

Each position is made, not played: a side that has opened, a hand dealt from a shuffled pack, melds of three natural cards.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from canasta.games import game_of, load_ruleset, open_game
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Group, State
from canasta.random_play import shuffled_pack
from canasta_tools.bench.race import Contender, Race

RULES: Final = "classic"
SEEDS: Final = range(1, 13)
HANDS: Final = (11, 20, 30, 45)
MELDS: Final = (0, 3, 6, 9)
PACKS: Final = (2, 3, 4)
SIDE: Final = 0
USUAL: Final = 11


def by_hand() -> Race:
    """Ask what more cards in the hand cost."""
    game = open_game(RULES)
    return _race("grow-hand", "Listing what is legal, by cards in the hand", _sizes(game, HANDS, "cards in the hand"))


def by_melds() -> Race:
    """Ask what more melds on the table cost."""
    game = open_game(RULES)
    tables = ((f"{n} melds of the side", game, [position(game, seed, USUAL, n) for seed in SEEDS]) for n in MELDS)
    return _race("grow-melds", "Listing what is legal, by melds of the side", tables)


def by_packs() -> Race:
    """Ask what more packs cost, with hands of the same size."""
    rules = load_ruleset(RULES)
    games = {n: game_of(replace(rules, pack=rules.pack._replace(packs=n))) for n in PACKS}
    tables = ((f"{n} packs", game, [position(game, seed, USUAL, 3) for seed in SEEDS]) for n, game in games.items())
    return _race("grow-packs", "Listing what is legal, by packs", tables)


def _sizes(game: Game, sizes: Iterable[int], what: str) -> Iterable[tuple[str, Game, list[State]]]:
    return ((f"{n} {what}", game, [position(game, seed, n, 3) for seed in SEEDS]) for n in sizes)


def _race(name: str, title: str, tables: Iterable[tuple[str, Game, list[State]]]) -> Race:
    contenders = tuple(Contender(label, partial(_list_all, game, states)) for label, game, states in tables)
    return Race(name, title, "list", contenders)


def _list_all(game: Game, states: list[State]) -> int:
    for state in states:
        # A copy has been asked nothing yet.
        game.legal(state.copy())
    return len(states)


def position(game: Game, seed: int, cards: int, melds: int) -> State:
    """Make a position in mid-turn: a hand of so many cards, and so many melds of the acting side."""
    pack, rules = shuffled_pack(game, seed), game.ruleset
    state = game.start(pack, rules.table.seats - 1).copy()
    state.phase = rules.phases["play"].index
    shown, natural = game.deck.classes["red_three"], game.deck.classes["natural"]
    ranks = [kind for kind in range(game.deck.size) if natural[kind]][:melds]
    left = game.deck.full()
    groups = state.zone(rules.zones["melds"].index)[SIDE]
    for gid, kind in enumerate(ranks, 1):
        left[kind] -= 3
        group = game.machine.shapes.settle(Group(gid, NOBODY, 0, game.deck.bag([kind] * 3)))
        group.was, group.added = group.size, game.deck.empty()
        groups.append(group)
    state.next_gid = len(ranks) + 1
    state.side_of[state.seat] = SIDE
    state.variable(rules.state["opened"].index)[SIDE] = 1
    hand = game.deck.empty()
    for kind in pack:
        if sum(hand) < cards and left[kind] and not shown[kind]:
            hand[kind] += 1
            left[kind] -= 1
    state.zone(game.machine.hand)[state.seat] = hand
    return state
