"""What an expression is always worth: parameters and options are numbers by the time rules are compiled, and settle much beforehand."""

from collections.abc import Mapping
from typing import Final

from canasta.kernel.state import Context, State
from canasta.language.evaluator import operator
from canasta.language.ruleset import Definition
from canasta.language.types import Expr, Op

NO_STATE: Final = State.__new__(State)
NO_CONTEXT: Final = Context()

SETTLED_BY_PARTS: Final = frozenset({
    Op.NOT, Op.NEG, Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE, Op.IN, Op.ADD, Op.SUB, Op.MUL,
})  # fmt: skip
"""What is known when all its parts are, and only then."""


class Known:
    """Finds the values of those expressions of a rule set that nothing in play can change."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        """Take the definitions of the rule set."""
        self._definitions = definitions
        self._found: dict[int, int | None] = {}

    def value(self, e: Expr) -> int | None:
        """Give the value that an expression always has; nothing if play decides."""
        if e.op is Op.CONST:
            return e.value
        key = id(e)
        if key not in self._found:
            self._found[key] = self._value(e)
        return self._found[key]

    def _value(self, e: Expr) -> int | None:
        match e.op:
            case Op.AND | Op.OR:
                decides = e.op is Op.OR
                values = [self.value(x) for x in e.args]
                if any(v is not None and bool(v) is decides for v in values):
                    return int(decides)
                return None if None in values else int(not decides)
            case Op.IF:
                test = self.value(e.args[0])
                return None if test is None else self.value(e.args[1] if test else e.args[2])
            case Op.DEFINE:
                return self.value(self._definitions[e.ref].body)
            case _ if e.op in SETTLED_BY_PARTS:
                values = [self.value(x) for x in e.args]
                return None if None in values else int(operator(e, values))
            case _:
                return None

    def always(self, e: Expr | None) -> bool:
        """Ask whether a condition always holds; none at all does."""
        return e is None or bool(self.value(e))

    def never(self, e: Expr | None) -> bool:
        """Ask whether a condition never holds."""
        return e is not None and self.value(e) == 0


def weight(e: Expr) -> int:
    """Count the nodes of an expression."""
    return 1 + sum(map(weight, e.args))
