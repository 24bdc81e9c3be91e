"""The measurement from beginning to end: what the cases show, what becomes of the mutants, what survivors can be told by."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from canasta.language.naming import known
from canasta_conformance.power import equivalents, tiers
from canasta_conformance.power.distance import changes_shown
from canasta_conformance.power.equivalents import Equivalent
from canasta_conformance.power.games import never_called_on
from canasta_conformance.power.journal import Journal, Kept, kept_in
from canasta_conformance.power.making import Mutant
from canasta_conformance.power.measuring import (
    Outcome,
    Task,
    family_of,
    measure_all,
    mutants_of,
    pool,
    tasks_of,
    try_all,
)
from canasta_conformance.power.report import NO_MUTANT, Power
from canasta_conformance.power.telling import on_mini_packs, position_of
from canasta_conformance.power.trials import Fate
from canasta_conformance.power.views import by_expressions, killed_as_seen
from canasta_conformance.suite import read_suite

SHARES: Final = 2
"""Into so many shares for each process mutants are divided, of which each is put to what is played by its rule set."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What to measure, and how long to look."""

    rulesets: tuple[str, ...] = ()
    suite: str = ""
    jobs: int = 0
    thorough: bool = True
    """Whether the cases that do not assert a changed clause are asked, too."""
    acts: int = 0
    """How many acts at random each survivor is put to, to find a position that tells it apart."""
    deals: int = 0
    """How many deals at random are played to find rules that never come into play."""
    every: int = 1
    """Only each so-manieth mutant is tried."""
    journal: str = ""
    """The file in which the outcomes are kept as they come."""
    full: bool = False
    """Whether every case is asked about each mutant, which the core and links that notice nothing want to know."""


def _silent(_: str) -> None:
    """Nobody watches."""


def measure_power(settings: Settings, progress: Callable[[str], None] = _silent) -> Power:
    """Measure how strong the suite is.

    Raises:
        CanastaError: when there is no such rule set.
        SuiteError: when the suite cannot be read.
        OtherFileError: when the file for the journal holds something else.
    """
    suite = read_suite(Path(settings.suite) if settings.suite else None)
    wanted = settings.rulesets or known()
    if settings.journal:
        Journal(Path(settings.journal)).close()  # before anything is played, so that a wrong file is told at once
    families = tuple(dict.fromkeys(name for one in wanted for name in family_of(one)))
    progress("playing the cases")
    measured = measure_all(families, settings.suite, settings.jobs)
    touched = {case: clauses for m in measured for case, clauses in m.seen.items()}
    outcomes = try_mutants(wanted, touched, settings, progress)
    kept = [m for m in measured if m.ruleset in wanted]
    power = Power(suite.digest, kept, outcomes)
    for m in kept:
        power.complaints += [f"{case} does not come out as expected" for case in m.failing]
    if settings.acts:
        progress("looking for positions that tell survivors apart")
        power.positions = _told_apart(outcomes, settings)
    entries = equivalents.listed()
    progress("putting equivalents to mini packs")
    differing = {**power.positions, **_on_mini_packs(entries, outcomes, settings)}
    judged = equivalents.judged(entries, {o.mutant.id: o for o in outcomes}, differing)
    power.equivalent = judged.holding
    power.complaints += judged.complaints
    if not settings.rulesets:
        power.complaints += equivalents.unknown(entries, (m.id for name in known() for m in mutants_of(name)))
        power.complaints += equivalents.too_many(power.equivalent, outcomes)
    if settings.full:
        power.core = tiers.core(outcomes, by_expressions(suite))
    power.seen = killed_as_seen([o for o in power.tried if o.mutant.id not in power.equivalent], suite)
    progress("looking at what variants change")
    with pool(settings.jobs) as workers:
        power.distances = dict(zip(wanted, workers.map(changes_shown, wanted), strict=True))
        if settings.deals:
            progress("playing at random")
            found = workers.map(never_called_on, wanted, [settings.deals] * len(wanted))
            power.vacuous = dict(zip(wanted, found, strict=True))
    return power


def try_mutants(
    wanted: Sequence[str],
    touched: dict[str, frozenset[str]],
    settings: Settings,
    progress: Callable[[str], None] = _silent,
) -> list[Outcome]:
    """Try all mutants, keep what becomes of each as soon as it is known, and give them in their order."""
    order = {m.id: number for number, m in enumerate(m for name in wanted for m in mutants_of(name))}
    journal = Journal(Path(settings.journal)) if settings.journal else None
    known = frozenset(kept_in(Path(settings.journal))) if settings.journal else frozenset()
    like = Task("", (), settings.suite, settings.thorough, settings.full, settings.journal)
    found: list[Outcome] = []
    try:
        for outcomes in try_all(tasks_of(wanted, like, settings.every), touched, settings.jobs):
            found += outcomes
            for o in outcomes:
                if journal is not None and o.key not in known:
                    journal.keep(o.mutant.id, Kept(o.key, o.fate, o.killers, o.elsewhere))
            progress(f"{len(found) * settings.every} of {len(order)} mutants")
    finally:
        if journal is not None:
            journal.close()
    return sorted(found, key=lambda outcome: order[outcome.mutant.id])


def _on_mini_packs(entries: Sequence[Equivalent], outcomes: Sequence[Outcome], settings: Settings) -> dict[str, str]:
    """Put the mutants that are said to change nothing to mini packs; say by what one is told from the rules, or that it has none."""
    named = {entry.mutant for entry in entries}
    asked = [o.mutant for o in outcomes if o.mutant.id in named and o.fate not in NO_MUTANT]
    with pool(settings.jobs) as workers:
        found = workers.map(on_mini_packs, asked, [settings.suite] * len(asked), chunksize=_share(asked, settings))
        return {m.id: told for m, told in zip(asked, found, strict=True) if told}


def _share(mutants: Sequence[Mutant], settings: Settings) -> int:
    """Say how many mutants a process takes at once: those of one rule set share what is played by it, and each process plays that anew."""
    return 1 + len(mutants) // (SHARES * (settings.jobs or os.cpu_count() or 1))


def _told_apart(outcomes: Sequence[Outcome], settings: Settings) -> dict[str, str]:
    """Find positions in which survivors do something else than the rules say."""
    left = [o.mutant for o in outcomes if o.fate not in (*NO_MUTANT, Fate.KILLED)]
    with pool(settings.jobs) as workers:
        found = workers.map(position_of, left, [settings.acts] * len(left), chunksize=_share(left, settings))
        return {mutant.id: told for mutant, told in zip(left, found, strict=True) if told}
