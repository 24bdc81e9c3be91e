"""What must hold of every game, of every shipped rule set and each of its profiles; `make deep` asks it of more deals.

`CANASTA_DEEP` in the environment says how many deals of each.
"""

import os
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canasta.games import load_ruleset, open_game
from canasta.kernel.game import Game
from canasta.kernel.outlook import Outlook
from canasta.kernel.state import NOBODY, State
from canasta.language.evaluator import Evaluator
from canasta.language.naming import known
from canasta.language.ruleset import Owner
from canasta.random_play import play_match
from canasta.shuffle import SplitMix64, derive

sys.path.insert(0, str(Path(__file__).parent))
from hidden_cards import choice_of, closed, completed, hide, holds
from random_positions import cases, moments, plain
from what_holds import (
    Deal,
    a_refusal_changes_nothing,
    any_move,
    dropping_gives_the_state_before,
    in_other_orders,
    ledger_adds_up,
    no_card_is_lost,
    own_cards_are_seen,
    plays,
    what_is_not_seen_makes_no_difference,
    what_was_listed_is_accepted,
)

sys.path.pop(0)

DEEP = int(os.environ.get("CANASTA_DEEP", "0"))
DEALS = DEEP or 1
EVERY = 1 if DEEP else 12
"""So many moments apart are those of which a thing is asked that takes its time."""

GAMES = [name for base in known() for name in (base, *(f"{base}:{profile}" for profile in load_ruleset(base).profiles))]

PROPERTY = settings(deadline=None, max_examples=12 if not DEEP else 2 * len(GAMES) * DEALS, derandomize=True)


@cache
def opened(name: str) -> Game:
    """Open a game; of every second one each printed card is told apart."""
    return open_game(name, by_face=GAMES.index(name) % 2 == 1)


@cache
def dealt(name: str, seed: int) -> Deal:
    return moments(opened(name), seed)


@pytest.mark.soon("classic", "samba")
@pytest.mark.parametrize("name", GAMES)
def test_cards_acts_drafts_and_orders_of_random_deals(name: str) -> None:
    game, dropped = opened(name), 0
    for seed in range(DEALS):
        deal = dealt(name, seed)
        assert deal[-1][2].over
        no_card_is_lost(game, deal)
        what_was_listed_is_accepted(game, deal[seed % EVERY :: EVERY])
        dropped += dropping_gives_the_state_before(game, deal)
        for first, parts, end in plays(game, deal):
            in_other_orders(game, first, parts, end)
        ledger_adds_up(game, deal[-1][2])
    assert dropped or name.startswith("gin"), "in gin cards are laid only when the deal is over"


@pytest.mark.soon("classic", "samba")
@pytest.mark.parametrize("name", GAMES)
def test_every_back_end_says_the_same_and_bounds_hold_whatever_is_hidden(name: str) -> None:
    game, pick = opened(name), SplitMix64(3)
    evaluator = Evaluator(game.ruleset, game.deck)
    asked = 0
    for seed in range(DEALS):
        for number, (state, _, _) in enumerate(dealt(name, seed)[seed % EVERY :: EVERY]):
            partial, slots = hide(game, state, pick, set(), share=(2, 5, 20)[number % 3])
            way = completed(game, partial, slots, pick)
            exact, hidden = (Outlook(game.machine, s, game.listing) for s in (state, partial))
            for case in cases(game, state, pick):
                at = f"{case.expr.path}: {case.expr.text}"
                value = game.backend.function(case.expr)(state, case.context, case.seat, case.side)
                told = evaluator.function(case.expr)(state, case.context, case.seat, case.side)
                assert plain(value) == plain(told), at
                bounds = game.bounder.function(case.expr)
                found = bounds(state, choice_of(exact, case.context), case.seat, case.side, exact)
                assert holds(found, value), at
                assert closed(found), at
                wide = bounds(partial, choice_of(hidden, case.context), case.seat, case.side, hidden)
                assert holds(wide, value), at
                other = game.backend.function(case.expr)(way, case.context, case.seat, case.side)
                assert holds(wide, other), at
                asked += 1
    assert asked > 100


@given(st.sampled_from(GAMES), st.integers(0, DEALS - 1), st.integers(0, 10_000), st.data())
@PROPERTY
def test_no_door_changes_a_state_and_every_seat_sees_what_it_may(
    name: str, seed: int, at: int, data: st.DataObject
) -> None:
    game, deal = opened(name), dealt(name, seed)
    state = deal[at % len(deal)][0]
    a_refusal_changes_nothing(game, state, data.draw(any_move(game, state)))
    what_is_not_seen_makes_no_difference(game, state, at % len(state.side_of), SplitMix64(at))
    own_cards_are_seen(game, state)


@pytest.mark.soon("classic", "samba")
@pytest.mark.parametrize("name", GAMES)
def test_what_is_carried_from_deal_to_deal_is_what_the_ledgers_say(name: str) -> None:
    game = opened(name)
    account = game.ruleset.state[game.ruleset.table.account]
    before: list[int] | None = None
    for _, _, first, _, last in play_match(game, derive(7, 7, 7), most_deals=1 + DEALS):
        assert before is None or first.variable(account.index) == before
        before = [total + owed(game, last, owner) for owner, total in enumerate(last.variable(account.index))]
        assert game.scoring.carried(last)[account.name] == before


def owed(game: Game, last: State, owner: int) -> int:
    """Add up the lines of a side, or of a seat those of its own and of its side as a whole."""
    of_seat = game.ruleset.state[game.ruleset.table.account].of is Owner.SEAT
    side, mine = (last.side_of[owner], (NOBODY, owner)) if of_seat else (owner, None)
    lines = game.ledger(last).lines
    return sum(line.points for line in lines if line.side == side and (mine is None or line.seat in mine))


def test_there_is_a_game_of_every_kind() -> None:
    kinds = {act.choose for name in GAMES for act in opened(name).ruleset.acts.values()}
    assert kinds == {"none", "card", "option", "part", "groups"}
