"""The report as one HTML file that needs no network: clauses against engines, a part for each clause and each case that failed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from canasta_conformance.grading import FAULTS, NOT_ASKED, Status
from canasta_conformance.reports.summary import (
    BAD,
    besides,
    claims,
    named,
    never_started,
    rerun,
    shown,
    why_not_started,
)
from canasta_conformance.stream import KNOWN, Record, Report
from canasta_conformance.suite import Case, Clause, Form, Suite

Data = Mapping[str, Any]
Drawn = Callable[[Case, Form], str]
Told = Callable[[Case], str]

_UNJUDGED: Final = frozenset({*NOT_ASKED, Status.UNREACHED, KNOWN})
_WIDEST: Final = 400


@dataclass(frozen=True, slots=True)
class Cell:
    """One clause for one engine: how many forms went well of those that were judged, and how that is to look."""

    right: int
    judged: int
    look: str

    @property
    def text(self) -> str:
        """The figures; nothing where nothing was judged."""
        return f"{self.right}/{self.judged}" if self.judged else "-"


@dataclass(frozen=True, slots=True)
class Row:
    """One clause of one rule set, with a cell for each engine and its cases."""

    ruleset: str
    clause: Clause
    cells: tuple[Cell, ...]
    cases: tuple[tuple[Case, tuple[str, ...]], ...]

    @property
    def anchor(self) -> str:
        """The place in the page."""
        return f"clause/{self.ruleset}/{self.clause.id}"


@dataclass(frozen=True, slots=True)
class Departure:
    """One form of a case that did not go well for one engine, with all that helps to find out why."""

    engine: str
    case: Case
    result: Record
    lines: tuple[str, ...]
    again: str
    picture: str
    why: str
    said: tuple[str, ...]
    place: str
    """The level, and which form of it where there are several."""
    anchor: str
    """The place in the page."""


def _nothing(_: Case, __: Form | None = None) -> str:
    return ""


def page(reports: Sequence[Report], suite: Suite, *, picture: Drawn = _nothing, why: Told = _nothing) -> str:
    """Write the page; ``picture`` draws the position that a form of a case sends, ``why`` tells why the reference says what it says."""
    rows = list(_rows(reports, suite))
    departures = [d for n, r in enumerate(reports, start=1) for d in _departures(r, n, suite, picture, why)]
    text: str = _template().render(
        reports=reports, suite=suite, rows=rows, departures=departures, rulesets=list(dict.fromkeys(r.ruleset for r in rows)),
        claims=[line for report in reports for line in claims(report)], totals=[_total(report) for report in reports],
        unstarted=[why_not_started(fault) for report in reports if (fault := never_started(report)) is not None],
    )  # fmt: skip
    return text


def _rows(reports: Sequence[Report], suite: Suite) -> list[Row]:
    """Make a row for each clause that a case of the suite asserts and of which an engine was asked."""
    found: list[Row] = []
    results: list[dict[str, list[Record]]] = []
    for report in reports:
        by_case: dict[str, list[Record]] = {}
        for result in () if never_started(report) else report.results:
            by_case.setdefault(result["case"], []).append(result)
        results.append(by_case)
    cases: dict[tuple[str, str], list[Case]] = {}
    for case in suite.cases.values():
        cases.setdefault((case.ruleset, case.asserts[0]), []).append(case)
    for (ruleset, name), own in cases.items():
        clause = suite.rules[ruleset].clauses.get(name)
        cells = tuple(_cell([r for c in own for r in by_case.get(c.id, ())]) for by_case in results)
        if clause is not None and any(cell.judged for cell in cells):
            told = tuple((c, tuple(_word(by_case.get(c.id, ())) for by_case in results)) for c in own)
            found.append(Row(ruleset, clause, cells, told))
    return found


def _cell(results: Sequence[Record]) -> Cell:
    judged = [r["status"] for r in results if r["status"] not in _UNJUDGED]
    right = sum(status in (Status.PASS, Status.WRONG_REASON) for status in judged)
    if not judged:
        return Cell(0, 0, "none")
    if any(status in FAULTS for status in judged):
        return Cell(right, len(judged), "broken")
    return Cell(right, len(judged), "good" if right == len(judged) else "bad" if right == 0 else "partly")


def _word(results: Sequence[Record]) -> str:
    """Sum the forms of a case up: the worst that came of it."""
    statuses = [r["status"] for r in results]
    return next((s for s in statuses if s in BAD), statuses[0] if statuses else "")


def _total(report: Report) -> Cell:
    return _cell(report.results)


def _departures(report: Report, number: int, suite: Suite, picture: Drawn, why: Told) -> list[Departure]:
    """Tell all that did not go well in the report of this number."""
    found: list[Departure] = []
    for result in () if never_started(report) else report.results:
        case = suite.cases.get(result["case"])
        if result["status"] not in {*BAD, Status.WRONG_REASON} or case is None:
            continue
        said = tuple(
            f"{name} {_cut(json.dumps(m[key]))}" for m in result.get("exchange", ()) for key, name in _SAID if key in m
        )
        place = named(suite, result).removeprefix(f"{case.id}, ")
        lines, again = tuple(besides(result)), rerun(report, result)
        anchor = f"case/{case.id}/{result['form']}/{number}"
        # Another suite than the one of the run may have fewer forms; the first then stands for all.
        drawn = picture(case, case.forms[min(result["form"], len(case.forms) - 1)])
        found.append(Departure(report.engine, case, result, lines, again, drawn, why(case), said, place, anchor))
    return found


_SAID: Final = (("send", ">"), ("reply", "<"))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"


@cache
def _template() -> Any:  # noqa: ANN401 - a template of Jinja
    environment = Environment(
        loader=PackageLoader("canasta_conformance", "reports/templates"),
        undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["shown"] = shown
    return environment.get_template("page.html.j2")
