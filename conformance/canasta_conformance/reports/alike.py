"""Departures that show alike: where an engine is wrong in many places, what they have in common says more than the first ten."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from canasta_conformance.grading import FAULTS, Status
from canasta_conformance.reports.summary import shown
from canasta_conformance.stream import Record, clean
from canasta_conformance.suite import Suite

_CLAUSES = 3
"""So many clauses of a group are named, those first in which it was met most often."""

_ON_THE_WAY = "a legal turn on the way to what is asked was refused"


@dataclass(frozen=True, slots=True)
class Alike:
    """Results with the same symptom, in the order of the suite."""

    symptom: str
    results: tuple[Record, ...]

    @property
    def example(self) -> Record:
        """One of them, of the clause in which it was met most often."""
        most = self._clauses().most_common(1)[0][0]
        return next(result for result in self.results if _clause(result) == most)

    def told(self) -> str:
        """Say what it is and how often it was met."""
        return f"{len(self.results)} times {self.symptom}"

    def about(self) -> str:
        """Name the clauses that the cases are about, with how often."""
        counted = self._clauses()
        named = ", ".join(f"{name} {times}" for name, times in counted.most_common(_CLAUSES))
        rest = len(counted) - _CLAUSES
        return f"in cases about {named}" + (f" and {rest} more clause{'' if rest == 1 else 's'}" if rest > 0 else "")

    def _clauses(self) -> Counter[str]:
        return Counter(map(_clause, self.results))


def grouped(results: list[Record]) -> list[Alike]:
    """Group results by what shows, the most frequent first, and what is as frequent in the order of the suite."""
    groups: dict[str, list[Record]] = {}
    for result in results:
        groups.setdefault(symptom(result), []).append(result)
    found = [Alike(name, tuple(alike)) for name, alike in groups.items()]
    return sorted(found, key=lambda group: -len(group.results))


def symptom(result: Record) -> str:
    """Say what shows, without what is the case's own: the text of an error, the promise, the place, the verdict."""
    status = result["status"]
    if status == Status.UNREACHED:
        return _ON_THE_WAY
    fault = result.get("fault")
    if fault and status in FAULTS:
        return clean(f"{fault['kind']}: {fault['text']}")
    if status in (Status.ERROR, Status.FLAKY):
        return clean(f"{status}: {result.get('told', '')}")
    differences = result.get("differences", ())
    if not differences:
        promises = result.get("promises", ())
        return clean(f"promise broken: {promises[0].partition(':')[0]}") if promises else str(status)
    first = differences[0]
    expected, found = first["expected"], first["found"]
    if isinstance(expected, bool):
        return clean(f"{first['place']}: expected {shown(expected)}, found {shown(found)}")
    return clean(f"{first['grade']}: {_without_owner(first['place'])} is wrong")


def suspected(results: Iterable[Record], suite: Suite) -> list[str]:
    """Say by which codes the way to what is asked was barred, the most frequent first, and which clauses have such a code.

    That is a suspicion and no charge: which rule an engine holds against a legal turn, it alone knows.
    """
    barred: dict[tuple[str, ...], list[Record]] = {}
    for result in results:
        if result["status"] == Status.UNREACHED:
            barred.setdefault(_refused_by(result), []).append(result)
    often = sorted(barred.items(), key=lambda one: -len(one[1]))
    return [_suspicion(codes, found, suite) for codes, found in often]


def _refused_by(result: Record) -> tuple[str, ...]:
    """List the codes by which the last turn was refused, which is what led no further."""
    said: Sequence[Record] = result.get("exchange", ())
    codes = said[-1].get("reply", {}).get("codes") if said else None
    return tuple(dict.fromkeys(map(clean, codes))) if isinstance(codes, list) else ()


def _suspicion(codes: Sequence[str], found: Sequence[Record], suite: Suite) -> str:
    number = f"{len(found)} form{' was' if len(found) == 1 else 's were'} not reached"
    if not codes:
        return f"{number}: a legal turn on the way was refused without a code"
    rules = [suite.rules[name] for name in dict.fromkeys(r["ruleset"] for r in found) if name in suite.rules]
    listed = dict.fromkeys(c.id for one in rules for c in one.clauses.values() if set(c.codes) & set(codes))
    more = f" and {len(listed) - _CLAUSES} more" if len(listed) > _CLAUSES else ""
    see = f"see {', '.join(list(listed)[:_CLAUSES])}{more}" if listed else "which no clause gives as its code"
    return f"{number}: {', '.join(codes)}, {see}"


def _without_owner(place: str) -> str:
    """Name a place or a line of the ledger for all seats and sides alike: `hand` for `hand.N`, `red_threes` for `NS.red_threes`."""
    parts = [part for part in place.split(".") if not part.isupper()]
    return ".".join(parts) or place


def _clause(result: Record) -> str:
    return f"{result['ruleset']} {result['clauses'][0]}"
