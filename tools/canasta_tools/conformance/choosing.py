"""Which cases of which suite."""

from collections.abc import Sequence
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.nothing_fits import nothing_fits
from canasta_conformance.suite import Case, Suite, SuiteError, read_suite
from canasta_tools.output import say


def suite_at(path: str | None) -> Suite:
    """Read the suite in a folder, or the one that is installed; say if it is not what it says that it is.

    Raises:
        CanastaError: CF0007 when it cannot be read.
    """
    try:
        found = read_suite(Path(path) if path else None)
    except SuiteError as error:
        raise CanastaError([Diagnostic("CF0007", str(error))]) from None
    if found.remark:
        say(found.remark)
    return found


def chosen(
    suite: Suite, patterns: Sequence[str], clauses: Sequence[str], levels: Sequence[int], tier: str | None = None,
    rulesets: Sequence[str] = (),
) -> list[Case]:  # fmt: skip
    """List the cases that are asked for.

    Raises:
        CanastaError: CF0003 when there is none.
    """
    if tier and not suite.tiers.get(tier):
        told = f"which cases are the {tier} of this suite has not been measured and written down"
        hint = "ask the whole suite, without --tier; `canasta conformance power --core FILE` finds the core"
        raise CanastaError([Diagnostic("CF0003", told, hint=hint)])
    for name in rulesets:
        if name not in suite.rules:
            told, hint = nothing_fits(suite, (), rulesets=[name])
            raise CanastaError([Diagnostic("CF0003", told, hint=hint)])
    found = [
        case
        for case in suite.chosen(patterns, clauses, tier or "")
        if (not levels or any(form.level in levels for form in case.forms))
        and (not rulesets or case.ruleset in rulesets)
    ]
    if not found:
        told, hint = nothing_fits(suite, patterns, clauses, levels, tier or "", rulesets)
        raise CanastaError([Diagnostic("CF0003", told, hint=hint)])
    return found
