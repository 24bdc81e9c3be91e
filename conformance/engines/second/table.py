"""The table: who sits there, what lies where, and what is remembered of a turn and of a deal."""

from dataclasses import dataclass, field

from .cards import BLACK_THREES, RED_THREES, WILD, Card
from .melds import Meld
from .rules import Rules

START, CLAIM, PLAY, REPLY, LAST, OVER = "start", "claim", "play", "reply", "last", "over"
"""Where a turn stands: before the draw, with the pile's top melded, after the draw, asked, after a last red three."""


@dataclass(slots=True)
class Memory:
    """What is remembered of a turn until it ends."""

    source: str = ""
    """`stock` or `pile`, once cards have been taken."""
    answer: str = ""
    """`yes` or `no`, once the partner has been asked."""
    laid: int = 0
    """The points of all cards laid in this turn before the side had opened."""
    has_laid: bool = False
    laid_since_reveal: bool = False
    """Whether something has been laid since the draw or since the pile was picked up."""
    added_to_old: bool = False
    """Whether cards were added to a meld that lay there before the turn."""
    black_threes: bool = False
    """Whether black threes have been melded."""
    held: list[Card] = field(default_factory=list)
    """The hand and the pile's top card as they were before the rest of the pile was picked up."""
    lone_card: bool = False
    """Whether the pile was taken with a single card for a single card."""
    taken_into: int = 0
    """The number of the meld that the top card of the pile went into, and whether that was a canasta already."""
    taken_on_canasta: bool = False
    top_fits_run: bool = False
    """Whether the top card by itself fits the sequence that it was added to."""

    def copy(self) -> "Memory":
        """The same memory for another table."""
        return Memory(
            self.source,
            self.answer,
            self.laid,
            self.has_laid,
            self.laid_since_reveal,
            self.added_to_old,
            self.black_threes,
            list(self.held),
            self.lone_card,
            self.taken_into,
            self.taken_on_canasta,
            self.top_fits_run,
        )


@dataclass(slots=True)
class Table:
    """A deal in play. Hands and `melded` go by seat; `melds` and the like by side; totals and red threes by account.

    A side is named by the number of its first seat. Partners have one account, but for three players everyone keeps his own.
    """

    rules: Rules
    dealer: int
    turn: int
    phase: str
    stock: list[Card]
    pile: list[Card]
    hands: list[list[Card]]
    side: list[int]
    account: list[int]
    melds: dict[int, list[Meld]]
    opened: dict[int, bool]
    melded: list[bool]
    totals: dict[int, int]
    red_threes: dict[int, list[Card]]
    fined: dict[int, int]
    memory: Memory = field(default_factory=Memory)
    went_out: int | None = None
    """The seat that went out."""
    concealed: bool = False
    formed: bool = False
    """Three players: whether two have become partners."""
    reason: str = ""
    """Why the deal has ended: out, stock_out or standstill."""
    deal_no: int = 1
    prize_given: bool = False
    stock_was_gone: bool = False
    """Whether the stock was used up when this turn began."""
    turned: int = 0
    """How many cards at the bottom of the pile were turned up at the deal."""

    def copy(self) -> "Table":
        """A table that may be played on without touching this one."""
        return Table(
            self.rules,
            self.dealer,
            self.turn,
            self.phase,
            list(self.stock),
            list(self.pile),
            [list(hand) for hand in self.hands],
            list(self.side),
            self.account,
            {side: [meld.copy() for meld in melds] for side, melds in self.melds.items()},
            dict(self.opened),
            list(self.melded),
            dict(self.totals),
            {account: list(cards) for account, cards in self.red_threes.items()},
            dict(self.fined),
            self.memory.copy(),
            self.went_out,
            self.concealed,
            self.formed,
            self.reason,
            self.deal_no,
            self.prize_given,
            self.stock_was_gone,
            self.turned,
        )

    @property
    def hand(self) -> list[Card]:
        """The hand of the player whose turn it is."""
        return self.hands[self.turn]

    @property
    def own(self) -> list[Meld]:
        """The melds of the side whose turn it is."""
        return self.melds[self.side[self.turn]]

    @property
    def sides(self) -> list[int]:
        """The sides that there are at this moment."""
        return sorted(set(self.side))

    @property
    def accounts(self) -> list[int]:
        """Whose points are added up apart."""
        return sorted(set(self.account))

    def seats_of(self, side: int) -> list[int]:
        """The players of a side."""
        return [seat for seat, its in enumerate(self.side) if its == side]

    def partners(self, seat: int) -> list[int]:
        """The other players of a player's side."""
        return [other for other in self.seats_of(self.side[seat]) if other != seat]

    @property
    def side_opened(self) -> bool:
        """Whether the side in turn has made its initial meld."""
        return self.opened[self.side[self.turn]]

    @property
    def minimum(self) -> int:
        """What the initial meld of the player in turn must be worth."""
        return self.rules.minimum_for(self.totals[self.account[self.turn]])

    @property
    def one_card_for_one(self) -> bool:
        """Whether a single card may take a single card."""
        allowed = self.rules.one_card_for_one
        return allowed == "allowed" or (allowed == "when_stock_is_gone" and not self.stock)

    @property
    def frozen(self) -> bool:
        """Whether the pile is frozen for everybody."""
        rules = self.rules
        return any(
            card in WILD
            or (card in RED_THREES and rules.turned_red_three_freezes and at < self.turned)
            or (card in BLACK_THREES and rules.black_three_freezes)
            for at, card in enumerate(self.pile)
        )

    @property
    def frozen_for_side(self) -> bool:
        """Whether it is frozen for the side in turn."""
        return not self.side_opened or self.frozen


def sides_at_first(rules: Rules) -> list[int]:
    """The side of each seat when a deal begins: partners sit opposite each other."""
    count = len(rules.seats)
    return [seat % 2 if rules.partners else seat for seat in range(count)]


def empty_table(rules: Rules, dealer: int, totals: dict[int, int] | None = None) -> Table:
    """A table before the deal."""
    side = sides_at_first(rules)
    count, names = len(rules.seats), sorted(set(side))
    return Table(
        rules,
        dealer,
        (dealer + 1) % count,
        START,
        stock=[],
        pile=[],
        hands=[[] for _ in range(count)],
        side=side,
        account=list(side),
        melds={name: [] for name in names},
        opened=dict.fromkeys(names, False),
        melded=[False] * count,
        totals=dict(totals) if totals else dict.fromkeys(names, 0),
        red_threes={name: [] for name in names},
        fined=dict.fromkeys(names, 0),
    )
