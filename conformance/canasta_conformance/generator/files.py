"""All files of the suite: cases by chapter, the rules that they speak of, and the manifest."""

from collections.abc import Iterable
from typing import Any, Final

from canasta_conformance.generator.examples import cases
from canasta_conformance.generator.rules import rules_of
from canasta_conformance.generator.writing import digest, write

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
    listed: list[Case] = []
    for name in rulesets:
        files[f"{name}/{RULES}"] = write({"format": FORMAT} | rules_of(name))
        chapters: dict[str, list[Case]] = {}
        for case, chapter in cases(name):
            chapters.setdefault(chapter, []).append(case)
        for chapter, found in chapters.items():
            path = f"{name}/{chapter}.json"
            files[path] = write({"format": FORMAT, "ruleset": name, "chapter": chapter, "cases": found})
            listed += [_entry(case, path) for case in found]
    files["manifest.json"] = write({"format": FORMAT, "digest": digest(listed), "cases": listed})
    return dict(sorted(files.items()))


def _entry(case: Case, path: str) -> Case:
    """Give the line of the manifest by which a reviewer sees what a change of the rules does to the suite."""
    kept = {key: case[key] for key in ("id", "kind", "level", "asserts")}
    return {**kept, "file": path, "digest": digest(case)}
