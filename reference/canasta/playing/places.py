"""Which written actions a violation is about: the cards of the meld that is wrong, not the act by which it was judged."""

from collections.abc import Sequence
from typing import Final

from canasta.kernel.acts import NEW_GROUP, Violation
from canasta.kernel.game import Game
from canasta.kernel.machine import Check
from canasta.kernel.state import NOBODY, Group, Part, State
from canasta.language.kinds import nodes
from canasta.language.types import Expr, Op
from canasta.playing.played import UNWRITTEN, Step

OF_THE_PLAY: Final = frozenset({"laid", "parts"})


def actions_of(game: Game, steps: Sequence[Step], at: int, violation: Violation, nth: int = 0) -> tuple[int, ...]:
    """Find the actions that a violation found at a step is about; ``nth`` tells equal violations of one step apart.

    What is wrong with a group belongs to the actions that laid it, a demand on all that was laid to all of them, and
    anything else to the act itself; a commit that was forced stands with the part that made it due.
    """
    step = steps[at]
    own = game.ruleset.acts.get(step.move.act)
    act = game.ruleset.acts.get(violation.act)
    if own is None or act is None or (own.lays and act is own):
        return (step.action,)
    laid = [s for s in steps[:at] if _part_of(game, s, step.before)]
    if act.lays:
        of_act = [s for s in laid if s.move.act == act.name]
        guilty = _guilty(game, step.before, violation)
        gid = guilty[min(nth, len(guilty) - 1)] if guilty else NOBODY
        return _written([s for s in of_act if _gid(s) == gid] or of_act[:1] or [step])
    if _about_the_play(game, violation):
        return _written(laid or [step])
    due = act is not own or step.action == UNWRITTEN
    return _written(laid[-1:] if due and laid else [step])


def _written(steps: Sequence[Step]) -> tuple[int, ...]:
    return tuple(sorted({s.action for s in steps}))


def _part_of(game: Game, step: Step, judged: State) -> bool:
    """Whether a step laid a part of the play that is judged."""
    return game.ruleset.acts[step.move.act].lays and step.after.stage == judged.stage


def _gid(step: Step) -> int:
    return step.move.group if step.move.group != NEW_GROUP else step.before.next_gid


def _guilty(game: Game, state: State, violation: Violation) -> list[int]:
    """Find the groups of a play that break the demand, as far as their cards are known."""
    unknown = game.deck.size
    return [
        group.gid
        for part, group in game.turn.judge.laid_groups(state)
        if game.machine.act_names[part.act] == violation.act
        and not group.cards[unknown] and part.top != unknown
        and _breaks(game, state, part, group, violation)
    ]  # fmt: skip


def _breaks(game: Game, state: State, part: Part, group: Group, violation: Violation) -> bool:
    judge, machine = game.turn.judge, game.machine
    if group.shape == NOBODY:
        refused = judge.refusal("shape", violation.act)
        return (refused.clause, refused.code) == (violation.clause, violation.code)
    broken = machine.broken_bounds(group.shape, group.body, group.filler)
    if any(_same(c, violation) for c in broken):
        return True
    context = judge.context_of_part(part, group)
    side = state.side_of[state.seat]
    return any(
        (c.when is None or c.when(state, context, state.seat, side)) and not c.that(state, context, state.seat, side)
        for c in machine.checks[violation.act] if _same(c, violation)
    )  # fmt: skip


def _same(check: Check, violation: Violation) -> bool:
    return (check.clause, check.code) == (violation.clause, violation.code)


def _about_the_play(game: Game, violation: Violation) -> bool:
    """Whether a demand on a commit looks at what was laid."""
    checks = game.machine.checks[violation.act]
    return any(_reads(game, c.that_expr) for c in checks if _same(c, violation))


def _reads(game: Game, expr: Expr) -> bool:
    for node in nodes(expr):
        if node.op is Op.CONTEXT and node.ref in OF_THE_PLAY:
            return True
        if node.op is Op.DEFINE and _reads(game, game.ruleset.definitions[node.ref].body):
            return True
    return False


def bars(game: Game, violation: Violation) -> bool:
    """Whether a part breaks a demand on the card it takes, and not on what is laid with it: then nothing helps."""
    checks = [c for c in game.machine.checks.get(violation.act, ()) if _same(c, violation)]
    act = game.ruleset.acts.get(violation.act)
    return act is not None and bool(act.top) and bool(checks) and all(_only_of_the_top(c.that_expr) for c in checks)


def _only_of_the_top(expr: Expr) -> bool:
    """Whether an expression asks for nothing but the taken top card, parameters and options."""
    refs = {n.ref for n in nodes(expr) if n.op is Op.CONTEXT}
    defined = [n.ref for n in nodes(expr) if n.op is Op.DEFINE]
    return refs == {"top_card"} and not defined


def foremost(game: Game, violations: Sequence[Violation]) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
    """Part violations into those to tell first and those that only follow from them.

    When the top card bars its taking, whatever is laid with it, what else is wrong with that meld is no second mistake.
    """
    barring = {v.act for v in violations if v.certain and bars(game, v)}
    follows = tuple(v for v in violations if v.act in barring and not bars(game, v))
    rest = [v for v in violations if v not in follows]
    return tuple(sorted(rest, key=lambda v: not bars(game, v))), follows
