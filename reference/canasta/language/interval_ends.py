"""One end of a bounded answer: whether a condition can hold, or must, and the least or the greatest that a number can be.

A look ahead asks only whether a demand can still be met. Asking for that end alone lets the first part that decides it decide it.
The answers are those of the interval back end; what is not written out here is taken from there.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from canasta.language.dependence import pure
from canasta.language.ruleset import Owner
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
        """Write what finds the high or the low end of a number or truth value; what is settled before play is its own end."""
        known = self.whole.compiler.known.value(e)
        if known is not None:
            return str(bool(known)) if e.type == BOOL else f"({known})"
        return self._truth(e, high=high) if e.type == BOOL else self._number(e, high=high)

    def _truth(self, e: Expr, *, high: bool) -> str:
        match e.op:
            case _ if not self._open(e):
                return str(bool(self.whole.compiler.known.value(e)))
            case Op.NOT:
                return f"(not {self._truth(e.args[0], high=not high)})"
            case Op.AND | Op.OR:
                word = " and " if e.op is Op.AND else " or "
                return f"({word.join(self.end(x, high=high) for x in e.args if self._open(x))})"
            case Op.EQ if e.args[0].type == INT:
                ends = [self._number(x, high=h) for x in e.args for h in (False, True)]
                return f"({ends[0]} <= {ends[3]} and {ends[2]} <= {ends[1]})" if high else f"({' == '.join(ends)})"
            case Op.EQ | Op.NE if (exact := self._exact_name(e)) is not None:
                return f"({exact} if E.exact else {self._of_whole(e, high=high)})"
            case Op.STATE if (exact := self._exact(e)) is not None:
                return f"({exact} if E.exact else {self._of_whole(e, high=high)})"
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
            case _ if not self._open(e):
                return f"({self.whole.compiler.known.value(e)})"
            case Op.NEG:
                return f"(-{self._number(e.args[0], high=not high)})"
            case Op.ADD:
                return f"({self._number(e.args[0], high=high)} + {self._number(e.args[1], high=high)})"
            case Op.SUB:
                return f"({self._number(e.args[0], high=high)} - {self._number(e.args[1], high=not high)})"
            case Op.STATE if (exact := self._exact(e)) is not None:
                return f"({exact} if E.exact else {self._of_whole(e, high=high)})"
            case Op.CALL if e.ref == "size" and e.args[0].type in (BAG, STACK):
                return f"{self.whole.emit(e.args[0])}.size_{'high' if high else 'low'}"
            case Op.SUM if high and (weights := self._weights(e)) is not None:
                tests, values, figures = weights
                return f"heaviest({self.whole.emit(e.args[0])}, {tests}, {values}, {figures})"
            case Op.CONTEXT if e.ref not in NOT_OF_STATE:
                return f"S.{e.ref}"
            case Op.COUNT if e.args[0].type not in (BAG, STACK):
                return self._over_members(e, high=high)
            case Op.DEFINE:
                return self.whole.call(e, self.define(e.ref, high))
            case _:
                return self._of_whole(e, high=high)

    def _open(self, e: Expr) -> bool:
        return self.whole.compiler.known.value(e) is None

    def _exact(self, e: Expr) -> str | None:
        """Write where a variable of the table or of the acting seat or side stands, for outlooks under which all are exact."""
        variable = self.whole.compiler.ruleset.state[e.ref]
        if e.args or variable.type == BAG:
            return None
        return f"S.v{variable.index}{'' if variable.of is Owner.TABLE else f'[{variable.of.value}]'}"

    def _exact_name(self, e: Expr) -> str | None:
        """Write whether a variable holds a certain word, rank or the like, for the same outlooks."""
        for one, other in (e.args, e.args[::-1]):
            if one.op is Op.STATE and other.op is Op.CONST and one.type not in (INT, BOOL, BAG):
                exact = self._exact(one)
                return None if exact is None else f"({exact} {'==' if e.op is Op.EQ else '!='} {other.value})"
        return None

    def _weights(self, e: Expr) -> tuple[str, str, str] | None:
        """Find the weights of a sum over cards, if each kind has one that is known and none is below nothing."""
        if e.args[0].type not in (BAG, STACK) or not all(pure(x, e.ref) for x in e.args[1:]):
            return None
        compiler = self.whole.compiler
        kinds = range(compiler.deck.size)
        counted = [bool(self.whole.fold(e.args[1], e.ref, k)) for k in kinds]
        weights = [int(self.whole.fold(e.args[2], e.ref, k)) for k in kinds]
        if min(weights) < 0:
            return None
        tests = compiler.fixed(tuple((int(c), int(c)) for c in counted))
        values = compiler.fixed(tuple((w, w) for w in weights))
        return tests, values, compiler.fixed(tuple(w if c else 0 for w, c in zip(weights, counted, strict=True)))

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
