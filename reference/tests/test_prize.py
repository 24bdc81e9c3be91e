"""Cards that are drawn in the middle of a turn, by what happens by itself: as records write them, whole or in part."""

import pytest

from canasta.notation.reader import read_text
from canasta.playing.replay import replay

HEAD = '[Rules "bolivia/handbook"] [N "Ana"] [E "Ben"] [S "Cai"] [W "Dee"]\nDeal 1 dealer W\nup 6c\n'
PRIZE = "+KcKcKcKdKdKhKs9c8d8s4c"


@pytest.mark.parametrize(
    "turn",
    [
        f"QcQcQdQdQhQhQs {PRIZE} KcKcKcKdKdKhKs -4c",
        f"+7s8s QcQcQdQdQhQhQs {PRIZE} KcKcKcKdKdKhKs -4c",
        "QcQcQdQdQhQhQs +KcKcKc KcKcKc -4c",
        "QcQcQdQdQhQhQs + KcKcKc -4c",
        "QcQcQdQdQhQhQs KcKcKc -4c",
        f"QcQcQdQdQhQhQs {PRIZE.replace('4c', '3h')} 3h+4c KcKcKcKdKdKhKs -4c",
    ],
)
def test_a_prize_may_be_written_with_its_cards_with_some_or_not_at_all(turn: str) -> None:
    (record,), found = read_text(f"{HEAD}N {turn}\nE 7c =prize_given\n", "test.cgn")
    assert found == []
    assert replay(record).findings == ()


def test_a_second_draw_is_no_prize() -> None:
    (record,), _ = read_text(f"{HEAD}N +7s8s +9d9s -4c\n", "test.cgn")
    assert [d.id for d in replay(record).findings] == ["PL0013"]


def test_a_meld_before_any_draw_is_out_of_order_where_nothing_is_drawn_by_itself() -> None:
    head = HEAD.replace("bolivia/handbook", "classic")
    (record,), _ = read_text(f"{head}N KKK +Qd -7c\n", "test.cgn")
    assert "turn.acts" in {d.clause for d in replay(record).findings}
