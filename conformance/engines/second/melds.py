"""Melds: what their cards make of them, and what is wrong with one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .cards import BLACK_THREES, NATURAL, RANK_OF, RANKS, SUIT_OF, WILD, Card, values
from .rules import Rules

MELD_SIZE = 3
LEAST_NATURALS = 2
CANASTA_SIZE = 7

SET, BLACKS, RUN, WILDS, NOTHING = "set", "blacks", "run", "wilds", ""


@dataclass(slots=True)
class Meld:
    """Cards that lie together before a side."""

    cards: list[Card]
    new: bool = False
    """Begun in the turn that is being played."""
    concealed: bool = False
    """A canasta that was laid down complete in one turn, where that is worth something."""
    settled: int = 0
    """How many of its cards lay there when this stretch of the turn began, and how many of these were wild."""
    settled_wilds: int = 0

    def copy(self) -> "Meld":
        """The same meld on another table."""
        return Meld(list(self.cards), self.new, self.concealed, self.settled, self.settled_wilds)

    def united(self, other: "Meld") -> "Meld":
        """One group of two. Wild cards in it count as lying there: what came first, they or the canasta, does not matter."""
        both = Meld([*self.cards, *other.cards], self.new and other.new)
        both.settled = max(self.settled, other.settled)
        both.settled_wilds = both.wilds
        return both

    @property
    def spoiled(self) -> bool:
        """Whether a wild card has come to what lay there as a natural canasta."""
        return self.settled >= CANASTA_SIZE and not self.settled_wilds and self.wilds > 0

    @property
    def rank(self) -> str:
        """The rank of its natural cards; `3` for black threes, nothing if there are only wild cards."""
        return next((RANK_OF[card] for card in self.cards if card not in WILD), "")

    @property
    def kind(self) -> str:
        """What its cards make together."""
        return kind_of(self.cards)

    @property
    def wilds(self) -> int:
        """How many wild cards it holds."""
        return sum(card in WILD for card in self.cards)

    @property
    def naturals(self) -> int:
        """How many natural cards it holds."""
        return sum(card in NATURAL for card in self.cards)

    @property
    def value(self) -> int:
        """What its cards count."""
        return values(self.cards)


def kind_of(cards: Sequence[Card]) -> str:
    """What cards make together: a set, black threes, a run, wild cards, or nothing."""
    plain = [card for card in cards if card not in WILD]
    if not plain:
        return WILDS
    if plain[0] in BLACK_THREES:
        return BLACKS if all(card in BLACK_THREES for card in cards) else NOTHING
    ranks = {RANK_OF[card] for card in plain}
    if not all(card in NATURAL for card in plain):
        return NOTHING
    if len(ranks) == 1:
        return SET
    suits = {SUIT_OF[card] for card in plain}
    places = [RANKS.index(rank) for rank in ranks]
    in_sequence = len(ranks) == len(cards) == max(places) - min(places) + 1
    return RUN if in_sequence and len(suits) == 1 and "" not in suits else NOTHING


def is_canasta(meld: Meld) -> bool:
    """Seven cards or more."""
    return len(meld.cards) >= CANASTA_SIZE


def escaleras(melds: Iterable[Meld]) -> int:
    """How many of the canastas are runs."""
    return sum(is_canasta(meld) and meld.kind == RUN for meld in melds)


def canastas(melds: Iterable[Meld]) -> int:
    """How many canastas lie among the melds of a side."""
    return sum(is_canasta(meld) for meld in melds)


def one_meld(cards: Sequence[Card], rules: Rules) -> bool:
    """Whether cards could lie in one meld of this game at all."""
    kind = kind_of(cards)
    return kind in {SET, BLACKS} or (kind == RUN and rules.runs) or (kind == WILDS and rules.wild_melds)


def faults(meld: Meld, rules: Rules) -> set[str]:
    """The violation codes of a meld as it would lie when the turn is over."""
    if not one_meld(meld.cards, rules):
        return {"NO_MELD"}
    size = len(meld.cards)
    match meld.kind:
        case "blacks":
            return _too(size, "TOO_FEW_BLACK_THREES", "TOO_MANY_BLACK_THREES", rules.most_black_threes)
        case "run":
            return _too(size, "SEQUENCE_TOO_SHORT", "SAMBA_CLOSED", CANASTA_SIZE)
        case "wilds":
            return _too(size, "TOO_FEW_WILD_CARDS", "BOLIVIA_CLOSED", CANASTA_SIZE)
    found = _too(size, "MELD_TOO_SHORT", "CANASTA_CLOSED", rules.longest_set)
    if meld.naturals < LEAST_NATURALS:
        found.add("TOO_FEW_NATURALS")
    if meld.wilds > rules.most_wilds:
        found.add("TOO_MANY_WILDS")
    if rules.wilds_not_more_than_naturals and meld.wilds > meld.naturals:
        found.add("WILDS_OUTNUMBER_NATURALS")
    if rules.twice_as_many_naturals and 2 * meld.wilds > meld.naturals:
        found.add("TOO_MANY_WILDS_FOR_NATURALS")
    if meld.settled >= CANASTA_SIZE and meld.wilds > meld.settled_wilds and not rules.wild_onto_canasta:
        found.add("WILD_ONTO_CANASTA")
    if meld.spoiled and not rules.wild_onto_natural_canasta:
        found.add("NATURAL_CANASTA_SPOILED")
    return found


def _too(size: int, few: str, many: str, most: int) -> set[str]:
    """The code for a meld that is too short or too long, if it is."""
    return {few} if size < MELD_SIZE else {many} if size > most else set()
