"""Reference and second engine at the same table: they agree, and where they did not it would be seen."""

from dataclasses import replace
from typing import Any

import pytest

from canasta.games import load_ruleset
from canasta.language.naming import known
from canasta.language.ruleset import Structure
from canasta.language.semantics import needed_refusals
from canasta_conformance.differential.playing import RULE_SETS, compare, named

TURNS = 2000
SHORTER = {"samba": 300, "bolivia": 150, "bolivia/handbook": 500}
"""Turns where one takes longer, since a hand has more ways to be laid out; `make check` plays as many of these as of the others."""

BY_THE_STOCK = {"bolivia", "bolivia/handbook"}
"""Where nobody may lay his last card, or seldom has the escalera that it needs: so few deals end with the stock alone."""


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        *((name, SHORTER.get(name, TURNS)) for name in RULE_SETS),
        *(pytest.param(name, TURNS, marks=pytest.mark.whole) for name in SHORTER),
    ],
)
def test_both_engines_agree_on_random_turns_and_near_misses(name: str, turns: int) -> None:
    report = compare(name, turns, seed=20261129)
    assert report.findings == []
    assert report.turns >= turns
    assert report.near_misses >= turns
    assert ({"stock_out"} if name in BY_THE_STOCK else {"out", "stock_out"}) <= set(report.reasons)


MISREADINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "four wild cards may lie in a meld": ("classic", {"most_wilds": 4}),
    "two wild cards at most lie in a meld": ("classic", {"most_wilds": 2}),
    "going out earns nothing": ("classic", {"going_out_bonus": 0}),
    "a canasta is not needed": ("classic", {"canastas_to_go_out": 0}),
    "the pile is never to be taken": ("classic/two", {"forced_take": "never"}),
    "a turned red three does not freeze": ("classic", {"turned_red_three_freezes": False}),
    "red threes wait for the first turn": ("classic", {"dealt_red_threes": "on_first_turn"}),
    "the minimum never falls below fifty": ("classic", {"minimum": ((None, 50), (1500, 90), (3000, 120))}),
    "a single card takes a single card": ("classic/two", {"one_card_for_one": "allowed"}),
    "one canasta is enough for two players": ("classic/two", {"canastas_to_go_out": 1}),
    "three players stay alone": ("classic/three", {"lone_hand": False}),
    "four red threes count no more than each": ("classic/two", {"red_three_set_bonus": 400}),
}


@pytest.mark.soon(
    "four wild cards may lie in a meld", "a canasta is not needed", "four red threes count no more than each"
)
@pytest.mark.parametrize("misreading", MISREADINGS)
def test_an_engine_that_reads_a_rule_wrongly_is_found_out(misreading: str) -> None:
    name, wrong = MISREADINGS[misreading]
    report = compare(name, TURNS, seed=7, rules=lambda name: replace(named(name), **wrong), most_findings=1)
    assert len(report.findings) == 1


@pytest.mark.parametrize("name", known())
def test_what_the_interpreter_refuses_by_itself_has_a_clause_in_every_rule_set(name: str) -> None:
    ruleset = load_ruleset(name)
    refused = {clause.refuses for clause in ruleset.clauses.values() if isinstance(clause, Structure)}
    assert refused >= {*needed_refusals(ruleset), "stranded", "dealer"}
