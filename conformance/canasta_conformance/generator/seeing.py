"""What one seat may see: its own hand and all that lies open; of the rest no card, but how many there are."""

from collections.abc import Iterator
from typing import Any

from canasta.playing.seats import seats_of
from canasta_conformance.generator.general import General, left_out, told_of
from canasta_conformance.generator.small import SMALL, small_position
from canasta_conformance.inprocess.positions import observed, to_state

Data = dict[str, Any]


def seen(of: General) -> Iterator[Data]:
    """Ask what a seat may see: of every seat in the positions that are written; of two where a small one is found.

    Who acts and who comes next are of two sides, and see what there is to see.
    """
    for name, text, every in _positions(of):
        given, position = of.position(text)
        state = to_state(of.game, position)
        whole = observed(of.game, state)
        names = seats_of(of.game.ruleset.table).names
        for seat in names if every else (names[state.seat], names[state.after[state.seat]]):
            zones = observed(of.game, state, seat)["zones"]
            hidden = {n: n_hidden for n, cards in zones.items() if (n_hidden := cards.count("?"))}
            open_ = {n: cards for n, cards in zones.items() if "?" not in cards and whole["zones"][n]}
            expect: Data = {"zones": open_, "hidden": hidden}
            form = {
                "level": 1,
                "exchange": [
                    {"send": {"op": "load", "ruleset": of.name, "position": position}},
                    {"send": {"op": "observe", "seat": seat}, "expect": expect},
                ],
            }
            slug = f"seen-{name}-by-{seat.lower()}"
            yield of.case(slug, "observation", given, {"seen_by": seat, "expect": {"hidden": hidden}}, form)


def _positions(of: General) -> Iterator[tuple[str, str, bool]]:
    """List the positions, each with its name, and whether every seat looks."""
    told = told_of("seeing", of.name)
    yield from ((name, text, True) for name, text in told.items())
    if not told and not left_out("seeing", of.name):
        yield SMALL, small_position(of), False
