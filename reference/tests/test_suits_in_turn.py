"""Cards without a suit in a game that looks at suits: each takes the next suit of its rank, and what is expected any."""

import pytest

from canasta.games import open_game
from canasta.notation.position_text import parse_position, write_position
from canasta.playing.comparing import differences
from canasta.playing.describing import of_state
from canasta.playing.positions import PositionError, to_state


def written(text: str, name: str = "samba") -> str:
    position, findings = parse_position(text, "test")
    assert position is not None, findings
    game = open_game(name)
    return write_position(of_state(game, to_state(game, position)))


def test_the_suits_of_a_rank_are_taken_in_turn() -> None:
    assert "hand.N KcKdKhKs" in written("N at play; hand.N KKKK; stock ?30")
    assert "melds.NS QcQcQdQdQhQs;" in written("N at play; hand.N 4; melds.NS QQQQQQ; opened.NS; stock ?30")


def test_cards_named_outright_are_left_for_those_that_name_them() -> None:
    found = written("N at play; hand.N KKKK; hand.E KcKcKcKdKdKd; stock ?30")
    assert "hand.N KhKhKsKs" in found


def test_too_many_cards_of_a_rank_are_told() -> None:
    with pytest.raises(PositionError) as caught:
        written("N at play; hand.N KKKKKKKKKKKKK; stock ?30")
    assert {d.id for d in caught.value.diagnostics} == {"PL0005"}


def test_a_card_that_may_be_of_two_classes_needs_its_colour() -> None:
    for card in ("3", "33b"):
        with pytest.raises(PositionError) as caught:
            written(f"N at play; hand.N {card}; stock ?30")
        assert {d.id for d in caught.value.diagnostics} == {"PL0004"}
    assert "hand.N 3c3s" in written("N at play; hand.N 3b3b; stock ?30")


@pytest.mark.parametrize(
    ("expected", "same"),
    [
        ("hand.N KK4", True),
        ("hand.N KhKd4", True),
        ("hand.N KhK4", True),
        ("hand.N KhKh4", False),
        ("hand.N K4?", True),
        ("hand.N KKK", False),
        ("pile 7 8", True),
        ("pile 7h 8", False),
        ("melds.NS QQQ 555", True),
        ("melds.NS 555 QQQ", True),
        ("melds.NS QcQcQc 555", False),
    ],
)
def test_an_expected_card_without_a_suit_stands_for_any(expected: str, same: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game = open_game("samba")
    position, _ = parse_position(
        "N at play; hand.N KdKh4s; pile 7d8c; melds.NS QcQdQh 555; opened.NS; stock ?30", "test"
    )
    wanted, _ = parse_position(expected, "test")
    assert position is not None
    assert wanted is not None
    assert (differences(game, to_state(game, position), wanted) == ()) is same
