"""Which cases of which suite."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.suite import Case, Suite, SuiteError, read_suite


def suite_at(path: str | None) -> Suite:
    """Read the suite in a folder, or the one that is installed.

    Raises:
        CanastaError: CF0007 when it cannot be read.
    """
    try:
        return read_suite(Path(path) if path else None)
    except SuiteError as error:
        raise CanastaError([Diagnostic("CF0007", str(error))]) from None


def chosen(
    suite: Suite, patterns: Sequence[str], clauses: Sequence[str], levels: Sequence[int], tier: str | None = None
) -> list[Case]:
    """List the cases that are asked for.

    Raises:
        CanastaError: CF0003 when there is none.
    """
    if tier and not suite.tiers.get(tier):
        told = f"which cases are the {tier} of this suite has not been measured and written down"
        hint = "ask the whole suite, without --tier; `canasta conformance power --core FILE` finds the core"
        raise CanastaError([Diagnostic("CF0003", told, hint=hint)])
    found = [
        case
        for case in suite.chosen(patterns, clauses, tier or "")
        if not levels or any(form.level in levels for form in case.forms)
    ]
    if not found:
        asked = ", ".join(
            [
                *patterns,
                *(f"clause {c}" for c in clauses),
                *(f"level {n}" for n in levels),
                *([f"tier {tier}"] if tier else []),
            ]
        )
        raise CanastaError(
            [Diagnostic("CF0003", f"no case of the suite fits {asked}", hint=_near(suite, patterns, clauses))]
        )
    return found


def _near(suite: Suite, patterns: Sequence[str], clauses: Sequence[str]) -> str:
    """Guess what was meant by patterns and clauses that fit nothing; an empty text leaves the hint of the register."""
    asserted = dict.fromkeys(clause for case in suite.cases.values() for clause in case.asserts)
    beginnings = dict.fromkeys(case.id.rpartition("/")[0] for case in suite.cases.values())
    for words, known, written in ((patterns, [*suite.cases, *beginnings], ""), (clauses, [*asserted], "--clause ")):
        for word in words:
            if any(name.startswith(word) for name in known):
                return f"a name is meant as far as a slash; for all that begins so write {written}'{word}*'"
            near = get_close_matches(word, known, 1, 0.8)
            if near:
                return f"did you mean {written}{near[0]}?"
    return ""
