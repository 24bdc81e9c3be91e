"""A run shared among processes comes to what one process comes to, and costs no form its verdict."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from canasta_conformance import sharing
from canasta_conformance.connecting import Engine, opener
from canasta_conformance.declared import DeclarationError
from canasta_conformance.places import folder
from canasta_conformance.running import Run, Settings
from canasta_conformance.sharing import PORTION, SharedRun, portions
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import Suite, read_suite

UNRELIABLE = folder("engines") / "miniatures" / "unreliable.py"

GREETING = """\
import json, os, sys, time
hello = json.loads(sys.stdin.readline())
told = {"seq": hello["seq"], "protocol": 1, "engine": {"name": "x", "version": "1", "language": "x"}, "levels": [0]}
told |= {"rulesets": [{"id": "classic"}], "operations": ["hello", "card_value", "reset", "bye"]}
print(json.dumps(told), flush=True)
"""
"""The beginning of a program that says who it is, and then goes wrong."""

Alive = Callable[[int], bool]


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide the few forms of the small suite all the same."""
    monkeypatch.setattr(sharing, "PORTION", 1)


def shared(suite: Suite, address: str, settings: Settings | None = None, jobs: int = 2) -> Report:
    engine = Engine(opener(address), suite.digest, 3.0, 0.7)
    run = SharedRun(Run(engine, address, suite, suite.chosen(), settings or Settings()), jobs)
    try:
        return collect(run.records())
    finally:
        run.kill()


def engine(way: str) -> str:
    return f"exec:{sys.executable} {UNRELIABLE} {way}"


@pytest.mark.parametrize("way", ["right", "crash", "hang", "noise", "wrong-seq"])
def test_all_is_as_one_process_finds_it(small_suite: Suite, way: str) -> None:
    opened = Engine(opener(engine(way)), small_suite.digest, 3.0, 0.7)
    alone = Run(opened, engine(way), small_suite, small_suite.chosen(), Settings())
    one, two = collect(alone.records()), shared(small_suite, engine(way))
    assert {r["case"]: r["status"] for r in two.results} == {r["case"]: r["status"] for r in one.results}
    assert two.head == one.head
    assert two.end == one.end


def test_each_form_is_in_one_portion_and_a_portion_is_of_one_choice_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "PORTION", PORTION)
    suite = read_suite()
    run = Run(Engine(opener("reference"), suite.digest), "reference", suite, suite.chosen(), Settings())
    divided = portions(run.items, 0)
    assert sorted(item.id for portion in divided for item in portion) == sorted(item.id for item in run.items)
    assert all(len({(i.case.ruleset, *sorted(i.case.options.items())) for i in portion}) == 1 for portion in divided)
    assert max(map(len, divided)) == PORTION
    assert portions(run.items, 0) == divided
    assert portions(run.items, 1) != divided


def test_restarts_are_counted_together(small_suite: Suite, tmp_path: Path) -> None:
    """An engine that crashes at each question spends the budget of the whole run, not one for each process."""
    program = tmp_path / "crashing.py"
    program.write_text(
        GREETING + f"open({str(tmp_path / 'asked')!r}, 'a').write('.')\nsys.stdin.readline()\n",
        encoding="utf-8",
    )
    report = shared(small_suite, f"exec:{sys.executable} {program}", Settings(restarts=3))
    assert report.counts["not-run"]
    assert not report.end["complete"]
    assert "3 restarts are spent" in report.end["stopped"]
    # Both processes may be in the middle of a form when the budget is spent, and each form costs two.
    assert len((tmp_path / "asked").read_text(encoding="utf-8")) <= 2 + 3 + 4


def test_what_does_not_start_is_told_once_for_every_form(small_suite: Suite) -> None:
    report = shared(small_suite, "exec:/no/such/program")
    assert report.counts == {"no-start": len(small_suite.cases)}
    assert "no-start" in report.end["stopped"]


def test_a_wrong_declaration_ends_the_run(small_suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "declaring.py").write_text(
        "class Engine:\n"
        "    def hello(self, **_):\n"
        "        return {'protocol': 1, 'engine': {'name': 'x', 'version': '1', 'language': 'Python'},\n"
        "            'rulesets': [{'id': 'classic', 'options': {'nonsense': 'yes'}}], 'levels': [0],\n"
        "            'operations': ['hello', 'card_value', 'reset', 'bye']}\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(DeclarationError, match="nonsense"):
        shared(small_suite, "python:declaring:Engine")


def test_an_adapter_that_ends_its_process_loses_no_form(
    small_suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ending.py").write_text(
        "import os\n"
        "class Engine:\n"
        "    def hello(self, **_):\n"
        "        return {'protocol': 1, 'engine': {'name': 'x', 'version': '1', 'language': 'Python'},\n"
        "            'rulesets': [{'id': 'classic'}], 'levels': [0], 'operations': ['hello', 'card_value', 'reset', 'bye']}\n"
        "    def card_value(self, **_):\n"
        "        os._exit(3)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    report = shared(small_suite, "python:ending:Engine")
    assert report.counts == {"not-run": len(small_suite.cases)}
    assert "has ended" in report.end["stopped"]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_broken_off_it_leaves_no_engine_running(tmp_path: Path, alive: Alive) -> None:
    program = tmp_path / "hanging.py"
    program.write_text(
        GREETING + f"open({str(tmp_path)!r} + f'/asked.{{os.getpid()}}', 'w').close()\ntime.sleep(3600)\n",
        encoding="utf-8",
    )
    command = [
        *(str(Path(sys.executable).parent / "canasta"), "conformance", "run", f"exec:{sys.executable} {program}"),
        *("classic/cards.values/*", "--jobs", "2", "--timeout", "600"),
    ]
    # In the background of a shell the signal would be ignored, and by whoever is begun here, too.
    child = subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))  # noqa: S603, PLW1509 - the program is ours, and no other thread is under way in the child
    until = time.monotonic() + 20
    while not (engines := list(tmp_path.glob("asked.*"))) and time.monotonic() < until:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.wait(30) != 0
    assert engines
    assert not any(alive(int(path.suffix[1:])) for path in tmp_path.glob("asked.*"))
