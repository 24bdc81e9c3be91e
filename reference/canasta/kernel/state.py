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

    def draw_bottom(self) -> int:
        """Take the bottom card."""
        card = self.cards.pop(0)
        self.counts[card] -= 1
        return card

    def fill(self, cards: list[int]) -> None:
        """Put cards on an empty stack, the last one on top."""
        self.cards[:] = cards
        for card in cards:
            self.counts[card] += 1

    def empty(self) -> list[int]:
        """Take all cards, and give them from the bottom up."""
        cards = self.cards[:]
        self.cards.clear()
        self.counts[:] = [0] * len(self.counts)
        return cards

    def pop(self) -> int:
        """Take the top card."""
        card = self.cards.pop()
        self.counts[card] -= 1
        return card


class Group:
    """Cards that lie together: never changed, but replaced by a larger one.

    ``was`` is its size when the current play began and ``added`` what this play put there; both are settled by a commit.
    ``shape`` is -1 for cards that form none. ``key`` is the rank or suit that its body shares. ``takes`` are the kinds of which a card
    may join it, once somebody has asked; a copy, which is there to be changed, forgets them.
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
        "takes",
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
        self.takes: tuple[int, ...] | None = None

    def copy(self) -> "Group":
        """Make an independent copy; the bags are shared because they are never changed in place."""
        twin = Group.__new__(Group)
        twin.gid, twin.shape, twin.turn, twin.cards, twin.size = self.gid, self.shape, self.turn, self.cards, self.size
        twin.body, twin.filler, twin.key, twin.rank, twin.suit = self.body, self.filler, self.key, self.rank, self.suit
        twin.was, twin.added, twin.marks, twin.takes = self.was, self.added, self.marks, None
        return twin


class Part:
    """What one part of a play did: which cards it put where, and whether it took the top of a stack."""

    __slots__ = ("act", "cards", "gid", "owner", "stage", "top", "unites", "zone")

    def __init__(  # noqa: PLR0913, PLR0917 - eight plain facts, made in few places
        self, act: int, gid: int, zone: int, owner: int, cards: list[int], top: int, stage: int, *, unites: bool = False
    ) -> None:
        """Record a part: ``cards`` is the bag that came from the hand, ``top`` the card taken from a stack, -1 for none.

        With ``unites`` another group became part of this one, and ``cards`` are those of it that lay before the play.
        """
        self.act, self.gid, self.zone, self.owner = act, gid, zone, owner
        self.cards, self.top, self.stage, self.unites = cards, top, stage, unites

    def gone_to(self, gid: int) -> "Part":
        """Give the same part, its group having become part of another."""
        return Part(self.act, gid, self.zone, self.owner, self.cards, self.top, self.stage, unites=self.unites)


NOTHING_BOUND: Final[dict[str, Any]] = {}
NO_CARDS: Final[list[int]] = []


class Context:
    """What an act gives to the expressions that judge it, beside the seat and the side; it begins with nothing chosen.

    The defaults stand on the class, because most acts set one or two of these and a context is made for every question.
    """

    card: int = NOBODY
    option: int = NOBODY
    left: int = 0
    top_card: int = NOBODY
    from_hand: list[int] = NO_CARDS
    group: Group | None = None
    runtime: "Possibilities | None" = None
    trace: list[tuple[int, object]] | None = None
    bound: dict[str, Any] = NOTHING_BOUND


class Possibilities(Protocol):
    """Answers whether some legal part of an act exists; the lister of legal acts is one."""

    unsettled: int
    """How often such a question stayed open."""

    def strands(self, state: "State", move: Move) -> Ruling:
        """Judge an act that is legal only if its player is left with a way to end the turn."""
        ...

    def stuck(self, state: "State") -> bool:
        """Say whether the seat to act has no legal act at all."""
        ...

    def possible(self, state: "State", act: str, *, onto: bool) -> bool:
        """Say whether the seat to act has a legal part or act of that name, joining a group that lies already if ``onto``."""
        ...


def lying(state: "State", part: Part) -> Group | None:
    """Find the group that a part went to, wherever its side has moved since."""
    content: list[Any] = getattr(state, ZONE_SLOTS[part.zone])
    gid = part.gid
    for one in content:
        if type(one) is list:
            for group in one:
                if group.gid == gid:
                    found: Group = group
                    return found
        elif one.gid == gid:
            alone: Group = one
            return alone
    return None


SHARED: Final = (
    "after", "base", "deal_no", "dealer", "draft", "laid", "next_gid", "open", "over", "parts", "parts_fine", "phase",
    "playing", "reason", "seat", "side_of", "sides", "stage", "turn_no", "turn_seat",
)  # fmt: skip

MOST_PLACES: Final = 256
ZONE_SLOTS: Final = tuple(f"z{i}" for i in range(MOST_PLACES))
VARIABLE_SLOTS: Final = tuple(f"v{i}" for i in range(MOST_PLACES))
LISTS: Final = frozenset({"laid", "parts", "side_of", "sides"})


class State:
    """A moment of a game. Treat it as a value: the doors of the game never change a state that they were given.

    A class made by :func:`state_class` adds a slot for each zone (``z0`` …) and variable (``v0`` …). A zone or variable of the table
    holds its content, one of seats or sides a list by seat or side.
    """

    __slots__ = SHARED

    places: ClassVar[tuple[str, ...]] = ()

    after: tuple[int, ...]
    """For each seat the seat that plays after it; for one that sits out the next that plays."""
    playing: tuple[int, ...]
    """The seats that play this deal, in order of play."""
    seat: int
    phase: int
    turn_no: int
    turn_seat: int
    dealer: int
    deal_no: int
    side_of: list[int]
    sides: list[int]
    parts: list[Part]
    parts_fine: bool | None
    """Whether the parts of the current play break no rule, once somebody has asked; a copy forgets it."""
    stage: int
    laid: list[int]
    next_gid: int
    open: bool
    """Whether cards may be unknown; a deal from a pack that is known whole has none, and nobody needs to look."""
    over: bool
    reason: str
    draft: int
    base: "State | None"

    def zone(self, index: int) -> Any:  # noqa: ANN401 - a zone holds a stack, a bag or groups, or a list of them
        """Read the content of a zone by its number."""
        return getattr(self, ZONE_SLOTS[index])

    def variable(self, index: int) -> Any:  # noqa: ANN401 - a variable holds a number, a bag, or a list of them
        """Read a variable by its number."""
        return getattr(self, VARIABLE_SLOTS[index])

    def copy(self) -> "State":
        """Make an independent copy; a made class has its own, written out place by place."""
        raise TypeError("only a state of a game can be copied")


def _copying(place: str, shape: str, number: int) -> list[str]:
    """Write how a copy of a state comes to its own content of a place; of one by owner there are so many."""
    content = f"s.{place}"
    if shape in ("number", "list"):
        return [f"    t.{place} = {content}{'[:]' if shape == 'list' else ''}"]
    if shape == "stack":
        return [
            f"    x = {content}",
            "    t." + place + " = y = new(Stack)",
            "    y.cards, y.counts = x.cards[:], x.counts[:]",
        ]
    one = "x[{}][:]" if shape == "lists" else "x[{}].copy()"
    return [f"    x = {content}", f"    t.{place} = [{', '.join(one.format(i) for i in range(number))}]"]


@cache
def state_class(zones: tuple[tuple[str, int], ...], variables: tuple[tuple[str, int], ...]) -> type[State]:
    """Make the class of states of a game whose zones and variables have these shapes.

    A shape is ``number``, ``list`` (a bag, groups, or numbers by owner), ``stack``, ``lists`` or ``stacks`` (by owner), with the
    number of owners.
    Groups and parts are values and are shared between copies.
    """
    shapes = {**{f"z{i}": s for i, s in enumerate(zones)}, **{f"v{i}": s for i, s in enumerate(variables)}}
    lines = ["def copy(s):", "    t = new(made)"]
    lines += [f"    t.{n} = s.{n}{'[:]' if n in LISTS else ''}" for n in SHARED if n != "parts_fine"]
    lines.append("    t.parts_fine = None")
    for place, (shape, number) in shapes.items():
        lines += _copying(place, shape, number)
    space: dict[str, Any] = {"new": object.__new__, "Stack": Stack}
    exec("\n".join([*lines, "    return t"]), space)  # noqa: S102 - only numbered names of ours are in it
    made = type("GameState", (State,), {"__slots__": tuple(shapes), "copy": space["copy"], "places": tuple(shapes)})
    space["made"] = made
    return made
