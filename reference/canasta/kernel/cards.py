"""The deck as the machine sees it: kinds of card, each with what the rules can tell of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

UNKNOWN_TEXT = "?"


class CardTextError(ValueError):
    """A card's text that names no card, or more than one kind of card, of this deck."""


@dataclass(frozen=True, slots=True)
class Deck:
    """All kinds of card of a game, numbered from 0; number ``size`` stands for an unknown card.

    At the grain of *faces* every printed card is a kind of its own; at the grain of *kinds* printed cards that no rule can tell
    apart are one. ``rank``, ``suit`` and ``colour`` hold places in the declared lists, -1 for none.
    """

    names: tuple[str, ...]
    rank: tuple[int, ...]
    suit: tuple[int, ...]
    colour: tuple[int, ...]
    copies: tuple[int, ...]
    classes: dict[str, tuple[bool, ...]]
    values: dict[str, tuple[int, ...]]
    kind_of: dict[tuple[str, str], int]
    """From printed rank and suit to kind; with an empty suit or a colour's first letter where that names one kind only."""
    by_face: bool
    alike: tuple[int, ...]
    """For each kind, and for the unknown card, the first kind that no rule can tell from it."""
    begun: dict[tuple[object, ...], Any] = field(default_factory=dict, compare=False, repr=False)
    """In which ways groups of a shape can begin, as it is worked out; games that have the deck in common need it only once."""

    @property
    def size(self) -> int:
        """How many kinds there are; also the number of the unknown card."""
        return len(self.names)

    @property
    def total(self) -> int:
        """How many cards the whole deck has."""
        return sum(self.copies)

    def empty(self) -> list[int]:
        """An empty bag: one count a kind, and one for unknown cards."""
        return [0] * (len(self.names) + 1)

    def full(self) -> list[int]:
        """The bag of the whole deck."""
        return [*self.copies, 0]

    def find(self, rank: str, suit: str = "") -> int:
        """Find the kind of a printed card.

        Raises:
            CardTextError: when this deck has no such card, or the text does not settle which one is meant.
        """
        if rank == UNKNOWN_TEXT:
            return len(self.names)
        kind = self.kind_of.get((rank, suit))
        if kind is None:
            if any(r == rank for r, _ in self.kind_of):
                raise CardTextError(f"{rank}{suit} does not settle which card is meant: say its suit")
            raise CardTextError(f"there is no card {rank}{suit} in this pack")
        return kind

    def name(self, kind: int) -> str:
        """Write a kind of card."""
        return UNKNOWN_TEXT if kind == len(self.names) else self.names[kind]

    def bag(self, cards: Sequence[int]) -> list[int]:
        """Count cards."""
        counts = self.empty()
        for card in cards:
            counts[card] += 1
        return counts


def listed(bag: Sequence[int]) -> list[int]:
    """List the cards of a bag in the order of the deck; of most kinds there is none."""
    found: list[int] = []
    for kind, n in enumerate(bag):
        if n == 1:
            found.append(kind)
        elif n:
            found += [kind] * n
    return found
