"""The kill rate as those see it who can ask less: cases of the rule set itself, none that needs the rule language, no codes.

A mutant need be asked about only until every view has a case that notices it, and one of them by a wrong answer, not by none.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from canasta_conformance.grading import Grade
from canasta_conformance.power.trials import ERROR, OVERTIME, Notice
from canasta_conformance.suite import Case, Suite

if TYPE_CHECKING:
    from canasta_conformance.power.measuring import Outcome

OWN: Final = "cases of the rule set itself"
PLAIN: Final = "cases without expressions"
SILENT: Final = "codes left aside"
ANSWERED: Final = "answers that are wrong"
"""No view that is told, for the figures name those killed by none apart; but one that a measurement goes on for."""
TOLD: Final = (OWN, PLAIN, SILENT)
ALL: Final = frozenset((*TOLD, ANSWERED))


def by_expressions(suite: Suite) -> frozenset[str]:
    """List the cases that only an engine can be asked that reads the rule language: none of their forms goes without an expression."""
    return frozenset(case.id for case in suite.cases.values() if all("ask" in form.operations for form in case.forms))


class Views:
    """Says of a case, and of what it noticed, whose view that is in."""

    def __init__(self, suite: Suite) -> None:
        """Find the cases that few can be asked."""
        self.asking = by_expressions(suite)
        self._cases = suite.cases

    def of(self, ruleset: str, notice: Notice) -> set[str]:
        """Name the views in which a mutant of a rule set is noticed by this."""
        if notice.whole_game:
            return set()
        found = self.open_to(ruleset, self._cases[notice.case])
        found -= {SILENT} if notice.by == Grade.CODE else set()
        return found - ({ANSWERED} if notice.by in (ERROR, OVERTIME) else set())

    def open_to(self, ruleset: str, case: Case) -> set[str]:
        """Name the views in which a case can notice a mutant of a rule set."""
        found = {SILENT, ANSWERED}
        found |= {OWN} if case.ruleset == ruleset else set()
        return found | (set() if case.id in self.asking else {PLAIN})

    def first(self, ruleset: str, cases: Iterable[Case]) -> list[Case]:
        """Put those first that are in the most views, and of these the shortest."""
        return sorted(cases, key=lambda case: (-len(self.open_to(ruleset, case)), _length(case)))


def _length(case: Case) -> int:
    return sum(len(form.exchanges) for form in case.forms)


def killed_as_seen(outcomes: "Iterable[Outcome]", suite: Suite) -> Mapping[str, int]:
    """Count by view the mutants of which a notice is left."""
    views = Views(suite)
    found = dict.fromkeys(TOLD, 0)
    for outcome in outcomes:
        seen = set[str]().union(*(views.of(outcome.mutant.ruleset, notice) for notice in outcome.killers))
        for name in TOLD:
            found[name] += name in seen
    return found
