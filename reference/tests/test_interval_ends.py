"""One end of a bounded answer, asked for alone, is the same as that end of the whole answer."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.outlook import Ahead, Outlook
from canasta.language.types import BOOL, INT
from canasta.shuffle import SplitMix64

sys.path.insert(0, str(Path(__file__).parent))
from hidden_cards import choice_of, hide
from random_positions import cases, sampled

sys.path.pop(0)

GAMES = [("classic", False), ("classic", True), ("classic:pagat,concealed_canasta=yes", False)]


@pytest.mark.parametrize(("name", "by_face"), GAMES)
@pytest.mark.parametrize("ahead", [False, True], ids=["hidden cards", "looking ahead"])
def test_each_end_is_that_of_the_whole_answer(name: str, by_face: bool, ahead: bool) -> None:  # noqa: FBT001 - parameters of the test
    game = open_game(name, by_face=by_face)
    pick = SplitMix64(4)
    seen = Counter[object]()
    for number, state in enumerate(sampled(name, range(4), 17, by_face=by_face, late=True)):
        shown = state if ahead else hide(game, state, pick, set(), share=(2, 5, 20)[number % 3])[0]
        for case in cases(game, state, pick):
            if case.expr.type not in (BOOL, INT):
                continue
            outlook = (
                Ahead(game.machine, shown, game.machine.united_zones)
                if ahead
                else Outlook(game.machine, shown, game.listing)
            )
            asked = (shown, choice_of(outlook, case.context), case.seat, case.side, outlook)
            low, high = game.bounder.function(case.expr)(*asked)
            for end, value in ((False, low), (True, high)):
                found = game.bounder.end(case.expr, high=end)(*asked)
                assert found == value, f"{case.expr.path}: {case.expr.text}"
            seen[case.expr.type, low == high] += 1
    assert min(seen[BOOL, known] for known in (True, False)) > 10, seen
