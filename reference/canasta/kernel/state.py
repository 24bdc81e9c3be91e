"""What a game looks like at one moment: zones, variables, whose turn it is, and the play that is being composed."""

from functools import cache
from typing import Any, ClassVar, Final, Protocol

from canasta.kernel.acts import Move, Ruling

NOBODY: Final = -1


class Stack:
    """Ordered cards, the last one on top, with the counts kept beside them."""

    __slots__ = ("cards", "counts")

    def __init__(self, cards: list[int], counts: list[int]) -> None:
        """Take cards and their counts as they are."""
        self.cards = cards
        self.counts = counts

    def copy(self) -> "Stack":
        """Make an independent copy."""
        return Stack(self.cards[:], self.counts[:])

    def push(self, card: int) -> None:
        """Put a card on top."""
        self.cards.append(card)
        self.counts[card] += 1

    def pop(self) -> int:
        """Take the top card."""
        card = self.cards.pop()
        self.counts[card] -= 1
        return card


class Group:
    """Cards that lie together: never changed, but replaced by a larger one.

    ``was`` is its size when the current play began and ``added`` what this play put there; both are settled by a commit.
    ``shape`` is -1 for cards that form none. ``key`` is the rank or suit that its body shares.
    """

    __slots__ = (
        "added",
        "body",
        "cards",
        "filler",
        "gid",
        "key",
        "marks",
        "rank",
        "shape",
        "size",
        "suit",
        "turn",
        "was",
    )

    def __init__(self, gid: int, shape: int, turn: int, cards: list[int]) -> None:
        """Begin a group; the shape's checker fills in what follows from its cards."""
        self.gid, self.shape, self.turn, self.cards = gid, shape, turn, cards
        self.size, self.body, self.filler, self.key, self.rank, self.suit = sum(cards), 0, 0, NOBODY, NOBODY, NOBODY
        self.was = 0
        self.added: list[int] = cards
        self.marks: tuple[int, ...] = ()

    def copy(self) -> "Group":
        """Make an independent copy; the bags are shared because they are never changed in place."""
        twin = Group.__new__(Group)
        for name in Group.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


class Part:
    """What one part of a play did: which cards it put where, and whether it took the top of a stack."""

    __slots__ = ("act", "cards", "gid", "owner", "stage", "top", "zone")

    def __init__(  # noqa: PLR0913, PLR0917 - seven plain facts, made in one place
        self, act: int, gid: int, zone: int, owner: int, cards: list[int], top: int, stage: int
    ) -> None:
        """Record a part: ``cards`` is the bag that came from the hand, ``top`` the card taken from a stack, -1 for none."""
        self.act, self.gid, self.zone, self.owner = act, gid, zone, owner
        self.cards, self.top, self.stage = cards, top, stage


NOTHING_BOUND: Final[dict[str, Any]] = {}
NO_CARDS: Final[list[int]] = []


class Context:
    """What an act gives to the expressions that judge it, beside the seat and the side."""

    __slots__ = ("bound", "card", "from_hand", "group", "left", "option", "runtime", "top_card", "trace")

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self.card = NOBODY
        self.option = NOBODY
        self.left = 0
        self.top_card = NOBODY
        self.from_hand: list[int] = NO_CARDS
        self.group: Group | None = None
        self.runtime: Possibilities | None = None
        self.trace: list[tuple[int, object]] | None = None
        self.bound: dict[str, Any] = NOTHING_BOUND


class Possibilities(Protocol):
    """Answers whether some legal part of an act exists; the lister of legal acts is one."""

    def strands(self, state: "State", move: Move) -> Ruling:
        """Judge an act that is legal only if its player is left with a way to end the turn."""
        ...

    def stuck(self, state: "State") -> bool:
        """Say whether the seat to act has no legal act at all."""
        ...

    def possible(self, state: "State", act: str, *, onto: bool) -> bool:
        """Say whether the seat to act has a legal part or act of that name, joining a group that lies already if ``onto``."""
        ...


SHARED: Final = (
    "base", "deal_no", "dealer", "draft", "laid", "next_gid", "over", "parts", "phase", "reason", "seat", "side_of", "sides",
    "stage", "turn_no", "turn_seat",
)  # fmt: skip


class State:
    """A moment of a game. Treat it as a value: the doors of the game never change a state that they were given.

    A class made by :func:`state_class` adds a slot for each zone (``z0`` …) and variable (``v0`` …). A zone or variable of the table
    holds its content, one of seats or sides a list by seat or side.
    """

    __slots__ = SHARED

    places: ClassVar[tuple[str, ...]] = ()

    seat: int
    phase: int
    turn_no: int
    turn_seat: int
    dealer: int
    deal_no: int
    side_of: list[int]
    sides: list[int]
    parts: list[Part]
    stage: int
    laid: list[int]
    next_gid: int
    over: bool
    reason: str
    draft: int
    base: "State | None"

    def zone(self, index: int) -> Any:  # noqa: ANN401 - a zone holds a stack, a bag or groups, or a list of them
        """Read the content of a zone by its number."""
        return getattr(self, f"z{index}")

    def variable(self, index: int) -> Any:  # noqa: ANN401 - a variable holds a number, a bag, or a list of them
        """Read a variable by its number."""
        return getattr(self, f"v{index}")

    def copy(self) -> "State":
        """Make an independent copy."""
        twin: State = object.__new__(type(self))
        twin.base, twin.deal_no, twin.dealer, twin.draft, twin.next_gid = (
            self.base,
            self.deal_no,
            self.dealer,
            self.draft,
            self.next_gid,
        )
        twin.over, twin.phase, twin.reason, twin.seat, twin.stage = (
            self.over,
            self.phase,
            self.reason,
            self.seat,
            self.stage,
        )
        twin.turn_no, twin.turn_seat = self.turn_no, self.turn_seat
        twin.laid, twin.parts = self.laid[:], self.parts[:]
        twin.side_of, twin.sides = self.side_of[:], self.sides[:]
        for name in self.places:
            setattr(twin, name, copied(getattr(self, name)))
        return twin


def copied(content: Any) -> Any:  # noqa: ANN401 - as above
    """Copy the content of a zone or variable; groups and parts are values and are shared."""
    kind = type(content)
    if kind is int:
        return content
    if kind is Stack:
        return content.copy()
    if kind is list and content:
        kind = type(content[0])
        if kind is list:
            return [x[:] for x in content]
        if kind is Stack:
            return [x.copy() for x in content]
    return content[:]


@cache
def state_class(zones: int, variables: int) -> type[State]:
    """Make the class of states of a game with so many zones and variables."""
    places = (*(f"z{i}" for i in range(zones)), *(f"v{i}" for i in range(variables)))
    return type("GameState", (State,), {"__slots__": places, "places": places})
