"""Real cards in the places of a case: a suit for every card that has none, a card for every one that is unknown.

A program knows only real cards. Which suit a king has matters to no rule, so any will do; the same case always gets the same.
Unknown cards become quiet ones: natural cards of ranks that lie nowhere else in the position, so that a card of which the
case says nothing has no part in what comes of it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from canasta.kernel.cards import Deck

UNKNOWN: Final = "?"
_RED: Final = ("d", "h")
_BLACK: Final = ("c", "s")
_NEVER_QUIET: Final = "3"
_WILD: Final = ("2", "Jk")
_ORDER: Final = "stock"


class DealingError(ValueError):
    """A position that asks for more cards than the pack has."""


def dealt(zones: Mapping[str, Sequence[Any]], drawn: Sequence[str], deck: Deck) -> dict[str, list[Any]]:
    """Give the zones of a case with every card named; ``drawn`` are the cards that its turn says are drawn first.

    Raises:
        DealingError: when the pack has not so many cards of a kind.
    """
    places = {name: list(cards) for name, cards in zones.items()}
    stock = places.get(_ORDER, [])
    for above, card in enumerate(drawn[: len(stock)]):
        if card != UNKNOWN and stock[-1 - above] == UNKNOWN:
            stock[-1 - above] = card
    return _Dealing(deck).deal(places)


class _Dealing:
    """A pack from which the places of one position are filled."""

    def __init__(self, deck: Deck) -> None:
        self.left = dict(zip(deck.names, deck.copies, strict=True))

    def deal(self, places: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """Fill what is told most exactly first, and unknown cards last, those on top of a stack before those below."""
        rows = list(_rows(places))
        slots = [(row, at) for row in rows for at in range(len(row))]
        for row, at in sorted(slots, key=lambda slot: _vagueness(slot[0][slot[1]])):
            if row[at] != UNKNOWN:
                row[at] = self._named(row[at])
        spoken = {_rank(card) for row in rows for card in row if card != UNKNOWN}
        for row in rows:
            for at in range(len(row) - 1, -1, -1):
                if row[at] == UNKNOWN:
                    row[at] = self._quiet(spoken)
        return places

    def _named(self, text: str) -> str:
        if text.startswith("Jk"):
            return self._out("Jk")
        rank, suits = text[0], _suits(text)
        faces = [face for face in self.left if _rank(face) == rank and (face[-1] in suits or not suits)]
        best = max((self.left[face] for face in faces), default=0)
        return self._out(next((face for face in faces if self.left[face] == best), text))

    def _quiet(self, spoken: Iterable[str]) -> str:
        """Take a card that has no part in anything; when there is none left, the least loud one."""

        def loudness(face: str) -> tuple[bool, bool, bool, int]:
            rank = _rank(face)
            return rank == _NEVER_QUIET, rank in _WILD, rank in spoken, -self.left[face]

        there = [face for face, copies in self.left.items() if copies]
        return self._out(min(there, key=loudness) if there else UNKNOWN)

    def _out(self, face: str) -> str:
        if not self.left.get(face):
            raise DealingError(f"there is no further {face} in the pack")
        self.left[face] -= 1
        return face


def _rows(places: Mapping[str, list[Any]]) -> Iterator[list[str]]:
    """Go through the rows of cards: a zone, or each meld of one."""
    for cards in places.values():
        if cards and isinstance(cards[0], list):
            yield from cards
        else:
            yield cards


def _suits(text: str) -> tuple[str, ...]:
    """List the suits that a card as written may have; none where any will do."""
    suit = "" if text.startswith("Jk") else text[1:]
    return {"r": _RED, "b": _BLACK, "": ()}.get(suit, (suit,))


def _vagueness(text: str) -> int:
    """Say how many suits a written card may have."""
    return len(_suits(text)) or 4


def _rank(face: str) -> str:
    return "Jk" if face.startswith("Jk") else face[0]
