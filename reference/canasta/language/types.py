"""The types of the rule language, and the typed form of an expression."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from canasta.diagnostics import Span


class Type(NamedTuple):
    """A type: its name and, for a list of words, the words."""

    name: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Name the type as a rule author would."""
        return f"one of {', '.join(self.words)}" if self.words else self.name


INT: Final = Type("int")
BOOL: Final = Type("bool")
RANK: Final = Type("rank")
SUIT: Final = Type("suit")
COLOUR: Final = Type("colour")
CARD: Final = Type("card")
BAG: Final = Type("bag")
STACK: Final = Type("stack")
GROUP: Final = Type("group")
GROUPS: Final = Type("groups")
PART: Final = Type("part")
PARTS: Final = Type("parts")
SEAT: Final = Type("seat")
SIDE: Final = Type("side")
SEATS: Final = Type("seats")
SIDES: Final = Type("sides")

NAMED: Final = {t.name: t for t in (INT, BOOL, RANK, SUIT, COLOUR, CARD, BAG, SEAT, SIDE, GROUP)}
"""The types that a rule file may name, for variables and for what a definition depends on."""

ELEMENT: Final = {BAG: CARD, STACK: CARD, GROUPS: GROUP, PARTS: PART, SEATS: SEAT, SIDES: SIDE}
"""What a quantifier's variable is when it goes through a collection."""

GROUP_ATTRIBUTES: Final = {
    "size": INT, "body": INT, "filler": INT, "rank": RANK, "suit": SUIT, "cards": BAG, "turn": INT, "was": INT,
    "added": BAG,
}  # fmt: skip
PART_ATTRIBUTES: Final = {"group": GROUP, "cards": BAG, "took": BOOL}
CARD_ATTRIBUTES: Final = {"rank": RANK, "suit": SUIT, "colour": COLOUR}

CONTEXT: Final = {
    "seat": SEAT, "side": SIDE, "card": CARD, "left": INT, "top_card": CARD, "from_hand": BAG, "group": GROUP,
    "laid": BAG, "parts": PARTS, "turn_no": INT, "deal_no": INT, "turn_seat": SEAT, "dealer": SEAT, "seats": SEATS,
    "sides": SIDES, "size": INT, "body": INT, "filler": INT,
}  # fmt: skip
"""The words of the context. ``option`` is missing: its type is the words of the act."""

BUILTIN: Final = {
    "top": ((STACK,), CARD),
    "next": ((SEAT,), SEAT),
    "mate": ((SEAT,), SEAT),
    "side_of": ((SEAT,), SIDE),
}
"""Functions with fixed types. ``size``, ``possible`` and ``possible_onto`` are checked on their own."""


class Op(StrEnum):
    """The kinds of node of a typed expression."""

    CONST = "const"
    VAR = "var"
    CONTEXT = "context"
    ZONE = "zone"
    STATE = "state"
    CARD_ATTR = "card attribute"
    GROUP_ATTR = "group attribute"
    MARK = "mark"
    PART_ATTR = "part attribute"
    CALL = "call"
    STEP = "step table"
    POSSIBLE = "possible"
    DEFINE = "definition"
    NOT = "not"
    NEG = "negative"
    AND = "and"
    OR = "or"
    IF = "if"
    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IS_CLASS = "is class"
    IS_SHAPE = "is shape"
    IN = "in"
    WITHIN = "within"
    ADD = "+"
    SUB = "-"
    MUL = "*"
    BAG_ADD = "bag +"
    BAG_SUB = "bag -"
    COUNT = "count"
    ANY = "any"
    ALL = "all"
    SUM = "sum"
    MOST = "most"


QUANTIFIERS: Final = frozenset({Op.COUNT, Op.ANY, Op.ALL, Op.SUM, Op.MOST})


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """A node of a typed expression.

    ``ref`` names what the node speaks of: a zone, variable, attribute, class, shape, table, definition or context word; for
    a quantifier its bound variable, made unique. ``value`` is the number of a constant: an int, 0 or 1 of a bool, the
    place of a rank, suit, colour or word in its declared list. ``path`` is the node's permanent address within its rule set.
    """

    op: Op
    type: Type
    args: tuple["Expr", ...] = ()
    ref: str = ""
    value: int = 0
    span: Span | None = None
    path: str = ""
    text: str = ""

    @property
    def where(self) -> "Expr | None":
        """The condition of a quantifier, if it has one: every quantifier keeps (collection, condition or yes, body)."""
        return self.args[1] if self.op in QUANTIFIERS else None


class StatementOp(StrEnum):
    """The kinds of effect statement."""

    MOVE = "move"
    MOVE_ALL = "move_all"
    MOVE_WHERE = "move_where"
    MOVE_CARD = "move_card"
    DEAL = "deal"
    SET = "set"
    SET_MARK = "set_mark"
    PHASE = "phase"
    TURN = "turn"
    ACT = "act"
    MERGE = "merge"
    END = "end"
    EACH = "each"
    WHEN = "when"


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A zone or variable of a stated owner; no owner means the table's, or the acting player's."""

    name: str
    owner: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A typed effect statement: its kind, the expressions it reads, the places it touches, the words it names."""

    op: StatementOp
    exprs: tuple[Expr, ...] = ()
    places: tuple[Place, ...] = ()
    name: str = ""
    body: "Statement | None" = None
    span: Span | None = None
    path: str = ""
    text: str = ""


class Numbering:
    """Gives every quantifier variable of a rule set a name of its own, so that nested ones never meet."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        """Begin at the first number."""
        self.last = 0

    def fresh(self, name: str) -> str:
        """Make a name that no other variable of this rule set has."""
        self.last += 1
        return f"{name}~{self.last}"
