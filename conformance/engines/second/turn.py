"""A turn, judged as one transaction: it is played on a copy of the table, and counts only if every part of it was right."""

from dataclasses import dataclass, field

from .acts import NEW, Act, Answer, Ask, Decline, Discard, Draw, Lay, Out, Take
from .cards import BLACK_THREES, NATURAL, RED_THREES, Card, alike, take_out, values
from .dealing import become_partners, begin_stretch, begin_turn, draw_cards, end_deal
from .finishing import can_stay_in, can_take_the_pile
from .going_out import can_go_out
from .melds import CANASTA_SIZE, SET, Meld, canastas, faults, is_canasta, one_meld
from .table import CLAIM, LAST, OVER, PLAY, REPLY, START, Table

PAIR = 2


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


class _RefusedError(Exception):
    """A turn that does not count, with its violation codes."""

    def __init__(self, *codes: str) -> None:
        super().__init__(*codes)
        self.codes = frozenset(codes)


def play(table: Table, seat: int, acts: list[Act]) -> Verdict:
    """Plays acts of one player, or of a player and the partner who answers him."""
    turn = Turn(table.copy())
    try:
        for act in acts:
            turn.perform(seat, act)
        turn.leave_open()
    except _RefusedError as refused:
        return Verdict(table, refused.codes or turn.stranded, turn.stranded)
    return Verdict(turn.table)


class Turn:
    """One turn on a table of its own."""

    __slots__ = ("stranded", "table")

    def __init__(self, table: Table) -> None:
        """Begins on a copy that may be changed."""
        self.table = table
        self.stranded: frozenset[str] = frozenset()
        """What is wrong with having taken the pile, if no way to end the turn is left; what is done then tells more."""

    def perform(self, seat: int, act: Act) -> None:
        """Performs one act or refuses it."""
        table = self.table
        if table.phase == OVER:
            raise _RefusedError("NOT_NOW")
        if seat != table.turn and not (table.phase == REPLY and seat in table.partners(table.turn)):
            raise _RefusedError("NOT_YOUR_TURN")
        if (table.phase == REPLY) != isinstance(act, Answer):
            # Either the partner is to speak now, or he speaks without having been asked.
            raise _RefusedError("NOT_YOUR_TURN", "NOT_NOW")
        if table.phase == CLAIM and not isinstance(act, Lay):
            self._pick_up()
        match act:
            case Draw(cards):
                self._draw(cards)
            case Take():
                self._take(act)
            case Lay(cards, onto):
                self._lay(cards, onto)
            case Ask():
                self._ask()
            case Answer(yes):
                self._answer(yes=yes)
            case Discard(card):
                self._discard(card)
            case Out():
                self._out()
            case Decline():
                self._decline()

    def leave_open(self) -> None:
        """Stops here for now; a pile whose top card has been melded is picked up."""
        if self.table.phase == CLAIM:
            self._pick_up()
        if self.stranded:
            raise _RefusedError

    def _only_in(self, *phases: str) -> None:
        if self.table.phase not in phases:
            raise _RefusedError("NOT_NOW")

    def _draw(self, cards: tuple[Card, ...]) -> None:
        table = self.table
        self._only_in(START)
        if not table.stock:
            raise _RefusedError("STOCK_EMPTY")
        kept = draw_cards(table, list(cards))
        table.memory.source = "stock"
        if kept:
            table.phase = PLAY
        elif table.rules.last_red_three == "may_meld":
            table.phase = LAST
        else:
            end_deal(table, "stock_out")

    def _take(self, take: Take) -> None:
        """Melds the top card; the rest of the pile is picked up as soon as it may be."""
        table, memory = self.table, self.table.memory
        self._only_in(START)
        if not table.pile:
            raise _RefusedError("NOT_NOW")
        top = table.pile[-1]
        found = set()
        hand = list(table.hand)
        taken = take_out(take.cards, hand)
        if taken is None or (take.top is not None and not alike(take.top, top)):
            found.add("CARD_NOT_HELD")
        if top not in NATURAL:
            found.add("PILE_BARRED")
        lying = 0 <= take.onto < len(table.own)
        whole = Meld([top, *take.cards, *(table.own[take.onto].cards if lying else ())])
        if not one_meld(whole.cards, table.rules):
            found.add("NO_MELD")
        if whole.kind == SET and whole.wilds > table.rules.most_wilds:
            found.add("TOO_MANY_WILDS")
        if found or taken is None:
            raise _RefusedError(*found)
        memory.lone_card = len(table.hand) == len(table.pile) == 1
        memory.source = "pile"
        memory.taken_on_canasta = lying and is_canasta(table.own[take.onto])
        table.phase = CLAIM
        table.pile.pop()
        table.hands[table.turn] = hand
        self._put((top, *taken), take.onto)
        memory.taken_into = take.onto if lying else len(table.own) - 1
        if not self._pick_faults():
            self._pick_up()

    def _lay(self, cards: tuple[Card, ...], onto: int) -> None:
        table = self.table
        self._only_in(PLAY, CLAIM, LAST)
        if table.phase == CLAIM and take_out(cards, list(table.hand)) is None:
            self._pick_up()  # the cards can only come from below the top
        taken = take_out(cards, table.hand)
        if taken is None:
            whole = Meld([*(table.own[onto].cards if 0 <= onto < len(table.own) else ()), *cards])
            raise _RefusedError("CARD_NOT_HELD", *faults(whole, table.rules))
        self._put(tuple(taken), onto)
        table.memory.laid_since_reveal |= table.phase != CLAIM
        if table.phase == CLAIM and not self._pick_faults():
            self._pick_up()

    def _put(self, cards: tuple[Card, ...], onto: int) -> None:
        """Puts cards down before the side in turn."""
        table, memory = self.table, self.table.memory
        if onto == NEW:
            if not one_meld(cards, table.rules):
                raise _RefusedError("NO_MELD")
            table.own.append(Meld(list(cards), new=True))
        elif not 0 <= onto < len(table.own):
            raise _RefusedError("NO_SUCH_MELD")
        else:
            meld = table.own[onto]
            if (meld.rank == "3" and meld.settled) or not one_meld([*meld.cards, *cards], table.rules):
                raise _RefusedError("NO_MELD")
            memory.added_to_old |= not meld.new
            meld.cards += cards
        if table.own[onto].kind == SET and table.own[onto].wilds > table.rules.most_wilds:
            raise _RefusedError("TOO_MANY_WILDS")  # which no further card can mend
        memory.has_laid = True
        memory.laid += values(cards)
        memory.black_threes |= any(card in BLACK_THREES for card in cards)

    # Taking the pile

    def _pick_faults(self) -> set[str]:
        """What keeps the rest of the pile from being picked up."""
        table, memory = self.table, self.table.memory
        found = self._meld_faults()
        meld = table.own[memory.taken_into]
        fresh = meld.cards[meld.settled :]
        pair = sum(card in NATURAL for card in fresh) > PAIR
        if not pair and table.frozen_for_side:
            found.add("FROZEN_NEEDS_PAIR")
        if not pair and memory.taken_on_canasta and not table.rules.take_onto_canasta:
            found.add("CANASTA_TAKES_NO_PILE")
        if memory.lone_card and not table.one_card_for_one:
            found.add("ONE_CARD_FOR_ONE")
        if not table.side_opened and memory.laid < table.minimum:
            found.add("BELOW_MINIMUM")
        return found

    def _pick_up(self) -> None:
        table, rules = self.table, self.table.rules
        if found := self._pick_faults():
            raise _RefusedError(*found)
        table.memory.held = [*table.hand, *(card for meld in table.own for card in meld.cards[meld.settled :])]
        red = [card for card in table.pile if card in RED_THREES]
        table.hand.extend(card for card in table.pile if card not in RED_THREES)
        table.red_threes[table.account[table.turn]].extend(red)
        table.pile.clear()
        table.opened[table.side[table.turn]] = True
        table.phase = PLAY
        begin_stretch(table)
        if len(table.hand) < PAIR and not can_go_out(table):
            self.stranded = frozenset(("NO_WAY_TO_END_THE_TURN",))
        if rules.pooling and rules.lone_hand and not table.formed:
            become_partners(table, table.turn)

    # Asking

    def _ask(self) -> None:
        table = self.table
        self._only_in(PLAY)
        found = set()
        if not table.partners(table.turn):
            found.add("NOBODY_TO_ASK" if table.rules.pooling else "NOT_NOW")
        if table.memory.laid_since_reveal:
            found.add("ASK_BEFORE_MELDING")
        if table.memory.answer:
            found.add("ASKED_ALREADY")
        if found:
            raise _RefusedError(*found)
        fined = table.rules.failed_asking == "fined"
        if not can_stay_in(table) or (not fined and not can_go_out(table)):
            raise _RefusedError("NO_WAY_TO_END_THE_TURN")
        table.phase = REPLY

    def _answer(self, *, yes: bool) -> None:
        self.table.memory.answer = "yes" if yes else "no"
        self.table.phase = PLAY

    # Ending the turn

    def _meld_faults(self) -> set[str]:
        """What is wrong with the melds of the side as they lie now."""
        table = self.table
        found: set[str] = set()
        seen: set[str] = set()
        for meld in table.own:
            if len(meld.cards) > meld.settled:
                found |= faults(meld, table.rules)
                if not meld.settled and meld.rank in seen and not table.rules.ranks_twice:
                    found.add("RANK_ALREADY_MELDED")
            seen.add(meld.rank)
        return found

    def _concealed(self) -> bool:
        """Whether the hand that has just been emptied was a concealed one."""
        table, memory, rules = self.table, self.table.memory, self.table.rules
        if table.melded[table.turn] or memory.added_to_old:
            return False
        if not rules.concealed_after_partner and any(table.melded[seat] for seat in table.partners(table.turn)):
            return False
        if not rules.concealed_after_take and memory.source == "pile":
            return False
        return any(meld.new and is_canasta(meld) for meld in table.own)

    def _ending_faults(self, *, left: int) -> set[str]:
        """What is wrong with a turn that ends with so many cards in hand."""
        table, memory, rules = self.table, self.table.memory, self.table.rules
        found = self._meld_faults()
        if memory.has_laid and not table.side_opened and memory.laid < table.minimum:
            exempt = left == 0 and memory.source == "stock" and not rules.concealed_needs_minimum and self._concealed()
            if not exempt:
                found.add("BELOW_MINIMUM")
        if memory.black_threes and left:
            found.add("BLACK_THREES_ONLY_GOING_OUT")
        if left == 0:
            if canastas(table.own) < rules.canastas_to_go_out:
                found.add("NO_CANASTA")
            if memory.answer == "no":
                found.add("PARTNER_REFUSED")
        return found

    def _discard(self, card: Card) -> None:
        table = self.table
        self._only_in(PLAY)
        hand = list(table.hand)
        taken = take_out((card,), hand)
        if taken is None:
            raise _RefusedError("CARD_NOT_HELD")
        found = self._ending_faults(left=len(hand))
        if taken[0] in RED_THREES:
            found.add("RED_THREE_DISCARDED")
        told_to = hand and table.memory.answer == "yes"
        if told_to and table.rules.failed_asking != "fined":
            found.add("MUST_GO_OUT")
        if found:
            raise _RefusedError(*found)
        table.hands[table.turn] = hand
        table.pile += taken
        if told_to:
            table.fined[table.side[table.turn]] += table.rules.failed_asking_penalty
        if not hand:
            self._go_out()
            return
        self._settle()
        if not table.stock and table.rules.stock_end == "last_discard":
            end_deal(table, "stock_out")
        else:
            begin_turn(table, (table.turn + 1) % len(table.hands))

    def _out(self) -> None:
        self._only_in(PLAY, LAST)
        left = len(self.table.hand)
        found = self._ending_faults(left=left)
        if left:
            found.add("CARDS_LEFT")
        if found:
            raise _RefusedError(*found)
        self._go_out()

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
        self._only_in(START, LAST)
        found = self._ending_faults(left=len(table.hand)) if table.phase == LAST else set()
        if not table.hand:
            found.add("NO_CARD_LEFT")
        if table.stock:
            found.add("STOCK_LEFT")
        elif table.phase == START and can_take_the_pile(table, table.rules.forced_take):
            found.add("MUST_TAKE_THE_PILE")
        if found:
            raise _RefusedError(*found)
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
