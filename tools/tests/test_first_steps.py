"""What somebody meets who types the command for the first time: the slip is named, and what is suggested can be typed."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta.deciding import deciding_values
from canasta.diagnostics import Severity
from canasta.games import load_ruleset
from canasta.kernel.acts import Violation
from canasta.language.ruleset import Bound, Requirement
from canasta.playing.examples import run_examples
from canasta.playing.judging import against

Call = Callable[..., Any]
POSITION = "N at start; hand.N KK2459; melds.NS QQQ; opened.NS; pile 2 5 K; stock ?30"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- where nothing is, nothing is right ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n\n", "; only a word\n"])
def test_an_empty_text_is_not_a_right_one(call: Call, folder: Path, text: str) -> None:
    (folder / "e.cgn").write_text(text, encoding="utf-8")
    for command in ("check", "show", "replay"):
        answer = call(command, "e.cgn")
        assert answer.code != 0, command
        assert "there is no record in e.cgn" in answer.out + answer.err, command
    assert "US0016" in call("check", "-", stdin=text).out


def test_names_without_a_deal_are_a_beginning(call: Call, folder: Path) -> None:
    (folder / "e.cgn").write_text('[N "Ana"]\n', encoding="utf-8")
    assert call("check", "e.cgn").code == 0


# -- every finding has a place that can be shown ---------------------------------------------------------------------


def test_a_missing_file_is_named_for_programs(call: Call) -> None:
    assert call("check", "--json", "nope.cgn").json["findings"][0]["file"] == "nope.cgn"


def test_text_without_a_file_is_shown_with_its_line(call: Call) -> None:
    assert "  2 | N 7z9\n    |    ^" in call("check", "-", stdin="Deal 1\nN 7z9\n").out
    assert "  1 | ^KK1\n    |    ^" in call("judge", POSITION, "^KK1").err
    assert "  1 | N at nowhere; hand.N K\n" in call("judge", "N at nowhere; hand.N K", "-K").err


def test_a_turn_copied_with_its_seat(call: Call) -> None:
    for turn in ("N -K", "s ^KKK -9", "W out"):
        assert "leave the seat out" in call("judge", POSITION, turn).err, turn
    assert call("judge", POSITION, "9").code == 0


def test_what_is_wrong_in_json_is_told_in_words_with_its_line(call: Call, folder: Path) -> None:
    record = call("random", "--seed", "1", "--deals", "1", "--json").json
    record["deals"][0]["lines"][5]["line"] = "dance"
    (folder / "r.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    (finding,) = call("check", "--json", "r.json").json["findings"]
    line = (folder / "r.json").read_text(encoding="utf-8").splitlines()[finding["line"] - 1]
    assert "dance" in line
    assert finding["message"].startswith("deals[0].lines[5].line: dance is none of hand, stock")
    record["deals"][0]["lines"][5] = {"line": "up", "cards": ["10c"]}
    (folder / "r.json").write_text(json.dumps(record), encoding="utf-8")
    assert "$)" not in call("check", "r.json").out


def test_json_is_called_what_it_is(call: Call, folder: Path) -> None:
    (folder / "x.json").write_text('{"deals": [', encoding="utf-8")
    (folder / "y.json").write_text('{"a": 1}', encoding="utf-8")
    assert "holds a game of a program; canasta fmt works on records" in call("fmt", "x.json").err
    assert "neither a record nor a game" in call("fmt", "y.json").err
    assert "canasta convert x.json | canasta check -" in call("check", "x.json").out
    piped = call("check", "-", stdin='{"deals": []}').out
    assert "canasta convert -" in piped
    assert "convert <stdin>" not in piped


# -- wrong calls -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["judge", "why"])
def test_a_mistyped_option_is_no_turn(call: Call, command: str) -> None:
    answer = call(command, "--jsn", POSITION, "^KKK -9")
    assert answer.code == 2
    assert "has no option --jsn" in answer.err
    assert "did you mean --json?" in answer.err
    assert call(command, POSITION, "-9").code == 0


def test_numbers_are_asked_for_in_words(call: Call) -> None:
    assert "it must be a whole number from 1 to 1000" in call("random", "--deals", "many").err


def test_no_seed_is_told_for_rules_that_are_not_there(call: Call) -> None:
    assert "seed" not in call("random", "--rules", "nope").err


def test_the_call_that_a_hint_suggests_can_be_typed(call: Call) -> None:
    told = call("judge", "--rules", "classic,tie=", POSITION, "^KKK -9").err
    suggested = re.search(r"for instance (\S+)", told)
    assert suggested is not None
    assert call("judge", "--rules", suggested[1], POSITION, "^KKK -9").code == 0


@pytest.mark.parametrize("verb", ["check", "score", "replay", "show"])
@pytest.mark.parametrize(("tag", "code"), [('[Rules "clasic"]', "RS2001"), ('[Seats "N S"]', "PL0039")])
def test_what_keeps_a_record_from_being_replayed_is_said_by_every_command(
    call: Call, tmp_path: Path, verb: str, tag: str, code: str
) -> None:
    file = tmp_path / "game.cgn"
    file.write_text(f"{tag}\nDeal 1 dealer N\nN +5 -A\n", encoding="utf-8")
    answer = call(verb, str(file))
    assert answer.code == (1 if verb == "check" else 2)
    assert code in answer.out + answer.err
    assert "US0016" not in answer.out + answer.err


# -- no signs of the rule language at the table ----------------------------------------------------------------------


def test_values_are_told_by_names_and_not_by_expressions() -> None:
    told = 0
    for result in run_examples("classic"):
        rules = load_ruleset("classic")
        for violation in result.violations:
            for name, value in deciding_values(rules, violation):
                told += 1
                assert re.fullmatch(r"[a-z][a-z, “”]*", name), (violation, name)
                assert len(value) <= 60, violation
    assert told > 40


def test_what_has_no_name_is_left_to_the_rule_itself(call: Call) -> None:
    answer = call("judge", "N at play; hand.N 3h59; pile 6; stock ?30", "-3r")
    assert "RED_THREE_DISCARDED" in answer.out
    assert "card is not" not in answer.out
    assert "red_three" not in answer.out.replace("RED_THREE", "")


def test_demands_that_compare_figures_tell_both(call: Call) -> None:
    answer = call("judge", "N at start; hand.N KKK459; pile 6; stock ?30", "+? KKK -9")
    assert "points of the cards laid: 30" in answer.out
    assert "minimum needed: 50" in answer.out
    clauses = load_ruleset("classic").clauses.values()
    assert any(isinstance(c, Requirement | Bound) for c in clauses)


# -- looking rules up ------------------------------------------------------------------------------------------------


def test_clauses_of_other_games_say_whose_they_are(call: Call) -> None:
    listed = call("rules", "minimum").out.splitlines()
    assert len(set(listed)) == len(listed)
    assert any(line.endswith("(classic/three)") for line in listed)
    assert not any("(" in line for line in call("rules", "--rules", "classic", "minimum").out.splitlines())


def test_endings_of_words_do_not_hide_a_rule(call: Call) -> None:
    found = call("rules", "going out", "ask", "partner").out
    assert "asking.granted" in found


def test_a_search_that_finds_nothing_says_what_to_change(call: Call) -> None:
    answer = call("rules", "frozen", "zeppelin")
    assert answer.code == 1
    assert re.search(r"leave one out \(frozen in \d+, zeppelin in none\)", answer.err)
    assert "try another word" in call("rules", "zeppelin").err


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("classic", "rule set", "Classic Canasta for four"),
        ("classic:hoyle", "profile", "1950"),
        ("hoyle", "profile", "1950"),
        ("classic/two:pagat", "profile", "Pagat"),
        ("stock_out", "reason why a deal ends", "stock"),
        ("play", "phase of a turn", "discard"),
        ("minimum", "step table", "90 from 1,500"),
        ("minimum_needed", "definition", "90 from 1,500"),
    ],
)
def test_whatever_has_a_name_is_explained(call: Call, name: str, kind: str, words: str) -> None:
    answer = call("explain", name)
    assert answer.code == 0, answer.err
    assert f"({kind})" in answer.out
    assert words in answer.out
    assert "{" not in answer.out


def test_a_name_that_is_not_found_may_be_one_of_the_persons_own(call: Call) -> None:
    assert "--rules FILE" in call("explain", "JOKER_DISCARDED").err


# -- the pad and the table -------------------------------------------------------------------------------------------


def test_a_pad_with_one_side_is_asked_for_the_other(call: Call) -> None:
    assert "what deal 1 brought EW cannot be known" in call("check", "-", stdin="Deal 1\nNS: 500 455\n").out
    assert call("check", "--strict", "-", stdin="Deal 1\nNS: 500 455\nEW: 0 -60\n").code == 0


def test_names_are_kept_although_no_deal_is_finished(call: Call, folder: Path) -> None:
    assert call("score", "--new", "p.cgn", stdin="classic\nAna\n\nCai\n\n500\n").code == 130
    assert '[N "Ana"]' in (folder / "p.cgn").read_text(encoding="utf-8")
    assert call("score", "--new", "p.cgn", stdin="500\n455\n0\n-60\n\n").code == 0
    assert "NS: 500 455" in (folder / "p.cgn").read_text(encoding="utf-8")


def test_looking_at_a_pad_changes_nothing(call: Call, folder: Path) -> None:
    text = "Deal  1\nNS:  500 455\nEW: 0  -60\n"
    (folder / "p.cgn").write_text(text, encoding="utf-8")
    answer = call("score", "--new", "p.cgn", stdin="\n")
    assert "p.cgn is as it was" in answer.out
    assert (folder / "p.cgn").read_text(encoding="utf-8") == text


def test_a_hand_known_in_part_is_counted_once(call: Call) -> None:
    shown = call("show", "N at play; hand.N K459?3; stock ?30").out
    assert "7 cards; known: K 9 5 4" in shown


def test_suits_that_cannot_be_drawn_are_spoken_of(call: Call) -> None:
    assert "suits are not drawn" in call("show", "N at play; hand.N KcK459; stock ?30").err
    assert call("show", "N at play; hand.N KK459; stock ?30").err == ""


# -- the seats of a table of five ------------------------------------------------------------------------------------

PLAYERS = '[A "Ana"] [B "Ben"] [C "Cai"] [D "Dee"] [E "Eve"]'


@pytest.mark.parametrize(
    "head",
    [f'[Rules "classic/five"] {PLAYERS}', f'{PLAYERS}\n[Rules "classic/five"]', f'{PLAYERS} [Rules "classic/five"]'],
)
def test_the_rule_set_names_the_seats_wherever_its_tag_stands(call: Call, folder: Path, head: str) -> None:
    (folder / "e.cgn").write_text(f"{head}\nDeal 1 dealer C\nD +? -7c\n", encoding="utf-8")
    assert call("check", "e.cgn").code == 0
    (folder / "e.json").write_text(call("convert", "e.cgn").out, encoding="utf-8")
    assert call("check", "e.json").code == 0
    assert "E sits this deal out" in call("replay", "e.json").out
    assert call("fmt", "-", stdin=(folder / "e.cgn").read_text(encoding="utf-8")).out.endswith("D +? 7c\n")


def test_seats_that_a_tag_names_beat_those_of_the_rule_set(call: Call, folder: Path) -> None:
    for head in ('[Seats "U V W X Y"] [Rules "classic/five"]', '[Rules "classic/five"] [Seats "U V W X Y"]'):
        (folder / "e.cgn").write_text(f"{head}\nDeal 1 dealer U\nV +? -7c\n", encoding="utf-8")
        assert call("check", "e.cgn").code == 0
        (folder / "e.cgn").write_text(f"{head}\nDeal 1 dealer U\nB +? -7c\n", encoding="utf-8")
        assert "there is no seat B" in call("check", "e.cgn").out


@pytest.mark.parametrize("rules", ["classic", "classic/two", "nothing/such", "../x.yaml"])
def test_a_seat_that_no_rule_set_has_is_told(call: Call, folder: Path, rules: str) -> None:
    (folder / "e.cgn").write_text(f'[Rules "{rules}"]\nDeal 1\nA +? -7c\n', encoding="utf-8")
    assert "there is no seat A" in call("check", "e.cgn").out


# -- a code is looked up in the rule set that has it -----------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "classic:hoyle", "samba", "samba,one_card_for_one=allowed"])
def test_what_the_hint_says_can_be_typed(rules: str) -> None:
    ruleset = load_ruleset(rules)
    clause = next(c for c in ruleset.of_kind(Requirement))
    found = against(ruleset, Violation(clause.id, clause.require[0].code), None, Severity.ERROR)
    told = re.fullmatch(r"`canasta explain (\w+)( --rules ([\w,=:]+))?` tells more", found.hint)
    assert told is not None, found.hint
    assert told[3] == (None if rules.startswith("classic") else ruleset.name)


def test_what_a_house_rule_leaves_over_is_removed_in_its_own_file(call: Call, folder: Path) -> None:
    head = (
        "ruleset: house\ntitle: House\nextends: samba\nremove:\n  - {clause: groups.wild-onto-canasta, because: no}\n"
    )
    (folder / "house.yaml").write_text(head, encoding="utf-8")
    call("rules", "sign", "house.yaml")
    for _ in range(9):
        found = [
            f
            for f in call("rules", "check", "--no-examples", "--json", "house.yaml").json["findings"]
            if f["id"] == "RS4008"
        ]
        if not found:
            break
        assert {f["file"] for f in found} == {"house.yaml"}
        entries = [re.search("`remove: - (.+?)`", f["hint"]) for f in found]
        text = (folder / "house.yaml").read_text(encoding="utf-8")
        lines = "".join(f"  - {{{entry[1]}, because: left over}}\n" for entry in entries if entry)
        (folder / "house.yaml").write_text(text + lines, encoding="utf-8")
        call("rules", "sign", "house.yaml")
    assert "because: left over" in (folder / "house.yaml").read_text(encoding="utf-8")
    assert not found
