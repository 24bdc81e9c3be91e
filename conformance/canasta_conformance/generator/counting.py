"""Counting tables: small positions in which every play is counted, to a stated depth, with the count after each first play."""

from collections.abc import Iterator
from typing import Any, Final

from canasta_conformance.generator.general import General, told_of
from canasta_conformance.inprocess.plays import Plays
from canasta_conformance.inprocess.positions import to_state

Data = dict[str, Any]

MOST_SHOWN: Final = 60
"""So many first plays are told one by one; of more only the sum."""


def counts(of: General) -> Iterator[Data]:
    """Make the counting tables of a rule set."""
    plays = Plays(of.game)
    for name, table in told_of("counting", of.name).items():
        given, position = of.position(table["given"])
        state = to_state(of.game, position)
        for depth in range(1, table["depth"] + 1):
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
            yield of.case(f"count-{name}-{depth}", "count", given, {"count": depth, "expect": expect}, form)
