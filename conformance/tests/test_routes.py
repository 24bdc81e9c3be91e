"""Every rule about going out, the pile and the initial meld is asked by every way that leads to it."""

from dataclasses import replace
from functools import cache

import pytest

from canasta.games import open_game
from canasta.language.naming import known
from canasta.playing.examples import with_options
from canasta_conformance.power.routes import Row, asked_in, decisions, rows, rules_and_text
from canasta_conformance.power.ways import condition, map_of, own_requirements, routes, unknown, wanted
from canasta_conformance.suite import read_suite


@cache
def table() -> dict[tuple[str, str], Row]:
    return {(row.ruleset, row.clause): row for row in rows(routes(), read_suite())}


@pytest.mark.whole
def test_no_way_is_without_a_case_in_which_nothing_else_is_wrong() -> None:
    assert {place: row.holes for place, row in table().items() if row.holes} == {}


@pytest.mark.whole
def test_every_rule_set_that_says_a_rule_itself_has_its_row() -> None:
    """A rule set whose cases all vanished would have no row, and so no hole."""
    told = routes()
    said = {
        (name, clause.id)
        for name in known()
        for clause in own_requirements(*rules_and_text(name))
        if told.sort_of(clause.id)
    }
    assert said == set(table())
    assert {name for name, _ in said} >= {"classic", "samba", "bolivia/handbook", "modern-american", "cuban", "gin"}


def test_every_way_out_has_a_legal_case_as_well() -> None:
    row = table()["classic", "going-out.canasta"]
    assert set(row.legal) == set(row.wanted)
    assert len(row.wanted) > 7


def test_where_there_is_no_way_there_is_no_case() -> None:
    told = routes()
    for one in told.closed:
        there = [
            row for row in table().values() if row.clause == one.clause and row.ruleset in (one.rulesets or known())
        ]
        assert {way for row in there for way in row.ways} >= set(one.ways), one
        assert [row.wrong[way] for row in there for way in one.ways if row.wrong.get(way)] == [], one


# ---- the file of ways ------------------------------------------------------------------------------------------------


def test_the_file_of_ways_and_the_rule_sets_know_each_other() -> None:
    assert unknown(routes(), [rules_and_text(name) for name in known()]) == []


def test_what_the_file_does_not_know_is_complained_of() -> None:
    told = routes()
    sort = replace(told.sorts[0], clauses=(*told.sorts[0].clauses, "going-out.by-the-window"))
    less = {clause: because for clause, because in told.apart.items() if clause != "take.blocked"}
    found = unknown(replace(told, sorts=(sort, *told.sorts[1:]), apart=less), [rules_and_text("classic")])
    assert "take.blocked: no ways are told, and no reason why not" in found
    assert "going-out.by-the-window: there is no such requirement" in found
    ways = tuple(way for way in sort.ways if "out" not in way.at)
    assert "classic/going-out.canasta: no way goes by out" in unknown(
        replace(told, sorts=(replace(sort, ways=ways), *told.sorts[1:])), [rules_and_text("classic")]
    )


def test_a_way_whose_words_a_rule_set_does_not_have_fits_nowhere() -> None:
    told = map_of({
        "sorts": [{
            "rules": "Going out", "about": "x", "clauses": ["going-out.canasta"],
            "ways": [{"way": "by boat", "at": ["discard"], "that": "any(c in harbour where c is wild)"}],
        }],
        "closed": [], "apart": [],
    })  # fmt: skip
    rules, loaded = rules_and_text("classic")
    clause = next(c for c in own_requirements(rules, loaded) if c.id == "going-out.canasta")
    assert condition(rules, clause, told.sorts[0].ways[0]) is None
    assert list(wanted(told, rules, loaded, clause)) == []
    assert "Going out: by boat fits no clause" in unknown(told, [(rules, loaded)])


# ---- what is read off a case -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "clause", "found"),
    [
        ("going-out.canasta/last-card-discarded-without-a-canasta", "going-out.canasta", {"last discard"}),
        ("going-out.canasta/c65-no-canasta", "going-out.canasta", {"melds, then a discard"}),
        ("going-out.canasta/whole-hand-melded-without-a-canasta", "going-out.canasta", {"all melded"}),
        ("going-out.canasta/whole-hand-added-without-a-canasta", "going-out.canasta", {"all added"}),
        (
            "going-out.canasta/black-threes-without-a-canasta",
            "going-out.canasta",
            {"melds, then a discard", "black threes"},
        ),
        ("melds.black-threes.going-out/c25-not-going-out", "going-out.canasta", set()),
        ("opening.minimum/c30-forty-five-of-fifty", "opening.minimum", {"several melds"}),
        ("opening.minimum/after-a-last-red-three", "opening.minimum", {"after a last red three"}),
        ("opening.minimum/c32-natural-pair-and-a-joker", "opening.minimum", {"with the pile"}),
        (
            "take.frozen.natural-pair/natural-and-wild",
            "take.frozen.natural-pair",
            {"wild card in the pile: natural and wild"},
        ),
        (
            "take.frozen.natural-pair/red-three-and-the-own-meld",
            "take.frozen.natural-pair",
            {"red three in the pile: onto an own meld"},
        ),
    ],
)
def test_the_way_is_read_off_the_turn(case: str, clause: str, found: set[str]) -> None:
    one = read_suite().cases[f"classic/{case}"]
    clauses = list(own_requirements(*rules_and_text("classic")))
    asked = asked_in(routes(), open_game(with_options("classic", dict(one.options)), by_face=True), clauses)
    ways = {way.name for decision in decisions(asked, one) if decision.clause == clause for way in decision.ways}
    assert ways == found


def test_an_act_out_of_turn_is_asked_of_the_player_who_has_ended_and_of_one_who_has_not_begun() -> None:
    suite = read_suite()
    cases = [c for c in suite.cases.values() if c.data["steps"][0]["expect"].get("codes") == ["NOT_YOUR_TURN"]]
    assert {"classic", "classic/two", "gin"} <= {case.ruleset for case in cases}
    for case in cases:
        seats = {e.send["seat"] for form in case.forms for e in form.exchanges if e.send["op"] == "turn"}
        assert len(seats) == 2, case.id
