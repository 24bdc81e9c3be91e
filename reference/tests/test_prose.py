"""Texts of rules: figures put in, nouns in the right number, faults told with their places."""

from dataclasses import replace
from pathlib import Path

import pytest

from canasta import prose
from canasta.diagnostic_ids import explain
from canasta.diagnostics import Diagnostic
from canasta.games import load_ruleset
from canasta.language.naming import known
from canasta.language.ruleset import Ruleset, StepTable
from canasta.wording import Wording


@pytest.fixture(scope="module")
def classic() -> Ruleset:
    return load_ruleset("classic")


def test_a_figure_and_its_noun_are_put_in(classic: Ruleset) -> None:
    assert prose.text_of(classic, "melds.size") == "A meld holds at least three cards."


def test_the_figure_follows_the_rule_set(tmp_path: Path) -> None:
    path = tmp_path / "home.yaml"
    path.write_text(
        "ruleset: home\ntitle: At home\nextends: classic\nset: {hand_size: 13, draw_count: 2}\n", encoding="utf-8"
    )
    home = load_ruleset(str(path))
    assert "gives 13 cards to each player" in prose.text_of(home, "deal.hands")
    assert prose.text_of(home, "turn.draw") == "Draw two cards from the top of the stock into your hand."


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "card", "one card"),
        (0, "natural card", "no natural cards"),
        (12, "canasta", "twelve canastas"),
        (13, "canasta", "13 canastas"),
        (1, "point", "1 point"),
        (5000, "point", "5,000 points"),
        (-100, "point", "−100 points"),  # noqa: RUF001 the true minus is meant
        (999, "point", "999 points"),
    ],
)
def test_things_are_counted(number: int, noun: str, said: str) -> None:
    assert prose.counted(number, noun) == said


LITHUANIAN = Wording(
    "lt",
    ("one", "few", "other"),
    lambda n: 0 if n % 10 == 1 and n % 100 != 11 else 2 if n % 10 == 0 or 11 <= n % 100 <= 19 else 1,
    "\u00a0",
    10_000,
    "\u00a0",
)


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "1\u00a0korta"), (3, "3\u00a0kortos"), (11, "11\u00a0kortų"), (1500, "1500\u00a0kortų")],
)
def test_a_translation_has_as_many_forms_as_it_needs(number: int, said: str) -> None:
    assert prose.fill_values("{n: korta | kortos | kortų}", {"n": number}, LITHUANIAN) == said


def test_a_word_may_go_with_a_number_without_saying_it(classic: Ruleset) -> None:
    text = "{hand_size}: kortų {~hand_size: korta | kortos | kortų}"
    assert prose.fill_text(classic, text, LITHUANIAN) == "11: kortų kortų"


def test_a_translated_text_is_found_by_its_clause(classic: Ruleset) -> None:
    clause = classic.clauses["melds.size"]
    key = ("melds.size: text", " ".join(clause.text.split()))
    words = replace(LITHUANIAN, texts={key: "Derinys: {meld_size} ir daugiau."})
    assert prose.fill(classic, clause, words) == "Derinys: 3 ir daugiau."
    changed = replace(clause, text="A meld of {meld_size card}.")
    assert prose.fill(classic, changed, words) == "A meld of three cards."


def test_a_step_table_is_said_in_another_language(classic: Ruleset) -> None:
    told = {"{value} below {start}": "{value} iki {start}", "{value} from {start}": "{value} nuo {start}"}
    texts = {(prose.STEPS, english): text for english, text in {**told, "{all} and {last}": "{all} ir {last}"}.items()}
    said = prose.fill_text(classic, "x {minimum: taškas | taškai | taškų}", replace(LITHUANIAN, texts=texts))
    tie = "\u00a0"
    assert said == f"x 15{tie}taškų iki 0, 50{tie}taškų nuo 0, 90{tie}taškų nuo 1500 ir 120{tie}taškų nuo 3000"


@pytest.mark.parametrize("text", ["{hand_size: korta | kortos}", "{hand_size: a | b | c | d}"])
def test_forms_that_are_missing_are_told(classic: Ruleset, text: str) -> None:
    with pytest.raises(prose.ProseError) as caught:
        prose.fill_text(classic, text, LITHUANIAN)
    (found,) = caught.value.diagnostics
    assert (found.id, "one, few, other" in found.hint) == ("RS7007", True)


def test_a_step_table_is_said_in_words(classic: Ruleset) -> None:
    said = "15 below 0, 50 from 0, 90 from 1,500 and 120 from 3,000"
    assert f": {said}." in prose.text_of(classic, "opening.steps")
    assert prose.step_words(StepTable("flat", 50, ())) == "50"
    two = StepTable("two", 1, ((100, 2),))
    assert prose.step_words(two, prose.Placeholder("two", "card")) == "one card below 100 and two cards from 100"


def test_a_sentence_begins_with_a_capital(classic: Ruleset) -> None:
    assert (
        prose.fill_text(classic, "{pair_size card}. {pair_size card}, {pair_size card}")
        == "Two cards. Two cards, two cards"
    )


def test_an_option_is_said_by_its_value(classic: Ruleset) -> None:
    assert prose.fill_text(classic, "tie: {tie}, frozen: {black_three_freezes}") == "tie: extra_deal, frozen: no"


@pytest.mark.parametrize("name", known())
def test_every_text_of_every_shipped_rule_set_is_filled(name: str) -> None:
    rules = load_ruleset(name)
    assert prose.faults(rules) == ()
    for clause in rules.clauses.values():
        assert "{" not in prose.fill(rules, clause)


def test_an_earlier_name_of_a_clause_finds_its_text(classic: Ruleset) -> None:
    renamed = replace(classic.clauses["melds.size"], aliases=("melds.least",))
    rules = replace(classic, clauses={**classic.clauses, "melds.size": renamed})
    assert prose.text_of(rules, "melds.least") == prose.text_of(classic, "melds.size")
    assert prose.text_of(rules, "melds.unheard-of") == ""


FAULTY = {
    "RS7001": ("at least {meld_sise card}", "meld_size"),
    "RS7002": ("at least {meld_size crad}", "card"),
    "RS7003": ("at least {meld_size card", "{name}"),
    "RS7004": ("the tie is {tie card}", "leave the noun out"),
}


@pytest.mark.parametrize(("id_", "text", "hint"), [(i, *told) for i, told in FAULTY.items()])
def test_a_fault_in_braces_is_told_with_its_place(classic: Ruleset, id_: str, text: str, hint: str) -> None:
    clause = replace(classic.clauses["melds.size"], text=text)
    with pytest.raises(prose.ProseError) as caught:
        prose.fill(classic, clause)
    (found,) = caught.value.diagnostics
    assert (found.id, found.span, found.clause) == (id_, clause.span, "melds.size")
    assert hint in found.hint
    assert explain(id_) is not None


def test_all_faults_of_a_text_are_told(classic: Ruleset) -> None:
    clause = replace(classic.clauses["melds.size"], text="{a} {B} {meld_size} }")
    rules = replace(classic, clauses={"melds.size": clause})
    assert [d.id for d in prose.faults(rules)] == ["RS7001", "RS7003", "RS7003"]
    assert all(isinstance(d, Diagnostic) for d in prose.faults(rules))
