"""Messages in which suits or seats have other names, and everything else stays as it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Data = dict[str, Any]

JOKER: Final = "Jk"
CARDS: Final = ("cards", "stock")
ONE_CARD: Final = ("to", "from")
SEATS: Final = ("seat", "dealer")
PARTIES: Final = "sides"


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names: of suits, and of owners, which are seats and sides."""

    suits: Mapping[str, str] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)

    def card(self, card: str) -> str:
        """Rename a card."""
        return card if card.startswith(JOKER) else card[0] + self.suits.get(card[1:], card[1:])

    def cards(self, cards: list[Any]) -> list[Any]:
        """Rename cards, or melds of them."""
        return [self.cards(card) if isinstance(card, list) else self.card(card) for card in cards]

    def place(self, name: str) -> str:
        """Rename the owner of a place; where none is named the name itself may be an owner's, as in totals."""
        place, dot, owner = name.partition(".")
        if place in self.owners and dot:
            return f"{self.owners[place]}.{owner}"  # a line of the ledger: OWNER.ITEM
        return f"{place}.{self.owners.get(owner, owner)}" if dot else self.owners.get(name, name)

    def party(self, party: str) -> str:
        """Rename a side that is written by its seats."""
        return self.owners.get(party) or "".join(self.owners.get(seat, seat) for seat in party)

    def value(self, name: str, value: object) -> object:
        """Rename what a value holds: cards, sides, or a seat."""
        if isinstance(value, list):
            return [self.party(v) for v in value] if name == PARTIES else self.cards(value)
        return self.owners.get(value, value) if isinstance(value, str) else value


def renamed(message: Mapping[str, Any], names: Renaming) -> Data:
    """Give a request, or what is expected of an answer, with other names."""
    found: Data = {}
    for key, value in message.items():
        if key in CARDS:
            found[key] = names.cards(value)
        elif key in ONE_CARD:
            found[key] = names.card(value)
        elif key in SEATS:
            found[key] = names.owners.get(value, value)
        elif key == "acts":
            found[key] = [renamed(act, names) for act in value]
        elif key == "position":
            found[key] = renamed(value, names)
        elif key == "zones":
            found[key] = {names.place(name): names.cards(cards) for name, cards in value.items()}
        elif key == "values":
            found[key] = {names.place(name): names.value(name, told) for name, told in value.items()}
        elif key in ("lines", "totals"):
            found[key] = {names.place(name): points for name, points in value.items()}
        elif key == "winners":
            found[key] = [names.owners.get(winner, winner) for winner in value]
        else:
            found[key] = value
    return found
