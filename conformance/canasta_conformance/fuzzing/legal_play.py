"""Legal turns at random, by players who are eager or shy."""

from dataclasses import dataclass
from typing import Final

from canasta.kernel.acts import NEW_GROUP, Move
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


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players of a deal play.

    Acts that are ``avoided`` are done only where nothing else is legal. Who plays ``broad`` begins melds, adds to none, and keeps what
    would fit, where that can be helped: then there are many small melds, small hands of which everything fits, and nothing finished.
    """

    eagerness: int
    avoided: frozenset[str] = frozenset()
    broad: bool = False

    def liked(self, game: Game, state: State, candidates: list[Move]) -> list[Move]:
        """Keep the acts that such players do."""
        found = [move for move in candidates if move.act not in self.avoided]
        if not self.broad:
            return found
        fitting = _ranks_that_fit(game, state)
        acts, rank = game.ruleset.acts, game.deck.rank
        return [
            move
            for move in found
            if move.group == NEW_GROUP and not (acts[move.act].choose == "card" and rank[move.cards[0]] in fitting)
        ]


def _ranks_that_fit(game: Game, state: State) -> set[int]:
    """List the ranks of the melds to which the seat to act may add."""
    lays = [act for act in game.ruleset.acts.values() if act.choose == "part"]
    return {group.rank for act in lays for group in game.turn.judge.groups(state, act, state.seat)}


def one_turn(game: Game, state: State, habits: Habits, generator: SplitMix64) -> tuple[list[Move], State]:
    """Play one whole turn of legal acts.

    Raises:
        StuckError: when the seat to act has no legal act: a fault of the rule set, or of the look-ahead.
    """
    moves: list[Move] = []
    turn = state.turn_no
    while not state.over and state.turn_no == turn:
        move, state = one_move(game, state, habits, generator)
        moves.append(move)
    return moves, state


def one_move(game: Game, state: State, habits: Habits, generator: SplitMix64) -> tuple[Move, State]:
    """Play one legal act: so many times of ten something is laid, taken or asked if it can be, else any act may be drawn."""
    candidates = game.listing.candidates(state)
    liked = habits.liked(game, state, candidates)
    eager = [move for move in liked if move.act not in PLAIN]
    if eager and generator.below(10) < habits.eagerness:
        found = _first_legal(game, state, eager, generator)
        if found is not None:
            return found
    found = _first_legal(game, state, liked, generator)
    if found is None:
        found = _first_legal(game, state, [move for move in candidates if move not in liked], generator)
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
