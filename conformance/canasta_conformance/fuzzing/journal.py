"""The folder of a campaign: one file for each finished shard, put into place whole, so that nothing finished is ever lost."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from canasta_conformance.fuzzing.shards import Plan
from canasta_conformance.writing import write

Data = dict[str, Any]

FORMAT: Final = 1

COUNTED: Final = ("deals", "unsure")
LISTED: Final = ("turns", "codes", "ends", "relations", "unsupported")


class OtherCampaignError(Exception):
    """A folder that holds another campaign, or something else."""


class Journal:
    """What is finished of one campaign."""

    def __init__(self, folder: Path, plan: Plan, suite: str) -> None:
        """Open the folder of a campaign, or begin it.

        Raises:
            OtherCampaignError: when it holds another one, or files that belong to none.
            OSError: when it cannot be written.
        """
        self.folder, self.plan = folder, plan
        head = folder / "campaign.json"
        told = {"format": FORMAT, "suite": suite, "plan": plan.data()}
        if head.is_file():
            differing = _differing(_read(head), told)
            if differing:
                raise OtherCampaignError(f"{folder} holds a campaign with other {', '.join(differing)}")
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise OtherCampaignError(f"{folder} is there already, and is no campaign")
        (folder / "shards").mkdir(parents=True, exist_ok=True)
        if not head.is_file():
            put(head, write(told))

    def finished(self) -> set[int]:
        """List the numbers of the shards that are finished."""
        return {int(path.stem) for path in (self.folder / "shards").glob("*.json") if path.stem.isdecimal()}

    def keep(self, result: Data) -> None:
        """Keep the result of a shard for good."""
        put(self.folder / "shards" / f"{result['shard']:08}.json", write(result))

    def results(self) -> Iterator[Data]:
        """Read the results in the order of their numbers."""
        for number in sorted(self.finished()):
            yield _read(self.folder / "shards" / f"{number:08}.json")

    def report(self) -> Data:
        """Sum everything up, and write the report and every finding beside the shards; each kind once, as it was met first."""
        summed = _Summing()
        for result in self.results():
            summed.add(result)
        found = summed.findings()
        (self.folder / "findings").mkdir(exist_ok=True)
        for finding in found:
            for ending, text in (("json", finding.pop("suite", "")), ("cgn", finding.pop("record", ""))):
                if text:
                    put(self.folder / "findings" / f"{finding['file']}.{ending}", text)
        told = {"format": FORMAT, "plan": self.plan.data(), **summed.counted(), "findings": found}
        put(self.folder / "report.json", write(told))
        return told


class _Summing:
    """The work of summing results up."""

    def __init__(self) -> None:
        self.by_rules: dict[str, Data] = {}
        self.first: dict[tuple[str, str], Data] = {}
        self.times: Counter[tuple[str, str]] = Counter()
        self.stopped: Counter[str] = Counter()
        self.engine = ""

    def add(self, result: Data) -> None:
        rules = result["ruleset"]
        told = self.by_rules.setdefault(
            rules, {"shards": 0, **dict.fromkeys(COUNTED, 0), **{name: {} for name in LISTED}}
        )
        told["shards"] += 1
        for name in COUNTED:
            told[name] += result[name]
        for name in LISTED:
            told[name] = dict(sorted((Counter(told[name]) + Counter(result[name])).items()))
        self.engine = result["engine"]
        self.times.update({(rules, kind): times for kind, times in result["kinds"].items()})
        if result["stopped"]:
            self.stopped[f"{rules}: {result['stopped']}"] += 1
        for finding in result["findings"]:
            key = rules, finding["kind"]
            before = self.first.get(key)
            if before is None or _rank(finding) < _rank(before):
                self.first[key] = {**finding, "shard": result["shard"]}

    def findings(self) -> list[Data]:
        """List each kind of finding of a rule set with its smallest case, and how often it was met."""
        return [self._told(number, key) for number, key in enumerate(sorted(self.times), start=1)]

    def _told(self, number: int, key: tuple[str, str]) -> Data:
        rules, kind = key
        found: Data = {
            "file": f"{number:03}-{rules.replace('/', '-')}",
            "ruleset": rules,
            "kind": kind,
            "times": self.times[key],
        }
        first = self.first.get(key)
        if first is None:
            return found
        found |= {
            name: first[name]
            for name in ("clause", "told", "log", "steady", "whole", "shard", "record", "deal", "options")
            if name in first
        }
        if "case" in first:
            found["case"] = first["case"]["id"]
            found["suite"] = write({"format": FORMAT, "ruleset": rules, "chapter": "fuzz", "cases": [first["case"]]})
        return found

    def counted(self) -> Data:
        return {
            "engine": self.engine,
            "rulesets": dict(sorted(self.by_rules.items())),
            "stopped": dict(sorted(self.stopped.items())),
        }


def _rank(finding: Data) -> tuple[bool, int]:
    """Put what was made small before what was not, and the smaller first."""
    return finding.get("whole", False), _size(finding)


def _size(finding: Data) -> int:
    return len(json.dumps(finding["case"]["forms"])) if "case" in finding else 0


def _differing(found: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    """Name what differs between two campaigns."""
    one, other = {**found, **found.get("plan", {})}, {**told, **told["plan"]}
    return [name for name in sorted(other) if name != "plan" and one.get(name) != other[name]]


def _read(path: Path) -> Data:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise OtherCampaignError(f"{path} is damaged") from None
    if not isinstance(found, dict):
        raise OtherCampaignError(f"{path} is damaged")
    return found


def put(path: Path, text: str) -> None:
    """Put a file into place whole: written beside it and safe on the disk first, so that a kill at any moment leaves the old or the new.

    Raises:
        OSError: when it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
