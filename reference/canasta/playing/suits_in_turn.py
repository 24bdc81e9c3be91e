"""Which suit a card has that a position writes without one, in a game whose rules look at suits.

The suits of a rank are taken in turn, in the order of the pack, as far as the pack holds them beside the cards that are
named outright. So a person may write ``KKK`` where it does not matter which kings are meant, and every reader of the
position means the same ones.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from canasta.kernel.cards import Deck


@dataclass(slots=True)
class SuitsInTurn:
    """Gives out the cards of one position; ``given`` counts those that are there already, by kind."""

    deck: Deck
    given: list[int] = field(default_factory=list)
    _last: dict[tuple[int, ...], int] = field(default_factory=dict)

    def name_outright(self, kinds: Iterable[int]) -> None:
        """Count cards that need no suit given."""
        self.given = self.given or self.deck.empty()
        for kind in kinds:
            self.given[kind] += 1

    def alike(self, kinds: Sequence[int]) -> bool:
        """Ask whether cards are told apart by their suits alone, and belong to the same classes."""
        classes = self.deck.classes.values()
        return bool(kinds) and len({(self.deck.rank[k], *(of[k] for of in classes)) for k in kinds}) == 1

    def next(self, kinds: Sequence[int]) -> int:
        """Give the next of these kinds that is left in the pack; when none is, the next all the same, which is then one too many."""
        self.given = self.given or self.deck.empty()
        of = tuple(kinds)
        begin = self._last.get(of, -1) + 1
        turn = [(begin + i) % len(of) for i in range(len(of))]
        place = next((i for i in turn if self.given[of[i]] < self.deck.copies[of[i]]), turn[0])
        self._last[of] = place
        self.given[of[place]] += 1
        return of[place]
