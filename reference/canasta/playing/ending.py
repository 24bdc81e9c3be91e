"""How a deal ended by the rules: the clause that ended it, and whether the rules ended it at all."""

from collections.abc import Iterator

from canasta.kernel.game import Game
from canasta.kernel.machine import Doing
from canasta.language.types import Statement, StatementOp
from canasta.playing.played import Step


def declared_against_the_rules(game: Game, step: Step) -> bool:
    """Whether a player only declared the end, and the rules refused it: then nothing has ended the deal."""
    act = game.ruleset.acts.get(step.move.act)
    refused = any(v.certain and v.act == step.move.act for v in step.verdict.violations)
    return act is not None and act.choose == "none" and step.after.over and refused


def ending_clause(game: Game, reason: str, step: Step | None) -> str:
    """Find the clause by which a deal ended for a reason, of several the one that was due at the last step."""
    machine = game.machine
    on_act = [d for d in _doings(game, step.move.act) if _ends(d, reason)] if step is not None else []
    if step is not None:
        context = game.turn.judge.context(step.before, step.move)
        seat = step.move.seat
        side = step.before.side_of[seat]
        due = [d for d in on_act if d.when is None or d.when(step.before, context, seat, side)]
        if due or on_act:
            return (due or on_act)[0].clause
    others = ("turn", "stuck", *game.ruleset.acts, "setup")
    return next(
        (d.clause for name in others if name in machine.effects for d in _doings(game, name) if _ends(d, reason)), ""
    )


def _doings(game: Game, act: str) -> tuple[Doing, ...]:
    return (*game.machine.effects[act], *game.machine.duties[act])


def _ends(doing: Doing, reason: str) -> bool:
    return any(s.op is StatementOp.END and s.name == reason for top in doing.do for s in _within(top))


def _within(statement: Statement) -> Iterator[Statement]:
    yield statement
    if statement.body is not None:
        yield from _within(statement.body)
