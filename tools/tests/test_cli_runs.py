"""`canasta conformance run`, `record` and `report`: what is chosen, what is told, and what is told who wants something else."""

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.places import folder
from canasta_conformance.suite import read_suite

Call = Callable[..., Any]


# ---- which cases -----------------------------------------------------------------------------------------------------


def test_cases_are_chosen_by_the_rule_set_that_they_are_about_and_no_other(call: Call) -> None:
    asked = call("conformance", "list", "--rules", "classic/two", "--rules", "gin").out.splitlines()
    assert {line.split()[1].rpartition("/")[0].rpartition("/")[0] for line in asked} == {"classic/two", "gin"}
    lines = call(
        "conformance", "run", "reference", "--rules", "gin", "--clause", "turn.draw", "--json"
    ).out.splitlines()
    results = [told for told in map(json.loads, lines) if told["type"] == "result"]
    assert results
    assert {told["ruleset"] for told in results} == {"gin"}


@pytest.mark.parametrize(
    ("name", "hint"), [("Canasta", "the suite knows "), ("Clasic", "did you mean --rules classic?")]
)
def test_a_rule_set_that_there_is_not_is_told(call: Call, name: str, hint: str) -> None:
    answer = call("conformance", "run", "reference", "--rules", name)
    assert answer.code == 2
    assert f"CF0003 no case of the suite fits rule set {name}" in answer.err
    assert hint in answer.err


# ---- what else was wanted --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["html", "markdown", "junit", "badge"])
def test_who_wants_a_page_of_a_run_is_told_how_to_come_by_it(call: Call, shape: str) -> None:
    answer = call("conformance", "run", "reference", "--format", shape)
    assert answer.code == 2
    assert f"US0004 '--format': {shape} is written from a run" in answer.err
    assert f"then `canasta conformance report run.jsonl --format {shape}`" in answer.err
    assert "is not one of" in call("conformance", "run", "reference", "--format", "pdf").err


def test_a_recording_is_no_run_and_is_called_what_it_is(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    assert call("conformance", "record", "reference", "classic/melds.size", "-o", str(path)).code == 0
    answer = call("conformance", "report", str(path))
    assert answer.code == 2
    assert "CF0002 this is a recording, as `canasta conformance record` writes it, and no run" in answer.err


# ---- engines that go wrong -------------------------------------------------------------------------------------------

HANGING = """
from canasta_conformance.inprocess.engine import ReferenceEngine

class Hangs(ReferenceEngine):
    def meld_check(self, **_):
        while True:
            try:
                {wait}
            except Exception:
                pass
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.parametrize(("name", "wait"), [("sleeps", "__import__('time').sleep(600)"), ("turns", "pass")])
def test_an_adapter_that_hangs_is_ended(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, wait: str
) -> None:
    (tmp_path / f"hanging_{name}.py").write_text(HANGING.format(wait=wait), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = signal.getsignal(signal.SIGALRM)
    answer = call(
        "conformance", "run", f"python:hanging_{name}:Hangs", "classic/melds.size", "--level", "0", "--timeout", "0.2"
    )
    assert answer.code == 3
    assert "timeout: no answer to meld_check within 0.2 s" in answer.out
    assert signal.getsignal(signal.SIGALRM) is before


def test_it_is_said_what_a_crash_costs_of_the_restarts(call: Call) -> None:
    path = folder("engines") / "miniatures" / "unreliable.py"
    address = f"exec:{sys.executable} {path} exits-after-hello"
    told = call("conformance", "run", address, "classic/cards.values", "--restarts", "1").out
    assert "1 restart is spent; a case that fails again alone costs two" in told


# ---- what the suite says of itself -----------------------------------------------------------------------------------


def test_the_page_of_the_suite_shows_a_form_that_is_in_it() -> None:
    page = (folder("suite") / "README.md").read_text(encoding="utf-8")
    shown = json.loads(page.partition("```json\n")[2].partition("```")[0])
    case = read_suite().cases["classic/turn.discard/on-top-of-the-pile"]
    assert shown in case.data["forms"]
    assert {key for part in shown["exchange"] for key in part} == {"send", "expect", "leads"}
