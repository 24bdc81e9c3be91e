"""From cards as somebody wrote them to the kinds of card of a deck, and back."""

from collections.abc import Iterable, Sequence

from canasta.kernel.cards import Deck
from canasta.language.kinds import attributes_used
from canasta.language.ruleset import Ruleset
from canasta.notation.cards import COLOURS, HIDDEN, JOKER, Card

SUIT_LETTERS = frozenset("cdhs")


class CardNames:
    """Which kinds of one deck a written card may be."""

    def __init__(self, ruleset: Ruleset, deck: Deck) -> None:
        """Find out whether the rules can tell cards of one kind's rank apart by what need not be written."""
        self.ruleset = ruleset
        self.deck = deck
        self._known: dict[Card, tuple[int, ...]] = {}
        self._told_apart = not self.deck.by_face or attributes_used(self.ruleset)[0]

    def kinds(self, card: Card) -> tuple[int, ...]:
        """List the kinds that a written card may be, in the order of the deck; none when the pack has no such card."""
        found = self._known.get(card)
        if found is None:
            exact = self.deck.size if card.hidden else self.deck.kind_of.get((card.rank, card.suit))
            found = (exact,) if exact is not None else tuple(k for k in range(self.deck.size) if self._may_be(card, k))
            self._known[card] = found
        return found

    def fits(self, card: Card, kind: int) -> bool:
        """Ask whether a written card may be of a kind; an unknown one may be any, and any may turn out to be unknown."""
        return card.hidden or kind == self.deck.size or kind in self.kinds(card)

    def lie_so(self, lying: Sequence[int], cards: Sequence[Card]) -> bool:
        """Ask whether the topmost cards of a stack are known to be those written, the top one first, as far as it has cards."""
        at = len(lying)
        for card in cards:
            at -= 1
            if not card.hidden and at >= 0 and lying[at] not in self.kinds(card):
                return False
        return True

    def known_in(self, shown: Sequence[Sequence[Card]], held: Sequence[int]) -> int:
        """Count how many of these runs of cards, from the first on, are all known to be in a hand."""
        here = (all(any(held[k] for k in self.kinds(card)) for card in cards) for cards in shown)
        return next((i for i, all_here in enumerate(here) if not all_here), len(shown))

    def doubtful(self, kinds: Sequence[int]) -> bool:
        """Ask whether it matters to the rules which of these kinds is meant."""
        return len(set(kinds)) > 1 and (self._told_apart or len({self.deck.rank[k] for k in kinds}) > 1)

    def _may_be(self, card: Card, kind: int) -> bool:
        pack = self.ruleset.pack
        ranks = (*pack.ranks, *(name for name, _ in pack.extra))
        if ranks[self.deck.rank[kind]] != card.rank:
            return False
        suits = [s.lower() for s in pack.suits]
        if not card.suit or self.deck.rank[kind] >= len(pack.ranks):
            return True
        if card.suit in suits:
            place = suits.index(card.suit)
            of_suit = self.deck.suit[kind] in (-1, place)
            return of_suit and self.deck.colour[kind] in (-1, pack.colour_of[place])
        colours = [c[0] for c in pack.colours]
        return card.suit in colours and self.deck.colour[kind] in (-1, colours.index(card.suit))

    def pick(self, card: Card, held: Sequence[int]) -> tuple[int, bool]:
        """Choose the kind that a written card is, of those that a bag holds if it holds any; and say whether that is sure.

        The bag's last count is of unknown cards. Without a fitting kind the answer is -1.
        """
        kinds = self.kinds(card)
        if len(kinds) == 1:
            return kinds[0], True
        if not kinds or card.hidden:
            return (kinds[0] if kinds else -1), True
        there = [k for k in kinds if held[k]]
        if there:
            return there[0], not self.doubtful(there)
        return kinds[0], not self.doubtful(kinds)

    def card(self, kind: int) -> Card:
        """Write a kind as a card, as far as the deck knows it."""
        if kind == self.deck.size:
            return Card("?")
        name = self.deck.name(kind)
        pack = self.ruleset.pack
        rank = (*pack.ranks, *(n for n, _ in pack.extra))[self.deck.rank[kind]]
        return Card(rank, name[len(rank) :] if len(name) - len(rank) == 1 else "")


_MADE: dict[int, CardNames] = {}
MOST_KEPT = 64


def card_names(ruleset: Ruleset, deck: Deck) -> CardNames:
    """Give the names of the cards of a deck, made once for each deck."""
    made = _MADE.get(id(deck))
    if made is None or made.deck is not deck:
        if len(_MADE) >= MOST_KEPT:
            _MADE.clear()
        made = _MADE[id(deck)] = CardNames(ruleset, deck)
    return made


def names_every_suit(cards: Iterable[Card]) -> bool:
    """Ask whether every known card says its suit, so that the deck can be of printed faces."""
    known = False
    for card in cards:
        suit, rank = card.suit, card.rank
        if suit and suit not in COLOURS:
            known = known or rank not in (HIDDEN, JOKER)
        elif rank not in (HIDDEN, JOKER):
            return False
    return known
