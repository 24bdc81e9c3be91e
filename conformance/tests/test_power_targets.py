"""What counts as shown and as killed, and which targets a measurement misses."""

import pytest

from canasta.games import load_ruleset
from canasta_conformance.power.equivalents import MOST
from canasta_conformance.power.measuring import Outcome, mutants_of
from canasta_conformance.power.recording import Seen
from canasta_conformance.power.report import Power, figures, report
from canasta_conformance.power.sides import sides_of
from canasta_conformance.power.targets import LEAST, missed
from canasta_conformance.power.tiers import core
from canasta_conformance.power.trials import ERROR, OVERTIME, Fate, Notice
from canasta_conformance.power.views import OWN, PLAIN, SILENT, by_expressions, killed_as_seen
from canasta_conformance.suite import read_suite

MET = {
    "clauses": 10, "clauses_both_sides": 10, "codes": 5, "codes_alone": 5, "mutants": 100, "equivalent": 3, "killed": 97,
    "areas": {"melds": {"killed": 20, "of": 20}},
}  # fmt: skip


def test_nothing_is_missed_where_all_is_met() -> None:
    assert missed(MET) == []
    assert missed({**MET, "killed": 93}) == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"clauses_both_sides": 9}, "clauses shown on both sides: 9 of 10, and all must be"),
        ({"codes_alone": 4}, "codes shown alone: 4 of 5, and all must be"),
        ({"killed": 92}, f"mutants killed: 92 of 97, and at least {LEAST:.0%} must be"),
        ({"areas": {"melds": {"killed": 19, "of": 20}}}, "mutants killed in melds: 19 of 20, and all must be"),
        ({"equivalent": 4}, f"mutants called equivalent: 4 of 100, and {MOST:.0%} is the most"),
    ],
)
def test_each_target_is_missed_alone(other: dict[str, object], told: str) -> None:
    assert missed({**MET, **other}) == [told]


def test_kills_by_an_error_and_by_time_alone_are_counted_apart() -> None:
    ways = ((ERROR,), (ERROR, "verdict"), (OVERTIME,), (OVERTIME, OVERTIME), ("code",), (ERROR, OVERTIME))
    outcomes = [
        Outcome(mutant, Fate.KILLED, tuple(Notice(f"case/{n}", by, whole_game=False) for n, by in enumerate(way)))
        for mutant, way in zip(mutants_of("gin"), ways, strict=False)
    ]
    power = Power("x" * 16, [], outcomes)
    assert (figures(power)["killed_by_error"], figures(power)["killed_by_time"]) == (1, 2)
    assert "no answer in time 2, an error 1" in report(power, everything=False)


def test_the_kill_rate_is_told_as_those_see_it_who_can_ask_less() -> None:
    suite = read_suite()
    asking = sorted(by_expressions(suite))
    plain = [c.id for c in suite.cases.values() if c.ruleset == "gin" and c.id not in asking]
    heirs = next(c.id for c in suite.cases.values() if c.ruleset == "samba" and c.id not in asking)
    ways = ((plain[0], "verdict"), (asking[0], "verdict"), (plain[1], "code"), (heirs, "state"))
    outcomes = [
        Outcome(mutant, Fate.KILLED, (Notice(case, by, whole_game=False),))
        for mutant, (case, by) in zip(mutants_of("gin"), ways, strict=False)
    ]
    own = sum(suite.cases[case].ruleset == "gin" for case, _ in ways)
    assert killed_as_seen(outcomes, suite) == {OWN: own, PLAIN: 3, SILENT: 3}
    assert list(core(outcomes, asking)) == sorted(case for case, _ in ways)
    both = [Outcome(o.mutant, o.fate, (*o.killers, Notice(plain[2], "verdict", whole_game=False))) for o in outcomes]
    assert core(both[1:2], asking) == {plain[2]: (0,)}


def test_the_core_is_made_of_forms() -> None:
    noticing = [(("one", 0), ("two", 1)), (("one", 1), ("two", 1)), (("one", 1),)]
    outcomes = [
        Outcome(
            mutant, Fate.KILLED, tuple(Notice(case, "verdict", whole_game=False, form=form) for case, form in notices)
        )
        for mutant, notices in zip(mutants_of("gin"), noticing, strict=False)
    ]
    assert core(outcomes) == {"one": (0, 1)}
    assert core(outcomes[:2]) == {"two": (1,)}


def test_a_legal_act_shows_a_requirement_only_where_its_demand_was_asked_and_held() -> None:
    rules = load_ruleset("gin")
    clause = rules.clauses["layoff.not-against-gin"]
    cases = [c for c in read_suite().cases.values() if c.ruleset == "gin" and clause.id in c.asserts]
    asked = {case.id: Seen({f"{clause.id}/when": {0, 1}, f"{clause.id}/require/0/that": {0, 1}}) for case in cases}
    never = {case.id: Seen({f"{clause.id}/when": {0}}) for case in cases}
    broken = {case.id: Seen({f"{clause.id}/when": {1}, f"{clause.id}/require/0/that": {0}}) for case in cases}
    assert sides_of(rules, "gin", clause, cases, asked).lacking == ()
    assert sides_of(rules, "gin", clause, cases, never).lacking == ("legal",)
    assert sides_of(rules, "gin", clause, cases, broken).lacking == ("legal",)
