"""Other games' records as yardsticks: chess in PGN for python-chess, hold'em in PHH for PokerKit.

The records are made from random games with a stated seed, once a process, as ours are. A game of chess is cut off at 80
plies, since random players do not end it. The libraries carry no types, hence ``Any`` at this edge.
"""

import io
import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from canasta_tools.bench.race import Contender

SEED = 1
CHESS_GAMES = 12
CHESS_PLIES = 80
HANDS = 60
STACKS = (200,) * 6


class WrongPeerRecordError(RuntimeError):
    """A peer does not accept what it wrote itself."""


# -- chess ---------------------------------------------------------------------------------------------------------------


@cache
def chess_games() -> tuple[tuple[Any, ...], ...]:
    """Play random games of chess; each is its moves."""
    chess: Any = import_module("chess")
    chance = random.Random(SEED)  # noqa: S311 - a peer's game, not a secret
    games: list[tuple[Any, ...]] = []
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        while len(board.move_stack) < CHESS_PLIES and (legal := list(board.legal_moves)):
            board.push(chance.choice(legal))
        games.append(tuple(board.move_stack))
    return tuple(games)


def plies() -> int:
    """Count the moves of the games of chess."""
    return sum(len(moves) for moves in chess_games())


@cache
def pgn() -> str:
    """Write the games of chess down."""
    pgn_module: Any = import_module("chess.pgn")
    texts: list[str] = []
    for moves in chess_games():
        game = pgn_module.Game()
        game.add_line(moves)
        texts.append(f"{game}\n\n")
    return "".join(texts)


def pgn_read_and_judged() -> int:
    """Read PGN into a tree, every move checked; counts plies."""
    pgn_module: Any = import_module("chess.pgn")
    stream = io.StringIO(pgn())
    while (game := pgn_module.read_game(stream)) is not None:
        if game.errors:
            raise WrongPeerRecordError(str(game.errors[0]))
    return plies()


def pgn_read() -> int:
    """Read PGN, which python-chess cannot do without checking the moves; counts characters."""
    pgn_read_and_judged()
    return len(pgn())


def pgn_skipped() -> int:
    """Find only where the games of a PGN file begin and end; counts characters."""
    pgn_module: Any = import_module("chess.pgn")
    stream = io.StringIO(pgn())
    while pgn_module.skip_game(stream):
        pass
    return len(pgn())


def chess_judged() -> int:
    """Ask of every recorded move whether it is legal, and make it; counts plies."""
    chess: Any = import_module("chess")
    for moves in chess_games():
        board = chess.Board()
        for move in moves:
            if not board.is_legal(move):
                raise WrongPeerRecordError(str(move))
            board.push(move)
    return plies()


# -- poker ---------------------------------------------------------------------------------------------------------------

_DOORS: Final = ("check_or_call", "complete_bet_or_raise_to", "fold")


def _poker() -> Any:  # noqa: ANN401 - a peer without types
    kit: Any = import_module("pokerkit")
    return kit.NoLimitTexasHoldem(tuple(kit.Automation), True, 0, (1, 2), 2)  # noqa: FBT003 - the peer's order of arguments


@cache
def poker_hands() -> tuple[tuple[tuple[int, tuple[str, ...]], ...], tuple[str, ...]]:
    """Play random hands: for each the seed of its shuffle and the doors that were used, and its PHH text."""
    kit: Any = import_module("pokerkit")
    poker, chance = _poker(), random.Random(SEED)  # noqa: S311 - a peer's game, not a secret
    hands: list[tuple[int, tuple[str, ...]]] = []
    texts: list[str] = []
    for seed in range(HANDS):
        random.seed(seed)  # PokerKit shuffles with the global generator.
        state, doors = poker(STACKS, len(STACKS)), list[str]()
        while state.status:
            doors.append(chance.choice([door for door in _DOORS if getattr(state, f"can_{door}")()]))
            getattr(state, doors[-1])()
        hands.append((seed, tuple(doors)))
        texts.append(kit.HandHistory.from_game_state(poker, state).dumps())
    return tuple(hands), tuple(texts)


def poker_decisions() -> int:
    """Count what the players of the hands decided; the dealing and showing that PHH also writes are no decisions."""
    return sum(len(doors) for _, doors in poker_hands()[0])


def phh_read_and_judged() -> int:
    """Load PHH and play every action, each checked; counts decisions."""
    kit: Any = import_module("pokerkit")
    for text in poker_hands()[1]:
        for _state in kit.HandHistory.loads(text):
            pass
    return poker_decisions()


def phh_read() -> int:
    """Load PHH, checking nothing but its fields; counts characters."""
    kit: Any = import_module("pokerkit")
    for text in poker_hands()[1]:
        kit.HandHistory.loads(text)
    return sum(len(text) for text in poker_hands()[1])


def poker_judged() -> int:
    """Make every recorded decision through the door that checks it first; counts decisions."""
    poker = _poker()
    for seed, doors in poker_hands()[0]:
        random.seed(seed)
        state = poker(STACKS, len(STACKS))
        for door in doors:
            getattr(state, door)()
    return poker_decisions()


# -- who is here ---------------------------------------------------------------------------------------------------------

Work = tuple[str, str, Callable[[], int]]
"""A contender's name, the module it needs, and what it does."""

JUDGES_OF_RECORDS: Final[tuple[Work, ...]] = (
    ("PokerKit, PHH", "pokerkit", phh_read_and_judged),
    ("python-chess, PGN", "chess", pgn_read_and_judged),
)
JUDGES_OF_ACTS: Final[tuple[Work, ...]] = (
    ("PokerKit hold'em", "pokerkit", poker_judged),
    ("python-chess", "chess", chess_judged),
)
READERS: Final[tuple[Work, ...]] = (
    ("python-chess, PGN (checks the moves)", "chess", pgn_read),
    ("python-chess, PGN (skips the moves)", "chess", pgn_skipped),
    ("PokerKit, PHH", "pokerkit", phh_read),
)


def present(works: tuple[Work, ...]) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Give the peers that are installed, and for each of the others a line that says it is not."""
    here = tuple(Contender(name, work) for name, module, work in works if find_spec(module) is not None)
    absent = tuple(
        f"{name}: {module} is not installed (extra bench)" for name, module, _ in works if not find_spec(module)
    )
    return here, absent
