"""Arithmetic on what is not known exactly: numbers and truth values as (lowest, highest), bags as counts between two bounds.

A rank, suit, colour, card, seat, side or word is either known, an ordinary number, or ``None``. Collections of groups and parts are
known members and a number of further members of which nothing is known.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import mul as times
from typing import Any, Final

Range = tuple[int, int]
YES: Final[Range] = (1, 1)
NO: Final[Range] = (0, 0)
OPEN: Final[Range] = (0, 1)
FAR: Final = 10**12
"""Further than any score or count of any game."""


class Bag:
    """A bag of which each count and the whole size lie between two bounds; ``top`` is the top card if it is a known stack's."""

    __slots__ = ("high", "low", "size_high", "size_low", "top")

    def __init__(
        self, low: Sequence[int], high: Sequence[int], size_low: int, size_high: int, top: int | None = -1
    ) -> None:
        """Take the bounds; lists are shared, never changed."""
        self.low, self.high, self.size_low, self.size_high, self.top = low, high, size_low, size_high, top


def exactly(counts: Sequence[int], top: int | None = -1) -> Bag:
    """Make a bag that is known exactly; a last count of unknown cards is left aside."""
    n = sum(counts)
    return Bag(counts, counts, n, n, top)


class Many:
    """A collection: the members that are known, and how many more there may be.

    Of some that may be there something is known: ``maybe`` holds each within its bounds, with how many such there may be.
    """

    __slots__ = ("extra", "known", "maybe")

    def __init__(self, known: Sequence[Any], extra: int = 0, maybe: Sequence[tuple[Any, int]] = ()) -> None:
        """Take the members."""
        self.known, self.extra, self.maybe = known, extra, maybe

    @property
    def most(self) -> int:
        """How many members there may be."""
        return len(self.known) + self.extra + sum([n for _, n in self.maybe])


def truth(value: object) -> Range:
    """Make a certain truth value."""
    return YES if value else NO


def not_(a: Range) -> Range:
    """Negate a truth value."""
    return (1 - a[1], 1 - a[0])


def and_(first: Range, *others: Range) -> Range:
    """Say whether all hold."""
    low, high = first
    for a, b in others:
        low, high = (min(low, a)), (min(high, b))
    return (low, high)


def or_(first: Range, *others: Range) -> Range:
    """Say whether any holds."""
    low, high = first
    for a, b in others:
        low, high = (max(low, a)), (max(high, b))
    return (low, high)


def add(a: Range, b: Range) -> Range:
    """Add."""
    return (a[0] + b[0], a[1] + b[1])


def sub(a: Range, b: Range) -> Range:
    """Subtract."""
    return (a[0] - b[1], a[1] - b[0])


def mul(a: Range, b: Range) -> Range:
    """Multiply."""
    products = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return (min(products), max(products))


def neg(a: Range) -> Range:
    """Change the sign."""
    return (-a[1], -a[0])


def eq(a: Range, b: Range) -> Range:
    """Compare two numbers."""
    if a[0] == a[1] == b[0] == b[1]:
        return YES
    return NO if a[1] < b[0] or b[1] < a[0] else OPEN


def lt(a: Range, b: Range) -> Range:
    """Compare two numbers."""
    return YES if a[1] < b[0] else NO if a[0] >= b[1] else OPEN


def le(a: Range, b: Range) -> Range:
    """Compare two numbers."""
    return YES if a[1] <= b[0] else NO if a[0] > b[1] else OPEN


def same(a: int | None, b: int | None) -> Range:
    """Compare two names, each known or not."""
    return OPEN if a is None or b is None else truth(a == b)


def either(test: Range, then: Any, other: Any) -> Any:  # noqa: ANN401 - numbers, names or bags
    """Choose by a truth value; where it is open, join what both branches give."""
    if test[0] == test[1]:
        return then if test[0] else other
    if isinstance(then, tuple):
        return (min(then[0], other[0]), max(then[1], other[1]))
    if isinstance(then, Bag):
        low = [min(x, y) for x, y in zip(then.low, other.low, strict=True)]
        high = [max(x, y) for x, y in zip(then.high, other.high, strict=True)]
        top = then.top if then.top == other.top else None
        return Bag(low, high, min(then.size_low, other.size_low), max(then.size_high, other.size_high), top)
    if isinstance(then, Many):
        both = [x for x in then.known if x in other.known]
        most = max(len(then.known) + then.extra, len(other.known) + other.extra)
        return Many(both, most - len(both))
    return then if then == other else None


def look_up(table: Callable[[int], int], starts: tuple[int, ...], a: Range) -> Range:
    """Look a number up in a step table."""
    values = [table(a[0]), table(a[1]), *(table(s) for s in starts if a[0] < s < a[1])]
    return (min(values), max(values))


def plus(a: Bag, b: Bag) -> Bag:
    """Put two bags together."""
    low = [x + y for x, y in zip(a.low, b.low, strict=True)]
    high = [x + y for x, y in zip(a.high, b.high, strict=True)]
    return Bag(low, high, a.size_low + b.size_low, a.size_high + b.size_high)


def minus(a: Bag, b: Bag) -> Bag:
    """Take one bag out of another, as far as its cards are there."""
    low = [max(0, x - y) for x, y in zip(a.low, b.high, strict=True)]
    high = [max(0, x - y) for x, y in zip(a.high, b.low, strict=True)]
    return Bag(low, high, max(0, a.size_low - b.size_high, sum(low)), min(a.size_high, sum(high)))


def within(a: Bag, b: Bag) -> Range:
    """Ask whether one bag lies within another."""
    if all(x <= y for x, y in zip(a.high, b.low, strict=True)):
        return YES
    return OPEN if all(x <= y for x, y in zip(a.low, b.high, strict=True)) else NO


def count(bag: Bag, kinds: Sequence[int]) -> Range:
    """Count the cards of certain kinds; what the size says of all other kinds is used too."""
    low = sum([bag.low[k] for k in kinds])
    if bag.low is bag.high:
        return (low, low)
    high = sum([bag.high[k] for k in kinds])
    others_low, others_high = sum(bag.low) - low, sum(bag.high) - high
    return (max(low, bag.size_low - others_high), min(high, bag.size_high - others_low))


def count_where(bag: Bag, tests: Sequence[Range]) -> Range:
    """Count the cards of kinds that pass a test which may be open."""
    surely = [k for k, t in enumerate(tests) if t[0]]
    perhaps = [k for k, t in enumerate(tests) if t[1]]
    return (count(bag, surely)[0], count(bag, perhaps)[1])


def weigh(bag: Bag, tests: Sequence[Range], weights: Sequence[Range]) -> Range:
    """Add up a weight over the cards that pass a test: cards beyond the known ones are the cheapest, or the dearest, there may be."""
    ranges = [w if t[0] else (min(0, w[0]), max(0, w[1])) if t[1] else NO for t, w in zip(tests, weights, strict=True)]
    low = sum([n * r[0] for n, r in zip(bag.low, ranges, strict=False)])
    high = sum([n * r[1] for n, r in zip(bag.low, ranges, strict=False)])
    if bag.low is bag.high:
        return (low, high)
    spare = [h - n for n, h in zip(bag.low, bag.high, strict=True)][: len(ranges)]
    known = sum(bag.low)
    must, may = max(0, bag.size_low - known), max(0, bag.size_high - known)
    if not must and may >= sum(spare):
        low += sum([n * r[0] for n, r in zip(spare, ranges, strict=True) if r[0] < 0])
        high += sum([n * r[1] for n, r in zip(spare, ranges, strict=True) if r[1] > 0])
        return (low, high)
    cheapest, dearest = [r[0] for r in ranges], [r[1] for r in ranges]
    return (low + _extreme(spare, cheapest, must, may, -1), high + _extreme(spare, dearest, must, may, 1))


def heaviest(bag: Bag, tests: Sequence[Range], weights: Sequence[Range], figures: Sequence[int]) -> int:
    """Find the greatest that ``weigh`` allows where no weight is below nothing; mostly all cards may be there together."""
    if bag.size_high >= sum(bag.high):
        return sum(map(times, bag.high, figures))
    return weigh(bag, tests, weights)[1]


def _extreme(spare: list[int], weights: list[int], must: int, may: int, sign: int) -> int:
    total, used = 0, 0
    for k in sorted(range(len(weights)), key=lambda k: -sign * weights[k]):
        if not spare[k] or used >= may:
            continue
        wanted = spare[k] if sign * weights[k] > 0 else max(0, must - used)
        n = min(spare[k], wanted, may - used)
        total += n * weights[k]
        used += n
    return total


def positive(a: Range) -> Range:
    """Ask whether a count is above nothing."""
    return (int(a[0] > 0), int(a[1] > 0))


def nothing(a: Range) -> Range:
    """Ask whether a count is nothing."""
    return (int(a[1] == 0), int(a[0] == 0))


def count_members(tests: Iterable[Range], extra: int, maybe: Iterable[tuple[Range, int]] = ()) -> Range:
    """Count members that pass a test; of further ones nothing is known, or ``maybe`` says how the test comes out for so many."""
    low = high = 0
    for t in tests:
        low += t[0]
        high += t[1]
    for t, n in maybe:
        high += t[1] * n
    return (low, high + extra)


def sum_members(
    found: Iterable[tuple[Range, Range]], extra: int, maybe: Iterable[tuple[tuple[Range, Range], int]] = ()
) -> Range:
    """Add up over members that pass a test."""
    low = high = 0
    for test, value in found:
        low += value[0] if test[0] else min(0, value[0]) if test[1] else 0
        high += value[1] if test[0] else max(0, value[1]) if test[1] else 0
    for (test, value), n in maybe:
        if test[1]:
            low += n * min(0, value[0])
            high += n * max(0, value[1])
    return (-FAR, FAR) if extra else (low, high)


def most_members(
    found: Iterable[tuple[Range, Range]], extra: int, further: Iterable[tuple[tuple[Range, Range], int]] = ()
) -> Range:
    """Find the greatest over members that pass a test; of none it is 0."""
    sure = [v for t, v in found if t[0]]
    maybe = [*(v for t, v in found if t[1]), *(v for (t, v), _ in further if t[1])]
    low = max((v[0] for v in sure), default=min([0, *(v[0] for v in maybe)]))
    high = max((v[1] for v in maybe), default=0)
    return (low, FAR) if extra else (low, high if sure else max(high, 0))


def most_of(bag: Bag, tests: Sequence[Range], weights: Sequence[Range]) -> Range:
    """Find the greatest weight over the cards that pass a test; of none it is 0."""
    there = [(int(bag.low[k] > 0 and t[0] > 0), int(bag.high[k] > 0 and t[1] > 0)) for k, t in enumerate(tests)]
    return most_members(list(zip(there, weights, strict=True)), 0)
