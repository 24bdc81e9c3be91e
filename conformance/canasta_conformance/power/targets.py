"""What the suite of this project must reach, and which of it a measurement misses."""

from typing import Any, Final

from canasta_conformance.power.equivalents import MOST

LEAST: Final = 0.95
"""No smaller share of the mutants may be killed, those set aside that change nothing."""


def missed(told: dict[str, Any]) -> list[str]:
    """List the targets that the figures of a measurement miss; each with what is so instead."""
    found = [
        f"{what}: {told[shown]} of {told[of]}, and all must be"
        for what, shown, of in (
            ("clauses shown on both sides", "clauses_both_sides", "clauses"),
            ("codes shown alone", "codes_alone", "codes"),
        )
        if told[shown] < told[of]
    ]
    killed, of = told["killed"], told["mutants"] - told["equivalent"]
    if killed < LEAST * of:
        found.append(f"mutants killed: {killed} of {of}, and at least {LEAST:.0%} must be")
    found += [
        f"mutants killed in {area}: {share['killed']} of {share['of']}, and all must be"
        for area, share in told["areas"].items()
        if share["killed"] < share["of"]
    ]
    if told["equivalent"] > MOST * told["mutants"]:
        found.append(
            f"mutants called equivalent: {told['equivalent']} of {told['mutants']}, and {MOST:.0%} is the most"
        )
    return found
