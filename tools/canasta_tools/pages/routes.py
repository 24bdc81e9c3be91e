"""The page of routes: by which ways the suite comes to each rule about going out, the pile and the initial meld."""

from collections.abc import Sequence
from typing import Any

from canasta_conformance.power.routes import Row, rows
from canasta_conformance.power.ways import Map, Way, routes
from canasta_conformance.suite import Suite
from canasta_tools.rulebook.markdown import code as as_code
from canasta_tools.rulebook.markdown import plain, render, table


def routes_page(suite: Suite) -> str:
    """Write a table for each clause: ways down, rule sets across."""
    told = routes()
    found = rows(told, suite)
    sorts = [
        {
            "title": sort.title,
            "about": sort.about,
            "clauses": [
                _clause(told, suite, [row for row in found if row.clause == clause]) for clause in sort.clauses
            ],
        }
        for sort in told.sorts
    ]
    apart: dict[str, list[str]] = {}
    for clause, because in told.apart.items():
        apart.setdefault(because, []).append(as_code(clause))
    reasons = [f"{', '.join(clauses)}: {because}." for because, clauses in apart.items()]
    return render("routes.md.j2", sorts=sorts, apart=reasons)


def _clause(told: Map, suite: Suite, own: Sequence[Row]) -> dict[str, Any]:
    """Write the part of one clause."""
    own = sorted(own, key=lambda row: row.ruleset)
    ways = [way for way in told.ways_to(own[0].clause) if any(_speaks(told, row, way) for row in own)]
    lines = [[plain(way.name), *(_cell(told, row, way) for row in own), _instance(suite, own, way)] for way in ways]
    head = ["way", *(as_code(row.ruleset) for row in own), "for instance"]
    closed = [one for one in told.closed if one.clause == own[0].clause]
    return {
        "id": own[0].clause,
        "title": plain(min(own, key=lambda row: row.varies).title),
        "codes": ", ".join(as_code(code) for code in dict.fromkeys(code for row in own for code in row.codes)),
        "table": table(head, lines),
        "reasons": [f"{', '.join(one.ways)}{_within(one.rulesets)}: {one.because}." for one in closed],
    }


def _within(rulesets: Sequence[str]) -> str:
    return f" (in {', '.join(as_code(name) for name in rulesets)})" if rulesets else ""


def _speaks(told: Map, row: Row, way: Way) -> bool:
    """Ask whether a row has anything to say of a way."""
    return way.name in row.wanted or bool(row.wrong.get(way.name)) or _closed(told, row, way)


def _closed(told: Map, row: Row, way: Way) -> bool:
    return way.name in row.ways and bool(told.why_not(row.ruleset, row.clause, way))


def _cell(told: Map, row: Row, way: Way) -> str:
    """Write how many cases break the clause on a way and how many keep it; a dot where nothing must be asked of this rule set."""
    wrong, legal = len(row.wrong.get(way.name, ())), len(row.legal.get(way.name, ()))
    if _closed(told, row, way):
        return "no way"
    return f"{wrong} / {legal}" if wrong or way.name in row.wanted else "·"


def _instance(suite: Suite, own: Sequence[Row], way: Way) -> str:
    """Show the turn of one case that breaks the clause on a way, of a rule set that varies no other one if there is one."""
    wrong = [id_ for row in sorted(own, key=lambda row: row.varies) for id_ in row.wrong.get(way.name, ())]
    if not wrong:
        return ""
    (step,) = suite.cases[wrong[0]].data["steps"]
    return as_code(step["turn"]["text"])
