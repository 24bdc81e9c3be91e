"""A game at a table with named seats, and what is worked out once for all deals that are played there."""

from collections.abc import Sequence
from typing import Final

from canasta.kernel.effects import round_from
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Context, Stack, State
from canasta.language.ruleset import Definition
from canasta.language.types import StatementOp
from canasta.notation.cards import Card
from canasta.playing.cards import CardNames
from canasta.playing.seats import Seats

STOCK: Final = -1
TABLE: Final = -2


class Table:
    """A game, with what is worked out once for all deals that are set up at it."""

    def __init__(self, game: Game, seats: Seats) -> None:
        """Find the kind of card that the set-up does nothing special with."""
        self.game = game
        self.seats = seats
        self.dealt: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        self.in_groups: dict[Card, bool] = {}
        self.names = CardNames(self.game.ruleset, self.game.deck)
        self.definitions: dict[str, Definition] = self.game.ruleset.definitions
        deck = self.game.deck

        def left(kind: int) -> int:
            return len(self.stock(self.game.turn.dealt([kind] * deck.total, 0, 1, {})).cards)

        # Cards of the same classes and values are treated alike, so one of each sort is tried.
        alike = {
            (*(t[k] for t in deck.classes.values()), *(t[k] for t in deck.values.values())): k for k in range(deck.size)
        }
        self.neutral = max(alike.values(), key=left)

    def can_lie_in_a_group(self, card: Card) -> bool:
        """Ask whether a card belongs to some group; one that nobody saw may."""
        found = self.in_groups.get(card)
        if found is None:
            forms, kinds = self.game.machine.shapes.forms, self.names.kinds(card)
            found = self.in_groups[card] = card.hidden or any(f.body[k] or f.filler[k] for k in kinds for f in forms)
        return found

    def stock(self, state: State) -> Stack:
        """Find the zone in which the pack lies before the deal."""
        zone = self.game.ruleset.zones[self.game.ruleset.table.order]
        found: Stack = state.zone(zone.index)
        return found

    def pattern(self, dealer: int, deal_no: int) -> list[int]:
        """Say to whom the first cards of the pack go: a seat each, as long as they go to hands."""
        playing = self.game.ruleset.table.playing(deal_no)
        if (dealer, playing) not in self.dealt:
            found = self._dealt_first(dealer, deal_no)
            while (to := self.where([self.neutral] * len(found), dealer, deal_no)) >= 0:
                found.append(to)
            self.dealt[dealer, playing] = found
        return self.dealt[dealer, playing]

    def _dealt_first(self, dealer: int, deal_no: int) -> list[int]:
        """Read the round off the rules where the deal is the first thing that is done; else it is found card by card."""
        state = self.game.turn.blank(dealer, deal_no, {})
        first = next((s for doing in self.game.machine.effects["setup"] for s in doing.do), None)
        if first is None or first.op is not StatementOp.DEAL:
            return []
        number: int = self.game.backend.function(first.exprs[0])(state, Context(), NOBODY, NOBODY)
        return round_from(state.after, state.after[state.dealer]) * number

    def where(self, order: Sequence[int], dealer: int, deal_no: int) -> int:
        """Say where the card after these comes to lie: at a seat, on the table, or still in the stock."""
        deck = self.game.deck
        rest = [self.neutral] * (deck.total - len(order) - 1)
        state = self.game.turn.dealt([*order, deck.size, *rest], dealer, deal_no, {})
        hands = state.zone(self.game.machine.hand)
        seat = next((s for s, hand in enumerate(hands) if hand[deck.size]), None)
        if seat is not None:
            return seat
        return STOCK if self.stock(state).counts[deck.size] else TABLE
