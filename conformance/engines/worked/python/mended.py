"""What the report has shown is mended."""

from harness import serve
from melds import Melds
from turns import WithTurns


class Mended(Melds):
    """A side has one meld of a rank."""

    def do_meld(self, cards):
        """Lay a new meld, of a rank that the side has not melded yet."""
        self.demand(not any(set(self.ranks(meld)) & set(self.ranks(cards)) for meld in self.melds()))
        super().do_meld(cards)


if __name__ == "__main__":
    serve(WithTurns(Mended()))
