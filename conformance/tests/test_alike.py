"""Reports of engines that are wrong in many places, and of runs that ask everything more than once."""

from collections.abc import Sequence
from typing import Any

import pytest

from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.reports.alike import grouped, symptom
from canasta_conformance.reports.terminal import terminal
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite

Data = dict[str, Any]


def judged(make: type[ReferenceEngine], patterns: Sequence[str], **settings: Any) -> Report:  # noqa: ANN401 - settings of a run
    suite = read_suite()
    engine = Engine(lambda: InProcess(make), suite.digest)
    return collect(Run(engine, "mine", suite, suite.chosen(patterns), Settings(**settings)).records())


# ---- departures that show alike --------------------------------------------------------------------------------------


class Broken(ReferenceEngine):
    """Falls over every question about melds but one, and gets that wrong."""

    def meld_check(self, **fields: Any) -> Data:  # type: ignore[override]  # noqa: ANN401 - whatever is asked
        if len(fields["cards"]) == 2:
            return {"legal": True}
        raise KeyError("natural")


def test_errors_that_are_alike_are_told_once_with_their_number_and_one_command() -> None:
    whole = judged(Broken, ["classic/melds.*"], levels=(0,))
    errors = whole.counts["error"]
    assert errors > 10
    text = terminal(whole, read_suite())
    assert text.count("KeyError: 'natural'") == 2  # what it is, and in the example
    kinds = [line for line in text.splitlines() if " times " in line]
    assert kinds[0].startswith(f"{errors} times error: KeyError: 'natural'"), "the most frequent stands first"
    assert "in cases about classic melds." in text
    assert f"--all shows each of the {errors + whole.counts['fail']}" in text
    assert terminal(whole, read_suite(), everything=True).count("again  ") == errors + whole.counts["fail"]


def test_of_few_departures_each_is_told() -> None:
    whole = judged(Broken, ["classic/melds.size"], levels=(0,))
    text = terminal(whole, read_suite())
    assert text.count("again  ") == whole.counts["error"] + whole.counts["fail"] <= 10
    assert "classic melds.size: " in text
    assert "--all" not in text


def result(case: str, clause: str, **more: object) -> Data:
    return {"case": case, "ruleset": "classic", "clauses": [clause], "status": "fail", **more}


ACCEPTED: Data = {"grade": "verdict", "place": "committed", "expected": False, "found": True}


def difference(grade: str, place: str, expected: object, found: object) -> Data:
    return {"grade": grade, "place": place, "expected": expected, "found": found}


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ({"differences": [difference("state", "hand.N", ["Kc"], [])]}, "state: hand is wrong"),
        ({"differences": [difference("score", "NS.red_threes", 100, 0)]}, "score: red_threes is wrong"),
        ({"differences": [ACCEPTED]}, "committed: expected no, found yes"),
        ({"status": "error", "told": "index out of range"}, "error: index out of range"),
        ({"status": "crash", "fault": {"kind": "crash", "text": "exit code 1"}}, "crash: exit code 1"),
        ({"status": "broken-promise", "promises": ["turn: Kc is missing"]}, "promise broken: turn"),
        (
            {"status": "unreached", "told": "turn 3 of 5 was refused"},
            "a legal turn on the way to what is asked was refused",
        ),
    ],
)
def test_what_shows_is_told_without_what_is_the_case_s_own(told: Data, what: str) -> None:
    assert symptom(result("a", "melds.size", **told)) == what


def test_the_example_is_of_the_clause_in_which_it_was_met_most_often() -> None:
    wrong = [
        result(case, clause, told="x", status="error") for case, clause in (("a", "one"), ("b", "two"), ("c", "two"))
    ]
    other = result("d", "one", status="error", told="y")
    first, last = grouped([other, *wrong])
    assert (first.told(), first.example["case"], last.results) == ("3 times error: x", "b", (other,))
    assert first.about() == "in cases about classic two 2, classic one 1"


# ---- everything more than once ---------------------------------------------------------------------------------------


class Moody(ReferenceEngine):
    """Says of what cards count another thing each time, and never what is right."""

    asked = 0

    def card_value(self, **_: object) -> Data:  # type: ignore[override]  # whatever is asked
        Moody.asked += 1
        return {"value": 1_000_000 + Moody.asked}


def test_an_answer_that_changes_is_a_finding_also_where_it_is_wrong_each_time() -> None:
    whole = judged(Moody, ["classic/cards.values"], levels=(0,), repeat=3)
    assert set(whole.counts) == {"flaky"}
    assert {r["told"] for r in whole.results} == {"fail first, then otherwise in another order"}
    text = terminal(whole, read_suite())
    number = len(whole.results)
    assert (
        f"every form was asked 3 times; {number} came out otherwise in another order (flaky): classic/cards.values/"
        in text
    )


def test_it_is_said_that_nothing_changed() -> None:
    text = terminal(judged(ReferenceEngine, ["classic/cards.values"], levels=(0,), repeat=2), read_suite())
    assert "every form was asked 2 times, and each came out the same every time" in text
    once = terminal(judged(ReferenceEngine, ["classic/cards.values"], levels=(0,)), read_suite())
    assert "every form was asked" not in once
