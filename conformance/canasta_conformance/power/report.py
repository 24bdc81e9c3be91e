"""The whole of a measurement, as figures and as a report for a person."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from canasta_conformance.places import folder
from canasta_conformance.power.measuring import Measured, Outcome
from canasta_conformance.power.trials import ERROR, OVERTIME, Fate
from canasta_conformance.tiers import Core

NO_MUTANT: Final = (Fate.STILLBORN, Fate.SAME)
Data = dict[str, Any]


@dataclass(slots=True)
class Power:
    """Everything that was measured."""

    suite: str
    measured: list[Measured]
    outcomes: list[Outcome]
    equivalent: frozenset[str] = frozenset()
    complaints: list[str] = field(default_factory=list)
    positions: dict[str, str] = field(default_factory=dict)
    """For survivors: a position that tells them from the rules."""
    vacuous: dict[str, list[str]] = field(default_factory=dict)
    distances: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of each variant, how many changes it says, and how many of them an example shows."""
    core: Core | None = None
    """The fewest cases that notice as much; unknown where not every case was asked about each mutant."""
    seen: Mapping[str, int] = field(default_factory=dict)
    """How many mutants are killed as those see it who can ask less."""
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def tried(self) -> list[Outcome]:
        """The mutants that are some."""
        return [o for o in self.outcomes if o.fate not in NO_MUTANT]

    @property
    def survivors(self) -> list[Outcome]:
        """The mutants that no case that asserts the clause notices, but for those that change nothing."""
        return [o for o in self.tried if o.fate is not Fate.KILLED and o.mutant.id not in self.equivalent]

    def false_links(self) -> list[tuple[str, str]]:
        """List cases that assert a clause and notice none of its mutants."""
        killing = {(n.case, clause) for o in self.tried for n in o.killers for clause in o.mutant.clauses}
        changed = {(o.mutant.ruleset, clause) for o in self.tried for clause in o.mutant.clauses}
        return [
            (case, clause)
            for m in self.measured
            for case, clauses in m.asserted.items()
            for clause in clauses
            if (m.ruleset, clause) in changed and (case, clause) not in killing
        ]


def rate(outcomes: Iterable[Outcome], equivalent: frozenset[str]) -> tuple[int, int, float]:
    """Give how many were killed, of how many, and the share."""
    counted = [o for o in outcomes if o.fate not in NO_MUTANT and o.mutant.id not in equivalent]
    killed = sum(o.fate is Fate.KILLED for o in counted)
    return killed, len(counted), killed / len(counted) if counted else 1.0


def figures(power: Power) -> Data:
    """Give everything as data."""
    fates = Counter(o.fate for o in power.outcomes)
    sides = [s for m in power.measured for s in m.sides]
    codes = [(m.ruleset, code, alone) for m in power.measured for code, alone in m.codes.items()]
    killed, of, share = rate(power.outcomes, power.equivalent)
    return {
        "suite": power.suite, "mutants": len(power.tried), "killed": killed, "equivalent": len(power.equivalent),
        "survivors": len(power.survivors), "kill_rate": round(share, 4),
        "killed_elsewhere": sum(o.fate is Fate.ELSEWHERE for o in power.survivors),
        "stillborn": fates[Fate.STILLBORN], "same": fates[Fate.SAME],
        "killed_by_time": _killed_only_by(OVERTIME, power), "killed_by_error": _killed_only_by(ERROR, power),
        "clauses": len(sides), "clauses_both_sides": sum(not s.lacking for s in sides),
        "custom": sum(m.custom for m in power.measured), "codes": len(codes), "codes_alone": sum(a for _, _, a in codes),
        "conditions": sum(m.conditions.conditions for m in power.measured),
        "conditions_alone": sum(m.conditions.alone for m in power.measured),
        "boundaries": sum(m.conditions.boundaries for m in power.measured),
        "boundaries_met": sum(m.conditions.at_the_boundary for m in power.measured),
        "links": sum(m.links for m in power.measured), "links_untraced": sum(len(m.untraced) for m in power.measured),
        "links_false": None if power.core is None else len(power.false_links()),
        "changes": sum(n for n, _ in power.distances.values()), "changes_shown": sum(n for _, n in power.distances.values()),
        "views": {view: {"killed": n, "of": of, "rate": round(n / of, 4) if of else 1.0} for view, n in power.seen.items()},
        "core": None if power.core is None else len(power.core),
        "core_forms": None if power.core is None else sum(map(len, power.core.values())),
        "documentation": None if power.core is None else sum(len(m.seen) for m in power.measured) - len(power.core),
        "rulesets": {m.ruleset: _of_ruleset(power, m) for m in power.measured},
        "areas": {area: _share([o for o in power.outcomes if of & set(o.mutant.chapters)], power) for area, of in areas().items()},
        "operators": {
            operator: _share([o for o in power.outcomes if o.mutant.operator == operator], power)
            for operator in sorted({o.mutant.operator for o in power.outcomes})
        },
        "codes_not_alone": [f"{ruleset}/{code}" for ruleset, code, alone in codes if not alone],
        "codes_by_no_turn": [
            f"{m.ruleset}/{code}: {why}" for m in power.measured for code, why in m.codes_apart.items()
        ],
        "one_sided": [f"{s.ruleset}/{s.clause}: {', '.join(s.lacking)}" for s in sides if s.lacking],
        "survivor_list": [_survivor(o, power) for o in power.survivors],
        "never_in_play": power.vacuous, "complaints": power.complaints,
    }  # fmt: skip


def _killed_only_by(by: str, power: Power) -> int:
    """Count the mutants that cases notice by this alone, and never by a wrong verdict, code, state or score."""
    return sum(bool(o.killers) and all(n.by == by for n in o.killers) for o in power.tried)


@cache
def areas() -> Mapping[str, frozenset[str]]:
    """Read which chapters belong to the areas in which nothing at all may survive; they are game words, and stand in a file."""
    told = json.loads((folder("power") / "areas.json").read_text(encoding="utf-8"))
    return {area: frozenset(chapters) for area, chapters in told["areas"].items()}


def _share(outcomes: list[Outcome], power: Power) -> Data:
    killed, of, share = rate(outcomes, power.equivalent)
    return {"killed": killed, "of": of, "rate": round(share, 4)}


def _of_ruleset(power: Power, measured: Measured) -> Data:
    own = [o for o in power.outcomes if o.mutant.ruleset == measured.ruleset]
    changes, shown = power.distances.get(measured.ruleset, (0, 0))
    return _share(own, power) | {
        "clauses": len(measured.sides), "clauses_both_sides": sum(not s.lacking for s in measured.sides),
        "codes": len(measured.codes), "codes_alone": sum(measured.codes.values()), "changes": changes, "changes_shown": shown,
    }  # fmt: skip


def _survivor(outcome: Outcome, power: Power) -> Data:
    mutant = outcome.mutant
    told: Data = {
        "mutant": mutant.id, "file": mutant.file, "line": mutant.line, "operator": mutant.operator, "before": mutant.fault.before,
        "after": mutant.fault.after, "formal": mutant.formal,
    }  # fmt: skip
    told |= {"noticed_by": outcome.elsewhere[0].case} if outcome.elsewhere else {}
    return told | ({"position": power.positions[mutant.id]} if mutant.id in power.positions else {})


def report(power: Power, *, everything: bool) -> str:
    """Tell a person how strong the suite is."""
    told = figures(power)
    lines = [*_summary(told), ""]
    tables = {**told["views"], **told["rulesets"], **told["areas"], **told["operators"]}
    lines += [_row(name, of) for name, of in tables.items()]
    shown = told["survivor_list"] if everything else told["survivor_list"][:20]
    lines += ["", "survivors:"] if shown else []
    for one in shown:
        lines += [f"  {one['file']}:{one['line']} {one['mutant']}"]
        lines += [f"    was: {one['before']}"]
        lines += [f"    noticed by {one['noticed_by']}"] if "noticed_by" in one else []
        lines += [f"    told apart by {one['position']}"] if "position" in one else []
    more = len(told["survivor_list"]) - len(shown)
    lines += [f"  … and {more} more; --all shows them"] if more else []
    lines += ["", "one side only:", *(f"  {x}" for x in told["one_sided"])] if everything and told["one_sided"] else []
    lines += (
        ["", "codes never alone:", *(f"  {x}" for x in told["codes_not_alone"])]
        if everything and told["codes_not_alone"]
        else []
    )
    lines += (
        ["", "wrong in the list of equivalents:", *(f"  {x}" for x in power.complaints)] if power.complaints else []
    )
    for ruleset, clauses in power.vacuous.items():
        lines += [f"never in play at random, {ruleset}: {', '.join(clauses)}"] if everything and clauses else []
    return "\n".join(lines)


def _summary(told: Data) -> list[str]:
    """Tell the figures of the whole, one line each."""
    rows = {
        "mutants of the rules": (
            f"{told['mutants']}: {told['killed']} killed, {told['equivalent']} change nothing, {told['survivors']} survive, "
            f"{told['killed_elsewhere']} of these noticed by other cases; kill rate {told['kill_rate']:.1%}"
        ),
        "killed only by": f"no answer in time {told['killed_by_time']}, an error {told['killed_by_error']}",
        "no mutants": f"{told['stillborn']} do not fit, {told['same']} are compiled to the same",
        "both sides": (
            f"{told['clauses_both_sides']} of {told['clauses']} clauses; "
            f"{told['custom']} bind people and are not executed"
        ),
        "codes alone": (
            f"{told['codes_alone']} of {told['codes']}; {len(told['codes_by_no_turn'])} more can be shown by no turn"
        ),
        "conditions alone": f"{told['conditions_alone']} of {told['conditions']}",
        "boundaries": f"{told['boundaries_met']} of {told['boundaries']}",
        "changes of variants": f"{told['changes_shown']} of {told['changes']} shown by an example",
        "links": (
            f"{told['links_untraced']} of {told['links']} not traced; "
            f"{_or_unknown(told['links_false'])} notice no mutant of the clause"
        ),
        "core": (
            "not measured; --full asks every case about each mutant"
            if told["core"] is None
            else f"{told['core_forms']} forms of {told['core']} cases notice all that is noticed; "
            f"{told['documentation']} other cases are documentation"
        ),
    }
    return [f"{name:22}{row}" for name, row in rows.items()]


def _or_unknown(figure: int | None) -> str:
    return "an unknown number" if figure is None else str(figure)


def _row(name: str, of: Data) -> str:
    sides = (
        f"  both sides {of['clauses_both_sides']}/{of['clauses']}  codes {of['codes_alone']}/{of['codes']}"
        if "clauses" in of
        else ""
    )
    return f"  {name:30}{of['killed']:5}/{of['of']:<5}{of['rate']:7.1%}{sides}"
