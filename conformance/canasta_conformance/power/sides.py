"""What the cases of a clause show of it: both sides by its kind, its codes alone, its conditions one by one, its boundaries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from canasta.language.ruleset import (
    Bound,
    Clause,
    Custom,
    Definition,
    Duty,
    Effect,
    Ending,
    Requirement,
    Ruleset,
    Score,
    Structure,
)  # fmt: skip
from canasta.language.types import Expr, Op
from canasta.playing.examples import comes_by_itself
from canasta_conformance.power.recording import Seen, Vector
from canasta_conformance.suite import Case

TABLED: Final = (Bound, Structure)
"""Kinds of clause that are not asked in play: the kernel makes tables of them before, or refuses by itself."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Which sides of a clause its cases show, named as its kind names them."""

    ruleset: str
    clause: str
    kind: str
    wanted: tuple[str, ...]
    shown: tuple[str, ...]

    @property
    def lacking(self) -> tuple[str, ...]:
        """The sides that no case shows."""
        return tuple(side for side in self.wanted if side not in self.shown)


def sides_of(rules: Ruleset, base: str, clause: Clause, cases: Sequence[Case], seen: Mapping[str, Seen]) -> Sides:
    """Say which sides of a clause the cases that assert it show."""
    values: dict[str, set[int]] = {}
    for case in cases:
        for path, found in seen[case.id].values.items():
            if path.startswith(f"{clause.id}/"):
                values.setdefault(path, set()).update(found)
    held = frozenset(case.id for case in cases if _held(clause, seen[case.id]))
    wanted, shown = _sides(rules, clause, cases, values, held)
    return Sides(base, clause.id, clause.kind, wanted, tuple(side for side in wanted if side in shown))


_OF_A_CARD: Final = frozenset({Op.CONST, Op.CARD_ATTR, Op.IS_CLASS, Op.NOT, Op.AND, Op.OR, Op.EQ, Op.IN})


def _of_the_card_alone(expr: Expr) -> bool:
    """Ask whether nothing but the card of the act decides a demand."""
    if expr.op is Op.CONTEXT:
        return expr.ref == "card"
    return expr.op in _OF_A_CARD and all(map(_of_the_card_alone, expr.args))


def _held(clause: Clause, seen: Seen) -> bool:
    """Ask whether a demand of a requirement was asked in a case and held; where its condition is not met nothing is asked.

    Bounds and structures are not asked in play, so of them nothing is known but the verdict. Nor is what the card alone decides: of that
    a table is made before, and it is asked only where the act is refused.
    """
    if not isinstance(clause, Requirement):
        return True
    asked = [*([clause.when] if clause.when is not None else []), *(demand.that for demand in clause.require)]
    if all(map(_of_the_card_alone, asked)):
        return True
    return any(1 in seen.values.get(f"{clause.id}/require/{at}/that", ()) for at in range(len(clause.require)))


def _sides(
    rules: Ruleset, clause: Clause, cases: Sequence[Case], values: Mapping[str, set[int]], held: frozenset[str]
) -> tuple[tuple[str, ...], set[str]]:
    when = values.get(f"{clause.id}/when", set())
    match clause:
        case Requirement() | Bound() | Structure():
            return _verdicts(rules, clause, cases, values, held)
        case Effect():
            shown = {"happens"} if 1 in when else set()
            if clause.when is None:
                return ("happens",), shown  # without a condition it happens with its act, whatever else is so
            return ("happens", "does not"), shown | ({"does not"} if 0 in when else set())
        case Duty():
            return ("is due", "is not"), _named(when, "is due", "is not")
        case Ending():
            return ("ends", "goes on"), _named(when, "ends", "goes on")
        case Score():
            points = values.get(f"{clause.id}/points", set())
            absent = 0 in when or 0 in points
            return ("present", "absent"), ({"present"} if points - {0} else set()) | ({"absent"} if absent else set())
        case Definition():
            found = values.get(f"{clause.id}/is", set())
            if clause.body.op is Op.CONST:
                return ("one value",), {"one value"} if found else set()
            return ("one value", "another"), set(("one value", "another")[: len(found)])
        case _:
            return (), set()


def _named(when: set[int], met: str, unmet: str) -> set[str]:
    return ({met} if 1 in when else set()) | ({unmet} if 0 in when else set())


def _verdicts(
    rules: Ruleset,
    clause: Requirement | Bound | Structure,
    cases: Sequence[Case],
    values: Mapping[str, set[int]],
    held: frozenset[str],
) -> tuple[tuple[str, ...], set[str]]:
    """Say whether an act is shown that is legal by the clause, and an illegal one; what comes by itself is illegal where it does not come.

    A legal act shows a requirement only where its demand was asked; ``held`` are the cases in which it was.
    """
    codes = codes_of(clause)
    shown: set[str] = set()
    for case in cases:
        for verdict, told in verdicts(case):
            if verdict == "legal":
                shown |= {"legal"} if case.id in held else set()
            elif codes & told:
                shown.add("illegal")
    if isinstance(clause, Structure):
        return (() if by_no_turn(rules, clause) else ("legal", "illegal")), shown
    if isinstance(clause, Requirement) and all(rules.acts[act].auto for act in clause.on):
        that = [found for path, found in values.items() if "/require/" in path and path.endswith("/that")]
        shown |= {"illegal"} if any(0 in found for found in that) else set()
        shown |= {"legal"} if any(1 in found for found in that) else set()
    return ("legal", "illegal"), shown


def by_no_turn(rules: Ruleset, clause: Clause) -> str:
    """Say why no turn can show the codes of a clause; nothing where one can."""
    if isinstance(clause, Structure) and clause.refuses == "dealer":
        return "only a record of several deals shows who should have dealt"
    if isinstance(clause, Requirement) and comes_by_itself(rules, clause):
        return "what comes by itself is left out where it may not come, and nobody can break it"
    return ""


def codes_of(clause: Clause) -> set[str]:
    """List the codes of a clause."""
    if isinstance(clause, Structure):
        return {clause.code}
    return {demand.code for demand in clause.require} if isinstance(clause, Requirement | Bound) else set()


def verdicts(case: Case) -> Iterator[tuple[str, frozenset[str]]]:
    """Go through the verdicts that a case expects, with their codes."""
    steps: list[Any] = case.data.get("steps", [])
    for step in steps:
        expect = step.get("expect", {})
        if "verdict" in expect:
            yield expect["verdict"], frozenset(expect.get("codes", ()))


@dataclass(slots=True)
class Conditions:
    """How much the cases show of the conditions of a rule set."""

    conditions: int = 0
    alone: int = 0
    """Conditions that were seen to decide by themselves, the others being as they were."""
    boundaries: int = 0
    at_the_boundary: int = 0
    """Comparisons that were seen on both sides of their boundary, with nothing between."""
    missing: list[str] = field(default_factory=list)


def conditions(paths: Iterable[tuple[str, tuple[str, ...]]], comparisons: Iterable[str], seen: Seen) -> Conditions:
    """Measure the conditions of decisions, each with its leaves, and the boundaries of comparisons."""
    found = Conditions()
    for decision, leaves in paths:
        vectors = seen.decisions.get(decision, set())
        for leaf in leaves:
            found.conditions += 1
            if _decides(leaf, vectors):
                found.alone += 1
            else:
                found.missing.append(leaf)
    for path in comparisons:
        found.boundaries += 1
        near = seen.distances.get(path, set())
        found.at_the_boundary += {-1, 0} <= near or {0, 1} <= near
    return found


def _decides(leaf: str, vectors: set[Vector]) -> bool:
    """Ask whether two evaluations differ in this condition and in the outcome, and in no other that both looked at."""
    told = [(dict(leaves), outcome) for leaves, outcome in vectors]
    met = [(one, outcome) for one, outcome in told if one.get(leaf) is True]
    unmet = [(one, outcome) for one, outcome in told if one.get(leaf) is False]
    return any(
        outcome != other_outcome and all(other.get(path, value) == value for path, value in one.items() if path != leaf)
        for one, outcome in met
        for other, other_outcome in unmet
    )


def is_counted(clause: Clause) -> bool:
    """Ask whether a clause says something that is executed; the others bind people and are counted by themselves."""
    return not isinstance(clause, Custom)
