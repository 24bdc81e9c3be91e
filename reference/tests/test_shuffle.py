import json
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.rooms import room
from canasta.shuffle import LARGEST_SEED, SplitMix64, derive, shuffled

VECTORS = json.loads((room("spec") / "shuffle.json").read_text(encoding="utf-8"))
SEEDS = st.integers(min_value=0, max_value=LARGEST_SEED)


def seed_whose_first_number_is(wanted: int) -> int:
    """Run one step of the generator backwards; each of its operations can be undone."""
    z = undo_xorshift(wanted, 31)
    z = undo_xorshift(z * pow(0x94D049BB133111EB, -1, 1 << 64) % (1 << 64), 27)
    z = undo_xorshift(z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) % (1 << 64), 30)
    return (z - 0x9E3779B97F4A7C15) % (1 << 64)


def undo_xorshift(number: int, by: int) -> int:
    found = number
    for _ in range(64 // by):
        found = number ^ (found >> by)
    return found


@pytest.mark.parametrize("vector", VECTORS["next_u64"], ids=lambda v: v["seed"])
def test_the_stream_is_the_one_written_down(vector: dict[str, Any]) -> None:
    stream = SplitMix64(int(vector["seed"]))
    assert [str(stream.next_u64()) for _ in vector["numbers"]] == vector["numbers"]


def test_the_stream_is_the_published_one() -> None:
    # The first numbers of seed 1234567 as given by the authors' reference program.
    stream = SplitMix64(1234567)
    assert [stream.next_u64() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("vector", VECTORS["below"], ids=lambda v: v["n"])
def test_bounded_numbers_are_the_ones_written_down(vector: dict[str, Any]) -> None:
    stream = SplitMix64(int(vector["seed"]))
    assert [str(stream.below(int(vector["n"]))) for _ in vector["numbers"]] == vector["numbers"]


@pytest.mark.parametrize("vector", VECTORS["shuffled"], ids=lambda v: f"{v['length']}-{v['seed']}")
def test_orders_are_the_ones_written_down(vector: dict[str, Any]) -> None:
    assert shuffled(range(vector["length"]), int(vector["seed"])) == vector["order"]


@pytest.mark.parametrize("vector", VECTORS["derive"], ids=lambda v: f"{v['seed']}-{'-'.join(v['numbers'])}")
def test_derived_seeds_are_the_ones_written_down(vector: dict[str, Any]) -> None:
    assert str(derive(int(vector["seed"]), *map(int, vector["numbers"]))) == vector["derived"]


def test_a_number_that_would_favour_small_results_is_drawn_again() -> None:
    # 2**64 mod 3 is 1: only the topmost number is unfair, and this seed draws it first.
    seed = seed_whose_first_number_is(LARGEST_SEED)
    stream = SplitMix64(seed)
    assert stream.next_u64() == LARGEST_SEED
    second = stream.next_u64()
    assert SplitMix64(seed).below(3) == second % 3
    # The number just below is fair and stands.
    assert SplitMix64(seed_whose_first_number_is(LARGEST_SEED - 1)).below(3) == (LARGEST_SEED - 1) % 3


def test_every_order_of_three_comes_about_equally_often() -> None:
    orders = Counter(tuple(shuffled("abc", seed)) for seed in range(6000))
    assert set(orders) == set(permutations("abc"))
    # A thousand of each are expected, and the spread of a fair shuffle is 29; chance does not reach six times that.
    assert all(abs(times - 1000) < 6 * 29 for times in orders.values())


@given(st.lists(st.integers()), SEEDS)
def test_a_shuffle_neither_loses_nor_adds_and_leaves_its_input(items: list[int], seed: int) -> None:
    before = list(items)
    assert Counter(shuffled(items, seed)) == Counter(before)
    assert items == before


@given(SEEDS, st.integers(min_value=1, max_value=1 << 64))
def test_bounded_numbers_stay_below(seed: int, n: int) -> None:
    assert 0 <= SplitMix64(seed).below(n) < n


@given(SEEDS, SEEDS, SEEDS)
def test_deriving_goes_step_by_step(seed: int, first: int, second: int) -> None:
    assert derive(seed, first, second) == derive(derive(seed, first), second)
    assert (derive(seed, first) == derive(seed, second)) == (first == second)


@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_out_of_range_is_refused_not_wrapped(seed: int) -> None:
    for use in (
        lambda: SplitMix64(seed),
        lambda: shuffled([1, 2], seed),
        lambda: derive(seed),
        lambda: derive(0, seed),
    ):
        with pytest.raises(ValueError, match="must lie from 0"):
            use()


@pytest.mark.parametrize("n", [0, -5, (1 << 64) + 1])
def test_choosing_from_nothing_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="cannot choose"):
        SplitMix64(0).below(n)
