"""Cards as two letters: a rank and a suit, `Ks`; `Jk` is a joker, `K` a king of no matter which suit, `?` a card nobody saw."""

from collections.abc import Iterable, Sequence

Card = str

RANKS = "456789TJQKA"
"""The natural ranks, from low to high."""

JOKER = "Jk"
UNKNOWN = "?"

SUITS = "cdhs"


def _every_card() -> list[Card]:
    suited = [rank + suit for rank in "23" + RANKS for suit in (*SUITS, "r", "b")]
    return [*suited, *"23", *RANKS, JOKER, UNKNOWN]


RANK_OF = {card: "Jk" if card == JOKER else card[0] for card in _every_card()}
SUIT_OF = {card: "" if card == JOKER else card[1:] for card in _every_card()}

RED_THREES = frozenset(("3d", "3h", "3r"))
BLACK_THREES = frozenset(("3c", "3s", "3b"))
WILD = frozenset(card for card, rank in RANK_OF.items() if rank in ("2", "Jk"))
NATURAL = frozenset(card for card, rank in RANK_OF.items() if rank in RANKS)

_VALUES = {"Jk": 50, "2": 20, "A": 20, **dict.fromkeys("89TJQK", 10), **dict.fromkeys("34567", 5), "?": 0}
VALUE = {card: 0 if card in RED_THREES else _VALUES[rank] for card, rank in RANK_OF.items()}


def values(cards: Iterable[Card]) -> int:
    """What cards count together: plus in a meld, minus in a hand."""
    return sum(VALUE[card] for card in cards)


def pack(packs: int) -> list[Card]:
    """All cards of some packs with two jokers each."""
    single = [rank + suit for suit in SUITS for rank in "23" + RANKS]
    return [*(single * packs), *([JOKER] * (2 * packs))]


def matching(card: Card, among: Sequence[Card]) -> Card | None:
    """The card that is meant: this very one, or one like it where either is written without a suit."""
    if card in among:
        return card
    for other in among:
        if alike(card, other):
            return other
    return None


def alike(card: Card, other: Card) -> bool:
    """Whether two ways to write a card may mean the same one."""
    if card == other:
        return True
    if RANK_OF[card] != RANK_OF[other]:
        return False
    mine, its = SUIT_OF[card], SUIT_OF[other]
    if not mine or not its:
        return True
    colour = {"c": "b", "s": "b", "d": "r", "h": "r"}
    return (mine in "rb" and colour.get(its) == mine) or (its in "rb" and colour.get(mine) == its)


def take_out(cards: Iterable[Card], source: list[Card]) -> list[Card] | None:
    """Removes cards from a list, one for one, and returns them as exactly as either side has written them.

    None if one of them is not there; the list is then as it was. A card nobody has seen may turn out to be any.
    """
    rest, taken = list(source), []
    for card in cards:
        found = matching(card, rest) or (UNKNOWN if UNKNOWN in rest else None)
        if found is None:
            return None
        rest.remove(found)
        taken.append(max(card, found, key=len))
    source[:] = rest
    return taken
