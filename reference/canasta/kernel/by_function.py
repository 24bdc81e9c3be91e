"""What a backend that only makes functions gives where texts are wanted: texts that call its functions."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from canasta.kernel.machine import Conjunction, Function
from canasta.kernel.state import Context, State
from canasta.language.types import Expr


class ByFunction:
    """A backend of which nothing is asked but functions; whoever inherits from it makes those."""

    def __init__(self) -> None:
        """Begin with no names."""
        self._space: dict[str, Any] = {}

    def function(self, expr: Expr) -> Function:
        """Make a function of state, context, acting seat and its side."""
        raise NotImplementedError

    def functions(self, exprs: Iterable[Expr]) -> list[Function]:
        """Make functions of many expressions."""
        return [self.function(expr) for expr in exprs]

    def text(self, expr: Expr) -> str:
        """Write an expression as Python text that calls its function."""
        return f"{self.fixed(self.function(expr))}(S, X, seat, side)"

    def fixed(self, value: Any) -> str:  # noqa: ANN401 - a constant of any sort
        """Give a constant a name that texts can use."""
        name = f"k{len(self._space)}"
        self._space[name] = value
        return name

    def executed(self, source: str, helpers: dict[str, Any]) -> dict[str, Any]:
        """Execute Python text that uses such texts and names, and these helpers; give the name space."""
        self._space.update(helpers)
        exec(compile(source, "<statements>", "exec"), self._space)  # noqa: S102 - only numbered names and constants of ours are in it
        return self._space

    def conjunctions(self, wanted: Iterable[Conjunction]) -> list[Function]:
        """Make for each conjunction one function that asks its demands one after the other."""
        return [partial(_all_kept, *self._asked(one)) for one in wanted]

    def _asked(self, one: Conjunction) -> tuple[Function | None, list[tuple[Function | None, Function]]]:
        left = None if one.left is None else self.function(one.left)
        return left, [(None if w is None else self.function(w), self.function(t)) for w, t in one.pairs]


def _all_kept(
    left: Function | None,
    pairs: list[tuple[Callable[..., Any] | None, Callable[..., Any]]],
    state: State,
    context: Context,
    seat: int,
    side: int,
) -> bool:
    """Ask whether all demands are kept, after what they may look at has been set."""
    if left is not None:
        context.left = left(state, context, seat, side)
    if context.group is not None:
        context.from_hand = context.group.added[:]
        if context.top_card >= 0:
            context.from_hand[context.top_card] -= 1
    asked = (state, context, seat, side)
    return all(that(*asked) for when, that in pairs if when is None or when(*asked))
