"""No accepted act strands its player, through whichever door it is tried."""

import pytest

from canasta.games import open_game
from canasta.kernel.acts import Move, RefusedError
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.position_text import parse_position
from canasta.playing.positions import to_state

STRANDING = "N at start; hand.N QQ4; pile Q; opened.NS; melds.NS 555; stock ?30"
FINE = "N at start; hand.N QQ4; pile 5 Q; opened.NS; melds.NS 555; stock ?30"


def take(text: str) -> tuple[Game, State, Move]:
    game = open_game("classic")
    position, faults = parse_position(text, "test")
    assert position is not None
    assert not faults
    state = to_state(game, position)
    queens = (game.deck.find("Q"),) * 2
    return game, state, Move("take", state.seat, queens)


def test_a_take_that_leaves_one_card_and_no_canasta_is_refused_by_judge_lister_and_apply() -> None:
    game, state, move = take(STRANDING)
    assert game.judge(state, move).codes == ("NO_WAY_TO_END_THE_TURN",)
    assert move not in game.legal(state).moves
    with pytest.raises(RefusedError):
        game.apply(state, move)


def test_the_same_take_of_a_pile_with_one_more_card_is_accepted() -> None:
    game, state, move = take(FINE)
    assert not game.judge(state, move).violations
    assert move in game.legal(state).moves
    assert game.apply(state, move).seat == state.seat


def test_as_played_it_goes_on_without_looking_ahead() -> None:
    game, state, move = take(STRANDING)
    after, verdict = game.as_played(state, move)
    assert not verdict.violations
    assert after.seat == state.seat
