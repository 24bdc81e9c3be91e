"""Where things lie at a drawn table: whoever acts sits nearest, the others around, melds before their side, the piles in the middle.

Nothing here knows a game: a place belongs to a seat, to a side or to the table, and that says where it is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from canasta.kernel.state import State
from canasta.language.ruleset import Owner
from canasta.playing.seats import Seats
from canasta_tools.rulebook.cards import Face


@dataclass(frozen=True, slots=True)
class Row:
    """What lies in one place: groups of faces, the number of cards that lie face down, and what is said beside it.

    ``stacked`` cards lie on each other, the last one on top; ``across`` numbers those that lie crosswise.
    """

    label: str
    groups: tuple[tuple[Face, ...], ...]
    unknown: int = 0
    stacked: bool = False
    notes: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()
    """Names of definitions that hold there."""
    of: Owner = Owner.TABLE
    owner: int = 0
    name: str = ""
    """What the place is called beside the seat that it belongs to; nothing for the cards that a player holds."""
    across: tuple[int, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no card lies there."""
        return not self.groups and not self.unknown


@dataclass(frozen=True, slots=True)
class Chair:
    """One who sits at the table, and the cards that are theirs alone."""

    seat: str
    rows: tuple[Row, ...]
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Seating:
    """A drawn table, from the side of the one who acts: neighbours left and right, everybody else opposite."""

    near: Chair
    left: Chair | None
    far: tuple[Chair, ...]
    right: Chair | None
    own: tuple[Row, ...]
    """What lies before the side that acts."""
    others: tuple[Row, ...]
    middle: tuple[Row, ...]


def seated(state: State, seats: Seats, actor: str, rows: Sequence[Row]) -> Seating:
    """Seat those who play, clockwise as they take turns, and give each place to whom it belongs."""
    playing = state.playing
    acting = seats.seat(actor)
    first = acting if acting in playing else playing[0]
    at = playing.index(first)
    order = (*playing[at:], *playing[:at])
    near, *rest = (_chair(seat, seats, rows, acts=seat == acting) for seat in order)
    side = state.side_of[first]
    beside = [row for row in rows if row.of is Owner.SIDE]
    # Two sit opposite each other; with more the next to play sits at the left, and the last one at the right.
    alone = len(rest) == 1
    return Seating(
        near=near,
        left=rest[0] if not alone and rest else None,
        far=tuple(rest if alone else rest[1:-1]),
        right=rest[-1] if not alone and rest else None,
        own=tuple(row for row in beside if row.owner == side),
        others=tuple(row for row in beside if row.owner != side),
        middle=tuple(row for row in rows if row.of is Owner.TABLE),
    )


def _chair(seat: int, seats: Seats, rows: Sequence[Row], *, acts: bool) -> Chair:
    theirs = tuple(row for row in rows if row.of is Owner.SEAT and row.owner == seat)
    return Chair(seats.names[seat], theirs, acts)
