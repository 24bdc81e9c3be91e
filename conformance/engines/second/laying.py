"""Laying cards down, and what is wrong with the melds of a side as they lie."""

from .acts import NEW
from .cards import BLACK_THREES, Card, values
from .melds import BLACKS, RUN, SET, Meld, faults, one_meld
from .table import Table


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
            if (meld.kind == BLACKS and meld.settled) or not one_meld([*meld.cards, *cards], table.rules):
                raise RefusedError("NO_MELD")
            memory.added_to_old |= not meld.new
            meld.cards += cards
        if table.own[onto].kind == SET and table.own[onto].wilds > table.rules.most_wilds:
            raise RefusedError("TOO_MANY_WILDS")  # which no further card can mend
        memory.has_laid = True
        memory.laid += values(cards)
        memory.black_threes |= any(card in BLACK_THREES for card in cards)

    def unite(self, source: int, onto: int) -> None:
        """Makes one group of two of the same rank. What came first does not matter: the one that comes about is looked at."""
        own = self.table.own
        if not (0 <= source < len(own) and 0 <= onto < len(own)) or source == onto:
            raise RefusedError("NO_SUCH_MELD")
        one, other = own[onto], own[source]
        if RUN in {one.kind, other.kind}:
            raise RefusedError("SEQUENCES_STAY_APART", "NO_MELD")
        if one.kind != SET or other.kind != SET or one.rank != other.rank:
            raise RefusedError("NO_MELD")
        united = Meld([*one.cards, *other.cards], one.new and other.new)
        united.settled = max(one.settled, other.settled)
        united.settled_wilds = united.wilds
        own[onto] = united
        own.pop(source)

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
