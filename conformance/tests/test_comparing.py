"""The comparator is part of the suite: pairs that must be equal, and pairs that must not."""

from dataclasses import replace
from typing import Any

import pytest

from canasta_conformance.comparing import (
    canonical,
    of_observation,
    same_bag,
    same_card,
    same_figure,
    same_value,
    same_zone,
)
from canasta_conformance.promises import left_alone
from canasta_conformance.suite import read_suite

Data = dict[str, Any]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kd", "Kd"),
        ("K", "Kd"),
        ("Kd", "K"),
        ("?", "Jk"),
        ("3h", "?"),
        ("3r", "3d"),
        ("3c", "3b"),
        ("Jk", "Jk"),
        ("3r", "3"),
    ],
)
def test_cards_that_can_be_the_same(one: str, other: str) -> None:
    assert same_card(one, other)
    assert same_card(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Kd", "Kh"), ("K", "Q"), ("3r", "3s"), ("3r", "3b"), ("J", "Jk"), ("Jk", "Js"), ("3b", "3h")]
)
def test_cards_that_cannot(one: str, other: str) -> None:
    assert not same_card(one, other)
    assert not same_card(other, one)


def test_a_bag_is_matched_card_by_card_and_not_greedily() -> None:
    assert same_bag(["?", "K"], ["Kd", "4c"])
    assert same_bag(["3", "3r", "3h"], ["3h", "3d", "3s"])
    assert not same_bag(["K", "K"], ["Kd", "4c"])
    assert not same_bag(["K"], ["Kd", "Kh"])
    assert not same_bag(["3r", "3h", "3d"], ["3h", "3d", "3s"])


def test_stock_and_pile_have_an_order_and_hands_have_none() -> None:
    assert same_zone("hand.N", ["4", "5"], ["5c", "4d"])
    assert not same_zone("pile", ["4", "5"], ["5c", "4d"])
    assert not same_zone("stock", ["?", "?"], ["?"])


def test_melds_are_a_bag_of_bags() -> None:
    assert same_zone("melds.NS", [["Q", "Q", "2"], ["K", "K", "K"]], [["Kc", "Kd", "Kh"], ["2c", "Qd", "Qh"]])
    assert not same_zone("melds.NS", [["Q", "Q", "Q"]], [["Kc", "Kd", "Kh"]])
    assert not same_zone("melds.NS", [["Q", "Q", "Q"]], ["Qc", "Qd", "Qh"])
    assert not same_zone("melds.NS", [], [["Qc", "Qd", "Qh"]])
    assert same_zone("melds.NS", [], [])


def test_truth_is_no_number() -> None:
    assert same_value("opened.NS", True, True)  # noqa: FBT003 - the value that is compared
    assert not same_value("opened.NS", True, 1)  # noqa: FBT003 - the value that is compared
    assert not same_value("total.NS", 0, False)  # noqa: FBT003 - the value that is compared
    assert not same_value("opened.NS", True, 1.0)  # noqa: FBT003 - the value that is compared
    assert not same_value("source", "1", 1)
    assert same_value("held", ["K", "4"], ["4c", "Kd"])


def test_a_whole_number_is_the_same_with_a_point() -> None:
    assert same_value("total.NS", 85, 85.0)
    assert not same_value("total.NS", 85, 85.5)
    assert same_figure(0, -0.0)
    assert not same_figure(0, None)


def test_in_which_order_sides_and_their_seats_are_named_has_no_meaning() -> None:
    assert same_value("sides", ["N", "ES"], ["SE", "N"])
    assert not same_value("sides", ["N", "ES"], ["E", "NS"])
    assert not same_value("sides", ["N", "ES"], ["N", "E", "S"])


def places(expect: dict[str, Any], observation: dict[str, Any]) -> tuple[list[str], list[str]]:
    differences, unshown = of_observation(expect, observation)
    return [d.place for d in differences], unshown


def test_what_is_not_shown_is_no_difference() -> None:
    expect = {"seat": "E", "phase": "start", "zones": {"hand.N": ["4"], "pile": ["9"]}, "values": {"opened.NS": True}}
    assert places(expect, {"zones": {"hand.N": ["4c"]}}) == ([], ["to act", "pile", "opened.NS"])


def test_a_card_that_is_answered_as_unknown_is_not_shown() -> None:
    expect = {"zones": {"hand.N": ["4", "K"], "pile": ["9"], "melds.NS": [["Q", "Q", "2"]]}, "values": {"held": ["K"]}}
    shown = {"hand.N": ["?", "4c"], "pile": ["?"], "melds.NS": [["?", "Qc", "2c"]]}
    assert places(expect, {"zones": shown, "values": {"held": ["?"]}}) == ([], ["hand.N", "pile", "melds.NS", "held"])
    assert places({"zones": {"hand.N": ["4", "?"]}}, {"zones": {"hand.N": ["?", "4c"]}}) == ([], [])
    assert places({"zones": {"hand.N": ["4", "K"]}}, {"zones": {"hand.N": ["?", "5c"]}}) == (["hand.N"], [])
    assert places({"zones": {"hand.N": ["4", "K"]}}, {"zones": {"hand.N": ["?"]}}) == (["hand.N"], [])


def test_what_nobody_or_another_seat_sees_may_be_answered_as_unknown() -> None:
    expect = {
        "zones": {"stock": ["4", "K"], "hand.E": ["4"], "hand.N": ["5"], "pile": ["6", "7"]},
        "hidden": {"pile": 1},
    }
    shown = {"zones": {"stock": ["?", "?"], "hand.E": ["?"], "hand.N": ["?"], "pile": ["?", "7c"]}}
    assert of_observation(expect, shown, "N") == ([], ["hand.N"])
    assert of_observation(expect, shown) == ([], ["hand.E", "hand.N"])


def test_what_is_named_is_compared_and_nothing_else() -> None:
    expect = {"seat": "E", "phase": "start", "zones": {"hand.N": ["4"]}, "values": {"total.NS": 5}}
    shown = {"seat": "N", "phase": "start", "zones": {"hand.N": ["5c"], "pile": ["9c"]}, "values": {"total.NS": 10}}
    assert places(expect, shown) == (["to act", "hand.N", "total.NS"], [])
    assert places({"zones": {"pile": ["9"]}}, shown) == ([], [])


def test_a_deal_that_is_over_has_nobody_to_act() -> None:
    expect = {"seat": "E", "phase": "start"}
    assert places(expect, {"seat": "E", "phase": "start", "zones": {}, "values": {"reason": "out"}})[0] == ["to act"]
    assert places({"values": {"reason": "out"}}, {"seat": "E", "phase": "start", "zones": {}})[0] == ["reason"]


def test_of_a_deal_that_should_be_over_it_is_said_what_is_missing() -> None:
    (missing,), _ = of_observation({"values": {"reason": "out"}}, {"seat": "E", "phase": "start", "zones": {}})
    assert missing.found == "no values.reason, by which an observation says that the deal is over"


def test_what_lies_alike_has_one_form() -> None:
    one = {"zones": {"hand.N": ["4c", "5d"], "melds.NS": [["Kc", "Kd", "Kh"], ["Qc", "Qd", "Qh"]]}}
    other = {"zones": {"melds.NS": [["Qh", "Qd", "Qc"], ["Kh", "Kc", "Kd"]], "hand.N": ["5d", "4c"]}}
    assert canonical(one) == canonical(other)
    assert canonical({"zones": {"pile": ["4c", "5d"]}}) != canonical({"zones": {"pile": ["5d", "4c"]}})


SEATS = {"hand.N": ["4c"], "hand.E": ["5c"], "hand.S": ["6c"], "hand.W": ["7c"]}
LYING = {**SEATS, "melds.NS": [["Kc", "Kd", "Kh"]], "melds.EW": [], "pile": ["9c"], "stock": ["Tc", "Jc", "Qc"]}


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        ({"hand.N": ["4c", "Qc"], "stock": ["Tc", "Jc"]}, []),
        ({"melds.NS": [["Kc", "Kd", "Kh", "4c"]], "hand.N": [], "pile": []}, []),
        ({"hand.S": ["8c"]}, ["hand.S"]),
        ({"hand.S": ["?"]}, []),
        ({"hand.S": ["7c"], "hand.W": ["6c"]}, ["hand.S", "hand.W"]),
        ({"melds.EW": [["Ac", "Ad", "Ah"]]}, ["melds.EW"]),
        # The next player's turn began with something, which may be laid before his side.
        ({"hand.E": ["Qc"], "melds.EW": [["5c"]], "stock": ["Tc", "Jc"]}, []),
        ({"stock": ["Jc", "Tc"]}, ["stock"]),
        ({"stock": ["Jc", "Qc"], "hand.N": ["4c", "Tc"]}, []),
        ({"stock": ["Tc", "Qc"], "hand.N": ["4c", "Jc"]}, ["stock"]),
    ],
)
def test_a_turn_leaves_alone_what_is_of_others(after: Data, changed: list[str]) -> None:
    rules = read_suite().rules["classic"]
    before = {"seat": "N", "phase": "play", "zones": LYING}
    assert left_alone(before, {"seat": "E", "phase": "start", "zones": LYING | after}, "N", rules) == changed
    alone = {"values": {"sides": ["N", "E", "S", "W"]}}
    found = {"seat": "E", "zones": LYING | after, "values": {"sides": ["N", "ES", "W"]}}
    assert not any(name.startswith("melds") for name in left_alone(before | alone, found, "N", rules))
    # By rules of the house nobody knows whose a place is.
    assert left_alone(before, {"seat": "E", "zones": LYING | after}, "N", replace(rules, zones={})) == []
