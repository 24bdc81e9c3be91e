"""Campaigns whose time is up, or which are broken off: they end soon, keep what they have found, and come out the same in the end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.fuzzing import campaign as campaigns
from canasta_conformance.fuzzing.campaign import Campaign, Limits
from canasta_conformance.fuzzing.cut_off import OUT_OF_TIME, further
from canasta_conformance.fuzzing.executors import local
from canasta_conformance.fuzzing.journal import Journal
from canasta_conformance.fuzzing.shards import Conditions, Plan, run_shard
from canasta_tools.conformance.fuzzing import told

Data = dict[str, Any]

ADDRESS = "python:lenient:Lenient"
LENIENT = """
from canasta_conformance.inprocess.engine import ReferenceEngine

class Lenient(ReferenceEngine):
    def turn(self, seat, acts):
        super().turn(seat, acts)
        return {"committed": True}
"""
PLAN = Plan(ADDRESS, ("gin",), seed=4, examples=6)


@pytest.fixture
def lenient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an engine that lets every turn stand."""
    (tmp_path / "lenient.py").write_text(LENIENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A clock that goes on by one each time somebody looks at it, so that a shard is cut off where one wants it."""
    with monkeypatch.context() as patched:
        ticks = count(1)
        patched.setattr("canasta_conformance.fuzzing.cut_off.time", lambda: float(next(ticks)))
        yield ticks


def test_cut_off_anywhere_a_shard_that_is_gone_on_with_comes_out_the_same(
    lenient: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clock(monkeypatch) as ticks:
        whole = run_shard(PLAN, 0, Conditions(1e9))
        looked = next(ticks)
    assert whole["stopped"] != OUT_OF_TIME
    assert len(whole["findings"]) > 1
    assert all(finding.get("steady") or finding.get("whole") for finding in whole["findings"])
    journal = Journal(lenient / "fuzz", PLAN, "digest")
    moments = [2, looked // 2, looked // 5, looked - 1]
    for until in moments:
        with clock(monkeypatch):
            result = run_shard(PLAN, 0, Conditions(float(until), journal.beside(0), journal.before(0)))
        if result == whole:  # so much was known already that there was time for the rest
            continue
        assert result["stopped"] == OUT_OF_TIME
        journal.keep(result)
        assert journal.finished() == set()
    assert journal.before(0) is not None
    assert run_shard(PLAN, 0, Conditions(before=journal.before(0))) == whole
    journal.keep(whole)
    assert (journal.finished(), journal.begun()) == ({0}, set())


@pytest.mark.usefixtures("lenient")
def test_what_was_made_small_is_not_made_small_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run_shard(PLAN, 0)
    monkeypatch.setattr("canasta_conformance.fuzzing.shards.shrink", None)  # whoever calls it fails
    assert run_shard(PLAN, 0, Conditions(before=whole)) == whole


def test_a_finding_for_which_there_was_no_time_is_kept_as_it_was_played_and_says_so(
    lenient: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(lenient / "fuzz", PLAN, "digest")
    with clock(monkeypatch):
        result = run_shard(PLAN, 0, Conditions(4.0))
    (finding,) = result["findings"]
    assert finding["cut"]
    assert "steady" not in finding, "it was not asked again, so nobody knows"
    assert finding["case"]["forms"]
    journal.keep(result)
    report = journal.report()
    assert (report["rulesets"]["gin"]["shards"], report["findings"][0]["cut"]) == (0, True)
    assert list((lenient / "fuzz" / "findings").glob("001-gin.*"))
    words = told(report, journal.folder)
    assert "not made small, or not to the end, for the time was up" in words
    assert "broken off: gin: the time was up, 1 shard\n  the same command plays these to their end" in words


def test_what_was_found_lies_there_before_it_is_made_small(lenient: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(lenient / "fuzz", PLAN, "digest")

    class KilledError(Exception):
        """As if the process had been killed."""

    def killed(*_: object, **__: object) -> None:
        raise KilledError

    monkeypatch.setattr("canasta_conformance.fuzzing.shards.shrink", killed)
    with pytest.raises(KilledError):
        run_shard(PLAN, 0, Conditions(beside=journal.beside(0)))
    (finding,) = journal.report()["findings"]
    assert finding["cut"]
    assert journal.begun() == {0}


# ---- the folder ------------------------------------------------------------------------------------------------------


def shard(number: int, deals: int, *findings: Data, stopped: str = OUT_OF_TIME) -> Data:
    told_: Data = {name: {} for name in ("turns", "codes", "ends", "relations", "unsupported")}
    kinds = {finding["kind"]: 1 for finding in findings}
    return {
        "shard": number, "ruleset": "gin", "engine": "e 1", "deals": deals, "unsure": 0, **told_, "kinds": kinds,
        "findings": list(findings), "stopped": stopped,
    }  # fmt: skip


def finding(kind: str, **more: object) -> Data:
    return {"kind": kind, "clause": "turn.draw", "told": "no", **more}


def test_of_two_times_that_a_shard_was_cut_off_the_one_stays_that_came_further() -> None:
    far = shard(0, 3, finding("a", cut=True), finding("b", cut=True))
    near = shard(0, 1, finding("a", steady=True))
    for before, now in ((far, near), (near, far)):
        kept = further(before, now)
        assert kept["deals"] == 3
        assert kept["findings"] == [finding("a", steady=True), finding("b", cut=True)]
    assert further(None, near) == near


def test_nothing_is_kept_of_a_shard_that_did_not_begin(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "fuzz", PLAN, "digest")
    journal.keep(shard(0, 0))
    assert (journal.finished(), journal.begun()) == (set(), set())


def test_what_a_report_wrote_of_findings_that_are_called_otherwise_now_is_taken_away(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "fuzz", PLAN, "digest")
    case = {"id": "gin/turn.draw/fuzz-1", "forms": []}
    journal.keep(shard(0, 2, finding("b", case=case, record="[N]")))
    journal.report()
    folder = journal.folder / "findings"
    (folder / "mine.json").write_text("{}", encoding="utf-8")
    assert sorted(path.name for path in folder.iterdir()) == ["001-gin.cgn", "001-gin.json", "mine.json"]
    journal.keep(shard(0, 2, finding("a"), finding("b", case=case), stopped="40 departures"))
    journal.report()
    assert sorted(path.name for path in folder.iterdir()) == ["002-gin.json", "mine.json"]


# ---- the campaign ----------------------------------------------------------------------------------------------------


def asleep(_: Plan, number: int, __: Conditions) -> Data:
    time.sleep(600)
    return shard(number, 0)


def test_a_worker_that_does_not_come_to_an_end_is_ended_after_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "run_shard", asleep)
    monkeypatch.setattr(campaigns, "GRACE", 0.5)
    journal, began = Journal(tmp_path / "fuzz", PLAN, "digest"), time.time()
    Campaign(journal, 1).run(lambda: local(1), Limits(until=began + 1.0))
    assert time.time() - began < 60
    assert (journal.finished(), journal.begun()) == (set(), set())  # it is lost, and is no fault of the shard


class Cluster(Executor):
    """Of its shards the first is cut off, and of the others nothing comes back in time."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Conditions]] = []

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> "Future[Any]":  # noqa: ANN401, ARG002 - as declared there
        future: Future[Any] = Future()
        self.asked.append((args[1], args[2]))
        if args[1] == 0:
            future.set_result(shard(0, 2, finding("a", cut=True)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as declared there
        """Wait for nothing: a client leaves its cluster."""


def test_a_cluster_is_told_the_time_and_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "GRACE", 0.2)
    monkeypatch.setattr(campaigns, "STEP", 0.05)
    journal, cluster, said = Journal(tmp_path / "fuzz", PLAN, "digest"), Cluster(), list[str]()
    until = time.time() + 0.5
    Campaign(journal, 1, said.append, shared=False).run(lambda: cluster, Limits(until=until))
    assert time.time() < until + 30
    assert [number for number, _ in cluster.asked] == [0, 1], "after one was cut off no other is begun"
    assert all((one.until, one.beside) == (until, None) for _, one in cluster.asked)
    assert journal.begun() == {0}
    assert said[-1].startswith("0 shards, 1 findings, ")
    again = Cluster()
    Campaign(journal, 1, shared=False).run(lambda: again, Limits(until=time.time() + 0.1))
    assert again.asked[0][1].before == journal.before(0), "what is known of it goes along"


def test_a_campaign_whose_time_is_up_at_once_plays_nothing_and_says_so(tmp_path: Path) -> None:
    journal, cluster = Journal(tmp_path / "fuzz", PLAN, "digest"), Cluster()
    Campaign(journal, 1).run(lambda: cluster, Limits(until=time.time()))
    assert cluster.asked == []
    assert "the time was up before anything was played" in told(journal.report(), journal.folder)


# ---- the command -----------------------------------------------------------------------------------------------------


# Where the tests run in the background of a shell, a signal to break off is ignored, and would be by their children as well.
MAIN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from canasta_tools.cli import main; raise SystemExit(main())"
)


def begun(folder: Path, *words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", MAIN, "conformance", "fuzz", ADDRESS, "--rules", "gin", "--jobs", "2", *words]
    return subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=folder
    )


def test_an_engine_that_is_wrong_everywhere_does_not_keep_a_campaign_from_ending(lenient: Path) -> None:
    began = time.time()
    with begun(lenient, "--time", "8") as campaign:
        out, err = campaign.communicate(timeout=120)
    assert time.time() - began < 8 + campaigns.GRACE + 30  # a busy machine is slow to start and to report
    assert campaign.returncode in (0, 1)
    assert " shards, " in err  # it has not been silent
    assert "of finding; all of it in" in out
    assert (lenient / "fuzz" / "report.json").is_file()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no groups of processes")
def test_broken_off_a_campaign_says_how_it_goes_on_and_leaves_nothing_running(
    lenient: Path, alive: Callable[[int], bool]
) -> None:
    folder = lenient / "fuzz"
    with begun(lenient, "--examples", "1000000") as campaign:
        until = time.monotonic() + 240
        while not list((folder / "shards").glob("*.json")) and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(campaign.pid, signal.SIGINT)  # as a terminal does: to all of them
        broken_off = time.monotonic()
        _, err = campaign.communicate(timeout=60)
    assert time.monotonic() - broken_off < 30
    assert campaign.returncode == 130
    assert "broken off; " in err
    assert "the same command goes on from there" in err
    assert "Traceback" not in err
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["findings"]
    while alive(campaign.pid) and time.monotonic() < broken_off + 60:
        time.sleep(0.05)
    assert not alive(campaign.pid)
