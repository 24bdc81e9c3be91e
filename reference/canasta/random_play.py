"""A player that makes only legal moves, each as likely as any other, from a stated seed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from canasta.kernel.acts import Move
from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.listing import Answer
from canasta.kernel.state import State
from canasta.shuffle import SplitMix64, derive, shuffled

AT_LENGTH: Final = 30
"""How much longer the look ahead may take where no act was settled."""


class StuckError(RuntimeError):
    """The seat to act has no legal act: a fault of the rule set."""


def shuffled_pack(game: Game, seed: int) -> list[int]:
    """Shuffle the whole pack by the stated generator; the first card is dealt first."""
    return shuffled(listed(game.deck.full()[:-1]), seed)


@dataclass(slots=True)
class RandomPlayer:
    """Draws uniformly from the legal acts without listing them all: it draws a candidate and looks ahead only for that one."""

    game: Game
    generator: SplitMix64
    unsure: int = field(default=0)

    def choose(self, state: State) -> Move:
        """Draw one legal act.

        Raises:
            StuckError: when there is none.
        """
        return self.play(state)[0]

    def play(self, state: State) -> tuple[Move, State]:
        """Draw one legal act and carry it out.

        Raises:
            StuckError: when there is none.
        """
        game = self.game
        candidates = game.listing.candidates(state)
        doubtful = 0
        while candidates:
            move = candidates.pop(self.generator.below(len(candidates)))
            if game.ruleset.acts[move.act].lays:
                after = game.turn.carry_out(state, move)
                answer = game.listing.leads_on(state, after)
            else:
                answer = game.listing.settles(state, move)
                after = game.turn.perform(state, move) if answer is Answer.YES else state
            if answer is Answer.YES:
                return move, after
            if answer is Answer.UNKNOWN:
                self.unsure += 1
                doubtful += 1
        hard = self._settled_at_length(state)
        if hard is not None:
            return hard
        raise StuckError(f"no legal act for seat {state.seat} in phase {state.phase}; {doubtful} could not be settled")

    def _settled_at_length(self, state: State) -> tuple[Move, State] | None:
        """Find a legal act by a look ahead that may take its time, where none was settled by the usual one."""
        listing = self.game.listing
        usual, listing.budget = listing.budget, listing.budget * AT_LENGTH
        try:
            for move in listing.candidates(state):
                if listing.settles(state, move) is Answer.YES:
                    return move, self.game.turn.perform(state, move)
        finally:
            listing.budget = usual
        return None


def play_deal(state: State, player: RandomPlayer) -> Iterator[tuple[State, Move, State]]:
    """Play a deal to its end, giving each state, the move made, and the state after it."""
    while not state.over:
        move, after = player.play(state)
        yield state, move, after
        state = after


def play_match(
    game: Game, seed: int, most_deals: int = 1000
) -> Iterator[tuple[int, list[int], State, list[Move], State]]:
    """Play whole deals until the match is over: deal number, pack, first state, moves, last state."""
    state: State | None = None
    for deal in range(1, most_deals + 1):
        pack = shuffled_pack(game, derive(seed, deal, 0))
        seats = game.ruleset.table.seats
        state = game.start(pack, seats - 1) if state is None else game.next_deal(state, pack)
        first, moves = state, list[Move]()
        player = RandomPlayer(game, SplitMix64(derive(seed, deal, 1)))
        for _, move, after in play_deal(state, player):
            moves.append(move)
            state = after
        yield deal, pack, first, moves, state
        if game.match_over(state) is not None:
            return
