"""A turn that is not written to its end, and a position that the rules would not have left so."""

import pytest

from canasta.games import open_game
from canasta.kernel.acts import Verdict
from canasta.notation.position_text import parse_position
from canasta.notation.turns import parse_turn
from canasta.playing.binding import play_turn
from canasta.playing.positions import to_state
from canasta.playing.undone import left_undone
from canasta.playing.unfinished import Unfinished, unfinished

CLASSIC = open_game("classic")
TAKEN = "N at start; hand.N {}; pile K; melds.NS QQQ; opened.NS; stock ?30"
FROZEN = "N at start; hand.N {}; melds.NS QQQ; opened.NS; pile 2 5 K; stock ?30"
BARRED = "N at start; hand.N {}; melds.NS QQQQQQQ; opened.NS; pile 3s; stock ?30"


def half(given: str, do: str) -> Unfinished | None:
    position, found = parse_position(given, "given")
    assert position is not None, found
    actions, _ = parse_turn(do, "do")
    return unfinished(CLASSIC, play_turn(CLASSIC, to_state(CLASSIC, position), actions))


@pytest.mark.parametrize(
    ("given", "do", "codes"),
    [
        (BARRED.format("KK"), "^3s", ["PILE_BARRED"]),
        (BARRED.format("?5"), "^3s", ["PILE_BARRED"]),
        (FROZEN.format("K2459"), "^K2", ["FROZEN_NEEDS_PAIR"]),
        (TAKEN.format("KK"), "^KKK", ["NO_WAY_TO_END_THE_TURN"]),  # the hand is empty, and there is no canasta
        (TAKEN.format("?2"), "^KKK", ["NO_WAY_TO_END_THE_TURN"]),
        (TAKEN.format("KK4"), "^KKK", ["NO_WAY_TO_END_THE_TURN"]),
        (TAKEN.format("KKQ"), "^KKK Q/", ["NO_CANASTA"]),
        ("N at play; hand.N KK459; pile 5; stock ?30", "KK", ["MELD_TOO_SHORT"]),
        ("N at play; hand.N KKK4459; pile 5; stock ?30", "KKK", ["BELOW_MINIMUM"]),
    ],
)
def test_what_nothing_could_mend_is_illegal_before_the_turn_has_ended(given: str, do: str, codes: list[str]) -> None:
    rest = half(given, do)
    assert rest is not None
    assert set(codes) <= set(rest.verdict.codes)
    # Written to its end the turn breaks the same rules.
    position, _ = parse_position(given, "given")
    actions, _ = parse_turn(f"{do} -9", "do")
    assert position is not None
    if "9" in given.split("hand.N")[1].split(";", maxsplit=1)[0]:
        whole = play_turn(CLASSIC, to_state(CLASSIC, position), actions)
        assert set(codes) <= set(whole.codes)


@pytest.mark.parametrize(
    ("given", "do", "lacking", "acts"),
    [
        (FROZEN.format("KK2459"), "^KK2", ["FROZEN_NEEDS_PAIR"], ("lay",)),
        (FROZEN.format("?11"), "^KK2", ["FROZEN_NEEDS_PAIR"], ("lay",)),
        (FROZEN.format("KK2459"), "^KKK", [], ("lay", "ask", "discard", "out")),
        ("N at start; hand.N KK459; pile 5; stock ?30", "+K", [], ("lay", "ask", "discard", "out")),
        ("N at play; hand.N KKKAAA459; pile 5; stock ?30", "KKK", ["BELOW_MINIMUM"], ("lay", "ask", "discard", "out")),
    ],
)
def test_what_may_still_become_legal_is_unfinished(
    given: str, do: str, lacking: list[str], acts: tuple[str, ...]
) -> None:
    rest = half(given, do)
    assert rest is not None
    assert rest.verdict == Verdict()
    assert [v.code for v in rest.lacking if v.certain] == lacking
    assert rest.acts == acts


@pytest.mark.parametrize(
    ("given", "do"),
    [
        (FROZEN.format("KK2459"), "^KKK -9"),
        (FROZEN.format("KK2459"), "^KK2 -9"),
        ("N at play; hand.N 4459; pile 6; stock ?30", "-Q"),
        ("N at play; hand.N QQQ; melds.NS QQQQ KKKKKKK; opened.NS; pile 6; stock ?30", "QQQ out"),
        ("N at play; hand.N 4459; melds.NS KKKKKKK; opened.NS; pile 6; stock ?30", "ask"),
    ],
)
def test_a_turn_that_ended_or_stopped_is_not_unfinished(given: str, do: str) -> None:
    assert half(given, do) is None


@pytest.mark.parametrize(
    ("given", "clauses"),
    [
        ("N at play; hand.N KK3h459; pile 5; stock ?30", ["red-threes.drawn"]),
        ("N at play; hand.N KK459; pile 5; stock ?30", []),
        ("N at play; hand.N ?7; pile 5; stock ?30", []),
        ("N at start; hand.N KK3h459; pile 5; stock ?30", []),
    ],
)
def test_a_duty_that_was_due_is_told(given: str, clauses: list[str]) -> None:
    position, _ = parse_position(given, "given")
    assert position is not None
    found = left_undone(CLASSIC, to_state(CLASSIC, position), position)
    assert [d.clause for d in found] == clauses
    assert all(d.id == "PL0047" and d.hint and d.span for d in found)


def test_a_take_that_was_let_stand_is_no_standstill() -> None:
    """After an irregular take the deal goes on: that its player has no legal way on comes from the play."""
    position, _ = parse_position(BARRED.format("KK9"), "given")
    actions, _ = parse_turn("^3s -9", "do")
    assert position is not None
    played = play_turn(CLASSIC, to_state(CLASSIC, position), actions)
    assert "PILE_BARRED" in played.codes
    assert "NOT_NOW" not in played.codes
    assert not played.state.over
