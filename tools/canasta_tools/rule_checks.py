"""Checking a rule set through all its stages: YAML, shape, names, types, rulings, sense, and at last its examples."""

from collections.abc import Iterator

from canasta.diagnostics import CanastaError, Diagnostic, Severity, Span
from canasta.games import load_ruleset
from canasta.language.loading import Loaded, load_document
from canasta.language.ruleset import Ruleset


def check_rules(name: str, *, examples: bool = True, named: bool = False) -> Iterator[Diagnostic]:
    """Say everything that is wrong with a rule set, by its name or path; ``examples`` runs them, too.

    ``named`` names each inherited example that comes out otherwise, however many there are.

    A stage is entered only when the one before it found no error: the rest would be guesses.
    """
    try:
        loaded = load_document(name)
        yield from loaded.findings
        ruleset = load_ruleset(name)
    except CanastaError as error:
        yield from error.diagnostics
        return
    if examples:  # rulings have examples, too, which are executed
        yield from _rulings(name)
    errors = False
    for finding in _sense(ruleset, loaded):
        errors = errors or finding.severity is Severity.ERROR
        yield finding
    if examples and not errors:
        yield from _examples(ruleset, named=named)


def _sense(ruleset: Ruleset, loaded: Loaded) -> tuple[Diagnostic, ...]:
    from canasta.language.semantics import check_semantics  # noqa: PLC0415 - later stages are needed only by sound files

    if not loaded.extends:
        return check_semantics(ruleset, loaded.document)
    own = Span(loaded.files[0], 1, 1, 1, 1)
    return check_semantics(ruleset, loaded.document, frozenset(load_document(loaded.extends).files), own)


def _rulings(name: str) -> Iterator[Diagnostic]:
    from canasta_tools.ruling_checks import check_rulings  # noqa: PLC0415 - the register is read for shipped rule sets only

    return check_rulings(name)


def _examples(ruleset: Ruleset, *, named: bool) -> tuple[Diagnostic, ...]:
    from canasta.playing.examples import check_examples  # noqa: PLC0415 - later stages are needed only by sound files

    return check_examples(ruleset, named=named)
