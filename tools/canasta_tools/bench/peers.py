"""Engines of other games as yardsticks: each plays random games to the end and counts the decisions made.

They are libraries of the extra ``bench``. Another game's move is another amount of work, so these ratios
tell orders of magnitude, no more. The libraries carry no types, hence ``Any`` at this edge.
"""

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from canasta_tools.bench.peers_records import Work

SEED = 1
MOST_PLIES = 300


def chess_moves() -> int:
    """Play random chess on python-chess, cut off at 300 plies."""
    chess: Any = import_module("chess")
    chance = random.Random(SEED)  # noqa: S311 - a peer's game, not a secret
    moves = 0
    for _ in range(4):
        board = chess.Board()
        for _ply in range(MOST_PLIES):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(chance.choice(legal))
            moves += 1
    return moves


def gin_moves() -> int:
    """Play random gin rummy on OpenSpiel, whose engine is C++, from a loop in Python."""
    spiel: Any = import_module("pyspiel")
    game = spiel.load_game("gin_rummy")
    chance = random.Random(SEED)  # noqa: S311 - a peer's game, not a secret
    moves = 0
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                moves += 1
    return moves


def poker_moves() -> int:
    """Play random no-limit hold'em for six on PokerKit, everything but the decisions automated."""
    kit: Any = import_module("pokerkit")
    random.seed(SEED)  # PokerKit shuffles with the global generator.
    chance = random.Random(SEED)  # noqa: S311 - a peer's game, not a secret
    moves = 0
    for _ in range(20):
        state = kit.NoLimitTexasHoldem.create_state(tuple(kit.Automation), True, 0, (1, 2), 2, (200,) * 6, 6)  # noqa: FBT003 - the peer's order of arguments
        while state.status:
            doors: list[tuple[bool, Callable[[], object]]] = [
                (state.can_check_or_call(), state.check_or_call),
                (state.can_complete_bet_or_raise_to(), state.complete_bet_or_raise_to),
                (state.can_fold(), state.fold),
            ]
            chance.choice([act for possible, act in doors if possible])()
            moves += 1
    return moves


def rlcard_moves() -> int:
    """Play random gin rummy on RLCard."""
    rlcard: Any = import_module("rlcard")
    environment = rlcard.make("gin-rummy", config={"seed": SEED})
    chance = random.Random(SEED)  # noqa: S311 - a peer's game, not a secret
    moves = 0
    for _ in range(10):
        state, _seat = environment.reset()
        while not environment.is_over():
            state, _seat = environment.step(chance.choice(list(state["legal_actions"])))
            moves += 1
    return moves


PLAYERS: Final[tuple[Work, ...]] = (
    ("PokerKit hold'em", "pokerkit", poker_moves),
    ("OpenSpiel gin rummy (C++)", "pyspiel", gin_moves),
    ("RLCard gin rummy", "rlcard", rlcard_moves),
    ("python-chess", "chess", chess_moves),
)
