"""What tells a mutant from the rules where no case does: plays counted and acts tried on mini packs, and acts of deals played at random.

A fault may show only where something else is chosen, or only in an heir. So both are tried with the ways of playing in which it may
show: as the book says, by each other choice of an option that its clauses speak of, and in a rule set that inherits it.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from canasta.diagnostics import CanastaError
from canasta.kernel.game import Game
from canasta.kernel.machine import EffectOrderError
from canasta.playing.examples import with_options
from canasta_conformance.generator.general import general
from canasta_conformance.generator.small import NothingSmallError, small_position
from canasta_conformance.power.games import Corpus, Tried, tells_apart
from canasta_conformance.power.making import Mutant
from canasta_conformance.power.measuring import family_ready, mutants_of, suite_at
from canasta_conformance.power.minis import COUNTING, packs_of, walk, walk_from
from canasta_conformance.power.trials import Changed
from canasta_conformance.suite import Case

NOT_COUNTED: Final = "no mini pack"
"""What is told of a mutant that touches no rule set of which plays are counted."""

Way = tuple[str, Mapping[str, str]]
"""A rule set, and what is chosen in it otherwise than it says itself."""


def on_mini_packs(mutant: Mutant, suite_path: str) -> str:
    """Say on which mini pack of its rule set or an heir a mutant comes to other numbers of plays, or does something else."""
    changed = _changed(mutant)
    suite = suite_at(suite_path)
    counting = [c for c in suite.cases.values() if c.kind == COUNTING and c.ruleset in changed.family.loaded]
    asked = [c for c in counting if changed.touches(c.ruleset)]
    if not asked:
        return _on_a_small_one(changed)
    counted = next((c.id for c in asked if changed.noticed(c) is not None), "")
    if counted:
        return f"the count of plays in {counted}"
    told = (
        (c, walked_otherwise(changed, c, {}, suite_path))
        for ruleset in _touched(changed)
        for c in packs_of(suite.cases, ruleset)
    )
    found = next((f"an act on the mini pack of {case.id}: {what}" for case, what in told if what), "")
    return found or next(
        (what for case in packs_of(suite.cases, mutant.ruleset) if (what := _chosen(changed, case, suite_path))), ""
    )


def _on_a_small_one(changed: Changed) -> str:
    """Walk through a small position that is found for a rule set of which no plays are counted."""
    ruleset = changed.mutant.ruleset
    other = _opened(changed, ruleset, {})
    try:
        of = general(ruleset)
        game, tried = of.game, walk_from(of.game, of.position(small_position(of))[1])
    except NothingSmallError:
        return NOT_COUNTED
    what = "" if other is None else tells_apart(game, tried, other)
    return f"an act on a small position of {ruleset}: {what}" if what else ""


def _chosen(changed: Changed, case: Case, suite_path: str) -> str:
    """Walk through a mini pack by each other choice of the options that the clauses of a mutant speak of."""
    for ruleset, options in _ways(changed):
        if ruleset == changed.mutant.ruleset and options:
            what = walked_otherwise(changed, case, options, suite_path)
            if what:
                chosen = ", ".join(f"{option} {choice}" for option, choice in options.items())
                return f"an act on the mini pack of {case.id} with {chosen}: {what}"
    return ""


def walked_otherwise(changed: Changed, case: Case, options: Mapping[str, str], suite_path: str = "") -> str:
    """Find an act on a mini pack of which something else comes by a mutant: another code, state or ledger."""
    other = _opened(changed, case.ruleset, options)
    if other is None:
        return ""
    game, tried = _walk(suite_path, case.id, tuple(sorted(options.items())))
    return tells_apart(game, tried, other)


@cache
def _walk(suite_path: str, case_id: str, options: tuple[tuple[str, str], ...]) -> tuple[Game, list[Tried]]:
    case = suite_at(suite_path).cases[case_id]
    game = family_ready(case.ruleset).opened_as_it_is(case.ruleset, dict(options))
    return game, walk(game, case)


def _touched(changed: Changed) -> list[str]:
    return [name for name in changed.family.loaded if changed.touches(name)]


def position_of(mutant: Mutant, acts: int) -> str:
    """Find an act of deals played at random of which something else comes by a mutant, in whatever way of playing it may show."""
    changed = _changed(mutant)
    for ruleset, options in _ways(changed):
        other = _opened(changed, ruleset, options)
        if other is None:
            continue
        name = with_options(ruleset, dict(options))
        told = _corpus(name, acts).tells_apart(other)
        if told:
            return told if name == mutant.ruleset else f"{name}: {told}"
    return ""


def _ways(changed: Changed) -> Iterator[Way]:
    """Go through the ways in which a mutant may show, each once: of the heirs that inherit it the first."""
    own, family = changed.mutant.ruleset, changed.family
    yield own, {}
    for ruleset, options in changed.ways():
        if ruleset != own:
            yield ruleset, options
            return
        if options and any(family.default(own, option) != choice for option, choice in options.items()):
            yield ruleset, options


def _opened(changed: Changed, ruleset: str, options: Mapping[str, str]) -> Game | None:
    """Open a rule set with the fault; nothing where it does not fit, for nobody could play by it."""
    try:
        return changed.game(ruleset, options)
    except (CanastaError, EffectOrderError):
        return None


@cache
def _corpus(ruleset: str, acts: int) -> Corpus:
    return Corpus(ruleset, acts)


def _changed(mutant: Mutant) -> Changed:
    # The rules are built from the documents of this process, in which the changed place is another object.
    own = next(m for m in mutants_of(mutant.ruleset) if m.id == mutant.id)
    return family_ready(mutant.ruleset).opened(own)
