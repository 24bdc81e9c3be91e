"""An example that was written for a table of four, carried over to another table: places are kept, names change."""

import re
from typing import Final, cast

from canasta.language.ruleset import Example, Table
from canasta.playing.seats import COMPASS, seats_of

_FOUR: Final = COMPASS[4]
_PAIRS: Final = {"NS": 0, "EW": 1}
_NAMED: Final = re.compile(r"(?<![A-Za-z0-9_])(NS|EW|[NESW])(?![A-Za-z0-9_])")


def reseated(example: Example, table: Table) -> Example:
    """Name seats and sides of a table of four as the table does that the example is carried out at.

    North is the first seat, East the second; ``NS`` is the side of the first seat, ``EW`` that of the second. A seat that
    the table does not have keeps its name, so that the position is told to be impossible there.
    """
    seats = seats_of(table)
    if seats.names == tuple(_FOUR) and set(seats.sides) == set(_PAIRS):
        return example

    def named(found: re.Match[str]) -> str:
        name = found[0]
        if name in _PAIRS:
            return next(seats.sides[i] for i, side in enumerate(table.sides) if _PAIRS[name] in side)
        at = _FOUR.index(name)
        return seats.names[at] if at < len(seats.names) else name

    def all_of(value: object) -> object:
        if isinstance(value, dict):
            return {all_of(key): all_of(told) for key, told in cast("dict[object, object]", value).items()}
        return _NAMED.sub(named, value) if isinstance(value, str) else value

    return example._replace(given=str(all_of(example.given)), expect=all_of(example.expect))
