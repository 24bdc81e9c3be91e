"""Taking the pile, and the prize that a first canasta wins."""

from .acts import NEW, Take
from .cards import NATURAL, RED_THREES, alike, take_out
from .dealing import become_partners, begin_stretch, draw_prize
from .finishing import can_end_the_turn, run_with
from .laying import BEYOND_MENDING, Laying, RefusedError, no_place
from .melds import CANASTA_SIZE, RUN, SET, Meld, faults, is_canasta, one_meld
from .table import CLAIM, LAST, PLAY, START

PAIR = 2


class Taking(Laying):
    """A turn, as far as cards come into it from the pile."""

    __slots__ = ()

    def take(self, take: Take) -> None:
        """Melds the top card; the rest of the pile is picked up as soon as it may be."""
        table, memory = self.table, self.table.memory
        self.only_in(START)
        if not table.pile:
            raise RefusedError("NOT_NOW")
        top = table.pile[-1]
        hand = list(table.hand)
        taken = take_out(take.cards, hand)
        found = set()
        if taken is None or (take.top is not None and not alike(take.top, top)):
            found.add("CARD_NOT_HELD")
        if top not in NATURAL:
            found.add("PILE_BARRED")
        lying = table.own[take.onto] if 0 <= take.onto < len(table.own) else Meld([])
        whole = Meld([*lying.cards, top, *take.cards])
        if lying.cards:
            found |= no_place(lying, (top, *take.cards), table.rules)
        elif not one_meld(whole.cards, table.rules):
            found.add("NO_MELD")
        found |= faults(whole, table.rules) & BEYOND_MENDING
        if found or taken is None:
            raise RefusedError(*found)
        memory.lone_card = len(table.hand) == len(table.pile) == 1
        memory.source = "pile"
        memory.taken_on_canasta = is_canasta(lying)
        memory.top_fits_run = run_with(lying.cards, top)
        table.phase = CLAIM
        table.pile.pop()
        table.hands[table.turn] = hand
        self.put((top, *taken), take.onto)
        memory.taken_into = len(table.own) - 1 if take.onto == NEW else take.onto
        if not self.pick_faults():
            self.pick_up()

    def lay(self, cards: tuple[str, ...], onto: int) -> None:
        """Lays cards of the hand; those that can only come from below the top of the pile are picked up first."""
        table = self.table
        self.only_in(PLAY, CLAIM, LAST)
        if table.phase == CLAIM and take_out(cards, list(table.hand)) is None:
            self.pick_up()
        taken = take_out(cards, table.hand)
        if taken is None:
            whole = Meld([*(table.own[onto].cards if 0 <= onto < len(table.own) else ()), *cards])
            raise RefusedError("CARD_NOT_HELD", *faults(whole, table.rules))
        self.put(tuple(taken), onto)
        table.memory.laid_since_reveal |= table.phase != CLAIM
        if table.phase == CLAIM and not self.pick_faults():
            self.pick_up()
        elif table.phase == PLAY:
            self.win_the_prize()

    def pick_faults(self) -> set[str]:
        """What keeps the rest of the pile from being picked up."""
        table, memory = self.table, self.table.memory
        found = self.meld_faults() | self._way_faults()
        if memory.lone_card and not table.one_card_for_one:
            found.add("ONE_CARD_FOR_ONE")
        if not table.side_opened and memory.laid < table.minimum:
            found.add("BELOW_MINIMUM")
        return found

    def _way_faults(self) -> set[str]:
        """What is wrong with the way in which the top card was melded."""
        table, memory, rules = self.table, self.table.memory, self.table.rules
        meld = table.own[memory.taken_into]
        fresh = meld.cards[meld.settled :]
        pair = meld.kind == SET and sum(card in NATURAL for card in fresh) > PAIR
        found = set()
        if not pair and table.frozen_for_side:
            found.add("FROZEN_NEEDS_PAIR")
        if not pair and memory.taken_on_canasta and not rules.take_onto_canasta:
            found.add("CANASTA_TAKES_NO_PILE")
        if meld.kind == RUN and not memory.top_fits_run:
            found.add("SEQUENCE_NEEDS_TOP_CARD_ALONE")
        onto_group = meld.settled > 0 and rules.take_own_group
        if meld.kind == SET and not pair and not rules.natural_and_wild_take and not onto_group:
            found.add("PAIR_NEEDED")
        return found

    def pick_up(self) -> None:
        """Takes the rest of the pile into the hand; red threes in it are laid out, where they are not kept."""
        table, rules = self.table, self.table.rules
        if found := self.pick_faults():
            raise RefusedError(*found)
        table.memory.held = [*table.hand, *(card for meld in table.own for card in meld.cards[meld.settled :])]
        table.opened[table.side[table.turn]] = True
        table.phase = PLAY
        if table.own[table.memory.taken_into].kind != RUN or rules.take_onto_sequence == "whole_pile":
            kept = rules.red_threes_laid == "at_will"
            red = [card for card in table.pile if card in RED_THREES and not kept]
            table.hand.extend(card for card in table.pile if kept or card not in RED_THREES)
            table.red_threes[table.account[table.turn]].extend(red)
            table.pile.clear()
            table.turned = 0
        begin_stretch(table)
        self.win_the_prize()
        if not can_end_the_turn(table):
            self.stranded = frozenset(("NO_WAY_TO_END_THE_TURN",))
        if rules.pooling and rules.lone_hand and not table.formed:
            become_partners(table, table.turn)

    def win_the_prize(self) -> None:
        """Draws the prize for the first canasta of the deal, as soon as what has been laid may stand."""
        table = self.table
        if not table.rules.prize or table.prize_given or not table.stock or self.meld_faults():
            return
        if not any(len(meld.cards) >= CANASTA_SIZE for meld in table.own):
            return
        if not table.side_opened and table.memory.laid < table.minimum:
            return
        table.opened[table.side[table.turn]] = True
        table.prize_given = True
        draw_prize(table)
        begin_stretch(table)
