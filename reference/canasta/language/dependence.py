"""What an expression depends on: the kind of a card alone, a bound variable, the seat and the side for which it is asked."""

from collections.abc import Callable
from typing import Final

from canasta.language.ruleset import Definition
from canasta.language.types import Expr, Op

OWNERS: Final = ("seat", "side")
PURE: Final = frozenset({
    Op.CONST, Op.VAR, Op.CARD_ATTR, Op.IS_CLASS, Op.NOT, Op.NEG, Op.AND, Op.OR, Op.IF, Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT,
    Op.GE, Op.IN, Op.ADD, Op.SUB, Op.MUL,
})  # fmt: skip


def call_arguments(
    e: Expr,
    definition: Callable[[str], Definition],
    emit: Callable[[Expr], str],
    owners_here: tuple[str, str] = ("seat", "side"),
) -> list[str]:
    """Write what a definition is called with: the seat, the side, then its parameters.

    The seat and the side are those that the call names in brackets, else those of the caller.
    """
    values = [emit(x) for x in e.args]
    owners = dict(zip(OWNERS, owners_here, strict=True))
    if e.value:
        owners |= {word: values.pop(0) for word in definition(e.ref).of if word in owners}
    return [*owners.values(), *values]


def conjuncts(e: Expr) -> list[Expr]:
    """Split a condition into the parts that must all hold."""
    return [c for x in e.args for c in conjuncts(x)] if e.op is Op.AND else [e]


def pure(e: Expr, variable: str) -> bool:
    """Ask whether an expression depends on one bound variable and constants alone."""
    if e.op not in PURE or (e.op is Op.VAR and e.ref != variable):
        return False
    return all(pure(x, variable) for x in e.args)


def mentions(e: Expr, variable: str) -> bool:
    """Ask whether an expression uses a variable."""
    return (e.op is Op.VAR and e.ref == variable) or any(mentions(x, variable) for x in e.args)
