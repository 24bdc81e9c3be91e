"""The whole measurement: the cases by the rules as they are, then every mutant before the cases that speak of it."""

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from canasta.games import load_ruleset
from canasta.language.loading import Loaded, load_document
from canasta.language.merging import OriginKind
from canasta.language.naming import known
from canasta.playing.examples import with_options
from canasta_conformance.power.decisions import comparisons, decisions
from canasta_conformance.power.journal import Kept, kept_in, key_of, rules_digest
from canasta_conformance.power.making import Mutant, source_of
from canasta_conformance.power.mutants import mutants
from canasta_conformance.power.nodes import bare
from canasta_conformance.power.recording import Recorded, Seen, recorded
from canasta_conformance.power.sides import (
    TABLED,
    Conditions,
    Sides,
    by_no_turn,
    codes_of,
    conditions,
    is_counted,
    sides_of,
    verdicts,
)
from canasta_conformance.power.trials import Changed, Family, Fate, Notice, passes
from canasta_conformance.power.views import ALL, Views
from canasta_conformance.suite import Case, Suite, read_suite

CHUNK: Final = 12
"""So many mutants are one piece of work for a process."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One mutant and what became of it: who noticed it where it counts, and who did elsewhere."""

    mutant: Mutant
    fate: Fate
    killers: tuple[Notice, ...] = ()
    elsewhere: tuple[Notice, ...] = ()
    key: str = ""
    """The digest of all that this rests on."""


@dataclass(slots=True)
class Measured:
    """What was measured of one rule set by the rules as they are."""

    ruleset: str
    sides: list[Sides] = field(default_factory=list)
    custom: int = 0
    codes: dict[str, bool] = field(default_factory=dict)
    """The codes that the rule set itself says, and whether a case shows each alone."""
    codes_apart: dict[str, str] = field(default_factory=dict)
    """Codes that no turn can show, each with the reason."""
    conditions: Conditions = field(default_factory=Conditions)
    links: int = 0
    untraced: list[tuple[str, str]] = field(default_factory=list)
    """Cases that assert a clause of which nothing is asked while they are played."""
    failing: list[str] = field(default_factory=list)
    seen: dict[str, frozenset[str]] = field(default_factory=dict)
    """The clauses that each case touches."""
    asserted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The clauses that each case asserts."""


# -- one process -----------------------------------------------------------------------------------------------------


@cache
def _loaded(ruleset: str) -> Loaded:
    loaded = load_document(ruleset)
    return replace(loaded, document=bare(loaded.document))


@cache
def suite_at(path: str) -> Suite:
    """Read the suite that is shipped, or another one."""
    return read_suite(Path(path) if path else None)


def root_of(ruleset: str) -> str:
    """Name the rule set that a family begins with."""
    return (ruleset, *_loaded(ruleset).lineage)[-1]


@cache
def family_of(ruleset: str) -> tuple[str, ...]:
    """Name the rule sets of a family: all that come from the same one."""
    return tuple(name for name in known() if root_of(name) == root_of(ruleset))


@cache
def views_of(path: str) -> Views:
    """Know of the cases of a suite whose view they are in."""
    return Views(suite_at(path))


@cache
def family_ready(ruleset: str) -> Family:
    """Read the rule sets of a family."""
    loaded = {name: _loaded(name) for name in family_of(ruleset)}
    return Family(loaded, rules_digest(loaded))


@cache
def mutants_of(ruleset: str) -> tuple[Mutant, ...]:
    """List the mutants of a rule set; the same in every process."""
    relatives = [_loaded(name) for name in family_of(ruleset) if name != ruleset]
    parents = [_loaded(name) for name in _loaded(ruleset).lineage]
    return tuple(mutants(source_of(_loaded(ruleset), parents), relatives))


def cases_of(suite: Suite, ruleset: str) -> list[Case]:
    """List the cases that are asked by a rule set."""
    return [case for case in suite.cases.values() if case.ruleset == ruleset]


def measure(ruleset: str, suite_path: str = "") -> Measured:
    """Play the cases of a rule set by the rules as they are, and note what they show."""
    suite, rules, loaded = suite_at(suite_path), load_ruleset(ruleset), _loaded(ruleset)
    found, whole, seen = Measured(ruleset), Seen(), dict[str, Seen]()
    cases = cases_of(suite, ruleset)
    opened: dict[str, Recorded] = {}
    for case in cases:
        name = with_options(ruleset, dict(case.options))
        if name not in opened:
            opened[name] = recorded(load_ruleset(name), whole=True)
        table = opened[name]
        with table.watched() as noted:
            good = passes(lambda *_, game=table.game: game, case)
        found.failing += [] if good else [case.id]
        seen[case.id] = noted
        whole.add(noted)
        found.seen[case.id] = noted.clauses
        found.asserted[case.id] = case.asserts
    own = [c for c in rules.clauses.values() if loaded.origin[c.id].kind is not OriginKind.INHERITED]
    for clause in own:
        asserting = [case for case in cases if clause.id in case.asserts]
        if not is_counted(clause):
            found.custom += 1
            continue
        found.sides.append(sides_of(rules, ruleset, clause, asserting, seen))
        apart = by_no_turn(rules, clause)
        if apart:
            found.codes_apart |= dict.fromkeys(sorted(codes_of(clause)), apart)
        else:
            found.codes |= {code: _alone(code, cases) for code in codes_of(clause)}
        if not isinstance(clause, TABLED):
            found.links += len(asserting)
            found.untraced += [(case.id, clause.id) for case in asserting if clause.id not in noted_of(seen, case)]
    places = [place for clause in own for place in decisions(clause)]
    found.conditions = conditions(places, [path for clause in own for path in comparisons(clause)], whole)
    return found


def noted_of(seen: dict[str, Seen], case: Case) -> frozenset[str]:
    """Name the clauses that a case touches."""
    return seen[case.id].clauses


def _alone(code: str, cases: Sequence[Case]) -> bool:
    return any(verdict == "illegal" and told == {code} for case in cases for verdict, told in verdicts(case))


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work: some mutants of a rule set, before which cases, and the file with what is known already."""

    ruleset: str
    indices: tuple[int, ...]
    suite: str
    thorough: bool
    full: bool = False
    """Whether every case is asked about each mutant, not only until enough have noticed it."""
    journal: str = ""


def try_out(task: Task, touched: dict[str, frozenset[str]]) -> list[Outcome]:
    """Put mutants before the cases."""
    gc.set_threshold(100_000, 20, 20)
    suite, family = suite_at(task.suite), family_ready(task.ruleset)
    listed = mutants_of(task.ruleset)
    return [_known_or_tried(listed[at], suite, family, touched, task) for at in task.indices]


def _known_or_tried(
    mutant: Mutant, suite: Suite, family: Family, touched: dict[str, frozenset[str]], task: Task
) -> Outcome:
    changed = family.opened(mutant)
    asserting, others = _divided(mutant, suite, changed, touched)
    asked = [*asserting, *others] if task.thorough else asserting
    key = key_of(mutant.id, family.digest, asked, thorough=task.thorough, full=task.full)
    known = _journal(task.journal).get(key)
    if known is not None:
        return Outcome(mutant, known.fate, known.killers, known.elsewhere, key)
    enough = None if task.full else views_of(task.suite)
    tried = _tried(changed, asserting, others if task.thorough else [], enough)
    return replace(tried, key=key)


@cache
def _journal(path: str) -> Mapping[str, Kept]:
    return kept_in(Path(path)) if path else {}


def _tried(changed: Changed, asserting: Sequence[Case], others: Iterable[Case], enough: Views | None) -> Outcome:
    """Put a mutant before cases; with ``enough`` only until it has been noticed in every view."""
    mutant = changed.mutant
    if mutant.same:
        return Outcome(mutant, Fate.SAME)
    if not changed.fits():
        return Outcome(mutant, Fate.STILLBORN)
    noticed = tuple(_noticed(changed, asserting) if enough is None else _noticed_enough(changed, asserting, enough))
    killers = tuple(n for n in noticed if not n.whole_game)
    if killers:
        return Outcome(mutant, Fate.KILLED, killers)
    # What nobody notices may be none.
    fate = None if noticed else changed.kind()
    if fate is not None:
        return Outcome(mutant, fate)
    elsewhere = noticed or tuple(islice(_noticed(changed, others), 1))
    return Outcome(mutant, Fate.ELSEWHERE if elsewhere else Fate.SURVIVED, (), elsewhere)


def _noticed(changed: Changed, cases: Iterable[Case]) -> Iterator[Notice]:
    return (n for case in cases if (n := changed.noticed(case)) is not None)


def _noticed_enough(changed: Changed, cases: Iterable[Case], views: Views) -> Iterator[Notice]:
    """Ask only cases by which the mutant is noticed in a view in which it has not been yet."""
    ruleset, missing = changed.mutant.ruleset, set(ALL)
    for case in views.first(ruleset, cases):
        if missing & views.open_to(ruleset, case):
            notice = changed.noticed(case)
            if notice is not None:
                missing -= views.of(ruleset, notice)
                yield notice


def _divided(
    mutant: Mutant, suite: Suite, changed: Changed, touched: dict[str, frozenset[str]]
) -> tuple[list[Case], list[Case]]:
    """List the cases that assert what was changed, of heirs too, where they inherit it; and the others of the rule set that touch it."""
    wanted = set(mutant.clauses)
    asserting: list[Case] = []
    others: list[Case] = []
    for case in suite.cases.values():
        if case.ruleset not in changed.family.loaded or not changed.touches(case.ruleset):
            continue
        if wanted & set(case.asserts):
            asserting.append(case)
        elif case.ruleset == mutant.ruleset and (not wanted or wanted & touched.get(case.id, frozenset())):
            others.append(case)
    return asserting, others


# -- all processes ---------------------------------------------------------------------------------------------------


def measure_all(rulesets: Sequence[str], suite: str, jobs: int) -> list[Measured]:
    """Measure what the cases of several rule sets show; of each family all are played, for heirs show something of their parents."""
    with pool(jobs) as workers:
        return list(workers.map(measure, rulesets, [suite] * len(rulesets)))


def try_all(tasks: Sequence[Task], touched: dict[str, frozenset[str]], jobs: int) -> Iterator[list[Outcome]]:
    """Put the mutants of several tasks before the cases, and give what became of them as it comes, in no order."""
    with pool(jobs) as workers:
        for done in as_completed([workers.submit(try_out, task, touched) for task in tasks]):
            yield done.result()


def tasks_of(rulesets: Sequence[str], task: Task, every: int) -> list[Task]:
    """Divide the mutants of several rule sets into tasks, each like a given one; with ``every`` only each so-manieth."""
    return [
        replace(task, ruleset=name, indices=chunk)
        for name in rulesets
        for chunk in _chunks(range(0, len(mutants_of(name)), every))
    ]


def _chunks(indices: Iterable[int]) -> Iterator[tuple[int, ...]]:
    listed = list(indices)
    yield from (tuple(listed[at : at + CHUNK]) for at in range(0, len(listed), CHUNK))


def pool(jobs: int) -> ProcessPoolExecutor:
    """Open so many processes; with none named, one for each processor."""
    return ProcessPoolExecutor(jobs or os.cpu_count() or 1, get_context("fork"))
