"""Engines that declare their rules, or show and answer little, are not accused; those that declare otherwise than they play are.

Engines that are wrong in one way each are the miniatures.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from canasta_conformance.adapters import UnsupportedError
from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.declared import DeclarationError
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite

Data = dict[str, Any]

FEW = (
    "classic/melds.wilds",
    "classic/take.frozen.natural-pair",
    "classic/scoring.mixed-canastas",
    "classic/turn.discard",
)


def judged(make: Callable[[], object], patterns: Sequence[str] = FEW, **settings: Any) -> Report:  # noqa: ANN401 - settings of a run
    suite = read_suite()
    engine = Engine(lambda: InProcess(make), suite.digest)
    return collect(Run(engine, "python:here:Engine", suite, suite.chosen(patterns), Settings(**settings)).records())


def of(report: Report, level: int = 1) -> dict[str, Data]:
    return {r["case"].removeprefix("classic/"): r for r in report.results if r["level"] == level}


class NoCodes(ReferenceEngine):
    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        return {"committed": super().turn(seat, acts)["committed"]}


class WrongScore(ReferenceEngine):
    def ledger(self) -> Data:
        told = super().ledger()
        told["lines"] = {name: points + (name == "NS.mixed_canastas") for name, points in told["lines"].items()}
        return told


def test_no_reason_at_all_is_fine() -> None:
    found = of(judged(NoCodes))["melds.wilds/four-wilds"]
    assert (found["status"], found["grades"]) == ("pass", {"verdict": "pass"})


def test_a_score_that_is_wrong_fails_by_score() -> None:
    found = of(judged(WrongScore, ("classic/scoring.mixed-canastas",)))
    assert {r["grades"]["score"] for r in found.values()} == {"fail"}


class Declares(ReferenceEngine):
    """Plays with the option `one_card_for_one` chosen otherwise, and says so or does not."""

    says = True

    def hello(self, **fields: object) -> Data:
        told = super().hello(**fields)
        ruleset: Data = {"id": "classic"} | ({"options": {"one_card_for_one": "allowed"}} if self.says else {})
        return told | {"rulesets": [ruleset]}

    def load(self, ruleset: str, position: Data, options: Mapping[str, str] | None = None) -> Data:
        return super().load(ruleset, position, {**(options or {}), "one_card_for_one": "allowed"})


class SaysNothing(Declares):
    says = False


ONE_CARD = ("classic/take.one-card",)


def test_a_difference_that_is_declared_is_expected() -> None:
    found = of(judged(Declares, ONE_CARD))
    assert found["take.one-card/c56-pile-of-one"]["status"] == "pass"
    assert found["take.one-card/c56-pile-of-one"]["declared"]
    assert "declared" not in found["take.one-card/c57-pile-of-five"]


def test_a_difference_that_is_not_declared_is_a_fault() -> None:
    found = of(judged(SaysNothing, ONE_CARD))
    assert found["take.one-card/c56-pile-of-one"]["status"] == "fail"


def test_who_declares_and_plays_otherwise_fails() -> None:
    class OnlySays(Declares):
        def load(self, ruleset: str, position: Data, options: Mapping[str, str] | None = None) -> Data:
            return ReferenceEngine.load(self, ruleset, position, options)

    found = of(judged(OnlySays, ONE_CARD))
    assert found["take.one-card/c56-pile-of-one"]["status"] == "fail"


def test_a_case_about_another_choice_is_not_asked() -> None:
    class Forbids(ReferenceEngine):
        def hello(self, **fields: object) -> Data:
            return super().hello(**fields) | {"rulesets": [{"id": "classic"}]}

    found = of(judged(Forbids, ONE_CARD))
    assert found["take.one-card/c56-pile-of-one-allowed"]["status"] == "other-rules"
    assert found["take.one-card/c56-pile-of-one"]["status"] == "pass"


HOUSE = """
ruleset: home
title: At home
extends: classic
set:
  most_wilds: 2
"""


def test_house_rules_in_the_greeting_select_the_expectation() -> None:
    class AtHome(ReferenceEngine):
        def hello(self, **fields: object) -> Data:
            return super().hello(**fields) | {"rulesets": [{"id": "classic", "house_rules": HOUSE}]}

        def turn(self, seat: str, acts: Sequence[Data]) -> Data:
            wilds = max(sum(card[0] == "2" or card == "Jk" for card in act.get("cards", [])) for act in acts)
            return {"committed": False} if wilds > 2 else super().turn(seat, acts)

    found = of(judged(AtHome, ("classic/melds.wilds",)))
    assert found["melds.wilds/c12-three-wilds"]["status"] == "pass"
    assert found["melds.wilds/c12-three-wilds"]["declared"]
    assert of(judged(ReferenceEngine, ("classic/melds.wilds",)))["melds.wilds/c12-three-wilds"]["status"] == "pass"


@pytest.mark.parametrize(
    "told",
    [
        {"profile": "nowhere"},
        {"options": {"no_such_option": "yes"}},
        {"options": {"tie": "perhaps"}},
        {"house_rules": "ruleset: home"},
        {"house_rules": "{"},
    ],
    ids=["profile", "option", "value", "unfinished house rules", "no house rules"],
)
def test_a_declaration_of_what_there_is_not_is_refused(told: Data) -> None:
    class Odd(ReferenceEngine):
        def hello(self, **fields: object) -> Data:
            return super().hello(**fields) | {"rulesets": [{"id": "classic", **told}]}

    with pytest.raises(DeclarationError):
        judged(Odd)


def test_what_is_unsupported_is_never_a_failure() -> None:
    class Little(ReferenceEngine):
        def load(self, ruleset: str, position: Data, options: Mapping[str, str] | None = None) -> Data:
            if any(name.startswith("total") for name in position.get("values", {})):
                raise UnsupportedError("values.total")
            return super().load(ruleset, position, options)

    statuses = {r["status"] for r in judged(Little).results}
    assert statuses == {"pass", "unsupported"}


def test_an_engine_that_shows_little_is_judged_by_what_it_shows() -> None:
    class Shy(ReferenceEngine):
        def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
            told = super().observe(seat, also)["observation"]
            return {"observation": {"zones": {n: c for n, c in told["zones"].items() if n.startswith("hand")}}}

    report = judged(Shy, ("classic/turn.discard", "classic/opening.opened"))
    found = of(report)
    assert found["opening.opened/opened-and-a-card-kept"]["status"] == "unsupported"
    assert found["opening.opened/opened-and-a-card-kept"]["grades"] == {"verdict": "pass"}
    assert found["turn.discard/on-top-of-the-pile"]["unshown"] == ["pile"]
    assert found["turn.discard/on-top-of-the-pile"]["status"] == "pass"


@pytest.mark.whole
def test_the_reference_keeps_every_promise_and_passes_every_case() -> None:
    report = judged(ReferenceEngine, ())
    assert {r["case"]: r for r in report.results if r["status"] != "pass"} == {}
    assert len(report.results) > 400
