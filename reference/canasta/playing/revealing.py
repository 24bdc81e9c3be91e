"""Making unknown cards known: what a record says was drawn, shown or lay on top was there all the time."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.kernel.effects import put
from canasta.kernel.game import Game
from canasta.kernel.state import Context, Stack, State
from canasta.language.ruleset import Owner
from canasta.notation.cards import Card
from canasta.notation.record import Action
from canasta.playing.cards import CardNames
from canasta.playing.kept import laid_out, lay_out
from canasta.playing.signs import Signs


@dataclass(slots=True)
class Reveals:
    """Makes cards of one game known for one player; with ``own`` in the state itself, which nobody else holds."""

    game: Game
    signs: Signs
    actor: int
    findings: Findings
    own: bool = False
    names: CardNames = field(init=False)

    def __post_init__(self) -> None:
        """Take the names of the cards."""
        self.names = self.signs.names

    def _stack(self, state: State, name: str) -> Stack:
        return self.game.turn.judge.stack(state, name, self.actor)

    def stack(self, state: State, name: str, cards: Sequence[Card], span: Span | None) -> State:
        """See that the topmost cards of a stack are those written, the top one first.

        Where an unknown card lies it becomes the written one. Where another card is known to lie, the difference is a
        finding; what is written is believed, and the written card changes places with the one that lies there.
        """
        if self.names.lie_so(self._stack(state, name).cards, cards):
            return state
        after = state if self.own else state.copy()
        after.parts_fine = None
        stack = self._stack(after, name)
        for depth, card in enumerate(cards):
            at = len(stack.cards) - 1 - depth
            if card.hidden or at < 0:
                continue
            kinds = self.names.kinds(card)
            if not kinds:
                self._say("PL0004", f"there is no card {card} in this pack", span)
            elif stack.cards[at] == self.game.deck.size:
                self._turn_up(stack, at, kinds)
            elif stack.cards[at] not in kinds:
                told = self.game.deck.name(stack.cards[at])
                hint = "mend the turn, or the line that says what lay there"
                self._say("PL0014", f"the {name} gives {told} here, and {card} is written", span, hint)
                self._exchange(stack, at, kinds)
        return after

    def _turn_up(self, stack: Stack, at: int, kinds: Sequence[int]) -> None:
        stack.cards[at] = kinds[0]
        stack.counts[self.game.deck.size] -= 1
        stack.counts[kinds[0]] += 1

    def _exchange(self, stack: Stack, at: int, kinds: Sequence[int]) -> None:
        below = [i for i in range(at) if stack.cards[i] in kinds] or [
            i for i in range(at) if stack.cards[i] == self.game.deck.size
        ]
        old = stack.cards[at]
        kind = stack.cards[below[-1]] if below and stack.cards[below[-1]] in kinds else kinds[0]
        stack.cards[at] = kind
        if below:
            gone, stack.cards[below[-1]] = stack.cards[below[-1]], old
            stack.counts[gone] -= 1
        else:
            stack.counts[old] -= 1
        stack.counts[kind] += 1

    # -- cards shown and replaced ------------------------------------------------------------------------------------

    def order_drawn(
        self, state: State, drawn: Sequence[Card], shows: Sequence[Action]
    ) -> tuple[list[Card], list[Action]]:
        """Work out in which order cards left the stock, and which shown cards were in the hand before.

        A shown card is among those drawn, or it is one of them that was written as unknown, or it was held before. When
        a draw was written by the cards kept (``+K 3h+``), the shown card came before them.
        """
        order = list(drawn)
        hand = state.zone(self.game.machine.hand)[self.actor]
        held: list[Action] = []
        gone: set[int] = set()
        for show in shows:
            known = any(hand[k] for c in show.cards for k in self.names.kinds(c))
            kept_only = bool(order) and all(c.hidden for c in show.replacement)
            places = [self._place(order, card, gone) for card in show.cards]
            if None in places and (known or (order and not kept_only)):
                held.append(show)
                continue
            for card, place in zip(show.cards, places, strict=True):
                if place is None:
                    order.insert(0, card)
                    gone = {0, *(i + 1 for i in gone)}
                else:
                    order[place] = card if order[place].hidden else order[place]
                    gone.add(place)
            order += show.replacement
        return order, held

    def _place(self, order: Sequence[Card], card: Card, gone: set[int]) -> int | None:
        """Find a shown card among those drawn that have not been shown before, else an unknown one."""
        kinds = set(self.names.kinds(card))
        left = [i for i in range(len(order)) if i not in gone]
        same = [i for i in left if not order[i].hidden and kinds & set(self.names.kinds(order[i]))]
        return next(iter([*same, *(i for i in left if order[i].hidden)]), None)

    def shown(self, state: State, action: Action) -> State:
        """Lay cards that were in the hand unknown, by the duty of the rule set that lays such cards."""
        after = state.copy()
        hand = after.zone(self.game.machine.hand)[self.actor]
        for card in action.cards:
            kinds = self.names.kinds(card)
            if any(hand[k] for k in kinds) or not kinds:
                continue
            if not hand[self.game.deck.size]:
                self._say("PL0017", f"{card} is written as shown, and the hand does not hold it", action.span)
                return state
            hand[self.game.deck.size] -= 1
            hand[kinds[0]] += 1
        after = self.stack(after, self.game.ruleset.table.order, action.replacement, action.span)
        for name in ("turn", "setup"):
            self.game.turn.effects.duties(name, after, Context(), self.actor)
            if self.lie_open(after, action.cards):
                return after
        self._say("PL0018", f"no rule lays out {' '.join(map(str, action.cards))} now", action.span)
        return state

    def holds_to_lay_out(self, state: State, action: Action) -> bool:
        """Ask whether a hand is known to hold cards which the rules lay out, and which were kept."""
        hand = state.zone(self.game.machine.hand)[self.actor]
        laid = laid_out(self.game, "setup")
        return all(any(hand[k] and k in laid for k in self.names.kinds(card)) for card in action.cards)

    def laid_out(self, state: State, action: Action) -> State:
        """Lay out held cards as the table did, by no rule, and draw what was drawn for them."""
        after = state if self.own else state.copy()
        hand = after.zone(self.game.machine.hand)[self.actor]
        for card in action.cards:
            kind = next((k for k in self.names.kinds(card) if hand[k]), None)
            if kind is None or not lay_out(self.game, after, self.actor, kind):
                self._say("PL0017", f"{card} is written as shown, and the hand does not hold it", action.span)
                return state
        return self.drawn(after, action.replacement, action.span)

    def drawn(self, state: State, cards: Sequence[Card], span: Span | None) -> State:
        """Bring written cards from the stock to the hand, by no rule."""
        after = self.stack(state if self.own else state.copy(), self.game.ruleset.table.order, cards, span)
        stock, hand = self._stack(after, self.game.ruleset.table.order), after.zone(self.game.machine.hand)[self.actor]
        for _ in cards[: len(stock.cards)]:
            put(hand, stock.pop())
        after.parts_fine = None
        return after

    def lie_open(self, state: State, cards: Sequence[Card]) -> bool:
        """Ask whether cards lie openly, outside any group, before a player or the side."""
        for zone in self.signs.shown:
            content = state.zone(zone.index)[self.actor if zone.of is Owner.SEAT else state.side_of[self.actor]]
            left = content[:]
            for card in cards:
                kind = next((k for k in self.names.kinds(card) if left[k]), None)
                if kind is None:
                    break
                left[kind] -= 1
            else:
                return True
        return False

    def _say(self, id_: str, message: str, span: Span | None, hint: str = "") -> None:
        self.findings.add(Diagnostic(id_, message, span, hint))
