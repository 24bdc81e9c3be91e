"""Records on the command line: played at random, checked, written canonically, replayed, scored, converted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from canasta.notation.reader import read_text
from canasta.notation.record import Depth
from canasta.rooms import room

Call = Callable[..., Any]

PAD = """\
[Rules "classic"]

Deal 1
NS: 500 455
EW: 0 -60

Deal 2
NS: 1500 1200
EW: 0 2000

Deal 3
NS: 1000 700
EW: 100 300
"""
NEUTRAL = {
    "source": "made up for a test",
    "players": 4,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- random ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "classic:hoyle", "classic,one_card_for_one=allowed"])
def test_a_random_match_is_a_full_record_without_findings(call: Call, rules: str) -> None:
    text = call("random", "--rules", rules, "--seed", "5", "--deals", "2").out
    (record,), found = read_text(text, "random")
    assert found == []
    assert record.tag("Rules") == rules
    assert [deal.depth for deal in record.deals] == [Depth.FULL, Depth.FULL]
    answer = call("check", "--json", "-", stdin=text)
    assert (answer.code, answer.json["findings"]) == (0, [])
    assert call("fmt", "-", stdin=text).out == text


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(call: Call) -> None:
    first, again, other = (call("random", "--seed", seed, "--deals", "1").out for seed in ("3", "3", "4"))
    assert first == again
    assert first != other


def test_a_seed_that_was_drawn_is_told_and_repeats_the_match(call: Call) -> None:
    answer = call("random", "--deals", "1")
    word, seed = answer.err.split()
    assert word == "seed"
    assert call("random", "--deals", "1", "--seed", seed).out == answer.out


def test_a_whole_match_ends_by_the_rules(call: Call) -> None:
    text = call("random", "--seed", "7").out
    assert text.splitlines()[-1].startswith("result NS ")
    assert "has won" in call("score", "-", stdin=text).out


# -- fmt -------------------------------------------------------------------------------------------------------------


def test_fmt_rewrites_only_what_is_not_canonical(call: Call, folder: Path) -> None:
    (folder / "a.cgn").write_text("deal 1\nN   7C\n", encoding="utf-8")
    (folder / "b.cgn").write_text("Deal 1\nN 7c\n", encoding="utf-8")
    before = (folder / "b.cgn").stat().st_mtime_ns
    assert call("fmt", "--check", ".").code == 1
    diff = call("fmt", "--diff", "a.cgn")
    assert diff.code == 1
    assert "+N 7c" in diff.out
    assert call("fmt", ".").code == 0
    assert (folder / "a.cgn").read_text(encoding="utf-8") == "Deal 1\nN 7c\n"
    assert (folder / "b.cgn").stat().st_mtime_ns == before
    assert call("fmt", "--check", ".").code == 0


def test_fmt_never_touches_a_file_that_it_cannot_read_wholly(call: Call, folder: Path) -> None:
    text = '[Rules "classic"]\nDeal 1\nN   7c\n\n[Rules "classic"]\nDael 1\nN 7c\n'
    (folder / "a.cgn").write_text(text, encoding="utf-8")
    answer = call("fmt", "a.cgn")
    assert answer.code == 1
    assert "CN0020" in answer.err
    assert (folder / "a.cgn").read_text(encoding="utf-8") == text
    piped = call("fmt", "-", stdin=text)
    assert (piped.code, piped.out) == (1, "")


# -- replay ----------------------------------------------------------------------------------------------------------

DEPARTURE = "Deal 1  dealer W\nN 7c\nE Kd\nS ^KKK -5h\n"


def test_replay_tells_turn_by_turn_and_names_the_rule(call: Call, folder: Path) -> None:
    (folder / "m.cgn").write_text(DEPARTURE, encoding="utf-8")
    answer = call("replay", "m.cgn")
    assert answer.code == 1
    assert "✗ BELOW_MINIMUM" in answer.out
    assert "[opening.minimum]" in answer.out
    assert call("replay", "m.cgn", "--deal", "2").code == 2


def test_replay_as_json_has_a_position_after_each_turn(call: Call, folder: Path) -> None:
    (folder / "m.cgn").write_text(DEPARTURE, encoding="utf-8")
    turns = [json.loads(line) for line in call("replay", "--format", "jsonl", "m.cgn").out.splitlines()]
    assert [t["seat"] for t in turns] == ["N", "E", "S"]
    assert turns[0]["after"].startswith("E at start; ")
    assert [f["code"] for f in turns[2]["findings"]] == ["BELOW_MINIMUM"]
    whole = call("replay", "--json", "m.cgn").json
    assert [dict(t, deal=1) for t in whole["deals"][0]["turns"]] == turns


def test_each_position_of_a_replay_can_be_shown(call: Call, folder: Path) -> None:
    (folder / "r.cgn").write_text(call("random", "--seed", "2", "--deals", "1").out, encoding="utf-8")
    turns = [json.loads(line) for line in call("replay", "--format", "jsonl", "r.cgn").out.splitlines()]
    for turn in turns[:: len(turns) // 5]:
        line = call("show", "--position", "r.cgn", "--turn", str(turn["turn"])).out.strip()
        assert line == turn["after"]
        assert call("show", "--position", turn["after"]).out.strip() == line


# -- score -----------------------------------------------------------------------------------------------------------


def test_the_score_sheet_adds_up(call: Call) -> None:
    data = call("score", "--json", "-", stdin=PAD).json["matches"][0]
    assert [d["totals"] for d in data["deals"]] == [
        {"NS": 955, "EW": -60},
        {"NS": 3655, "EW": 1940},
        {"NS": 5355, "EW": 2340},
    ]
    assert data["deals"][1]["next"] == {"minimum": {"NS": 120, "EW": 90}}
    assert data["winners"] == ["NS"]
    told = call("score", "-", stdin=PAD)
    assert told.out.rstrip().splitlines()[-1] == "NS has won: NS 5355, EW 2340."
    assert told.code == 0


def test_a_sheet_with_a_mistake_says_where_to_look(call: Call) -> None:
    answer = call("score", "-", stdin=PAD.replace("500 455", "500 455 = 945"))
    assert answer.code == 1
    assert "canasta check" in answer.err


LACKING = """\
[Rules "classic"]
[Rulez "classic"]

Deal 1 dealer W
NS: 1155 total 1155
EW: 300 total 300

Deal 2 dealer N
NS: 400

Deal 3 dealer E
up 7h
S +Kd -9h
"""


def test_a_deal_that_is_not_finished_or_not_scored_for_all_is_marked(call: Call) -> None:
    out = call("score", "-", stdin=LACKING).out.splitlines()
    marked = [line.split()[0] for line in out if line[:2] in ("1 ", "2*", "3*", "1*")]
    assert marked == ["1", "2*", "3*"]
    assert "* what deal 2 brought EW is not known, and not in the totals" in out
    assert "* deal 3 is not finished: nothing of it is in the totals" in out
    assert out[-2 if not out[-1] else -1] == "The match goes on: NS 1555, EW 300 (without deal 2)."
    deals = call("score", "--json", "-", stdin=LACKING).json["matches"][0]["deals"]
    assert [d["lacking"] for d in deals] == [[], ["EW"], ["NS", "EW"]]


def test_a_total_that_is_written_later_makes_up_for_what_was_not(call: Call) -> None:
    later = LACKING[: LACKING.index("Deal 3")] + "Deal 3 dealer E\nNS: 100 total 1655\nEW: 200 total 900\n"
    assert call("score", "-", stdin=later).out.rstrip().endswith("The match goes on: NS 1655, EW 900.")


@pytest.mark.parametrize("command", [("score",), ("replay", "--format", "jsonl"), ("show",)])
def test_what_the_reader_warned_of_is_told_by_every_command_that_reads_records(
    call: Call, folder: Path, command: tuple[str, ...]
) -> None:
    (folder / "l.cgn").write_text(LACKING, encoding="utf-8")
    answer = call(*command, "l.cgn")
    assert "l.cgn: 1 thing to look at: canasta check l.cgn" in answer.err


def test_a_replay_tells_what_belongs_to_no_deal(call: Call, folder: Path) -> None:
    (folder / "l.cgn").write_text(f"{LACKING}result NS 1555\n", encoding="utf-8")
    out = call("replay", "l.cgn").out
    assert "CN0017 nothing reads a tag Rulez" in out
    assert "PL0038 a result is written, and by the rules the match goes on" in out
    told = [f["id"] for f in call("replay", "--json", "l.cgn").json["findings"]]
    assert told == ["CN0017", "PL0038"]


def test_every_figure_is_shown_if_asked(call: Call, folder: Path) -> None:
    (folder / "r.cgn").write_text(call("random", "--seed", "2", "--deals", "1").out, encoding="utf-8")
    out = call("score", "--items", "r.cgn").out
    assert "melded_cards" in out
    assert "cards_left" in out


def test_keeping_score_writes_a_record_that_says_the_same(call: Call, folder: Path) -> None:
    answers = "classic\nAna\n\nCai\n\n500\n455\n0\n-60\n300\nabc\n1200\n100\n300\n\n"
    answer = call("score", "--new", "pad.cgn", stdin=answers)
    assert answer.code == 0
    assert "NS 955, EW -60; next minimum: NS 50, EW 15" in answer.err
    assert "write a whole number" in answer.err
    (record,), found = read_text((folder / "pad.cgn").read_text(encoding="utf-8"), "pad.cgn")
    assert found == []
    assert [t.name for t in record.tags] == ["Rules", "Date", "N", "S"]
    assert [[s.total for s in deal.scores] for deal in record.deals] == [[955, -60], [2455, 340]]
    assert call("check", "pad.cgn").code == 0


def test_a_match_is_taken_up_again_and_ends_with_its_result(call: Call, folder: Path) -> None:
    (folder / "pad.cgn").write_text("".join(PAD.partition("\nDeal 3")[0]) + "\n", encoding="utf-8")
    answer = call("score", "--new", "pad.cgn", stdin="1000\n700\n100\n300\n")
    assert answer.code == 0
    assert "NS has won: NS 5355, EW 2340." in answer.out
    assert (folder / "pad.cgn").read_text(encoding="utf-8").endswith("\n\nresult NS 5355 EW 2340\n")
    again = call("score", "--new", "pad.cgn", stdin="")
    assert again.code == 2
    assert "is over" in again.err


def test_what_was_complete_stays_when_the_input_breaks_off(call: Call, folder: Path) -> None:
    answer = call("score", "--new", "pad.cgn", "--rules", "classic", stdin="\n\n\n\n500\n455\n0\n-60\n300\n")
    assert answer.code == 130
    (record,), _ = read_text((folder / "pad.cgn").read_text(encoding="utf-8"), "pad.cgn")
    assert len(record.deals) == 1


def test_a_figure_that_cannot_be_is_asked_again(call: Call, folder: Path) -> None:
    answer = call(
        "score", "--new", "p.cgn", "--rules", "classic", stdin="\n\n\n\n500\n453\n0\n-60\nn\n500\n455\n0\n-60\n\n"
    )
    assert answer.code == 0
    assert "PL0036" in answer.err
    (record,), _ = read_text((folder / "p.cgn").read_text(encoding="utf-8"), "p.cgn")
    assert [s.total for s in record.deals[0].scores] == [955, -60]


# -- convert ---------------------------------------------------------------------------------------------------------


def test_text_and_json_are_the_same_record(call: Call) -> None:
    text = call("random", "--seed", "6", "--deals", "2").out
    as_json = call("convert", "-", stdin=text)
    schema = json.loads((room("spec") / "schema" / "record.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(as_json.json)) == []
    assert call("convert", "-", stdin=as_json.out).out == text
    assert call("random", "--seed", "6", "--deals", "2", "--json").out == as_json.out
    assert call("convert", "--to", "cgn", "-", stdin=text).out == text


def test_a_game_that_is_none_is_told(call: Call, folder: Path) -> None:
    (folder / "g.json").write_text(json.dumps(NEUTRAL), encoding="utf-8")
    answer = call("convert", "g.json")
    assert answer.code == 2
    assert "PL004" in answer.err
    assert answer.out == ""
    told = call("check", "g.json")
    assert told.code == 1
    assert "canasta convert g.json" in told.out


def test_positions_are_checked_line_by_line(call: Call, folder: Path) -> None:
    (folder / "p.position").write_text(
        "# three positions\nN at start; hand.N KK459; stock ?30\n\nN at nowhere; hand.N KK459\nN at play; hand.Q K\n",
        encoding="utf-8",
    )
    answer = call("check", "--json", "p.position")
    assert answer.code == 1
    assert [(f["line"], f["id"][:2]) for f in answer.json["findings"]] == [(4, "PL"), (5, "PL")]
    assert answer.json["checked"][0]["records"] == 3


# -- a rule set that is chosen for a record that names none -----------------------------------------------------------

FIVE = "Deal 1 dealer E\nACE: 500 190 total 690\nBD: 100 130 total 230\n"


@pytest.mark.parametrize("command", ["check", "replay", "score"])
@pytest.mark.parametrize("named", ["", '[Rules "classic"]\n'])
def test_the_seats_are_those_of_the_rule_set_that_is_chosen(call: Call, folder: Path, command: str, named: str) -> None:
    (folder / "five.cgn").write_text(named + FIVE, encoding="utf-8")
    refused = call(command, "five.cgn")
    assert "CN0021" in refused.out + refused.err
    answer = call(command, "--rules", "classic/five", "five.cgn")
    assert (answer.code, "CN0021" in answer.out + answer.err) == (0, False)


def test_a_tag_names_the_seats_whatever_rule_set_is_chosen(call: Call, folder: Path) -> None:
    text = '[Seats "P Q R S T"]\n' + FIVE.replace("dealer E", "dealer T").replace("ACE", "PRT").replace("BD", "QS")
    (folder / "five.cgn").write_text(text, encoding="utf-8")
    assert call("check", "--rules", "classic/five", "five.cgn").code == 0


def test_a_pad_for_five_is_taken_up_again(call: Call, folder: Path) -> None:
    (folder / "five.cgn").write_text(FIVE, encoding="utf-8")
    answer = call("score", "--new", "--rules", "classic/five", "five.cgn", stdin="100\n200\n0\n50\n\n")
    assert answer.code == 0, answer.err
    assert "ACE: 100 200 total 990" in (folder / "five.cgn").read_text(encoding="utf-8")
