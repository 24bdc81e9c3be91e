"""Rules on the command line: listed, searched, checked, signed, covered, explained."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from canasta.games import load_ruleset
from canasta.register import read_register
from canasta.rooms import room
from canasta_tools.catalogue import entries, search

Call = Callable[..., Any]

HOUSE = """\
ruleset: ours
title: Ours
extends: classic
set: {hand_size: 13}
replace:
  - clause: take.frozen.natural-pair
    with: {title: Ours}
"""


def test_every_clause_is_listed_with_what_scripts_rely_on(call: Call) -> None:
    data = call("rules", "--rules", "classic", "--json").json
    schema = json.loads((room("spec") / "schema" / "rules-output.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(data)) == []
    assert [c["id"] for c in data["clauses"]] == list(load_ruleset("classic").clauses)
    for clause in data["clauses"]:
        lines = (
            (room("spec") / "rules" / "classic" / Path(clause["file"]).name).read_text(encoding="utf-8").splitlines()
        )
        near = " ".join(lines[clause["line"] - 1 : clause["line"] + 1])
        assert clause["id"] in near, clause["file"]
        assert "{" not in clause["text"]


def test_all_shipped_rule_sets_are_listed_without_a_name(call: Call) -> None:
    lines = call("rules", "--format", "jsonl").out.splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert set(load_ruleset("classic").clauses) <= set(ids)


def test_search_wants_all_words_and_puts_names_first(call: Call) -> None:
    found = search(list(entries("classic")), ["frozen", "pair"])
    assert found[0].clause.id == "take.frozen.natural-pair"
    assert all(entry.holds("frozen") and entry.holds("pair") for entry in found)
    assert call("rules", "frozen", "no-such-word").code == 1
    assert "0 clauses found" in call("rules", "frozen", "no-such-word").err


def test_search_finds_sources_and_formal_parts(call: Call) -> None:
    assert "take.frozen.natural-pair" in call("rules", "s000.092").out
    assert "take.one-card" in call("rules", "one_card_for_one").out


def test_the_name_of_a_subcommand_may_come_after_options(call: Call) -> None:
    assert call("rules", "--json", "coverage").json["schema"] == "canasta-coverage/1"
    assert call("rules", "--kind", "ending", "--rules", "classic").out.startswith("match.")


def test_coverage_counts_every_sentence_once(call: Call) -> None:
    data = call("rules", "coverage", "--json").json
    assert data["sentences"] == len(read_register().sentences)
    assert data["claimed"] + data["not_rules"] + data["open"] == data["sentences"]
    for key in ("sentences", "claimed", "not_rules", "open"):
        assert sum(row[key] for row in data["seeds"]) == data[key]
    told = call("rules", "coverage", "--open").out
    assert all(id_ in told for id_ in data["open_sentences"])


def test_a_shipped_rule_set_has_no_faults(call: Call) -> None:
    answer = call("rules", "check", "classic")
    assert answer.code == 0, answer.out
    assert call("rules", "check", "clasic").code == 2


def test_a_house_rule_is_signed_and_then_checked(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    path.chmod(0o640)
    assert call("rules", "check", "--no-examples", str(path)).code == 1
    assert call("rules", "sign", "--check", str(path)).code == 1
    assert path.read_text(encoding="utf-8") == HOUSE
    assert call("rules", "sign", str(path)).code == 0
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ours.yaml"]
    assert call("rules", "sign", "--check", str(path)).code == 0
    answer = call("rules", "check", "--no-examples", str(path))
    assert answer.code == 0, answer.out
    assert call("check", "--json", str(path)).json["checked"][0]["kind"] == "rule file"


def test_a_wrong_rule_file_is_told_at_its_line(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("ruleset: x\ntitle: X\nextends: clasic\n", encoding="utf-8")
    for command in (("check",), ("rules", "check")):
        answer = call(*command, "--json", str(path))
        assert answer.code in (1, 2)
        assert [(f["id"], f["line"]) for f in answer.json["findings"]] == [("RS2001", 3)]


def test_signing_what_extends_nothing_is_refused(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "alone.yaml"
    path.write_text("ruleset: x\ntitle: X\n", encoding="utf-8")
    answer = call("rules", "sign", str(path))
    assert answer.code == 1
    assert "RS2033" in answer.err


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("cn0042", "diagnostic"),
        ("take.one-card", "clause"),
        ("ONE_CARD_FOR_ONE", "clause that gives the code ONE_CARD_FOR_ONE"),
        ("k26-black-three-freezes", "ruling"),
        ("K26", "ruling"),
        ("C56", "ruling"),
        ("one_card_for_one", "option"),
        ("hand_size", "parameter"),
        ("hoyle", "profile"),
        ("pile", "zone"),
        ("opened", "state variable"),
        ("discard", "act"),
        ("pagat", "source"),
        ("s000.092", "sentence of a seed text"),
    ],
)
def test_whatever_has_a_name_is_explained(call: Call, name: str, kind: str) -> None:
    found = call("explain", "--json", name).json["meanings"]
    assert kind in [m["kind"] for m in found]
    assert all(m["title"] for m in found)
    assert call("explain", name).out.count("\n") >= 2


def test_a_mistyped_name_is_guessed(call: Call) -> None:
    answer = call("explain", "one_card_for_on")
    assert answer.code == 2
    assert "did you mean" in answer.err
    assert "one_card_for_one" in answer.err


def test_a_name_of_another_shipped_rule_set_is_explained_with_that_rule_set(call: Call) -> None:
    for name, where in (
        ("SAMBA_CLOSED", "samba"),
        ("prize.first-canasta", "bolivia/handbook"),
        ("TOO_MUCH_DEADWOOD", "gin"),
    ):
        answer = call("explain", name)
        assert answer.code == 0
        assert f"rule set: {where}" in answer.out.replace("  ", " ") or where in answer.out


def test_a_code_of_any_rule_set_is_guessed_at_where_none_was_named(call: Call) -> None:
    answer = call("explain", "PAIR_NEDED")
    assert "did you mean PAIR_NEEDED" in answer.err
