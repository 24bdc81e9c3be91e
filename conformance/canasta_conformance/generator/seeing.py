"""What one seat may see: its own hand and all that lies open; of the rest no card, but how many there are."""

from collections.abc import Iterator
from typing import Any

from canasta_conformance.generator.general import General, told_of
from canasta_conformance.inprocess.positions import observed, to_state

Data = dict[str, Any]


def seen(of: General) -> Iterator[Data]:
    """Ask, of every seat, what it may see."""
    for name, text in told_of("seeing", of.name).items():
        given, position = of.position(text)
        state = to_state(of.game, position)
        whole = observed(of.game, state)
        for seat in (n.partition(".")[2] for n in whole["zones"] if n.startswith("hand.")):
            zones = observed(of.game, state, seat)["zones"]
            hidden = {n: n_hidden for n, cards in zones.items() if (n_hidden := cards.count("?"))}
            told = {n: cards for n, cards in zones.items() if "?" not in cards and whole["zones"][n]}
            expect: Data = {"zones": told, "hidden": hidden}
            form = {
                "level": 1,
                "exchange": [
                    {"send": {"op": "load", "ruleset": of.name, "position": position}},
                    {"send": {"op": "observe", "seat": seat}, "expect": expect},
                ],
            }
            slug = f"seen-{name}-by-{seat.lower()}"
            yield of.case(
                slug, "observation", given, {"seen_by": seat, "expect": {"seen": told, "hidden": hidden}}, form
            )
