"""`canasta conformance check` and `report` on what went wrong in a harness, and in the shape that was meant."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.places import folder
from canasta_conformance.suite import read_suite

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


RIGHT_FOR_ANOTHER_REASON = """
from canasta_conformance.inprocess.engine import ReferenceEngine

class Odd(ReferenceEngine):
    def meld_check(self, **fields):
        told = super().meld_check(**fields)
        return told if told["legal"] else {"legal": False, "codes": ["NOT_TODAY"]}
"""


@pytest.mark.parametrize("shape", ["text", "markdown", "github", "junit", "badge", "html"])
def test_a_strict_report_comes_to_what_a_strict_run_comes_to(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    (tmp_path / f"odd_{shape}.py").write_text(RIGHT_FOR_ANOTHER_REASON, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    words = ["conformance", "run", f"python:odd_{shape}:Odd", "classic/melds.*", "--level", "0", "-o", "run.jsonl"]
    assert [call(*words).code, call(*words, "--strict").code] == [0, 1]
    report = ["conformance", "report", "run.jsonl", "--format", shape]
    mild, strict = call(*report), call(*report, "--strict")
    assert [mild.code, strict.code] == [0, 1]
    if shape == "badge":
        assert ["brightgreen" in mild.out, "brightgreen" in strict.out] == [True, False]


def test_a_report_of_a_run_in_which_nothing_was_judged_is_no_success(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["from canasta_conformance.inprocess.engine import ReferenceEngine", "class Mute(ReferenceEngine):"]
    lines += [
        "    def hello(self, **fields):",
        "        return super().hello(**fields) | {'rulesets': [{'id': 'mine'}]}",
    ]
    (tmp_path / "mute.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert call("conformance", "run", "python:mute:Mute", "classic/melds.size", "-o", "run.jsonl").code == 1
    assert call("conformance", "report", "run.jsonl").code == 1


# ---- another suite ---------------------------------------------------------------------------------------------------


def changed_suite(tmp_path: Path) -> Path:
    """Copy the suite, and change what one case expects."""
    root = tmp_path / "suite"
    shutil.copytree(folder("suite"), root)
    path = root / "classic" / "equipment.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    case = next(c for c in told["cases"] if c["id"] == "classic/cards.values/one-of-each-rank")
    case["forms"][0]["exchange"][0]["expect"]["value"] = 1
    path.write_text(json.dumps(told), encoding="utf-8")
    return root


def test_a_changed_suite_bears_another_digest_and_that_is_said(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, official = changed_suite(tmp_path), read_suite().digest
    monkeypatch.chdir(tmp_path)
    call("conformance", "run", "reference", "classic/cards.values", "-o", "old.jsonl")
    answer = call("conformance", "run", "reference", "classic/cards.values", "--suite", str(root), "-o", "new.jsonl")
    assert (
        f"this is not suite {official}, but one classic/cards.values/one-of-each-rank not as its manifest says"
        in answer.err
    )
    claim = next(line for line in answer.out.splitlines() if line.startswith("claim: "))
    assert official not in claim
    told = call("conformance", "diff", "old.jsonl", "new.jsonl")
    assert told.out.startswith(f"the suite is not the same: {official} before, ")
    assert call("conformance", "diff", "old.jsonl", "new.jsonl", "--json").json["suites"][0] == official
    assert "the suite is" not in call("conformance", "diff", "old.jsonl", "old.jsonl").out


def test_the_suite_is_what_its_manifest_says() -> None:
    named = read_suite(folder("suite"))
    assert (named.digest, named.remark) == (read_suite().digest, "")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("manifest.json", None, "manifest.json cannot be read: No such file or directory"),
        ("manifest.json", "{}", "manifest.json is no manifest of a suite: 'files' is missing"),
        ("classic/melds.json", None, "melds.json cannot be read: No such file or directory"),
        ("classic/melds.json", "{\n oh", "melds.json is no JSON, from line 2 on"),
        ("classic/melds.json", '{"cases": [{"id": "classic/a/b"}]}', "melds.json is no file of cases: "),
        ("classic/rules.json", "[]", "rules.json is JSON, but no mapping"),
        ("aliases.json", "{}", "aliases.json is no list of former ids: 'aliases' is missing"),
    ],
)
def test_a_damaged_suite_is_told_with_the_file(
    call: Call, tmp_path: Path, name: str, text: str | None, told: str
) -> None:
    root = tmp_path / "suite"
    shutil.copytree(folder("suite"), root)
    if text is None:
        (root / name).unlink()
    else:
        (root / name).write_text(text, encoding="utf-8")
    answer = call("conformance", "list", "--suite", str(root))
    assert answer.code == 2
    assert "CF0007" in answer.err
    assert told in answer.err
    assert "Error" not in answer.err
