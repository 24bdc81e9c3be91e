"""What differs from rule set to rule set: figures, and points on which a table chooses."""

from dataclasses import dataclass

Steps = tuple[tuple[int | None, int], ...]
"""Where each step of the minimum begins (None: below everything else) and what it asks for."""

HIGHEST_STEP = 7000
"""Where the last step of Samba's minimum begins, whose height a table may choose."""

CLASSIC_STEPS: Steps = ((None, 15), (0, 50), (1500, 90), (3000, 120))


@dataclass(frozen=True, slots=True)
class Rules:
    """A game of the family. The first fields are figures, the later ones choices of the table."""

    name: str
    seats: str = "NESW"
    partners: bool = True
    packs: int = 2
    hand_size: int = 11
    draw_count: int = 1
    most_wilds: int = 3
    canastas_to_go_out: int = 1
    natural_canasta_bonus: int = 500
    mixed_canasta_bonus: int = 300
    concealed_canasta_bonus: int = 100
    going_out_bonus: int = 100
    concealed_bonus: int = 100
    red_three_bonus: int = 100
    red_three_set: int = 4
    red_three_set_bonus: int = 800
    failed_asking_penalty: int = 100
    minimum: Steps = CLASSIC_STEPS
    match_target: int = 5000
    pooling: bool = False
    """Three players: two of them may become partners in mid-deal, and keep totals and red threes of their own."""
    deals: int = 0
    """How many deals are a match, where no target ends it."""
    runs: bool = False
    """Whether cards of one suit that follow each other are a meld, and melds of one rank may be several."""
    wild_melds: bool = False
    """Whether wild cards alone are a meld."""
    natural_and_wild_take: bool = True
    """Whether one natural card and a wild one take an unfrozen pile."""
    concealed_hands: bool = True
    """Whether a hand that goes down whole in one turn is worth something, and is excused from the minimum."""
    longest_set: int = 99
    samba_bonus: int = 1500
    bolivia_bonus: int = 0
    sevens: tuple[int, int] = (0, 0)
    """What a natural and a mixed canasta of sevens earn, where it is other than for any canasta."""
    seven_in_hand: int = 0
    escalera_to_go_out: bool = False
    going_out: bool = True
    """Whether a player may go out at all."""
    prize: int = 0
    """How many cards the first canasta of a deal wins."""
    most_black_threes: int = 99
    black_threes_cost_always: bool = False
    """Whether black threes left in hand cost more also when nobody has gone out."""

    upcard_black_three: str = "cover"
    dealt_red_threes: str = "before_first_turn"
    last_red_three: str = "ends_deal"
    wilds_not_more_than_naturals: bool = False
    wild_onto_natural_canasta: bool = True
    concealed_canasta: bool = False
    concealed_needs_minimum: bool = False
    turned_red_three_freezes: bool = True
    black_three_freezes: bool = False
    take_onto_canasta: bool = True
    one_card_for_one: str = "forbidden"
    failed_asking: str = "never_offered"
    concealed_after_partner: bool = True
    concealed_after_take: bool = True
    forced_take: str = "own_meld"
    red_threes_need: str = "meld"
    tie: str = "extra_deal"
    lone_hand: bool = True
    stock_end: str = "pile_goes_on"
    wild_onto_canasta: bool = True
    take_own_group: bool = True
    take_onto_sequence: str = "whole_pile"
    highest_minimum: int = 120
    red_threes_laid: str = "at_once"
    twice_as_many_naturals: bool = False
    pass_with_last_card: bool = False
    black_three_in_hand: int = 5
    """What a black three counts against its holder when another player has gone out."""
    black_threes_any_time: bool = False

    def minimum_for(self, total: int) -> int:
        """What the initial meld must be worth, by the total at the beginning of the deal."""
        start, points = next(step for step in reversed(self.minimum) if step[0] is None or total >= step[0])
        return self.highest_minimum if start == HIGHEST_STEP else points
