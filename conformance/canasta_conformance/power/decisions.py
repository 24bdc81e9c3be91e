"""Every decision and comparison that stands in the clauses of a rule set, by the paths of their nodes."""

from collections.abc import Iterator

from canasta.language.kinds import nodes, statement_roots
from canasta.language.ruleset import Clause, Definition, Duty, Effect, Ending, Requirement, Score
from canasta.language.types import BOOL, INT, Expr, Op
from canasta_conformance.power.recording import JOINED, ORDERED


def roots_of(clause: Clause) -> Iterator[Expr]:
    """Go through the whole expressions of one clause that are asked in play; bounds are made into tables before."""
    match clause:
        case Definition():
            yield clause.body
        case Requirement():
            yield from (x for x in (clause.when, *(d.that for d in clause.require)) if x is not None)
        case Effect() | Duty():
            if clause.when is not None:
                yield clause.when
            for statement in clause.do:
                yield from statement_roots(statement)
        case Score():
            yield from (x for x in (clause.when, clause.points) if x is not None)
        case Ending():
            yield from (clause.when, clause.winner)
        case _:
            pass


def decisions(clause: Clause) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Go through the decisions of a clause: the path of each, and the paths of its conditions."""
    for root in roots_of(clause):
        yield from _decisions(root)


def _decisions(e: Expr) -> Iterator[tuple[str, tuple[str, ...]]]:
    if e.type == BOOL and e.span is not None and e.op not in (Op.CONST, Op.DEFINE):
        yield e.path, tuple(leaf.path for leaf in _leaves(e) if leaf.op is not Op.CONST)
    for part in _inner(e):
        yield from _decisions(part)


def _inner(e: Expr) -> Iterator[Expr]:
    """Go to the parts of a node that begin decisions of their own."""
    for part in e.args:
        if e.op in JOINED and part.op in JOINED:
            yield from _inner(part)
        elif e.op in JOINED:
            yield from part.args
        else:
            yield part


def _leaves(e: Expr) -> Iterator[Expr]:
    if e.op in JOINED:
        for part in e.args:
            yield from _leaves(part)
    else:
        yield e


def comparisons(clause: Clause) -> Iterator[str]:
    """Go through the comparisons of numbers in an order."""
    for root in roots_of(clause):
        yield from (e.path for e in nodes(root) if e.op in ORDERED and e.args[0].type == INT and e.span is not None)
