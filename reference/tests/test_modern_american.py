"""Modern American Canasta: what its records look like, what a special hand brings, and a look ahead that remembers."""

import pytest

from canasta.games import load_ruleset, open_game
from canasta.kernel.listing import Answer
from canasta.kernel.state import State
from canasta.notation.position_text import parse_position
from canasta.notation.reader import read_text
from canasta.playing.positions import to_state
from canasta.playing.replay import replay
from canasta.playing.report import MatchReport

RULES = "modern-american"
MANY = "N at play; hand.N KcKdQcQdJcJdTcTd9c9d8c8dJkAs; pile 5c; source from_stock; stock ?30"
"""Six pairs and a joker: many ways to lay a meld, and no clean triple among them."""


def told(text: str) -> MatchReport:
    (record,), misread = read_text(f'[Rules "{RULES}"]\nDeal 1 dealer W\n{text}\n', "it.cgn")
    assert misread == []
    return replay(record)


def findings(text: str) -> list[tuple[str, str]]:
    return [(d.id, d.clause) for d in told(text).findings if d.severity != "note"]


def position(text: str, *, by_face: bool) -> State:
    read, _ = parse_position(text, "test")
    assert read is not None
    return to_state(open_game(RULES, by_face=by_face), read)


# -- threes in a record --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "turn",
    [
        "N +6d 3h+6c -6c",
        "N 3h+6c +6d -6c",
        "N 3h+6c -6c",
        "N 3h+6c 3s+6d +8d -6c",
    ],
)
def test_a_three_is_laid_out_before_the_draw_or_after_it(turn: str) -> None:
    assert findings(f"{turn}\nE 9c") == []


def test_a_three_that_was_drawn_unseen_is_laid_after_the_draw() -> None:
    (deal,) = told("N 3h+6c -6c").deals
    assert [step.move.act for step in deal.turns[0].steps] == ["draw", "show", "discard"]


def test_a_three_of_the_hand_is_laid_before_a_draw_that_is_not_written() -> None:
    hand = "hand N 3h4c5c6c7c8c9cTcJcQcKcAc9d"
    (deal,) = told(f"{hand}\nN 3h+6d -6c").deals
    assert [step.move.act for step in deal.turns[0].steps] == ["show", "draw", "discard"]


def test_a_three_is_laid_before_the_pile_is_taken() -> None:
    (deal,) = told("N 9c\nE 3h+6c ^9s9d9h AcAdAh KcKdKhJk -6c").deals
    assert [step.move.act for step in deal.turns[1].steps][:2] == ["show", "take"]


def test_a_three_after_a_meld_comes_too_late() -> None:
    assert ("PL0020", "threes.show") in findings("N +6d AcAdAh KcKdKhJk 3h+6c -6c")


# -- special hands -------------------------------------------------------------------------------------------------------


def test_a_special_hand_ends_the_deal_and_is_all_that_counts() -> None:
    text = "hand N 4c4d5c5d6c6d8c8d9c9dTcTdJc\nN +Jd out\nend special N\n"
    (deal,) = told(text).deals
    assert [step.move.act for step in deal.turns[0].steps] == ["draw", "declare"]
    assert deal.end is not None
    assert deal.end.over
    assert findings(f"{text}NS: special_hand 2500\nEW: 0 -305") == []
    assert ("PL0033", "scoring.special-hands") in findings(f"{text}NS: special_hand 2000")
    assert findings("hand N 4c4d5c5d6c6d8c8d9c9dTcTdJc\nN +Jh out") == []
    assert findings("hand N 4c4d5c5d6c6d8c8d9c9dTcTdJc\nN +Qh out") == [("PL0020", "special.pattern")]


def test_a_profile_plays_its_own_hands_and_no_mixture() -> None:
    chosen = {name: load_ruleset(f"{RULES}:{name}") for name in ("league", "pagat")}
    worth = {name: rules.options["special_hands"].value for name, rules in chosen.items()}
    assert len(set(worth.values())) == len(chosen)
    apart = [o for o in chosen["league"].options if len({r.options[o].value for r in chosen.values()}) > 1]
    assert apart == ["opening_by_wilds", "splash", "empty_pile_discards", "special_hands", "unfinished_jokers"]
    plain = load_ruleset(RULES)
    assert {o.name: o.value for o in plain.options.values()} == {
        o.name: o.value for o in chosen["league"].options.values()
    }


def test_every_disputed_case_of_the_game_is_executed() -> None:
    ids = {e.id.split("-")[0] for clause in load_ruleset(RULES).clauses.values() for e in clause.examples}
    assert {"c129", "c130", "c131", "c132", "c134"} <= ids


# -- looking ahead -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_face", [False, True])
def test_what_led_nowhere_is_remembered_and_changes_no_answer(by_face: bool) -> None:  # noqa: FBT001 - a parameter of the test
    state = position(MANY, by_face=by_face)
    game = open_game(RULES, by_face=by_face)
    parts = [m for m in game.listing.candidates(state) if m.act == "lay"]
    together = [game.listing.settles(state, move) for move in parts]
    assert len(parts) >= 6
    alone = []
    for move in parts:
        game.listing._from = None
        alone.append(game.listing.settles(state, move))
    assert together == alone == [Answer.NO] * len(parts)


def test_cards_that_no_rule_tells_apart_are_tried_once() -> None:
    state = position("N at play; hand.N KcKdKhKs4c5d; melds.NS QQQ; opened.NS; pile 6c; stock ?30", by_face=True)
    listing = open_game(RULES, by_face=True).listing
    kings = [m for m in listing.candidates(state) if m.act == "lay"]
    assert len(kings) == 4
    assert len(listing._parts(state)) == 1


def test_alike_are_kinds_of_one_rank_but_threes_of_two_colours() -> None:
    deck = open_game(RULES, by_face=True).deck
    find = deck.find
    assert deck.alike[find("K", "c")] == deck.alike[find("K", "h")] != deck.alike[find("Q", "h")]
    assert deck.alike[find("3", "c")] == deck.alike[find("3", "s")] != deck.alike[find("3", "h")]
    assert deck.alike[deck.size] == deck.size
    gin = open_game("gin", by_face=True).deck
    assert list(gin.alike) == list(range(gin.size + 1))
