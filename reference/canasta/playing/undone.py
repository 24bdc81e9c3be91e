"""What a position leaves undone that the rules would have done at once before play came to it."""

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.kernel.game import Game
from canasta.kernel.state import Context, State
from canasta.language.kinds import nodes
from canasta.language.ruleset import Duty
from canasta.language.types import Expr, Op
from canasta.notation.position_text import Position


def left_undone(game: Game, state: State, position: Position) -> tuple[Diagnostic, ...]:
    """Name the duties that should have been done already for the seat to act; PL0047, notes all of them.

    A duty on an act is done right after it. Where that act may still come in this phase, it is not yet due.
    """
    phase = game.machine.phases[state.phase]
    coming = {*phase.acts, *phase.auto}
    found: list[Diagnostic] = []
    for duty in game.ruleset.of_kind(Duty):
        acts = [name for name in duty.on if name not in ("setup", "stuck")]
        if not acts or coming & set(acts) or duty.when is None or _reads_the_act(game, duty.when):
            continue
        when = game.backend.function(duty.when)
        if when(state, Context(), state.seat, state.side_of[state.seat]):
            what = f"this would have been done before: {duty.title[0].lower()}{duty.title[1:]}"
            hint = (
                "it is judged as it stands; write the position as it lies after that, or begin it earlier in the turn"
            )
            place = _place(game, position)
            found.append(Diagnostic("PL0047", what, place, hint, severity=Severity.NOTE, clause=duty.id))
    return tuple(found)


def _reads_the_act(game: Game, expr: Expr) -> bool:
    """Whether a condition speaks of the act itself, which is past, and not only of the position."""
    for node in nodes(expr):
        if node.op is Op.CONTEXT and node.ref in ("card", "option", "left", "top_card", "from_hand", "group"):
            return True
        if node.op is Op.DEFINE and _reads_the_act(game, game.ruleset.definitions[node.ref].body):
            return True
    return False


def _place(game: Game, position: Position) -> Span | None:
    """Find the hand of the seat to act, which duties speak about, else the whole position."""
    hand = next((f for f in position if f.place == game.ruleset.table.hand and f.owner == position.seat), None)
    return hand.span if hand is not None else position.span
