"""What a case asks of single functions: the questions of level 0 that follow from it.

Only where the answer follows from what the case expects. A turn that is illegal for another reason than the one its clause
gives says nothing about a single function.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from canasta.language.ruleset import Bound, Clause, Requirement, Structure

Data = dict[str, Any]

HAND_POINTS: Final = "points_of(hand)"
MINIMUM: Final = "minimum_needed"
OPENING: Final = ("opening.minimum", "opening.counting")
"""The clauses whose cases ask whether melds are enough; with a whole hand laid down other clauses speak."""


def stateless(case: Data, position: Data, acts: Sequence[Data], clause: Clause, *, opens: bool) -> list[Data]:
    """List the questions of level 0 with what is expected of each.

    ``acts`` are those of the turn, spelt out; ``opens`` says whether the game knows initial melds, as the questions about turns do.
    """
    return list(_Questions(case, position, acts if opens else (), clause).all())


class _Questions:
    """The questions of one case."""

    def __init__(self, case: Data, position: Data, acts: Sequence[Data], clause: Clause) -> None:
        self.position, self.acts, self.clause = position, acts, clause
        (self.step,) = case["steps"]
        self.expect: Data = self.step["expect"]
        self.seat: str = position["seat"]
        self.zones: Data = position["zones"]
        self.values: Data = position.get("values", {})

    def all(self) -> Iterator[Data]:
        """Go through everything that can be asked."""
        ask = self.step.get("ask", "")
        if ask == MINIMUM:
            yield _question({"op": "opening_minimum", "total": self._total()}, {"value": self.expect["value"]})
        if ask == HAND_POINTS:
            send = {"op": "card_value", "cards": self.zones[f"hand.{self.seat}"]}
            yield _question(send, {"value": self.expect["value"]})
        if "turn" not in self.step and "ledger" in self.expect:
            totals = {
                name.partition(".")[0]: points
                for name, points in self.expect["ledger"].items()
                if name.endswith(".total")
            }
            if totals:
                yield _question({"op": "score_deal", "position": self.position}, {"value": totals})
        if self.acts and self._is_decided_here():
            yield from self._of_turn()

    def _of_turn(self) -> Iterator[Data]:
        wanted: Data = {"legal": self.expect["verdict"] == "legal"}
        if "codes" in self.expect:
            wanted["codes"] = self.expect["codes"]
        if isinstance(self.clause, Bound) or (isinstance(self.clause, Structure) and self.clause.id == "melds.form"):
            yield from (_question(send, wanted) for send in self._melds())
        elif isinstance(self.clause, Requirement) and "take" in self.clause.on:
            laid = [act for act in self.acts if act["act"] in ("meld", "add", "take")]
            # With other melds beside it the take may be legal for their sake: then its verdict is none of the take alone.
            if len(laid) == 1 and laid[0]["act"] == "take":
                yield _question({"op": "pile_check", "position": self.position, "take": laid[0]}, wanted)
        lays = any(act["act"] in ("meld", "take") for act in self.acts)  # whether nothing is enough is no question
        alone = not self._own() and not self._empties_hand() and not self._lays_of_the_pile()
        if self.clause.id in OPENING and lays and alone:
            send = {"op": "opening_check", "total": self._total(), "melds": self._laid()}
            yield _question(send, wanted)

    def _is_decided_here(self) -> bool:
        """Ask whether the turn is legal, or illegal for nothing but the reason that this clause gives."""
        codes = set(self.expect.get("codes", ()))
        if isinstance(self.clause, Requirement | Bound):
            return codes <= {demand.code for demand in self.clause.require}
        if isinstance(self.clause, Structure):
            return codes <= {self.clause.code}
        return self.clause.id in OPENING

    def _melds(self) -> Iterator[Data]:
        laid = [act for act in self.acts if act["act"] in ("meld", "add", "take")]
        if len(laid) != 1:
            return
        (act,) = laid
        send: Data = {"op": "meld_check", "cards": act["cards"]}
        if "to" in act:
            onto = self._meld_with(act["to"])
            if not onto:
                return
            send["onto"] = onto
        if self._empties_hand():
            send["going_out"] = True
        yield send

    def _meld_with(self, card: str) -> list[str]:
        return next((meld for meld in self._own() if card in meld), [])

    def _own(self) -> list[list[str]]:
        """List the melds that the side has already."""
        own = [melds for name, melds in self.zones.items() if name.startswith("melds.") and self.seat in name[6:]]
        return [meld for melds in own for meld in melds]

    def _laid(self) -> list[list[str]]:
        """Put together the melds that the turn begins, with what is added to them."""
        melds: list[list[str]] = []
        for act in self.acts:
            if act["act"] in ("meld", "take"):
                melds.append(list(act["cards"]))
            elif act["act"] == "add":
                next(meld for meld in melds if act["to"] in meld).extend(act["cards"])
        return melds

    def _empties_hand(self) -> bool:
        held = len(self.zones.get(f"hand.{self.seat}", ()))
        for act in self.acts:
            if act["act"] == "take":
                held -= len(act["cards"]) - 1 - (len(self.zones.get("pile", ())) - 1)
            elif act["act"] in ("meld", "add", "discard"):
                held -= len(act["cards"])
            elif act["act"] == "draw":
                held += 1
        return held <= 0

    def _lays_of_the_pile(self) -> bool:
        """Ask whether a card is laid that the hand did not hold but for the top card of the pile."""
        held = list(self.zones.get(f"hand.{self.seat}", ()))
        for act in self.acts:
            cards = act.get("cards", [])[1:] if act["act"] == "take" else act.get("cards", [])
            for card in cards:
                if card not in held:
                    return True
                held.remove(card)
        return False

    def _total(self) -> int:
        found = [v for name, v in self.values.items() if name.startswith("total.") and self.seat in name[6:]]
        return int(found[0]) if found else 0


def _question(send: Data, expect: Data) -> Data:
    return {"send": send, "expect": expect}
