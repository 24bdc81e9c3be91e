"""A legal twin for every illegal case: a case that differs from it in as little as possible, and is in order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from canasta.language.ruleset import Bound, Requirement
from canasta_conformance.finding.changing import changed
from canasta_conformance.finding.judging import Outcome
from canasta_conformance.finding.plausible import plausible
from canasta_conformance.finding.searching import Search, input_of
from canasta_conformance.finding.sketch import Sketch, distance

NEAR: Final = 2
"""A twin that differs in no more than this is not looked for any further: one card instead of another."""

TRIES: Final = (250, 250)
"""So many changed sketches are tried, with one change and with two."""


@dataclass(slots=True)
class Case:
    """A case of the rule set by its name, whether it is in order, and the clauses that it breaks."""

    name: str
    clause: str
    sketch: Sketch
    outcome: Outcome


def pair(search: Search, before: dict[str, str]) -> None:
    """Find the twin of every illegal case, and note both what was found and which belong together."""
    cases = list(_cases(search))
    legal = {c.name: c for c in cases if c.outcome.legal and c.sketch.acts}
    for case in cases:
        if case.outcome.legal:
            continue
        known = legal.get(before.get(case.name, ""))
        best = known or min(_alike(case, legal.values()), key=lambda c: distance(case.sketch, c.sketch), default=None)
        apart = distance(case.sketch, best.sketch) if best else 0
        if known is None and (best is None or apart > NEAR):
            made = _made(search, case, apart if best else 1000)
            if made is not None:
                found = input_of(case.clause, made.sketch, (), (f"twin of {case.name}",))
                if found.name not in legal:
                    search.found.inputs.append(found)
                legal[found.name] = best = Case(found.name, case.clause, made.sketch, made.outcome)
        if best is not None:
            search.found.twins[case.name] = best.name


def _cases(search: Search) -> Iterator[Case]:
    own = {c.id for c in search.own}
    for base in search.bases:
        if base.name and base.clause in own:
            tried = search.attempt(base.sketch)
            if tried is not None:
                yield Case(base.name, base.clause, base.sketch, tried[0])
    by_input = {(k.sketch.given, k.sketch.do, k.sketch.ask): k for k in search.kept}
    for one in search.found.inputs:
        kept = by_input[one.given, one.do, one.ask]
        yield Case(one.name, one.clause, kept.sketch, kept.outcome)


def _alike(case: Case, among: Iterable[Case]) -> Iterator[Case]:
    yield from (c for c in among if c.sketch.options == case.sketch.options)


@dataclass(slots=True)
class _Made:
    sketch: Sketch
    outcome: Outcome


def _made(search: Search, case: Case, apart: int) -> _Made | None:
    """Change an illegal case until it is in order, the clause that was broken being asked and kept."""
    rules = search.ruleset
    wanted = {c for c, _ in case.outcome.faults if isinstance(rules.clauses[c], Requirement | Bound)}
    best: _Made | None = None
    for steps, tries in enumerate(TRIES, start=1):
        for _ in range(tries):
            tried = changed(case.sketch, search.words, search.generator, steps)
            if tried is None or not tried.acts or not plausible(search.plain, tried, case.sketch):
                continue
            far = distance(case.sketch, tried)
            if far >= apart:
                continue
            result = search.attempt(tried)
            if result is not None and result[0].legal and wanted <= search.watch.reached and search.fits(tried):
                best, apart = _Made(tried, result[0]), far
                if apart <= NEAR:
                    return best
        if best is not None:
            return best
    return best
