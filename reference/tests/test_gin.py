"""Gin Rummy is a game of its own: what the notation and the kernel had to learn for it is tried here."""

from itertools import pairwise
from pathlib import Path

import pytest

from canasta.diagnostics import CanastaError
from canasta.games import load_ruleset, open_game
from canasta.kernel.acts import Move, RefusedError
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.position_text import parse_position
from canasta.notation.reader import read_text
from canasta.notation.record import Tag
from canasta.notation.turns import parse_turn
from canasta.notation.writer import write
from canasta.playing.binding import Played, play_turn
from canasta.playing.positions import of_state, to_state
from canasta.playing.recording import PlayedDeal, record_match
from canasta.playing.replay import replay
from canasta.playing.report import MatchReport
from canasta.random_play import play_match

EXAMPLE = Path(__file__).parents[2] / "grammar" / "examples" / "gin.cgn"
HANDS = "hand N 4h4s4c7c8c9cAcQs2dJh\nhand S 3h3s3dTd9dQd5c6c9hKd\nup Kc\nN pass\nS pass\n"
KNOCKER = "N at play; upcard settled; hand.N 4h4s4c7c8c9cAc2dJh5h6s; hand.S 3h3s3d9d; pile Kc; stock ?29"


def table(text: str, name: str = "gin") -> tuple[Game, State]:
    game = open_game(name, by_face=True)
    return game, to_state(game, parse_position(text, "t")[0])


def turn(text: str, given: str = KNOCKER, name: str = "gin") -> Played:
    game, state = table(given, name)
    return play_turn(game, state, parse_turn(text, "t")[0])


def of_record(lines: str) -> MatchReport:
    text = f'[Rules "gin"]\nDeal 1 dealer S\n{HANDS}{lines}'
    return replay(read_text(text, "t.cgn")[0][0])


def found(report: MatchReport) -> list[tuple[str, str]]:
    return [(d.id, d.code) for d in report.findings if d.severity != "note"]


# -- a knock and its discard ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "4h4s4c 7c8c9c knock -Jh",
        "4h4s4c 7c8c9c knock Jh",
        "4h4s4c 7c8c9c -Jh knock",
        "knock 4h4s4c 7c8c9c -Jh",
        "knock -Jh 4h4s4c 7c8c9c",
    ],
)
def test_a_knock_takes_the_card_of_the_discard_wherever_it_stands(text: str) -> None:
    played = turn(text)
    if text.startswith("knock -Jh"):
        assert played.codes == ("TOO_MUCH_DEADWOOD", "NOT_YOUR_TURN"), "what is laid after the knock is laid too late"
        return
    # Ace, deuce, five and six are left: fourteen points.
    assert played.codes == ("TOO_MUCH_DEADWOOD",)
    assert [step.move.act for step in played.steps] == ["lay", "lay", "knock"]
    assert open_game("gin", by_face=True).machine.phases[played.state.phase].name == "layoff"


def test_a_knock_without_a_discard_lacks_its_card() -> None:
    assert turn("4h4s4c 7c8c9c knock").codes == ("CARD_NOT_HELD",)


def test_a_knock_goes_back_with_its_discard() -> None:
    report = of_record("N +5h -Qs\nS ^Qs -Kd\nN +Ah knock -Jh !back -Jh\nS +? 9h\n")
    assert found(report) == []
    assert [d.code for d in report.findings] == ["TOO_MUCH_DEADWOOD"]
    assert report.deals[0].turns[-1].after.variable(open_game("gin").ruleset.state["knocker"].index) == -1


def test_a_discard_stands_when_only_the_word_is_taken_back() -> None:
    report = of_record("N +5h -Qs\nS ^Qs -Kd\nN +Ah knock !back -Jh\nS +? 9h\n")
    assert found(report) == []


# -- records -------------------------------------------------------------------------------------------------------------


def test_the_example_is_scored_as_it_was_worked_out_by_hand() -> None:
    """Ana keeps ace, deuce, five and ace: nine points. Sam keeps ten, nine, queen, nine and queen: 48."""
    (record,), findings = read_text(EXAMPLE.read_text(encoding="utf-8"), EXAMPLE.name)
    assert findings == []
    report = replay(record)
    assert report.findings == ()
    assert report.deals[0].items == {"N": {"difference": 48 - 9}, "S": {}}
    assert report.totals == {"N": 39, "S": 29}


@pytest.mark.soon("gin")
@pytest.mark.parametrize("name", ["gin", "gin:openspiel", "gin,big_gin=yes,wall=may_knock,first_upcard=ordinary"])
def test_whole_random_matches_come_to_an_end_and_are_replayed_from_their_records(name: str) -> None:
    game = open_game(name, by_face=True)
    deals = [PlayedDeal(deal, pack, first, moves) for deal, pack, first, moves, _ in play_match(game, 3)]
    record = record_match(game, deals, [Tag("Rules", name)])
    assert max(points for _, points in record.result.totals) >= 100
    text = write(record)
    (again,), findings = read_text(text, "t.cgn")
    assert findings == []
    assert write(again) == text
    report = replay(again)
    assert report.findings == ()
    assert report.winners != ()
    knocks = [a for line in again.turns() for a in line.actions if a.kind == "knock"]
    assert all(a.cards == () for a in knocks)


def test_what_only_lay_at_the_end_is_judged_and_not_scored() -> None:
    """Both lay their melds in one place, so a record of the melds alone does not say who has won."""
    lines = "melds N 4h4s4c 7c8c\nleft N Ac2h\nleft S KdQc5h5s5d6c\nend knock N\n"
    report = replay(read_text(f'[Rules "gin"]\nDeal 1\n{lines}', "t.cgn")[0][0])
    assert found(report) == [("PL0020", "RUN_TOO_SHORT")]
    assert report.deals[0].scored == {}


def test_a_turn_without_an_end_is_told_how_it_ends_here() -> None:
    report = of_record("N +5h -Qs\nS ^Qs -Kd\nN +Ah 4h4s4c 7c8c9c knock -Jh\nS 3h3s3d 6c5c/\nN 5h\n")
    assert "such a turn ends with pass" in next(d.hint for d in report.findings if d.id == "PL0044")


# -- the last discard ----------------------------------------------------------------------------------------------------

WALL = "S at wall; upcard settled; hand.S {}; hand.N 4c6hTc; pile 8d 9c; stock ?2"
HELD = [
    ("9h9d4hAc", True),
    ("9h8h4hAc", False),
    ("7c8c4h5d", True),
    ("7c8s4h5d", False),
    ("As2dAc", False),  # the nine just taken must be kept, and with two aces it counts eleven
    ("7c8cKcAd", True),
]


@pytest.mark.parametrize(("hand", "fine"), HELD)
def test_the_last_discard_may_be_taken_only_to_knock(hand: str, fine: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game, state = table(WALL.format(hand), "gin,wall=may_knock")
    taking = Move("pick_to_knock", 1)
    assert (taking in game.legal(state).moves) == fine
    assert game.judge(state, taking).codes == (() if fine else ("CANNOT_KNOCK_WITH_IT",))
    if fine:
        assert game.completions(game.apply(state, taking))
    else:
        with pytest.raises(RefusedError):
            game.apply(state, taking)


# -- a variable that names no seat ---------------------------------------------------------------------------------------


def test_nobody_is_written_and_read() -> None:
    game, state = table(KNOCKER)
    knocker = game.ruleset.state["knocker"].index
    assert state.variable(knocker) == -1
    assert "knocker" not in str(of_state(game, state))
    assert table(f"{KNOCKER}; knocker nobody")[1].variable(knocker) == -1
    assert table(f"{KNOCKER}; knocker S")[1].variable(knocker) == 1
    assert found(of_record("N +5h -Qs =knocker:nobody\n")) == []
    for seat, ids in (("N", []), ("n", []), ("S", ["PL0029"]), ("nobody", ["PL0029"])):
        claimed = of_record(f"N +5h -Qs\nS ^Qs -Kd\nN +Ah 4h4s4c 7c8c9c knock -Jh =knocker:{seat}\n")
        assert [d.id for d in claimed.findings if d.id.startswith("PL002")] == ids
    knocked = "N +5h -Qs\nS ^Qs -Kd\nN +Ah 4h4s4c 7c8c9c knock -Jh =knocker:nobody\n"
    (wrong,) = (d for d in of_record(knocked).findings if d.id == "PL0029")
    assert "knocker is nobody, and by the rules it is N" in wrong.message


# -- who deals next --------------------------------------------------------------------------------------------------

WINNER = "gin,next_deal=winner"


def match_in_which_the_winner_deals(seed: int) -> tuple[list[str], list[str], str]:
    """Play a match at random: who dealt each deal but the first, who should have, worked out from the scores, and its record."""
    game = open_game(WINNER, by_face=True)
    played = list(play_match(game, seed, 12))
    names = "NS"
    due = []
    for _, _, _, _, last in played[:-1]:
        totals = [game.ledger(last).total(side) for side in (0, 1)]
        due.append(names[totals.index(max(totals))] if any(totals) else names[last.dealer])
    deals = [PlayedDeal(deal, pack, first, moves) for deal, pack, first, moves, _ in played]
    record = record_match(game, deals, [Tag("Rules", WINNER)])
    return [d.dealer for d in record.deals[1:]], due, write(record)


def test_the_winner_deals_where_the_rules_say_so() -> None:
    dealers, due, text = match_in_which_the_winner_deals(3)
    assert dealers == due
    by_turns = ["NS"[i % 2] for i in range(len(dealers))]
    assert dealers != by_turns
    (record,), _ = read_text(text, "t.cgn")
    assert [f.message for f in replay(record).findings] == []
    told = [f.code for f in replay(record, "gin").findings]
    assert set(told) == {"NOT_YOUR_DEAL"}
    assert len(told) == sum(a == b for a, b in pairwise(["S", *dealers]))


def test_who_deals_next_is_not_judged_where_the_deal_before_was_not_seen() -> None:
    """A pad does not say who knocked; so either may deal, and a deal that names no dealer is not given one."""
    pad = "Deal 1 dealer S\nN: 0\nS: difference 4 undercut 25\nDeal 2 dealer {}\nN: 0\nS: difference 3\n"
    for dealer in "NS":
        text = f'[Rules "{WINNER}"]\n{pad.format(dealer)}'
        assert [f.code for f in replay(read_text(text, "t.cgn")[0][0]).findings] == []
    (told,) = replay(read_text(f'[Rules "gin"]\n{pad.format("S")}', "t.cgn")[0][0]).findings
    assert told.code == "NOT_YOUR_DEAL"


def test_only_the_clause_about_the_dealer_says_who_deals(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "ruleset: own\ntitle: Own\nextends: gin\nreplace:\n  - clause: turn.order\n"
        f"    formal: {formal_of('turn.order')}\n    with: {{is: next(dealer)}}\n",
        encoding="utf-8",
    )
    with pytest.raises(CanastaError) as caught:
        load_ruleset(str(own))
    assert [d.id for d in caught.value.diagnostics] == ["RS3011"]


def formal_of(clause: str) -> str:
    return load_ruleset("gin").clauses[clause].formal
