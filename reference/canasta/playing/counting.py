"""Cards that a record knows, counted over all places together: no pack gives more of a kind than it has.

What counts is where cards lie, not how often they are written: one that is discarded, taken with the pile and discarded
again is one card. Where the deck has no suits, because the record does not name them all, the suits that were written
are followed for as long as their cards can be: into the melds, and on the pile until it is taken.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import Diagnostic, Span
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Form, Owner
from canasta.language.types import StatementOp
from canasta.notation import record as r
from canasta.notation.cards import Card
from canasta.notation.record import Action
from canasta.playing.cards import SUIT_LETTERS
from canasta.playing.pad import every_statement
from canasta.playing.played import Step
from canasta.playing.report import TurnReport
from canasta.playing.setup import bags
from canasta.playing.table import Table

MOVES: Final = (StatementOp.MOVE, StatementOp.MOVE_ALL, StatementOp.MOVE_WHERE, StatementOp.MOVE_CARD)
HINT: Final = "one of these cards was another: see this line and those that name the card before it"


@dataclass(slots=True)
class Counting:
    """Counts the known cards of one deal while it is replayed; each surplus is told once, where it is first seen."""

    table: Table
    told: set[str] = field(default_factory=set)
    laid: Counter[Card] = field(default_factory=Counter)
    piles: dict[int, list[Card | None]] = field(default_factory=dict)
    follows: bool = field(init=False)

    def __post_init__(self) -> None:
        """Find out whether written suits have to be followed beside the state."""
        self.follows = not self.game.deck.by_face and not _groups_are_emptied(self.game)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.table.game

    # ---- a deal that is replayed ----

    def begin(self, state: State, upcards: Sequence[Card]) -> None:
        """Take a first position as it is; what is there too often has been told when it was set up."""
        self.told = {self.game.deck.name(k) for k in _too_many(self.game, state)}
        if self.follows:
            for index, cards in self._stacks(state):
                turned = list[Card | None](upcards[-len(cards) :] if len(upcards) >= len(cards) else ())
                self.piles[index] = turned or [None] * len(cards)

    def turn(self, report: TurnReport, actions: Sequence[Action]) -> Iterator[Diagnostic]:
        """Count after a turn, whose bound actions these are."""
        if self.follows:
            for step in report.steps:
                yield from self._follow(step, actions[step.action] if 0 <= step.action < len(actions) else None)
        for kind in self._new(report.after):
            yield self._surplus(kind, report.after, self._place(report, actions, kind))

    def end(self, state: State, deal: r.Deal) -> Iterator[Diagnostic]:
        """Count once more after the lines at the end of a deal, which make hands known."""
        for kind in self._new(state):
            named = self.game.deck.name(kind)
            lines = [x for x in deal.lines if isinstance(x, r.Left) and self._names(x.cards, kind)]
            if named not in self.told:
                yield self._surplus(kind, state, lines[-1].span if lines else deal.span)

    def in_doubt(self, state: State, turns: Sequence[r.Turn]) -> bool:
        """Ask, of turns that were not counted one by one, whether one of them may hold a surplus."""
        if self._new(state):
            return True
        if not self.follows:
            return False
        written = Counter(c for t in turns for a in t.actions for c in a.cards if c.suit)
        written.update(c for pile in self.piles.values() for c in pile if c is not None)
        return any(0 < self._copies(card) < n for card, n in written.items())

    def _new(self, state: State) -> list[int]:
        if not state.open:
            return []
        return [k for k in _too_many(self.game, state) if self.game.deck.name(k) not in self.told]

    def _surplus(self, kind: int, state: State, span: Span | None) -> Diagnostic:
        deck = self.game.deck
        return self.surplus(deck.name(kind), sum(bag[kind] for bag in bags(self.game, state)), deck.copies[kind], span)

    def surplus(self, name: str, number: int, copies: int, span: Span | None) -> Diagnostic:
        """Tell a surplus, and note that it was told."""
        self.told.add(name)
        what = f"with this there are {number} cards {name}, and the pack has {copies}"
        return Diagnostic("PL0045", what, span, HINT)

    def _place(self, report: TurnReport, actions: Sequence[Action], kind: int) -> Span | None:
        """Find the action with which the card was there too often."""
        for step in report.steps:
            if kind in _too_many(self.game, step.after):
                written = actions[step.action].span if 0 <= step.action < len(actions) else None
                return written or report.turn.span
        return report.turn.span

    def _names(self, cards: Sequence[Card], kind: int) -> bool:
        return any(not c.hidden and kind in self.table.names.kinds(c) for c in cards)

    # ---- suits that the deck does not tell apart ----

    def _stacks(self, state: State) -> Iterator[tuple[int, list[int]]]:
        rules = self.game.ruleset
        for zone in rules.zones.values():
            if zone.form is Form.STACK and zone.of is Owner.TABLE and zone.name != rules.table.order:
                yield zone.index, state.zone(zone.index).cards

    def _follow(self, step: Step, action: Action | None) -> Iterator[Diagnostic]:
        choose = self.game.ruleset.acts[step.move.act].choose
        before = dict(self._stacks(step.before))
        for index, cards in self._stacks(step.after):
            pile, old = self.piles.get(index, []), before[index]
            if len(cards) < len(old) and choose == "part" and cards == old[: len(cards)]:
                del pile[len(cards) :]
            elif cards != old:
                put = action.cards[0] if action and choose == "card" and len(action.cards) == 1 else None
                grown = len(cards) == len(old) + 1 and cards[:-1] == old
                self.piles[index] = [*(pile if grown else [None] * (len(cards) - 1)), put] if cards else []
        if action is None:
            return
        if choose == "part":
            self.laid.update(action.cards)
        if choose in ("part", "card"):
            for card in dict.fromkeys(action.cards):
                yield from self._printed(card, action.span)

    def _printed(self, card: Card, span: Span | None) -> Iterator[Diagnostic]:
        copies = self._copies(card)
        number = self.laid[card] + sum(pile.count(card) for pile in self.piles.values())
        if copies and number > copies and str(card) not in self.told:
            yield self.surplus(str(card), number, copies, span)

    def _copies(self, card: Card) -> int:
        """Find how many printed cards there are of a rank and suit; 0 when not both are said."""
        pack = self.game.ruleset.pack
        return pack.packs if card.suit in SUIT_LETTERS and card.rank in pack.ranks else 0


# ---- a deal of which only the end was written ----


def count_lines(table: Table, deal: r.Deal) -> Iterator[Diagnostic]:
    """Count the cards that the lines at the end of a deal name, each of which lies in another place."""
    counting = Counting(table)
    deck, pack = table.game.deck, table.game.ruleset.pack
    counts, printed = deck.empty(), Counter[Card]()
    for line in deal.lines:
        groups = line.groups if isinstance(line, r.Melds) else ()
        loose = line.cards if isinstance(line, (r.RedThrees, r.Left)) else ()
        for card in (*(c for group in groups for c in group), *loose):
            kinds = table.names.kinds(card)
            if card.hidden or not kinds:
                continue
            kind = next((k for k in kinds if counts[k] < deck.copies[k]), kinds[-1])
            counts[kind] += 1
            printed[card] += 1
            copies = pack.packs if card.suit in SUIT_LETTERS and card.rank in pack.ranks else deck.total
            name = deck.name(kind)
            if counts[kind] > deck.copies[kind] and name not in counting.told:
                yield counting.surplus(name, counts[kind], deck.copies[kind], line.span)
            elif printed[card] > copies and str(card) not in counting.told:
                yield counting.surplus(str(card), printed[card], copies, line.span)


def _too_many(game: Game, state: State) -> list[int]:
    """List the kinds of card of which more are known than the pack has."""
    counts = [sum(column) for column in zip(*bags(game, state), strict=True)]
    return [k for k, copies in enumerate(game.deck.copies) if counts[k] > copies]


def _groups_are_emptied(game: Game) -> bool:
    """Whether some effect takes cards out of a group again."""
    zones = game.ruleset.zones
    return any(
        s.op in MOVES and zones[s.places[0].name].form is Form.GROUPS
        for s in every_statement(game.ruleset) if s.places and s.places[0].name in zones
    )  # fmt: skip
