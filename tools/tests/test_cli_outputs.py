"""What a call writes never takes the place of what it reads, nor of a better run; the file of a run is whole or says that it is not."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.running import Run
from canasta_tools.conformance import judging

Call = Callable[..., Any]

WHICH = "classic/cards.values"

NOISE = "import sys\nfor line in sys.stdin:\n    print('hello', flush=True)\n"


@pytest.fixture
def run(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Keep the stream of a good run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noise.py").write_text(NOISE, encoding="utf-8")
    (tmp_path / "known.txt").write_text("# nothing\n", encoding="utf-8")
    assert call("conformance", "run", "reference", WHICH, "-o", "run.jsonl").code == 0
    return (tmp_path / "run.jsonl").read_text(encoding="utf-8")


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "words",
    [
        ["conformance", "report", "run.jsonl", "-o", "run.jsonl"],
        ["conformance", "report", "./run.jsonl", "-o", "linked.jsonl", "--format", "html"],
        ["conformance", "run", "reference", WHICH, "--expect", "known.txt", "-o", "known.txt"],
        ["conformance", "run", "exec:python3 noise.py", WHICH, "-o", "noise.py"],
        ["conformance", "run", "python:noise:Engine", WHICH, "-o", "noise.py"],
        ["conformance", "run", "reference", WHICH, "--suite", ".", "-o", "run.jsonl"],
        ["conformance", "record", "exec:python3 noise.py", WHICH, "-o", "noise.py"],
        ["conformance", "pack", "--suite", ".", "-o", "run.jsonl"],
        ["conformance", "power", "gin", "--suite", ".", "--core", "run.jsonl"],
        ["rulebook", "known.txt", "-o", "known.txt", "--format", "md"],
    ],
)
def test_what_is_read_is_not_written_over(call: Call, tmp_path: Path, words: list[str]) -> None:
    os.link("run.jsonl", "linked.jsonl")
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    answer = call(*words)
    assert answer.code == 2
    assert "US0017" in answer.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_an_engine_that_does_not_start_leaves_the_run_before_it(call: Call, tmp_path: Path, run: str) -> None:
    answer = call("conformance", "run", "exec:python3 noise.py", WHICH, "-o", "run.jsonl")
    assert answer.code == 3
    assert "run.jsonl is as it was" in answer.err
    assert (tmp_path / "run.jsonl").read_text(encoding="utf-8") == run
    assert call("conformance", "run", "exec:python3 noise.py", WHICH, "-o", "new.jsonl").code == 3
    assert '"no-start"' in (tmp_path / "new.jsonl").read_text(encoding="utf-8")


def test_a_wrong_declaration_leaves_no_file(call: Call, tmp_path: Path, run: str) -> None:
    text = 'class Odd:\n    def hello(self, **_):\n        return {"protocol": 1, "levels": [0], "operations": ["hello"],\n'
    text += '            "engine": {"name": "x", "version": "1", "language": "Python"},\n'
    text += '            "rulesets": [{"id": "classic", "profile": "nowhere"}]}\n'
    (tmp_path / "odd_profile.py").write_text(text, encoding="utf-8")
    for name in ("run.jsonl", "new.jsonl"):
        assert "CF0005" in call("conformance", "run", "python:odd_profile:Odd", WHICH, "-o", name).err
    assert (tmp_path / "run.jsonl").read_text(encoding="utf-8") == run
    assert not (tmp_path / "new.jsonl").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


class BrokenOff(Run):
    """A run that is broken off at its third form."""

    def _result(self, item: Any) -> dict[str, Any]:  # noqa: ANN401 - a form
        if item is self.items[2]:
            raise KeyboardInterrupt
        return super()._result(item)

    def _shuffled(self, items: Any, again: int) -> list[Any]:  # noqa: ANN401, ARG002 - forms
        return list(items)


def test_what_was_broken_off_says_so_and_stands_beside_a_whole_run(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: str
) -> None:
    monkeypatch.setattr(judging, "Run", BrokenOff)
    forms = run.count('"type": "result"')
    answer = call("conformance", "run", "reference", WHICH, "-o", "new.jsonl")
    assert (answer.code, f"when 2 of {forms} forms had been asked; they stand in new.jsonl" in answer.err) == (
        130,
        True,
    )
    answer = call("conformance", "run", "reference", WHICH, "-o", "run.jsonl")
    assert "they stand in run.broken-off.jsonl, and run.jsonl is as it was" in answer.err
    assert (tmp_path / "run.jsonl").read_text(encoding="utf-8") == run
    for name in ("new.jsonl", "run.broken-off.jsonl"):
        told = call("conformance", "report", name)
        assert told.code == 3
        assert "the run was stopped: it was broken off by whoever ran it" in told.out
        records = [json.loads(line) for line in (tmp_path / name).read_text(encoding="utf-8").splitlines()]
        assert records[-1]["counts"] == {"not-run": forms - 2, "pass": 2}


def test_what_is_no_file_is_written_to_and_not_replaced(call: Call) -> None:
    assert call("conformance", "run", "reference", WHICH, "-o", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.usefixtures("run")
def test_a_list_is_not_brought_up_to_date_by_a_run_that_was_stopped(call: Call, tmp_path: Path) -> None:
    answer = call("conformance", "run", f"exec:{tmp_path}/nowhere", "--expect", "known.txt", "--fix")
    assert answer.code == 3
    assert "the engine could not be started: there is no program" in answer.out
    assert "known.txt is as it was: not everything could be asked" in answer.err
    assert (tmp_path / "known.txt").read_text(encoding="utf-8") == "# nothing\n"
