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


def canastas(melds: Iterable[Meld]) -> int:
    """How many canastas lie among the melds of a side."""
    return sum(is_canasta(meld) for meld in melds)


def one_meld(cards: Sequence[Card], rules: Rules) -> bool:
    """Whether cards could lie in one meld of this game at all."""
    kind = kind_of(cards)
    return kind in {SET, BLACKS} or (kind == RUN and rules.runs) or (kind == WILDS and rules.wild_melds)


def longest(kind: str, rules: Rules) -> int:
    """How many cards a meld of a kind holds at most."""
    return {SET: rules.longest_set, RUN: rules.longest_run, WILDS: rules.longest_run}.get(kind, 99)


def faults(meld: Meld, rules: Rules) -> set[str]:
    """The violation codes of a meld as it would lie when the turn is over."""
    if not one_meld(meld.cards, rules):
        return {"NO_MELD"}
    kind = meld.kind
    if kind == BLACKS:
        return {"TOO_FEW_BLACK_THREES"} if len(meld.cards) < MELD_SIZE else set()
    found = set()
    if len(meld.cards) < MELD_SIZE:
        found.add("MELD_TOO_SHORT")
    if len(meld.cards) > longest(kind, rules):
        found.add("CANASTA_CLOSED")
    if kind != SET:
        return found
    if meld.naturals < LEAST_NATURALS:
        found.add("TOO_FEW_NATURALS")
    if meld.wilds > rules.most_wilds:
        found.add("TOO_MANY_WILDS")
    if rules.wilds_not_more_than_naturals and meld.wilds > meld.naturals:
        found.add("WILDS_OUTNUMBER_NATURALS")
    if meld.settled >= CANASTA_SIZE and meld.wilds > meld.settled_wilds and not rules.wild_onto_canasta:
        found.add("NATURAL_CANASTA_SPOILED")
    if meld.spoiled and not rules.wild_onto_natural_canasta:
        found.add("NATURAL_CANASTA_SPOILED")
    return found
