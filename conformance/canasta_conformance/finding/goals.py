"""What is to be shown of the conditions of a rule set: that each matters by itself, and how it stands on both sides of a bound.

A goal is a small change of one node of one expression. It is reached by a position in which the expression comes out
otherwise with that change: then the node is what decides there. An atomic condition has two goals: it holds and would not
(`true`), and it does not and would (`false`), which together are an MC/DC pair. A comparison of numbers has three: just
below its bound, at it, and just above. A row of a table has two: at its start, and just before.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from canasta.language.ruleset import (
    Bound,
    Clause,
    Definition,
    Duty,
    Effect,
    Ending,
    Requirement,
    Ruleset,
    Score,
    StepTable,
)
from canasta.language.types import BOOL, INT, Expr, Op, Statement

NUMERIC: Final = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE})
JOINED: Final = frozenset({Op.CONST, Op.AND, Op.OR, Op.NOT, Op.IF, Op.DEFINE, Op.VAR, Op.CONTEXT})
"""What is no atomic condition: it rests on others, or is fixed."""


class Aim(StrEnum):
    """How a node is to be shown."""

    TRUE = "true"
    FALSE = "false"
    BELOW = "below"
    AT = "at"
    ABOVE = "above"
    ROW_AT = "row at"
    ROW_BEFORE = "row before"


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing to be shown: of which clause, at which node, and how; ``row`` is the start of a row of a table."""

    clause: str
    path: str
    aim: Aim
    row: int = 0

    def __str__(self) -> str:
        """Name it as files and reports do."""
        row = f" {self.row}" if self.aim in (Aim.ROW_AT, Aim.ROW_BEFORE) else ""
        return f"{self.path} {self.aim}{row}"


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A node with the clause it stands in and the goals it has."""

    expr: Expr
    goals: tuple[Goal, ...]


def sites(ruleset: Ruleset, clause: Clause) -> Iterator[Site]:
    """Go through the nodes of a clause that something is to be shown of."""
    for root in expressions(clause):
        for node in nodes(root):
            goals = tuple(_goals(ruleset, clause.id, node))
            if goals:
                yield Site(node, goals)


def _goals(ruleset: Ruleset, clause: str, node: Expr) -> Iterator[Goal]:
    if node.type == BOOL and node.op not in JOINED:
        yield Goal(clause, node.path, Aim.TRUE)
        yield Goal(clause, node.path, Aim.FALSE)
    if node.op in NUMERIC and node.args[0].type == INT:
        yield from (Goal(clause, node.path, aim) for aim in (Aim.BELOW, Aim.AT, Aim.ABOVE))
    if node.op is Op.STEP:
        for start, _ in rows(ruleset.steps[node.ref]):
            yield Goal(clause, node.path, Aim.ROW_AT, start)
            yield Goal(clause, node.path, Aim.ROW_BEFORE, start)


def rows(table: StepTable) -> Iterator[tuple[int, int]]:
    """Go through the rows of a table: each start with the value before it."""
    before = table.below
    for start, value in table.rows:
        yield start, before
        before = value


def expressions(clause: Clause) -> Iterator[Expr]:
    """Go through the expressions of a clause that are asked while a game is played."""
    match clause:
        case Requirement() | Bound():
            yield from (() if clause.when is None else (clause.when,))
            yield from (demand.that for demand in clause.require)
        case Effect() | Duty():
            yield from (() if clause.when is None else (clause.when,))
            for statement in clause.do:
                yield from _of_statement(statement)
        case Score():
            yield from (() if clause.when is None else (clause.when,))
            yield clause.points
        case Ending():
            yield from (clause.when, clause.winner)
        case Definition():
            yield clause.body
        case _:
            return


def _of_statement(statement: Statement) -> Iterator[Expr]:
    yield from statement.exprs
    yield from (place.owner for place in statement.places if place.owner is not None)
    if statement.body is not None:
        yield from _of_statement(statement.body)


def nodes(root: Expr) -> Iterator[Expr]:
    """Go through a tree, the root first."""
    yield root
    for part in root.args:
        yield from nodes(part)
