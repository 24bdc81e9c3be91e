"""Findings of a replay stand where the mistake is, say whose turn it is, and do not contradict each other."""

import pytest

from canasta.diagnostics import Diagnostic
from canasta.games import open_game
from canasta.notation.position_text import parse_position
from canasta.notation.reader import read_text
from canasta.notation.turns import parse_turn
from canasta.playing.binding import play_turn
from canasta.playing.places import foremost
from canasta.playing.positions import to_state
from canasta.playing.replay import replay

START = "Deal 1 dealer W\nup 6c\n"


def findings(turns: str, *, positions: bool = False) -> list[Diagnostic]:
    (record,), _ = read_text(f"{START}{turns}", "it.cgn")
    return [d for d in replay(record, positions=positions).findings if d.id != "PL0034"]


def marked(finding: Diagnostic, turns: str) -> str:
    """Cut out of the text what a finding marks."""
    assert finding.span is not None
    line = f"{START}{turns}".splitlines()[finding.span.line - 1]
    return line[finding.span.column - 1 : finding.span.end_column - 1]


PLACES = {
    "a meld that is too short": ("N AAA 77 AAAA -4\n", "MELD_TOO_SHORT", ["77"]),
    "each of two melds that are too short": ("N AAAA 77 KKK 88 -4\n", "MELD_TOO_SHORT", ["77", "88"]),
    "a meld that was taken back": ("N AAA 77 !back -4s\n", "MELD_TOO_SHORT", ["77"]),
    "a single card that is no meld": ("N 7c 8c\n", "MELD_TOO_SHORT", ["7c"]),
    "the minimum is about all that was laid": ("N 444 555 -9\n", "BELOW_MINIMUM", ["444 555"]),
    "a pile that could not be taken": ("N ^6c44 -9\n", "NO_MELD", ["^6c44"]),
    "an act at the wrong time": ("N +? +4 AAAAA -4 -5\n", "NOT_YOUR_TURN", ["-5"]),
}


@pytest.mark.parametrize("positions", [True, False])
@pytest.mark.parametrize("name", PLACES)
def test_a_finding_marks_what_it_is_about(name: str, *, positions: bool) -> None:
    turns, code, places = PLACES[name]
    assert [marked(d, turns) for d in findings(turns, positions=positions) if d.code == code] == places


def test_a_wrong_turn_says_whose_turn_it_is() -> None:
    (wrong,) = findings("E 7c\n")
    assert wrong.code == "NOT_YOUR_TURN"
    assert wrong.hint == "it is N's turn"


def test_a_wrong_time_says_what_may_come() -> None:
    (wrong,) = [d for d in findings("N +? +4 ask +? -9\n") if d.code == "NOT_NOW"]
    assert "discard" in wrong.hint


def test_an_end_that_the_rules_refuse_has_ended_nothing() -> None:
    found = findings("N 7c\nE 7d\nS pass\nW 8c\nN 8d\n")
    assert [(d.clause, d.span.line if d.span else 0) for d in found] == [("stock.decline", 5)]


def test_a_deal_that_went_on_names_the_clause_that_had_ended_it() -> None:
    found = findings("N KKKKKKK QQQQ -J\nE 7\n")
    assert [(d.id, d.clause) for d in found] == [("PL0043", "going-out.ends")]


def test_the_end_line_is_faulted_once() -> None:
    (goes_on,) = findings("N 7c\nend out N\n")
    assert "by the rules it goes on" in goes_on.message
    (unknown,) = findings("N 7c\nend ut N\n")
    assert (unknown.id, unknown.hint) == ("PL0031", "did you mean out?")


def test_the_end_of_a_deal_of_which_only_melds_are_written_is_believed() -> None:
    text = "Deal 1 dealer W\nmelds NS KKKKK\nmelds EW AAAA\nleft N 7\nleft E 7\nleft S 5\nleft W 7\nend stock N\n"
    (record,), _ = read_text(text, "it.cgn")
    report = replay(record)
    assert report.findings == ()
    assert report.deals[0].reason == "stock_out"


def test_what_follows_from_a_barred_pile_is_no_second_mistake() -> None:
    game = open_game("classic")
    position, _ = parse_position("N at start; hand.N KK9; melds.NS QQQQQQQ; opened.NS; pile 3s; stock ?30", "given")
    actions, _ = parse_turn("^3s -9", "do")
    assert position is not None
    played = play_turn(game, to_state(game, position), actions)
    first, follows = foremost(game, played.violations)
    assert first[0].code == "PILE_BARRED"
    assert [v.code for v in follows] == ["TOO_FEW_BLACK_THREES"]
    assert sorted(v.code for v in (*first, *follows)) == sorted(v.code for v in played.violations)
