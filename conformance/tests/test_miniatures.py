"""Each miniature is caught, by a case that names the right clause or by the promise that it breaks; nobody else is accused."""

import pytest

from canasta.games import load_ruleset
from canasta_conformance.connecting import Engine, InProcess, opener
from canasta_conformance.faults import AddressError
from canasta_conformance.grading import Status
from canasta_conformance.miniatures import answers
from canasta_conformance.miniatures.catalogue import Miniature, miniature, miniatures
from canasta_conformance.miniatures.reports import catches, failures, report, stored, written
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite

NAMED = (
    *("accepts-all", "rejects-all", "right-verdict-wrong-code", "mutates-state-on-reject", "off-by-one-scores"),
    *("parent-variant-rules", "crashes-on-nth", "hangs", "prints-noise", "wrong-seq", "claims-too-much", "leaks-state"),
    "slow-start",
)
"""Those that every runner should be tried by."""

PROMISES = {
    "pack complete": {"loses-a-card", "doubles-a-card"},
    "a refused turn changes nothing": {"mutates-state-on-reject"},
    "a question changes nothing": {"query-changes-state"},
    "a turn leaves alone what it does not speak of": {"stirs-the-stock", "mixes-hands"},
    "somebody can act": {"no-way-on"},
    "the order of melds counts nothing": {"order-counts"},
    "a deal begins from a whole pack": {"stale-deal"},
}
"""Every promise, and those that it alone catches."""

PATIENCE = {"hangs": (3.0, 0.4), "slow-start": (0.3, 3.0)}
"""What hangs is waited for, so not for long; everything else may take its time."""


def judged(of: Miniature) -> Report:
    return report(of, patience=PATIENCE.get(of.name, (20.0, 20.0)))


@pytest.mark.soon(
    "accepts-all",
    "right-verdict-wrong-code",
    "claims-too-much",
    "leaks-state",
    "prints-noise",
    "loses-a-card",
    "order-counts",
    rest="deep",  # these reports are made, and compared, with the other generated files
)
@pytest.mark.parametrize("name", miniatures())
def test_the_report_is_the_stored_one_and_names_what_is_wrong(name: str) -> None:
    of = miniature(name)
    found = judged(of)
    assert [r["case"] for r in failures(found) if catches(of, r)], f"{name} is not caught by {of.by} as {of.status}"
    entries = [line for line in written(of, found).splitlines() if not line.startswith("#")]
    kept = [line for line in stored(of).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert entries == kept, "if that was meant: canasta generate (the report of a program is written by hand)"


def test_an_engine_that_plays_other_rules_answers_whatever_lies_there() -> None:
    """A meld that its rules do not know lies there all the same, and is judged and counted by them."""
    found = judged(miniature("parent-variant-rules"))
    of = {(r["case"], r["level"]): r["status"] for r in found.results}
    assert Status.ERROR not in of.values()
    assert of["uruguay/scoring.wild-canastas/seven-deuces", 0] == Status.FAIL


def test_those_are_there_by_which_every_runner_should_be_tried() -> None:
    assert set(NAMED) <= set(miniatures())


def test_every_miniature_has_a_report_and_every_report_a_miniature() -> None:
    folders = {stored(of).parent for of in miniatures().values()}
    assert {path.stem for folder in folders for path in folder.iterdir()} == set(miniatures())


@pytest.mark.parametrize(("promise", "names"), PROMISES.items())
def test_a_promise_catches_what_nothing_else_does(promise: str, names: set[str]) -> None:
    """Every grade of such an engine is right; only the promise is broken. Where it goes on, others may break after it."""
    assert {of.name for of in miniatures().values() if of.by == promise} == names
    for name in names:
        found = failures(judged(miniature(name)))
        assert {r["status"] for r in found} == {Status.BROKEN_PROMISE}
        assert {grade for r in found for grade in r["grades"].values()} <= {"pass"}
        # A deal from a stacked pack that lacks a card breaks the promise of a whole pack before any other.
        found = [r for r in found if r["level"] == 1] or found
        assert all(promise in {text.partition(":")[0] for text in r["promises"]} for r in found)


def test_every_clause_that_is_named_is_one_of_the_rules() -> None:
    clauses = {*load_ruleset("classic").clauses, *load_ruleset("uruguay").clauses}
    assert {of.by for of in miniatures().values()} - set(PROMISES) <= clauses


def test_a_wrapper_without_a_fault_is_right() -> None:
    """The classes that answer wrongly are made from one that does not."""
    suite = read_suite()
    engine = Engine(lambda: InProcess(lambda: answers.Wrong("faultless")), suite.digest)
    found = collect(Run(engine, "here", suite, suite.chosen(["classic/take.*"]), Settings()).records())
    assert failures(found) == []


@pytest.mark.parametrize("address", ["miniature:", "miniature:no-such", "miniature"])
def test_what_is_no_miniature_is_told(address: str) -> None:
    with pytest.raises(AddressError) as caught:
        opener(address)
    assert caught.value.hint
