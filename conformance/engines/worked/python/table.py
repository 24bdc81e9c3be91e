"""A table that can be set up and shown. It knows no rule."""

from copy import deepcopy

from harness import Unsupported

ZONES = ["hand.N", "hand.E", "hand.S", "hand.W", "melds.NS", "melds.EW", "shown.NS", "shown.EW", "pile", "stock"]


class Table:
    """Who is to act, what lies where, and which side has opened."""

    def load(self, position):
        """Set a position up; a zone that it does not name is empty."""
        if position["phase"] not in ("start", "play"):
            raise Unsupported(f"the phase {position['phase']}")
        known = {"opened.NS": False, "opened.EW": False}
        for name in position.get("values", {}):
            if name not in known:
                raise Unsupported(f"values.{name}")
        self.seat, self.phase = position["seat"], position["phase"]
        self.zones = {name: [] for name in ZONES} | deepcopy(position["zones"])
        self.values = known | position.get("values", {})

    def show(self):
        """Show how things lie."""
        return deepcopy(vars(self))
