"""A record of play as values: a match, its deals, their lines, the turns and what each seat did in them.

The model says what was *written*. It knows no rule set: whether ``KKK`` began a meld or joined one, and whether it was
allowed, is asked later, of a rule set. Places in the text (``span``) never count when two values are compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from canasta.diagnostics import Span
from canasta.notation.cards import Card


class Written(StrEnum):
    """The kinds of act a record can write; an act of a rule set names its kind in ``written``."""

    DRAW = "draw"
    TAKE = "take"
    PICK = "pick"
    LAY = "lay"
    SHOW = "show"
    ASK = "ask"
    ANSWER = "answer"
    DISCARD = "discard"
    OUT = "out"
    DECLINE = "decline"
    KNOCK = "knock"
    UNITE = "unite"


class MarkKind(StrEnum):
    """What the table did about an act that was not in order."""

    STOOD = "stood"
    BACK = "back"
    PENALTY = "pen"


class Target(NamedTuple):
    """The meld that cards are laid onto: one that holds ``card``, or a new one when ``card`` is None.

    ``nth`` counts from 1 when the side has several such melds; 0 means that it was not said.
    """

    card: Card | None
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a seat did, as written.

    ``cards``: drawn, laid, shown or discarded; of a take the cards of the meld that uses the top card, the top card
    first, or none when the pile simply went to the hand. ``replacement``: what was drawn for shown cards.
    ``word``: ``yes`` or ``no`` of an answer. ``other``: the meld that becomes part of the one under ``target``.
    """

    kind: Written
    cards: tuple[Card, ...] = ()
    target: Target | None = None
    replacement: tuple[Card, ...] = ()
    word: str = ""
    other: Target | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Mark:
    """A remark of the table: it stood, it was taken back, or it cost a penalty.

    It speaks about action number ``after`` (from 1); with 0 about the whole turn. ``who`` (a seat or side),
    ``points`` and ``why`` belong to a penalty; ``why`` may stand with any mark.
    """

    kind: MarkKind
    after: int = 0
    who: str = ""
    points: int = 0
    why: str = ""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """Something the writer says is so after that many actions: ``=hand.N:5``, ``=frozen``. It is checked on replay.

    ``value`` is text: a whole number, a word or a seat, ``yes`` when none was written.
    """

    place: str
    owner: str = ""
    value: str = "yes"
    after: int = 0
    span: Span | None = field(default=None, compare=False)


class Comment(NamedTuple):
    """Words beside a turn, standing after that many actions."""

    text: str
    after: int = 0


class Notes(NamedTuple):
    """The comments that go with a line: whole lines above it and comments beside it."""

    above: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


NO_NOTES = Notes()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did, in order, on one line."""

    seat: str
    actions: tuple[Action, ...] = ()
    marks: tuple[Mark, ...] = ()
    claims: tuple[Claim, ...] = ()
    comments: tuple[Comment, ...] = ()
    above: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Hand:
    """``hand N …``: the cards dealt to a seat, before anything was laid."""

    seat: str
    cards: tuple[Card, ...]
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Stock:
    """``stock …``: the stock after the deal and before the upcard is turned, the first drawn first."""

    cards: tuple[Card, ...]
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Seed:
    """``seed …``: the number from which the stated shuffle gives the order of the whole pack."""

    number: int
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Upcards:
    """``up …``: the cards turned to begin the discard pile, in the order they were turned."""

    cards: tuple[Card, ...]
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Melds:
    """``melds NS …``: what lay before a side when the deal ended, one run of cards a meld."""

    side: str
    groups: tuple[tuple[Card, ...], ...]
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RedThrees:
    """``reds NS 2``: the red threes laid before a side when the deal ended; a count is that many ``3r``."""

    side: str
    cards: tuple[Card, ...]
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Left:
    """``left E …``: the cards a seat still held when the deal ended."""

    seat: str
    cards: tuple[Card, ...]
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Ending:
    """``end out N concealed`` or ``end stock``: why the deal ended, whose turn it was, and what else was said of it."""

    reason: str
    seat: str = ""
    words: tuple[str, ...] = ()
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


class Item(NamedTuple):
    """One figure of a score line in points; ``base`` and ``count`` are the two lines of a score pad."""

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """``NS: 300 455 = 755 total 2255``: what the pad says of one side (or seat) after the deal, in points.

    ``sum`` is what the items come to, ``total`` the running total of the match; both may be unwritten. A pad that has
    only running totals has no items.
    """

    side: str
    items: tuple[Item, ...]
    sum: int | None = None
    total: int | None = None
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


Line: TypeAlias = Hand | Stock | Seed | Upcards | Turn | Melds | RedThrees | Left | Ending | Score


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: its number in the match, its dealer (a seat, or empty) and its lines in the order written."""

    number: int
    dealer: str = ""
    lines: tuple[Line, ...] = ()
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in the order they were played."""
        return tuple(line for line in self.lines if isinstance(line, Turn))

    @property
    def hands(self) -> dict[str, tuple[Card, ...]]:
        """The dealt hands that were written, by seat."""
        return {line.seat: line.cards for line in self.lines if isinstance(line, Hand)}

    @property
    def stock(self) -> Stock | None:
        """The stock, if it was written."""
        return next((line for line in self.lines if isinstance(line, Stock)), None)

    @property
    def seed(self) -> Seed | None:
        """The seed of the shuffle, if it was written."""
        return next((line for line in self.lines if isinstance(line, Seed)), None)

    @property
    def upcards(self) -> Upcards | None:
        """The turned cards, if they were written."""
        return next((line for line in self.lines if isinstance(line, Upcards)), None)

    @property
    def melds(self) -> tuple[Melds, ...]:
        """What lay before each side at the end, if it was written."""
        return tuple(line for line in self.lines if isinstance(line, Melds))

    @property
    def red_threes(self) -> tuple[RedThrees, ...]:
        """The red threes before each side at the end, if they were written."""
        return tuple(line for line in self.lines if isinstance(line, RedThrees))

    @property
    def left(self) -> dict[str, tuple[Card, ...]]:
        """The cards left in the hands at the end, by seat, where they were written."""
        return {line.seat: line.cards for line in self.lines if isinstance(line, Left)}

    @property
    def ending(self) -> Ending | None:
        """Why the deal ended, if it was written."""
        return next((line for line in self.lines if isinstance(line, Ending)), None)

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score lines of the deal."""
        return tuple(line for line in self.lines if isinstance(line, Score))

    @property
    def depth(self) -> "Depth":
        """How much of the deal was written down."""
        has_turns = any(isinstance(line, Turn) for line in self.lines)
        if has_turns and (self.seed or (self.stock and self.hands)):
            return Depth.FULL
        if has_turns:
            return Depth.MOVES
        if any(isinstance(line, (Melds, Left, RedThrees, Ending)) for line in self.lines):
            return Depth.MELDS
        return Depth.PAD


class Depth(StrEnum):
    """How much a record tells: only the pad, the melds at the end, the moves, or every card."""

    PAD = "score pad"
    MELDS = "melds"
    MOVES = "moves"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Tag:
    """One header of a record, ``[Name "value"]``; unknown names are kept."""

    name: str
    value: str
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """``result NS 5110 EW 3025``: the final totals in points by side, perhaps a word such as ``unfinished``."""

    word: str = ""
    totals: tuple[tuple[str, int], ...] = ()
    notes: Notes = NO_NOTES
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """One match: its tags, its deals, its result if written, and the comments that close it."""

    tags: tuple[Tag, ...] = ()
    deals: tuple[Deal, ...] = ()
    result: Result | None = None
    comments: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)
    read_with: tuple[str, ...] = field(default=(), compare=False)
    """The seats by which its lines were read, which follow from the rule set where no tag names them."""

    def tag(self, name: str) -> str:
        """Give the value of a tag, empty when it is not written."""
        return next((tag.value for tag in self.tags if tag.name == name), "")

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in order of play: those of the tag ``Seats``, else those it was read with, else N, E, S, W."""
        return tuple(self.tag("Seats").split()) or self.read_with or COMPASS

    def turns(self) -> Iterator[Turn]:
        """Go through all turns of all deals."""
        for deal in self.deals:
            yield from deal.turns


COMPASS = ("N", "E", "S", "W")
