"""Every rule about going out, frozen piles and the minimum is asked by every way that leads to it."""

import pytest

from canasta_conformance.routes import CODES, NO_WAY, Frozen, Minimum, Out, routes, rows, turn_of, ways
from canasta_conformance.suite import read_suite


def test_no_way_is_without_a_case_in_which_nothing_else_is_wrong() -> None:
    assert {(row.ruleset, row.code): row.holes for row in rows(read_suite()) if row.holes} == {}


def test_every_rule_set_that_has_a_say_is_read() -> None:
    """A rule set whose cases all vanished would have no row, and so no hole."""
    read = {(row.ruleset, row.code) for row in rows(read_suite())}
    wanted = {(name, code) for code in CODES for name in read_suite().rules if ways(name, code)}
    assert wanted <= read
    assert len(wanted) > 15


def test_every_way_out_has_a_legal_case_as_well() -> None:
    legal = next(row.legal for row in rows(read_suite()) if (row.ruleset, row.code) == ("classic", "NO_CANASTA"))
    assert set(legal) == set(Out)


def test_where_there_is_no_way_there_is_no_case() -> None:
    for row in rows(read_suite()):
        for code, route in NO_WAY:
            assert row.code != code or not [r for r in row.wrong if r == route]


@pytest.mark.parametrize(
    ("case", "found"),
    [
        ("classic/going-out.canasta/last-card-discarded-without-a-canasta", {Out.DISCARD}),
        ("classic/going-out.canasta/c65-no-canasta", {Out.MELD_AND_DISCARD}),
        ("classic/going-out.canasta/whole-hand-melded-without-a-canasta", {Out.ALL_MELDED}),
        ("classic/going-out.canasta/whole-hand-added-without-a-canasta", {Out.ALL_ADDED}),
        ("classic/going-out.canasta/black-threes-without-a-canasta", {Out.MELD_AND_DISCARD, Out.BLACK_THREES}),
        ("classic/melds.black-threes.going-out/c25-not-going-out", set()),
        ("classic/opening.minimum/c30-forty-five-of-fifty", {Minimum.SEVERAL}),
        ("classic/opening.minimum/after-a-last-red-three", {Minimum.ONE, Minimum.LAST_RED_THREE}),
        ("classic/take.frozen.natural-pair/natural-and-wild", {Frozen.WILD_NATURAL}),
        ("classic/take.frozen.natural-pair/red-three-and-the-own-meld", {Frozen.RED_ONTO}),
    ],
)  # fmt: skip
def test_the_way_is_read_off_the_turn(case: str, found: set[object]) -> None:
    suite = read_suite()
    turn = turn_of(suite.cases[case], suite.rules["classic"].sides)
    assert turn is not None
    assert routes(turn) == found


def test_an_act_out_of_turn_is_asked_of_the_player_who_has_ended_and_of_one_who_has_not_begun() -> None:
    suite = read_suite()
    cases = [c for c in suite.cases.values() if c.data["steps"][0]["expect"].get("codes") == ["NOT_YOUR_TURN"]]
    assert {"classic", "classic/two", "gin"} <= {case.ruleset for case in cases}
    for case in cases:
        seats = {e.send["seat"] for form in case.forms for e in form.exchanges if e.send["op"] == "turn"}
        assert len(seats) == 2, case.id
