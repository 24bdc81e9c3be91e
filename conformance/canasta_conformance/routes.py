"""Routes: the ways in which a rule is reached, read off the cases of the suite.

Programs check a rule on one way and forget it on another. So it is not enough that a rule has a case; each way that leads to it
needs one. A way is read off what is asked: the position, and the acts of the turn.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from canasta_conformance.suite import Case, Suite

Data = Mapping[str, Any]

BLACK_THREES: Final = ("3c", "3s")
RED_THREES: Final = ("3d", "3h")


class Out(StrEnum):
    """Ways in which a hand is emptied."""

    DISCARD = "last discard"
    MELD_AND_DISCARD = "melds, then a discard"
    ALL_MELDED = "all melded"
    ALL_ADDED = "all added"
    BLACK_THREES = "black threes"
    PILE = "after the pile"
    FIRST_MELDS = "first melds"
    LAST_RED_THREE = "after a last red three"


class Frozen(StrEnum):
    """What a frozen pile is taken with in vain, and what has frozen it."""

    WILD_NATURAL = "wild card in the pile: natural and wild"
    WILD_ONTO = "wild card in the pile: onto an own meld"
    RED_NATURAL = "red three in the pile: natural and wild"
    RED_ONTO = "red three in the pile: onto an own meld"
    UNOPENED = "not opened: natural and wild"
    ALWAYS_NATURAL = "nothing in the pile: natural and wild"
    ALWAYS_ONTO = "nothing in the pile: onto an own meld"


class Minimum(StrEnum):
    """Ways to make the initial meld."""

    ONE = "one meld"
    SEVERAL = "several melds"
    PILE = "with the pile"
    PILE_AND_MORE = "with the pile and other melds"
    WHOLE_HAND = "the whole hand"
    WHOLE_HAND_AND_PILE = "the whole hand with the pile"
    LAST_RED_THREE = "after a last red three"


Route = Out | Frozen | Minimum

CODES: Final[Mapping[str, type[Out] | type[Frozen] | type[Minimum]]] = {
    "NO_CANASTA": Out,
    "NO_ESCALERA": Out,
    "PARTNER_REFUSED": Out,
    "ASK_FIRST": Out,
    "FROZEN_NEEDS_PAIR": Frozen,
    "BELOW_MINIMUM": Minimum,
}
"""The codes of what may not be done, and the kind of ways that lead to each."""


_LATE: Final = (Out.LAST_RED_THREE, Minimum.LAST_RED_THREE)
_FREEZES: Final = (Frozen.WILD_NATURAL, Frozen.WILD_ONTO, Frozen.RED_NATURAL, Frozen.RED_ONTO, Frozen.UNOPENED)
_ALWAYS: Final = (Frozen.ALWAYS_NATURAL, Frozen.ALWAYS_ONTO)

NO_WAY: Final[Mapping[tuple[str, str], str]] = {
    ("PARTNER_REFUSED", Out.DISCARD): "who holds a single card may not ask, for he could not keep to a no",
    ("PARTNER_REFUSED", Out.LAST_RED_THREE): "after a last red three nobody asks",
}
"""Ways that do not lead to a code, and why."""


def ways(ruleset: str, code: str) -> tuple[Route, ...]:
    """List the ways that a rule set must be asked by, if it has a say of its own in what a code stands for.

    What comes after a last red three is the same in every variant, and asked of classic alone.
    """
    if code == "FROZEN_NEEDS_PAIR":
        return {CLASSIC: _FREEZES, "uruguay": _ALWAYS, "cuban": _ALWAYS}.get(ruleset, ())
    if ruleset not in _OWN.get(code, ()):
        return ()
    return tuple(
        route for route in CODES[code] if (code, route) not in NO_WAY and (ruleset == CLASSIC or route not in _LATE)
    )


CLASSIC: Final = "classic"
_OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "NO_CANASTA": (
        *(CLASSIC, "classic/two", "classic/three", "classic/six", "classic/six/two-packs"),
        *("samba", "bolivia", "brazilian", "cuban"),
    ),
    "NO_ESCALERA": ("bolivia", "brazilian"),
    "ASK_FIRST": ("brazilian",),
    "PARTNER_REFUSED": (CLASSIC,),
    "BELOW_MINIMUM": (CLASSIC, "samba"),
}
"""The rule sets that say themselves when a code is given, or to which a figure of their own matters."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that a case asks: where it is played, and what is done."""

    seat: str
    side: str
    phase: str
    zones: Data
    acts: tuple[Data, ...]
    drawn: tuple[str, ...]
    """The cards that are drawn from the stock."""

    @property
    def after_last_red_three(self) -> bool:
        """Whether the last card of the stock was a red three, so that nothing can be discarded."""
        alone = len(self.zones.get("stock", ())) == 1 and any(card in RED_THREES for card in self.drawn)
        return self.phase == "last" or alone

    @property
    def laid(self) -> list[Data]:
        """The acts that lay cards down but for a take."""
        return [act for act in self.acts if act["act"] in ("meld", "add")]

    @property
    def takes(self) -> list[Data]:
        """The acts that take the pile."""
        return [act for act in self.acts if act["act"] == "take"]

    @property
    def opened(self) -> bool:
        """Whether the side has melds already."""
        return bool(self.zones.get(f"melds.{self.side}"))

    @property
    def left(self) -> int:
        """How many cards the hand holds in the end."""
        held = len(self.zones.get(f"hand.{self.seat}", ()))
        held += sum(card not in RED_THREES for card in self.drawn)
        for act in self.acts:
            cards = len(act.get("cards", ()))
            match act["act"]:
                case "take":
                    held += len(self.zones["pile"]) - cards
                case "meld" | "add" | "discard":
                    held -= cards
        return held


def turn_of(case: Case, sides: Sequence[str]) -> Turn | None:
    """Read the turn that a case asks at level 1; nothing where it asks something else."""
    form = next((f for f in case.forms if f.level == 1 and "turn" in f.operations), None)
    if form is None:
        return None
    load, turn = form.exchanges[0].send, form.exchanges[1].send
    position = load["position"]
    seat = turn["seat"]
    side = next((s for s in sides if seat in s), seat)
    (step,) = case.data["steps"]
    drawn = [card for act in step["turn"]["acts"] if act["act"] == "draw" for card in act.get("cards", ())]
    return Turn(seat, side, position["phase"], position["zones"], tuple(turn["acts"]), tuple(drawn))


def routes(turn: Turn) -> frozenset[Route]:
    """List the ways that a turn goes."""
    return frozenset((*_out(turn), *_frozen(turn), *_minimum(turn)))


def _out(turn: Turn) -> Iterator[Out]:
    if turn.left != 0:
        return
    last = turn.acts[-1]["act"]
    new = [act for act in turn.laid if act["act"] == "meld"]
    if last == "discard":
        yield Out.MELD_AND_DISCARD if turn.laid or turn.takes else Out.DISCARD
    elif not turn.takes:
        yield Out.ALL_MELDED if new else Out.ALL_ADDED
    if any(set(act["cards"]) <= set(BLACK_THREES) for act in new):
        yield Out.BLACK_THREES
    if turn.takes:
        yield Out.PILE
    if not turn.opened and turn.laid:
        yield Out.FIRST_MELDS
    if turn.after_last_red_three:
        yield Out.LAST_RED_THREE


def _frozen(turn: Turn) -> Iterator[Frozen]:
    if not turn.takes:
        return
    take, pile = turn.takes[0], turn.zones["pile"]
    onto = "to" in take
    if not turn.opened:
        yield Frozen.UNOPENED
    elif any(is_wild(card) for card in pile):
        yield Frozen.WILD_ONTO if onto else Frozen.WILD_NATURAL
    elif any(card in RED_THREES for card in pile):
        yield Frozen.RED_ONTO if onto else Frozen.RED_NATURAL
    else:
        yield Frozen.ALWAYS_ONTO if onto else Frozen.ALWAYS_NATURAL


def _minimum(turn: Turn) -> Iterator[Minimum]:
    if turn.opened or not (turn.laid or turn.takes):
        return
    whole = turn.left == 0
    if whole:
        yield Minimum.WHOLE_HAND_AND_PILE if turn.takes else Minimum.WHOLE_HAND
    elif turn.takes:
        yield Minimum.PILE_AND_MORE if turn.laid else Minimum.PILE
    else:
        yield Minimum.SEVERAL if len(turn.laid) > 1 else Minimum.ONE
    if turn.after_last_red_three:
        yield Minimum.LAST_RED_THREE


def is_wild(card: str) -> bool:
    """Ask whether a card is a deuce or a joker."""
    return card[0] == "2" or card == "Jk"


@dataclass(frozen=True, slots=True)
class Row:
    """What the suite asks of one code in one rule set: by each way, the cases in which it alone is wrong, and those that are legal."""

    ruleset: str
    code: str
    wrong: Mapping[Route, tuple[str, ...]]
    legal: Mapping[Route, tuple[str, ...]]

    @property
    def holes(self) -> tuple[Route, ...]:
        """The ways by which it must be asked, and is not."""
        return tuple(route for route in ways(self.ruleset, self.code) if not self.wrong.get(route))


def rows(suite: Suite) -> list[Row]:
    """Read every rule set that has a case of its own about one of the codes, in the order of the codes."""
    asked = [(case, turn) for case in suite.cases.values() if (turn := _asked(case, suite))]
    pairs = dict.fromkeys((code, case.ruleset) for case, _ in asked for code in _codes(case) if code in CODES)
    order = list(CODES)
    return [_row(name, code, asked) for code, name in sorted(pairs, key=lambda pair: order.index(pair[0]))]


def _row(name: str, code: str, asked: Sequence[tuple[Case, Turn]]) -> Row:
    wrong: dict[Route, tuple[str, ...]] = {}
    legal: dict[Route, tuple[str, ...]] = {}
    for case, turn in asked:
        if case.ruleset != name or _codes(case) not in ((), (code,)):
            continue  # what is wrong for several reasons, or for another one, shows nothing about this one
        into = wrong if _codes(case) else legal
        for route in routes(turn):
            if isinstance(route, CODES[code]):
                into[route] = (*into.get(route, ()), case.id)
    return Row(name, code, wrong, legal)


def _asked(case: Case, suite: Suite) -> Turn | None:
    return turn_of(case, suite.rules[case.ruleset].sides)


def _codes(case: Case) -> tuple[str, ...]:
    (step,) = case.data["steps"]
    return tuple(step["expect"].get("codes", ()))
