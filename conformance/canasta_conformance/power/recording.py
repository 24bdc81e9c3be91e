"""What happens in the rules while a case is played: which clauses are asked, which conditions came out how, by which values."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from canasta.games import game_of
from canasta.kernel.by_function import ByFunction
from canasta.kernel.cards import Deck
from canasta.kernel.explaining import Reason, reason_of
from canasta.kernel.game import Game
from canasta.kernel.machine import Function
from canasta.kernel.state import Context, State
from canasta.language.compiler import Compiler
from canasta.language.kinds import deck_of
from canasta.language.ruleset import Clause, Effect, Ruleset
from canasta.language.types import BOOL, INT, Expr, Op

MANY: Final = 4
"""So many different values of a node are kept: enough to see whether it changes."""
JOINED: Final = frozenset({Op.AND, Op.OR, Op.NOT})
ORDERED: Final = frozenset({Op.LT, Op.LE, Op.GT, Op.GE})

Vector = tuple[tuple[tuple[str, bool], ...], bool]
"""How the conditions of one decision came out, those left out that were not looked at, and the decision itself."""


@dataclass(slots=True)
class Seen:
    """What was seen while one case, or some games, were played; nodes are named by their paths in the rule set."""

    values: dict[str, set[int]] = field(default_factory=dict)
    decisions: dict[str, set[Vector]] = field(default_factory=dict)
    distances: dict[str, set[int]] = field(default_factory=dict)
    """Of each comparison in an order, by how much the left side was more than the right."""

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that were asked or carried out."""
        return frozenset(path.partition("/")[0] for path in self.values)

    def add(self, other: "Seen") -> None:
        """Add what was seen in another case."""
        for mine, theirs in ((self.values, other.values), (self.distances, other.distances)):
            for path, values in theirs.items():
                mine.setdefault(path, set()).update(values)
        for path, vectors in other.decisions.items():
            self.decisions.setdefault(path, set()).update(vectors)

    def value(self, path: str, value: object) -> None:
        """Note the value of a node."""
        kept = self.values.setdefault(path, set())
        if isinstance(value, int) and len(kept) < MANY:
            kept.add(int(value))

    def reason(self, reason: Reason) -> None:
        """Note everything that a whole expression rests on."""
        expr = reason.expr
        self.value(expr.path, reason.value)
        if expr.type == BOOL and expr.op not in (Op.CONST, Op.DEFINE):
            self._decision(reason)
        self._distance(reason)
        for part in reason.parts:
            self._part(part, inside=expr.op in JOINED)

    def _part(self, reason: Reason, *, inside: bool) -> None:
        """Note a part; within a decision it is one of its conditions, and no decision of its own."""
        if not inside:
            self.reason(reason)
            return
        self.value(reason.expr.path, reason.value)
        self._distance(reason)
        for part in reason.parts:
            self._part(part, inside=reason.expr.op in JOINED)

    def _distance(self, reason: Reason) -> None:
        expr = reason.expr
        if expr.op in ORDERED and len(reason.parts) == 2 and expr.args[0].type == INT:  # noqa: PLR2004 - both sides
            left, right = (part.value for part in reason.parts)
            self.distances.setdefault(expr.path, set()).add(max(-2, min(2, left - right)))

    def _decision(self, reason: Reason) -> None:
        leaves = tuple((leaf.expr.path, bool(leaf.value)) for leaf in _leaves(reason))
        self.decisions.setdefault(reason.expr.path, set()).add((leaves, bool(reason.value)))


def _leaves(reason: Reason) -> Iterator[Reason]:
    """Go through the conditions of a decision: what has no `and`, `or` or `not` of its own."""
    if reason.expr.op in JOINED:
        for part in reason.parts:
            yield from _leaves(part)
    else:
        yield reason


class Recorder(ByFunction):
    """A back end that notes what it is asked, while it is told to."""

    def __init__(self, ruleset: Ruleset, deck: Deck, *, whole: bool) -> None:
        """Compile; with ``whole`` every node of every expression is noted, else only whole expressions, which is much faster."""
        super().__init__()
        self.compiler = Compiler(ruleset, deck, explain=whole)
        self._noting: dict[int, Function] = {}
        self.whole = whole
        self.seen: Seen | None = None

    def function(self, expr: Expr) -> Function:
        """Make a function that notes what it gives."""
        if id(expr) not in self._noting:
            self._noting[id(expr)] = self._made(expr)
        return self._noting[id(expr)]

    def _made(self, expr: Expr) -> Function:
        plain = self.compiler.function(expr)

        def noting(state: State, context: Context, seat: int, side: int) -> Any:  # noqa: ANN401 - any value of the language
            if self.seen is None:
                return plain(state, context, seat, side)
            if not self.whole:
                value = plain(state, context, seat, side)
                self.seen.value(expr.path, value)
                return value
            before, context.trace = context.trace, []
            value = plain(state, context, seat, side)
            trace, context.trace = context.trace, before
            self.note(expr, trace or [], value)
            return value

        return noting

    def note(self, expr: Expr, trace: Sequence[tuple[int, object]], value: object) -> None:
        """Note one expression with all its nodes."""
        if self.seen is None:
            return
        reason = reason_of(trace, self.compiler.nodes)
        if reason is None:
            self.seen.value(expr.path, value)
        else:
            self.seen.reason(reason)


@dataclass(slots=True)
class Recorded:
    """A game whose rules are watched."""

    game: Game
    recorder: Recorder

    @contextmanager
    def watched(self) -> Iterator[Seen]:
        """Note everything while something is played."""
        self.recorder.seen = seen = Seen()
        try:
            yield seen
        finally:
            self.recorder.seen = None


def recorded(ruleset: Ruleset, *, whole: bool) -> Recorded:
    """Open a game whose rules are watched."""
    marked = replace(ruleset, clauses={id_: _marked(clause) for id_, clause in ruleset.clauses.items()})
    deck = deck_of(marked, by_face=True)
    recorder = Recorder(marked, deck, whole=whole)
    plain = game_of(marked, by_face=True)
    return Recorded(Game(marked, deck, recorder, plain.make_bounder, plain.make_explaining).without_reasons(), recorder)


def _marked(clause: Clause) -> Clause:
    """Give an effect without a condition one that is always met, so that it is noted when it happens."""
    if not isinstance(clause, Effect) or clause.when is not None:
        return clause
    return replace(clause, when=Expr(Op.CONST, BOOL, value=1, span=clause.span, path=f"{clause.id}/when", text="yes"))
