"""What the lister offers is what the judge accepts: compared with every play that small hands allow, tried one by one."""

import sys
from pathlib import Path

import pytest

from canasta.kernel.listing import Answer

sys.path.insert(0, str(Path(__file__).parent))
from brute_tree import Tree, starts

sys.path.pop(0)

MINI = Path(__file__).parent / "mini"


@pytest.mark.parametrize(
    ("name", "by_face", "most", "every"),
    [
        (str(MINI / "runs.yaml"), True, 5, 7),
        pytest.param(str(MINI / "wild-runs.yaml"), True, 5, 13, marks=pytest.mark.whole),
        pytest.param(str(MINI / "united.yaml"), True, 5, 9, marks=pytest.mark.whole),
        pytest.param("classic", False, 4, 19, marks=pytest.mark.whole),
        pytest.param("classic:article", True, 4, 25, marks=pytest.mark.whole),
        ("classic:pagat,failed_asking=fined", False, 3, 14),
    ],
)
def test_lister_reaches_every_end_that_the_judge_accepts(name: str, by_face: bool, most: int, every: int) -> None:  # noqa: FBT001 - parameters of the test
    compared = reached = 0
    seeds = range(30 if "/" in name else 3)
    for number, (game, state) in enumerate(starts(name, seeds, by_face=by_face, most=most)):
        if number % every:
            continue
        whole = Tree(game, state.turn_no, state.seat, brute=True)
        listed = Tree(game, state.turn_no, state.seat, brute=False)
        ends = whole.ends(state)
        assert listed.ends(state) == ends, f"state {number}"
        for move in game.listing.candidates(state):
            possible = bool(whole.ends(game.turn.perform(state, move)))
            if game.ruleset.acts[move.act].lays:
                assert game.listing.settles(state, move) is (Answer.YES if possible else Answer.NO), move
        compared += 1
        reached += len(ends)
    assert compared > 12, compared
    assert reached > 2 * compared, (compared, reached)
