"""Acts that are written as a word beside which no card can stand: one that needs a card takes that of the discard."""

from collections.abc import Sequence
from typing import Final

from canasta.notation.record import Action, Written
from canasta.playing.signs import Signs

WORDS: Final = frozenset({Written.PICK, Written.OUT, Written.DECLINE, Written.KNOCK})
"""What is written as a word alone, beside which no card can stand."""


def word_and_discard(signs: Signs, actions: Sequence[Action]) -> tuple[int, int] | None:
    """Find a word that stands for an act on one card, and the discard that gives it its card."""
    word = next((i for i, a in enumerate(actions) if a.kind in WORDS and signs.wants_a_card(a.kind)), None)
    thrown = next((i for i, a in enumerate(actions) if a.kind is Written.DISCARD), None)
    return None if word is None or thrown is None else (word, thrown)


def with_its_card(signs: Signs, todo: list[tuple[int, Action]]) -> list[tuple[int, Action]]:
    """Let a word that stands for an act on one card, as a knock does, take the card of the discard written beside it."""
    pair = word_and_discard(signs, [action for _, action in todo])
    if pair is None:
        return todo
    at, thrown = pair
    index, word = todo[at]
    whole = (index, Action(word.kind, todo[thrown][1].cards, span=word.span))
    later = max(at, thrown)
    return [whole if i == later else one for i, one in enumerate(todo) if i == later or i not in (at, thrown)]
