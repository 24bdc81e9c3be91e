"""An adapter in this process that would end it is told as a program that has ended, and ends nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

import canasta_conformance
from canasta_conformance.adapters import answer
from canasta_conformance.checking import Check, Finding
from canasta_conformance.connecting import Engine, InProcess, opener
from canasta_conformance.faults import AddressError, EngineFaultError, FaultKind
from canasta_conformance.grading import FINDINGS
from canasta_conformance.running import Run, Settings, exit_code
from canasta_conformance.sharing import SharedRun
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import Suite, read_suite

ADAPTER = """
import sys
class Engine:
    def hello(self, **_):
        return {{'protocol': 1, 'engine': {{'name': 'x', 'version': '1', 'language': 'Python'}},
            'rulesets': [{{'id': 'classic'}}], 'levels': [0], 'operations': ['hello', 'card_value', 'reset', 'bye']}}
    def card_value(self, cards, **_):
        return {{'value': sum({{'Jk': 50, '2': 20, 'A': 20, '4': 5}}.get(c if c == 'Jk' else c[0], 10) for c in cards)}}
    def {op}(self, **_):
        {how}
"""


def judged(suite: Suite, folder: Path, op: str, how: str, jobs: int = 1) -> Report:
    name = f"ending_{abs(hash((op, how, jobs)))}"
    (folder / f"{name}.py").write_text(ADAPTER.format(op=op, how=how), encoding="utf-8")
    address = f"python:{name}:Engine"
    run = Run(Engine(opener(address), suite.digest, 3.0, 0.7), address, suite, suite.chosen(), Settings())
    return collect((run if jobs == 1 else SharedRun(run, jobs)).records())


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("sys.exit(0)", "with exit code 0"),
        ("sys.exit()", "with exit code 0"),
        ("sys.exit(3)", "with exit code 3"),
        ("sys.exit('no such card')", "with exit code 1: no such card"),
        ("raise GeneratorExit", "by GeneratorExit"),
        ("import asyncio; raise asyncio.CancelledError", "by CancelledError"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_it_is_a_crash_and_the_run_goes_on(
    small_suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, told: str, jobs: int
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    report = judged(small_suite, tmp_path, "card_value", how, jobs)
    assert report.counts == {"crash": len(small_suite.cases)}
    assert {r["fault"]["text"] for r in report.results} == {f"it ended instead of answering card_value, {told}"}
    assert exit_code(report.counts, FINDINGS) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_at_its_farewell_it_costs_no_case_its_verdict_and_is_told(
    small_suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    report = judged(small_suite, tmp_path, "bye", "sys.exit(0)", jobs)
    assert report.counts == {"pass": len(small_suite.cases)}
    assert "crash: it ended instead of answering bye, with exit code 0" in report.unasked[0]
    assert exit_code(report.counts, FINDINGS, report.unasked) == 3


def test_the_check_sees_that_a_farewell_is_not_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "no_farewell.py").write_text(ADAPTER.format(op="bye", how="sys.exit(0)"), encoding="utf-8")
    suite = read_suite()
    *_, last = Check(Engine(opener("python:no_farewell:Engine"), suite.digest), suite).steps()
    assert (last.name, last.finding) == ("end and start again", Finding.HARNESS)
    assert "crash: it ended instead of answering bye" in last.told
    assert "answer bye by its seq alone" in last.hint


def test_when_it_is_made_it_did_not_start() -> None:
    def made() -> object:
        raise SystemExit(4)

    with pytest.raises(EngineFaultError, match="it ended when it was made, with exit code 4") as caught:
        InProcess(made)
    assert caught.value.kind is FaultKind.NO_START


def test_a_module_that_ends_when_it_is_imported_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ends_at_once.py").write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(AddressError, match="it ended, with exit code 0") as caught:
        opener("python:ends_at_once:Engine")
    assert "__main__" in caught.value.hint


class Raises:
    """An adapter that raises one thing at everything."""

    raised: BaseException = KeyboardInterrupt()

    def reset(self) -> None:
        raise self.raised


class TimeIsUp(BaseException):
    """The time of somebody else."""


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), TimeIsUp()])
def test_who_breaks_off_from_outside_still_does(raised: BaseException) -> None:
    adapter = Raises()
    adapter.raised = raised
    with pytest.raises(type(raised)):
        InProcess(lambda: adapter).ask({"op": "reset", "seq": 1}, 1.0)


def test_a_test_of_an_engine_fails_with_the_report() -> None:
    class Ends:
        def hello(self, **_: object) -> dict[str, object]:
            told = {"name": "x", "version": "1", "language": "Python"}
            operations = ["hello", "card_value", "reset", "bye"]
            return {
                "protocol": 1,
                "engine": told,
                "rulesets": [{"id": "classic"}],
                "levels": [0],
                "operations": operations,
            }

        def card_value(self, **_: object) -> None:
            raise SystemExit

    with pytest.raises(AssertionError, match="crash: it ended instead of answering card_value"):
        canasta_conformance.run_conformance_test(Ends, cases=["classic/cards.values"], levels=0)


class Mute(Exception):  # noqa: N818 - an engine of somebody
    """An exception that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError


class Looks:
    """An adapter that looks its methods up, and fails in doing so."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        raise KeyError(name)

    def turn(self, **_: object) -> None:
        raise Mute


def test_what_fails_on_the_way_to_an_answer_is_an_error_too() -> None:
    assert answer(Looks(), {"seq": 1, "op": "load"})["text"].startswith("KeyError")
    assert answer(Looks(), {"seq": 2, "op": "turn"})["text"].startswith("Mute: its text cannot be told")
