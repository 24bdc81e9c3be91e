"""Why an act is legal or not: every clause that was asked, as a tree of values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from canasta.kernel.acts import Move, Violation
from canasta.kernel.judge import Judge
from canasta.kernel.machine import Check
from canasta.kernel.state import Context, Group, Part, Stack, State
from canasta.language.compiler import BEGUN, Compiler
from canasta.language.types import Expr, Op, Type

OPAQUE: Final = frozenset({Op.CONST, Op.CONTEXT, Op.VAR})
"""Nodes whose value is plain from their text, or that are named in the node above."""
COMPARED: Final = frozenset({Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE})
JOINED: Final = frozenset({Op.AND, Op.OR, Op.NOT, Op.DEFINE, Op.IF})


@dataclass(frozen=True, slots=True)
class Reason:
    """One node of a trace: the expression as written, what it gave, and the nodes it rests on."""

    expr: Expr
    value: Any
    parts: tuple["Reason", ...]


def reason_of(trace: Sequence[tuple[int, Any]], nodes: Sequence[Expr]) -> Reason | None:
    """Read what an explaining function has written down as a tree; nothing where no node was reported."""
    open_nodes: list[list[Reason]] = [[]]
    for number, found in trace:
        if found is BEGUN:
            open_nodes.append([])
        else:
            parts = open_nodes.pop()
            open_nodes[-1].append(Reason(nodes[number], found, tuple(parts)))
    return open_nodes[0][0] if open_nodes[0] else None


@dataclass(frozen=True, slots=True)
class Asked:
    """One demand that the judge asked: whether it applied, whether it held, and why."""

    clause: str
    code: str
    act: str
    when: Reason | None
    that: Reason | None

    @property
    def applies(self) -> bool:
        """Whether its condition was met."""
        return self.when is None or bool(self.when.value)

    @property
    def holds(self) -> bool:
        """Whether nothing was wrong."""
        return not self.applies or self.that is None or bool(self.that.value)


@dataclass(slots=True)
class Explainer:
    """Asks the judge's questions again through the explaining compiler."""

    judge: Judge
    compiler: Compiler

    def why(self, state: State, move: Move) -> tuple[Asked, ...]:
        """Give every demand that bears on an act, in the order of the judge."""
        machine = self.judge.machine
        asked: list[Asked] = []
        for name, part, group in self.judge.answering(state, move):
            if part is None or group is None:
                context, checks = self.judge.context(state, move), machine.checks[name]
            else:
                context = self.judge.context_of_part(part, group)
                checks = (*(machine.bounds[group.shape] if group.shape >= 0 else ()), *machine.checks[name])
            asked += [self._ask(check, state, context, move.seat, name) for check in checks]
        return tuple(asked)

    def _ask(self, check: Check, state: State, context: Context, seat: int, act: str) -> Asked:
        when = None if check.when_expr is None else self.reason(check.when_expr, state, context, seat)
        that = self.reason(check.that_expr, state, context, seat) if when is None or when.value else None
        return Asked(check.clause, check.code, act, when, that)

    def reason(self, expr: Expr, state: State, context: Context, seat: int) -> Reason:
        """Evaluate an expression and keep every node's value."""
        side = state.side_of[seat] if seat >= 0 else -1
        function = self.compiler.function(expr)
        before, context.trace = context.trace, []
        value = function(state, context, seat, side)
        trace, context.trace = context.trace, before
        return reason_of(trace or [], self.compiler.nodes) or Reason(expr, value, ())

    def with_values(self, state: State, move: Move, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """Give each certain violation the values that decided it."""
        if move.act not in self.judge.machine.ruleset.acts:
            return found
        asked = {(a.clause, a.code, a.act): a for a in reversed(self.why(state, move)) if not a.holds}
        return tuple(self._with_values(v, asked.get((v.clause, v.code, v.act))) for v in found)

    def _with_values(self, violation: Violation, asked: Asked | None) -> Violation:
        if asked is None or asked.that is None:
            return violation
        values = dict(self._deciding(asked.that))
        return replace(violation, values=tuple(values.items()))

    def _deciding(self, reason: Reason) -> list[tuple[str, str]]:
        if reason.expr.op in JOINED:
            inner = [pair for part in reason.parts for pair in self._deciding(part)]
            return inner or [(reason.expr.text, self.text(reason.expr.type, reason.value))]
        if reason.expr.op in COMPARED:
            return [
                (part.expr.text, self.text(part.expr.type, part.value))
                for part in reason.parts
                if part.expr.op is not Op.CONST or part.expr.ref
            ]
        return [] if reason.expr.op is Op.CONST else [(reason.expr.text, self.text(reason.expr.type, reason.value))]

    def text(self, kind: Type, value: Any) -> str:  # noqa: ANN401 - a value of any type of the language
        """Write a value so that a person can read it; seats and sides are numbered from 1."""
        deck, pack = self.judge.machine.deck, self.judge.machine.ruleset.pack
        if kind.words:
            word: str = kind.words[value]
            return word
        match kind.name:
            case "bool":
                return "yes" if value else "no"
            case "rank":
                return (*pack.ranks, *(r for r, _ in pack.extra))[value] if value >= 0 else "none"
            case "suit" | "colour":
                return (pack.suits if kind.name == "suit" else pack.colours)[value] if value >= 0 else "none"
            case "card":
                return deck.name(value) if value >= 0 else "none"
            case "bag" | "stack":
                counts = value.counts if isinstance(value, Stack) else value
                return " ".join(deck.name(k) for k, n in enumerate(counts) for _ in range(n)) or "nothing"
            case "part":
                return self.text(Type("bag"), value.cards)
            case "group":
                return self.text(Type("bag"), value.cards) if isinstance(value, Group) else "none"
            case "groups" | "parts":
                return f"{len(value)} of them" if all(isinstance(x, Group | Part) for x in value) else str(value)
            case "seat" | "side":
                return f"{kind.name} {value + 1}"
            case _:
                return str(value)
