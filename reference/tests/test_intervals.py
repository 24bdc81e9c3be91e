"""The third back end: what it says of a state with hidden cards is true of every state that this may be, and not much wider."""

import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.bounds import BoundedJudge
from canasta.kernel.game import Game
from canasta.kernel.listing import Answer, Listing
from canasta.kernel.outlook import Outlook
from canasta.kernel.state import State
from canasta.language import intervals
from canasta.language.intervals import Bag
from canasta.language.kinds import nodes, roots
from canasta.language.types import Op
from canasta.shuffle import SplitMix64

sys.path.insert(0, str(Path(__file__).parent))
from hidden_cards import choice_of, closed, completed, hide, holds
from random_positions import Case, cases, moments, plain, sampled

sys.path.pop(0)

GIN = str(Path(__file__).parent / "mini" / "loose-gin.yaml")
GAMES = [
    ("classic", False),
    ("classic", True),
    ("classic:pagat,concealed_canasta=yes,wild_onto_natural_canasta=no", False),
    (GIN, True),
]
SAMPLES = 10


def states_of(name: str, *, by_face: bool) -> list[State]:
    seeds, every = (12, 9) if name == GIN else (3, 31)  # its deals are short
    return [
        *sampled(name, range(seeds), every, by_face=by_face),
        *sampled(name, range(3, 6), 13, by_face=by_face, late=True),
    ]


def bounds_of(game: Game, case: Case, state: State) -> object:
    outlook = Outlook(game.machine, state, game.listing)
    return game.bounder.function(case.expr)(state, choice_of(outlook, case.context), case.seat, case.side, outlook)


def value_of(game: Game, case: Case, state: State) -> object:
    return game.backend.function(case.expr)(state, case.context, case.seat, case.side)


@pytest.mark.parametrize(("name", "by_face"), GAMES)
def test_what_is_known_exactly_has_one_value(name: str, by_face: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    pick = SplitMix64(1)
    for state in states_of(name, by_face=by_face):
        for case in cases(game, state, pick):
            found = bounds_of(game, case, state)
            assert holds(found, value_of(game, case, state)), f"{case.expr.path}: {case.expr.text}"
            assert closed(found), f"{case.expr.path}: {case.expr.text}"


@pytest.mark.parametrize(("name", "by_face"), GAMES)
def test_bounds_hold_whatever_the_hidden_cards_are_and_are_narrow(name: str, by_face: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    pick = SplitMix64(2)
    agreed, left_open = Counter[str](), Counter[str]()
    for number, state in enumerate(states_of(name, by_face=by_face)):
        partial, slots = hide(game, state, pick, set(), share=(2, 5, 20)[number % 3])
        ways = [state, *(completed(game, partial, slots, pick) for _ in range(SAMPLES))]
        for case in cases(game, state, pick):
            found = bounds_of(game, case, partial)
            values = [value_of(game, case, way) for way in ways]
            for value in values:
                assert holds(found, value), f"{case.expr.path}: {case.expr.text}"
            if all(plain(value) == plain(values[0]) for value in values):
                agreed[case.expr.path] += 1
                left_open[case.expr.path] += not closed(found)
    assert sum(left_open.values()) < sum(agreed.values()) // 100, left_open
    # whether an act is possible can seldom be told while cards of the pile are unknown
    asking = {root.path for root in roots(game.ruleset) if any(e.op is Op.POSSIBLE for e in nodes(root))}
    vague = {p: (n, agreed[p]) for p, n in left_open.items() if 2 * n > agreed[p] > 10 and p not in asking}
    assert vague == {}, "bounds that say nothing although the value hardly ever changes"


def test_verdicts_on_hidden_cards_are_true_of_every_way_they_may_lie() -> None:
    game = open_game("classic")
    pick = SplitMix64(3)
    seen = Counter[str]()
    for seed in range(4):
        for number, (state, played, _) in enumerate(moments(game, seed, late=seed % 2 == 1)[seed % 2 :: 2]):
            partial, slots = hide(game, state, pick, set(played.cards), share=3)
            ways = [state, *(completed(game, partial, slots, pick) for _ in range(SAMPLES))]
            for name in game.machine.phases[state.phase].acts:
                act = game.ruleset.acts[name]
                if act.choose not in ("none", "card") or (act.choose == "card" and name != played.act):
                    continue
                if act.safe and number % 20:
                    continue  # a look ahead for each way the cards may lie takes long
                move = played if name == played.act else Move(name, state.seat)
                verdict = game.judge(partial, move)
                certain = {v.code for v in verdict.violations if v.certain}
                for way in ways:
                    broken = set(game.judge(way, move).codes)
                    assert certain <= broken, move
                    assert broken <= {v.code for v in verdict.violations}, move
                seen[verdict.ruling.value] += 1
    assert min(seen.values()) > 2, seen
    assert len(seen) == 3


def test_look_ahead_with_bounds_finds_what_a_whole_search_finds() -> None:
    compared = 0
    for name in ("classic", "classic:article"):
        game = open_game(name)
        whole = Listing(game.turn, game._judge, None, 100_000)
        for seed in range(12):
            for state, _, _ in moments(game, seed, late=seed % 2 == 0)[seed % 3 :: 3]:
                if not 1 <= sum(state.zone(game.machine.hand)[state.seat]) <= 7:
                    continue
                for move in game.listing.candidates(state):
                    answer = whole.settles(state, move)
                    assert answer is not Answer.UNKNOWN
                    assert game.listing.settles(state, move) is answer, move
                    compared += 1
    assert compared > 300


def test_hopeless_is_said_only_where_there_is_no_hope() -> None:
    game = open_game("classic")
    bounds = BoundedJudge(game.machine, game.bounder, game._judge)
    whole = Listing(game.turn, game._judge, None, 20_000)
    hopeless = hopeful = 0
    for seed in range(40):
        for state, _, _ in moments(game, seed, late=True):
            if not 2 <= sum(state.zone(game.machine.hand)[state.seat]) <= 8:
                continue
            for move in game.listing.candidates(state):
                if game.ruleset.acts[move.act].choose != "part":
                    continue
                after = game.turn.perform(state, move)
                answer = whole.can_finish(after)
                if after.draft and bounds.hopeless(after):
                    assert answer is not Answer.YES, move
                    hopeless += 1
                else:
                    hopeful += 1
    assert min(hopeless, hopeful) > 5, (hopeless, hopeful)


# -- the arithmetic ----------------------------------------------------------------------------------------------------

ranges = st.tuples(st.integers(-6, 6), st.integers(0, 4)).map(lambda p: (p[0], p[0] + p[1]))
truths = st.sampled_from([(0, 0), (1, 1), (0, 1)])


def within(found: tuple[int, int], values: list[int]) -> bool:
    return found[0] <= min(values) and max(values) <= found[1]


def exactly_spans(found: tuple[int, int], values: list[int]) -> bool:
    return found == (min(values), max(values))


@given(ranges, ranges)
def test_arithmetic_gives_the_narrowest_bounds(a: tuple[int, int], b: tuple[int, int]) -> None:
    pairs = list(product(range(a[0], a[1] + 1), range(b[0], b[1] + 1)))
    assert exactly_spans(intervals.add(a, b), [x + y for x, y in pairs])
    assert exactly_spans(intervals.sub(a, b), [x - y for x, y in pairs])
    assert exactly_spans(intervals.mul(a, b), [x * y for x, y in pairs])
    assert exactly_spans(intervals.neg(a), [-x for x, _ in pairs])
    assert exactly_spans(intervals.eq(a, b), [int(x == y) for x, y in pairs])
    assert exactly_spans(intervals.lt(a, b), [int(x < y) for x, y in pairs])
    assert exactly_spans(intervals.le(a, b), [int(x <= y) for x, y in pairs])


@given(truths, truths, ranges, ranges)
def test_truth_gives_the_narrowest_bounds(
    p: tuple[int, int], q: tuple[int, int], a: tuple[int, int], b: tuple[int, int]
) -> None:
    pairs = list(product(range(p[0], p[1] + 1), range(q[0], q[1] + 1)))
    assert exactly_spans(intervals.and_(p, q), [x & y for x, y in pairs])
    assert exactly_spans(intervals.or_(p, q), [x | y for x, y in pairs])
    assert exactly_spans(intervals.not_(p), [1 - x for x, _ in pairs])
    chosen = [x for t in range(p[0], p[1] + 1) for x in (a if t else b)]
    assert exactly_spans(intervals.either(p, a, b), chosen)


KINDS = 3
counts = st.lists(st.integers(0, 2), min_size=KINDS, max_size=KINDS)


@st.composite
def bags(draw: st.DrawFn) -> tuple[Bag, list[list[int]]]:
    """A bag within bounds, and every bag that lies within them; there is at least one."""
    low = draw(counts)
    high = [n + extra for n, extra in zip(low, draw(counts), strict=True)]
    ways = [list(w) for w in product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))]
    sizes = sorted({sum(w) for w in ways})
    first = draw(st.integers(0, len(sizes) - 1))
    last = draw(st.integers(first, len(sizes) - 1))
    inside = [w for w in ways if sizes[first] <= sum(w) <= sizes[last]]
    return Bag([*low, 0], [*high, 0], sizes[first], sizes[last]), inside


@given(bags(), st.lists(truths, min_size=KINDS, max_size=KINDS), st.lists(ranges, min_size=KINDS, max_size=KINDS))
@settings(deadline=None)
def test_counting_and_weighing_hold_every_bag_within_bounds(
    given_bag: tuple[Bag, list[list[int]]], tests: list[tuple[int, int]], weights: list[tuple[int, int]]
) -> None:
    bag, ways = given_bag
    choices = [list(c) for c in product(*(range(a, b + 1) for a, b in tests))]
    worths = [list(c) for c in product(*(sorted(set(w)) for w in weights))]
    counted = [sum(n for n, t in zip(way, c, strict=True) if t) for way in ways for c in choices]
    weighed = [
        sum(n * w for n, w, t in zip(way, ws, c, strict=True) if t) for way in ways for c in choices for ws in worths
    ]
    most = [
        max((w for n, w, t in zip(way, ws, c, strict=True) if t and n), default=0)
        for way in ways for c in choices for ws in worths
    ]  # fmt: skip
    assert within(intervals.count_where(bag, tests), counted)
    assert within(intervals.weigh(bag, tests, weights), weighed)
    assert within(intervals.most_of(bag, tests, weights), most)


@given(bags(), st.sets(st.integers(0, KINDS - 1)))
def test_counting_certain_kinds_is_as_narrow_as_can_be(given_bag: tuple[Bag, list[list[int]]], kinds: set[int]) -> None:
    bag, ways = given_bag
    assert exactly_spans(intervals.count(bag, sorted(kinds)), [sum(way[k] for k in kinds) for way in ways])


@given(bags(), bags())
@settings(deadline=None)
def test_bags_put_together_and_taken_apart(a: tuple[Bag, list[list[int]]], b: tuple[Bag, list[list[int]]]) -> None:
    pairs = list(product(a[1][:20], b[1][:20]))
    plus, minus = intervals.plus(a[0], b[0]), intervals.minus(a[0], b[0])
    for x, y in pairs:
        assert holds(plus, [*(m + n for m, n in zip(x, y, strict=True)), 0])
        assert holds(minus, [*(max(0, m - n) for m, n in zip(x, y, strict=True)), 0])
    assert within(intervals.within(a[0], b[0]), [int(all(m <= n for m, n in zip(x, y, strict=True))) for x, y in pairs])
