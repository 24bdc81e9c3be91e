"""Engines that declare their rules, or show and answer little, are not accused; those that declare otherwise than they play are.

Engines that are wrong in one way each are the miniatures.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from canasta_conformance.adapters import KnownBugError, UnsupportedError
from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.declared import DeclarationError
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.reports.summary import claims
from canasta_conformance.reports.terminal import terminal
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


class NoFours(ReferenceEngine):
    """Knows all about going out, and refuses each meld of four cards."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        if any(act["act"] == "meld" and len(act["cards"]) == 4 for act in acts):
            return {"committed": False, "codes": ["TOO_MANY_CARDS"]}
        return super().turn(seat, acts)


class Shy(ReferenceEngine):
    """Calls it a known bug that it does not refuse a turn."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        told = super().turn(seat, acts)
        if not told["committed"]:
            raise KnownBugError("https://example.org/1")
        return told


def test_a_fault_on_the_way_is_charged_to_no_clause() -> None:
    report = judged(NoFours, ("classic/going-out.canasta",))
    (found,) = [r for r in report.results if r["case"].endswith("/c65-no-canasta") and r["level"] == 2]
    assert found["status"] == "unreached"
    assert "grades" not in found
    assert re.match(
        r"turn \d of \d, of [NESW], leads to the position and is legal, and was refused \(TOO_MANY_CARDS\)",
        found["told"],
    )
    told = terminal(report, read_suite(), everything=True)
    headed = told.partition("classic: legal turns refused on the way to what is asked, so no clause is judged")[2]
    assert "unreached  classic/going-out.canasta/c65-no-canasta, level 2" in headed
    unreached = sum(r["status"] == "unreached" for r in report.results)
    assert f"{unreached} never reached" in claims(report)[0]


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        (["BELOW_MINIMUM"], "BELOW_MINIMUM, see opening.minimum"),
        (["NOT_TODAY"], "NOT_TODAY, which no clause gives as its code"),
        (["TOO_MANY_WILDS", "BELOW_MINIMUM"], "TOO_MANY_WILDS, BELOW_MINIMUM, see melds.wilds, opening.minimum"),
        ([], "a legal turn on the way was refused without a code"),
    ],
)
def test_what_bars_the_way_is_told_by_its_code_with_the_clause_that_is_suspected(codes: list[str], told: str) -> None:
    class Bars(NoFours):
        def turn(self, seat: str, acts: Sequence[Data]) -> Data:
            judged = super().turn(seat, acts)
            return judged | {"codes": codes} if judged.get("codes") == ["TOO_MANY_CARDS"] else judged

    report = judged(Bars, ("classic/going-out.*",))
    number = sum(r["status"] == "unreached" for r in report.results)
    assert number > 1
    for everything in (True, False):
        lines = terminal(report, read_suite(), everything=everything).splitlines()
        assert f"{number} forms were not reached: {told}" in lines
    assert not [r for r in report.results if r["status"] == "fail" and r["clauses"] == ["opening.minimum"]]


def test_a_known_bug_is_no_right_answer_and_is_told_in_the_claim() -> None:
    report = judged(Shy, ("classic/going-out.canasta",))
    bugs = Counter(r["level"] for r in report.results if r["status"] == "known-bug")
    right = Counter(r["level"] for r in report.results if r["status"] == "pass" and "verdict" in r["grades"])
    (claim,) = claims(report)
    for level in (1, 2):
        told = claim.partition(f"level {level} ")[2].partition(";")[0]
        assert f"verdict {right[level]}/{right[level]}" in told
        assert f"{bugs[level]} known bugs" in told
        assert "not asked" not in told or level == 1


def test_a_claim_names_what_was_declared() -> None:
    (claim,) = claims(judged(Declares, ONE_CARD))
    assert " on classic,one_card_for_one=allowed: " in claim
    assert " by rules of its own" in claim


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


UNSIGNED = """
ruleset: home
title: At home
extends: classic
remove:
  - clause: asking.answer
    because: nobody asks at home
"""


@pytest.mark.parametrize(
    ("rules", "told", "hint"),
    [
        (UNSIGNED, r"house_rules, line 6 \(`- clause: asking\.answer`\): RS2030 ", "canasta rules sign"),
        (HOUSE.replace("most_wilds", "most_wild"), r"line 6 \(`most_wild: 2`\): RS2011 ", "most_wilds"),
        (
            HOUSE.replace("extends: classic", "extends: samba"),
            "does not change classic: it extends samba",
            '"id": "samba"',
        ),
    ],
    ids=["unsigned", "unknown", "of another rule set"],
)
def test_what_is_wrong_with_house_rules_is_told_with_line_and_remedy(rules: str, told: str, hint: str) -> None:
    class AtHome(ReferenceEngine):
        def hello(self, **fields: object) -> Data:
            return super().hello(**fields) | {"rulesets": [{"id": "classic", "house_rules": rules}]}

    with pytest.raises(DeclarationError, match=told) as caught:
        judged(AtHome, ("classic/scoring",))  # nothing of it depends on the change, and it is told all the same
    assert hint in caught.value.hint


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
