"""Mutants that are known to change nothing: each with its reason, and only as long as all says what it said then that this rests on."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from canasta_conformance.places import folder
from canasta_conformance.power.making import Mutant
from canasta_conformance.power.measuring import Outcome, family_ready, mutants_of
from canasta_conformance.power.resting import moved
from canasta_conformance.power.trials import Fate

MOST: Final = 0.03
"""No larger share of the mutants may be called equivalent."""


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant that is said to change nothing."""

    mutant: str
    formal: str
    rests: Mapping[str, str]
    """On what its reason rests beside the clause itself, each with its digest."""
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The entries that hold, and what is wrong with the others."""

    holding: frozenset[str]
    complaints: tuple[str, ...]


def listed(path: Path | None = None) -> tuple[Equivalent, ...]:
    """Read the list that is shipped, or another one.

    Raises:
        OSError: when it cannot be read.
        ValueError: when it is no such list.
    """
    try:
        file = path or folder("power") / "equivalent.json"
    except FileNotFoundError:
        return ()
    told = json.loads(file.read_text(encoding="utf-8"))
    return tuple(Equivalent(e["mutant"], e["formal"], e["rests"], e["reason"]) for e in told["equivalent"])


def judged(entries: Iterable[Equivalent], outcomes: Mapping[str, Outcome], differing: Mapping[str, str]) -> Judged:
    """Say which entries hold for what was measured; ``differing`` are mutants for which a position was found that tells them apart."""
    holding: set[str] = set()
    complaints: list[str] = []
    for entry in entries:
        outcome = outcomes.get(entry.mutant)
        if outcome is None:
            continue
        wrong = _wrong(entry, outcome, differing)
        if wrong:
            complaints.append(f"{entry.mutant}: {wrong}")
        else:
            holding.add(entry.mutant)
    return Judged(frozenset(holding), tuple(complaints))


def too_many(holding: Collection[str], outcomes: Collection[Outcome]) -> list[str]:
    """Complain if more are called equivalent than may be, of the mutants of all rule sets; one alone may have more."""
    tried = sum(o.fate not in (Fate.STILLBORN, Fate.SAME) for o in outcomes)
    if len(holding) <= MOST * tried:
        return []
    return [f"{len(holding)} of {tried} mutants are called equivalent, and {MOST:.0%} is the most"]


def _wrong(entry: Equivalent, outcome: Outcome, differing: Mapping[str, str]) -> str:
    old = outdated(entry, outcome.mutant)
    if old:
        return old
    if outcome.fate in (Fate.KILLED, Fate.ELSEWHERE):
        return f"a case notices it: {(*outcome.killers, *outcome.elsewhere)[0].case}"
    if outcome.fate in (Fate.STILLBORN, Fate.SAME):
        return f"it is no mutant: {outcome.fate}"
    if entry.mutant in differing:
        return f"a position tells it apart: {differing[entry.mutant]}"
    return ""


def outdated(entry: Equivalent, mutant: Mutant) -> str:
    """Say what an entry rests on that is not as it was when it was written; nothing where all is, and a reason is given."""
    if mutant.formal != entry.formal:
        return f"written against {entry.formal}, and the clause is {mutant.formal} now: read it again"
    # The mutant may have been made in another process, where the changed place is another object than in the documents of this one.
    own = next((m for m in mutants_of(mutant.ruleset) if m.id == mutant.id), mutant)
    other = moved(entry.rests, family_ready(mutant.ruleset), own)
    if other:
        return f"its reason rests on what has changed: {'; '.join(other)}: read it again"
    return "" if entry.reason.strip() else "no reason is given"


def unknown(entries: Iterable[Equivalent], names: Iterable[str]) -> list[str]:
    """List entries about mutants that there are not."""
    known = set(names)
    return [f"{entry.mutant}: there is no such mutant" for entry in entries if entry.mutant not in known]
