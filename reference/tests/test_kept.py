"""Red threes that a table kept, laid later or replaced against a rule: named once, and played on as it lay."""

import pytest

from canasta.games import open_game
from canasta.notation.cards import Card, write_cards
from canasta.notation.reader import read_text
from canasta.playing.replay import replay
from canasta.playing.report import MatchReport

PACK = [Card(r, s) for r in "23456789TJQKA" for s in "cdhs" for _ in range(2)] + [Card("Jk")] * 4
NORTH, SOUTH = "3h4c4d5c5d6c7c8c9cTcJcQcKcAc2c", "6d6h7d7h8d8h9d9hTdThJdJhQdQhKd"
TAKES = "3h4c5c8c8sAcAsJk7c9cTcJcQcKc2c"
"""A hand that takes the pile with an eight on top, and opens."""


def cards(text: str) -> list[Card]:
    text = text.replace(" ", "")
    found = []
    while text:
        found.append(Card("Jk") if text.startswith("Jk") else Card(text[0], text[1]))
        text = text[2:]
    return found


def deal(turns: str, first: str, *, north: str = NORTH, upcards: int = 1, rules: str = "classic/two") -> MatchReport:
    """Replay a deal of two whose stock begins with the cards of ``first``, some turned up, and ends with the rest of the pack."""
    rest = list(PACK)
    for card in cards(north + SOUTH + first):
        rest.remove(card)
    text = (
        f'[Rules "{rules}"]\n[Seats "N S"]\nDeal 1 dealer N\nhand N {north}\nhand S {SOUTH}\n'
        f"stock {write_cards(cards(first) + rest)}\nup {write_cards(cards(first)[:upcards])}\n{turns}\n"
    )
    (record,), misread = read_text(text, "it.cgn")
    assert misread == []
    return replay(record)


def told(report: MatchReport) -> list[tuple[str, str, int]]:
    return [(d.id, d.clause, d.span.line if d.span else 0) for d in report.findings]


def hand(report: MatchReport, seat: int, after: int) -> str:
    game = open_game("classic/two", by_face=True)
    held = report.deals[0].turns[after - 1].after.zone(game.machine.hand)[seat]
    return "".join(sorted(game.deck.name(k) for k, n in enumerate(held) for _ in range(n)))


KEPT = ("PL0025", "red-threes.dealt", 4)


def test_a_red_three_that_was_kept_is_named_once_and_stays_in_the_hand() -> None:
    report = deal(
        "S +KhKs Kh =stock:75\nN +AdAh Ah =hand.N:16 =stock:73\nS +As2d As\nN +5h5s 5h", "6s KhKs AdAh As2d 5h5s"
    )
    assert told(report) == [KEPT]
    assert "3h" in hand(report, 0, 4)


def test_cards_that_were_laid_out_and_replaced_without_a_word_are_no_departure() -> None:
    report = deal("S +KsAd Ks =stock:74\nN +Ah2d 2d =hand.N:16", "6s Kh KsAd Ah2d")
    assert told(report) == []
    assert "3h" not in hand(report, 0, 2)
    assert "Kh" in hand(report, 0, 2)


def test_what_was_kept_may_be_laid_out_later() -> None:
    report = deal(
        "S +KhKs Kh\nN +AdAh 3h+As Ah =stock:72 =hand.N:16\nS +2d5h 2d\nN +5s6h 5s", "6s KhKs AdAh As 2d5h 5s6h"
    )
    assert told(report) == [KEPT]
    assert "3h" not in hand(report, 0, 2)
    assert "As" in hand(report, 0, 2)


def test_another_red_three_is_laid_out_beside_the_one_that_is_kept() -> None:
    turns = "S +KhKs Kh\nN +3dAh 3d+As Ah =stock:72 =hand.N:16\nS +2d5h 2d\nN +5s6h 5s =stock:68"
    report = deal(turns, "6s KhKs 3dAh As 2d5h 5s6h")
    assert told(report) == [KEPT]
    assert "3h" in hand(report, 0, 4)


def test_a_kept_red_three_is_laid_out_with_the_pile() -> None:
    report = deal("S +KhKs 8h\nN ^8h8c8s AcAsJk 3h+9s -Tc =stock:74", "6s KhKs 9s", north=TAKES)
    assert told(report) == [KEPT]
    assert "3h" not in hand(report, 0, 2)
    assert "9s" in hand(report, 0, 2)


def test_a_card_for_a_red_three_of_the_pile_is_a_departure() -> None:
    turns = "S +KhKs 8h\nN ^8h8c8s AcAsJk 3d+9s -Tc =stock:73 =hand.N:11"
    report = deal(turns, "3d6s KhKs 9s", north=TAKES.replace("3h", "4d"), upcards=2)
    assert told(report) == [("PL0013", "red-threes.in-pile", 9)]
    assert "9s" in hand(report, 0, 2)


@pytest.mark.parametrize("shown", ["3d", "3d+?", ""])
def test_without_a_card_for_it_a_red_three_of_the_pile_is_none(shown: str) -> None:
    turns = f"S +KhKs 8h\nN ^8h8c8s AcAsJk {shown} -Tc"
    report = deal(turns, "3d6s KhKs 9s", north=TAKES.replace("3h", "4d"), upcards=2)
    assert [i for i, _, _ in told(report)] == (["PL0013"] if "+" in shown else [])


@pytest.mark.parametrize("drawn", ["+3dKs 3d+Ad", "+3d 3d+Ks +Ad", "+3d3d 3d+Ks 3d+Ad"])
def test_draws_may_be_written_card_by_card(drawn: str) -> None:
    order = "6s 3d3dKsAd Ah2d" if drawn.startswith("+3d3d") else "6s 3dKsAd Ah2d"
    report = deal(f"S {drawn} Ks =hand.S:16\nN +Ah2d 2d", order, north=NORTH.replace("3h", "9s"))
    assert told(report) == []


def test_where_they_are_laid_in_the_first_turn_nothing_is_kept_before_it() -> None:
    later = "classic/two,dealt_red_threes=on_first_turn"
    report = deal("S +KhKs Kh\nN 3h+As +AdAh Ah =hand.N:16 =stock:72", "6s KhKs AsAdAh", rules=later)
    assert told(report) == []
    assert told(deal("S +KhKs Kh\nN +AdAh Ah =hand.N:16", "6s KhKs As AdAh", rules=later)) == []
