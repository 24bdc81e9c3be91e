"""What the suite says of a miniature, as a list of known failures: the form in which it is stored, and reviewed as a diff."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from canasta_conformance.connecting import Engine, opener
from canasta_conformance.known_failures import COUNTED
from canasta_conformance.miniatures.catalogue import Miniature, miniatures
from canasta_conformance.places import folder
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Record, Report, collect
from canasta_conformance.suite import Suite, read_suite

PATIENCE: Final = (3.0, 1.0)
"""Seconds for a start and for an answer: as little as a busy machine allows, for what hangs is waited for."""


def report(
    of: Miniature,
    patterns: Sequence[str] | None = None,
    patience: tuple[float, float] = PATIENCE,
    suite: Suite | None = None,
) -> Report:
    """Put cases to a miniature: those of its stored report, or others."""
    suite = suite or read_suite()
    engine = Engine(opener(of.address), suite.digest, *patience)
    cases = suite.chosen(of.asked if patterns is None else patterns)
    try:
        return collect(Run(engine, of.address, suite, cases, Settings(repeat=of.repeat)).records())
    finally:
        engine.kill()


def failures(found: Report) -> list[Record]:
    """List the results that are held against the engine."""
    return [result for result in found.results if result["status"] in COUNTED]


def catches(of: Miniature, result: Record) -> bool:
    """Ask whether a result says of a miniature what is wrong with it: by the clause, or by the promise that it breaks."""
    named = of.by in result["clauses"] or any(text.startswith(f"{of.by}:") for text in result.get("promises", ()))
    return named and result["status"] == of.status


def written(of: Miniature, found: Report) -> str:
    """Write a report as a list of known failures, each with the clauses that it names or the promise that is broken."""
    lines = [
        f"# miniature:{of.name} - {of.fault}",
        f"# Every failure among the cases of {' '.join(of.asked)}.",
        *(f"{r['case']}@{r['level']}  {r['status']}  # {_named(r)}" for r in failures(found)),
    ]
    return "\n".join(dict.fromkeys(lines)) + "\n"


def _named(result: Record) -> str:
    broken = sorted({text.partition(":")[0] for text in result.get("promises", ())})
    return ", ".join(broken or result["clauses"])


def stored(of: Miniature) -> Path:
    """Give the place of the stored report: of a program it is written by hand, for what it does depends on the clock."""
    return folder("engines") / "miniatures" / ("programs" if of.command else "reports") / f"{of.name}.txt"


def report_files(suite: Suite) -> dict[str, str]:
    """Make the reports that are generated, by the names of their files."""
    return {stored(m).name: written(m, report(m, suite=suite)) for m in miniatures().values() if not m.command}
