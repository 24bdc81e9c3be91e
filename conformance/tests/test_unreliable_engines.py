"""Whatever an engine does, it is told by its name, it ends, and no other case loses its verdict."""

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from canasta_conformance.connecting import Engine, opener
from canasta_conformance.faults import AddressError, EngineFaultError, FaultKind
from canasta_conformance.grading import FINDINGS
from canasta_conformance.places import folder
from canasta_conformance.process import Process
from canasta_conformance.reports.summary import explained
from canasta_conformance.running import Run, Settings, exit_code
from canasta_conformance.stream import Report, StreamError, collect, read, write
from canasta_conformance.suite import Suite

Judged = Callable[..., Report]

SEED = 1
"""With it the jokers, with which something goes wrong, come in the middle."""

WAYS = {
    "hang": "timeout", "hang-with-a-child": "timeout", "late": "timeout", "crash": "crash", "noise": "noise",
    "crash-with-a-child": "crash", "answers-and-crashes-with-a-child": "crash",
    "wrong-seq": "wrong-seq", "flood-of-lines": "flood", "flood-without-end": "flood", "bad-reply": "bad-reply",
    "deep": "noise", "twice": "flood",
}  # fmt: skip

SLEEPER = [sys.executable, "-c", "import time; time.sleep(3600)"]
"""What holds the pipes that it was given, until it is ended."""

RIGHT = f"exec:{sys.executable} {folder('engines') / 'miniatures' / 'unreliable.py'} right"


def statuses(report: Report) -> dict[str, str]:
    return {r["case"].rpartition("/")[2]: r["status"] for r in report.results}


@pytest.mark.parametrize(("way", "named"), WAYS.items())
def test_a_fault_is_named_and_no_other_case_is_lost(judged: Judged, way: str, named: str) -> None:
    report = judged(way)
    assert statuses(report) == dict.fromkeys(statuses(report), "pass") | {"jokers": named}
    (fault,) = [r["fault"] for r in report.results if "fault" in r]
    assert fault["kind"] == named
    assert report.end["complete"]
    assert exit_code(report.counts, FINDINGS) == 3


@pytest.mark.parametrize(("way", "named"), [("line-after-reset", "wrong-seq|flood"), ("noise-after-reset", "noise")])
def test_what_follows_the_answer_to_a_reset_is_charged_to_the_case_before_it(
    judged: Judged, way: str, named: str
) -> None:
    for seed in range(3):
        found = statuses(judged(way, seed=seed))
        assert re.fullmatch(named, found.pop("jokers"))
        assert set(found.values()) == {"pass"}


@pytest.mark.parametrize(("way", "told"), [("line-later", "flood: nobody asked"), ("ends-later", "crash: it ended")])
def test_what_happens_between_two_cases_is_told_by_itself_and_costs_no_case_its_verdict(
    small_suite: Suite, way: str, told: str
) -> None:
    address = f"exec:{sys.executable} {folder('engines') / 'miniatures' / 'unreliable.py'} {way}"
    engine = Engine(opener(address), small_suite.digest, 3.0, 0.7)
    run = Run(engine, address, small_suite, small_suite.chosen(), Settings(seed=SEED), lambda _: time.sleep(0.2))
    report = collect(run.records())
    assert set(statuses(report).values()) == {"pass"}
    (text,) = report.unasked
    assert text.startswith(f"after classic/cards.values/jokers, level 0: {told}")
    assert exit_code(report.counts, FINDINGS, report.unasked) == 3


def test_a_line_that_comes_while_the_next_case_is_asked_is_not_charged_to_it(judged: Judged) -> None:
    report = judged("line-later", seed=SEED)
    assert set(statuses(report).values()) == {"pass"}
    assert "more lines where" in report.unasked[0]


def test_nothing_goes_wrong_with_an_engine_that_is_right(judged: Judged) -> None:
    report = judged("right")
    assert set(statuses(report).values()) == {"pass"}
    assert exit_code(report.counts, FINDINGS) == 0


def test_what_it_said_last_is_kept(judged: Judged) -> None:
    (fault,) = [r["fault"] for r in judged("crash").results if "fault" in r]
    assert "segmentation fault" in fault["log"]
    assert "exit code 139" in fault["text"]


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="it cannot be seen here that a process has ended")
@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("crash-with-a-child", "it ended instead of answering card_value, with exit code 139"),
        (
            "answers-and-crashes-with-a-child",
            "it ended between two requests, with exit code 139|it ended instead of answering reset, with exit code 139",
        ),
    ],
)
def test_a_crash_is_seen_at_once_though_a_child_keeps_the_output_open(way: str, told: str) -> None:
    """Its answers can have no end that is seen, for the child holds the pipe; what was answered before counts."""
    process = Process([*shlex.split(RIGHT.removeprefix("exec:"))[:-1], way])
    began, patience = time.monotonic(), 60.0
    process.ask({"op": "hello", "seq": 1}, patience)
    asked = {"op": "card_value", "seq": 2, "cards": ["Jk", "Jk"]}
    if way.startswith("answers"):
        assert process.ask(asked, patience)["value"] == 100
        asked = {"op": "reset", "seq": 3}
    with pytest.raises(EngineFaultError, match=told) as caught:
        process.ask(asked, patience)
    process.kill()
    assert caught.value.kind is FaultKind.CRASH
    assert "segmentation fault" in caught.value.log
    assert time.monotonic() - began < patience / 4


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="it cannot be seen here that a process has ended")
def test_a_request_that_is_longer_than_a_pipe_does_not_wait_for_who_has_ended() -> None:
    code = f"import subprocess, sys; subprocess.Popen({SLEEPER!r}); sys.exit(7)"
    process = Process([sys.executable, "-c", code])
    began, patience = time.monotonic(), 60.0
    with pytest.raises(EngineFaultError, match="with exit code 7"):
        process.ask({"op": "hello", "seq": 1, "more": "x" * (1 << 20)}, patience)
    process.kill()
    assert time.monotonic() - began < patience / 4


def test_what_it_wrote_while_it_departed_is_kept_too(small_suite: Suite, tmp_path: Path) -> None:
    path, engines = tmp_path / "talks.py", folder("engines") / "miniatures" / "unreliable.py"
    text = engines.read_text(encoding="utf-8")
    path.write_text(f"import sys\nprint('I begin', file=sys.stderr, flush=True)\n{TALKS}\n{text}", encoding="utf-8")
    engine = Engine(opener(f"exec:{sys.executable} {path} right"), small_suite.digest, 3.0, 0.7)
    report = collect(Run(engine, "x", small_suite, small_suite.chosen(), Settings(seed=SEED)).records())
    assert statuses(report)["jokers"] == "fail"
    logs = {r["case"].rpartition("/")[2]: r["log"] for r in report.results if "log" in r}
    assert logs == {"jokers": "I take these for nothing"}
    (failed,) = [r for r in report.results if r["status"] == "fail"]
    assert "  log: I take these for nothing" in explained(failed)


TALKS = """
import json
dumps = json.dumps
def told(answer):
    if isinstance(answer, dict) and answer.get("value") == 100:
        print("I take these for nothing", file=sys.stderr, flush=True)
        return dumps({**answer, "value": 0})
    return dumps(answer)
json.dumps = told
"""


def test_a_late_answer_is_never_taken_for_the_next(judged: Judged) -> None:
    """Two jokers are 100; no other case may ever be told so, in whatever order they come."""
    for seed in range(3):
        assert statuses(judged("late", seed=seed))["jokers"] == "timeout"


@pytest.mark.parametrize("way", ["hang", "crash", "noise", "wrong-seq", "bad-reply"])
def test_what_goes_wrong_once_is_flaky(judged: Judged, tmp_path: Path, way: str) -> None:
    report = judged(way, str(tmp_path / "done"))
    assert statuses(report)["jokers"] == "flaky"
    assert exit_code(report.counts, FINDINGS) == 1


def test_an_error_is_an_answer_and_costs_no_restart(judged: Judged) -> None:
    report = judged("error")
    assert statuses(report)["jokers"] == "error"
    assert [r["told"] for r in report.results if "told" in r] == ["index out of range"]
    assert exit_code(report.counts, FINDINGS) == 1


@pytest.mark.parametrize(("way", "text"), [("refuses-to-start", "exit code 1"), ("silent", "no answer to hello")])
def test_an_engine_that_does_not_start_is_told_so(judged: Judged, way: str, text: str) -> None:
    report = judged(way)
    assert set(statuses(report).values()) == {"no-start"}
    assert text in report.end["stopped"]
    assert not report.end["complete"]
    assert exit_code(report.counts, FINDINGS) == 3


def test_an_engine_that_ends_after_its_greeting_runs_out_of_restarts(judged: Judged) -> None:
    report = judged("exits-after-hello", restarts=4)
    found = list(statuses(report).values())
    assert set(found) == {"crash", "not-run"}
    assert "4 restarts are spent" in report.end["stopped"]
    assert not report.end["complete"]


def test_no_restart_at_all_is_a_budget_too(judged: Judged) -> None:
    found = statuses(judged("crash", restarts=0))
    assert found["jokers"] == "crash"
    assert set(found.values()) <= {"pass", "crash", "not-run"}


def test_a_fresh_process_for_each_case_is_possible(judged: Judged) -> None:
    assert statuses(judged("crash", isolated=True)) == statuses(judged("crash"))


def test_the_order_is_settled_by_the_seed_and_the_report_is_not(judged: Judged) -> None:
    one, other = judged("right", seed=1), judged("right", seed=2)
    assert [r["case"] for r in one.results] == [r["case"] for r in other.results]


def test_what_came_stands_in_the_stream_when_the_run_is_broken_off(small_suite: Suite) -> None:
    stream, seen = io.StringIO(), list[int]()

    def break_off(_: str) -> None:
        seen.append(stream.getvalue().count('"type": "result"'))
        if len(seen) == 4:
            raise KeyboardInterrupt

    engine = Engine(opener(RIGHT), small_suite.digest, 3.0, 0.7)
    try:
        with pytest.raises(KeyboardInterrupt):
            collect(
                write(Run(engine, RIGHT, small_suite, small_suite.chosen(), Settings(), break_off).records(), stream)
            )
    finally:
        engine.kill()
    assert seen == [0, 1, 2, 3]
    with pytest.raises(StreamError, match="6 forms were to be asked, and 3 results stand here"):
        read(stream.getvalue().splitlines())


def test_with_repetitions_a_result_is_given_when_it_was_asked_for_the_last_time(small_suite: Suite) -> None:
    asked: list[str] = []
    engine = Engine(opener(RIGHT), small_suite.digest, 3.0, 0.7)
    run = Run(engine, RIGHT, small_suite, small_suite.chosen(), Settings(repeat=2), asked.append)
    when = [(len(asked), record["case"]) for record in run.records() if record["type"] == "result"]
    assert [n for n, _ in when] == [7, 8, 9, 10, 11, 12]
    assert [case for _, case in when] == asked[6:]


ENDING = {
    "at the end of its input": "sys.stdin.read()",
    "by itself": "sys.stdin.readline(); sys.exit(3)",
    "never": "time.sleep(3600)",
}


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
@pytest.mark.parametrize("way", ENDING)
def test_a_group_is_ended_before_its_number_is_free_for_another(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process([sys.executable, "-c", f"import sys, time; {ENDING[way]}"])
    pid, hit, kill_group = process._child.pid, list[int](), os.killpg

    def killpg(group: int, how: int) -> None:
        os.kill(pid, 0)  # fails when the process was fetched already: then its number may be anybody's
        hit.append(group)
        kill_group(group, how)

    monkeypatch.setattr("os.killpg", killpg)
    monkeypatch.setattr("canasta_conformance.process._END_SECONDS", 0.5)
    if way == "by itself":
        with pytest.raises(EngineFaultError, match="with exit code 3"):
            process.ask({"op": "hello", "seq": 1}, 10)
    process.end()
    process.kill()
    assert hit == [pid]


def test_everything_that_it_started_is_ended(small_suite: Suite) -> None:
    """The child of the engine sleeps for an hour; after the run nobody of its group is left."""
    path = folder("engines") / "miniatures" / "unreliable.py"
    address = f"exec:{sys.executable} {path} hang-with-a-child"
    engine = Engine(opener(address), small_suite.digest, 3.0, 0.5)
    engine.greet()
    group = engine._link._child.pid
    with pytest.raises(EngineFaultError) as caught:
        engine.ask({"op": "card_value", "ruleset": "classic", "cards": ["Jk", "Jk"]})
    assert caught.value.kind is FaultKind.TIMEOUT
    until = time.monotonic() + 5
    while _members(group) and time.monotonic() < until:
        time.sleep(0.05)
    assert _members(group) == []


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_what_has_left_the_group_lives_on_and_holds_nobody_up() -> None:
    """What the docs say of a program that begins a session of its own: it is not ended, and nothing waits for it."""
    leaves = f"import subprocess; print(subprocess.Popen({SLEEPER!r}, start_new_session=True).pid, file=sys.stderr, flush=True)"
    process = Process([sys.executable, "-c", f"import sys, time; {leaves}; time.sleep(3600)"])
    until = time.monotonic() + 10
    while not process.log() and time.monotonic() < until:
        time.sleep(0.01)
    left, began = int(process.log()), time.monotonic()
    process.kill()
    took = time.monotonic() - began
    os.kill(left, signal.SIGKILL)  # fails where nobody is left
    assert took < 5


def _members(group: int) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "pgid,pid,stat"], capture_output=True, text=True, check=True).stdout  # noqa: S607 - the system's own ps
    rows = [line.split() for line in listed.splitlines()[1:]]
    return [
        pid for pgid, pid, state in rows if int(pgid) == group and not state.startswith("Z") and int(pid) != os.getpid()
    ]


@pytest.mark.parametrize(
    "address", ["", "engine", "exec:", "python:module", "python:no_such_module:Class", "python:json:Nothing", "exec:'"]
)
def test_what_is_no_address_is_told_with_a_hint(address: str) -> None:
    with pytest.raises(AddressError) as caught:
        opener(address)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("python3 harness.py", 'a command follows exec: "exec:python3 harness.py"'),
        ("harness.py", 'a command follows exec: "exec:python3 harness.py"'),
        ("mine", 'a command follows exec: "exec:./mine"'),
        ("secnd", 'did you mean "second"?'),
        ("execc:./mine", 'did you mean "exec:./mine"?'),
        ("python:harness", "write the class as well: python:harness:CLASS"),
        ("python:json:JSONDecode", "did you mean python:json:JSONDecoder?"),
        ("nothing", "write exec:COMMAND, python:MODULE:CLASS, reference, second or miniature:NAME"),
    ],
)
def test_a_hint_guesses_what_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, hint: str
) -> None:
    (tmp_path / "harness.py").touch()
    (tmp_path / "mine").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AddressError) as caught:
        opener(address)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("nod harness.js", "there is no program nod on the path"),
        ("./nowhere", "there is no program ./nowhere"),
        ("mine", "there is no program mine; for the file in this folder write ./mine, or what runs it before it"),
        ("./mine", "./mine may not be run: write what runs it before it, or make it executable"),
        ("./folder", "./folder is a folder, and no program"),
        ("./text", "./text is nothing that this system can run: write what runs it before it"),
        ("./gone", "what ./gone names in its first line, after #!, is not there"),
    ],
)
def test_why_a_program_cannot_be_started_is_told_without_numbers_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, told: str
) -> None:
    for name, text in (("mine", ""), ("text", "hello\n"), ("gone", "#!/no/such/program\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o644 if name == "mine" else 0o755)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineFaultError) as caught:
        opener(f"exec:{command}")()
    assert (caught.value.kind, caught.value.text) == (FaultKind.NO_START, told)


def test_a_program_that_is_not_there_is_told(small_suite: Suite) -> None:
    engine = Engine(opener("exec:/no/such/program"), small_suite.digest)
    records = list(Run(engine, "exec:/no/such/program", small_suite, small_suite.chosen(), Settings()).records())
    assert {r["status"] for r in records if r["type"] == "result"} == {"no-start"}
    assert json.dumps(records)
