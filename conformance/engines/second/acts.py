"""What a player can do in a turn."""

from dataclasses import dataclass

from .cards import Card

NEW = -1
"""In place of a meld's number: begin a new one."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock; the cards as somebody saw them, if the stock is not known here."""

    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Take:
    """Take the pile by melding its top card with these cards of the hand, in a new meld or onto one that lies."""

    cards: tuple[Card, ...] = ()
    onto: int = NEW
    top: Card | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a new meld, or add cards to one that lies."""

    cards: tuple[Card, ...]
    onto: int = NEW


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the partner whether one may go out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The partner's answer."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card, which ends the turn."""

    card: Card


@dataclass(frozen=True, slots=True)
class Out:
    """Go out without a discard."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Leave the pile where it lies when the stock is used up; after the draw, pass with a last card instead of discarding it."""


@dataclass(frozen=True, slots=True)
class Unite:
    """Make one group of two of the same rank, by their numbers."""

    source: int
    onto: int


@dataclass(frozen=True, slots=True)
class Show:
    """Lay out a red three that was kept, and draw a card for it."""

    card: Card


Act = Unite | Show | Draw | Take | Lay | Ask | Answer | Discard | Out | Decline
