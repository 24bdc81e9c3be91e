"""One meaning, several back ends: on states of random play the compilers say what the normative evaluator says."""

import sys
from pathlib import Path

import pytest

from canasta.games import load_ruleset, open_game
from canasta.kernel.by_function import ByFunction
from canasta.kernel.game import Game
from canasta.language.compiler import BEGUN, Compiler
from canasta.language.evaluator import Evaluator
from canasta.language.kinds import roots
from canasta.language.types import Expr
from canasta.random_play import RandomPlayer, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64

sys.path.insert(0, str(Path(__file__).parent))
from random_positions import Case, cases, plain, sampled

sys.path.pop(0)

GIN = str(Path(__file__).parent / "mini" / "loose-gin.yaml")
GAMES = [
    ("classic", False),
    ("classic", True),
    ("classic:hoyle", False),
    ("classic:pagat", False),
    ("classic:article", True),
    ("classic,wild_onto_natural_canasta=no,concealed_canasta=yes,red_threes_need=canasta", False),
    (GIN, True),
    (f"{GIN}:openspiel,big_gin=yes", True),
]


def states_of(name: str, *, by_face: bool) -> list:  # type: ignore[type-arg]
    seeds = 9 if name.startswith(GIN) else 3  # its deals are short
    return [
        *sampled(name, range(seeds), 17, by_face=by_face),
        *sampled(name, range(3, 6), 9, by_face=by_face, late=True),
    ]


@pytest.mark.parametrize(("name", "by_face"), GAMES)
def test_compiler_says_what_the_evaluator_says(name: str, by_face: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    evaluator = Evaluator(game.ruleset, game.deck)
    pick = SplitMix64(1)
    seen: set[int] = set()
    for state in states_of(name, by_face=by_face):
        for case in cases(game, state, pick):
            seen.add(id(case.expr))
            expected = evaluate(evaluator, case, state)
            found = game.backend.function(case.expr)(state, case.context, case.seat, case.side)
            assert plain(found) == plain(expected), f"{case.expr.path}: {case.expr.text}"
    missed = [e.path for e in roots(game.ruleset) if id(e) not in seen]
    assert missed == [], "expressions that no state has tried"


def evaluate(evaluator: Evaluator, case: Case, state: object) -> object:
    return evaluator.function(case.expr)(state, case.context, case.seat, case.side)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "by_face"), [GAMES[0], GAMES[4], GAMES[-1]])
def test_explaining_compiler_tells_every_node_the_evaluator_tells(name: str, by_face: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game(name, by_face=by_face)
    told: list[tuple[Expr, object]] = []
    evaluator = Evaluator(game.ruleset, game.deck, lambda e, v: told.append((e, v)))
    explaining = Compiler(game.ruleset, game.deck, explain=True)
    pick = SplitMix64(2)
    nodes = 0
    for state in states_of(name, by_face=by_face)[::2]:
        for case in cases(game, state, pick):
            told.clear()
            evaluate(evaluator, case, state)
            case.context.trace = []
            explaining.function(case.expr)(state, case.context, case.seat, case.side)
            found = [(explaining.nodes[n], v) for n, v in case.context.trace if v is not BEGUN]
            assert [e.path for e, _ in found] == [e.path for e, _ in told], case.expr.path
            assert all(a is b for (a, _), (b, _) in zip(found, told, strict=True)), case.expr.path
            assert [plain(v) for _, v in found] == [plain(v) for _, v in told], case.expr.path
            nodes += len(told)
    assert nodes > 10_000


def test_a_whole_deal_is_the_same_on_every_back_end() -> None:
    fast, slow = open_game("classic"), open_game("classic", evaluated=True)
    assert isinstance(slow.backend, ByFunction)
    for seed in range(3):
        assert deal(fast, seed) == deal(slow, seed)


def deal(game: Game, seed: int) -> list[object]:
    state = game.start(shuffled_pack(game, seed), 3)
    found: list[object] = []
    for _, move, after in play_deal(state, RandomPlayer(game, SplitMix64(seed))):
        found += [move, plain([getattr(after, name) for name in after.places]), after.phase, after.seat, after.stage]
        state = after
    return [*found, game.ledger(state), state.reason]


def test_classes_and_values_of_a_kind_are_those_of_its_faces() -> None:
    coarse, fine = open_game("classic").deck, open_game("classic", by_face=True).deck
    ruleset = load_ruleset("classic")
    ranks = [*ruleset.pack.ranks, *(r for r, _ in ruleset.pack.extra)]
    suits = [s.lower() for s in ruleset.pack.suits]
    for kind in range(fine.size):
        suit = suits[fine.suit[kind]] if fine.suit[kind] >= 0 else ""
        merged = coarse.find(ranks[fine.rank[kind]], suit)
        assert {n: t[kind] for n, t in fine.classes.items()} == {n: t[merged] for n, t in coarse.classes.items()}
        assert {n: t[kind] for n, t in fine.values.items()} == {n: t[merged] for n, t in coarse.values.items()}
    assert fine.total == coarse.total == 108
