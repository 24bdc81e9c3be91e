"""All files of the suite: cases by chapter, the rules that they speak of, and the manifest."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from canasta_conformance.generator.comparators import comparators
from canasta_conformance.generator.counting import counts
from canasta_conformance.generator.deals import deals
from canasta_conformance.generator.examples import cases
from canasta_conformance.generator.general import general
from canasta_conformance.generator.reading import read
from canasta_conformance.generator.rules import rules_of
from canasta_conformance.generator.seeing import seen
from canasta_conformance.generator.shortly import shortly
from canasta_conformance.tiers import CORE, core_cases
from canasta_conformance.writing import digest, write

FORMAT: Final = 1
"""The number of the case format; it changes when an old reader could misread a new case."""

RULES: Final = "rules.json"
"""The file of a rule set that holds its rules."""

Case = dict[str, Any]


def suite_files(rulesets: Iterable[str]) -> dict[str, str]:
    """Make all files of the suite: the text of each by its path from the suite's folder, and the manifest.

    Raises:
        CanastaError: with every fault of the rule sets and of their examples.
    """
    files: dict[str, str] = {}
    core = core_cases()
    listed: list[Case] = []
    paths: list[str] = []
    names = list(rulesets)
    told = {name: rules_of(name) for name in names}
    for name in names:
        files[f"{name}/{RULES}"] = write({"format": FORMAT} | _shortened(told[name], told))
        chapters: dict[str, list[Case]] = {}
        for case, chapter in (*cases(name), *general_cases(name)):
            chapters.setdefault(chapter, []).append(shortly(case, name))
        for chapter, found in chapters.items():
            path = f"{name}/{chapter}.json"
            files[path] = write({"format": FORMAT, "ruleset": name, "chapter": chapter, "cases": found})
            listed += [{"id": case["id"], "digest": digest(case)} for case in found]
            paths.append(path)
    files["comparators.json"] = write({"format": FORMAT, "pairs": list(comparators())})
    files["aliases.json"] = write({"format": FORMAT, "aliases": aliases()})
    tiers = [case | _tier(core.get(case["id"], ())) for case in listed]
    # The digest is one of what is asked: which cases are the core has no part in it.
    files["manifest.json"] = write({"format": FORMAT, "digest": digest(listed), "files": paths, "cases": tiers})
    return dict(sorted(files.items()))


def _tier(forms: Sequence[int]) -> Case:
    """Give what the manifest says of a case of which these forms are the core."""
    return {"tier": CORE, "forms": list(forms)} if forms else {}


def aliases() -> dict[str, str | None]:
    """Give the ids that cases had before, each with the one it has now, or nothing where the case was withdrawn."""
    path = Path(__file__).resolve().parents[2] / "aliases.json"
    told: dict[str, str | None] = json.loads(path.read_text(encoding="utf-8"))
    return dict(sorted(told.items()))


def every_id(before: str, files: Mapping[str, str]) -> str:
    """List every id that a case ever had, one on a line: those of ``before`` and those of the files of a suite."""
    now = (case["id"] for case in json.loads(files["manifest.json"])["cases"])
    return "".join(f"{id_}\n" for id_ in sorted({*before.split(), *now}))


def _shortened(rules: Case, told: Mapping[str, Case]) -> Case:
    """Only name the clauses that stand word for word in the parent, where the suite has it."""
    parent = str(rules.get("parent", ""))
    if parent not in told:
        return {key: value for key, value in rules.items() if key != "parent"}
    there = {clause["id"]: clause for clause in told[parent]["clauses"]}
    clauses = [c["id"] if there.get(c["id"]) == c else c for c in rules["clauses"]]
    return {**rules, "clauses": clauses}


def general_cases(name: str) -> Iterator[tuple[Case, str]]:
    """Make the cases of a rule set that rest on no single clause, each with its chapter."""
    of = general(name)
    for chapter, made in (("counting", counts), ("seeing", seen), ("deals", deals), ("records", read)):
        yield from ((case, chapter) for case in made(of))
