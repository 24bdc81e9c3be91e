"""Gin Rummy beside OpenSpiel: a few deals here, thousands by `python -m canasta_tools.bench.beside_open_spiel`."""

from collections import Counter
from types import ModuleType

import pytest

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta_tools.bench import beside_open_spiel as beside

SEVERAL = 30


@pytest.fixture(scope="module")
def spiel() -> ModuleType:
    found: ModuleType = pytest.importorskip(
        "pyspiel", reason="OpenSpiel is not installed: it belongs to the extra `bench`"
    )
    return found


@pytest.mark.usefixtures("spiel")
def test_both_programs_allow_the_same_moves_and_come_to_the_same_ends_and_scores() -> None:
    met: dict[str, Counter[str]] = {}
    for players, counts in beside.play_many(SEVERAL, seed=7):
        met.setdefault(players, Counter()).update(counts)
    assert met["at random"]["positions"] > 100 * SEVERAL // 2
    assert met["at random"]["ended: washed"] > SEVERAL // 2
    assert met["collecting"]["knocks"] > SEVERAL // 2
    assert met["collecting"]["cards laid off"] > 0
    assert met["collecting"]["undercuts"] > 0


@pytest.mark.usefixtures("spiel")
@pytest.mark.parametrize("other", ["returning=forbidden", "wall=ends", "undercut_bonus=20", "first_upcard=ordinary"])
def test_another_choice_of_one_option_is_noticed(other: str) -> None:
    with pytest.raises(beside.DifferenceError):
        list(beside.play_many(SEVERAL, seed=7, rules=f"gin:openspiel,{other}"))


def test_a_third_card_may_be_laid_off_on_a_run_though_openspiel_does_not_offer_it(spiel: ModuleType) -> None:
    """Eight, nine and ten follow seven, one after another; OpenSpiel's own list of what may be laid off stops at the nine."""
    utils = spiel.gin_rummy.GinRummyUtils(13, 4, 10)
    cards = [utils.card_int(c) for c in ("5h", "6h", "7h", "8h", "9h", "Th")]
    run = [utils.meld_to_int(cards[:3])]
    assert cards[3] in utils.all_layoffs(run, [])
    assert cards[4] in utils.all_layoffs(run, cards[3:4])
    assert cards[5] not in utils.all_layoffs(run, cards[3:5])


def test_a_knock_that_openspiel_overlooks(spiel: ModuleType) -> None:
    """Two runs and two sets both leave 15 points. Beside the runs lies a six to throw away, beside the sets no card above four.

    Only the runs let their player knock, with nine points. OpenSpiel looks at the sets and says that one may not; of the ten cards
    that are left when the six is gone its own function says that one may.
    """
    utils = spiel.gin_rummy.GinRummyUtils(13, 4, 10)
    runs = (("4s", "5s", "6s"), ("3c", "4c", "5c", "6c"))
    hand = [*runs[0], *runs[1], "Ah", "3h", "5h", "6h"]
    cards = [utils.card_int(c) for c in hand]
    assert utils.min_deadwood(cards) == 11
    assert utils.min_deadwood([c for c in cards if c != utils.card_int("6h")]) == 9

    game = open_game(beside.RULES, by_face=True)
    find = {game.deck.name(k): k for k in range(game.deck.size)}
    state = game.start(beside.shuffled_pack(game, 1), 1)
    state.zone(game.machine.hand)[0] = game.deck.bag([find[c] for c in hand])
    state.phase = game.ruleset.phases["play"].index
    assert "lay" in {move.act for move in game.legal(state).moves}
    for run in runs:
        state = game.apply(state, Move("lay", 0, tuple(find[c] for c in run)))
    assert game.judge(state, Move("knock", 0, (find["6h"],))).codes == ()
    assert game.judge(state, Move("knock", 0, (find["3h"],))).codes == ("TOO_MUCH_DEADWOOD",)
