"""A turn in a position on the command line: judged, explained, drawn."""

from collections.abc import Callable
from typing import Any

import pytest

from canasta.games import load_ruleset, open_game
from canasta.random_play import play_match
from canasta_tools.positions import looks_like_a_position
from canasta_tools.show import WIDTH, Drawing

Call = Callable[..., Any]
FROZEN = "N at start; hand.N KK2459; melds.NS QQQ; opened.NS; pile 2 5 K; stock ?30"
UNOPENED = "N at start; hand.N KK459; pile 4 5 K; stock ?30"


@pytest.mark.parametrize(
    ("position", "turn", "code", "codes"),
    [
        (FROZEN, "^KKK -9", 0, []),
        (FROZEN, "^KK2 -9", 1, ["FROZEN_NEEDS_PAIR"]),
        (UNOPENED, "^KKK -9", 1, ["BELOW_MINIMUM"]),
        ("N at play; hand.N 4459; pile 6; stock ?30", "-Q", 1, ["CARD_NOT_HELD"]),
        ("N at play; hand.N 4459; pile 6; stock ?30", "-9", 0, []),
        ("N at play; hand.N 4459; pile 6; stock ?30", "9", 0, []),
    ],
)
def test_the_verdict_has_an_exit_code_and_codes(
    call: Call, position: str, turn: str, code: int, codes: list[str]
) -> None:
    answer = call("judge", "--json", position, turn)
    assert answer.code == code
    assert [v["code"] for v in answer.json["violations"]] == codes
    assert all(v["text"] and v["title"] and v["clause"] for v in answer.json["violations"])
    told = call("judge", position, turn)
    assert told.code == code
    assert told.out.startswith("illegal" if code else "legal")
    assert all(name in told.out for name in codes)


@pytest.mark.parametrize(
    ("hand", "turn", "lacking"),
    [("4459", "-Q", "Q"), ("KK245", "KKKA -9", "K A"), ("KK245?", "KKKA -9", "K A"), ("KK245", "KK2 -9", "9")],
)
def test_the_cards_that_are_not_held_are_named(call: Call, hand: str, turn: str, lacking: str) -> None:
    position = f"N at play; hand.N {hand}; melds.NS QQQ; opened.NS; pile 6; stock ?30"
    answer = call("judge", "--json", position, turn)
    assert [v["values"] for v in answer.json["violations"]] == [{"not held": lacking}]
    assert f"not held: {lacking}" in call("judge", position, turn).out


def test_what_cannot_be_known_is_no_finding(call: Call) -> None:
    answer = call("judge", "--json", "N at play; hand.N ?5; pile 6; stock ?30", "K")
    assert answer.code == 0
    assert answer.json["ruling"] in ("legal", "cannot be known")


def test_a_turn_without_its_end_is_unfinished_or_illegal_for_good(call: Call) -> None:
    started = call("judge", FROZEN, "^KK2")
    assert started.code == 0
    assert started.out.startswith("unfinished")
    assert "FROZEN_NEEDS_PAIR" in started.out
    assert "next may come: the cards alone (" in " ".join(started.out.split())
    told = call("judge", "--json", FROZEN, "^KK2").json
    assert (told["ruling"], told["violations"]) == ("unfinished", [])
    assert [v["code"] for v in told["unfinished"]["lacking"]] == ["FROZEN_NEEDS_PAIR"]
    barred = "N at start; hand.N KK; melds.NS QQQQQQQ; opened.NS; pile 3s; stock ?30"
    answer = call("judge", barred, "^3s")
    assert answer.code == 1
    assert answer.out.startswith("illegal")
    assert answer.out.index("PILE_BARRED") < answer.out.index("TOO_FEW_BLACK_THREES")
    explained = call("why", barred, "^3s")
    assert explained.code == 1
    assert "N pick (still due)" in explained.out


def test_a_position_that_the_rules_would_not_have_left_so_is_told(call: Call) -> None:
    answer = call("judge", "N at play; hand.N KK3h459; opened.NS; pile 5; stock ?30", "-9")
    assert answer.code == 0
    assert "PL0047" in answer.err
    assert "red-threes.drawn" in answer.err


def test_another_rule_set_may_judge_otherwise(call: Call) -> None:
    position = FROZEN.replace("pile 2", "pile 3b")
    assert call("judge", position, "^KK2 -9").code == 0
    assert call("judge", "--rules", "classic,black_three_freezes=yes", position, "^KK2 -9").code == 1


@pytest.mark.parametrize(
    ("position", "turn", "id_"),
    [
        ("N at nowhere; hand.N K", "-K", "PL0007"),
        ("N at play; hnad.N K", "-K", "PL0001"),
        ("N at play hand", "-K", "CN1"),
        ("N at play; hand.N K", "-KK", "CN0"),
    ],
)
def test_a_wrong_position_or_turn_is_told(call: Call, position: str, turn: str, id_: str) -> None:
    answer = call("judge", position, turn)
    assert answer.code == 2
    assert id_ in answer.err


def test_why_shows_what_decided(call: Call) -> None:
    answer = call("why", UNOPENED, "^KKK -9")
    assert answer.code == 1
    lines = [line.strip() for line in answer.out.splitlines()]
    assert "✗ BELOW_MINIMUM The initial meld reaches the minimum [opening.minimum]" in lines
    assert "points_of(laid) → 30" in lines
    assert any(line.startswith("minimum_needed → 50") for line in lines)
    assert lines[-1] == "illegal"


def test_why_tells_the_same_as_judge(call: Call) -> None:
    for position, turn in ((FROZEN, "^KK2 -9"), (UNOPENED, "^KKK -9"), (FROZEN, "^KKK -9")):
        steps = call("why", "--json", position, turn).json["steps"]
        found = [v["code"] for step in steps for v in step["violations"]]
        failed = [a["code"] for step in steps for a in step["asked"] if a["applies"] and not a["holds"]]
        judged = [v["code"] for v in call("judge", "--json", position, turn).json["violations"]]
        assert found == judged
        assert [code for code in dict.fromkeys(failed) if code in judged] == list(dict.fromkeys(failed))


def test_why_shows_the_commit_that_happens_by_itself(call: Call) -> None:
    out = call("why", FROZEN, "^KKK -9").out
    assert "N pick (by itself)" in out
    assert "Only a natural pair takes a frozen pile" in out


def test_why_leaves_nothing_out_if_asked(call: Call) -> None:
    little, everything = (call("why", *more, FROZEN, "^KKK -9").out for more in ([], ["--all"]))
    assert set(little.splitlines()) - set(everything.splitlines()) == set()
    assert len(everything) > 2 * len(little)


# -- show ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (FROZEN, True),
        ("n at play", True),
        ("hand.N K; stock ?30", True),
        ("sunday.cgn", False),
        ("a folder/x at home.cgn", False),
        ("C:\\x.cgn", False),
    ],
)
def test_a_position_is_told_from_the_name_of_a_file(text: str, is_one: bool) -> None:  # noqa: FBT001 - the answer
    assert looks_like_a_position(text) is is_one


def test_every_card_that_is_seen_is_drawn_and_no_other() -> None:
    game = open_game("classic", by_face=True)
    _, _, state, moves, _ = next(play_match(game, 11))
    for move in moves[: len(moves) // 2]:
        state = game.turn.perform(state, move)
    whole = Drawing(game, ascii=True).draw(state)
    assert all(len(line) <= WIDTH for line in whole.splitlines())
    assert whole.isascii()
    for seat in range(4):
        seen = Drawing(game, viewer=seat, ascii=True).draw(state)
        for other in range(4):
            hand = Drawing(game, viewer=other, ascii=True)._cards(
                [k for k, n in enumerate(state.zone(game.machine.hand)[other]) for _ in range(n)]
            )
            first = " ".join(hand.split()[:4])
            if len(hand.split()) >= 4:
                assert (first in seen) is (seat == other), (seat, other)
                assert first in whole
    for group in [g for groups in state.zone(load_ruleset("classic").zones["melds"].index) for g in groups]:
        assert Drawing(game, ascii=True)._group(group).replace("\N{NO-BREAK SPACE}", " ") in whole


def test_red_is_not_told_by_colour_alone() -> None:
    game = open_game("classic", by_face=True)
    _, _, state, _, _ = next(play_match(game, 1))
    plain, coloured = Drawing(game).draw(state), Drawing(game, colour=True).draw(state)
    assert "♦" in plain
    assert coloured.replace("\x1b[31m", "").replace("\x1b[0m", "") == plain


def test_a_seat_that_is_not_there_is_told(call: Call) -> None:
    answer = call("show", "--seat", "Q", FROZEN)
    assert answer.code == 2
    assert "seats are N E S W" in answer.err


def test_what_comes_now_is_told_as_it_is_written(call: Call) -> None:
    """The acts of a rule set have names that stand in no record: a person needs to know what to type."""
    offered = "S at offer; dealer N; hand.S 4h6hTc; hand.N 5h7h9h; pile Kc; stock ?30"
    told = " ".join(call("judge", "--rules", "gin", offered, "-Tc").out.split())
    assert "Now S may write: ^ (take the card that was turned up in the deal); pass (refuse the card" in told
    knocked = "S at play; dealer N; upcard settled; hand.S 4h4s4cAc9c; hand.N 5h7h9h; pile Kc; stock ?30"
    late = " ".join(call("judge", "--rules", "gin", knocked, "knock -9c 4h4s4c").out.split())
    assert "`knock, - and the card` ends the turn: write before it what was laid; now it is N's turn." in late


@pytest.mark.parametrize("command", ["judge", "why"])
@pytest.mark.parametrize("suit", "cdhs")
def test_a_discard_alone_is_a_turn_in_every_suit_and_rank(call: Call, command: str, suit: str) -> None:
    for rank in "456789TJQKA":
        position = f"N at play; hand.N {rank}{suit}4s8d; pile 6s; stock ?30"
        answer = call(command, position, f"-{rank}{suit}")
        assert (answer.code, answer.out.splitlines()[-1]) == (0, "legal")
        lacking = call(command, "N at play; hand.N 2d2d; pile 6s; stock ?30", f"-{rank}{suit}")
        assert (lacking.code, "CARD_NOT_HELD" in lacking.out) == (1, True)


@pytest.mark.parametrize("command", ["judge", "why"])
@pytest.mark.parametrize("turn", ["-h", "-Kh", "-3h", "-2s", "-Jk", "-hh"])
def test_a_word_that_begins_with_a_hyphen_never_shows_the_help(call: Call, command: str, turn: str) -> None:
    answer = call(command, "N at play; hand.N 4459; pile 6; stock ?30", turn)
    assert answer.code != 0
    assert "Usage" not in answer.out
    assert "Usage" in call(command, turn, "--help").out
    assert call(command, "--rules", "samba", "N at play; hand.N 4459; pile 6; stock ?30", turn).code != 0


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        ("hand.N 882224569; melds.NS 888222", "^82/8 -9"),
        ("hand.N 882222679", "^882222 -9"),
        ("hand.N 77222444222289", "444222 777222 -9"),
    ],
)
def test_a_rule_that_is_broken_in_a_part_and_in_the_whole_is_told_once_with_its_values(
    call: Call, given: str, turn: str
) -> None:
    position = f"N at start; {given}; pile 5 8; stock ?30; opened.NS"
    found = call("judge", position, turn, "--format", "json").json["violations"]
    named = [(v["clause"], v["code"], v["act"]) for v in found]
    assert sorted(set(named)) == sorted(named)
    assert all(v["values"] for v in found if v["code"] == "TOO_MANY_WILDS")
    if turn.startswith("^"):
        assert ("melds.wilds", "TOO_MANY_WILDS", "take") in named


def test_a_case_of_the_suite_is_explained_by_its_id(call: Call) -> None:
    answer = call("explain", "classic/take.one-card/c56-pile-of-one")
    assert answer.code == 0
    for sign in ("take.one-card: No single card for a single card", "hand.N Q", "N: ^Q -Q", "illegal",
                 "canasta conformance run ADDRESS classic/take.one-card/c56-pile-of-one"):  # fmt: skip
        assert sign in " ".join(answer.out.split()), sign
    assert "withdrawn" in call("explain", "cuban/scoring.mixed-canastas/five-queens-and-two-wilds").out
    assert call("explain", "classic/take.one-card/no-such-case").code == 2


def test_a_pile_that_is_counted_after_the_take_is_called_so(call: Call) -> None:
    position = "N at start; hand.N Q; pile Q; melds.NS QQQ KKKKKKK; opened.NS; stock ?30"
    answer = call("judge", position, "^Q -Q")
    assert "cards in the pile after the take: 0" in " ".join(answer.out.split())
    assert "that after the take: size(pile) > 0" in call("why", position, "^Q -Q").out
    assert "after the take" not in call("why", "N at start; hand.N Q2; stock ?30; pile 4", "-Q").out
