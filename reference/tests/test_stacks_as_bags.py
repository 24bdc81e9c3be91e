"""A stack may stand wherever a bag is wanted: as the value of a definition's parameter, as a branch, as what is kept."""

import sys
from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.kernel.outlook import Choice, Outlook
from canasta.kernel.state import Context, State
from canasta.language.compiler import Compiler
from canasta.language.evaluator import Evaluator
from canasta.shuffle import SplitMix64

sys.path.insert(0, str(Path(__file__).parent))
from hidden_cards import completed, hide, holds
from random_positions import plain, sampled

sys.path.pop(0)

MINI = Path(__file__).parent / "mini" / "wild-runs.yaml"
HELD = "  held: {of: table, type: bag, lasts: turn, text: cards kept}\n  held_by: {of: side, type: bag, lasts: deal, text: kept}\n"
WANTED = {
    "hearts(pile)": "size(pile) - count(c in pile where c.suit != $H)",
    "hearts(hand)": "count(c in hand where c.suit = $H)",
    "hearts(pile + hand)": "hearts(pile) + hearts(hand)",
    "hearts(if turn_no < 3 then hand else pile)": "if turn_no < 3 then hearts(hand) else hearts(pile)",
    "hearts(if turn_no < 3 then pile else hand)": "if turn_no < 3 then hearts(pile) else hearts(hand)",
    "size(if hearts(pile) > 0 then pile else hand)": "if hearts(pile) > 0 then size(pile) else size(hand)",
    "size(hand - (if hearts(hand) > 0 then pile else stock))": "if hearts(hand) > 0 then size(hand - pile) else size(hand - stock)",
    "top(if hearts(hand) > 0 then pile else stock).worth": "if hearts(hand) > 0 then top(pile).worth else top(stock).worth",
    "overlap(pile, hand(next(seat)))": "if pile within hand(next(seat)) then 1 else 0",
    "size(if hearts(hand) > 0 then melds else all_melds)": "if hearts(hand) > 0 then size(melds) else size(melds)",
    "size(held_by(if hearts(hand) > 0 then side else side_of(next(seat))))": "0",
}
"""Expressions in which a stack stands for a bag, each with another way to say the same in which none does."""


def rules() -> str:
    kept = "  - {id: keep.pile, kind: effect, on: [draw], title: Keep, text: Keep., do: [set held = pile], after: [draw.card]}"
    defined = [
        ("hearts", "{cards: bag}", "count(c in cards where c.suit = $H)"),
        ("overlap", "{one: bag}, {other: bag}", "if one within other then 1 else 0"),
        ("all_melds", "", "melds"),
    ]
    for number, pair in enumerate(WANTED.items()):
        defined += [(f"one_{number}", "seat, side", pair[0]), (f"two_{number}", "seat, side", pair[1])]
    clauses = [
        f'  - {{id: as.{i}, kind: definition, name: {name}, of: [{of}], is: "{text}", title: T, text: T.}}'
        for i, (name, of, text) in enumerate(defined)
    ]
    text = MINI.read_text(encoding="utf-8").replace("shapes:\n", f"{HELD}shapes:\n")
    return "\n".join([text, kept, *clauses, ""])


@pytest.fixture(scope="module")
def name(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stacks") / "stacks.yaml"
    path.write_text(rules(), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def states(name: str) -> list[State]:
    return sampled(name, range(12), 5, by_face=True)


def pairs(game: Game) -> list[tuple[object, object]]:
    found = game.ruleset.definitions
    return [(found[f"one_{n}"].body, found[f"two_{n}"].body) for n in range(len(WANTED))]


def test_every_back_end_takes_a_stack_for_a_bag(name: str, states: list[State]) -> None:
    game = open_game(name, by_face=True)
    backs = (game.backend, Evaluator(game.ruleset, game.deck), Compiler(game.ruleset, game.deck, explain=True))
    seen: set[tuple[int, int]] = set()
    for state in states:
        seat, side = state.seat, state.side_of[state.seat]
        for number, (one, two) in enumerate(pairs(game)):
            expected = backs[0].function(two)(state, Context(), seat, side)  # type: ignore[arg-type]
            for back in backs:
                assert back.function(one)(state, Context(), seat, side) == expected, list(WANTED)[number]  # type: ignore[arg-type]
            seen.add((number, int(expected)))
    assert {number for number, value in seen if value} >= set(range(9)), "some value was never anything but nothing"


def test_bounds_hold_the_value_whatever_is_hidden(name: str, states: list[State]) -> None:
    game = open_game(name, by_face=True)
    pick = SplitMix64(5)
    for whole in states:
        partial, slots = hide(game, whole, pick, set(), share=3)
        outlook, seat, side = Outlook(game.machine, partial, game.listing), whole.seat, whole.side_of[whole.seat]
        for number, (one, _) in enumerate(pairs(game)):
            bounds = game.bounder.function(one)(partial, Choice(), seat, side, outlook)  # type: ignore[arg-type]
            for _ in range(5):
                state = completed(game, partial, slots, pick)
                value = game.backend.function(one)(state, Context(), seat, side)  # type: ignore[arg-type]
                assert holds(bounds, value), list(WANTED)[number]


def test_a_stack_that_is_kept_is_kept_as_a_bag(name: str, states: list[State]) -> None:
    game = open_game(name, by_face=True)
    held = game.ruleset.state["held"].index
    kept = [plain(state.variable(held)) for state in states if game.machine.phases[state.phase].name == "play"]
    assert kept
    assert all(isinstance(bag, list) for bag in kept)
