"""Matches that other people's programs played: each departure from the classic rules is named, and nothing else is.

The files are facts of play. They were turned into records by ``canasta convert``; their tags name the program.
What each program did otherwise had been found beforehand by people, except where a comment says so.
"""

from pathlib import Path

import pytest

from canasta.notation.reader import read_text
from canasta.playing.replay import replay
from canasta.playing.report import DealReport, MatchReport
from canasta.rooms import room

GAMES = Path(__file__).parent / "games"
Departure = tuple[int, int, str, str]
"""Deal, turn in the deal (0 for its beginning, -1 for its end), clause, code."""

PILE_NOT_FROZEN = [(2, turn, "pile.frozen", "") for turn in range(1, 13)]
DEALER_STAYS = [(deal, 0, "deal.rotation", "NOT_YOUR_DEAL") for deal in range(2, 12)]

EXPECTED: dict[str, list[Departure]] = {
    "games-hub-01": [],
    "games-hub-03": [
        (3, 0, "upcard.cover", ""),
        (4, 0, "upcard.cover", ""),
        (4, -1, "going-out.concealed", ""),
    ],
    "games-hub-05": [(8, 61, "take.one-card", "ONE_CARD_FOR_ONE")],
    "games-hub-10": [
        (2, -1, "scoring.red-threes", ""),
        (2, -1, "scoring.melded-cards", ""),
        (4, -1, "stock.forced-take", "MUST_TAKE_THE_PILE"),
        (5, -1, "scoring.red-threes", ""),
        (5, -1, "scoring.melded-cards", ""),
    ],
    # Beyond the list: the rest of an initial meld came out of the pile, of which only the top card counts towards
    # the minimum (clauses opening.minimum and opening.counting).
    "anycard-01": [
        (1, 0, "upcard.cover", ""),
        (1, 6, "opening.minimum", "BELOW_MINIMUM"),
        (1, 11, "opening.minimum", "BELOW_MINIMUM"),
        (4, 17, "opening.minimum", "BELOW_MINIMUM"),
    ],
    # Beyond the list, which names it only of the program as a whole: its robots keep dealt red threes in the hand. The list has
    # 25 points for what the loser of deal 2 was left with; a red three has no value as a card, so it is 20.
    "familycanasta-01": [
        *((deal, 0, "red-threes.dealt", "") for deal in (1, 1, 2, 2, 3, 4)),
        *((1, turn, "pile.frozen", "") for turn in range(1, 8)),
        (2, 0, "upcard.cover", ""),
        (2, -1, "scoring.cards-left", ""),
        (3, 0, "upcard.cover", ""),
        *((3, turn, "pile.frozen", "") for turn in (*range(1, 7), 10)),
        (3, 10, "turn.discard.red-three", "RED_THREE_DISCARDED"),
        (3, 10, "going-out.canasta", "NO_CANASTA"),
        *((4, turn, "pile.frozen", "") for turn in range(1, 4)),
    ],
    # Beyond the list: this program lets its players ask after they have melded (clause asking.when).
    "with-departures": [
        *DEALER_STAYS,
        (2, 0, "upcard.cover", ""),
        (6, 0, "upcard.cover", ""),
        *PILE_NOT_FROZEN,
        (6, -1, "scoring.red-threes", ""),
        (11, 60, "pile.frozen", ""),
        *((deal, turn, "asking.when", "ASK_BEFORE_MELDING")
          for deal, turn in ((1, 24), (2, 33), (3, 24), (4, 30), (7, 33), (8, 33), (10, 17))),
    ],
}  # fmt: skip
TURNS = {
    "games-hub-01": 429, "games-hub-03": 181, "games-hub-05": 280, "games-hub-10": 232, "anycard-01": 167,
    "with-departures": 384, "familycanasta-01": 125,
}  # fmt: skip


def text_of(name: str) -> str:
    own = GAMES / f"{name}.cgn"
    if own.is_file():
        return own.read_text(encoding="utf-8")
    return (room("grammar") / "examples" / f"{name}.cgn").read_text(encoding="utf-8")


def replayed(name: str) -> MatchReport:
    (record,), found = read_text(text_of(name), f"{name}.cgn")
    assert found == []
    return replay(record)


def departures(deal: DealReport) -> list[Departure]:
    """Find for each finding the turn that it belongs to."""
    found = []
    last = deal.turns[-1].turn.span if deal.turns else None
    for d in deal.findings:
        turn = next((i for i, t in enumerate(deal.turns, 1) if d in t.findings), 0)
        if not turn and d.span and last and d.span.line > last.line:
            turn = -1
        found.append((deal.number, turn, d.clause, d.code))
    return found


@pytest.mark.parametrize("name", EXPECTED)
def test_every_departure_is_named_and_nothing_else(name: str) -> None:
    report = replayed(name)
    assert sum(len(deal.turns) for deal in report.deals) == TURNS[name]
    found = [departure for deal in report.deals for departure in departures(deal)]
    assert sorted(found) == sorted(EXPECTED[name])
    assert len(report.findings) == len(found)
    assert all(d.span is not None and d.message and d.hint for d in report.findings)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_match_ends_as_the_program_had_it(name: str) -> None:
    report = replayed(name)
    assert report.record.result is not None
    assert report.totals == dict(report.record.result.totals)
    assert report.ending == "match.winner"
    assert report.winners == (max(report.totals, key=lambda side: report.totals[side]),)


def test_the_score_is_told_with_what_it_should_be() -> None:
    (found,) = (d for d in replayed("familycanasta-01").findings if d.clause == "scoring.cards-left")
    assert "written as -120" in found.message
    assert found.message.endswith("it is -20")


def test_a_profile_that_leaves_black_threes_uncovered_finds_no_fault_with_them() -> None:
    (record,), _ = read_text(text_of("games-hub-03"), "games-hub-03.cgn")
    clauses = [d.clause for d in replay(record, "classic:pagat").findings]
    assert clauses == ["going-out.concealed"]


def test_an_option_that_allows_it_finds_no_fault_with_one_card_for_one() -> None:
    (record,), _ = read_text(text_of("games-hub-05"), "games-hub-05.cgn")
    assert replay(record, "classic,one_card_for_one=allowed").findings == ()


def test_red_threes_before_the_first_turn_are_a_fault_only_where_the_order_is_fixed() -> None:
    (record,), _ = read_text(text_of("games-hub-01"), "games-hub-01.cgn")
    found = replay(record, "classic,dealt_red_threes=on_first_turn").findings
    assert {d.clause for d in found} == {"red-threes.dealt.first-turn"}
    laid = sum(1 for deal in record.deals for turn in deal.turns if turn.actions[0].kind == "show")
    assert 0 < len(found) <= laid
