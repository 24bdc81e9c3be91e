"""The folder of a campaign: one file for each finished shard, put into place whole, so that nothing finished is ever lost."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from canasta_conformance.fuzzing.cut_off import OUT_OF_TIME, further
from canasta_conformance.fuzzing.putting import put
from canasta_conformance.fuzzing.shards import Plan
from canasta_conformance.writing import write

Data = dict[str, Any]

FORMAT: Final = 1

BEGUN: Final = ".begun.json"
"""How the names of files end that hold what was found so far in a shard."""

NUMBERED: Final = re.compile(r"\d{3,}-.*\.(json|cgn)$")
"""How the files of findings are called."""

HEAD: Final = "campaign.json"
"""The file that says what a folder is a campaign of."""

COUNTED: Final = ("deals", "unsure")
LISTED: Final = ("turns", "codes", "ends", "relations", "unsupported")


class OtherCampaignError(Exception):
    """A folder that holds another campaign, or something else; with what to do, where that is not to repeat the command."""

    def __init__(self, text: str, hint: str = "") -> None:
        """Carry what is wrong."""
        self.hint = hint
        super().__init__(text)


class Journal:
    """What is finished of one campaign."""

    def __init__(self, folder: Path, plan: Plan, suite: str) -> None:
        """Open the folder of a campaign, or begin it.

        Raises:
            OtherCampaignError: when it holds another one, or files that belong to none.
            OSError: when it cannot be written.
        """
        self.folder, self.plan = folder, plan
        head = folder / HEAD
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
        """Keep the result of a shard for good; of one that was cut off, until it has been played to its end."""
        number = result["shard"]
        if result["stopped"] == OUT_OF_TIME:
            if not result["deals"]:
                return
            put(self.beside(number), write(further(self.before(number), result)))
            return
        put(self.folder / "shards" / f"{number:08}.json", write(result))
        self.beside(number).unlink(missing_ok=True)

    def beside(self, number: int) -> Path:
        """Name the file for what was found so far in a shard that is under way or was cut off."""
        return self.folder / "shards" / f"{number:08}{BEGUN}"

    def before(self, number: int) -> Data | None:
        """Give what came of a shard when it was cut off before, if it was."""
        path = self.beside(number)
        return _read(path) if path.is_file() else None

    def begun(self) -> set[int]:
        """List the numbers of the shards that are begun and not finished."""
        names = {path.name.removesuffix(BEGUN) for path in (self.folder / "shards").glob(f"*{BEGUN}")}
        return {int(name) for name in names if name.isdecimal()} - self.finished()

    def results(self) -> Iterator[Data]:
        """Read the results in the order of their numbers, and then what there is of shards that are only begun."""
        for number in sorted(self.finished()):
            yield _read(self.folder / "shards" / f"{number:08}.json")
        for number in sorted(self.begun()):
            yield _read(self.beside(number))

    def report(self) -> Data:
        """Sum everything up, and write the report and every finding beside the shards; each kind once, as it was met first."""
        summed = _Summing()
        for result in self.results():
            summed.add(result)
        found = summed.findings()
        folder, now = self.folder / "findings", set[str]()
        folder.mkdir(exist_ok=True)
        for finding in found:
            for ending, text in (("json", finding.pop("suite", "")), ("cgn", finding.pop("record", ""))):
                if text:
                    put(folder / f"{finding['file']}.{ending}", text)
                    now.add(f"{finding['file']}.{ending}")
        for path in folder.iterdir():
            # What another report wrote under a number that now is another finding's.
            if NUMBERED.match(path.name) and path.name not in now:
                path.unlink()
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
        told["shards"] += result["stopped"] != OUT_OF_TIME
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
            for name in ("clause", "told", "log", "steady", "whole", "cut", "shard", "record", "deal", "options")
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
    return finding.get("whole", False) or finding.get("cut", False), _size(finding)


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
        found = None
    if not isinstance(found, dict):
        anew = "name another folder with --output: without this file it is not known what the folder is a campaign of"
        hint = anew if path.name == HEAD else f"take {path} away: what it held is played once more"
        raise OtherCampaignError(f"{path} is damaged", hint)
    return found
