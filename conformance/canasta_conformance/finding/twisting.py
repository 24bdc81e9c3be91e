"""An evaluator in which one node gives another value than it should: what comes out otherwise rests on that node."""

from typing import NamedTuple

from canasta.kernel.cards import Deck
from canasta.kernel.state import Context, State
from canasta.language.evaluator import Evaluator, Value, Walk
from canasta.language.ruleset import Ruleset
from canasta.language.types import Expr
from canasta_conformance.finding.goals import Aim, Goal, rows

UNIT: tuple[int, ...] = (1, 5)
"""How far from a bound a number may lie and still be beside it: points of cards go by fives."""


class Asked(NamedTuple):
    """What a function of the rules is asked about."""

    state: State
    context: Context
    seat: int
    side: int


class Twist(NamedTuple):
    """A node, the goal that says how it is twisted, and how near to a bound that begins."""

    node: Expr
    goal: Goal
    reach: int


class Twisted(Evaluator):
    """The evaluator with a twist; without one it notes which nodes it needs."""

    def __init__(self, ruleset: Ruleset, deck: Deck) -> None:
        """Begin with nothing twisted."""
        super().__init__(ruleset, deck)
        self.twist: Twist | None = None
        self.needed: set[int] = set()

    def needs(self, expr: Expr, asked: Asked) -> set[int]:
        """Evaluate as it should be; give the nodes that were needed, by their identity."""
        self.twist, self.needed = None, set()
        _Probe(self, *asked).value(expr)
        return self.needed

    def otherwise(self, expr: Expr, twist: Twist, asked: Asked) -> Value:
        """Evaluate with a node twisted."""
        self.twist = twist
        try:
            return _Probe(self, *asked).value(expr)
        finally:
            self.twist = None


class _Probe(Walk):
    """A walk that twists the one node."""

    def value(self, e: Expr) -> Value:
        """Evaluate a node."""
        meaning = self.meaning
        assert isinstance(meaning, Twisted)  # noqa: S101 - made there alone
        twist = meaning.twist
        if twist is not None and e is twist.node:
            return self._twisted(e, twist.goal, twist.reach)
        meaning.needed.add(id(e))
        return self._value(e)

    def _twisted(self, e: Expr, goal: Goal, reach: int) -> Value:
        match goal.aim:
            case Aim.TRUE:
                return False
            case Aim.FALSE:
                return True
            case Aim.BELOW | Aim.AT | Aim.ABOVE:
                one, other = (self._counted(x) for x in e.args)
                apart = one - other
                near = {
                    Aim.AT: apart == 0,
                    Aim.BELOW: -reach <= apart < 0,
                    Aim.ABOVE: 0 < apart <= reach,
                }[goal.aim]
                return self._value(e) != near
            case _:
                return self._row(e, goal, reach)

    def _row(self, e: Expr, goal: Goal, reach: int) -> Value:
        number = self.value(e.args[0])
        table = self.meaning.ruleset.steps[e.ref]
        before = dict(rows(table))[goal.row]
        if goal.aim is Aim.ROW_AT:
            return before if number == goal.row else table.look_up(number)
        return table.look_up(goal.row) if goal.row - reach <= number < goal.row else table.look_up(number)
