"""Groups of cards: every right group can be laid in small steps, and every small step is right or can become so."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.shapes import Form, Shapes
from canasta.kernel.state import NOBODY, Group

MINI = Path(__file__).parent / "mini"
GAMES = [
    ("classic", False, 5),
    ("classic:article", False, 5),
    (str(MINI / "runs.yaml"), True, 6),
    (str(MINI / "wild-runs.yaml"), True, 5),
]


def bags(game: Game, most: int) -> Iterator[list[int]]:
    """Go through all bags of at most so many cards, each kind within the copies that the pack has."""

    def further(kind: int, room: int) -> Iterator[list[int]]:
        if kind == game.deck.size:
            yield [0]
            return
        for n in range(min(room, game.deck.copies[kind]) + 1):
            yield from ([n, *rest] for rest in further(kind + 1, room - n))

    return further(0, most)


def right(shapes: Shapes, form: Form, cards: list[int]) -> bool:
    facts = shapes.facts(form, cards)
    return (
        facts is not None
        and facts[0] < len(form.allowed)
        and facts[1] < len(form.allowed[0])
        and form.allowed[facts[0]][facts[1]]
    )


def begun(shapes: Shapes, form: Form, cards: list[int]) -> Group:
    group = Group(1, form.index, 1, cards)
    facts = shapes.facts(form, cards)
    assert facts is not None
    shapes._take(group, form, facts)
    return group


def reachable(shapes: Shapes, form: Form, goal: list[int]) -> bool:
    """Ask whether a hand of exactly these cards can be laid down as one group, part by part."""
    waiting = [tuple(bag) for bag in shapes.smallest(form, goal, NOBODY)]
    seen = set(waiting)
    while waiting:
        laid = waiting.pop()
        if list(laid) == goal:
            return True
        rest = [a - b for a, b in zip(goal, laid, strict=True)]
        for kind in (k for k in shapes.takes(begun(shapes, form, list(laid))) if rest[k]):
            further = (*laid[:kind], laid[kind] + 1, *laid[kind + 1 :])
            if further not in seen:
                seen.add(further)
                waiting.append(further)
    return False


@pytest.mark.parametrize(("name", "by_face", "most"), GAMES)
def test_every_right_group_is_reached_in_small_steps(name: str, by_face: bool, most: int) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    found = {form.name: 0 for form in game.machine.shapes.forms}
    for bag in bags(game, most):
        for form in game.machine.shapes.forms:
            if sum(bag) and right(game.machine.shapes, form, bag):
                found[form.name] += 1
                assert reachable(game.machine.shapes, form, bag), (
                    f"{form.name}: {[game.deck.name(k) for k, n in enumerate(bag) for _ in range(n)]}"
                )
    assert all(found.values()), found


@pytest.mark.parametrize(("name", "by_face", "most"), GAMES)
def test_every_small_step_is_right_or_can_become_so(name: str, by_face: bool, most: int) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    shapes = game.machine.shapes
    steps = 0
    for form in shapes.forms:
        for bag in shapes.smallest(form, game.deck.full(), NOBODY):
            assert right(shapes, form, bag)
            assert shapes.settle(Group(1, NOBODY, 1, bag)).shape >= 0
        for bag in bags(game, most - 1):
            if not sum(bag) or not right(shapes, form, bag):
                continue
            rest = [c - n for c, n in zip(game.deck.full(), bag, strict=True)]
            group = begun(shapes, form, bag)
            for kind in (k for k in shapes.takes(group) if rest[k]):
                after = bag[:]
                after[kind] += 1
                larger = shapes.settle(begun(shapes, form, after))
                assert shapes.forms[larger.shape].may_grow_right(larger)
                steps += 1
    assert steps > 20


@pytest.mark.parametrize(("name", "by_face", "most"), GAMES)
def test_a_group_that_no_step_can_mend_is_told_from_one_that_can_grow(name: str, by_face: bool, most: int) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    shapes = game.machine.shapes
    for form in shapes.forms:
        if form.order:
            continue  # places of a run bind the numbers further than a table of numbers can say
        rows, columns = len(form.allowed), len(form.allowed[0])
        for b, f in product(range(rows), range(columns)):
            later = any(form.allowed[x][y] for x in range(b, rows) for y in range(f, columns))
            assert form.reachable[b][f] == later
        assert len(form.allowed) - 1 >= most - 3


@pytest.mark.parametrize(("name", "by_face", "most"), GAMES)
def test_beginnings_from_a_list_are_those_found_in_the_hand(name: str, by_face: bool, most: int) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    shapes = game.machine.shapes
    for number, bag in enumerate(bags(game, most)):
        if number % 7:
            continue
        for form in shapes.forms:
            for top in (NOBODY, number % game.deck.size):
                prepared = shapes.prepared(form, top)
                if prepared is not None:
                    ways = [way for kind, least, ways in prepared if bag[kind] >= least for way in ways]
                    found = [cards for needs, cards in ways if all(bag[k] >= n for k, n in needs)]
                    assert sorted(found) == sorted(tuple(listed(b)) for b in shapes.smallest(form, bag, top))


@pytest.mark.parametrize(("name", "by_face", "most"), GAMES)
def test_beginnings_with_a_top_card_hold_it_and_leave_it_out_of_the_hand(name: str, by_face: bool, most: int) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    shapes = game.machine.shapes
    tried = 0
    for number, bag in enumerate(bags(game, most - 1)):
        top = number % game.deck.size
        if number % 11 or bag[top] == game.deck.copies[top]:
            continue
        whole = bag[:]
        whole[top] += 1
        for form in shapes.forms:
            with_top = [[n + (k == top) for k, n in enumerate(part)] for part in shapes.smallest(form, bag, top)]
            expected = [part for part in shapes.smallest(form, whole, NOBODY) if part[top]]
            assert sorted(with_top) == sorted(expected)
            tried += len(expected)
    assert tried > 5


def test_the_first_shape_whose_bounds_a_group_keeps_is_its_shape() -> None:
    game = open_game(str(MINI / "runs.yaml"), by_face=True)
    shapes = game.machine.shapes
    deck = game.deck
    run = deck.bag([deck.find("4", "c"), deck.find("5", "c"), deck.find("6", "c")])
    two = deck.bag([deck.find("4", "c"), deck.find("4", "h")])
    assert shapes.forms[shapes.settle(Group(1, NOBODY, 1, run)).shape].name == "run"
    assert shapes.forms[shapes.settle(Group(1, NOBODY, 1, two)).shape].name == "set"
    assert shapes.settle(Group(1, NOBODY, 1, deck.bag([deck.find("4", "c"), deck.find("6", "h")]))).shape == NOBODY
