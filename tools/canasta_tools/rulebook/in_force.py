"""Which clauses of a rule set the options switch off: said in the book, since their text stands there all the same."""

from collections.abc import Callable
from typing import Final

from canasta.language.ruleset import Bound, Clause, Duty, Effect, Ending, Requirement, Ruleset, Score
from canasta.language.types import Expr, Op
from canasta.prose import option_word

Settled = tuple[int, frozenset[str]]
"""The value that an expression has whatever happens in play, and the options by which it has it."""

_PLAIN: Final[dict[Op, Callable[[int, int], int]]] = {
    Op.EQ: lambda a, b: int(a == b), Op.NE: lambda a, b: int(a != b), Op.LT: lambda a, b: int(a < b),
    Op.LE: lambda a, b: int(a <= b), Op.GT: lambda a, b: int(a > b), Op.GE: lambda a, b: int(a >= b),
    Op.ADD: lambda a, b: a + b, Op.SUB: lambda a, b: a - b, Op.MUL: lambda a, b: a * b,
}  # fmt: skip


def out_of_force(rules: Ruleset, clause: Clause) -> tuple[str, ...]:
    """Say of a clause what the options of its rule set switch off: the whole of it, or single demands by their codes.

    Each sentence names the options, as in ``Not in force in this rule set: option tie = extra_deal``.
    """
    if isinstance(clause, Requirement | Bound | Effect | Duty | Score | Ending) and clause.when is not None:
        when = settle(rules, clause.when)
        if when is not None and not when[0] and when[1]:
            return (f"Not in force in this rule set: {_named(rules, when[1])}.",)
    if not isinstance(clause, Requirement | Bound):
        return ()
    off = {d.code: s[1] for d in clause.require if (s := settle(rules, d.that)) is not None and s[0] and s[1]}
    if len(off) == len(clause.require):
        return (f"Not in force in this rule set: {_named(rules, frozenset().union(*off.values()))}.",)
    return tuple(f"{code} is not demanded in this rule set: {_named(rules, options)}." for code, options in off.items())


def _named(rules: Ruleset, options: frozenset[str]) -> str:
    chosen = [rules.options[name] for name in rules.options if name in options]
    return "option" + ", option".join(f" {o.name} = {option_word(o, o.value)}" for o in chosen)


def settle(rules: Ruleset, expr: Expr) -> Settled | None:
    """Work an expression out from options and parameters alone; nothing where it depends on the position."""
    match expr.op:
        case Op.CONST:
            return expr.value, frozenset([expr.ref]) & frozenset(rules.options)
        case Op.DEFINE:
            return settle(rules, rules.definitions[expr.ref].body)
        case Op.NOT | Op.NEG:
            inner = settle(rules, expr.args[0])
            return inner and (int(not inner[0]) if expr.op is Op.NOT else -inner[0], inner[1])
        case Op.AND | Op.OR:
            return _joined(expr.op, [settle(rules, arg) for arg in expr.args])
        case Op.IF:
            condition = settle(rules, expr.args[0])
            branch = condition and settle(rules, expr.args[1 if condition[0] else 2])
            return condition and branch and (branch[0], condition[1] | branch[1])
    if expr.op not in _PLAIN:
        return None
    one, other = (settle(rules, arg) for arg in expr.args)
    return one and other and (_PLAIN[expr.op](one[0], other[0]), one[1] | other[1])


def _joined(op: Op, parts: list[Settled | None]) -> Settled | None:
    """Join truths: one false part decides an `and`, one true part an `or`, whatever the others are."""
    decides = op is Op.OR
    for part in parts:
        if part is not None and bool(part[0]) is decides:
            return part
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return int(not decides), frozenset[str]().union(*(options for _, options in known))
