"""Every worked example holds, compiled and evaluated; every requirement shows both sides; a wrong example is told what is wrong."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from canasta.diagnostic_ids import all_ids, explain
from canasta.diagnostics import Diagnostic, Severity
from canasta.games import load_ruleset, open_game
from canasta.language.naming import known
from canasta.playing.asking import QuestionError, ask
from canasta.playing.examples import MOST_NAMED, Trial, check_examples, codes_of, gaps, run_examples, with_options
from canasta.prose import option_word

START = "N at play; hand.N 4459; melds.NS QQQ; opened.NS; pile 6; stock ?30"


def own_clauses(name: str) -> frozenset[str]:
    """The clauses that a rule set says itself; what it inherits is tried with the rule set it comes from."""
    folder = f"spec/rules/{name}/"
    return frozenset(c.id for c in load_ruleset(name).clauses.values() if c.span.file.startswith(folder))


@pytest.mark.soon("compiled-classic", "evaluated-classic", "compiled-samba", "compiled-gin", "evaluated-gin")
@pytest.mark.parametrize("name", known())
@pytest.mark.parametrize("evaluated", [False, True], ids=["compiled", "evaluated"])
def test_every_example_of_a_shipped_rule_set_holds(name: str, *, evaluated: bool) -> None:
    results = run_examples(name, evaluated=evaluated, among=own_clauses(name))
    own = [r for r in results if r.example.span.file.startswith(f"spec/rules/{name}/")]
    assert [d.message for r in own for d in r.findings] == []
    assert own


@pytest.mark.soon("classic", "gin")
@pytest.mark.parametrize("name", known())
def test_no_requirement_is_without_both_kinds_of_example(name: str) -> None:
    assert [d.message for d in gaps(name, own_clauses(name))] == []


OTHERWISE = {
    "hoyle": {"dealt_red_threes": "on_first_turn"},
    "pagat": {"upcard_black_three": "keep"},
    "article": {"wilds_not_more_than_naturals": "yes", "turned_red_three_freezes": "no", "concealed_canasta": "yes"},
}
"""What each profile of classic chooses otherwise than its default."""


def test_profiles_choose_otherwise_what_is_said_here() -> None:
    rules = load_ruleset("classic")
    options = rules.options
    chosen = {
        profile: {o: option_word(options[o], v) for o, v in choose.items() if v != options[o].default}
        for profile, choose in rules.profiles.items()
    }
    assert chosen == OTHERWISE


@pytest.mark.parametrize(("profile", "option"), [(p, o) for p, options in OTHERWISE.items() for o in options])
def test_what_a_profile_chooses_otherwise_changes_what_is_played(profile: str, option: str) -> None:
    """The examples of the choice hold under the profile without choosing anything, and not all of them without it."""
    rules = load_ruleset("classic")
    chosen = ((option, OTHERWISE[profile][option]),)
    examples = [
        (c.id, e._replace(options=())) for c in rules.clauses.values() for e in c.examples if e.options == chosen
    ]
    assert examples

    def wrong(name: str) -> list[str]:
        trials = {f"{c}/{e.id}": Trial(open_game(name), e, codes_of(rules)) for c, e in examples}
        for trial in trials.values():
            trial.run()
        return [n for n, t in trials.items() if t.findings]

    assert wrong(f"classic:{profile}") == []
    assert wrong("classic") != []


def test_compiled_and_evaluated_name_the_same_violations() -> None:
    compiled, evaluated = run_examples("classic"), run_examples("classic", evaluated=True)
    assert [(r.name, r.violations) for r in compiled] == [(r.name, r.violations) for r in evaluated]
    assert sum(bool(r.violations) for r in compiled) > 50


def test_options_of_an_example_open_the_game_with_them() -> None:
    results = {r.name: r for r in run_examples("classic", of="take.onto-canasta")}
    assert results["take.onto-canasta/c47-onto-a-canasta"].violations[0].code == "CANASTA_TAKES_NO_PILE"
    assert with_options("classic:pagat,tie=drawn", {"tie": "extra_deal"}) == "classic:pagat,tie=extra_deal"


# -- wrong examples --------------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[str, str]] = {
    "illegal, and legal was expected": ('do: "44 -9", expect: legal', "RS5001 legal turn is expected, and it is illegal by MELD_TOO_SHORT"),
    "legal, and not knowing was expected": ('do: "-9", expect: unknown', "RS5001 cannot be known is expected, and it is legal"),
    "illegal after a turn that was meant to be legal": ('do: "44 -9", expect: {after: "pile 69"}', "RS5001 legal turn is expected"),
    "another code": ('do: "44 -9", expect: {illegal: [TOO_FEW_NATURALS]}', "RS5002 illegal by TOO_FEW_NATURALS is expected"),
    "legal, and illegal was expected": ('do: "-9", expect: {illegal: [MELD_TOO_SHORT]}', "RS5002 and it is legal"),
    "an impossible act": ('do: "-K", expect: legal', "RS5001 CARD_NOT_HELD"),
    "cards that lie elsewhere": ('do: "-9", expect: {after: "pile 96"}', "RS5003 pile should be 96, and is 69"),
    "a meld that lies there besides": ('do: "-9", expect: {after: "melds.NS ?0"}', "RS5003 melds.NS should be ?0, and is QQQ"),
    "another seat to act": ('do: "-9", expect: {after: "S at start"}', "RS5003 to act should be S at start"),
    "a variable of another value": ('do: "-9", expect: {after: "opened.EW"}', "RS5003 opened.EW should be yes, and is no"),
    "a deal that is not over": ('do: "-9", expect: {after: "reason out"}', "RS5003 reason should be out, and is none"),
    "other points": ('do: "-9", expect: {ledger: {NS.going_out: 100}}', "RS5004 NS.going_out should be 100, and is 0"),
    "another value": ("ask: frozen, expect: {value: yes}", "RS5005 frozen should be yes, and is no"),
    "a winner where there is none": ("expect: {winner: NS}", "RS5006 NS should have won the match, and nobody has"),
    "a verdict on nothing": ("expect: legal", "RS5008 nothing is done"),
    "a turn that is not ended": ('do: "Q/Q", hand: "Q9", expect: legal', "RS5008 the turn is not ended"),
    "a question without its value": ("ask: frozen, expect: {after: pile 6}", "RS5008 no `value`"),
    "a value without its question": ("expect: {value: yes}", "RS5008 no `ask`"),
    "legal: no": ('do: "-9", expect: {legal: no}', "RS5008 says too little"),
    "a code that is mistyped": ('do: "44 -9", expect: {illegal: [MELD_TO_SHORT]}', "RS5009 no clause gives the code MELD_TO_SHORT"),
    "a line that the ledger has not": ('do: "-9", expect: {ledger: {NS.goin_out: 0}}', "RS5010 no line NS.goin_out"),
    "a position that cannot be set up": ('given: "N at lunch; hand.N 4", do: "-4", expect: legal', "PL0007 there is no phase lunch"),
    "a position that cannot be read": ('given: "N at; at", do: "-4", expect: legal', "CN1"),
    "a turn that cannot be read": ('do: "-", expect: legal', "CN0032"),
    "a question that cannot be read": ("ask: frozn, expect: {value: yes}", "RS3002"),
    "an option that there is not": ('options: {tee: drawn}, do: "-9", expect: legal', "RS2003"),
    "an option that cannot be so": ('options: {tie: maybe}, do: "-9", expect: legal', "RS2004"),
    "a drawn card that lies elsewhere": (
        'given: "N at start; hand.N 49; pile 6; stock ?9 K", do: "+Q -9", expect: legal', "PL0014 the stock gives K here",
    ),
}  # fmt: skip


def rules_with(tmp_path: Path, examples: list[str]) -> str:
    """A house rule file with one clause and these examples, each on a line of its own from line 11."""
    lines = []
    for i, example in enumerate(examples):
        given = "" if "given:" in example else f'given: "{START}", '
        if "hand:" in example:
            given, example = f'given: "{START.replace("4459", "Q9")}", ', example.replace('hand: "Q9", ', "")  # noqa: PLW2901
        lines.append(f"        - {{id: e{i}, {given}{example}}}\n")
    path = tmp_path / "house.yaml"
    path.write_text(
        "ruleset: house\ntitle: Ours\nextends: classic\nadd:\n  clauses:\n"
        "    - id: house.rule\n      kind: custom\n      title: Ours\n      text: Be friendly.\n"
        f"      examples:\n{''.join(lines)}",
        encoding="utf-8",
    )
    return str(path)


@pytest.fixture(scope="module")
def found_in_wrong_examples(tmp_path_factory: pytest.TempPathFactory) -> tuple[Diagnostic, ...]:
    examples = [example for example, _ in WRONG.values()]
    return check_examples(load_ruleset(rules_with(tmp_path_factory.mktemp("rules"), examples)))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_example_is_told_what_is_wrong(name: str, found_in_wrong_examples: tuple[Diagnostic, ...]) -> None:
    place = list(WRONG).index(name)
    id_, _, words = WRONG[name][1].partition(" ")
    found = [d for d in found_in_wrong_examples if d.message.startswith(f"house.rule/e{place}:")]
    assert any(d.id.startswith(id_) and words in d.message for d in found), [(d.id, d.message) for d in found]
    for d in found:
        assert explain(d.id) is not None
        assert (d.clause, d.severity) == ("house.rule", Severity.ERROR)
        assert d.span is not None
        assert (d.span.file.rpartition("/")[2], d.span.line) == ("house.yaml", 11 + place)


def test_every_id_of_examples_is_shown_here() -> None:
    shown = {expected.partition(" ")[0] for _, expected in WRONG.values()} | {"RS5011", "RS5012", "RS5013", "RS5014"}
    assert {i for i in all_ids() if i.startswith("RS5")} <= shown


def test_a_right_example_of_a_house_rule_is_not_spoken_of(tmp_path: Path) -> None:
    assert (
        check_examples(load_ruleset(rules_with(tmp_path, ['do: "-9", expect: {after: "E at start; pile ?1 9"}']))) == ()
    )


def house(tmp_path: Path, text: str) -> str:
    path = tmp_path / "sunday.yaml"
    path.write_text(f"ruleset: sunday\ntitle: Sundays\nextends: classic\n{text}", encoding="utf-8")
    return str(path)


def test_inherited_examples_that_come_out_otherwise_are_a_note(tmp_path: Path) -> None:
    name = house(tmp_path, "set: {upcard_black_three: keep}\n")
    (note,) = check_examples(load_ruleset(name))
    assert (note.id, note.severity) == ("RS5013", Severity.NOTE)
    assert "otherwise here than in classic: upcard.cover: c04-black-three-covered" in note.message


@pytest.mark.whole
def test_what_comes_out_otherwise_in_the_parent_already_is_not_told_again(tmp_path: Path) -> None:
    """Samba brings out dozens of classic examples otherwise; a house rule on Samba is told of its own alone."""
    grand = tmp_path / "ours.yaml"
    grand.write_text("ruleset: ours\ntitle: Ours\nextends: samba\n", encoding="utf-8")
    assert check_examples(load_ruleset(str(grand))) == ()
    child = tmp_path / "sunday.yaml"
    child.write_text("ruleset: sunday\ntitle: Sundays\nextends: ./ours.yaml\nset: {hand_size: 13}\n", encoding="utf-8")
    (note,) = check_examples(load_ruleset(str(child)), named=True)
    told = note.message.partition("otherwise here than in ours: ")[2]
    clauses = {part.partition(":")[0].strip() for part in told.split(";")}
    about_the_deal = {"upcard.cover", "red-threes.dealt", "red-threes.dealt.first-turn", "opening.melds"}
    assert "red-three-covered" in told
    assert "upcard.cover" in clauses <= about_the_deal, "only what depends on how many cards are dealt"


def test_what_no_example_shows_is_found(tmp_path: Path) -> None:
    name = house(
        tmp_path,
        "add:\n  clauses:\n    - id: sunday.no-sevens\n      kind: requirement\n      on: [discard]\n"
        "      title: No sevens\n      text: Discard no seven.\n"
        "      require: [{code: SEVEN_DISCARDED, that: card.rank != $7}]\n"
        f'      examples: [{{id: nine, given: "{START}", do: "-9", expect: legal}}]\n',
    )
    found = {(d.id, d.code) for d in gaps(name) if d.clause == "sunday.no-sevens"}
    assert found == {("RS5011", ""), ("RS5012", "SEVEN_DISCARDED")}


# -- questions -------------------------------------------------------------------------------------------------------

ANSWERS: Mapping[str, str] = {
    "frozen": "no",
    "size(hand)": "4",
    "minimum_needed": "50",
    "top(pile)": "6",
    "top(pile).rank": "6",
    "seat": "N",
    "side": "NS",
    "next(seat)": "E",
    "source": "nothing",
    "count(c in hand where c.rank = $4)": "2",
    "any(g in melds where g is set)": "yes",
    "possible(take)": "no",
}


@pytest.mark.parametrize("question", ANSWERS)
@pytest.mark.parametrize("evaluated", [False, True], ids=["compiled", "evaluated"])
def test_questions_are_answered_in_the_words_of_the_rule_set(question: str, *, evaluated: bool) -> None:
    from canasta.notation.position_text import parse_position  # noqa: PLC0415 - only here
    from canasta.playing.positions import to_state  # noqa: PLC0415 - only here

    game = open_game("classic", evaluated=evaluated)
    position, _ = parse_position(START, "position")
    assert position is not None
    assert ask(game.ruleset, question).answer(game, to_state(game, position)) == ANSWERS[question]


def test_a_wrong_question_is_told_what_is_wrong() -> None:
    with pytest.raises(QuestionError) as caught:
        ask(load_ruleset("classic"), "size(hnd)")
    assert caught.value.diagnostics[0].hint == "did you mean 'hand'?"


@pytest.mark.whole
def test_many_examples_that_come_out_otherwise_are_counted_and_named_on_demand() -> None:
    samba = load_ruleset("samba")
    (note,), (long,) = check_examples(samba), check_examples(samba, named=True)
    number = int(note.message.split()[0])
    assert number > MOST_NAMED
    assert len(note.message) < 100
    assert "`canasta rules check --long samba` names them" in note.hint
    clauses = long.message.partition("than in classic: ")[2].split("; ")
    assert sum(len(one.split(", ")) for one in clauses) == number
    assert note.message.endswith(f"of {len(clauses)} clauses")
