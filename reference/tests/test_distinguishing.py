"""What differs between two rule sets, and that for every change of a shipped variant an executed case shows it."""

from dataclasses import replace
from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.language.changes import How, Weight, changes, clauses, in_force
from canasta.language.loading import Loaded, load_document
from canasta.language.naming import known
from canasta.language.signing import sign
from canasta.language.source import Mapping, Sequence
from canasta.notation.position_text import parse_position, write_position
from canasta.playing.distinguishing import Case, Shown, Strength, distinguish
from canasta.playing.outcomes import SAYING, Disagreement, Edition
from canasta.playing.positions import to_state
from canasta.playing.probes import Probes
from canasta.playing.remembered import Memory, remembered
from canasta.playing.restating import Restated, Unsayable, restate
from canasta.playing.subjects import subject_of

PAIRS = [(lineage[0], name) for name in known() if (lineage := load_document(name).lineage)]

HOUSE = """\
ruleset: ours
title: How we play
extends: classic
"""


def variant(
    tmp_path: Path, text: str, *, tried: frozenset[str] | None = frozenset(), memory: dict[str, Memory] | None = None
) -> tuple[Shown, ...]:
    """Compare a variant of classic with it, by the examples of its own clauses and of those that are ``tried``."""
    path = tmp_path / "ours.yaml"
    path.write_text(HOUSE + text, encoding="utf-8")
    path.write_text(sign(str(path)), encoding="utf-8")
    old, new = load_document("classic"), load_document(str(path))
    if tried is None:
        return distinguish(old, new)
    kept = tried | (set(clauses(new.document)) - set(clauses(old.document)))
    return distinguish(with_examples_of(kept, old), with_examples_of(kept, new), memory or {})


def with_examples_of(kept: frozenset[str], loaded: Loaded) -> Loaded:
    """Leave the examples of all other clauses out: there are hundreds of them, and each is carried out four times."""
    told = tuple(c if id_ in kept else without_examples(c) for id_, c in clauses(loaded.document).items())
    listed = Sequence(told, loaded.document.span)
    items = {**loaded.document.items, "clauses": listed}
    return replace(loaded, document=Mapping(items, loaded.document.keys, loaded.document.span))


def without_examples(clause: Mapping) -> Mapping:
    return Mapping({k: v for k, v in clause.items.items() if k != "examples"}, clause.keys, clause.span)


def only(shown: tuple[Shown, ...], name: str) -> Shown:
    (found,) = [s for s in shown if s.change.name == name]
    return found


def case_of(shown: tuple[Shown, ...], name: str) -> Case:
    case = only(shown, name).case
    assert case is not None
    return case


@pytest.mark.soon("classic/six", rest="deep")  # the others are looked for when the generated pages are compared
@pytest.mark.parametrize(
    ("parent", "child"),
    [pytest.param(*pair, id=pair[1]) for pair in PAIRS],
)
def test_every_change_of_a_shipped_variant_is_shown_by_a_case(parent: str, child: str) -> None:
    shown = distinguish(load_document(parent), load_document(child), remembered(child))
    assert shown, "a variant that changes nothing is none"
    assert [s.change.name for s in shown if s.missing] == []
    for one in shown:
        if one.case is None:
            assert one.carried or one.change.weight is not Weight.EXECUTED
            continue
        case = one.case
        assert case.differs
        assert all(d.one != d.other for d in case.differs)
        if case.strength in (Strength.ALONE, Strength.TOGETHER):
            assert (case.strength is Strength.TOGETHER) == bool(case.others)
            assert case.brings
            assert case.needed


# -- what a change is --------------------------------------------------------------------------------------------------


def test_each_way_of_changing_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(
        HOUSE
        + """\
set: {hand_size: 13, tie: drawn, minimum: {below: 15, from: {0: 60}}}
add:
  clauses:
    - {id: table.manners, kind: custom, title: Be kind, text: Be kind to each other.}
replace:
  - {clause: deal.hands, with: {text: "The dealer gives {hand_size card} to each player."}}
  - {clause: match.winner, with: {winner: -total}}
remove:
  - {clause: partners.draw, because: we know our partners}
  - {declaration: profiles.article, because: it is another game}
""",
        encoding="utf-8",
    )
    path = tmp_path / "ours.yaml"
    path.write_text(sign(str(path)), encoding="utf-8")
    found = {c.name: (c.how, c.weight) for c in changes(load_document("classic"), load_document(str(path)))}
    assert found == {
        "parameters.hand_size": (How.SET, Weight.EXECUTED),
        "options.tie": (How.SET, Weight.EXECUTED),
        "steps.minimum": (How.SET, Weight.EXECUTED),
        "profiles.article": (How.REMOVED, Weight.NAME),
        "deal.hands": (How.REPLACED, Weight.SAID),
        "match.winner": (How.REPLACED, Weight.EXECUTED),
        "table.manners": (How.ADDED, Weight.BINDING),
        "partners.draw": (How.REMOVED, Weight.BINDING),
    }
    told = {c.name: c.because for c in changes(load_document("classic"), load_document(str(path)))}
    assert told["partners.draw"] == "we know our partners"
    assert told["profiles.article"] == "it is another game"


def test_an_option_that_a_profile_chooses_is_a_change() -> None:
    found = changes(load_document("classic"), load_document("classic:pagat"))
    assert {(c.how, c.name) for c in found} == {(How.SET, "options.upcard_black_three")}
    assert changes(load_document("classic"), load_document("classic,tie=extra_deal")) == ()


def test_an_order_of_effects_counts_only_among_clauses_that_both_have() -> None:
    found = {c.name: c.weight for c in changes(load_document("classic"), load_document("classic/two"))}
    assert found["turn.discard"] is Weight.ORDER


def test_a_figure_that_stands_in_texts_only_is_read_by_no_rule() -> None:
    found = {c.name: c.weight for c in changes(load_document("classic"), load_document("classic/two"))}
    assert found["parameters.faulty_opening_raise"] is Weight.UNREAD
    assert found["parameters.failed_asking_penalty"] is Weight.EXECUTED


# -- what shows a change -----------------------------------------------------------------------------------------------


def test_a_change_that_makes_no_difference_is_not_shown_by_the_work_of_another(tmp_path: Path) -> None:
    shown = variant(
        tmp_path,
        """\
set: {draw_count: 2}
add:
  clauses:
    - id: draw.always
      kind: requirement
      on: [draw]
      title: You may always draw
      text: You may always draw.
      require: [{code: NO_DRAW, that: size(hand) >= 0}]
""",
        tried=frozenset({"turn.draw"}),
    )
    assert case_of(shown, "parameters.draw_count").strength is Strength.ALONE
    assert only(shown, "draw.always").missing


def test_a_requirement_shows_in_its_own_example(tmp_path: Path) -> None:
    shown = variant(
        tmp_path,
        """\
add:
  clauses:
    - id: discard.no-sevens
      kind: requirement
      on: [discard]
      title: Sevens stay
      text: Never discard a seven.
      require: [{code: SEVEN_DISCARDED, that: card.rank != $7}]
      examples:
        - id: seven
          given: "N at play; hand.N 79; pile 6; source from_stock; stock ?30"
          do: "-7"
          expect: {illegal: [SEVEN_DISCARDED]}
""",
    )
    case = case_of(shown, "discard.no-sevens")
    assert (case.clause, case.example.id, case.of_new) == ("discard.no-sevens", "seven", True)
    assert [(d.one, d.other) for d in case.differs] == [("legal", "illegal: SEVEN_DISCARDED")]
    assert (case.strength, case.others) == (Strength.ALONE, ())


def test_things_that_cannot_be_parted_are_taken_back_together(tmp_path: Path) -> None:
    shown = variant(
        tmp_path,
        """\
add:
  state:
    thrown: {of: seat, type: bool, lasts: deal, start: no, text: Whether the player has thrown a seven.}
  clauses:
    - id: discard.one-seven
      kind: requirement
      on: [discard]
      title: One seven each
      text: Discard one seven a deal.
      require: [{code: SECOND_SEVEN, that: card.rank != $7 or not thrown}]
      examples:
        - id: second
          given: "N at play; hand.N 79; thrown.N; pile 6; source from_stock; stock ?30"
          do: "-7"
          expect: {illegal: [SECOND_SEVEN]}
""",
    )
    case = case_of(shown, "state.thrown")
    assert (case.strength, case.others) == (Strength.TOGETHER, ("discard.one-seven",))
    assert case.old.left_out == ("thrown.N",)
    other = case_of(shown, "discard.one-seven")
    assert (other.strength, other.others) == (Strength.TOGETHER, ("state.thrown",))


def test_an_option_is_shown_by_an_example_that_leaves_the_choice_to_the_rule_set() -> None:
    shown = distinguish(load_document("classic"), load_document("classic,black_three_freezes=yes"))
    case = case_of(shown, "options.black_three_freezes")
    assert not any(name == "black_three_freezes" for name, _ in case.example.options)


# -- how a change shows ------------------------------------------------------------------------------------------------


def test_a_figure_whose_effect_another_change_turns_round_does_not_decide_alone(tmp_path: Path) -> None:
    shown = variant(
        tmp_path,
        """\
set: {red_three_bonus: 200}
replace:
  - {clause: scoring.red-threes, with: {points: -red_three_bonus * size(shown)}}
""",
        tried=frozenset({"scoring.red-threes"}),
    )
    case = case_of(shown, "parameters.red_three_bonus")
    assert (case.strength, case.others) == (Strength.TOGETHER, ("scoring.red-threes",))
    assert {d.aspect[1] for d in case.differs} == {"red_threes of side"}, "the total is not what a red three is about"


def test_the_result_of_a_change_made_alone_is_that_of_a_rule_set_with_nothing_else(tmp_path: Path) -> None:
    both = variant(tmp_path, "set: {draw_count: 2, match_target: 6000}\n", tried=frozenset({"match.over"}))
    case = case_of(both, "parameters.match_target")
    assert case.strength is Strength.ALONE
    for text, found in (("set: {match_target: 6000}\n", case.made), ("set: {draw_count: 2}\n", case.without)):
        path = tmp_path / "ours.yaml"
        path.write_text(HOUSE + text, encoding="utf-8")
        path.write_text(sign(str(path)), encoding="utf-8")
        loaded = load_document(str(path))
        edition = Edition(in_force(loaded), loaded.name, loaded.chapter_of)
        assert found is not None
        assert edition.outcome(case.example, open_game("classic").ruleset).aspects == found.aspects


def test_a_change_beside_another_that_moves_the_same_has_a_part(tmp_path: Path) -> None:
    shown = variant(
        tmp_path,
        """\
set: {draw_count: 2}
add:
  clauses:
    - id: draw.another
      kind: effect
      on: [draw]
      after: [turn.draw, red-threes.before-the-draw]
      title: And another
      text: Draw another card.
      do: [move 1 from stock to hand]
      examples:
        - id: three
          given: "N at start; hand.N 79; pile 6; stock ?30 456"
          do: "+"
          expect: {after: "hand.N 45679"}
""",
        tried=frozenset({"turn.draw"}),
    )
    case = case_of(shown, "draw.another")
    assert case.strength is Strength.PART
    assert not (case.brings and case.needed)


TWO_CODES = """\
add:
  clauses:
    - id: discard.no-sevens
      kind: requirement
      on: [discard]
      title: Sevens stay
      text: Never discard a seven.
      require: [{code: SEVEN_DISCARDED, that: card.rank != $7}]
      examples:
        - id: seven
          given: "N at play; hand.N 79; pile 6; source from_stock; stock ?30"
          do: "-7"
          expect: {illegal: [SEVEN_DISCARDED, ODD_DISCARDED]}
    - id: discard.even
      kind: requirement
      on: [discard]
      title: Odd cards stay
      text: Never discard a seven or a nine.
      require: [{code: ODD_DISCARDED, that: card.rank != $7 and card.rank != $9}]
"""


def test_a_requirement_decides_its_own_violation_beside_others(tmp_path: Path) -> None:
    case = case_of(variant(tmp_path, TWO_CODES), "discard.no-sevens")
    assert case.strength is Strength.ALONE
    assert [d.aspect for d in case.differs] == [("verdict", "SEVEN_DISCARDED", 0)]
    assert case.differs[0].other == "illegal: ODD_DISCARDED, SEVEN_DISCARDED"
    assert case.brings
    assert case.needed


def test_a_change_is_about_what_it_decides_itself() -> None:
    old, new = load_document("classic"), load_document("classic/six")
    probes = Probes(old, new, changes(old, new))
    subjects = {c.name: subject_of(c, probes.old, probes.new) for c in probes.found}

    def held(name: str, about: str, place: str, one: str = "1", other: str = "2", question: str = "") -> bool:
        return subjects[name].holds(Disagreement((about, place, 0), one, other), question)

    for name in ("scoring.red-threes", "parameters.red_three_set"):
        assert held(name, "ledger", "red_threes of side")
        assert not held(name, "ledger", "total of side")
        assert not held(name, "verdict", "", "legal", "illegal: NO_CANASTA")
    assert held("parameters.canastas_to_go_out", "verdict", "", "legal", "illegal: NO_CANASTA")
    assert not held("parameters.canastas_to_go_out", "verdict", "", "legal", "illegal: NOT_NOW")
    assert held("parameters.match_target", "value", "match_over", "yes", "no", "match_over")
    assert held("parameters.hand_size", "after", "hand of seat")
    assert not held("parameters.hand_size", "after", "opened of side")


# -- what is remembered ------------------------------------------------------------------------------------------------


def test_what_is_remembered_is_found_again_and_what_is_not_so_is_not_believed(tmp_path: Path) -> None:
    text, tried = f"set: {{match_target: 6000}}\n{TWO_CODES}", frozenset({"match.over"})
    first = variant(tmp_path, text, tried=tried)
    memory = dict(s.memory for s in first if s.memory)
    assert {name: bool(m.example) for name, m in memory.items()} == {
        "parameters.match_target": True, "discard.no-sevens": True, "discard.even": True,
    }  # fmt: skip
    assert [s.memory for s in variant(tmp_path, text, tried=tried, memory=memory)] == [s.memory for s in first]
    wrong = {k: m._replace(clause="melds.own", example="another") for k, m in memory.items()}
    assert [s.memory for s in variant(tmp_path, text, tried=tried, memory=wrong)] == [s.memory for s in first]


def test_a_new_example_is_looked_at_where_a_change_was_not_decided_alone(tmp_path: Path) -> None:
    one, other = TWO_CODES.split("      examples:\n")
    bare = one + "    - id: discard.even" + other.partition("    - id: discard.even")[2]
    unshown = variant(tmp_path, bare)
    assert [s.change.name for s in unshown if s.missing] == ["discard.no-sevens", "discard.even"]
    memory = dict(s.memory for s in unshown if s.memory)
    found = variant(tmp_path, TWO_CODES, memory=memory)
    assert [s.change.name for s in found if s.missing] == []


# -- one position in the words of another rule set ---------------------------------------------------------------------


def said(text: str, spoken: str, heard: str, *options: tuple[str, str]) -> Restated | Unsayable:
    position, _ = parse_position(text, "here")
    assert position is not None
    return restate(position, options, open_game(spoken).ruleset, open_game(heard).ruleset)


def test_seats_and_sides_of_the_same_number_stand_for_each_other() -> None:
    told = said("B at play; hand.B 459; melds.BDF QQQ; opened.ACE; dealer A", "classic/six", "classic")
    assert isinstance(told, Restated)
    assert write_position(told.position) == "E at play; hand.E 459; melds.EW QQQ; opened.NS; dealer N"
    assert told.left_out == ()


def test_what_there_is_no_word_for_is_left_out_and_named() -> None:
    told = said("A at play; hand.A 459; hand.F 78", "classic/six", "classic", ("draw_count", "2"), ("tie", "drawn"))
    assert isinstance(told, Restated)
    assert write_position(told.position) == "A at play; hand.A 459".replace("A at", "N at").replace(".A", ".N")
    assert (told.left_out, told.options) == (("hand.F", "draw_count=2"), (("tie", "drawn"),))


def test_a_seat_or_phase_that_is_not_there_makes_a_position_that_cannot_be_said() -> None:
    for text, spoken, heard, thing in (
        ("F at play; hand.F 459", "classic/six", "classic", "table"),
        ("N at reply; hand.N 459", "classic", "classic/two", "phases.reply"),
    ):
        told = said(text, spoken, heard)
        assert isinstance(told, Unsayable)
        assert told.thing == thing


def test_a_pack_to_be_dealt_is_made_as_large_as_it_is_there() -> None:
    told = said("A at setup; dealer A; stock ?161 9", "classic/six", "classic")
    assert isinstance(told, Restated)
    assert write_position(told.position) == "N at setup; dealer N; stock ?107 9"
    assert told.left_out == ("the size of the pack (162 cards)",)
    assert to_state(open_game("classic"), told.position).seat == 1


def test_melds_of_this_turn_stay_melds_of_this_turn() -> None:
    told = said("A at play; melds.ACE QQQ:@7 KKK:@2", "classic/six", "classic")
    assert isinstance(told, Restated)
    assert write_position(told.position) == "N at play; melds.NS QQQ:@5 KKK:@2"


def test_a_position_that_only_one_can_say_shows_nothing_but_that(tmp_path: Path) -> None:
    shown = variant(
        tmp_path,
        """\
replace:
  - {declaration: pack, with: {packs: 3}}
add:
  clauses:
    - id: table.nine-kings
      kind: definition
      name: nine_kings
      of: [seat]
      is: count(c in hand where c.rank = $K) >= 9
      title: Nine kings
      text: Nine kings are many.
      examples:
        - {id: held, given: "N at play; hand.N KKKKKKKKK; pile 6; stock ?30", ask: nine_kings, expect: {value: yes}}
""",
        tried=None,
    )
    for one in shown:
        if one.case is not None and one.case.strength is Strength.UNSAYABLE:
            assert {d.aspect[0] for d in one.case.differs} == {SAYING}
            assert (one.case.old.said is None) != (one.case.new.said is None)
    assert not only(shown, "pack").missing
