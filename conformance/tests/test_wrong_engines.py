"""Engines that are wrong in one way each: the runner must say which, and must not accuse those that declare their rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from canasta.playing.binding import play_turn
from canasta_conformance.adapters import UnsupportedError
from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.declared import DeclarationError
from canasta_conformance.inprocess.acts import action_of
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


class AcceptsAll(ReferenceEngine):
    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        super().turn(seat, acts)
        return {"committed": True}


class RejectsAll(ReferenceEngine):
    def turn(self, seat: str, acts: Sequence[Data]) -> Data:  # noqa: ARG002 - as every engine is asked
        return {"committed": False, "codes": ["NOT_TODAY"]}


class WrongCodes(ReferenceEngine):
    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        told = super().turn(seat, acts)
        return told | ({"codes": ["BELOW_MINIMUM"]} if "codes" in told else {})


class NoCodes(ReferenceEngine):
    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        return {"committed": super().turn(seat, acts)["committed"]}


class LeavesATrace(ReferenceEngine):
    """A refused turn stays on the table."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        table = self._at_table()
        played = play_turn(table.game, table.state, [action_of(act) for act in acts])
        told = super().turn(seat, acts)
        if not told["committed"]:
            self._table = replace(table, state=played.state)
        return told


class LosesACard(ReferenceEngine):
    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        told = super().observe(seat, also)
        del told["observation"]["zones"]["stock"][:1]
        return told


class DoublesACard(ReferenceEngine):
    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        told = super().observe(seat, also)
        zones = told["observation"]["zones"]
        if len(zones["stock"]) > 1:
            zones["stock"][0] = zones["stock"][-1]
        return told


class QuestionsMove(ReferenceEngine):
    """Being asked for the score turns the pile over."""

    def ledger(self) -> Data:
        told = super().ledger()
        table = self._at_table()
        state = table.state.copy()
        state.seat = (state.seat + 1) % 4
        self._table = replace(table, state=state)
        return told


class WrongScore(ReferenceEngine):
    def ledger(self) -> Data:
        told = super().ledger()
        told["lines"] = {name: points + (name == "NS.mixed_canastas") for name, points in told["lines"].items()}
        return told


class OrderCounts(ReferenceEngine):
    """A bonus for the first meld that lies there."""

    def ledger(self) -> Data:
        told = super().ledger()
        melds = self.observe()["observation"]["zones"]["melds.NS"]
        told["lines"]["NS.order"] = len(melds[0]) if melds else 0
        return told


class NoWayOn(ReferenceEngine):
    def legal(self, seat: str) -> Data:  # noqa: ARG002 - as every engine is asked
        return {"acts": [], "complete": True}


def test_who_accepts_everything_fails_by_verdict() -> None:
    found = of(judged(AcceptsAll))
    assert found["melds.wilds/four-wilds"]["status"] == "fail"
    assert found["melds.wilds/four-wilds"]["grades"]["verdict"] == "fail"
    assert found["melds.wilds/c12-three-wilds"]["status"] == "pass"


def test_who_refuses_everything_fails_by_verdict() -> None:
    found = of(judged(RejectsAll))
    assert found["melds.wilds/c12-three-wilds"]["status"] == "fail"
    assert found["melds.wilds/four-wilds"]["status"] == "wrong-reason"


def test_a_wrong_reason_is_graded_apart() -> None:
    found = of(judged(WrongCodes))["melds.wilds/four-wilds"]
    assert (found["status"], found["grades"]) == ("wrong-reason", {"verdict": "pass", "code": "fail"})


def test_no_reason_at_all_is_fine() -> None:
    found = of(judged(NoCodes))["melds.wilds/four-wilds"]
    assert (found["status"], found["grades"]) == ("pass", {"verdict": "pass"})


@pytest.mark.parametrize(
    ("make", "case", "promise"),
    [
        (LeavesATrace, "melds.wilds/four-wilds", "a refused turn changes nothing"),
        (LosesACard, "melds.wilds/c12-three-wilds", "pack complete"),
        (DoublesACard, "melds.wilds/c12-three-wilds", "pack complete"),
        (QuestionsMove, "scoring.mixed-canastas/seven-with-three-wilds", "a question changes nothing"),
        (NoWayOn, "melds.wilds/c12-three-wilds", "somebody can act"),
    ],
)
def test_a_broken_promise_is_told(make: Callable[[], object], case: str, promise: str) -> None:
    report = judged(make, ("classic/melds.wilds", "classic/scoring.mixed-canastas"))
    found = of(report)
    if case not in found:
        case = next(name for name in found if name.startswith("scoring.mixed-canastas/"))
    assert found[case]["status"] == "broken-promise"
    assert found[case]["promises"][0].startswith(promise)


def test_a_score_that_is_wrong_fails_by_score() -> None:
    found = of(judged(WrongScore, ("classic/scoring.mixed-canastas",)))
    assert {r["grades"]["score"] for r in found.values()} == {"fail"}


def test_a_score_that_depends_on_the_order_of_melds_is_told() -> None:
    report = judged(OrderCounts, ("classic/scoring.*", "classic/canastas.*"))
    told = [text for r in report.results for text in r.get("promises", ())]
    assert any("the order of melds counts nothing" in text for text in told)


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


def test_state_that_leaks_from_one_case_to_another_is_flaky() -> None:
    class Leaks(ReferenceEngine):
        """Forgets its rules after the first case that it refused."""

        refused = False

        def turn(self, seat: str, acts: Sequence[Data]) -> Data:
            told = super().turn(seat, acts)
            if Leaks.refused:
                return {"committed": True}
            Leaks.refused = not told["committed"]
            return told

    report = judged(Leaks, ("classic/melds.wilds",), repeat=2, levels=(1,))
    assert "flaky" in report.counts


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


def test_the_reference_keeps_every_promise_and_passes_every_case() -> None:
    report = judged(ReferenceEngine, ())
    assert {r["case"]: r for r in report.results if r["status"] != "pass"} == {}
    assert len(report.results) > 400
