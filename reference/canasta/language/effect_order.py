"""Whether the order of effects is settled: clauses on one act that touch the same thing must say which comes first."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from canasta.diagnostics import Diagnostic, Label
from canasta.language.kinds import nodes
from canasta.language.ruleset import Effect, Lasts, Owner, Ruleset
from canasta.language.types import Expr, Op, Statement, StatementOp

STATE_WORDS: Final = frozenset({"laid", "parts", "turn_no", "turn_seat", "deal_no", "dealer", "sides"})
"""Words of the context that are read off the state when a statement runs; all others are settled before the act."""

BEFORE_THE_ACT: Final = frozenset({"setup", "turn", "stuck"})


@dataclass(slots=True)
class Touched:
    """What the statements of a clause read and write: zones, variables, marks, and the course of the game."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    ends: bool = False

    def clash(self, other: "Touched") -> str:
        """Name something that one writes and the other reads or writes; nothing if there is no such thing."""
        shared = (self.writes & (other.reads | other.writes)) | (other.writes & self.reads)
        return min(shared) if shared else "the end of the deal" if self.ends or other.ends else ""


def touched_by(ruleset: Ruleset, clause: Effect) -> Touched:
    """Find what the statements of an effect read and write."""
    found = Touched()
    for statement in clause.do:
        _statement(ruleset, statement, found)
    return found


def _statement(ruleset: Ruleset, statement: Statement, found: Touched) -> None:
    for expr in (*statement.exprs, *(p.owner for p in statement.places if p.owner is not None)):
        found.reads |= read_by(ruleset, expr, set())
    found.writes |= {p.name for p in statement.places}
    match statement.op:
        case StatementOp.SET_MARK:
            found.writes.add(statement.name)
        case StatementOp.PHASE:
            found.writes.add("the phase")
        case StatementOp.ACT:
            found.writes |= {"the phase", "the seat to act"}
        case StatementOp.TURN:
            found.writes |= {"the phase", "the seat to act", "laid", "parts", "turn_no", "turn_seat"}
            found.writes |= {v.name for v in ruleset.state.values() if v.lasts is Lasts.TURN}
            for clause in ruleset.of_kind(Effect):
                if "turn" in clause.on and statement not in clause.do:
                    begun = touched_by(ruleset, clause)
                    found.reads |= begun.reads
                    found.writes |= begun.writes
        case StatementOp.MERGE:
            found.writes |= {"sides", *(z.name for z in ruleset.zones.values() if z.of is Owner.SIDE)}
            found.writes |= {v.name for v in ruleset.state.values() if v.of is Owner.SIDE}
        case StatementOp.END:
            found.ends = True
        case _:
            pass
    if statement.body is not None:
        _statement(ruleset, statement.body, found)


def read_by(ruleset: Ruleset, expr: Expr, entered: set[str]) -> set[str]:
    """Find what an expression reads off the state, through the definitions that it calls."""
    found: set[str] = set()
    for node in nodes(expr):
        if node.op in (Op.ZONE, Op.STATE, Op.MARK) or (node.op is Op.CONTEXT and node.ref in STATE_WORDS):
            found.add(node.ref)
        elif node.op is Op.DEFINE and node.ref not in entered:
            entered.add(node.ref)
            found |= read_by(ruleset, ruleset.definitions[node.ref].body, entered)
        elif node.op is Op.POSSIBLE:
            found |= {*ruleset.zones, *ruleset.state, *STATE_WORDS}
    return found


def names_of_acts(ruleset: Ruleset) -> tuple[str, ...]:
    """List everything that an effect can be on."""
    return (*ruleset.acts, *sorted(BEFORE_THE_ACT))


def check_effect_order(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find effects that wait for each other, that name what is none, and those whose order is not settled."""
    effects = ruleset.of_kind(Effect)
    known = {e.id for e in effects}
    circles = False
    for clause in effects:
        for key, ids in (("after", clause.after), ("before", clause.before)):
            for id_ in ids:
                if id_ not in known:
                    message = f"`{key}` names {id_}, which is no effect"
                    hint = "name an effect of this rule set, or delete the name"
                    yield Diagnostic("RS4004", message, clause.span, hint, clause=clause.id)
    reported: set[tuple[str, ...]] = set()
    for act in names_of_acts(ruleset):
        circle = circle_on(ruleset, act)
        if circle and tuple(sorted(circle)) not in reported:
            circles = True
            reported.add(tuple(sorted(circle)))
            yield _circular(ruleset, act, circle)
    if not circles:
        yield from _unsettled(ruleset)


def earlier_on(ruleset: Ruleset, act: str) -> dict[str, set[str]]:
    """Say for each effect on an act which effects on it come before it, as the clauses state it."""
    clauses = [e for e in ruleset.of_kind(Effect) if act in e.on]
    here = {c.id for c in clauses}
    earlier = {c.id: set(c.after) & here for c in clauses}
    for clause in clauses:
        for later in set(clause.before) & here:
            earlier[later].add(clause.id)
    return earlier


def circle_on(ruleset: Ruleset, act: str) -> list[str]:
    """Find effects on an act that wait for each other, each for the next; nothing if there are none."""
    earlier = earlier_on(ruleset, act)
    settled: set[str] = set()
    for start in earlier:
        way: list[str] = []
        here: str | None = start
        while here is not None and here not in settled:
            if here in way:
                return way[way.index(here) :]
            way.append(here)
            here = next((e for e in sorted(earlier[here]) if e not in settled), None)
            if here is None:
                settled.add(way.pop())
                here = way.pop() if way else None
    return []


def _circular(ruleset: Ruleset, act: str, circle: list[str]) -> Diagnostic:
    ring = " → ".join([*circle, circle[0]])
    labels = tuple(Label(ruleset.clauses[id_].span, "waits, too") for id_ in circle[1:])
    first = ruleset.clauses[circle[0]]
    message = f"effects on `{act}` wait for each other: {ring}"
    return Diagnostic("RS4003", message, first.span, "delete one of these `after` or `before`", labels, clause=first.id)


def _unsettled(ruleset: Ruleset) -> Iterator[Diagnostic]:
    reported: set[tuple[str, str]] = set()
    touched = {e.id: touched_by(ruleset, e) for e in ruleset.of_kind(Effect)}
    for act in names_of_acts(ruleset):
        before = _all_before(earlier_on(ruleset, act))
        for one, other in combinations(before, 2):
            if one in before[other] or other in before[one] or (one, other) in reported:
                continue
            thing = touched[one].clash(touched[other])
            if thing:
                reported.add((one, other))
                yield _clash(ruleset, act, (one, other), thing)


def _all_before(earlier: dict[str, set[str]]) -> dict[str, set[str]]:
    closed: dict[str, set[str]] = {}
    for clause, direct in earlier.items():
        waiting, found = list(direct), set[str]()
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += earlier[one]
        closed[clause] = found
    return closed


def _clash(ruleset: Ruleset, act: str, pair: tuple[str, str], thing: str) -> Diagnostic:
    first, second = (ruleset.clauses[id_] for id_ in pair)
    what = thing if thing.startswith("the ") else f"`{thing}`"
    message = f"on `{act}` both {first.id} and {second.id} touch {what}, and neither says which comes first"
    hint = f"write `after: [{first.id}]` in {second.id}, or the other way round"
    return Diagnostic("RS4002", message, second.span, hint, (Label(first.span, "the other one"),), clause=second.id)
