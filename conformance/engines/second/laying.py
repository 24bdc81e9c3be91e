"""Laying cards down, and what is wrong with the melds of a side as they lie."""

from collections.abc import Sequence

from .acts import NEW
from .cards import BLACK_THREES, Card, values
from .melds import BLACKS, RUN, SET, WILDS, Meld, faults, kind_of, one_meld
from .rules import Rules
from .table import Table

BEYOND_MENDING = frozenset(
    (*("TOO_MANY_WILDS", "TOO_MANY_BLACK_THREES", "CANASTA_CLOSED", "SAMBA_CLOSED", "BOLIVIA_CLOSED"),)
)
"""What is wrong with a meld for good: no further card can mend it."""


def no_place(meld: Meld, cards: Sequence[Card], rules: Rules) -> set[str]:
    """Why cards can never join a meld: they make none with it, or it is of a kind to which nothing else is added."""
    if meld.kind == BLACKS and meld.settled:
        # Black threes would make a meld with it, but it takes no card; nothing else would.
        fits = all(card in BLACK_THREES for card in cards)
        return {"NO_SUCH_MELD"} if fits else {"NO_MELD"}
    grown = [*meld.cards, *cards]
    return set() if one_meld(grown, rules) and (meld.kind == WILDS) == (kind_of(grown) == WILDS) else {"NO_MELD"}


class RefusedError(Exception):
    """A turn that does not count, with its violation codes."""

    def __init__(self, *codes: str) -> None:
        """Keeps the codes."""
        super().__init__(*codes)
        self.codes = frozenset(codes)


class Laying:
    """A turn on a table of its own, as far as melds are laid."""

    __slots__ = ("stranded", "table")

    def __init__(self, table: Table) -> None:
        """Begins on a copy that may be changed."""
        self.table = table
        self.stranded: frozenset[str] = frozenset()
        """What is wrong with having taken the pile, if no way to end the turn is left; what is done then tells more."""

    def only_in(self, *phases: str) -> None:
        """Refuses an act that comes at another time."""
        if self.table.phase not in phases:
            raise RefusedError("NOT_NOW")

    def put(self, cards: tuple[Card, ...], onto: int) -> None:
        """Puts cards down before the side in turn."""
        table, memory = self.table, self.table.memory
        if onto == NEW:
            if not one_meld(cards, table.rules):
                raise RefusedError("NO_MELD")
            table.own.append(Meld(list(cards), new=True))
        elif not 0 <= onto < len(table.own):
            raise RefusedError("NO_SUCH_MELD")
        else:
            meld = table.own[onto]
            if wrong := no_place(meld, cards, table.rules):
                raise RefusedError(*wrong)
            memory.added_to_old |= not meld.new
            meld.cards += cards
        if beyond := faults(table.own[onto], table.rules) & BEYOND_MENDING:
            raise RefusedError(*beyond)
        memory.has_laid = True
        memory.laid += values(cards)
        memory.black_threes |= any(card in BLACK_THREES for card in cards)

    def unite(self, source: int, onto: int) -> None:
        """Makes one group of two of the same rank. What came first does not matter: the one that comes about is looked at."""
        own = self.table.own
        if not (0 <= source < len(own) and 0 <= onto < len(own)) or source == onto:
            raise RefusedError("NO_SUCH_MELD")
        one, other = own[onto], own[source]
        both = one_meld([*one.cards, *other.cards], self.table.rules)
        if one.kind == other.kind and one.kind in {RUN, WILDS} and both:
            raise RefusedError("SEQUENCES_STAY_APART")
        if one.kind != SET or other.kind != SET or one.rank != other.rank:
            raise RefusedError("NO_MELD")
        united = one.united(other)
        first, second = sorted((source, onto))
        own[first] = united
        own.pop(second)

    def meld_faults(self) -> set[str]:
        """What is wrong with the melds of the side as they lie now."""
        table = self.table
        found: set[str] = set()
        seen: set[str] = set()
        for meld in table.own:
            if len(meld.cards) > meld.settled:
                found |= faults(meld, table.rules)
                if not meld.settled and meld.rank in seen and not table.rules.runs:
                    found.add("RANK_ALREADY_MELDED")
            seen.add(meld.rank)
        return found
