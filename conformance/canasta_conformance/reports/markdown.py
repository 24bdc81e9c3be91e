"""The report as Markdown, for the summary of a workflow or an issue."""

import re
from collections.abc import Iterator
from typing import Final

from canasta_conformance.reports.summary import (
    bad,
    case_of,
    claims,
    clause_of,
    explained,
    named,
    never_started,
    rerun,
    tallies,
    why_not_started,
)
from canasta_conformance.stream import Record, Report
from canasta_conformance.suite import Suite

_SIGNS: Final = re.compile(r"([\\`*_\[\]<>|{}~#])")


def markdown(report: Report, suite: Suite, *, strict: bool = False) -> str:
    """Write the report."""
    return "\n".join(_lines(report, suite, strict=strict)) + "\n"


def _lines(report: Report, suite: Suite, *, strict: bool) -> Iterator[str]:
    yield f"# Conformance of {_plain(report.engine)}"
    yield ""
    fault = never_started(report)
    if fault is not None:
        first, *log = why_not_started(fault)
        yield f"**{_plain(first)}**"
        yield from ("", *(f"    {line}" for line in log)) if log else ()
        return
    yield f"Suite {_code(report.head['suite'])}, {report.head['forms']} questions, order by seed {report.head['seed']}."
    if report.end.get("stopped"):
        yield ""
        yield f"**The run was stopped:** {_plain(report.end['stopped'])}"
    for told in report.unasked:
        yield ""
        yield f"**Between two cases,** {_plain(told)}"
    yield ""
    yield "| rule set | level | right | what came of it |"
    yield "| --- | --- | --- | --- |"
    for tally in tallies(report):
        told = ", ".join(f"{number} {status}" for status, number in sorted(tally.statuses.items()))
        yield f"| {_plain(tally.ruleset)} | {tally.level} | {', '.join(tally.right)} | {told} |"
    yield ""
    for line in claims(report):
        yield f"> {_plain(line)}"
        yield ">"
    wrong = bad(report, strict=strict)
    yield ""
    yield "## Departures" if wrong else "No departures."
    for result in wrong:
        yield ""
        yield from _case(report, suite, result)


def _case(report: Report, suite: Suite, result: Record) -> Iterator[str]:
    clause, case = clause_of(suite, result["ruleset"], result["clauses"][0]), case_of(suite, result)
    yield f"### {_code(named(suite, result))}: {result['status']}"
    yield ""
    if clause is not None:
        yield f"{_plain(clause.title)} ({_code(clause.id)}, {_code(f'{clause.file}:{clause.line}')})"
        yield ""
    if case is not None:
        yield f"- given {_code(case.data['given']['text'])}"
        turns = [step["turn"] for step in case.data["steps"] if "turn" in step]
        yield from (f"- turn of {turn['seat']}: {_code(turn['text'])}" for turn in turns)
    for line in explained(result):
        yield f"- {_plain(line)}"
    yield ""
    yield f"```sh\n{rerun(report, result)}\n```"


def _plain(text: object) -> str:
    return _SIGNS.sub(r"\\\1", " ".join(str(text).split()))


def _code(text: object) -> str:
    flat = " ".join(str(text).split())
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"
