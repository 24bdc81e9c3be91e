"""A turn as a program tells it: every act in its order, and nothing that goes without saying.

A person leaves out what goes without saying, and is believed where cards are not known. Of a program neither is taken: nothing is
put in, put in order or believed but the pile, which follows from a take.
"""

from collections.abc import Sequence

from canasta.kernel.acts import Verdict
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.record import Action
from canasta.playing.binding import LAY, SHOW, TAKE, StopTurnError, TurnRun, carried_out
from canasta.playing.played import Door, Played


def play_acts(game: Game, state: State, actions: Sequence[Action], seat: int | None = None) -> Played:
    """Carry out these actions of a seat and no others, in this order, whether they are legal or not.

    It stops at the first that is physically impossible, or comes after the end of the deal.
    """
    run = _LetterRun(game, state, state.seat if seat is None else seat, Door.AS_PLAYED, own=False)
    return carried_out(run, run.each, actions)


class _LetterRun(TurnRun):
    """One turn while it is carried out to the letter."""

    __slots__ = ()

    def each(self, actions: Sequence[Action]) -> None:
        """Carry the actions out; the pile is picked up when cards that lie in it are laid."""
        for index, action in enumerate(actions):
            if self.state.over:
                self._refuse("phase", action, index, possible=True)
            if action.kind is LAY and not self.ready(action):
                self.late([(index, action)])
            elif action.kind is TAKE and not self._on_top(action):
                self._refuse("held", action, index)
            elif action.kind is not SHOW:
                self.do(index, action)
            elif not self.shown_by_an_act(index, action):
                self._refuse("held" if self.signs.here(self.state.phase, SHOW) else "phase", action, index)

    def _refuse(self, refusal: str, action: Action, index: int, *, possible: bool = False) -> None:
        violation = self.game.turn.judge.refusal(refusal, action.kind)
        raise StopTurnError(Verdict((violation,), possible=possible), index)

    def _on_top(self, take: Action) -> bool:
        """Ask whether the card that a take names first lies on top, and it names no more where nothing is laid with it."""
        act = next(iter(self.signs.acts(self.state.phase, TAKE)), None)
        if act is None:
            return True  # refused in any case, as an act at the wrong time
        if not act.top and len(take.cards) > 1:
            return False
        stack = self.game.turn.judge.stack(self.state, act.top or self.signs.source(act), self.actor)
        return not stack.cards or self.names.lie_so(stack.cards, take.cards[:1])
