"""`canasta conformance fuzz` on engines that cannot be asked what a deal needs: nothing was judged, and that is no success."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.beginning import begin
from canasta_tools.conformance.fuzzing import code, told

Call = Callable[..., Any]


def test_an_engine_that_lacks_what_every_deal_needs_is_not_judged(call: Call, tmp_path: Path) -> None:
    begin("python", tmp_path / "mine", worked=True)
    address = f"exec:{sys.executable} {tmp_path / 'mine' / 'mended.py'}"
    words = ["--rules", "classic", "--examples", "1", "--jobs", "1", "-o", str(tmp_path / "fuzz")]
    answer = call("conformance", "fuzz", address, *words)
    assert answer.code == 1
    assert "classic: 5 deals, no turn" in answer.out
    assert "not asked: needs values.total." in answer.out
    assert "nothing was judged: a deal needs `turn`, and `start` (level 2) or `load`" in answer.out
    assert "codes met" not in answer.out
    assert "ends:" not in answer.out


LACKING = """
from canasta_conformance.inprocess.engine import ReferenceEngine

class Lacks(ReferenceEngine):
    def hello(self, **fields):
        told = super().hello(**fields)
        return told | {{"operations": [op for op in told["operations"] if op not in {lacks}]}}
"""


@pytest.mark.parametrize(
    ("name", "lacks", "told_"),
    [
        ("turns", ["turn"], "turns cannot be played"),
        ("positions", ["load", "start"], "it can neither be dealt to nor set up"),
    ],
)
def test_an_engine_without_the_operations_is_refused_at_once(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, lacks: list[str], told_: str
) -> None:
    (tmp_path / f"lacks_{name}.py").write_text(LACKING.format(lacks=lacks), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    answer = call("conformance", "fuzz", f"python:lacks_{name}:Lacks", "--examples", "1")
    assert (answer.code, "CF0022" in answer.err, told_ in answer.err) == (2, True, True)


def test_what_was_played_decides_the_exit_code() -> None:
    of: dict[str, Any] = {
        "deals": 1,
        "turns": {"none": 1},
        "unsure": 0,
        "codes": {},
        "ends": {},
        "relations": {},
        "unsupported": {},
    }
    plan = {"address": "x", "seed": 1}
    report: dict[str, Any] = {"engine": "x", "plan": plan, "rulesets": {"gin": of}, "stopped": {}, "findings": []}
    assert code(report) == 1
    played = {**report, "rulesets": {"gin": {**of, "turns": {"legal": 3, "none": 1}}}}
    assert code(played) == 0
    assert "nothing was judged" not in told(played, Path("fuzz"))
