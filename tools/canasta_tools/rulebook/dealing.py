"""Which printed cards a picture shows where only ranks or colours matter, and are all that was written.

The rules cannot tell these cards apart, so any of them will do. Suits are given out in turn, as a mixed pack would, never more
of a card than the pack has; a card that was shown once is shown again.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from canasta.language.ruleset import Pack
from canasta.notation.cards import Card
from canasta_tools.rulebook.cards import DOWN, Face


@dataclass(slots=True)
class Dealer:
    """Gives out the faces of one picture, or of several that show the same cards."""

    pack: Pack
    _dealt: Counter[Face] = field(default_factory=Counter)
    _shown: Counter[Face] = field(default_factory=Counter)
    _home: dict[str, Counter[Face]] = field(default_factory=dict)
    _turn: int = 0

    def know(self, cards: Iterable[Card]) -> None:
        """Note cards that were written with their suits, so that they are shown first."""
        for card in cards:
            places = self._places(card)
            if len(places) == 1 and card.suit:
                self._shown[self._face(card.rank, places[0])] += 1

    def begin(self) -> None:
        """Begin another picture of the same cards."""
        self._shown, self._dealt, self._turn = self._shown | self._dealt, Counter(), 0

    def lie(self, place: str, faces: Iterable[Face]) -> None:
        """Note where faces lie, so that they are the ones that are taken from there."""
        self._home[place] = Counter(faces)

    def face(self, card: Card, place: str = "") -> Face:
        """Give out a face for a card as far as it is known, one that lies in that place if there is one."""
        if card.hidden:
            return DOWN
        may_be = [self._face(card.rank, suit) for suit in self._places(card)]
        may_be = may_be or [Face(card.rank, "", colour) for colour in self.pack.colours]
        home = self._home.get(place, Counter())
        waiting = [f for f in may_be if self._dealt[f] < self._shown[f]] or may_be
        chosen = min(waiting, key=lambda f: (home[f] < 1, self._dealt[f], (may_be.index(f) - self._turn) % len(may_be)))
        self._turn += 1
        self._dealt[chosen] += 1
        home[chosen] -= 1
        return chosen

    def _places(self, card: Card) -> list[int]:
        if card.rank not in self.pack.ranks:
            return []
        suits = range(len(self.pack.suits))
        named = [i for i in suits if self.pack.suits[i].lower() == card.suit]
        colours = [c[0] for c in self.pack.colours]
        if card.suit in colours:
            named = [i for i in suits if self.pack.colour_of[i] == colours.index(card.suit)]
        return named or list(suits)

    def _face(self, rank: str, place: int) -> Face:
        return Face(rank, self.pack.suits[place], self.pack.colours[self.pack.colour_of[place]])
