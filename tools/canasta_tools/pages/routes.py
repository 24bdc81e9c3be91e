"""The page of routes: by which ways the suite asks each rule about going out, frozen piles and the minimum."""

from collections.abc import Sequence

from canasta_conformance.routes import CODES, NO_WAY, Route, Row, rows, ways
from canasta_conformance.suite import Suite
from canasta_tools.rulebook.markdown import code as as_code
from canasta_tools.rulebook.markdown import plain, render, table


def routes_page(suite: Suite) -> str:
    """Write a table for each code: ways down, rule sets across."""
    found = rows(suite)
    parts = []
    for code, kind in CODES.items():
        own = sorted(
            (row for row in found if row.code == code and ways(row.ruleset, code)), key=lambda row: row.ruleset
        )
        lines = [
            [plain(str(route)), *(_cell(row, route) for row in own), _instance(suite, own, route)] for route in kind
        ]
        head = ["way", *(as_code(row.ruleset) for row in own), "for instance"]
        reasons = [f"{route}: {reason}." for (of, route), reason in NO_WAY.items() if of == code]
        parts.append({"code": code, "table": table(head, lines), "reasons": reasons})
    return render("routes.md.j2", parts=parts)


def _cell(row: Row, route: Route) -> str:
    """Write how many cases are illegal and how many legal; a dot where nothing must be asked of this rule set."""
    wrong, legal = len(row.wrong.get(route, ())), len(row.legal.get(route, ()))
    if (row.code, route) in NO_WAY:
        return "no way"
    return f"{wrong} / {legal}" if wrong or route in ways(row.ruleset, row.code) else "·"


def _instance(suite: Suite, own: Sequence[Row], route: Route) -> str:
    """Show the turn of one such case, of classic if there is one."""
    wrong = [id_ for row in own for id_ in row.wrong.get(route, ())]
    if not wrong:
        return ""
    id_ = next((i for i in wrong if i.startswith("classic/")), wrong[0])
    (step,) = suite.cases[id_].data["steps"]
    return as_code(step["turn"]["text"])
