"""The look ahead beside a search that tries everything, in house rules of a small game that reach where no shipped rule does."""

import shutil
import sys
from itertools import product
from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.listing import Answer
from canasta.kernel.outlook import cards_short
from canasta.kernel.shapes import layable_of
from canasta.notation.position_text import parse_position
from canasta.playing.positions import to_state

sys.path.insert(0, str(Path(__file__).parent))
from brute_tree import Tree, starts

sys.path.pop(0)

MINI = Path(__file__).parent / "mini"

EVEN = """
    - {id: set.even, kind: bound, shape: set, title: Even, text: Pairs want no joker.,
       require: [{code: ODD, that: body != 3 or filler >= 1}]}
    - {id: few.left, kind: requirement, on: [discard], title: Few, text: Keep one at most., when: size(laid) > 0,
       require: [{code: FEW, that: left <= 1}]}
"""
TAKE = "    - {{id: take.more, kind: requirement, on: [take], title: More, text: More., require: [{{code: MORE, that: {that}}}]}}\n"
STASH = """
    - {id: shed.one, kind: requirement, on: [shed], title: One, text: One card a turn., require: [{code: ONE, that: not shed_one}]}
    - {id: shed.card, kind: effect, on: [shed], title: Shed, text: Shed it., do: [move card from hand to pile, set shed_one = yes]}
    - {id: few.left, kind: requirement, on: [discard], title: Few, text: Keep one at most., when: size(laid) > 0,
       require: [{code: FEW, that: left <= 1}]}
  state:
    shed_one: {of: table, type: bool, lasts: turn, start: no, text: whether a card was shed}
  phases: {play: [shed]}
  acts:
    shed: {choose: card, written: show, text: shed a card, safe: yes, COMMIT}
"""
CALL = """
    - {id: call.once, kind: requirement, on: [call], title: Once, text: Once., require: [{code: ONCE, that: called = $no_call}]}
    - {id: call.asks, kind: effect, on: [call], title: Ask, text: Ask., do: [set called = $waiting, act next(seat) at heard]}
    - {id: heard.keep, kind: effect, on: [reply], title: Keep, text: Keep., do: [set called = option, act turn_seat at play]}
    - {id: end.called, kind: requirement, on: [discard, out], title: Called, text: Call first., when: size(parts) > 0,
       require: [{code: CALLED, that: THAT}]}
  state:
    called: {of: table, type: [no_call, waiting, yes_said, no_said], lasts: turn, text: what was called}
  phases:
    play: [call]
    heard: {acts: [reply], text: the other answers}
  acts:
    call: {choose: none, written: ask, SAFE text: call}
    reply: {choose: option, options: [yes_said, no_said], written: answer, text: answer}
"""

AGED = """
    - {id: aged.mark, kind: effect, on: [draw], after: [draw.card], title: Age, text: Age., do: [each g in melds do set g.aged = yes]}
    - {id: take.aged, kind: requirement, on: [take], title: Aged, text: Onto old groups., require: [{code: AGED, that: group.aged}]}
  marks:
    aged: {type: bool, text: that its side has drawn since}
"""

HOUSE = {
    "what must stay shrinks with fewer cards of a rank": EVEN,
    "a pile that must be taken with much": TAKE.format(that="size(laid) >= 4"),
    "a pile that must leave few cards": TAKE.format(that="size(hand) <= 1"),
    "a pile of which one card must be left": TAKE.format(that="size(pile) = 1"),
    "a pile for a side of two groups": TAKE.format(that="size(melds) >= 2"),
    "a pile that joins a marked group": AGED,
    "a card is put away before the play is settled": STASH.replace(", COMMIT", ""),
    "a card is put away, which settles the play": STASH.replace("COMMIT", "commit: yes"),
    "the other must be asked": CALL.replace("SAFE", "").replace("THAT", "called != $no_call"),
    "the other must be asked, whatever he says": CALL.replace("SAFE", "safe: yes,").replace(
        "THAT", "called = $yes_said or called = $no_said and left > 0"
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house")
    shutil.copy(MINI / "runs.yaml", path)
    return path


def house(folder: Path, name: str) -> str:
    path = folder / f"{list(HOUSE).index(name)}.yaml"
    head = f"ruleset: house-{path.stem}\ntitle: {name}\nextends: runs.yaml\nadd:\n  clauses:\n"
    path.write_text(head + HOUSE[name].lstrip("\n"), encoding="utf-8")
    return str(path)


@pytest.mark.soon("a pile that must be taken with much", "the other must be asked")
@pytest.mark.parametrize("name", HOUSE)
def test_house_rules_are_foreseen_as_they_are_judged(name: str, folder: Path) -> None:
    yes = no = 0
    for number, (game, state) in enumerate(starts(house(folder, name), range(25), by_face=True, most=5)):
        if number % (24 if "asked" in name else 8):
            continue
        whole, listed = (Tree(game, state.turn_no, state.seat, brute) for brute in (True, False))
        assert listed.ends(state) == whole.ends(state), f"state {number}"
        for move in game.listing.candidates(state):
            if game.ruleset.acts[move.act].lays:
                possible = bool(whole.ends(game.turn.perform(state, move)))
                assert game.listing.settles(state, move) is (Answer.YES if possible else Answer.NO), move
                yes, no = yes + possible, no + (not possible)
    assert yes > 3, (yes, no)


def test_a_hand_of_which_some_cards_must_stay_is_not_given_up_as_a_whole(folder: Path) -> None:
    game = open_game(house(folder, "what must stay shrinks with fewer cards of a rank"), by_face=True)
    position, _ = parse_position("N at play; hand.N 4c4c4h5c5h7h; opened.N; melds.N 7c7c7h; pile 6c; stock ?8", "test")
    assert position is not None
    state = to_state(game, position)
    fives = tuple(sorted(game.deck.find("5", suit) for suit in "ch"))
    assert Move("lay", state.seat, fives) in game.legal(state).moves


def test_nobody_asks_counting_on_a_card_that_he_has_not_seen() -> None:
    game = open_game("samba:dutch")
    given = "N at play; hand.N 3h8c8sTdJc7cAd; melds.NS KKK 2999; opened.NS; pile 6; source from_stock; stock ?30"
    position, _ = parse_position(given, "test")
    assert position is not None
    assert game.judge(to_state(game, position), Move("ask", 0)).codes == ("NO_WAY_TO_END_THE_TURN",)


BOUNDS = {
    "a pair wants no filler, three do": lambda b, f: b + f >= 2 and (b != 3 or f >= 1),
    "as a meld of cards with a filler for two": lambda b, f: b >= 2 and b + f >= 3 and f <= 3,
    "a filler for every card": lambda b, f: b >= 1 and f >= b,
    "four and no other number": lambda b, f: b + f == 4 and f <= 2,
}


@pytest.mark.parametrize("name", BOUNDS)
def test_no_more_cards_are_said_to_stay_than_must(name: str) -> None:
    most = 6
    allowed = tuple(tuple(bool(b) and BOUNDS[name](b, f) for f in range(5)) for b in range(most + 1))
    layable = layable_of(allowed, most)

    def laid(held: int, fillers: int) -> int:
        """The most cards of one body that go down, found by trying every way to share them among groups."""
        groups = [(b, f) for b in range(1, held + 1) for f in range(min(fillers, 4) + 1) if allowed[b][f]]
        return max([b + laid(held - b, fillers - f) for b, f in groups], default=0)

    for held in product(range(1, most + 1), repeat=2):
        for fillers in range(5):
            ways = [laid(held[0], f) + laid(held[1], fillers - f) for f in range(fillers + 1)]
            assert cards_short([(n, layable[n]) for n in held], fillers) == sum(held) - max(ways), (held, fillers)
