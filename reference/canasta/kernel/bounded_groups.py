"""Groups of which not everything is known: those that lie and may grow, those that may be begun, and those that may be any."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from canasta.kernel.shapes import Form
from canasta.kernel.state import NOBODY, Group
from canasta.language.intervals import FAR, Bag, Range

if TYPE_CHECKING:
    from canasta.kernel.outlook import Outlook


class Lying:
    """A group seen within bounds; what may come to it is worked out only when an expression asks for it."""

    __slots__ = ("_group", "_outlook", "_room", "gid", "marks", "rank", "shape", "suit")

    def __init__(self, group: Group, outlook: "Outlook") -> None:
        """See a group with what the outlook says may still come to it."""
        self._group, self._outlook = group, outlook
        self._room: tuple[list[int], int, int] | None = None
        self.gid, self.shape, self.rank, self.suit = group.gid, group.shape, group.rank, group.suit
        self.marks = group.marks

    @property
    def room(self) -> tuple[list[int], int, int]:
        """What may come at most: how many of each kind, how many body cards in all, and how many fillers."""
        if self._room is None:
            self._room = self._outlook.room(self._group)
        return self._room

    @property
    def size(self) -> Range:
        """How many cards lie there."""
        _, bodies, fillers = self.room
        return (self._group.size, self._group.size + bodies + fillers)

    @property
    def body(self) -> Range:
        """How many of them are body cards."""
        return (self._group.body, self._group.body + self.room[1])

    @property
    def filler(self) -> Range:
        """How many of them fill."""
        return (self._group.filler, self._group.filler + self.room[2])

    @property
    def was(self) -> Range:
        """How many there were when the play began."""
        return (self._group.was, self._group.was + self._outlook.joining(self._group))

    @property
    def turn(self) -> Range:
        """The turn in which the group was begun."""
        return (self._group.turn, self._group.turn)

    @property
    def cards(self) -> Bag:
        """The cards of the group."""
        more, bodies, fillers = self.room
        return raised(self._group.cards, more, bodies + fillers)

    @property
    def added(self) -> Bag:
        """What the current play added, to it and to a group that may become part of it."""
        more, most = self._outlook.coming(self._group)
        return raised(self._group.added, more, most)


class AnyGroup:
    """A group of which nothing is known: it may yet have any shape, any size and any cards."""

    shape: int | None = None
    rank: int | None = None
    suit: int | None = None
    gid = NOBODY
    marks: tuple[int, ...] | None = None
    size = body = filler = was = turn = (0, FAR)

    def __init__(self, everything: list[int]) -> None:
        """Take the bag of the whole pack."""
        self.cards = self.added = Bag([0] * len(everything), everything, 0, sum(everything))


class Begun:
    """A group that may yet be begun: its form and what its body shares are known, its size only within bounds."""

    __slots__ = ("_body", "_cards", "_filler", "_form", "_held", "_key", "_turn", "rank", "shape", "suit")

    gid = NOBODY
    marks: tuple[int, ...] = ()
    was: Range = (0, 0)

    def __init__(self, form: Form, key: int, held: Sequence[tuple[int, int]], turn_no: int) -> None:
        """Take the form, what the body shares, and what is held of each kind that could go there."""
        self._form, self._key, self._held = form, key, held
        self.shape = form.index
        self.rank, self.suit = (key, NOBODY) if form.same == "rank" else (NOBODY, key)
        self._body = min(sum([n for k, n in held if form.body[k]]), form.most[0])
        self._filler = min(sum([n for k, n in held if not form.body[k]]), form.most[1])
        self._turn = turn_no
        self._cards: Bag | None = None

    @property
    def size(self) -> Range:
        """How many cards it may have."""
        return (1, self._body + self._filler)

    @property
    def body(self) -> Range:
        """How many of them may be body cards."""
        return (0, self._body)

    @property
    def filler(self) -> Range:
        """How many of them may fill."""
        return (0, self._filler)

    @property
    def turn(self) -> Range:
        """The turn in which it would be begun: this one."""
        return (self._turn, self._turn)

    @property
    def cards(self) -> Bag:
        """The cards that may be there."""
        if self._cards is None:
            high = [0] * len(self._form.body)
            for kind, n in self._held:
                high[kind] = n
            self._cards = Bag([0] * len(high), high, 0, sum(high))
        return self._cards

    @property
    def added(self) -> Bag:
        """What the play would add: all of it."""
        return self.cards


def raised(counts: list[int], more: list[int], most: int) -> Bag:
    """Make a bag to which cards may come."""
    n = sum(counts)
    return Bag(counts, [a + b for a, b in zip(counts, more, strict=True)], n, n + most)
