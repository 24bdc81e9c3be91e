"""Campaigns: killed at any moment they lose nothing finished, on a cluster they find the same, and what breaks in them has a name."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from canasta_conformance.fuzzing.campaign import Campaign, Limits
from canasta_conformance.fuzzing.executors import cluster, local
from canasta_conformance.fuzzing.journal import Journal, OtherCampaignError
from canasta_conformance.fuzzing.shards import Plan, run_shard

Data = dict[str, Any]

SHARDS = 3
PLAN = Plan("reference", ("gin",), seed=4, examples=12)

CAMPAIGN = """
import sys
from pathlib import Path
from canasta_conformance.fuzzing.campaign import Campaign, Limits
from canasta_conformance.fuzzing.executors import cluster, local
from canasta_conformance.fuzzing.journal import Journal
from canasta_conformance.fuzzing.shards import Plan

if __name__ == "__main__":
    plan = Plan("reference", ("gin",), seed=4, examples=12)
    journal = Journal(Path(sys.argv[1]), plan, "digest")
    opening = (lambda: cluster(sys.argv[2])) if len(sys.argv) > 2 else (lambda: local(2))
    Campaign(journal, 2).run(opening, Limits(shards=3))
    journal.report()
"""

CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


def begun(tmp_path: Path, folder: Path, *more: str) -> "subprocess.Popen[bytes]":
    path = tmp_path / "campaign.py"
    path.write_text(CAMPAIGN, encoding="utf-8")
    return subprocess.Popen([sys.executable, str(path), str(folder), *more], start_new_session=True)  # noqa: S603 - our own program


def contents(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): p.read_text(encoding="utf-8")
        for p in sorted(folder.rglob("*.*"))
        if p.suffix in {".json", ".cgn"}
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a campaign leaves that nobody interrupts."""
    journal = Journal(tmp_path_factory.mktemp("whole") / "fuzz", PLAN, "digest")
    for number in range(SHARDS):
        journal.keep(run_shard(PLAN, number))
    journal.report()
    return contents(journal.folder)


@pytest.mark.whole
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no groups of processes")
def test_killed_in_the_middle_it_goes_on_and_leaves_what_an_uninterrupted_one_leaves(
    tmp_path: Path, whole: dict[str, str], alive: Callable[[int], bool]
) -> None:
    folder = tmp_path / "fuzz"
    campaign = begun(tmp_path, folder)
    until = time.monotonic() + 120
    while time.monotonic() < until and not list((folder / "shards").glob("*.json")):
        time.sleep(0.02)
    os.kill(campaign.pid, signal.SIGKILL)
    campaign.wait()
    finished = contents(folder)
    assert "report.json" not in finished
    assert len([name for name in finished if name.startswith("shards/")]) >= 1
    while alive(campaign.pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not alive(campaign.pid)  # the workers have ended with it
    assert begun(tmp_path, folder).wait() == 0
    assert contents(folder) == whole
    assert finished.items() <= whole.items()


def test_workers_of_a_cluster_find_the_same(tmp_path: Path, whole: dict[str, str]) -> None:
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("distributed is not installed (extra `cluster`)")
    path = tmp_path / "cluster.py"
    path.write_text(CLUSTER, encoding="utf-8")
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as cluster:
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        assert address.startswith("tcp://")
        assert begun(tmp_path, tmp_path / "fuzz", address).wait() == 0
    assert contents(tmp_path / "fuzz") == whole


def test_a_folder_of_another_campaign_or_of_something_else_is_left_alone(tmp_path: Path) -> None:
    Journal(tmp_path / "fuzz", PLAN, "digest")
    Journal(tmp_path / "fuzz", PLAN, "digest")
    other = Plan("second", ("gin",), seed=5, examples=12)
    with pytest.raises(OtherCampaignError, match="other address, seed"):
        Journal(tmp_path / "fuzz", other, "digest")
    with pytest.raises(OtherCampaignError, match="other suite"):
        Journal(tmp_path / "fuzz", PLAN, "another")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(OtherCampaignError, match="is no campaign"):
        Journal(tmp_path / "mine", PLAN, "digest")
    (tmp_path / "fuzz" / "shards" / "00000000.json").write_text("{", encoding="utf-8")
    with pytest.raises(OtherCampaignError, match="damaged"):
        list(Journal(tmp_path / "fuzz", PLAN, "digest").results())


def test_what_was_half_written_when_it_was_killed_is_not_taken_for_finished(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "fuzz", PLAN, "digest")
    (journal.folder / "shards" / ".00000003.json.77").write_text('{"shard": 3', encoding="utf-8")
    assert journal.finished() == set()


ENGINE = '''
import os, time
from canasta_conformance.inprocess.engine import ReferenceEngine

class {name}(ReferenceEngine):
    """Goes wrong at the fourth turn of a process."""

    turns = 0

    def turn(self, seat, acts):
        {name}.turns += 1
        if {name}.turns > 3:
            {wrong}
        return super().turn(seat, acts)
'''
WRONG = {"crash": ("Crashes", "os._exit(139)"), "timeout": ("Hangs", "time.sleep(600)")}


@pytest.mark.soon("timeout")
@pytest.mark.parametrize("kind", WRONG)
def test_an_engine_that_cannot_be_relied_on_is_a_finding_and_the_next_shard_is_played(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, wrong = WRONG[kind]
    (tmp_path / f"unreliable_{kind}.py").write_text(ENGINE.format(name=name, wrong=wrong), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    # A busy machine must have time to start a deal; and as each try to make the finding smaller hangs, too, one shard will do.
    seconds, shards = (1.0, 1) if kind == "timeout" else (30.0, 2)
    plan = Plan(f"python:unreliable_{kind}:{name}", ("gin",), seed=1, examples=30, request_seconds=seconds)
    for number in range(shards):
        result = run_shard(plan, number)
        assert set(result["kinds"]) == {f"{kind} turn"}
        assert result["stopped"] == f"3 times {kind}"
        (finding,) = result["findings"]
        assert finding["steady"]
        assert finding["case"]["origin"]["engine"].startswith("canasta-spec reference")


def test_a_shard_that_kills_its_worker_is_told_and_the_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "fuzz", PLAN, "digest")
    monkeypatch.setattr("canasta_conformance.fuzzing.campaign.run_shard", deadly)
    Campaign(journal, 2).run(lambda: local(2), Limits(shards=4))
    results = {result["shard"]: result for result in journal.results()}
    assert sorted(results) == [0, 1, 2, 3]
    assert [n for n, result in results.items() if result["stopped"]] == [2]
    assert journal.report()["stopped"] == {"gin: the worker died": 1}


class KilledWorker(Exception):  # noqa: N818 - it is called so there
    """What a cluster says when a task has killed too many of its workers; it has nothing to do with the exceptions of pools."""


class Cluster(Executor):
    """Carries everything out at once, and loses the shard with the number 2."""

    def __init__(self, fault: BaseException, *, refuses: bool = False, once: bool = False) -> None:
        self.fault, self.refuses, self.once, self.met = fault, refuses, once, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":  # noqa: ANN401 - as declared there
        future: Future[Any] = Future()
        if args[1] != 2 or (self.once and self.met):
            future.set_result(fn(*args, **kwargs))
            return future
        self.met += 1
        if self.refuses:
            raise self.fault
        if isinstance(self.fault, CancelledError):
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(self.fault)
        return future


FAULTS = [KilledWorker("shard-2 killed 3 workers"), ValueError("no such thing"), CancelledError()]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("refuses", [False, True])
def test_whatever_an_executor_says_instead_of_a_result_costs_that_shard_only(
    fault: BaseException, *, refuses: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("canasta_conformance.fuzzing.campaign.run_shard", harmless)
    journal, executor = Journal(tmp_path / "fuzz", PLAN, "digest"), Cluster(fault, refuses=refuses)
    Campaign(journal, 1).run(lambda: executor, Limits(shards=6))
    results = {result["shard"]: result for result in journal.results()}
    assert sorted(results) == [0, 1, 2, 3, 4, 5]
    assert [n for n, result in sorted(results.items()) if result["stopped"]] == [2]
    (finding,) = results[2]["findings"]
    assert f"shard 2, twice; {type(fault).__name__}: {fault}" in finding["told"]
    assert executor.met == 2


def test_a_shard_that_is_lost_by_chance_is_played_when_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("canasta_conformance.fuzzing.campaign.run_shard", harmless)
    journal, executor = Journal(tmp_path / "fuzz", PLAN, "digest"), Cluster(KilledWorker(), once=True)
    Campaign(journal, 1).run(lambda: executor, Limits(shards=4))
    assert [result["stopped"] for result in journal.results()] == [""] * 4


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")
def test_a_shard_that_kills_the_workers_of_a_cluster_is_told_and_the_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask, distributed = importlib.import_module("dask"), importlib.import_module("distributed")
    monkeypatch.setattr("canasta_conformance.fuzzing.campaign.run_shard", deadly)
    journal = Journal(tmp_path / "fuzz", PLAN, "digest")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as workers,
    ):
        Campaign(journal, 1).run(lambda: cluster(workers.scheduler_address), Limits(shards=4))
    results = {result["shard"]: result for result in journal.results()}
    assert sorted(results) == [0, 1, 2, 3]
    assert [n for n, result in sorted(results.items()) if result["stopped"]] == [2]
    assert "KilledWorker" in results[2]["findings"][0]["told"]


def deadly(plan: Plan, number: int, *_: object) -> Data:
    if number == 2:
        os._exit(1)
    return harmless(plan, number)


def harmless(plan: Plan, number: int, *_: object) -> Data:
    kept = (
        "shard",
        "ruleset",
        "engine",
        "deals",
        "turns",
        "unsure",
        "codes",
        "ends",
        "relations",
        "unsupported",
        "kinds",
        "findings",
        "stopped",
    )
    empty: dict[str, Any] = {
        "shard": number,
        "ruleset": plan.rulesets[0],
        "engine": "none",
        "deals": 0,
        "unsure": 0,
        "findings": [],
        "stopped": "",
    }
    return {name: empty.get(name, {}) for name in kept}


def test_the_report_of_a_campaign_names_each_kind_once_with_its_smallest_case(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "fuzz", PLAN, "digest")
    for number, forms in enumerate((["long", "long"], ["short"])):
        found = {
            "kind": "refused X",
            "clause": "turn.draw",
            "told": "no",
            "case": {"id": f"gin/turn.draw/fuzz-{number}", "forms": forms},
        }
        journal.keep({**deadly(PLAN, number), "kinds": {"refused X": 2}, "findings": [found], "engine": "e 1"})
    (finding,) = journal.report()["findings"]
    assert (finding["times"], finding["case"], finding["shard"]) == (4, "gin/turn.draw/fuzz-1", 1)
    written = json.loads((journal.folder / "findings" / f"{finding['file']}.json").read_text(encoding="utf-8"))
    assert written["cases"][0]["forms"] == ["short"]
