"""From the lines that open a deal to its first position, at whatever depth they were written.

The rule set alone says where each card of the pack goes. So the pack is put together card by card: the set-up is run with
an unknown card in the next place, and where that card comes to lie says which of the written cards belongs there. The
order of the stock that nobody has seen yet is thereby arranged so that the rule set's own order of laying red threes and
turning upcards gives every player what was written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from canasta.diagnostics import Diagnostic, Span
from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.machine import Doing
from canasta.kernel.state import NOBODY, Context, Stack, State
from canasta.language.ruleset import Form, Owner, Zone
from canasta.language.types import Statement, StatementOp
from canasta.notation import record as r
from canasta.notation.cards import Card, write_cards
from canasta.notation.record import Action, Written
from canasta.playing.first_lines import set_apart
from canasta.playing.kept import seats_that_kept, shown_by_choice
from canasta.playing.table import STOCK, TABLE, Table
from canasta.shuffle import LARGEST_SEED, shuffled


@dataclass(frozen=True, slots=True)
class SetUp:
    """The first position of a deal, the turns that are still to be played, and what was found before the first of them."""

    state: State
    turns: tuple[r.Turn, ...]
    findings: tuple[Diagnostic, ...]


def set_up(table: Table, deal: r.Deal, dealer: int, carried: dict[str, list[int]]) -> SetUp:
    """Set a deal up as a record tells it, ``carried`` being the variables that last a match, by name.

    Findings are PL0022 to PL0027.
    """
    return _SettingUp(table, deal, dealer, carried).run()


@dataclass(slots=True)
class _SettingUp:
    """The work of setting one deal up."""

    table: Table
    deal: r.Deal
    dealer: int
    carried: dict[str, list[int]]
    findings: list[Diagnostic] = field(default_factory=list)
    hands: dict[int, list[int]] = field(default_factory=dict)
    shown: dict[int, list[Action]] = field(default_factory=dict)
    drawn: dict[int, list[int]] = field(default_factory=dict)
    rest: list[int] | None = None
    unseen: dict[int, int] = field(default_factory=dict)
    pile: list[int] = field(default_factory=list)
    early: set[int] = field(default_factory=set)
    left_open: bool = False
    kept: frozenset[int] = frozenset()
    """Seats that did not lay out what they should have laid out before the first turn."""

    def say(self, id_: str, message: str, span: Span | None, hint: str, clause: str = "") -> None:
        """Note a finding; one with a clause is a departure from the rules, others are faults of the record."""
        self.findings.append(Diagnostic(id_, message, span or self.deal.span, hint, clause=clause))

    # ---- the whole ----

    def run(self) -> SetUp:
        """Put the pack together, deal it, and correct what was done otherwise."""
        turns = self._set_apart()
        order = self._shuffled(self.deal.seed) if self.deal.seed is not None else []
        if order:
            self._from_order(order)
        else:
            self._read_hands()
            self._read_stock()
            names = self.table.names
            dealt = {s: hand for s, hand in self.hands.items() if s not in self.shown}
            self.kept = seats_that_kept(self.table.game, names, self.deal.number, dealt, turns, self.rest or ())
            order = self._fed()
        state = self.table.game.start(order, self.dealer, self.deal.number, self.carried)
        self._as_it_was(state)
        self._departures(state)
        self._count(state)
        return SetUp(state, turns, tuple(self.findings))

    def _seat(self, name: str) -> int:
        seat = self.table.seats.seat(name)
        return seat if seat is not None else 0

    def _kinds(self, cards: Iterable[Card], span: Span | None) -> list[int]:
        """Find the kinds of written cards; one that is not in the pack is said and taken as unknown."""
        deck = self.table.game.deck
        found: list[int] = []
        for card in cards:
            kind, _ = self.table.names.pick(card, deck.full())
            if kind < 0:
                self.say("PL0022", f"this pack has no card {card}", span, "see the rule set's pack, or mend the card")
                kind = deck.size
            found.append(kind)
        return found

    # ---- red threes before the first turn ----

    def _set_apart(self) -> tuple[r.Turn, ...]:
        """Part the cards laid before a player's first draw from the turns; what stays are the turns to be played."""
        if shown_by_choice(self.table.game):
            return tuple(self.deal.turns)
        first = set_apart(self.deal)
        for name, shown in first.shown.items():
            seat = self._seat(name)
            self.shown[seat] = list(shown)
            self.drawn[seat] = [k for action in shown for k in self._kinds(action.replacement, action.span)]
        self.early = {self._seat(name) for name in first.on_turn}
        return first.turns

    # ---- what was written ----

    def _read_hands(self) -> None:
        """Read the dealt hands; of a hand that was not written only the cards laid from it are known."""
        deck, pattern = self.table.game.deck, self.table.pattern(self.dealer, self.deal.number)
        for line in self.deal.lines:
            if isinstance(line, r.Hand):
                self.hands[self._seat(line.seat)] = self._kinds(line.cards, line.span)
        for seat, name in enumerate(self.table.seats.names):
            number = pattern.count(seat)
            if seat not in self.hands:
                self.hands[seat] = self._laid_from(seat)
            elif len(self.hands[seat]) != number:
                line = next(x for x in self.deal.lines if isinstance(x, r.Hand) and x.seat == name)
                what = f"{name} was dealt {len(self.hands[seat])} cards, and the rules deal {number}"
                self.say("PL0023", what, line.span, "count the cards of the hand again", self._dealing())
            self.hands[seat] += [deck.size] * (number - len(self.hands[seat]))
            del self.hands[seat][number:]

    def _laid_from(self, seat: int) -> list[int]:
        """The cards that a seat laid and had been dealt: those that no replacement brought."""
        brought = list(self.drawn.get(seat, []))
        dealt: list[int] = []
        for action in self.shown.get(seat, []):
            for kind in self._kinds(action.cards, action.span):
                if kind in brought:
                    brought.remove(kind)
                else:
                    dealt.append(kind)
        return dealt

    def _dealing(self) -> str:
        """Find the clause that deals the hands."""
        for doing in self.table.game.machine.effects["setup"]:
            if any(s.op is StatementOp.DEAL for s in doing.do):
                return doing.clause
        return ""

    def _read_stock(self) -> None:
        """Read the stock, and take out of it what was turned and drawn before the first turn, in the order of the record."""
        line = self.deal.stock
        if line is None:
            return
        self.rest = self._kinds(line.cards, line.span)
        waiting = {seat: sum(len(a.replacement) for a in shown) for seat, shown in self.shown.items()}
        gone, turned = 0, self.deal.upcards is None
        for other in self.deal.lines:
            if turned and not any(waiting.values()):
                break
            if isinstance(other, r.Upcards):
                turned = True
                for kind, card in zip(self._kinds(other.cards, other.span), other.cards, strict=True):
                    self._out_of_stock(kind, card, gone, other.span)
            elif isinstance(other, r.Turn):
                gone += self._spent(other, waiting, gone)

    def _spent(self, turn: r.Turn, waiting: dict[int, int], gone: int) -> int:
        """Go through one turn: replacements of dealt cards leave the stock now, later draws are counted as passed over."""
        seat = self._seat(turn.seat)
        passed = 0
        for action in turn.actions:
            if action.kind is Written.SHOW and waiting.get(seat, 0) > 0:
                for kind, card in zip(self._kinds(action.replacement, action.span), action.replacement, strict=True):
                    self._out_of_stock(kind, card, gone + passed, action.span)
                    waiting[seat] -= 1
            elif action.kind in (Written.DRAW, Written.SHOW):
                passed += len(action.cards) if action.kind is Written.DRAW else len(action.replacement)
        return passed

    def _out_of_stock(self, kind: int, card: Card, at: int, span: Span | None) -> None:
        """Take a card out of the written stock where it must lie."""
        if self.rest is None or kind == self.table.game.deck.size:
            if self.rest:
                del self.rest[min(at, len(self.rest) - 1)]
            return
        if at < len(self.rest) and self.rest[at] == kind:
            del self.rest[at]
            return
        there = write_cards([self.table.names.card(self.rest[at])]) if at < len(self.rest) else "nothing"
        self.say(
            "PL0024", f"here {card} left the stock, where {there} was next", span, "compare the line with the stock"
        )
        if kind in self.rest[at:]:
            self.rest.remove(kind)

    # ---- the pack in order ----

    def _fed(self) -> list[int]:
        """Put the pack together, asking the rule set card by card where the next one goes."""
        table, order = self.table, list[int]()
        hands = {seat: list(hand) for seat, hand in self.hands.items()}
        drawn = {seat: list(cards) for seat, cards in self.drawn.items()}
        up = self.deal.upcards
        upcards = self._kinds(up.cards, up.span) if up else []
        pattern = table.pattern(self.dealer, self.deal.number)
        while len(order) < table.game.deck.total:
            at = len(order)
            to = pattern[at] if at < len(pattern) else table.where(order, self.dealer, self.deal.number)
            if to == STOCK:
                break
            card = self._turned(upcards, written=up is not None) if to == TABLE else self._given(to, hands, drawn)
            order.append(table.neutral if card == table.game.deck.size else card)
        self._left_over(upcards, drawn)
        rest = self.rest if self.rest is not None else []
        return [*order, *reversed(self._padded(rest, len(order)))]

    def _given(self, seat: int, hands: dict[int, list[int]], drawn: dict[int, list[int]]) -> int:
        """Find the card that a seat gets next: one it was dealt, then one it drew for what it laid."""
        unknown = self.table.game.deck.size
        if seat in self.kept and hands[seat]:
            hands[seat].pop(0)
            return unknown
        if hands[seat]:
            card = hands[seat].pop(0)
        elif drawn.get(seat):
            card = drawn[seat].pop(0)
        elif self.rest and seat not in self.shown:
            card = self.rest.pop(0)
        else:
            card = unknown
        if card == unknown:
            self.unseen[seat] = self.unseen.get(seat, 0) + 1
        return card

    def _turned(self, upcards: list[int], *, written: bool) -> int:
        """Find the card that is turned next; where the table stopped turning, one that will be taken away again."""
        unknown = self.table.game.deck.size
        if upcards:
            card = upcards.pop(0)
            self.pile.append(card)
            return card
        if not written:
            card = self.rest.pop(0) if self.rest else unknown
            self.pile.append(card)
            return card
        self.left_open = True
        return unknown

    def _left_over(self, upcards: list[int], drawn: dict[int, list[int]]) -> None:
        """What was turned or laid although the rule set has no place for it before the first turn."""
        up = self.deal.upcards
        if upcards and up is not None:
            cards = write_cards([self.table.names.card(k) for k in upcards])
            turning = self._turning()
            if turning:
                what = f"{cards} was turned up on a card that nothing covers"
                hint = "a rule set may choose otherwise: see its options"
            else:
                what = f"{write_cards(up.cards)} was turned up, and in this game no card is turned up before the first turn"
                hint = "leave the line out, or name the rule set of the game that was played"
            self.say("PL0025", what, up.span, hint, turning)
            self.pile += upcards
        self.drawn = drawn

    def _padded(self, rest: list[int], used: int) -> list[int]:
        """The stock from the bottom up, filled to the size of the pack."""
        missing = self.table.game.deck.total - used - len(rest)
        return [*([self.table.neutral] * max(0, missing)), *reversed(rest[: max(0, len(rest) + min(0, missing))])]

    def _shuffled(self, seed: r.Seed) -> list[int]:
        """Shuffle the pack as the seed says; nothing if it is too large for a seed."""
        if not 0 <= seed.number <= LARGEST_SEED:
            self.say(
                "PL0026", f"a seed lies from 0 to {LARGEST_SEED}", seed.span, "write the number that made the deal"
            )
            return []
        return shuffled(listed(self.table.game.deck.full()[:-1]), seed.number)

    def _from_order(self, order: list[int]) -> None:
        """Compare the upcards that were written beside a seed with those that it gives."""
        state = self.table.game.start(order, self.dealer)
        pile = self._upcard_zone(state).cards
        up = self.deal.upcards
        written = self._kinds(up.cards, up.span) if up else []
        if up is not None and written != pile:
            turned = write_cards([self.table.names.card(k) for k in pile])
            self.say("PL0024", f"the seed turns up {turned}", up.span, "the seed or the upcards are wrong")
        self.pile = list(pile)
        self.rest = self.table.stock(state).cards[::-1]
        self.drawn = {}

    # ---- as the table had it ----

    def _upcard_zone(self, state: State) -> Stack:
        """Find the stack on which the set-up turns cards."""
        rules = self.table.game.ruleset
        stacks = [z for z in rules.zones.values() if z.form is Form.STACK and z.of is Owner.TABLE]
        zone = next((z for z in stacks if z.name != rules.table.order), rules.zones[rules.table.order])
        found: Stack = state.zone(zone.index)
        return found

    def _as_it_was(self, state: State) -> None:
        """Put unknown cards where nothing was written, the pile as it was, and the stock as it must then lie."""
        deck, neutral = self.table.game.deck, self.table.neutral
        for seat, number in self.unseen.items():
            hand = state.zone(self.table.game.machine.hand)[seat]
            hand[neutral] -= number
            hand[deck.size] += number
        for seat in self.kept:
            state.zone(self.table.game.machine.hand)[seat][:] = deck.bag(self.hands[seat])
        if self.pile:
            _refill(self._upcard_zone(state), self.pile)
        elif self.left_open:
            _refill(self._upcard_zone(state), [])
        others = deck.total - self._lying(state) + len(self.table.stock(state).cards)
        rest = self.rest if self.rest is not None else [deck.size] * others
        _refill(self.table.stock(state), rest[::-1])
        state.open = any(bag[deck.size] for bag in bags(self.table.game, state))

    def _lying(self, state: State) -> int:
        return sum(sum(bag) for bag in bags(self.table.game, state))

    def _count(self, state: State) -> None:
        """See that no card is there more often than the pack has it, and that none is missing from a full deal."""
        deck = self.table.game.deck
        counts = deck.empty()
        for bag in bags(self.table.game, state):
            for kind, n in enumerate(bag):
                counts[kind] += n
        many = [k for k, copies in enumerate(deck.copies) if counts[k] > copies]
        for kind in many:
            what = f"{deck.name(kind)} is dealt {counts[kind]} times, and the pack has {deck.copies[kind]}"
            self.say("PL0027", what, self._place_of(kind), "one of these cards was another: compare hands and stock")
        total = sum(counts)
        if total != deck.total:
            what = f"hands, stock and upcards come to {total} cards, and the pack has {deck.total}"
            line = self.deal.stock
            self.say("PL0027", what, line.span if line else None, "a card was left out or written twice")
        elif many and not counts[deck.size]:
            few = [deck.name(k) for k, copies in enumerate(deck.copies) if counts[k] < copies]
            last = self.findings[-1]
            self.findings[-1] = replace(last, hint=f"not dealt as often as the pack has it: {' '.join(few)}")

    def _place_of(self, kind: int) -> Span | None:
        for line in self.deal.lines:
            if isinstance(line, (r.Hand, r.Stock, r.Upcards)) and kind in self._kinds(line.cards, line.span):
                return line.span
        return None

    # ---- departures ----

    def _departures(self, state: State) -> None:
        """Name the clauses that the set-up of the table left undone."""
        game = self.table.game
        up = self.deal.upcards
        pile_known = game.deck.size not in self.pile
        for duty in game.machine.duties["setup"]:
            turning = any(s.op is StatementOp.MOVE and self._onto_pile(s) for s in duty.do)
            if turning and not pile_known:
                continue
            for seat in range(len(state.side_of)) if duty.each_seat else (NOBODY,):
                if self._holds(duty, state, seat):
                    dealt = next(
                        (x for x in self.deal.lines if isinstance(x, r.Hand) and seat == self._seat(x.seat)), up
                    )
                    self._undone(duty, seat, up.span if turning and up else dealt.span if dealt else None)
        for seat, cards in self.drawn.items():
            if cards:
                self._laid_early(state, seat)

    def _holds(self, duty: Doing, state: State, seat: int) -> bool:
        side = state.side_of[seat] if seat >= 0 else NOBODY
        return duty.when is None or bool(duty.when(state, Context(), seat, side))

    def _undone(self, duty: Doing, seat: int, span: Span | None) -> None:
        clause = self.table.game.ruleset.clauses[duty.clause]
        whose = f" by {self.table.seats.names[seat]}" if seat >= 0 else ""
        what = f"left undone{whose} before the first turn: {clause.title[0].lower()}{clause.title[1:]}"
        self.say("PL0025", what, span, "it was played on as it lay; a rule set may choose otherwise", duty.clause)

    def _laid_early(self, state: State, seat: int) -> None:
        """Cards were laid before the first turn although the rule set lays them later: lay them now as the table did."""
        game = self.table.game
        duties = [d for d in game.machine.duties["turn"] if self._holds(d, state, seat)]
        if not duties:
            first = self.shown[seat][0]
            held = write_cards(first.cards)
            self.say(
                "PL0024", f"{held} was laid out, and {self.table.seats.names[seat]} does not hold it", first.span, ""
            )
            return
        stock = self.table.stock(state)
        for kind in reversed(self.drawn[seat]):
            if self.rest is None and stock.cards:
                stock.pop()
            stock.push(kind)
        phase, who = state.phase, state.seat
        game.turn.effects.run("turn", state, Context(), seat)
        state.phase, state.seat = phase, who
        if seat not in self.early:
            what = f"{self.table.seats.names[seat]} laid {write_cards(self.shown[seat][0].cards)} before the first turn"
            hint = "these rules lay it out on the player's own first turn; it was played on as it lay"
            self.say("PL0025", what, self.shown[seat][0].span, hint, duties[0].clause)

    def _turning(self) -> str:
        """Find the clause that covers upcards, else the one that turns them."""
        machine = self.table.game.machine
        for doing in (*machine.duties["setup"], *machine.effects["setup"]):
            if any(s.op is StatementOp.MOVE and self._onto_pile(s) for s in doing.do):
                return doing.clause
        return ""

    def _onto_pile(self, statement: Statement) -> bool:
        rules = self.table.game.ruleset
        target: Zone = rules.zones[statement.places[1].name]
        return target.form is Form.STACK and target.name != rules.table.order


def _refill(stack: Stack, cards: Sequence[int]) -> None:
    """Put exactly these cards on a stack, the last one on top."""
    stack.empty()
    stack.fill(list(cards))


def bags(game: Game, state: State) -> Iterable[list[int]]:
    """Go through the counts of all places where cards lie."""
    for zone in game.ruleset.zones.values():
        content = state.zone(zone.index)
        for place in [content] if zone.of is Owner.TABLE else content:
            if isinstance(place, Stack):
                yield place.counts
            elif zone.form is Form.BAG:
                yield place
            else:
                yield from (group.cards for group in place)
