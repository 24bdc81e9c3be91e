"""How the results of races are told: a table for people, JSON for programs."""

from collections.abc import Iterable

from canasta_tools.bench.race import Result


def to_text(result: Result) -> str:
    """Tell a result as a small table, the yardstick first."""
    race = result.race
    width = max(len(place.name) for place in result.places)
    lines = [f"{race.title} (per {race.unit}; medians of {result.repeats}, {race.measure})"]
    lines += [
        f"  {place.name:<{width}}  {_times(place.ratio)}   [{_times(place.low)} .. {_times(place.high)}]"
        for place in result.places
    ]
    lines += [f"  not here: {reason}" for reason in race.absent]
    return "\n".join(lines)


def _times(ratio: float) -> str:
    return f"{ratio:8.3g} x"


def to_json(results: Iterable[Result]) -> dict[str, object]:
    """Tell results as plain values; every ratio has four digits, for more are noise."""
    return {
        "schema": 2,
        "measured": "cost a unit of work, as a ratio to the first contender: 2 is twice as fast, or half the memory",
        "races": [
            {
                "name": result.race.name,
                "title": result.race.title,
                "unit": result.race.unit,
                "measure": result.race.measure.value,
                "repeats": result.repeats,
                "places": [
                    {
                        "name": place.name,
                        "ratio": _four(place.ratio),
                        "low": _four(place.low),
                        "high": _four(place.high),
                    }
                    for place in result.places
                ],
                "absent": list(result.race.absent),
            }
            for result in results
        ],
    }


def _four(ratio: float) -> float:
    return float(f"{ratio:.4g}")
