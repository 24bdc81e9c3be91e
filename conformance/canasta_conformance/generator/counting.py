"""Counting tables: small positions in which every play is counted, to a stated depth, with the count after each first play."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from canasta_conformance.generator.general import General, left_out, told_of
from canasta_conformance.generator.small import SMALL, small_position
from canasta_conformance.inprocess.plays import Plays
from canasta_conformance.inprocess.positions import to_state

Data = dict[str, Any]

TURNS: Final = 2
"""How many turns are counted in a position that is found: one after each first play."""

MOST_SHOWN: Final = 60
"""So many first plays are told one by one; of more only the sum."""


def counts(of: General) -> Iterator[Data]:
    """Make the counting tables of a rule set: of the positions that are written for it, else of a small one that is found."""
    plays = Plays(of.game)
    for name, text, depths in _tables(of):
        given, position = of.position(text)
        state = to_state(of.game, position)
        for depth in depths:
            divide = plays.divide(state, depth)
            expect: Data = {"value": sum(divide.values())}
            if len(divide) <= MOST_SHOWN:
                expect["divide"] = divide
            asked = {"op": "count", "depth": depth}
            form = {
                "level": 1,
                "exchange": [
                    {"send": {"op": "load", "ruleset": of.name, "position": position}},
                    {"send": asked, "expect": expect},
                ],
            }
            yield of.case(
                f"count-{name}-{depth}", "count", given, {"count": depth, "expect": {"value": expect["value"]}}, form
            )


def _tables(of: General) -> Iterator[tuple[str, str, Sequence[int]]]:
    """List the positions, each with its name and the depths to which it is counted."""
    told = told_of("counting", of.name)
    for name, table in told.items():
        yield name, table["given"], range(1, table["depth"] + 1)
    if not told and not left_out("counting", of.name):
        yield SMALL, small_position(of), (TURNS,)
