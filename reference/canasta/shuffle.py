"""A shuffle that any language can repeat: SplitMix64, unbiased bounded numbers by rejection, Fisher-Yates from the end.

The words and the test vectors for other languages stand in ``docs/reference/shuffle.md`` and ``spec/shuffle.json``.
The generator is for deals that can be repeated, never for secrets.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_RANGE = 1 << 64
_MASK = _RANGE - 1
_GAMMA = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, made odd: steps spread over the whole range

LARGEST_SEED = _MASK
"""A seed is a number from 0 to this one; a reader checks it before it shuffles."""


def _checked(number: int, what: str) -> int:
    # A seed taken modulo 2**64 would give two seeds one deal and hide a mistyped figure, so it is refused.
    if not 0 <= number <= LARGEST_SEED:
        raise ValueError(f"{what} is {number}, and must lie from 0 to {LARGEST_SEED}")
    return number


class SplitMix64:
    """A stream of numbers that its seed decides altogether (Steele, Lea and Flood, 2014)."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        """Begin the stream of a seed from 0 to ``LARGEST_SEED``.

        Raises:
            ValueError: when the seed lies outside.
        """
        self._state = _checked(seed, "the seed")

    def next_u64(self) -> int:
        """Give the next number of the stream, from 0 to 2**64 - 1."""
        self._state = (self._state + _GAMMA) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, n: int) -> int:
        """Give a number from 0 to n - 1, every one equally likely.

        The topmost ``2**64 mod n`` numbers of the stream would favour small results; they are dropped and drawn again.

        Raises:
            ValueError: when n is not from 1 to 2**64.
        """
        if not 1 <= n <= _RANGE:
            raise ValueError(f"cannot choose one of {n}: from 1 to {_RANGE} are possible")
        fair = _RANGE - _RANGE % n
        drawn = self.next_u64()
        while drawn >= fair:
            drawn = self.next_u64()
        return drawn % n


def shuffled(items: Sequence[T], seed: int) -> list[T]:
    """Give the items in the order that the seed decides; the first item of the result is the first card dealt.

    For i from the last place down to the second, the item at i changes places with the one at ``below(i + 1)``.

    Raises:
        ValueError: when the seed lies outside 0 to ``LARGEST_SEED``.
    """
    order = list(items)
    stream = SplitMix64(seed)
    for last in range(len(order) - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def derive(seed: int, *numbers: int) -> int:
    """Make a seed for one of many things from one seed: ``derive(seed, 3)`` for deal 3 of a match.

    For each number the seed becomes ``mix(mix(seed) + number)``, where ``mix(s)`` is the first number of the
    stream of s and the sum is taken modulo 2**64. Hence ``derive(s, a, b) == derive(derive(s, a), b)``.

    Raises:
        ValueError: when the seed or a number lies outside 0 to ``LARGEST_SEED``.
    """
    derived = _checked(seed, "the seed")
    for number in numbers:
        first = SplitMix64(derived).next_u64()
        derived = SplitMix64((first + _checked(number, "a number to derive by")) & _MASK).next_u64()
    return derived
