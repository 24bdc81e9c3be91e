"""Legal turns at random, by players who are eager or shy."""

from typing import Final

from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.listing import Answer
from canasta.kernel.state import State
from canasta.random_play import StuckError
from canasta.shuffle import SplitMix64

EAGERNESS: Final = (8, 6, 2, 0)
"""How many times of ten the players of a deal lay or take something if they can: the eager go out early, the others use up the stock."""

TOTALS: Final = (-400, 0, 0, 700, 1500, 2600, 3000, 4800, 7100, 8900)
"""What sides may have at the beginning of a deal, so that every step of the minimum is met."""

PLAIN: Final = frozenset({"draw", "discard", "pick"})
"""Acts that every turn has; anything else is done only by who is eager."""


def one_turn(
    game: Game, state: State, eagerness: int, generator: SplitMix64, avoided: frozenset[str] = frozenset()
) -> tuple[list[Move], State]:
    """Play one whole turn of legal acts; acts that are ``avoided`` only where nothing else is legal.

    Raises:
        StuckError: when the seat to act has no legal act: a fault of the rule set, or of the look-ahead.
    """
    moves: list[Move] = []
    turn = state.turn_no
    while not state.over and state.turn_no == turn:
        move, state = one_move(game, state, eagerness, generator, avoided)
        moves.append(move)
    return moves, state


def one_move(
    game: Game, state: State, eagerness: int, generator: SplitMix64, avoided: frozenset[str] = frozenset()
) -> tuple[Move, State]:
    """Play one legal act: so many times of ten something is laid, taken or asked if it can be, else any act may be drawn."""
    candidates = game.listing.candidates(state)
    liked = [move for move in candidates if move.act not in avoided] if avoided else candidates
    eager = [move for move in liked if move.act not in PLAIN]
    if eager and generator.below(10) < eagerness:
        found = _first_legal(game, state, eager, generator)
        if found is not None:
            return found
    found = _first_legal(game, state, liked, generator)
    if found is None and avoided:
        found = _first_legal(game, state, [move for move in candidates if move.act in avoided], generator)
    if found is None:
        raise StuckError("no legal act")
    return found


def _first_legal(game: Game, state: State, candidates: list[Move], generator: SplitMix64) -> tuple[Move, State] | None:
    left = list(candidates)
    while left:
        move = left.pop(generator.below(len(left)))
        if game.listing.settles(state, move) is Answer.YES:
            return move, game.apply(state, move)
    return None
