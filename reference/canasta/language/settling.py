"""What an expression comes to whatever happens in play: by options and parameters alone, and whether it looks at the play."""

from collections.abc import Callable
from typing import Final

from canasta.language.ruleset import Ruleset
from canasta.language.types import Expr, Op

Settled = tuple[int, frozenset[str]]
"""The value that an expression has whatever happens in play, and the options by which it has it."""

_PLAIN: Final[dict[Op, Callable[[int, int], int]]] = {
    Op.EQ: lambda a, b: int(a == b), Op.NE: lambda a, b: int(a != b), Op.LT: lambda a, b: int(a < b),
    Op.LE: lambda a, b: int(a <= b), Op.GT: lambda a, b: int(a > b), Op.GE: lambda a, b: int(a >= b),
    Op.ADD: lambda a, b: a + b, Op.SUB: lambda a, b: a - b, Op.MUL: lambda a, b: a * b,
}  # fmt: skip


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


_PLAY: Final = frozenset({Op.ZONE, Op.STATE, Op.MARK, Op.GROUP_ATTR, Op.PART_ATTR, Op.POSSIBLE})
_OF_THE_DEAL: Final = frozenset({"dealer", "deal_no", "seats"})
"""What is known of a deal before a card of it is seen."""


def looks_at_play(rules: Ruleset, expr: Expr) -> bool:
    """Ask whether the value of an expression depends on how a deal went, with the options as they are."""
    if settle(rules, expr) is not None or (expr.op is Op.CONTEXT and expr.ref in _OF_THE_DEAL):
        return False
    if expr.op in _PLAY or expr.op is Op.CONTEXT:
        return True
    if expr.op is Op.IF and (condition := settle(rules, expr.args[0])) is not None:
        return looks_at_play(rules, expr.args[1 if condition[0] else 2])
    within = [rules.definitions[expr.ref].body] if expr.op is Op.DEFINE else []
    return any(looks_at_play(rules, part) for part in (*expr.args, *within))
