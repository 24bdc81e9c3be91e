"""A rule set as the interpreter holds it: declarations and clauses, all names resolved, all expressions typed.

Clauses and what carries expressions are never compared by their content: each is the same only as itself, as expressions are.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from canasta.diagnostics import Span
from canasta.language.types import Expr, Statement, Type


class Owner(StrEnum):
    """Whose a zone or a variable is."""

    TABLE = "table"
    SEAT = "seat"
    SIDE = "side"


class Form(StrEnum):
    """What a zone holds: ordered cards, counted cards, or groups of cards."""

    STACK = "stack"
    BAG = "bag"
    GROUPS = "groups"


class Seen(StrEnum):
    """Who sees the cards of a zone; its size is seen by all."""

    NONE = "none"
    TOP = "top"
    OWNER = "owner"
    ALL = "all"


class Lasts(StrEnum):
    """How long a variable keeps its value."""

    MATCH = "match"
    DEAL = "deal"
    TURN = "turn"


class Pack(NamedTuple):
    """The printed cards: ranks in declared order, suits with their colours, suitless cards with copies in each pack."""

    packs: int
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    colours: tuple[str, ...]
    colour_of: tuple[int, ...]
    extra: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A place on the table or in a hand where cards lie."""

    name: str
    index: int
    of: Owner
    form: Form
    seen: Seen
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A fact that the game remembers and that no zone shows."""

    name: str
    index: int
    of: Owner
    type: Type
    lasts: Lasts
    start: int
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A form that a group of cards may have: all body cards alike in one way, and a class that may stand in for them."""

    name: str
    index: int
    body: str
    filler: str
    same: str
    order: tuple[int, ...]
    grows: bool
    text: str = ""


LAYING: Final = ("part", "groups")
"""What is chosen in the acts that are parts of a play: cards, or two groups that become one."""


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """Something a player can do, and how it is written in a record."""

    name: str
    index: int
    choose: str
    options: tuple[str, ...] = ()
    option_type: Type | None = None
    into: str = ""
    top: str = ""
    target: str = "either"
    then: str = ""
    commit: bool = False
    auto: bool = False
    safe: bool = False
    left: Expr | None = None
    written: str = ""
    text: str = ""

    @property
    def lays(self) -> bool:
        """Whether the act is a part of a play: it lays cards, or unites groups that lie."""
        return self.choose in LAYING


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """A stretch of a turn: the acts a player may choose from, and the commits that happen by themselves."""

    name: str
    index: int
    acts: tuple[str, ...]
    auto: tuple[str, ...]


class Option(NamedTuple):
    """A point on which good authorities differ: its domain, the default, and the ruling behind it."""

    name: str
    type: Type
    default: int
    value: int
    allowed: tuple[int, ...]
    text: str = ""
    ruling: str = ""


class StepTable(NamedTuple):
    """A table from a number to a number in steps: the value below the first start, then (start, value) ascending."""

    name: str
    below: int
    rows: tuple[tuple[int, int], ...]
    text: str = ""

    def look_up(self, number: int) -> int:
        """Find the value of the last step that the number reaches."""
        value = self.below
        for start, step in self.rows:
            if number < start:
                break
            value = step
        return value


class Source(NamedTuple):
    """Where a clause comes from, and whether that source supports it, differs, or is silent."""

    at: str
    says: str
    note: str = ""


class Example(NamedTuple):
    """A worked example of a clause: a position, what is done, what must come of it."""

    id: str
    given: str
    do: str
    expect: object
    span: Span
    ask: str = ""
    text: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """Options that are chosen otherwise for this example."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Clause:
    """The unit that is cited: a small rule with a permanent name."""

    id: str
    kind: str
    title: str
    text: str
    chapter: str
    span: Span
    level: str = "must"
    sources: tuple[Source, ...] = ()
    examples: tuple[Example, ...] = ()
    ruling: str = ""
    aliases: tuple[str, ...] = ()
    formal: str = ""

    def __repr__(self) -> str:
        """Name the clause as it is cited; its whole content fills pages."""
        return f"<{self.kind} {self.id}>"


class Demand(NamedTuple):
    """What must hold, and the code of the violation when it does not."""

    code: str
    that: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Requirement(Clause):
    """Something that must hold for an act to be legal."""

    on: tuple[str, ...]
    when: Expr | None
    require: tuple[Demand, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Bound(Clause):
    """A requirement on every group of one shape."""

    shape: str
    when: Expr | None
    require: tuple[Demand, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Structure(Clause):
    """The clause and code for something that the kernel itself refuses.

    ``deals`` is only there where it refuses a ``dealer``: who deals the next deal, read on the last state of this one. Without
    it the deal passes to the next seat.
    """

    refuses: str
    code: str
    deals: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Effect(Clause):
    """What an act, or the set-up, or the start of a turn, does."""

    on: tuple[str, ...]
    when: Expr | None
    do: tuple[Statement, ...]
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Duty(Clause):
    """What must be done, again and again until its condition no longer holds."""

    on: tuple[str, ...]
    each_seat: bool
    when: Expr
    do: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Definition(Clause):
    """A named expression and what it depends on: of seat, of side, on ``left``, then parameters of its own."""

    name: str
    of: tuple[str, ...]
    parameters: tuple[tuple[str, Type], ...]
    body: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Score(Clause):
    """One line of the ledger, for each side or each seat."""

    each_seat: bool
    item: str
    when: Expr | None
    points: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ending(Clause):
    """When the match is over, and the figure of a side, or of a seat, by which the winner is found."""

    when: Expr
    winner: Expr
    each_seat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Custom(Clause):
    """A rule that is not executed: it binds the people at the table, or sums up what the clauses that it names decide."""

    follows_from: tuple[str, ...] = ()


C = TypeVar("C", bound=Clause)


class Table(NamedTuple):
    """Seats, sides, and the roles that some zones and variables play for the kernel."""

    seats: int
    sides: tuple[tuple[int, ...], ...]
    hand: str
    order: str
    account: str
    rota: tuple[tuple[int, ...], ...] = ()
    """The seats that play, in order of play, for the first deal, the second …, over and over; empty when all play."""

    def playing(self, deal_no: int) -> tuple[int, ...]:
        """List the seats that play a deal, in order of play."""
        return self.rota[(deal_no - 1) % len(self.rota)] if self.rota else tuple(range(self.seats))


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """A whole game: everything the interpreter, the rulebook and the suite know about it."""

    name: str
    title: str
    profile: str
    table: Table
    pack: Pack
    classes: dict[str, Expr]
    values: dict[str, Expr]
    parameters: dict[str, int]
    options: dict[str, Option]
    profiles: dict[str, dict[str, int]]
    steps: dict[str, StepTable]
    zones: dict[str, Zone]
    state: dict[str, Variable]
    marks: tuple[str, ...]
    shapes: dict[str, Shape]
    acts: dict[str, Act]
    phases: dict[str, Phase]
    reasons: tuple[str, ...]
    clauses: dict[str, Clause]
    chapters: tuple[tuple[str, str, str], ...]

    def of_kind(self, kind: type[C]) -> tuple[C, ...]:
        """List the clauses of one kind in reading order."""
        return tuple(c for c in self.clauses.values() if isinstance(c, kind))

    @property
    def definitions(self) -> dict[str, Definition]:
        """Find definitions by the name that expressions use."""
        return {d.name: d for d in self.of_kind(Definition)}
