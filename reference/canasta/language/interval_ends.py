"""One end of a bounded answer: whether a condition can hold, or must, and the least or the greatest that a number can be.

A look ahead asks only whether a demand can still be met. Asking for that end alone lets the first part that decides it decide it.
The answers are those of the interval back end; what is not written out here is taken from there.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from canasta.language.types import BAG, BOOL, GROUPS, INT, PARTS, STACK, Expr, Op

if TYPE_CHECKING:
    from canasta.language.interval_compiler import Emitter

COMPARED: Final = {Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">="}
NOT_OF_STATE: Final = frozenset({"group", "card", "option", "left", "top_card", "from_hand", "size", "body", "filler"})


class EndEmitter:
    """Writes the Python text that finds one end of an expression's answer."""

    def __init__(self, whole: "Emitter", define: Callable[[str, bool], str]) -> None:
        """Take the emitter of whole answers, and what finds the function for one end of a definition."""
        self.whole = whole
        self.define = define

    def end(self, e: Expr, *, high: bool) -> str:
        """Write what finds the high or the low end of a number or truth value."""
        return self._truth(e, high=high) if e.type == BOOL else self._number(e, high=high)

    def _truth(self, e: Expr, *, high: bool) -> str:
        match e.op:
            case Op.CONST:
                return str(bool(e.value))
            case Op.NOT:
                return f"(not {self._truth(e.args[0], high=not high)})"
            case Op.AND | Op.OR:
                word = " and " if e.op is Op.AND else " or "
                return f"({word.join(self._truth(x, high=high) for x in e.args)})"
            case Op.LT | Op.LE:
                first, second = self._number(e.args[0], high=not high), self._number(e.args[1], high=high)
                return f"({first} {COMPARED[e.op]} {second})"
            case Op.GT | Op.GE:
                first, second = self._number(e.args[0], high=high), self._number(e.args[1], high=not high)
                return f"({first} {COMPARED[e.op]} {second})"
            case Op.IS_SHAPE:
                index = self.whole.compiler.ruleset.shapes[e.ref].index
                group = self.whole.emit(e.args[0])
                return f"({group}.shape in (None, {index}))" if high else f"({group}.shape == {index})"
            case Op.ANY | Op.ALL if e.args[0].type not in (BAG, STACK):
                return self._over_members(e, high=high)
            case Op.DEFINE:
                return self.whole.call(e, self.define(e.ref, high))
            case _:
                return self._of_whole(e, high=high)

    def _number(self, e: Expr, *, high: bool) -> str:
        match e.op:
            case _ if e.type != INT:
                return self._of_whole(e, high=high)
            case Op.CONST:
                return str(e.value)
            case Op.NEG:
                return f"(-{self._number(e.args[0], high=not high)})"
            case Op.ADD:
                return f"({self._number(e.args[0], high=high)} + {self._number(e.args[1], high=high)})"
            case Op.SUB:
                return f"({self._number(e.args[0], high=high)} - {self._number(e.args[1], high=not high)})"
            case Op.CONTEXT if e.ref not in NOT_OF_STATE:
                return f"S.{e.ref}"
            case Op.COUNT if e.args[0].type not in (BAG, STACK):
                return self._over_members(e, high=high)
            case Op.DEFINE:
                return self.whole.call(e, self.define(e.ref, high))
            case _:
                return self._of_whole(e, high=high)

    def _of_whole(self, e: Expr, *, high: bool) -> str:
        return f"{self.whole.emit(e)}[{int(high)}]"

    def _over_members(self, e: Expr, *, high: bool) -> str:
        coll = e.args[0]
        many, name = self.whole.emit(coll), self.whole.bind(e)
        extra = f"m{name}.extra" if coll.type in (GROUPS, PARTS) else "0"
        loop = f"for {name} in m{name}.known"
        again = f"for {name}, n{name} in m{name}.maybe" if coll.type == GROUPS else ""
        if e.op is Op.ALL:
            # All hold for sure if none can fail, and can hold if none fails for sure.
            where, body = self._truth(e.args[1], high=not high), self._truth(e.args[2], high=high)
            fails = f"any([{where} and not {body} {loop}])"
            further = f" or any([{where} and not {body} {again}])" if again else ""
            found = f"not {fails}" if high else f"not ({extra} or {fails}{further})"
        elif e.op is Op.ANY:
            test = self._truth(e.args[1], high=high)
            holds = f"any([{test} {loop}])"
            further = f" or any([{test} {again}])" if again else ""
            found = f"({extra} > 0 or {holds}{further})" if high else holds
        else:
            test = self._truth(e.args[1], high=high)
            number = f"len([0 {loop} if {test}])"
            further = f" + sum([n{name} {again} if {test}])" if again else ""
            found = f"{number} + {extra}{further}" if high else number
        return f"[{found} for m{name} in ({many},)][0]"
