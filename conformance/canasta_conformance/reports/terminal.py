"""The report for a terminal: what departs from which rule, with the position and the command that asks it again; then the counts."""

from collections.abc import Iterator
from typing import Any, Final

from canasta_conformance.grading import Status
from canasta_conformance.reports.alike import grouped, suspected
from canasta_conformance.reports.summary import (
    bad,
    by_clause,
    case_of,
    claims,
    clause_of,
    explained,
    named,
    never_started,
    played_as,
    rerun,
    tallies,
    why_not_started,
)
from canasta_conformance.stream import OTHERWISE, Record, Report, clean
from canasta_conformance.suite import Suite

FEW: Final = 10
"""So many cases are shown unless all are asked for; of more than these, so many kinds."""

_NAMED: Final = 3
"""So many forms are named that came out otherwise when they were asked again."""

_REFUSED: Final = (Status.UNSUPPORTED,)
_NEVER_PUT: Final = (*_REFUSED, Status.OTHER_RULES, Status.NOT_RUN, Status.NO_START)

_BOLD, _RED, _GREEN = "1", "31", "32"


def terminal(
    report: Report, suite: Suite, *, colour: bool = False, everything: bool = False, strict: bool = False
) -> str:
    """Write the report."""
    return "\n".join(_Lines(report, suite, colour=colour).all(everything=everything, strict=strict))


class _Lines:
    def __init__(self, report: Report, suite: Suite, *, colour: bool) -> None:
        self.report, self.suite, self.colour = report, suite, colour

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def all(self, *, everything: bool, strict: bool) -> Iterator[str]:
        fault = never_started(self.report)
        if fault is not None:
            first, *log = why_not_started(fault)
            yield self._paint(first, _RED)
            yield from log
            yield f"nothing was put to {clean(self.report.head['address'])}; `canasta conformance check` goes through it step by step"
            return
        yield from self._head()
        wrong = bad(self.report, strict=strict)
        yield from self._each(wrong) if everything or len(wrong) <= FEW else self._kinds(wrong)
        yield ""
        yield from (self._paint(told, _RED) for told in suspected(wrong, self.suite))
        yield from self._table()
        yield from self._end()

    def _each(self, wrong: list[Record]) -> Iterator[str]:
        """Tell every departure, clause by clause."""
        for (ruleset, clause), results in by_clause(wrong).items():
            yield ""
            yield self._clause(ruleset, clause)
            for result in results:
                yield from self._case(result)

    def _kinds(self, wrong: list[Record]) -> Iterator[str]:
        """Tell what shows most often, each with one case of it."""
        kinds = grouped(wrong)
        for kind in kinds[:FEW]:
            if len(kind.results) == 1:
                yield from self._each(list(kind.results))
                continue
            yield ""
            yield self._paint(kind.told(), _BOLD)
            yield f"  {kind.about()}, such as"
            yield from self._case(kind.example)
        yield ""
        rest = sum(len(kind.results) for kind in kinds[FEW:])
        more = f"and {rest} more of {len(kinds) - FEW} other kinds; " if rest else ""
        yield f"{more}--all shows each of the {len(wrong)}"

    def _head(self) -> Iterator[str]:
        head = self.report.head
        engine: dict[str, Any] = head.get("engine", {})
        language = f" ({clean(engine['language'])})" if engine else ""
        yield self._paint(f"{self.report.engine}{language}", _BOLD)
        names = [played_as(told) for told in head.get("rulesets", ())]
        if names:
            yield f"plays {'; '.join(names)}"
        yield f"suite {head['suite']}, {head['forms']} forms, order by seed {head['seed']}"

    def _clause(self, ruleset: str, clause: str) -> str:
        if not clause:
            return f"{self._paint(ruleset, _BOLD)}: legal turns refused on the way to what is asked, so no clause is judged"
        found = clause_of(self.suite, ruleset, clause)
        place = f": {found.title} ({found.file}:{found.line})" if found else ""
        return f"{self._paint(f'{ruleset} {clause}', _BOLD)}{place}"

    def _case(self, result: Record) -> Iterator[str]:
        case = case_of(self.suite, result)
        yield f"  {self._paint(result['status'], _RED)}  {named(self.suite, result)}"
        if case is not None:
            yield f"    given  {case.data['given']['text']}"
            for step in case.data["steps"]:
                if "turn" in step:
                    yield f"    turn   {step['turn']['seat']}: {step['turn']['text']}"
                elif "ask" in step:
                    yield f"    ask    {step['ask']}"
        for line in explained(result):
            yield f"    {line}"
        yield f"    again  {rerun(self.report, result)}"

    def _table(self) -> Iterator[str]:
        rows = []
        for tally in tallies(self.report):
            statuses = [f"{n} {status}" for status, n in sorted(tally.statuses.items())]
            rows.append((f"{tally.ruleset}, level {tally.level}", ", ".join(tally.right), ", ".join(statuses)))
        widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
        for row in rows:
            yield f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}"

    def _end(self) -> Iterator[str]:
        end = self.report.end
        if end.get("stopped"):
            yield self._paint(f"the run was stopped: {end['stopped']}", _RED)
        for told in self.report.unasked:
            yield self._paint(f"between two cases, {told}", _RED)
        yield from self._repeats()
        asked = sum(n for status, n in self.report.counts.items() if status not in _NEVER_PUT)
        strange = sum(
            r["status"] in _REFUSED and r.get("told") == f"ruleset {r['ruleset']}" for r in self.report.results
        )
        rest = sum(self.report.counts[status] for status in _REFUSED) - strange
        unrun = self.report.counts.get(Status.NOT_RUN, 0)
        other = self.report.counts.get(Status.OTHER_RULES, 0)
        bugs = self.report.counts.get(Status.KNOWN_BUG, 0)
        counted = [f"{asked} forms put to the engine", f"{rest} that it says it cannot be asked"]
        counted += [f"{strange} about rule sets that it does not play"] if strange else []
        counted += [f"{other} about choices that it has made otherwise"] if other else []
        counted += [f"{bugs} that it says it gets wrong"] if bugs else []
        counted += [f"{unrun} not run, for the run was broken off"] if unrun else []
        yield ", ".join(counted)
        for line in claims(self.report):
            yield self._paint(f"claim: {line}", _GREEN)

    def _repeats(self) -> Iterator[str]:
        """Say how often everything was asked, and whether anything came out otherwise."""
        times = self.report.head.get("repeat", 1)
        if times == 1 or not self.report.end.get("complete"):
            return
        other = [r for r in self.report.results if r["status"] == Status.FLAKY and OTHERWISE in r.get("told", "")]
        if not other:
            yield f"every form was asked {times} times, and each came out the same every time"
            return
        names = ", ".join(named(self.suite, result) for result in other[:_NAMED])
        more = f" and {len(other) - _NAMED} more" if len(other) > _NAMED else ""
        came = f"{len(other)} came out otherwise in another order (flaky): {names}{more}"
        yield self._paint(f"every form was asked {times} times; {came}", _RED)
