"""A turn, judged as one transaction: it is played on a copy of the table, and counts only if every part of it was right."""

from dataclasses import dataclass, field

from .acts import Act, Answer, Ask, Decline, Discard, Draw, Lay, Out, Show, Take, Unite
from .cards import RED_THREES, Card, take_out
from .dealing import become_partners, begin_stretch, begin_turn, draw_cards, end_deal
from .finishing import can_stay_in, can_take_the_pile
from .going_out import can_go_out
from .laying import RefusedError
from .melds import CANASTA_SIZE, Meld, canastas, escaleras, is_canasta
from .table import CLAIM, LAST, OVER, PLAY, REPLY, START, Table
from .taking import Taking


@dataclass(frozen=True, slots=True)
class Verdict:
    """The table after the turn, or the table before it and what was wrong."""

    table: Table
    codes: frozenset[str] = field(default_factory=frozenset)
    stranded: frozenset[str] = field(default_factory=frozenset)
    """Says so if the take alone would have been refused, for leaving no way to end the turn."""

    @property
    def legal(self) -> bool:
        """Whether the turn counts."""
        return not self.codes


def play(table: Table, seat: int, acts: list[Act]) -> Verdict:
    """Plays acts of one player, or of a player and the partner who answers him."""
    turn = Turn(table.copy())
    try:
        for act in acts:
            turn.perform(seat, act)
        turn.leave_open()
    except RefusedError as refused:
        return Verdict(table, refused.codes or turn.stranded, turn.stranded)
    return Verdict(turn.table)


class Turn(Taking):
    """One turn on a table of its own."""

    __slots__ = ()

    def perform(self, seat: int, act: Act) -> None:
        """Performs one act or refuses it."""
        table = self.table
        if table.phase == OVER:
            raise RefusedError("NOT_NOW")
        if seat != table.turn and not (table.phase == REPLY and seat in table.partners(table.turn)):
            raise RefusedError("NOT_YOUR_TURN")
        if (table.phase == REPLY) != isinstance(act, Answer):
            # Either the partner is to speak now, or he speaks without having been asked.
            raise RefusedError("NOT_YOUR_TURN", "NOT_NOW")
        if table.phase == CLAIM and not isinstance(act, Lay):
            self.pick_up()
        match act:
            case Draw(cards):
                self._draw(cards)
            case Take():
                self.take(act)
            case Lay(cards, onto):
                self.lay(cards, onto)
            case Ask():
                self._ask()
            case Answer(yes):
                self._answer(yes=yes)
            case Discard(card):
                self._discard(card)
            case Out():
                self._out()
            case Unite(source, onto):
                self.only_in(PLAY, LAST)
                self.unite(source, onto)
                self.win_the_prize()
            case Show(card):
                self._show(card)
            case Decline() if table.phase == PLAY and table.rules.runs:
                self._pass()
            case Decline():
                self._decline()

    def leave_open(self) -> None:
        """Stops here for now; a pile whose top card has been melded is picked up."""
        if self.table.phase == CLAIM:
            self.pick_up()
        if self.stranded:
            raise RefusedError

    def _draw(self, cards: tuple[Card, ...]) -> None:
        table = self.table
        self.only_in(START)
        if not table.stock:
            raise RefusedError("STOCK_EMPTY")
        kept = draw_cards(table, list(cards))
        table.memory.source = "stock"
        if kept:
            table.phase = PLAY
        elif table.rules.last_red_three == "may_meld":
            table.phase = LAST
        else:
            end_deal(table, "stock_out")

    # Asking

    def _ask(self) -> None:
        table = self.table
        self.only_in(PLAY)
        found = set()
        if not table.partners(table.turn):
            found.add("NOBODY_TO_ASK" if table.rules.pooling else "NOT_NOW")
        if table.memory.laid_since_reveal:
            found.add("ASK_BEFORE_MELDING")
        if table.memory.answer:
            found.add("ASKED_ALREADY")
        if found:
            raise RefusedError(*found)
        fined = table.rules.failed_asking == "fined"
        if not can_stay_in(table) or (not fined and not can_go_out(table)):
            raise RefusedError("NO_WAY_TO_END_THE_TURN")
        table.phase = REPLY

    def _answer(self, *, yes: bool) -> None:
        self.table.memory.answer = "yes" if yes else "no"
        self.table.phase = PLAY

    # Ending the turn

    def _concealed(self) -> bool:
        """Whether the hand that has just been emptied was a concealed one."""
        table, memory, rules = self.table, self.table.memory, self.table.rules
        if not rules.concealed_hands or table.melded[table.turn] or memory.added_to_old:
            return False
        if not rules.concealed_after_partner and any(table.melded[seat] for seat in table.partners(table.turn)):
            return False
        if not rules.concealed_after_take and memory.source == "pile":
            return False
        return any(meld.new and is_canasta(meld) for meld in table.own)

    def _ending_faults(self, *, left: int) -> set[str]:
        """What is wrong with a turn that ends with so many cards in hand."""
        table, memory, rules = self.table, self.table.memory, self.table.rules
        found = self.meld_faults()
        if memory.has_laid and not table.side_opened and memory.laid < table.minimum:
            excused = memory.source == "stock" and not rules.concealed_needs_minimum
            exempt = left == 0 and excused and self._concealed()
            if not exempt:
                found.add("BELOW_MINIMUM")
        if memory.black_threes and left and not rules.black_threes_any_time:
            found.add("BLACK_THREES_ONLY_GOING_OUT")
        if left == 0 and rules.going_out:
            if canastas(table.own) < rules.canastas_to_go_out:
                found.add("NO_CANASTA")
            if rules.escalera_to_go_out and not escaleras(table.own):
                found.add("NO_ESCALERA")
            if memory.answer == "no":
                found.add("PARTNER_REFUSED")
        return found

    def _discard(self, card: Card) -> None:
        table = self.table
        self.only_in(PLAY)
        hand = list(table.hand)
        taken = take_out((card,), hand)
        if taken is None:
            raise RefusedError("CARD_NOT_HELD")
        found = self._ending_faults(left=len(hand))
        if taken[0] in RED_THREES and table.rules.red_threes_laid == "at_once":
            found.add("RED_THREE_DISCARDED")
        if not hand and not table.rules.going_out:
            found.add("LAST_CARD_STAYS")
        told_to = hand and table.memory.answer == "yes"
        if told_to and table.rules.failed_asking != "fined":
            found.add("MUST_GO_OUT")
        if found:
            raise RefusedError(*found)
        table.hands[table.turn] = hand
        table.pile += taken
        if told_to:
            table.fined[table.side[table.turn]] += table.rules.failed_asking_penalty
        if not hand:
            self._go_out()
            return
        self._settle()
        last = not table.stock and table.rules.stock_end == "last_discard"
        if last or (table.stock_was_gone and not table.rules.going_out):
            end_deal(table, "stock_out")
        else:
            begin_turn(table, (table.turn + 1) % len(table.hands))

    def _out(self) -> None:
        self.only_in(PLAY, LAST)
        left = len(self.table.hand)
        found = self._ending_faults(left=left)
        if left:
            found.add("CARDS_LEFT")
        if found:
            raise RefusedError(*found)
        self._go_out()

    def _show(self, card: Card) -> None:
        """Lays a red three out that was kept; what has been laid before it must be able to stand."""
        table, memory = self.table, self.table.memory
        self.only_in(PLAY)
        hand = list(table.hand)
        taken = take_out((card,), hand)
        if taken is None:
            raise RefusedError("CARD_NOT_HELD")
        found = self.meld_faults()
        if taken[0] not in RED_THREES:
            found.add("NOT_A_RED_THREE")
        if table.rules.red_threes_laid == "at_once":
            found.add("RED_THREES_LIE_ALREADY")
        if memory.has_laid and not table.side_opened and memory.laid < table.minimum:
            found.add("BELOW_MINIMUM")
        if found:
            raise RefusedError(*found)
        table.opened[table.side[table.turn]] |= memory.has_laid
        table.hands[table.turn] = hand
        table.red_threes[table.account[table.turn]] += taken
        if table.stock:
            table.hand.append(table.stock.pop())
        memory.laid_since_reveal = False  # a card has been drawn, after which the partner may be asked
        begin_stretch(table)

    def _pass(self) -> None:
        """Ends the turn with a last card that may not be discarded."""
        table, rules = self.table, self.table.rules
        self.only_in(PLAY)
        found = self._ending_faults(left=max(1, len(table.hand)))  # nobody goes out by passing
        if not rules.pass_with_last_card:
            found.add("PASSING_NOT_PLAYED")
        if len(table.hand) != 1:
            found.add("MORE_THAN_ONE_CARD")
        enough = canastas(table.own) >= rules.canastas_to_go_out
        enough &= not rules.escalera_to_go_out or escaleras(table.own) > 0
        if rules.going_out and enough and table.memory.answer != "no":
            found.add("COULD_GO_OUT")
        if not rules.going_out and table.memory.has_laid:
            found.add("MELDED_TOO_MUCH")
        if found:
            raise RefusedError(*found)
        self._settle()
        begin_turn(table, (table.turn + 1) % len(table.hands))

    def _go_out(self) -> None:
        table, rules = self.table, self.table.rules
        table.concealed = self._concealed()
        table.went_out = table.turn
        self._settle()
        if rules.pooling and rules.lone_hand and not table.formed:
            become_partners(table, table.turn)
        end_deal(table, "out")

    def _decline(self) -> None:
        table = self.table
        self.only_in(START, LAST)
        found = self._ending_faults(left=len(table.hand)) if table.phase == LAST else set()
        if not table.hand:
            found.add("NO_CARD_LEFT")
        if table.stock:
            found.add("STOCK_LEFT")
        elif table.phase == START and can_take_the_pile(table, table.rules.forced_take):
            found.add("MUST_TAKE_THE_PILE")
        if found:
            raise RefusedError(*found)
        self._settle()
        end_deal(table, "stock_out")

    def _settle(self) -> None:
        """What a finished turn leaves behind it."""
        table, memory = self.table, self.table.memory
        if not memory.has_laid:
            return
        table.melded[table.turn] = True
        table.opened[table.side[table.turn]] = True
        if table.rules.concealed_canasta:
            for meld in table.own:
                meld.concealed |= meld.new and is_canasta(meld) and self._from_the_hand(meld)

    def _from_the_hand(self, meld: Meld) -> bool:
        """Whether a canasta could be laid of what was held, the top card of the pile among it."""
        if self.table.memory.source != "pile":
            return True
        held = list(self.table.memory.held)
        own = sum(take_out((card,), held) is not None for card in meld.cards)
        return own >= CANASTA_SIZE
