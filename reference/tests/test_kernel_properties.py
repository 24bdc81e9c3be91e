"""What must hold of every game whatever its rules: cards, states, order of parts, ledgers, observations, seeds."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.random_play import play_match, shuffled_pack
from canasta.shuffle import SplitMix64, derive

sys.path.insert(0, str(Path(__file__).parent))
from brute_tree import Tree, every_move, starts
from hidden_cards import completed, hide
from random_positions import moments
from what_holds import (
    a_refusal_changes_nothing,
    any_move,
    cards_of,
    dropping_gives_the_state_before,
    in_other_orders,
    ledger_adds_up,
    lying,
    no_card_is_lost,
    own_cards_are_seen,
    plays,
    snapshot,
    what_is_not_seen_makes_no_difference,
    what_was_listed_is_accepted,
)

sys.path.pop(0)

RUNS = str(Path(__file__).parent / "mini" / "runs.yaml")
GIN = str(Path(__file__).parent / "mini" / "loose-gin.yaml")
GAMES = ["classic", GIN, "classic:pagat,failed_asking=fined", "classic:article,concealed_canasta=yes", RUNS]
SHORT = (RUNS, GIN)
SEEDS = 6

games = st.sampled_from(GAMES)
seeds = st.integers(0, SEEDS - 1)
SHORT_DEALS = 60
"""A deal of the small games has few acts, or few that lay anything, so that more of them are needed."""

PROPERTY = settings(deadline=None, max_examples=60, derandomize=True)


@cache
def played(name: str, seed: int) -> list[tuple[State, Move, State]]:
    game = open_game(name, by_face=seed % 2 == 1)
    return moments(game, seed, late=name not in SHORT and seed % 3 == 0)


def opened(name: str, seed: int) -> Game:
    return open_game(name, by_face=seed % 2 == 1)


# -- cards and states --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_no_card_is_ever_lost_or_made(name: str) -> None:
    for seed in range(SEEDS):
        no_card_is_lost(opened(name, seed), played(name, seed))


@pytest.mark.parametrize("name", GAMES)
def test_every_act_that_was_listed_is_accepted_and_leaves_its_state_alone(name: str) -> None:
    for seed in range(SEEDS):
        what_was_listed_is_accepted(opened(name, seed), played(name, seed)[seed % 4 :: 4])


@given(games, seeds, st.data())
@PROPERTY
def test_a_refused_act_changes_nothing_and_no_door_changes_its_state(name: str, seed: int, data: st.DataObject) -> None:
    game = opened(name, seed)
    states = [s for s, _, _ in played(name, seed)] + [played(name, seed)[-1][2]]
    state = states[data.draw(st.integers(0, len(states) - 1))]
    a_refusal_changes_nothing(game, state, data.draw(any_move(game, state)))


@pytest.mark.parametrize("name", GAMES)
def test_dropping_a_draft_gives_the_state_before_it(name: str) -> None:
    seeds = range(SHORT_DEALS if name in SHORT else SEEDS)
    dropped = sum(dropping_gives_the_state_before(opened(name, seed), played(name, seed)) for seed in seeds)
    assert dropped > 10


# -- plays -------------------------------------------------------------------------------------------------------------


def tried_out(game: Game, first: State, parts: list[Move], seen: set[str]) -> Iterator[tuple[list[Move], Move]]:
    """Find plays by trying every act that nothing is said against when it is done: their parts, and what ends them."""
    state = first
    for part in parts:
        state = game.turn.carry_out(state, part)
    if (key := str(lying(game, state))) in seen:
        return
    seen.add(key)
    for move in every_move(game, state):
        after, verdict = game.as_played(state, move)
        if verdict.violations:
            continue
        if game.ruleset.acts[move.act].choose != "part":
            if len(parts) > 1:
                yield parts, move
        elif after.draft == len(parts) + 1:
            yield from tried_out(game, first, [*parts, move], seen)


@pytest.mark.parametrize("name", GAMES)
def test_the_order_of_the_parts_of_a_random_play_never_matters(name: str) -> None:
    tried = 0
    for seed in range(SHORT_DEALS if name in SHORT else SEEDS):
        game = opened(name, seed)
        for first, parts, end in plays(game, played(name, seed)):
            tried += in_other_orders(game, first, parts, end)
    assert tried > 20, tried


@pytest.mark.soon("classic-9")
@pytest.mark.parametrize(("name", "every"), [("classic", 9), ("classic:article,concealed_canasta=yes", 6), (RUNS, 5)])
def test_the_order_of_parts_never_matters_in_plays_that_no_lister_has_found(name: str, every: int) -> None:
    tried = found = 0
    for number, (game, first) in enumerate(
        starts(name, range(SHORT_DEALS // 2 if name == RUNS else 3), by_face=False, most=5)
    ):
        if number % every == 0:
            for parts, end in tried_out(game, first, [], set()):
                tried += in_other_orders(game, first, parts, end)
                found += 1
    assert found > 10, found
    assert tried > found, tried


STRAND = [
    ("classic", 11),
    ("classic:pagat,failed_asking=fined", 17),
    ("classic:article,last_red_three=may_meld", 17),
    (RUNS, 5),
]


@pytest.mark.soon("classic-11")
@pytest.mark.parametrize(("name", "every"), STRAND)
def test_no_accepted_act_strands_its_player(name: str, every: int) -> None:
    """Follow what is listed through whole turns; after each act some way to end the turn is found by trying everything."""
    asked = parts = 0
    for number, (game, start) in enumerate(
        starts(name, range(SHORT_DEALS // 2 if name == RUNS else 3), by_face=False, most=4)
    ):
        if number % every:
            continue
        tree = Tree(game, start.turn_no, start.seat, brute=True)
        pick, state = SplitMix64(number), start
        while not state.over and state.turn_no == start.turn_no:
            moves = game.legal(state).moves
            assert moves, f"state {number}: {state.phase}"
            for move in moves:
                assert tree.ends(game.turn.perform(state, move)), f"state {number}: {move}"
                parts += game.ruleset.acts[move.act].choose == "part"
            asked += len(moves)
            state = game.apply(state, moves[pick.below(len(moves))])
    assert asked > 50, asked
    assert parts > 5, parts


@pytest.mark.parametrize("name", GAMES)
def test_every_deal_of_listed_acts_comes_to_an_end(name: str) -> None:
    for seed in range(SEEDS):
        assert played(name, seed)[-1][2].over


# -- what is seen, counted and repeated --------------------------------------------------------------------------------


@given(games, seeds, st.integers(0, 10_000), st.integers(0, 3))
@PROPERTY
def test_states_that_differ_only_in_what_a_seat_cannot_see_look_the_same_to_it(
    name: str, seed: int, at: int, seat: int
) -> None:
    history = played(name, seed)
    state = history[at % len(history)][0]
    assume(what_is_not_seen_makes_no_difference(opened(name, seed), state, seat % len(state.side_of), SplitMix64(at)))


@given(games, seeds, st.integers(0, 10_000))
@PROPERTY
def test_what_a_seat_sees_tells_its_own_cards(name: str, seed: int, at: int) -> None:
    history = played(name, seed)
    assume(own_cards_are_seen(opened(name, seed), history[at % len(history)][0]))


@pytest.mark.parametrize("name", GAMES)
def test_ledgers_add_up_and_are_carried_on(name: str) -> None:
    game = open_game(name)
    account = game.ruleset.state[game.ruleset.table.account]
    for seed in range(2):
        before: list[int] | None = None
        for deal, _, first, moves, last in play_match(game, derive(seed, 9, 9), most_deals=4):
            ledger = game.ledger(last)
            owners = range(len(last.variable(account.index)))
            if before is not None:
                assert first.variable(account.index) == before, f"deal {deal} after {len(moves)} acts"
            ledger_adds_up(game, last)
            before = [last.variable(account.index)[o] + ledger.total(o) for o in owners]
            assert game.scoring.carried(last)[account.name] == before


TRACE = """
import sys
from canasta.games import open_game
from canasta.random_play import play_match
for deal, pack, first, moves, last in play_match(open_game("classic"), 77, most_deals=2):
    print(deal, pack, moves, last.reason)
"""


def test_the_same_seed_gives_the_same_bytes() -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", TRACE], capture_output=True, check=True, env=environment)  # noqa: S603 - our own text
        assert len(done.stdout) > 1000
        digests.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(digests) == 1


def test_a_pack_in_another_order_gives_another_deal() -> None:
    game = open_game("classic")
    assert len({str(snapshot(game.start(shuffled_pack(game, seed), 0))) for seed in range(5)}) == 5


def test_hiding_and_completing_lose_no_card() -> None:
    game = open_game("classic")
    pick = SplitMix64(1)
    for state, _, _ in played("classic", 0)[::20]:
        partial, slots = hide(game, state, pick, set(), share=2)
        assert sum(cards_of(game, partial)) == game.deck.total
        assert cards_of(game, completed(game, partial, slots, pick)) == game.deck.full()
