"""One request to play a turn, as the reference judges it: the acts as they were done, which stand together or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from canasta.kernel.acts import Move, Violation
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.playing.to_the_letter import play_acts
from canasta.playing.unfinished import stranded
from canasta_conformance.inprocess.acts import action_of, codes_of

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of the acts: whether they stand, what was wrong, the moves that were made, and the state they leave."""

    committed: bool
    violations: tuple[Violation, ...]
    moves: tuple[Move, ...]
    after: State

    @property
    def codes(self) -> list[str]:
        """List the codes of what was wrong, each once."""
        return codes_of(self.violations)

    @property
    def sure(self) -> bool:
        """Whether it is certain: no look-ahead ran out of its budget, and the turn was not left in the middle of being laid out."""
        return self.committed or any(v.certain for v in self.violations)


def judge_turn(game: Game, state: State, acts: Sequence[Data], actor: int | None) -> Judged:
    """Play the acts as they were done by a seat, and let them stand only if nothing was wrong; else the state is as before."""
    played = play_acts(game, state, [action_of(act) for act in acts], actor)
    found, after = tuple(played.violations), played.state
    moves = [step.move for step in played.steps]
    if played.stopped is None and after.draft:
        phase = game.machine.phases[after.phase]
        after, forced = game.turn.force_pending(after, Move("", after.seat))
        if after is not played.state:
            moves.append(Move(phase.auto[0], played.state.seat))
        found += tuple(forced)
    found += () if found or played.stopped is not None else stranded(game, state, after)
    if found or played.stopped is not None or after.draft:
        return Judged(committed=False, violations=found, moves=tuple(moves), after=state)
    return Judged(committed=True, violations=(), moves=tuple(moves), after=game.turn.unstick(after))
