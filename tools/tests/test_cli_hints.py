"""What is told of an engine or a call that goes wrong says how it is meant, and nothing that does not help."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.places import folder
from canasta_tools.conformance.fuzzing import SHARD

Call = Callable[..., Any]

WHICH = "classic/cards.values"

ADAPTER = """
from canasta_conformance.inprocess.engine import ReferenceEngine

class Odd(ReferenceEngine):
    def hello(self, **fields):
        return super().hello(**fields) | {hello}

    def load(self, **fields):
        told = super().load(**fields)
        zones = told["observation"]["zones"]
        hands = {{zone: cards for zone, cards in zones.items() if zone.startswith("hand.")}}
        for zone, cards in hands.items():
            zones[zone] = [card.replace("T", {ten!r}) for card in cards]
        return told
"""


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    def made(hello: Any = None, ten: str = "T") -> str:  # noqa: ANN401 - what hello says besides
        name = f"odd_{abs(hash((request.node.name, ten)))}"
        (tmp_path / f"{name}.py").write_text(ADAPTER.format(hello=hello or {}, ten=ten), encoding="utf-8")
        return f"python:{name}:Odd"

    return made


def test_a_rule_set_that_is_nearly_one_of_the_suite_is_guessed_at(call: Call, odd: Callable[..., str]) -> None:
    address = odd({"rulesets": [{"id": "clasic"}]})
    meant = 'it plays "clasic", did you mean "classic"?'
    run = call("conformance", "run", address, WHICH)
    assert (run.code, f"nothing was judged: the engine can be asked none of this; {meant}" in run.err) == (1, True)
    check = call("conformance", "check", address)
    assert (check.code, meant in check.out) == (3, True)


@pytest.mark.parametrize("ten", ["10", "X"])
def test_the_check_sees_that_a_ten_is_written_otherwise(call: Call, odd: Callable[..., str], ten: str) -> None:
    answer = call("conformance", "check", odd(ten=ten))
    assert answer.code == 3
    (line,) = [line for line in answer.out.splitlines() if "set a position up" in line]
    assert f'"{ten}' in line
    assert "is no card" in line
    assert ('did you mean "T' in line) == (ten == "10")


def test_house_rules_are_read_in_the_step_in_which_they_are_declared(call: Call, odd: Callable[..., str]) -> None:
    rules = "ruleset: home\ntitle: At home\nextends: classic\nremove:\n  - clause: asking.answer\n    because: it is no fun\n"
    address = odd({"rulesets": [{"id": "classic", "house_rules": rules}]})
    check = call("conformance", "check", address)
    assert "declare rules: house_rules, line 5 (`- clause: asking.answer`): RS2030 " in check.out
    assert "ok                      declare rules" not in check.out
    assert "canasta rules sign FILE" in check.out
    run = call("conformance", "run", address, WHICH)
    assert (run.code, "canasta rules sign FILE" in run.err, "docs/reference/options.md" in run.err) == (2, True, False)


def test_a_recording_of_what_does_not_start_says_so_in_one_line(call: Call) -> None:
    answer = call("conformance", "record", f"exec:{sys.executable} -c 'import sys; sys.exit(\"one\\ntwo\")'", WHICH)
    assert "CF0025 the engine could not be started" in answer.err
    assert "it wrote: one / two" in answer.err
    assert "U+000A" not in answer.err


@pytest.mark.parametrize(
    ("option", "told"), [("--timeout", "from 0.01 to 600"), ("--start-timeout", "from 0.01 to 600")]
)
@pytest.mark.parametrize("value", ["abc", "0", "1000"])
def test_a_number_that_is_none_is_told_with_its_bounds(call: Call, option: str, told: str, value: str) -> None:
    answer = call("conformance", "run", "reference", WHICH, option, value)
    assert (answer.code, f"'{option}': it must be a number {told}" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "hint"), [("campaign.json", "name another folder with --output"), ("shards/00000000.json", "take ")]
)
def test_a_damaged_campaign_is_not_to_be_repeated(call: Call, tmp_path: Path, name: str, hint: str) -> None:
    words = ["conformance", "fuzz", "reference", "--rules", "gin", "--examples", str(SHARD), "--jobs", "1"]
    plan = {"address": "reference", "rulesets": ["gin"], "seed": 1, "examples": SHARD}
    (tmp_path / "shards").mkdir()
    if name != "campaign.json":
        from canasta_conformance.suite import read_suite  # noqa: PLC0415 - only for the digest

        told = {
            "format": 1,
            "suite": read_suite().digest,
            "plan": {**plan, "request_seconds": 5.0, "start_seconds": 10.0},
        }
        (tmp_path / "campaign.json").write_text(json.dumps(told), encoding="utf-8")
    (tmp_path / name).write_text("{", encoding="utf-8")
    answer = call(*words, "-o", str(tmp_path))
    assert (answer.code, "CF0021" in answer.err, "is damaged" in answer.err) == (2, True, True)
    assert f"hint: {hint}" in answer.err
    assert "repeat the command" not in answer.err


def test_an_entry_of_a_list_that_is_asked_as_a_case_is_guessed_at(call: Call) -> None:
    answer = call("conformance", "run", "reference", f"{WHICH}/one-of-each-rank@0")
    assert (answer.code, f"did you mean {WHICH}/one-of-each-rank?" in answer.err) == (2, True)


def test_a_number_that_is_written_as_a_text_is_told_so(call: Call, tmp_path: Path) -> None:
    text = (folder("engines") / "skeletons" / "python" / "harness.py").read_text(encoding="utf-8")
    assert '"seq": request["seq"]' in text
    path = tmp_path / "harness.py"
    path.write_text(text.replace('"seq": request["seq"]', '"seq": str(request["seq"])'), encoding="utf-8")
    answer = call("conformance", "check", f"exec:{sys.executable} {path}")
    assert 'wrong-seq: seq "1", which is no whole number, where 1 was asked' in answer.out


def test_the_front_page_says_about_how_many_cases_there_are() -> None:
    from canasta_conformance.suite import read_suite  # noqa: PLC0415 - only here

    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    about = f"{round(len(read_suite().cases), -2):,}"
    assert f"some {about} cases" in readme
