"""The suite as tests of another project: by the plugin of pytest, and by one call for engines in Python."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import canasta_conformance
from canasta_conformance.adapters import KnownBugError, UnsupportedError, answer
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.places import folder

WHICH = "classic/cards.values"


def session(tmp_path: Path, *words: str) -> tuple[int, str]:
    """Run pytest in a project of somebody else."""
    (tmp_path / "test_own.py").write_text("def test_of_its_own() -> None:\n    assert True\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - pytest itself
    return done.returncode, done.stdout + done.stderr


def test_without_the_option_nothing_changes(tmp_path: Path) -> None:
    code, told = session(tmp_path)
    assert code == 0
    assert "1 passed" in told


@pytest.mark.whole
def test_every_form_is_a_test(tmp_path: Path) -> None:
    code, told = session(tmp_path, "--canasta-engine", "reference", "--canasta-case", WHICH)
    assert code == 0, told
    assert "test_own.py::test_of_its_own" in told
    assert f"PASSED ::canasta::{WHICH}/one-of-each-rank[level 0]" in told.replace(".::", "::")


def test_a_departure_fails_and_tells_the_clause(tmp_path: Path) -> None:
    path = folder("engines") / "skeletons" / "python" / "harness.py"
    wrong = tmp_path / "harness.py"
    wrong.write_text(path.read_text(encoding="utf-8").replace('"Jk": 50', '"Jk": 20'), encoding="utf-8")
    command = f"{sys.executable} harness.py"
    code, told = session(tmp_path, "--canasta-engine", command, "--canasta-case", WHICH)
    assert code == 1, told
    assert "value: expected 175, found 145" in told
    assert "clause: cards.values: " in told
    assert "SKIPPED" in told
    again = f"canasta conformance run 'exec:{command}' {WHICH}/one-of-each-rank"
    assert f"again: {again}" in told
    assert f"pytest --canasta-engine 'exec:{command}' --canasta-case {WHICH}/one-of-each-rank" in told
    (tmp_path / "known.txt").write_text(f"{WHICH}/*@0  fail  # jokers count 20 here\n", encoding="utf-8")
    code, told = session(
        tmp_path, "--canasta-engine", command, "--canasta-case", WHICH, "--canasta-expect", "known.txt"
    )
    assert "xfailed" in told
    assert ("it is listed as fail" in told) == (code == 1)


def test_what_is_no_address_is_a_wrong_call(tmp_path: Path) -> None:
    code, told = session(tmp_path, "--canasta-engine", "python:nowhere")
    assert code == 4, told
    assert "is no address of an engine" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--canasta-engine", "./nowhere"],
            "CF0025 the engine could not be started: no-start: there is no program ./nowhere",
        ),
        pytest.param(
            ["--canasta-engine", f"{sys.executable} -c pass"],
            "CF0025 the engine could not be started: no-start: it ended instead",
            marks=pytest.mark.whole,
        ),
        pytest.param(
            ["--canasta-engine", "reference", "--canasta-case", "classic/nothing"],
            "CF0003 no case of the suite fits",
            marks=pytest.mark.whole,
        ),
        pytest.param(
            ["--canasta-engine", "reference", "--canasta-expect", "nowhere.txt"],
            "CF0004 nowhere.txt: No such file",
            marks=pytest.mark.whole,
        ),
    ],
)
def test_what_stops_a_session_is_told_once_and_no_test_is_run(tmp_path: Path, words: list[str], told: str) -> None:
    code, text = session(tmp_path, *words)
    assert code == 4, text
    assert text.count(told) == 1
    assert "hint: " in text
    assert "passed" not in text
    assert "failed" not in text


# ---- in Python -------------------------------------------------------------------------------------------------------


def test_an_adapter_that_is_right_passes() -> None:
    report = canasta_conformance.run_conformance_test(ReferenceEngine, cases=["classic/melds.*"])
    assert set(report.counts) == {"pass"}
    assert canasta_conformance.run_conformance_test(ReferenceEngine(), cases=[WHICH], levels=(0,)).counts["pass"] >= 3


def test_a_single_pattern_or_level_stands_by_itself() -> None:
    report = canasta_conformance.run_conformance_test(ReferenceEngine, cases=WHICH, levels=0)
    assert {(r["case"].startswith(f"{WHICH}/"), r["level"]) for r in report.results} == {(True, 0)}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"cases": ["nonsense"]}, "CF0003: no case of the suite fits nonsense"),
        ({"cases": "classic/meld.size"}, r"did you mean classic/melds\.size\?"),
        ({"cases": WHICH, "levels": 7}, f"no case of the suite fits {WHICH}, level 7"),
        ({"levels": []}, "no case of the suite fits no pattern at no level"),
    ],
)
def test_what_fits_no_case_does_not_pass(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        canasta_conformance.run_conformance_test(ReferenceEngine, **asked)


def test_an_adapter_of_which_nothing_was_judged_does_not_pass() -> None:
    class Silent(ReferenceEngine):
        def card_value(self, **_: object) -> dict[str, object]:  # type: ignore[override]  # any fields
            raise UnsupportedError("card_value")

    with pytest.raises(AssertionError, match="CF0003: nothing was judged"):
        canasta_conformance.run_conformance_test(Silent, cases=WHICH, levels=0)


def test_an_adapter_that_is_wrong_fails_with_the_whole_report() -> None:
    class Wrong(ReferenceEngine):
        def card_value(self, **_: object) -> dict[str, object]:  # type: ignore[override]  # any fields
            return {"value": 0}

    with pytest.raises(AssertionError, match="value: expected 175, found 0"):
        canasta_conformance.run_conformance_test(Wrong, cases=[WHICH])


TIMERS = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")


@TIMERS
def test_an_adapter_that_loops_is_stopped_and_fails_with_the_report() -> None:
    class Loops(ReferenceEngine):
        def card_value(self, **_: object) -> dict[str, object]:  # type: ignore[override]  # any fields
            while True:
                pass

    with pytest.raises(AssertionError, match=r"timeout: no answer to card_value within 0\.2 s"):
        canasta_conformance.run_conformance_test(Loops, cases=WHICH, levels=0, timeout=0.2)


@TIMERS
def test_without_a_limit_an_answer_may_take_its_time() -> None:
    asked: list[float] = []

    class Looks(ReferenceEngine):
        def card_value(
            self, ruleset: str, cards: Sequence[str], options: Mapping[str, str] | None = None
        ) -> dict[str, object]:
            asked.append(signal.getitimer(signal.ITIMER_REAL)[0])
            return super().card_value(ruleset, cards, options)

    canasta_conformance.run_conformance_test(Looks, cases=WHICH, levels=0, timeout=None)
    assert set(asked) == {0.0}
    canasta_conformance.run_conformance_test(Looks, cases=WHICH, levels=0)
    assert asked[-1] > 0


def test_what_an_adapter_raises_becomes_an_answer() -> None:
    class Odd:
        def load(self, **_: object) -> None:
            raise UnsupportedError("values.fined")

        def turn(self, **_: object) -> None:
            raise KnownBugError("https://example.org/7")

        def ledger(self) -> int:
            return 1 // 0

        def observe(self) -> int:
            return 7

    assert answer(Odd(), {"seq": 1, "op": "load"}) == {"seq": 1, "unsupported": True, "needs": "values.fined"}
    assert answer(Odd(), {"seq": 2, "op": "turn"}) == {"seq": 2, "known_bug": True, "url": "https://example.org/7"}
    assert answer(Odd(), {"seq": 3, "op": "ledger"})["text"].startswith("ZeroDivisionError")
    assert "gave int" in answer(Odd(), {"seq": 7, "op": "observe"})["text"]
    assert answer(Odd(), {"seq": 4, "op": "legal"}) == {"seq": 4, "unsupported": True, "needs": "legal"}
    assert answer(Odd(), {"seq": 5, "op": "__init__"})["unsupported"]
    assert answer(Odd(), {"seq": 6, "op": "reset"}) == {"seq": 6}


def test_what_is_no_json_is_no_answer() -> None:
    class Odd(ReferenceEngine):
        def card_value(self, **_: object) -> dict[str, object]:  # type: ignore[override]  # any fields
            return {"value": {1, 2}}

    with pytest.raises(AssertionError, match="bad-reply: answer to card_value is no JSON"):
        canasta_conformance.run_conformance_test(Odd, cases=[WHICH], levels=(0,))
