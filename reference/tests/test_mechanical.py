"""The formal part said in English: every sign has a phrase, and what is said is what is executed."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from canasta.formal import formal_data, formal_text
from canasta.games import load_ruleset
from canasta.language.digests import formal_digest
from canasta.language.naming import known
from canasta.language.ruleset import Bound, Clause, Definition, Duty, Effect, Ending, Requirement, Ruleset, Score
from canasta.language.source import read_text
from canasta.language.types import (
    BUILTIN,
    CONTEXT,
    ELEMENT,
    GROUP_ATTRIBUTES,
    PART_ATTRIBUTES,
    QUANTIFIERS,
    Expr,
    Op,
    Statement,
    StatementOp,
)  # fmt: skip
from canasta.mechanical import mechanical, mechanical_statement, phrases
from canasta.prose import english

IN_OTHER_CHAPTERS = {Op.CALL, Op.CONTEXT, Op.GROUP_ATTR, Op.PART_ATTR}


@pytest.fixture(scope="module")
def classic() -> Ruleset:
    return load_ruleset("classic")


def test_every_sign_has_a_phrase() -> None:
    said = phrases()
    wanted = {op.value for op in Op if op not in IN_OTHER_CHAPTERS} | {f"{op} all" for op in QUANTIFIERS}
    assert sorted(wanted - set(said["expressions"])) == []
    assert sorted({*BUILTIN, "size"} ^ set(said["functions"])) == []
    assert sorted({*CONTEXT, "option"} ^ set(said["context"])) == []
    assert sorted(set(GROUP_ATTRIBUTES) ^ set(said["group attributes"])) == []
    assert sorted(set(PART_ATTRIBUTES) ^ set(said["part attributes"])) == []
    assert sorted({t.name for t in ELEMENT.values()} ^ set(said["elements"])) == []
    assert sorted({op.value for op in StatementOp} - set(said["statements"])) == []


def parts_of(clause: Clause) -> Iterator[Expr | Statement]:
    """Everything in a clause that is executed."""
    if isinstance(clause, Requirement | Bound | Effect | Duty | Score | Ending) and clause.when is not None:
        yield clause.when
    if isinstance(clause, Requirement | Bound):
        yield from (d.that for d in clause.require)
    if isinstance(clause, Effect | Duty):
        yield from clause.do
    if isinstance(clause, Definition):
        yield clause.body
    if isinstance(clause, Score):
        yield clause.points
    if isinstance(clause, Ending):
        yield clause.winner


@pytest.mark.parametrize("name", known())
def test_every_clause_of_every_shipped_rule_set_can_be_said(name: str) -> None:
    rules = load_ruleset(name)
    for clause in rules.clauses.values():
        for part in parts_of(clause):
            said = mechanical(rules, part) if isinstance(part, Expr) else mechanical_statement(rules, part)
            assert said, clause.id
            assert not re.search(r"[{}~_]|  ", said), (clause.id, said)


def requirement(classic: Ruleset, id_: str) -> Requirement:
    found = classic.clauses[id_]
    assert isinstance(found, Requirement)
    return found


def test_a_condition_is_said(classic: Ruleset) -> None:
    pair = requirement(classic, "take.frozen.natural-pair")
    assert pair.when is not None
    assert mechanical(classic, pair.when) == "“frozen for” holds for the side"
    said = "“naturals in” of the cards put to it from the hand is at least 2 (pair size)"
    assert mechanical(classic, pair.require[0].that) == said


def test_what_belongs_together_stands_in_brackets(classic: Ruleset) -> None:
    one = requirement(classic, "take.one-card")
    assert one.when is not None
    assert mechanical(classic, one.when) == (
        "the option one card for one (here forbidden) is forbidden or (the option one card for one (here forbidden) is "
        "when stock is gone and the number of cards in the stock is more than 0)"
    )


def test_the_sentence_follows_a_chosen_option() -> None:
    rules = load_ruleset("classic,black_three_freezes=yes")
    frozen = rules.definitions["frozen"]
    assert "the option black three freezes is chosen (here it is yes)" in mechanical(rules, frozen.body)


def test_what_is_not_of_a_class_is_said_shortly(classic: Ruleset) -> None:
    (demand,) = requirement(classic, "turn.discard.red-three").require
    assert mechanical(classic, demand.that) == "the chosen card is no red three"


def test_statements_are_said(classic: Ruleset) -> None:
    effect = classic.clauses["pile.pick.rest"]
    assert isinstance(effect, Effect)
    assert mechanical_statement(classic, effect.do[0]) == "move all cards from the pile to the player's hand"


CLAUSE = """
id: a.b
kind: requirement
on: {on}
title: {title}
when: {when}
require:
  - code: SIZE
    that: {that}
"""


def test_the_formal_text_is_canonical_and_holds_nobodys_words() -> None:
    one = read_text(CLAUSE.format(on="take", title="One", when="((opened))", that="size( hand )>=2"), "one.yaml")
    two = read_text(CLAUSE.format(on="[take]", title="Two", when="opened", that="size(hand) >= (2)"), "two.yaml")
    text = "kind: requirement\non: [take]\nwhen: opened\nrequire:\n  - code: SIZE\n    that: size(hand) >= 2"
    assert formal_text(one) == formal_text(two) == text
    assert formal_data(one) == formal_data(two)
    assert formal_digest(one) == formal_digest(two)


def test_another_meaning_is_another_formal_text() -> None:
    one = read_text(CLAUSE.format(on="take", title="One", when="opened", that="size(hand) >= 2"), "one.yaml")
    two = read_text(CLAUSE.format(on="take", title="One", when="opened", that="size(hand) >= 3"), "two.yaml")
    assert formal_text(one) != formal_text(two)


def test_a_wording_says_phrases_and_names_its_own_way(classic: Ruleset) -> None:
    texts = {
        ("expressions.>=: phrase", "{0} is at least {1}"): "{0} ≥ {1}",
        ("expressions.parameter: phrase", "{value} ({name})"): "{name}: {value}",
        ("name: pair_size", "pair size"): "dvojica",
    }
    words = replace(english(), texts=texts)
    clause = classic.clauses["take.frozen.natural-pair"]
    assert isinstance(clause, Requirement)
    that = clause.require[0].that
    assert mechanical(classic, that) == "“naturals in” of the cards put to it from the hand is at least 2 (pair size)"
    assert mechanical(classic, that, words) == "“naturals in” of the cards put to it from the hand ≥ dvojica: 2"
