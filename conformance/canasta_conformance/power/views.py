"""The kill rate as those see it who can ask less: cases of the rule set itself, none that needs the rule language, no codes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from canasta_conformance.grading import Grade
from canasta_conformance.power.measuring import Outcome
from canasta_conformance.power.trials import Notice
from canasta_conformance.suite import Suite

OWN: Final = "cases of the rule set itself"
PLAIN: Final = "cases without expressions"
SILENT: Final = "codes left aside"


def by_expressions(suite: Suite) -> frozenset[str]:
    """List the cases that only an engine can be asked that reads the rule language: none of their forms goes without an expression."""
    return frozenset(case.id for case in suite.cases.values() if all("ask" in form.operations for form in case.forms))


def killed_as_seen(outcomes: Iterable[Outcome], suite: Suite) -> Mapping[str, int]:
    """Count by view the mutants of which a notice is left."""
    asking = by_expressions(suite)
    views: dict[str, Callable[[Outcome, Notice], bool]] = {
        OWN: lambda outcome, notice: suite.cases[notice.case].ruleset == outcome.mutant.ruleset,
        PLAIN: lambda _, notice: notice.case not in asking,
        SILENT: lambda _, notice: notice.by != Grade.CODE,
    }
    found = dict.fromkeys(views, 0)
    for outcome in outcomes:
        for name, counts in views.items():
            found[name] += any(counts(outcome, notice) for notice in outcome.killers)
    return found
