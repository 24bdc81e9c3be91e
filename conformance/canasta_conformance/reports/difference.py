"""Two runs compared: what fails newly, what passes newly, what changed otherwise, what came and what went."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from canasta_conformance.grading import NOT_ASKED, Status
from canasta_conformance.reports.summary import BAD
from canasta_conformance.stream import Record, Report

Key = tuple[str, int]


@dataclass(slots=True)
class Difference:
    """How the second run differs from the first, by case and level."""

    regressions: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    suites: tuple[str, ...] = ()
    """The digests of the suites that were asked, where they are not the same."""

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.regressions or self.mended or self.changed or self.new or self.gone)

    def lines(self) -> Iterator[str]:
        """Tell everything, what is worst first."""
        if self.suites:
            yield f"the suite is not the same: {self.suites[0]} before, {self.suites[1]} after"
        parts = [
            ("fails now", self.regressions), ("passes now", self.mended), ("changed", self.changed),
            ("not asked before", self.new), ("not asked any more", self.gone),
        ]  # fmt: skip
        for title, found in parts:
            if found:
                yield f"{title}: {len(found)}"
                yield from (f"  {line}" for line in found)
        if self.empty:
            yield "no difference"

    def data(self) -> dict[str, Any]:
        """Give it as data."""
        return {
            "schema": "canasta-run-difference/1", "regressions": self.regressions, "mended": self.mended,
            "changed": self.changed, "new": self.new, "gone": self.gone,
            "suites": list(self.suites),
        }  # fmt: skip


def difference(before: Report, after: Report) -> Difference:
    """Compare two runs, form by form."""
    asked = (str(before.head["suite"]), str(after.head["suite"]))
    found = Difference(suites=asked if asked[0] != asked[1] else ())
    forms = Counter((case, result["level"]) for (case, _), result in (before.by_form() | after.by_form()).items())

    def named(result: Record, told: str) -> str:
        which = f", form {result['form'] + 1}" if forms[result["case"], result["level"]] > 1 else ""
        return f"{result['case']}, level {result['level']}{which}: {told}"

    old, new = _asked(before), _asked(after)
    for key, result in new.items():
        if key not in old:
            (found.regressions if result["status"] in BAD else found.new).append(named(result, "newly asked"))
            continue
        earlier = old[key]
        if earlier["status"] == result["status"]:
            if _reasons(earlier) != _reasons(result):
                found.changed.append(named(result, f"{result['status']} for another reason"))
            continue
        told = named(result, f"{earlier['status']} → {result['status']}")
        if result["status"] in BAD and earlier["status"] not in BAD:
            found.regressions.append(told)
        elif result["status"] == Status.PASS:
            found.mended.append(told)
        else:
            found.changed.append(told)
    found.gone = [named(result, f"was {result['status']}") for key, result in old.items() if key not in new]
    return found


def _asked(report: Report) -> dict[Key, Record]:
    """Give what was judged, by case and level and the place among the forms."""
    return {key: r for key, r in report.by_form().items() if r["status"] not in NOT_ASKED}


def _reasons(result: Record) -> object:
    fault = result.get("fault", {})
    return result.get("differences"), result.get("promises"), fault.get("kind")
