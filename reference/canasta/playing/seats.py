"""The names of seats and sides: ``N E S W`` clockwise from seat 0, and sides called by their seats, ``NS``."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from canasta.kernel.state import NOBODY
from canasta.language.ruleset import Owner, Table

COMPASS: Final = {1: "N", 2: "NS", 3: "NES", 4: "NESW"}
LETTERS: Final = "ABCDEFGHIJKL"
NO_SEAT: Final = "nobody"
"""How the value of a variable that names no seat is written."""
_NAME = re.compile(r"[^\W\d_][0-9]?")


class Seats(NamedTuple):
    """The names of one table: ``names`` by seat, in order of play, ``sides`` by side as the rule set numbers them."""

    names: tuple[str, ...]
    sides: tuple[str, ...]

    def seat(self, name: str) -> int | None:
        """Find a seat by its name."""
        return self.names.index(name) if name in self.names else None

    def value(self, name: str) -> int | None:
        """Find the seat that is the value of a variable, which may be nobody's."""
        return NOBODY if name == NO_SEAT else self.seat(name)

    def written(self, value: int) -> str:
        """Name the seat that is the value of a variable."""
        return NO_SEAT if value == NOBODY else self.names[value]

    def side(self, name: str) -> int | None:
        """Find a side by its name; its seats may be named in any order."""
        if name in self.sides:
            return self.sides.index(name)
        wanted = sorted(_NAME.findall(name))
        return next((i for i, s in enumerate(self.sides) if sorted(_NAME.findall(s)) == wanted), None)

    def owner(self, of: Owner, name: str) -> int | None:
        """Find a seat or side by its name, as the place that it owns asks for."""
        return self.seat(name) if of is Owner.SEAT else self.side(name)

    def owners(self, of: Owner) -> tuple[str, ...]:
        """List the names of all seats or all sides; a place of the table has no owner."""
        return {Owner.SEAT: self.names, Owner.SIDE: self.sides}.get(of, ())

    def party(self, seats: Sequence[int]) -> str:
        """Name a side by its seats, in the order given."""
        return "".join(self.names[s] for s in seats)

    def members(self, text: str) -> list[int] | None:
        """Find the seats that the name of a side is made of, in the order written; nothing when one is unknown."""
        found = [self.seat(name) for name in _NAME.findall(text)]
        known = [s for s in found if s is not None]
        return known if text and len(known) == len(found) and "".join(self.names[s] for s in known) == text else None


def seats_of(table: Table, names: Sequence[str] = ()) -> Seats:
    """Name the seats of a table; without ``names`` by the compass, more than four by letters from A."""
    default = COMPASS.get(table.seats, LETTERS[: table.seats])
    chosen = tuple(names) if len(names) == table.seats else tuple(default)
    return Seats(chosen, tuple("".join(chosen[s] for s in side) for side in table.sides))
