"""Melds: laid, and added to."""

from harness import serve
from turns import Turns, WithTurns


class Melds(Turns):
    """A table at which melds are made."""

    def melds(self):
        """Give the melds of the side to act."""
        return self.zones[f"melds.{self.side()}"]

    def ranks(self, meld):
        """List the ranks of the natural cards: one for each of them."""
        return [card[0] for card in meld if card != "Jk" and card[0] != "2"]

    def lies(self, meld):
        """Ask whether cards may lie together: three or more of a rank, two of them natural, and three wild cards at most."""
        ranks = self.ranks(meld)
        one_rank = len(set(ranks)) == 1 and "3" not in ranks
        return one_rank and len(meld) > 2 and len(ranks) > 1 and len(meld) - len(ranks) < 4

    def do_meld(self, cards):
        """Lay a new meld."""
        self.demand(self.phase == "play")
        self.give(cards)
        self.demand(self.lies(cards))
        self.melds().append(cards)
        self.values[f"opened.{self.side()}"] = True

    def do_add(self, cards, to):
        """Add cards to the meld that holds a card."""
        self.demand(self.phase == "play")
        self.give(cards)
        meld = next((meld for meld in self.melds() if to in meld), [])
        self.demand(meld and self.lies([*meld, *cards]))
        meld += cards


if __name__ == "__main__":
    serve(WithTurns(Melds()))
