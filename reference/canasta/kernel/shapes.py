"""Groups of cards: which declared shape they have, whether they may grow into one, and which small ones a hand can make."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, groupby, islice, product
from typing import Final

from canasta.kernel.cards import Deck, listed
from canasta.kernel.state import NOBODY, Group

Way = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]
"""One way to begin a group: the counts of each kind that a hand needs for it, and its cards one by one."""

Prepared = tuple[int, int, tuple[Way, ...]]
"""A kind, how many cards of it a hand must have, and ways to begin a group all of which need that many at least."""

Layable = tuple[tuple[int, int], ...]
"""What can be laid of the cards of one body: with at least so many fillers at most so many cards, in one group or in several."""

MOST_TEMPLATES: Final = 200
"""A shape with more ways to begin than this is searched for in the hand instead."""


@dataclass(frozen=True, slots=True)
class Form:
    """A shape made ready for one deck.

    ``body`` and ``filler`` say for each kind whether it belongs there. ``allowed[b][f]`` says whether a group of b body cards and f
    fillers keeps every bound, ``reachable[b][f]`` whether it can grow into one that does.
    """

    index: int
    name: str
    body: tuple[bool, ...]
    filler: tuple[bool, ...]
    same: str
    order: tuple[int, ...]
    grows: bool
    column: tuple[int, ...]
    """For each kind what a body must share: its rank or suit, or nothing; unknown cards belong nowhere."""
    allowed: tuple[tuple[bool, ...], ...]
    reachable: tuple[tuple[bool, ...], ...]
    wanted: tuple[tuple[int, int], ...] = ()
    """Numbers of body cards and fillers with which a group can begin: the smallest ones, or all if it does not grow."""

    bodies: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """What a body can share, a rank or a suit, and the kinds that share it."""
    sharing: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The same as a table from what is shared."""
    fillers: tuple[int, ...] = ()
    """The kinds that can only fill."""
    begins: tuple[tuple[bool, ...], ...] = ()
    """``begins[b][f]`` says whether up to so many body cards and fillers make an allowed group."""
    layable: tuple[Layable, ...] = ()
    """For each number of body cards held, as far as it was worked out, what can be laid of them."""
    most: tuple[int, int] = (0, 0)
    """The most body cards and the most fillers that any allowed group of this shape has."""
    least: int = 1
    """The fewest cards with which a group of this shape begins."""

    def allows(self, group: Group) -> bool:
        """Ask whether a group of this shape keeps every bound."""
        return _at(self.allowed, group.body, group.filler)

    def may_grow_right(self, group: Group) -> bool:
        """Ask whether a group of this shape keeps every bound or can be brought to it by more cards."""
        return _at(self.reachable, group.body, group.filler)


def _at(table: tuple[tuple[bool, ...], ...], body: int, filler: int) -> bool:
    """Look a group up; one of more cards than the pack has, as a person may write, is nowhere."""
    return body < len(table) and filler < len(table[0]) and table[body][filler]


def _first(way: Way) -> int:
    """Find the kind that a way to begin a group needs first; one that needs no card of the hand has none."""
    return way[0][0][0] if way[0] else 0


def beginnings(allowed: tuple[tuple[bool, ...], ...], *, grows: bool) -> tuple[tuple[int, int], ...]:
    """Find with how many body cards and fillers a group can begin."""
    sizes = [(b, f) for b, row in enumerate(allowed) for f, fine in enumerate(row) if fine and b]
    least = min((b + f for b, f in sizes), default=0)
    return tuple((b, f) for b, f in sizes if not grows or b + f == least)


def begun_within(allowed: tuple[tuple[bool, ...], ...]) -> tuple[tuple[bool, ...], ...]:
    """Find for up to how many body cards and fillers there is an allowed group."""
    table: list[list[bool]] = []
    for b, row in enumerate(allowed):
        line: list[bool] = []
        for f, fine in enumerate(row):
            line.append((fine and b > 0) or (f > 0 and line[f - 1]) or (b > 0 and table[b - 1][f]))
        table.append(line)
    return tuple(tuple(line) for line in table)


def layable_of(allowed: tuple[tuple[bool, ...], ...], most: int) -> tuple[Layable, ...]:
    """Find for each number of body cards up to ``most`` how many can be laid with how many fillers, more cards wanting more of them."""
    fewest = [(b, row.index(True)) for b, row in enumerate(allowed) if b and True in row]
    never = len(allowed[0]) * (most + 1)
    exact = [0]
    for n in range(1, most + 1):
        exact.append(min([exact[n - b] + f for b, f in fewest if b <= n], default=never))
    found: list[Layable] = []
    for n in range(most + 1):
        ways: list[tuple[int, int]] = []
        for laid in range(n, -1, -1):
            if exact[laid] < never and (not ways or exact[laid] < ways[-1][0]):
                ways.append((exact[laid], laid))
        found.append(tuple(reversed(ways)))
    return tuple(found)


def most_of(allowed: tuple[tuple[bool, ...], ...]) -> tuple[int, int]:
    """Find the most body cards and the most fillers of any allowed group."""
    sizes = [(b, f) for b, row in enumerate(allowed) for f, fine in enumerate(row) if fine]
    return max((b for b, _ in sizes), default=0), max((f for _, f in sizes), default=0)


def reachable(allowed: tuple[tuple[bool, ...], ...]) -> tuple[tuple[bool, ...], ...]:
    """Find from which numbers of body cards and fillers an allowed group can still be reached by adding."""
    rows, columns = len(allowed), len(allowed[0])
    table = [[False] * columns for _ in range(rows)]
    for b in reversed(range(rows)):
        for f in reversed(range(columns)):
            table[b][f] = allowed[b][f] or (b + 1 < rows and table[b + 1][f]) or (f + 1 < columns and table[b][f + 1])
    return tuple(tuple(row) for row in table)


def _stretches(order: tuple[int, ...], body: int, filler: int) -> Iterator[tuple[int, ...]]:
    """List the ranks of so many body cards that so many fillers can make a run of."""
    if body + filler > len(order):
        return
    for start in range(len(order) - body + 1):
        for others in combinations(range(start + 1, min(start + body + filler, len(order))), body - 1):
            yield tuple(order[i] for i in (start, *others))


@dataclass(frozen=True, slots=True)
class Shapes:
    """All shapes of a game, ready for its deck."""

    deck: Deck
    forms: tuple[Form, ...]

    def prepared(self, form: Form, top: int) -> tuple[Prepared, ...] | None:
        """List the ways in which groups of a shape can begin, with ``top`` (-1 for none) in it; nothing where they are too many."""
        key = (top, form.body, form.filler, form.same, form.order, form.grows, form.allowed, form.wanted)
        if key not in self.deck.begun:
            self.deck.begun[key] = self._prepared(form, top)
        found: tuple[Prepared, ...] | None = self.deck.begun[key]
        return found

    def _prepared(self, form: Form, top: int) -> tuple[Prepared, ...] | None:
        if form.order and any(form.filler):
            return None
        rows = list(islice(self.smallest(form, self.deck.full(), top), MOST_TEMPLATES + 1))
        if len(rows) > MOST_TEMPLATES:
            return None
        ways: list[Way] = []
        for bag in rows:
            needs = sorted(((k, n) for k, n in enumerate(bag) if n), key=lambda need: not form.body[need[0]])
            ways.append((tuple(needs), tuple(listed(bag))))
        if top < 0:
            order = list(dict.fromkeys(map(_first, ways)))
            ways.sort(key=lambda way: order.index(_first(way)))
        groups = [(k, tuple(alike)) for k, alike in groupby(ways, _first)]
        return tuple((k, min(needs[0][1] if needs else 0 for needs, _ in alike), alike) for k, alike in groups)

    def unshaped(self, group: Group) -> Group:
        """Say of a group that its cards have no shape together."""
        group.shape, group.body, group.filler, group.key = NOBODY, 0, 0, NOBODY
        group.rank = group.suit = NOBODY
        return group

    def settle(self, group: Group) -> Group:
        """Find the shape of a group from its cards: its own if it still fits, else the first whose bounds it keeps, else any.

        A group that has lain since before the play keeps its shape.
        """
        if group.shape >= 0:
            own = self.facts(self.forms[group.shape], group.cards)
            if own is not None:
                return self._take(group, self.forms[group.shape], own)
            if group.was:
                return self.unshaped(group)
        fitting: list[tuple[Form, tuple[int, int, int]]] = []
        for form in self.forms:
            facts = self.facts(form, group.cards)
            if facts is not None:
                if _at(form.allowed, facts[0], facts[1]):
                    return self._take(group, form, facts)
                fitting.append((form, facts))
        if not fitting:
            return self.unshaped(group)
        growing = [x for x in fitting if _at(x[0].reachable, x[1][0], x[1][1])]
        return self._take(group, *(growing or fitting)[0])

    def enlarge(self, group: Group, cards: Sequence[int]) -> Group:
        """Settle a group to whose cards these were just added; most often they are counted in and its shape stays."""
        form = self.forms[group.shape] if group.shape >= 0 else None
        if form is None or form.order:
            return self.settle(group)
        body, filler = group.body, group.filler
        for card in cards:
            if form.body[card]:
                if form.column[card] != group.key:
                    return self.settle(group)
                body += 1
            elif form.filler[card]:
                filler += 1
            else:
                return self.settle(group)
        group.body, group.filler = body, filler
        return group

    def _take(self, group: Group, form: Form, facts: tuple[int, int, int]) -> Group:
        group.shape = form.index
        group.body, group.filler, group.key = facts
        group.rank, group.suit = (group.key, NOBODY) if form.same == "rank" else (NOBODY, group.key)
        return group

    def facts(self, form: Form, cards: list[int]) -> tuple[int, int, int] | None:
        """Count body cards and fillers and find what the body shares; nothing when the cards do not have this form."""
        body = filler = 0
        key = NOBODY
        column, in_body, can_fill = form.column, form.body, form.filler
        for kind, n in enumerate(cards):
            if n:
                if in_body[kind]:
                    if key != column[kind]:
                        if key != NOBODY:
                            return None
                        key = column[kind]
                    body += n
                elif can_fill[kind]:
                    filler += n
                else:
                    return None
        if not body or (form.order and not self._in_order(form, self._ranks(form, cards), filler)):
            return None
        return body, filler, key

    def _ranks(self, form: Form, cards: list[int]) -> list[int]:
        return [self.deck.rank[kind] for kind, n in enumerate(cards) if n and form.body[kind] for _ in range(n)]

    def _in_order(self, form: Form, ranks: list[int], filler: int) -> bool:
        if len(set(ranks)) < len(ranks) or any(r not in form.order for r in ranks):
            return False
        places = sorted(form.order.index(r) for r in ranks)
        gaps = places[-1] - places[0] + 1 - len(places)
        return gaps <= filler and len(ranks) + filler <= len(form.order)

    def smallest(self, form: Form, hand: list[int], top: int) -> Iterator[list[int]]:
        """List the cards from a hand that would make a new group of the smallest sizes, with ``top`` (-1 for none) in it.

        Shapes that do not grow are listed at every size. The bag that is given is the part from the hand alone.
        """
        if top >= 0 and not (form.body[top] or form.filler[top]):
            return
        if form.order:
            yield from self._runs(form, hand, top)
            return
        fillers = [k for k in range(self.deck.size) if form.filler[k] and not form.body[k] and hand[k]]
        for kinds in self._bodies(form, hand, top):
            for b, f in form.wanted:
                b_hand = b - 1 if top >= 0 and form.body[top] else b
                f_hand = f - 1 if top >= 0 and not form.body[top] else f
                if b_hand >= 0 and f_hand >= 0:
                    yield from self._combined(hand, kinds, b_hand, fillers, f_hand)

    def _bodies(self, form: Form, hand: list[int], top: int) -> list[list[int]]:
        kinds = [k for k in range(self.deck.size) if form.body[k] and hand[k]]
        if form.same == "none":
            return [kinds]
        column = self.deck.suit if form.same == "suit" else self.deck.rank
        if top >= 0 and form.body[top]:
            return [[k for k in kinds if column[k] == column[top]]]
        return [[k for k in kinds if column[k] == key] for key in dict.fromkeys(column[k] for k in kinds)]

    def _combined(self, hand: list[int], body: list[int], b: int, filler: list[int], f: int) -> Iterator[list[int]]:
        for first in self._choices(hand, body, b):
            for second in self._choices(hand, filler, f):
                yield self.deck.bag([*first, *second])

    def _choices(self, hand: list[int], kinds: list[int], n: int) -> list[tuple[int, ...]]:
        if sum(hand[k] for k in kinds) < n:
            return []
        return [c for c in combinations_with_replacement(kinds, n) if all(c.count(k) <= hand[k] for k in set(c))]

    def _runs(self, form: Form, hand: list[int], top: int) -> Iterator[list[int]]:
        """List the smallest runs, and the larger ones that no smaller run grows into because fillers bridge a gap in them."""
        kind_at = {(self.deck.suit[k], self.deck.rank[k]): k for k in range(self.deck.size) if form.body[k]}
        fillers = [k for k in range(self.deck.size) if form.filler[k] and not form.body[k] and (hand[k] or k == top)]
        bridged = [(b, f) for b, row in enumerate(form.allowed) for f, fine in enumerate(row) if fine and b and f]
        for b, f in dict.fromkeys([*form.wanted, *(bridged if fillers else [])]):
            filled = list(combinations_with_replacement(fillers, f))
            for suit, ranks in product(dict.fromkeys(s for s, _ in kind_at), _stretches(form.order, b, f)):
                kinds = [kind_at.get((suit, r), -1) for r in ranks]
                if -1 in kinds or any(not hand[k] and k != top for k in kinds):
                    continue
                for extra in filled:
                    bag = self.deck.bag([*kinds, *extra])
                    if (b, f) not in form.wanted and self._can_shrink(form, bag):
                        continue
                    if top >= 0:
                        bag[top] -= 1
                    if all(0 <= n <= hand[k] for k, n in enumerate(bag)):
                        yield bag

    def _can_shrink(self, form: Form, cards: list[int]) -> bool:
        for kind, n in enumerate(cards):
            if n:
                facts = self.facts(form, [m - (k == kind) for k, m in enumerate(cards)])
                if facts is not None and form.allowed[facts[0]][facts[1]]:
                    return True
        return False

    def takes(self, group: Group) -> tuple[int, ...]:
        """List the kinds of which a card can join a group and leave it right or able to become right."""
        form = self.forms[group.shape] if group.shape >= 0 else None
        if form is None or (group.was and not form.grows):
            return ()
        if form.order:
            kinds = range(self.deck.size)
            return tuple(k for k in kinds if (form.body[k] or form.filler[k]) and self.joined(form, group, k))
        b, f, table = group.body, group.filler, form.reachable
        bodies = form.sharing[group.key] if b + 1 < len(table) and table[b + 1][f] else ()
        return bodies + (form.fillers if f + 1 < len(table[0]) and table[b][f + 1] else ())

    def joined(self, form: Form, group: Group, kind: int) -> bool:
        """Ask whether a card can join a group and leave it right or able to become right."""
        if not form.order and form.same == "rank" and form.body[kind]:
            if self.deck.rank[kind] != group.key:
                return False
            facts: tuple[int, int, int] | None = (group.body + 1, group.filler, group.key)
        elif not form.order and not form.body[kind]:
            facts = (group.body, group.filler + 1, group.key)
        else:
            cards = group.cards[:]
            cards[kind] += 1
            facts = self.facts(form, cards)
        table = form.reachable
        return facts is not None and facts[0] < len(table) and facts[1] < len(table[0]) and table[facts[0]][facts[1]]
