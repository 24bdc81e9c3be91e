"""A run summed up: what was asked at each level, what came of it, clause by clause, and one line that can be quoted."""

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from canasta_conformance.grading import FAULTS, FINDINGS, JUDGED, NOT_ASKED, Grade, Status
from canasta_conformance.messages import REQUEST_SECONDS, START_SECONDS
from canasta_conformance.stream import KNOWN, Record, Report, clean
from canasta_conformance.suite import Case, Clause, Suite

Data = Mapping[str, Any]

BAD: Final = frozenset({*FAULTS, *FINDINGS})
"""Everything that an author wants to see."""

_APART: Final = {
    "not run": (Status.NOT_RUN,), "known bugs": (Status.KNOWN_BUG,), "never reached": (Status.UNREACHED,),
    "without an answer": FAULTS, "ended in an error": (Status.ERROR,), "promises broken": (Status.BROKEN_PROMISE,),
    "flaky": (Status.FLAKY,), "known to fail": (KNOWN,),
}  # fmt: skip
"""What a claim tells besides the grades, for a claim that hides it is none."""

COMMAND: Final = "canasta conformance run"


@dataclass(frozen=True, slots=True)
class Tally:
    """Right and judged answers of one rule set at one level, by grade; and how many forms have each status."""

    ruleset: str
    level: int
    grades: Mapping[str, tuple[int, int]]
    statuses: Mapping[str, int]
    declared: int = 0
    """Of how many forms that were judged the expectation is not the suite's, for the engine declares other rules."""
    unshown: int = 0
    """How many places and lines were expected and not shown, in all forms; what is hidden is in no grade."""

    @property
    def right(self) -> list[str]:
        """Say of each grade how many answers are right of those judged, and how much was not shown, without which it says too much."""
        told = [f"{grade} {right}/{judged}" for grade, (right, judged) in self.grades.items()]
        return told + ([f"{self.unshown} place{'' if self.unshown == 1 else 's'} not shown"] if self.unshown else [])

    @property
    def not_asked(self) -> int:
        """How many forms the engine cannot be asked; what a run that was broken off did not come to is counted by itself."""
        return sum(self.statuses.get(status, 0) for status in NOT_ASKED - {Status.KNOWN_BUG, Status.NOT_RUN})

    @property
    def judged(self) -> bool:
        """Whether anything at all was answered that says something of the engine."""
        return any(self.statuses.get(status, 0) for status in set(self.statuses) - NOT_ASKED)


def never_started(report: Report) -> Data | None:
    """Give the fault by which an engine could not be started at all; None where it answered its hello.

    Then nothing was put to it, and one word about that is all there is to tell.
    """
    if "engine" in report.head or not report.end.get("stopped"):
        return None
    return next((r["fault"] for r in report.results if r.get("fault")), None)


def why_not_started(fault: Data) -> list[str]:
    """Say in lines why an engine could not be started: what was seen, and all that is known of its standard error."""
    log = clean(fault.get("log", "")).splitlines()
    return [f"the engine could not be started: {clean(fault['text'])}", *(f"  {line}" for line in log)]


def named(suite: Suite, result: Record) -> str:
    """Name the case of a result with its level, and where the case has several forms of that level, which of them."""
    case = case_of(suite, result)
    alike = [form for form in case.forms if form.level == result["level"]] if case else []
    which = f", form {result['form'] + 1} of {len(case.forms)}" if case and len(alike) > 1 else ""
    return f"{result['case']}, level {result['level']}{which}"


def tallies(report: Report) -> list[Tally]:
    """Count by rule set and level, in the order in which they stand in the suite.

    Levels of which nothing was judged are left out, unless the run was broken off before it came to them.
    """
    if never_started(report) is not None:
        return []
    groups: dict[tuple[str, int], list[Record]] = {}
    for result in report.results:
        groups.setdefault((result["ruleset"], result["level"]), []).append(result)
    found = [_tally(*key, results) for key, results in sorted(groups.items())]
    return [tally for tally in found if tally.judged or _was_to_come(report, tally)]


def _was_to_come(report: Report, tally: Tally) -> bool:
    """Ask whether an engine could have been asked forms of a level that the run did not come to."""
    played = [told["id"] for told in report.head.get("rulesets", ())]
    can = tally.ruleset in played and tally.level in report.head.get("levels", ())
    return can and bool(tally.statuses.get(Status.NOT_RUN))


def _tally(ruleset: str, level: int, results: list[Record]) -> Tally:
    grades: dict[str, tuple[int, int]] = {}
    answered = [r for r in results if r["status"] in JUDGED]
    for grade in Grade:
        judged = [r["grades"][grade] for r in answered if grade in r.get("grades", {})]
        if judged:
            grades[grade] = (judged.count("pass"), len(judged))
    statuses = Counter(r["status"] for r in results)
    unshown = sum(len(r.get("unshown", ())) for r in results)
    return Tally(ruleset, level, grades, statuses, sum(bool(r.get("declared")) for r in answered), unshown)


def claims(report: Report) -> list[str]:
    """Write a line for each rule set that an author can quote: what was judged right at each level, and what was not judged."""
    groups: dict[str, list[Tally]] = {}
    for tally in tallies(report):
        groups.setdefault(tally.ruleset, []).append(tally)
    asked, every = report.head["forms"], report.head.get("of", report.head["forms"])
    some = f", {asked} of its {every} forms chosen" if asked < every else ""
    of = f"(suite {report.head['suite']}{some}{_broken_off(report)})"
    played = {told["id"]: played_as(told) for told in report.head.get("rulesets", ())}
    return [
        f"{report.engine} on {played.get(name, name)}: {'; '.join(map(_claimed, found))} {of}"
        for name, found in groups.items()
    ]


def _broken_off(report: Report) -> str:
    """Say in a claim that a run was broken off, and why, and what else no figure of it shows."""
    stopped = (
        ""
        if report.end["complete"]
        else f"; broken off: {clean(report.end.get('stopped') or 'not everything was run')}"
    )
    number = len(report.unasked)
    return stopped + (f"; {number} fault{'' if number == 1 else 's'} between two cases" if number else "")


def played_as(told: Data) -> str:
    """Name a declared rule set as rule sets are named, with its profile and options, and say if house rules go with it."""
    profile = f":{told['profile']}" if told.get("profile") else ""
    options = "".join(f",{option}={value}" for option, value in told.get("options", {}).items())
    return clean(f"{told['id']}{profile}{options}" + (" and house rules" if told.get("house_rules") else ""))


def _claimed(tally: Tally) -> str:
    told = tally.right if tally.grades else ["nothing judged", *tally.right]
    told += [f"{tally.declared} by rules of its own"] if tally.declared else []
    told += [f"{tally.not_asked} not asked"] if tally.not_asked else []
    for name, statuses in _APART.items():
        number = sum(tally.statuses.get(status, 0) for status in statuses)
        told += [f"{number} {name}"] if number else []
    return f"level {tally.level} {', '.join(told)}"


def bad(report: Report, *, strict: bool = False) -> list[Record]:
    """List the results that an author wants to see, in the order of the suite; with ``strict`` wrong reasons, too."""
    wanted = {*BAD, Status.WRONG_REASON} if strict else BAD
    return [result for result in report.results if result["status"] in wanted]


def by_clause(results: list[Record]) -> dict[tuple[str, str], list[Record]]:
    """Group results by rule set and the clause that they assert first; what was never reached says nothing of any clause."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for result in results:
        clause = "" if result["status"] == Status.UNREACHED else result["clauses"][0]
        groups.setdefault((result["ruleset"], clause), []).append(result)
    return groups


def clause_of(suite: Suite, ruleset: str, clause: str) -> Clause | None:
    """Find a clause in the suite at hand, which may be another than the one of the run."""
    rules = suite.rules.get(ruleset)
    return rules.clauses.get(clause) if rules else None


def case_of(suite: Suite, result: Record) -> Case | None:
    """Find the case of a result."""
    return suite.cases.get(result["case"])


def rerun(report: Report, result: Record) -> str:
    """Write the command that asks just this case again."""
    strict = {"strict": "yes"} if result["status"] == Status.WRONG_REASON else {}
    return again(report.head["address"], result["case"], {**report.head.get("chosen", {}), **strict})


def again(address: str, case: str, chosen: Data | None = None) -> str:
    """Write the command that puts a case to the engine at an address, with all that was chosen and may settle what comes of it."""
    words = [address, case]
    for option in ("suite", "tier", "timeout", "start-timeout"):
        value = (chosen or {}).get(option)
        words += [f"--{option}", value] if value else []
    words += [f"--{option}" for option in ("isolated", "strict") if (chosen or {}).get(option)]
    return f"{COMMAND} {shlex.join(map(str, words))}"


def limits(request_seconds: float, start_seconds: float = START_SECONDS) -> dict[str, str]:
    """Name those time limits that are not the usual ones, as they are chosen on the command line."""
    told = (("timeout", request_seconds, REQUEST_SECONDS), ("start-timeout", start_seconds, START_SECONDS))
    return {option: f"{seconds:g}" for option, seconds, usual in told if seconds != usual}


_COUNTED_FROM: Final = 3
"""More cards than this of which nothing is known are counted and not written out."""


def shown(value: object) -> str:
    """Write what was expected or found for a person: cards in one run, truth in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing"
    if isinstance(value, list):
        if value and all(isinstance(part, list) for part in value):
            return " ".join("".join(map(str, part)) for part in value)
        if len(value) > _COUNTED_FROM and set(value) == {"?"}:
            return f"{len(value)} cards"
        return " ".join(map(str, value)) or "nothing"
    return str(value)


def explained(result: Record) -> list[str]:
    """Say in lines what is wrong with a result."""
    differences = [
        f"{d['place']}: expected {shown(d['expected'])}, found {shown(d['found'])}"
        for d in result.get("differences", ())
    ]
    if differences and result.get("turn"):
        differences[0] = f"{result['turn']}: {differences[0]}"
    return [*map(clean, differences), *besides(result)]


def besides(result: Record) -> list[str]:
    """Say in lines what is wrong with a result besides the differences."""
    lines = [f"promise broken: {text}" for text in result.get("promises", ())]
    fault = result.get("fault")
    if fault:
        lines.append(f"{fault['kind']}: {fault['text']}")
    log = (fault or {}).get("log") or result.get("log", "")
    lines += [f"  log: {line}" for line in clean(log).splitlines()[-3:]]
    if result.get("told"):
        lines.append(result["told"])
    if result.get("declared"):
        lines.append("expected by the rules that the engine declares, not by the case")
    return [clean(line) for line in lines]
