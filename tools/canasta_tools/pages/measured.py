"""The page of measured speeds, from the run of the benchmarks that is kept."""

from typing import Any

from canasta_tools.bench.stored import stored
from canasta_tools.rulebook.markdown import plain, render, table


def measured_page() -> str:
    """Write a table for each race."""
    told = stored()
    races = [
        {
            "title": plain(race["title"]),
            "unit": race["unit"],
            "measure": race["measure"],
            "repeats": race["repeats"],
            "table": table(["", "ratio", "worst to best run"], [_row(place) for place in race["places"]]),
            "absent": [plain(reason) for reason in race["absent"]],
        }
        for race in told["races"]
    ]
    return render(
        "measured.md.j2",
        races=races,
        machine=told["machine"],
        python=told["python"],
        versions=told["versions"],
        seeds=told["seeds"],
    )


def _row(place: dict[str, Any]) -> list[str]:
    return [plain(place["name"]), _short(place["ratio"]), f"{_short(place['low'])} to {_short(place['high'])}"]


def _short(ratio: float) -> str:
    return f"{ratio:.3g}"
