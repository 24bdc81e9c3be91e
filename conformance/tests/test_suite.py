"""The suite as it is generated: every case has the published shape, a permanent name, and holds for the reference.

A case is replayed from its data, not from its texts, so that both are known to say the same.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from canasta.diagnostics import CanastaError
from canasta.games import load_ruleset, open_game
from canasta.language.ruleset import Example
from canasta.notation.json_form import SCHEMA, from_json
from canasta.notation.position_text import Field, Position, Value, write_position
from canasta.notation.record import COMPASS, Turn
from canasta.notation.turns import parse_turn
from canasta.notation.writer import write as write_record
from canasta.playing.examples import Trial, codes_of, with_options
from canasta.rooms import room
from canasta_conformance.defaults import completed
from canasta_conformance.generator import cases, digest, suite_files, write

Case = dict[str, Any]

LETTERS = "ABCDEF"
"""Seats of a table for more than four."""


@cache
def files() -> dict[str, Case]:
    """Read the suite as it is committed; that it is what is generated, `make check` sees, and one test below for one rule set."""
    folder = Path(str(room("conformance"))) / "suite"
    paths = sorted(p for p in folder.rglob("*.json"))
    return {p.relative_to(folder).as_posix(): json.loads(p.read_text(encoding="utf-8")) for p in paths}


GENERAL = ("count", "observation", "deal", "notation")
"""Kinds of case that are no example: they are asked of the reference by their forms alone."""


def everything() -> Iterator[Case]:
    for file in files().values():
        if "chapter" in file:
            yield from (completed(case, file["ruleset"]) for case in file["cases"])


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((room("conformance") / "protocol" / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(inlined(schema, schema))


def inlined(part: Any, schema: Case) -> Any:  # noqa: ANN401 - JSON
    """Put parts in the place of references to them: looking references up costs most of the time of a check."""
    if isinstance(part, list):
        return [inlined(item, schema) for item in part]
    if not isinstance(part, dict):
        return part
    own = {key: inlined(value, schema) for key, value in part.items() if key not in ("$ref", "$defs")}
    if "$ref" not in part:
        return own
    found: Any = schema
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return {**inlined(found, schema), **own}


SOON = ("classic/two/", "gin/", "manifest.json")
"""The files whose shape is seen to in each run; `make deep` sees to all."""


@pytest.mark.parametrize("among", [SOON, pytest.param(("",), marks=pytest.mark.deep)], ids=["some", "all"])
def test_every_file_has_the_published_shape(among: tuple[str, ...]) -> None:
    shapes = {name: validator(name) for name in ("case", "manifest", "rules", "aliases", "comparators")}
    found = {path: file for path, file in files().items() if path.startswith(among)}
    assert len(found) > len(among) or among == ("",)
    for path, file in found.items():
        shape = shapes.get(Path(path).stem, shapes["case"])
        assert [f"{path} {e.json_path}: {e.message}" for e in shape.iter_errors(file)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "guess"},
        {"level": "may"},
        {"formal": "xyz"},
        {"asserts": []},
        {"steps": [{"expect": {}}]},
        {"steps": [{"expect": {"verdict": "illegal"}}]},
        {"steps": [{"expect": {"verdict": "legal", "codes": ["X"]}}]},
        {"given": {"text": "N at start"}},
        {"surprise": 1},
    ],
)
def test_the_shape_refuses_what_is_no_case(change: Case) -> None:
    path = "classic/discard-pile.json"
    first = files()[path]["cases"][0]
    assert list(validator("case").iter_errors(files()[path] | {"cases": [first]})) == []
    assert list(validator("case").iter_errors(files()[path] | {"cases": [first | change]}))


def test_names_are_unique_and_the_manifest_lists_each_case_once() -> None:
    told = [(c["id"], digest(c)) for file in files().values() if "chapter" in file for c in file["cases"]]
    assert len({id_ for id_, _ in told}) == len(told)
    listed = files()["manifest.json"]["cases"]
    assert sorted(told) == sorted((line["id"], line["digest"]) for line in listed)
    asked = [{k: v for k, v in line.items() if k not in ("tier", "forms")} for line in listed]
    assert files()["manifest.json"]["digest"] == digest(asked), "which cases are the core has no part in it"
    assert files()["manifest.json"]["files"] == list(dict.fromkeys(files()["manifest.json"]["files"]))
    assert {path for path, file in files().items() if "chapter" in file} == set(files()["manifest.json"]["files"])


def test_every_example_of_a_rule_set_is_a_case() -> None:
    rules = load_ruleset("classic")
    wanted = [f"classic/{c.id}/{e.id}" for c in rules.clauses.values() for e in c.examples]
    made = [case["id"] for case, _ in cases("classic") if case["origin"]["from"] == "example"]
    assert made == wanted


def test_every_requirement_has_a_legal_and_an_illegal_case() -> None:
    verdicts: dict[str, set[str]] = {}
    for case in everything():
        for clause in case["asserts"]:
            verdicts.setdefault(clause, set()).update(s["expect"].get("verdict", "") for s in case["steps"])
    rules = load_ruleset("classic")
    kinds = {c.id for c in rules.clauses.values() if c.kind in ("requirement", "bound")}
    assert [c for c in sorted(kinds) if not {"legal", "illegal"} <= verdicts.get(c, set())] == []


def test_the_same_rules_give_the_same_bytes() -> None:
    files = suite_files(["classic/six/pairs"])  # the smallest; the others are made anew and compared by `make check`
    assert files == suite_files(["classic/six/pairs"])
    for text in files.values():
        assert text.isascii()
        assert write(json.loads(text)) == text


# ---- replay ----------------------------------------------------------------------------------------------------------


def position_of(data: Case) -> Position:
    """Make the position that the lists and values of a case describe."""
    fields = []
    for name, cards in data.get("zones", {}).items():
        runs = (
            ["".join(g) for g in cards]
            if cards and isinstance(cards[0], list)
            else [",".join(cards)]
            if cards
            else ["?0"]
        )
        fields.append(field(name, runs))
    for name, value in data.get("values", {}).items():
        words = {True: ["yes"], False: ["no"]}[value] if isinstance(value, bool) else [str(value)]
        if isinstance(value, list):
            words = value if name == "sides" else [",".join(value)]
        fields.append(field(name, words))
    return Position(data.get("seat", ""), data.get("phase", ""), tuple(fields))


def field(name: str, texts: list[str]) -> Field:
    place, _, owner = name.partition(".")
    return Field(place, owner, tuple(Value(text) for text in texts))


def turn_of(data: Case) -> str:
    """Write the turn that the acts of a case describe."""
    line = {"line": "turn", "seat": data["seat"], "actions": data["acts"]}
    tags = [{"name": "Seats", "value": " ".join(LETTERS)}] if data["seat"] not in COMPASS else []
    record, found = from_json({"schema": SCHEMA, "tags": tags, "deals": [{"number": 1, "lines": [line]}]}, "case")
    assert record is not None, found
    (turn,) = record.deals[0].lines
    assert isinstance(turn, Turn)
    text = write_record(record).strip().splitlines()[-1].strip().partition(" ")[2].strip()
    assert parse_turn(text, "case")[0] == turn.actions
    return text


def expectation_of(expect: Case) -> object:
    """Say what a case expects as an example would say it."""
    told: Case = {}
    if expect.get("verdict") == "illegal":
        told["illegal"] = expect["codes"]
    if "after" in expect:
        told["after"] = write_position(position_of(expect["after"]))
    if "ledger" in expect:
        told["ledger"] = {item: str(points) for item, points in expect["ledger"].items()}
    if "value" in expect:
        told["value"] = (
            {True: "yes", False: "no"}[expect["value"]] if isinstance(expect["value"], bool) else str(expect["value"])
        )
    if "winner" in expect:
        told["winner"] = expect["winner"]
    return told or expect["verdict"]


def replay(case: Case) -> list[str]:
    """Carry a case out on the reference: what came out otherwise than expected."""
    name = with_options(case["ruleset"]["name"], case["ruleset"]["options"])
    rules = load_ruleset(name)
    (step,) = case["steps"]
    clause = rules.clauses[case["asserts"][0]]
    do = turn_of(step["turn"]) if "turn" in step else ""
    given = write_position(position_of(case["given"]))
    example = Example("replay", given, do, expectation_of(step["expect"]), clause.span, step.get("ask", ""))
    trial = Trial(open_game(name), example, codes_of(rules))
    try:
        trial.run()
    except CanastaError as error:
        return [f"{case['id']}: {d.id} {d.message}" for d in error.diagnostics]
    return [f"{case['id']}: {d.id} {d.message}" for d in trial.findings]


@pytest.mark.whole
def test_every_case_holds_for_the_reference() -> None:
    assert [found for case in everything() if case["kind"] not in GENERAL for found in replay(case)] == []


def test_a_case_that_expects_another_thing_does_not_hold() -> None:
    otherwise = {
        "classic/take.frozen.natural-pair/pair-in-hand": {"verdict": "illegal", "codes": ["FROZEN_NEEDS_PAIR"]},
        "classic/take.frozen.natural-pair/natural-and-wild": {"verdict": "legal"},
        "classic/opening.steps/c29-zero": {"value": 15},
        "classic/scoring.penalties/one-penalty": {"ledger": {"NS.penalties": 100}},
        "classic/turn.draw/top-card": {"verdict": "legal", "after": {"text": "", "zones": {"hand.N": ["4", "5", "9"]}}},
        "classic/match.winner/one-past-the-target": {"winner": "NS"},
    }
    found = {case["id"]: case for case in everything()}
    for id_, expect in otherwise.items():
        assert replay(found[id_]) == [], id_
        assert replay(found[id_] | {"steps": [found[id_]["steps"][0] | {"expect": expect}]}), id_


def test_a_fault_in_an_example_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "home.yaml"
    path.write_text(
        "ruleset: home\ntitle: At home\nextends: classic\nadd:\n  clauses:\n    - id: home.rule\n      kind: custom\n"
        "      title: A rule\n      text: A rule.\n      examples:\n"
        '        - {id: wrong-card, given: "N at play; hand.N 1", do: "-4", expect: legal}\n'
        '        - {id: wrong-turn, given: "N at play; hand.N 4", do: "-1", expect: legal}\n'
        '        - {id: right, given: "N at play; hand.N 4", do: "-4", expect: legal}\n',
        encoding="utf-8",
    )
    with pytest.raises(CanastaError) as caught:
        cases(str(path))
    assert [d.span.line for d in caught.value.diagnostics if d.span] == [11, 12]
