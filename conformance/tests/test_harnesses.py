"""Beginning a harness and checking it: what is written runs, and what is broken in it is told from what is wrong in its engine."""

import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from canasta_conformance.adapters import UnsupportedError
from canasta_conformance.beginning import begin, languages
from canasta_conformance.checking import Check, Finding, Step
from canasta_conformance.connecting import Engine, InProcess, Link, opener
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.places import folder
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite
from canasta_tools.conformance.harnesses import HELPING

Data = dict[str, Any]


def checked(open_link: Callable[[], Link]) -> list[Step]:
    engine = Engine(open_link, read_suite().digest, 5.0, 1.0)
    try:
        return list(Check(engine, read_suite()).steps())
    finally:
        engine.kill()


def findings(steps: Sequence[Step]) -> set[Finding]:
    return {step.finding for step in steps}


def program(command: str) -> Callable[[], Link]:
    return opener(f"exec:{command}")


def judged(command: str) -> Report:
    suite = read_suite()
    engine = Engine(program(command), suite.digest)
    try:
        return collect(Run(engine, command, suite, suite.chosen(["classic"]), Settings()).records())
    finally:
        engine.kill()


# ---- skeletons -------------------------------------------------------------------------------------------------------

RUNS = {"python": sys.executable, "javascript": "node"}


@pytest.mark.parametrize("language", RUNS)
def test_a_harness_that_was_begun_runs_and_has_its_first_verdict(language: str, tmp_path: Path) -> None:
    if shutil.which(RUNS[language]) is None:
        pytest.skip(f"{RUNS[language]} is not installed here")
    run = begin(language, tmp_path / "harness")
    command = f"{RUNS[language]} {tmp_path / 'harness' / shlex.split(run)[-1]}"
    assert findings(checked(program(command))) == {Finding.OK, Finding.SKIPPED}
    report = judged(command)
    assert set(report.counts) == {"pass", "unsupported"}
    assert report.counts["pass"] >= 3


def test_a_harness_in_python_serves_as_a_program_and_as_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin("python", tmp_path / "mine")
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.delitem(sys.modules, "harness", raising=False)
    as_class, as_program = (
        Check(Engine(opener(address), read_suite().digest), read_suite())
        for address in ("python:harness:Harness", f"exec:{sys.executable} harness.py")
    )
    assert [(s.name, s.finding, s.told) for s in as_class.steps()] == [
        (s.name, s.finding, s.told) for s in as_program.steps()
    ]
    monkeypatch.delitem(sys.modules, "harness")


@pytest.mark.parametrize("raised", ["Unsupported", "KnownBug"])
def test_what_a_harness_raises_of_its_own_means_the_same_either_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: str
) -> None:
    begin("python", tmp_path / "mine")
    path = tmp_path / "mine" / "harness.py"
    text = path.read_text(encoding="utf-8").replace(
        'return {"value"', f'raise {raised}("elsewhere")\n        return {{"value"'
    )
    path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.delitem(sys.modules, "harness", raising=False)
    replies = []
    for address in ("python:harness:Harness", f"exec:{sys.executable} harness.py"):
        engine = Engine(opener(address), "x")
        engine.greet()
        replies.append(engine.ask({"op": "card_value", "ruleset": "classic", "cards": ["Kd"]}))
        engine.kill()
    assert replies[0] == replies[1]
    assert "elsewhere" in replies[0].values()
    monkeypatch.delitem(sys.modules, "harness")


WORKED = {
    "python": (sys.executable, ""),
    "javascript": ("node", ""),
    "cpp": ("c++", "c++ -std=c++17 -o level1 level1.cpp"),
}


@cache
def in_python() -> dict[tuple[str, int], str]:
    """Judge the worked example in Python."""
    with TemporaryDirectory() as place:
        run = begin("python", Path(place) / "mine", worked=True).replace("python3", sys.executable)
        command = f"{shlex.split(run)[0]} {Path(place) / 'mine' / shlex.split(run)[1]}"
        return {(r["case"], r["form"]): r["status"] for r in judged(command).results}


def test_the_tutorial_shows_the_worked_example_as_it_is() -> None:
    text = (Path(__file__).parents[2] / "docs" / "tutorials" / "first-engine.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"<!-- file: (\S+\.py) -->\n```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    root = folder("engines") / "worked" / "python"
    assert shown == {path.name: path.read_text(encoding="utf-8") for path in root.glob("*.py")}


def test_every_worked_example_is_tried_here() -> None:
    assert {name for name, of in languages().items() if "level1" in of} == set(WORKED)


@pytest.mark.soon("python", "javascript")
@pytest.mark.parametrize("language", WORKED)
def test_the_worked_examples_are_sound_and_say_the_same_in_every_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, build = WORKED[language]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed here")
    run = begin(language, tmp_path / "mine", worked=True).replace("python3", sys.executable)
    monkeypatch.chdir(tmp_path / "mine")
    if build:
        subprocess.run(shlex.split(build), check=True)  # noqa: S603 - the compiler
    assert findings(checked(opener(f"exec:{run}"))) == {Finding.OK, Finding.SKIPPED}
    verdicts = {(r["case"], r["form"]): r["status"] for r in judged(run).results}
    assert Counter(verdicts.values())["pass"] > 50
    assert verdicts == in_python(), "the three are one engine"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_a_skeleton_and_a_page_that_says_how_to_run_it(language: str, tmp_path: Path) -> None:
    run = begin(language, tmp_path / "mine")
    told = languages()[language]
    assert (tmp_path / "mine" / told["main"]).is_file()
    page = (tmp_path / "mine" / "README.md").read_text(encoding="utf-8")
    assert f'canasta conformance run "exec:{run}"' in page
    assert told["build"] in page
    assert f"It needs {told['needs']}." in page
    assert "{" not in page


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no compiler here")
def test_the_skeleton_in_cpp_builds_with_a_compiler_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin("cpp", tmp_path / "mine")
    monkeypatch.chdir(tmp_path / "mine")
    subprocess.run(shlex.split(languages()["cpp"]["build"]), check=True)  # noqa: S603 - the compiler
    assert findings(checked(program(run))) == {Finding.OK, Finding.SKIPPED}
    assert judged(run).counts["pass"] >= 3


def test_a_program_that_was_not_built_is_told_to_be_built() -> None:
    (step,) = checked(program("./target/release/harness"))
    assert "there is no program ./target/release/harness" in step.told
    assert "a compiled program is built first" in step.hint


def test_every_skeleton_answers_the_same() -> None:
    """They cannot all be built here, but each lists the same operations, levels and rule set."""
    for language, told in languages().items():
        text = (folder("engines") / "skeletons" / language / told["main"]).read_text(encoding="utf-8")
        for word in (
            "hello",
            "card_value",
            "reset",
            "bye",
            "unsupported",
            "classic",
            "my-canasta",
            "stdin|System.in|cin|Stdin",
        ):
            assert re.search(word, text), f"{language}: {word}"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "work.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        begin("python", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["work.txt"]


# ---- the check -------------------------------------------------------------------------------------------------------


def test_the_reference_is_sound_and_right_at_every_step() -> None:
    assert findings(checked(lambda: InProcess(ReferenceEngine))) == {Finding.OK}


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("refuses-to-start", "no licence found"),
        ("silent", "no answer to hello"),
        ("exits-after-hello", "crash|flood"),
    ],
)
def test_a_broken_harness_is_told_with_what_to_look_at(way: str, told: str) -> None:
    steps = checked(program(f"{sys.executable} {folder('engines') / 'miniatures' / 'unreliable.py'} {way}"))
    assert steps[-1].finding is Finding.HARNESS
    assert re.search(told, steps[-1].told)
    assert steps[-1].hint


@pytest.mark.parametrize(
    ("name", "step", "told"),
    [
        ("crashes-on-nth", "what cards count (level 0)", "crash: it ended instead of answering card_value"),
        ("hangs", "what cards count (level 0)", "timeout"),
        ("prints-noise", "what cards count (level 0)", "noise"),
        ("wrong-seq", "what cards count (level 0)", "wrong-seq"),
        ("leaks-state", "an illegal turn (level 1)", "pass first, and fail when it was asked again"),
        ("claims-too-much", "a chosen option", "it answers as if upcard_black_three=keep had not been chosen"),
    ],
)
def test_a_miniature_whose_harness_is_broken_is_told_so(name: str, step: str, told: str) -> None:
    last = checked(opener(f"miniature:{name}"))[-1]
    assert (last.name, last.finding) == (step, Finding.HARNESS)
    assert told in last.told
    assert last.hint


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("accepts-all", "an illegal turn (level 1)"),
        ("rejects-all", "a legal turn (level 1)"),
        ("off-by-one-scores", "a score (level 1)"),
        ("loses-a-card", "a legal turn (level 1)"),
        ("mutates-state-on-reject", "an illegal turn (level 1)"),
        ("query-changes-state", "a score (level 1)"),
        ("no-way-on", "a legal turn (level 1)"),
    ],
)
def test_a_miniature_whose_harness_is_sound_is_a_wrong_engine(name: str, step: str) -> None:
    steps = checked(opener(f"miniature:{name}"))
    assert Finding.HARNESS not in findings(steps)
    (wrong,) = [s for s in steps if s.name == step]
    assert wrong.finding is Finding.ENGINE
    assert wrong.hint.startswith("canasta conformance run ")


def test_another_reason_is_told_and_is_no_fault() -> None:
    steps = checked(opener("miniature:right-verdict-wrong-code"))
    assert findings(steps) == {Finding.OK, Finding.SKIPPED}
    (told,) = [step.told for step in steps if "but for the reason" in step.told]
    assert "ILLEGAL_MOVE" in told


class SetsNothingUp(ReferenceEngine):
    """Whatever is loaded, another position lies there."""

    def load(self, ruleset: str, position: dict[str, Any], options: Mapping[str, str] | None = None) -> dict[str, Any]:
        zones = {**position["zones"], "hand.N": position["zones"]["hand.N"][1:]}
        return super().load(ruleset, {**position, "zones": zones}, options)


class ListsTooMuch(ReferenceEngine):
    """Lists an operation that it does not have."""

    def meld_check(self, *_: object, **__: object) -> dict[str, Any]:
        raise UnsupportedError("meld_check")


@pytest.mark.parametrize(
    ("engine", "step", "told"),
    [
        (SetsNothingUp, "set a position up (level 1)", "hand.N should be"),
        (ListsTooMuch, "a meld (level 0)", "it lists meld_check and answers that it does not know it"),
    ],
)
def test_what_a_harness_must_do_itself_is_told_from_what_the_engine_does(
    engine: type[ReferenceEngine], step: str, told: str
) -> None:
    last = checked(lambda: InProcess(engine))[-1]
    assert (last.name, last.finding) == (step, Finding.HARNESS)
    assert told in last.told


def broken(tmp_path: Path, old: str, new: str) -> list[Step]:
    """Check the Python skeleton with one thing in it changed."""
    begin("python", tmp_path / "harness")
    path = tmp_path / "harness" / "harness.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return checked(opener(f"exec:{sys.executable} {path}", HELPING))


@pytest.mark.parametrize(
    ("old", "new", "step", "told"),
    [
        ('"protocol": 1', '"protocol": 2', "start and greet", "bad-reply"),
        ('"version": "0.1", ', "", "start and greet", "version"),
        ('{"id": "classic"}]', '{"id": "klassik"}]', "declare rules", "none of its rule sets"),
        ('{"id": "classic"}]', '{"id": "classic", "options": {"no_such": "yes"}}]', "declare rules", "no option no_such"),
        ('"reset", "bye"]', '"bye"]', "declare rules", "lacks reset"),
        ('{"id": "classic"}]', '{"id": "classic", "house_rules": "{"}]', "declare rules", "RS0001"),
        ("sys.stdout.flush()", "pass", "start and greet", "not flushed: no answer to hello within .* s; the answer lay in a buffer"),
        ('"unsupported": True, "needs": request["op"]}\n    fields', '"sorry": True}\n    fields', "say what it cannot do", "bad-reply"),
        ("    serve(Harness())", '    print("ready")\n    serve(Harness())', "start and greet", "noise: 'ready' is no JSON object"),
    ],
)  # fmt: skip
def test_what_is_broken_in_a_harness_is_found_at_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, step: str, told: str
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")  # which hides a missing flush, and must not in a check
    last = broken(tmp_path, old, new)[-1]
    assert (last.name, last.finding) == (step, Finding.HARNESS)
    assert re.search(told, last.told), last.told


def test_a_sound_harness_with_a_wrong_engine_is_no_broken_harness(tmp_path: Path) -> None:
    steps = broken(tmp_path, '"Jk": 50', '"Jk": 20')
    assert findings(steps) == {Finding.OK, Finding.SKIPPED, Finding.ENGINE}
    (wrong,) = [step for step in steps if step.finding is Finding.ENGINE]
    assert wrong.name == "what cards count (level 0)"
    assert "should be" in wrong.told


# -- an adapter in Python whose methods take other arguments than they are given ---------------------------------------


class _Mine:
    def hello(self, **_: object) -> Data:
        return {
            "protocol": 1, "engine": {"name": "mine", "version": "1", "language": "Python"}, "rulesets": [{"id": "classic"}],
            "levels": [0], "operations": ["hello", "card_value", "reset", "bye"],
        }  # fmt: skip


class _TakesTheRequest(_Mine):
    def card_value(self, request: Data) -> Data:
        return {"value": len(request["cards"])}


class _GreetsWithoutFields(_Mine):
    def hello(self) -> Data:  # type: ignore[override]  # the fault that is looked for
        return super().hello()


class _Stumbles(_Mine):
    def card_value(self, cards: Sequence[str], **_: object) -> Data:
        return {"value": sum(cards)}


def test_a_method_that_takes_other_arguments_is_told_how_it_is_called() -> None:
    (step,) = checked(lambda: InProcess(_GreetsWithoutFields))
    assert "TypeError" in step.told
    assert "hello is called with the keyword arguments protocol, suite, limits" in step.told
    steps = checked(lambda: InProcess(_TakesTheRequest))
    (wrong,) = [s for s in steps if s.finding is Finding.ENGINE]
    assert "TypeError" in wrong.told
    assert "def card_value(self, ruleset, cards, **_)" in wrong.told
    (own,) = [s for s in checked(lambda: InProcess(_Stumbles)) if s.finding is Finding.ENGINE]
    assert "TypeError: unsupported operand" in own.told
    assert "is called with" not in own.told


def test_a_run_says_why_hello_was_no_greeting() -> None:
    suite = read_suite()
    run = Run(Engine(lambda: InProcess(_GreetsWithoutFields), suite.digest), "x", suite, suite.chosen([]), Settings())
    assert "TypeError" in collect(run.records()).end["stopped"]
    run = Run(Engine(lambda: InProcess(_TakesTheRequest), suite.digest), "x", suite, suite.chosen([]), Settings())
    told = [r["told"] for r in collect(run.records()).results if r["status"] == "error"]
    assert told
    assert all("card_value is called with the keyword arguments" in text for text in told)
