"""Sides that come about in a deal, seats that sit it out, and names of sides that there are not."""

import pytest

from canasta.games import open_game
from canasta.notation.reader import read_text
from canasta.notation.record import Claim
from canasta.notation.writer import write
from canasta.playing.recording import PlayedDeal, record_match
from canasta.playing.replay import replay
from canasta.random_play import play_match

THREE = '[Rules "classic/three"]\nDeal 1 dealer S\n'
FIVE = '[Rules "classic/five"]\n[Seats "A B C D E"]\n'


def found(text: str) -> list[tuple[str, int]]:
    (record,), misread = read_text(text, "it.cgn")
    assert misread == []
    return [(d.id, d.span.line if d.span else 0) for d in replay(record).findings]


# ---- what lay on the table of three ----

LONE_NORTH = """melds N KKKKKKK
melds ES QQQQQQQ JJJJJJJ
reds S 1
left N 4
left S 7
end out E
N: 500 65
E: 1100 135
S: 1200 135
"""
NOBODY_TOOK = """melds N KKKKKKK
melds E QQQQQQQ
melds S JJJ
left N 4
left E 4
left S 7
end stock_out E
N: 500 65
E: 500 65
S: 0 25
"""
EAST_OUT_BEFORE_ANY_TAKE = """melds N KKKKKKK
melds E QQQQQQQ AAAAAAA
melds S JJJ
left N 4
left S 7
end out E
N: 500 90
E: 1100 210
S: 500 90
"""


@pytest.mark.parametrize("deal", [LONE_NORTH, NOBODY_TOOK, EAST_OUT_BEFORE_ANY_TAKE])
def test_the_melds_of_three_are_scored_with_the_partners_that_the_lines_name(deal: str) -> None:
    assert found(THREE + deal) == []


def test_the_partners_that_are_named_decide_the_score() -> None:
    assert found(THREE + LONE_NORTH.replace("melds ES", "melds E")) != []


def test_a_red_three_is_that_of_its_owner_although_he_has_a_partner() -> None:
    swapped = LONE_NORTH.replace("reds S 1", "reds E 1")
    assert found(THREE + swapped) == [("PL0033", 10), ("PL0033", 11)]


def test_melds_of_partners_may_be_written_seat_by_seat() -> None:
    text = f"{THREE}up 6c\nN KKKKK -6\nE ^666 AAAA -5\nS QQQ -9\nmelds N KKKKK\nmelds E 666 AAAA{{more}}\nmelds S QQQ\n"
    assert found(text.format(more="")) == []
    assert found(text.format(more=" JJJ")) == [("PL0032", 8)]
    assert found(text.format(more="").replace("melds S QQQ", "melds S")) == [("PL0032", 9)]


# ---- names that stand for nobody ----


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("melds NE KKK", "classic"), ("reds EN 1", "classic"), ("NE: 300 50", "classic"), ("melds NS KKK", "classic/three"),
        ("ES: 300 50", "classic/three"),
    ],
)  # fmt: skip
def test_a_side_that_there_is_not_is_named(line: str, rules: str) -> None:
    assert ("PL0048", 6) in found(f'[Rules "{rules}"]\nDeal 1\nup 7c\nN KKKKK -6\nE 8\n{line}\n')


def test_a_result_of_nobody_is_named() -> None:
    assert ("PL0048", 5) in found("Deal 1 dealer W\nNS: 5000 0\nEW: 0 0\n\nresult NE 5000 EW 0\n")


# ---- who sits out ----


def test_a_turn_of_a_seat_that_sits_out_is_passed_over() -> None:
    text = f"{FIVE}Deal 1 dealer A\nup 6c\nB 7c\nC 8c\nD 9c\nE 5c\nA 4c\n"
    assert found(text) == [("PL0049", 8)]


@pytest.mark.parametrize(
    ("claim", "id_"),
    [
        ("playing.E:no", ""), ("playing.C", ""), ("playing", ""), ("sides.BD", ""), ("sides.DB", ""), ("sides.EAC", ""),
        ("sides.AB:no", ""), ("playing.E", "PL0029"), ("playing:no", "PL0029"), ("sides.AC", "PL0029"),
        ("sides.BD:no", "PL0029"), ("sides", "PL0028"), ("playing.BD", "PL0028"),
        ("playing.E:3", "PL0028"),
    ],
)  # fmt: skip
def test_a_claim_about_seats_is_checked(claim: str, id_: str) -> None:
    text = f"{FIVE}Deal 1 dealer A\nup 6c\nB 7c ={claim}\n"
    assert found(text) == ([(id_, 5)] if id_ else [])


# ---- what a record of play says of it ----


def claims_of(rules: str, seed: int) -> list[list[Claim]]:
    game = open_game(rules, by_face=True)
    deals = [PlayedDeal(*deal[:4]) for deal in play_match(game, seed, most_deals=3)]
    record = record_match(game, deals)
    assert read_text(write(record), "it.cgn") == ([record], [])
    assert replay(record, rules).findings == ()
    return [[claim for turn in deal.turns for claim in turn.claims] for deal in record.deals]


def test_the_moment_in_which_two_become_partners_is_written() -> None:
    for deal in claims_of("classic/three", 1):
        (claim,) = deal
        assert (claim.place, claim.owner in ("NE", "NS", "ES"), claim.value) == ("sides", True, "yes")
    assert claims_of("classic/three,lone_hand=no", 1) == [[], [], []]


def test_who_sits_out_is_written_in_the_first_turn() -> None:
    assert [[(c.place, c.owner, c.value) for c in deal] for deal in claims_of("classic/five", 1)] == [
        [("playing", "E", "no")],
        [("playing", "A", "no")],
        [("playing", "C", "no")],
    ]
    assert claims_of("classic", 1) == [[], [], []]
