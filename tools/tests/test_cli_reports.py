"""`canasta conformance check` and `report` on what went wrong in a harness, and in the shape that was meant."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.mark.parametrize("raises", ["load", "turn"])
def test_an_exception_of_the_harness_is_no_departure_of_the_engine(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raises: str
) -> None:
    lines = ["from canasta_conformance.inprocess.engine import ReferenceEngine", "class Mine(ReferenceEngine):"]
    lines += [f"    def {raises}(self, **_):", "        return {}['nobody']"]
    (tmp_path / f"raises_{raises}.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    answer = call("conformance", "check", f"python:raises_{raises}:Mine")
    assert answer.code == 3
    assert f"{raises} ended in an error: KeyError: 'nobody' (raises_{raises}.py:4)" in answer.out
    assert "your engine is wrong" not in answer.out
    assert "the harness is broken" in answer.err


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["-o", "page.html"], "<!"),
        (["-o", "page.md"], "#"),
        (["-o", "page.xml"], "<?xml"),
        (["-o", "page.html", "--format", "md"], "#"),
    ],
)
def test_a_report_is_written_as_its_file_ends(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], begins: str
) -> None:
    monkeypatch.chdir(tmp_path)
    call("conformance", "run", "reference", "classic/melds.size", "-o", "run.jsonl")
    assert call("conformance", "report", "run.jsonl", *words).code == 0
    assert Path(words[1]).read_text(encoding="utf-8").startswith(begins)
