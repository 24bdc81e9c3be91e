"""Turns: draw and discard. What cannot be done has not been begun."""

from copy import deepcopy

from harness import Unsupported, serve
from level1 import Level1
from table import Table


class Refused(Exception):
    """The rules do not let a turn stand."""


class Turns(Table):
    """A table at which turns are played."""

    def play(self, seat, acts):
        """Do the acts one after another. If one of them cannot be done, everything lies as before."""
        before = deepcopy(vars(self))
        try:
            self.demand(seat == self.seat)
            for act in acts:
                do = getattr(self, f"do_{act['act']}", None)
                if do is None:
                    raise Unsupported(act["act"])
                do(**{name: value for name, value in act.items() if name != "act"})
        except Exception:
            vars(self).update(before)
            raise

    def demand(self, kept):
        """Refuse the turn unless a rule is kept."""
        if not kept:
            raise Refused

    def give(self, cards):
        """Take cards out of the hand."""
        hand = self.zones[f"hand.{self.seat}"]
        for card in cards:
            self.demand(card in hand)
            hand.remove(card)
        if not hand:
            raise Unsupported("going out")

    def side(self):
        """Say whose turn it is, by the side."""
        return "NS" if self.seat in "NS" else "EW"

    def do_draw(self):
        """Draw a card; a red three is laid out and replaced."""
        self.demand(self.phase == "start")
        card = "3h"
        while card in ("3h", "3d"):
            if not self.zones["stock"]:
                raise Unsupported("the end of the stock")
            card = self.zones["stock"].pop()
            self.zones[f"shown.{self.side()}" if card in ("3h", "3d") else f"hand.{self.seat}"].append(card)
        self.phase = "play"

    def do_discard(self, cards):
        """Discard a card; the next player is to act."""
        self.demand(self.phase == "play")
        self.give(cards)
        self.zones["pile"] += cards
        self.seat, self.phase = {"N": "E", "E": "S", "S": "W", "W": "N"}[self.seat], "start"


class WithTurns(Level1):
    """The harness with turns."""

    operations = (*Level1.operations, "turn")

    def turn(self, seat, acts, **_):
        """Play the acts, and say whether they stand."""
        try:
            self.table.play(seat, acts)
        except Refused:
            return {"committed": False}
        return {"committed": True}


if __name__ == "__main__":
    serve(WithTurns(Turns()))
