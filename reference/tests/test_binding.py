"""Written turns on states: what the signs are, what is put in and put in order, and what record and table disagree on."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from canasta.diagnostic_ids import explain
from canasta.games import open_game
from canasta.kernel.acts import NEW_GROUP, Move, Ruling
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.position_text import parse_position, write_position
from canasta.notation.record import Action, Target, Written
from canasta.notation.turns import parse_turn
from canasta.playing.binding import play_turn
from canasta.playing.cards import card_names
from canasta.playing.comparing import differences
from canasta.playing.played import UNWRITTEN, Door, Played
from canasta.playing.positions import of_state, to_state
from canasta.random_play import RandomPlayer, shuffled_pack
from canasta.shuffle import SplitMix64, derive

CLASSIC = open_game("classic")
GAMES = {
    "classic": CLASSIC,
    "faces": open_game("classic", by_face=True),
    "runs": open_game(str(Path(__file__).parent / "mini" / "runs.yaml")),
}
OPENED = "melds.NS JJJ; opened.NS"


def played(
    given: str, do: str, *, game: Game = CLASSIC, door: Door = Door.AS_PLAYED, seat: int | None = None
) -> Played:
    position, found = parse_position(given, "given")
    assert position is not None, found
    actions, found = parse_turn(do, "do")
    assert actions, found
    return play_turn(game, to_state(game, position), actions, seat, door)


def lies(result: Played, text: str, game: Game = CLASSIC) -> None:
    expected, found = parse_position(text, "expected")
    assert expected is not None, found
    assert differences(game, result.state, expected) == ()


# given, what is written, the codes, how things lie afterwards
TURNS = {
    "a draw that nobody wrote": ("N at start; hand.N ?11; pile 6; stock ?30", "-9", [], "E at start; hand.N ?11; pile 69; stock ?29"),
    "a drawn card that was unknown": ("N at start; hand.N 45; pile 6; stock ?30", "+K -4", [], "hand.N 5K; pile 64; stock ?29"),
    "a drawn card that stays unknown": ("N at start; hand.N 45; pile 6; stock ?30", "+? -4", [], "hand.N 5?; pile 64; stock ?29"),
    "a take from the hand": (f"N at start; hand.N KK49; pile 5 K; {OPENED}; stock ?30", "^KKK -4", [], "hand.N 95; melds.NS JJJ KKK"),
    "a take onto a meld": (f"N at start; hand.N 469; pile 5 J; {OPENED}; stock ?30", "^J -4", [], "hand.N 695; melds.NS JJJJ"),
    "a take whose meld is written after it": (
        f"N at start; hand.N KK49; pile 5 K; {OPENED}; stock ?30", "^ KKK -4", [], "hand.N 95; melds.NS JJJ KKK; stock ?30",
    ),
    "a take whose top card is not written first": (
        f"N at start; hand.N K249; pile 5 K; {OPENED}; stock ?30", "^2KK -4", [], "hand.N 95; melds.NS JJJ KK2",
    ),
    "a take written after what it pays for": (
        "N at start; hand.N 77KKKK69; pile 5 7; stock ?30", "KKKK ^777 -9", [], "hand.N 65; melds.NS 777 KKKK",
    ),
    "cards of the pile laid before they came": (
        "N at start; hand.N 77KKKK6649; pile 6 7; stock ?30", "^777 666 KKKK -9", [], "hand.N 4; melds.NS 777 666 KKKK; pile 9",
    ),
    "cards of the pile laid though it may not be taken": (
        "N at start; hand.N 77KK469; pile K 7; stock ?30", "^777 KKK -9", ["BELOW_MINIMUM"], "hand.N 46; melds.NS 777 KKK",
    ),
    "a pile picked up against the rules": (
        "N at start; hand.N 77KKK469; pile 2 5 7; stock ?30", "^777 KKK pick 25 -9",
        ["BELOW_MINIMUM", "MELD_TOO_SHORT", "TOO_FEW_NATURALS"],
        "hand.N 46; melds.NS 777 KKK 25",
    ),
    "picking up is said though it happens by itself": (
        f"N at start; hand.N KK49; pile 5 K; {OPENED}; stock ?30", "^KKK pick -4", [], "hand.N 95",
    ),
    "a hand of which nothing is known": (
        "N at start; hand.N ?11; pile 6 5 ?; stock ?30", "^777 AAAA -5", [], "hand.N 6?5; melds.NS 777 AAAA; pile 5",
    ),
    "cards that join a meld": (f"N at play; hand.N JJ249; pile 6; {OPENED}; stock ?30", "JJ 2/J -9", [], "melds.NS JJJJJ2"),
    "a wild card onto a meld that is laid later": (
        f"N at play; hand.N KKK249; pile 6; {OPENED}; stock ?30", "2/K KKK -9", [], "melds.NS JJJ KKK2; hand.N 4",
    ),
    "a new meld though one of the rank lies": (
        f"N at play; hand.N JJ249; pile 6; {OPENED}; stock ?30", "JJ2/new -9", ["RANK_ALREADY_MELDED"], "melds.NS JJJ JJ2",
    ),
    "a meld that the side has not": (
        f"N at play; hand.N 249; pile 6; {OPENED}; stock ?30",
        "2/Q -9", ["NO_SUCH_MELD"], "N at play; hand.N 249",
    ),
    "too many wild cards still join": (
        "N at play; hand.N J2249; melds.EW KKK; pile 6; melds.NS JJJ22; opened.NS; stock ?30",
        "J22 -9", ["TOO_MANY_WILDS"], "melds.NS JJJJ2222",
    ),
    "asked, allowed and gone": (
        "N at play; hand.N 5559; melds.NS JJJJJJJ; opened.NS; pile 6; stock ?30", "?out yes 555 -9", [], "reason out; permission granted",
    ),
    "gone, and said so besides": (
        "N at play; hand.N 5559; melds.NS JJJJJJJ; opened.NS; pile 6; stock ?30", "555 -9 out", [], "reason out; went_out.NS",
    ),
    "a red three and what replaced it": (
        "N at start; hand.N ?11; pile 6; stock ?30", "+3h 3h+K -9", [], "hand.N K?10; shown.NS 3h; stock ?28",
    ),
    "a red three and what replaced it, nothing known": (
        "N at start; hand.N ?11; pile 6; stock ?30", "+? 3r+? -9", [], "hand.N ?11; shown.NS 3r; stock ?28",
    ),
    "two red threes in a row without a draw": (
        "N at start; hand.N ?11; pile 6; stock ?30", "3r+? 3r+4 -9", [], "hand.N 4?10; shown.NS 3r3r; stock ?27",
    ),
    "a red three when the kept card is written as drawn": (
        "N at start; hand.N ?11; pile 6; stock ?30", "+K 3r+? -9", [], "hand.N K?10; shown.NS 3r; stock ?28",
    ),
    "a red three among the cards dealt": (
        "N at start; hand.N 49?9; pile 6; stock ?30", "3r+Q +K -9", [], "hand.N 4QK?8; shown.NS 3r; stock ?28",
    ),
    "a red three that a duty has laid already": (
        "N at start; hand.N 459; pile 6; shown.NS 3r; stock ?30 K", "3r+? +K -9", [], "hand.N 45K; shown.NS 3r; stock ?30",
    ),
    "a red three of the pile is named": (
        f"N at start; hand.N KK49; pile 3r K; {OPENED}; stock ?30", "^KKK 3r -4", [], "hand.N 9; shown.NS 3r",
    ),
    "no stock to draw from": ("N at start; hand.N 459; pile 6", "-9", ["STOCK_EMPTY"], "hand.N 45; pile 69"),
    "a second draw": ("N at start; hand.N 459; pile 6; stock ?30", "+K +Q -9", ["NOT_NOW"], "hand.N 45KQ; stock ?28"),
    "a card that is not held": ("N at play; hand.N 459; pile 6; stock ?30", "-K", ["CARD_NOT_HELD"], "N at play; hand.N 459"),
    "passing without a stock": ("N at start; hand.N 459; pile 6", "pass", [], "reason stock_out"),
}  # fmt: skip


@pytest.mark.parametrize("name", TURNS)
def test_written_turns_are_what_they_mean(name: str) -> None:
    given, do, codes, after = TURNS[name]
    result = played(given, do)
    assert sorted(result.codes) == codes
    assert result.findings == ()
    lies(result, after)


@pytest.mark.parametrize("name", TURNS)
def test_the_strict_door_stops_at_the_first_act_that_is_not_legal(name: str) -> None:
    given, do, codes, after = TURNS[name]
    result = played(given, do, door=Door.STRICT)
    assert (result.stopped is not None) == bool(codes)
    assert set(result.codes) <= set(codes)
    assert all(not s.verdict.violations for s in result.steps)
    if not codes:
        lies(result, after)


def test_steps_tell_which_written_action_they_were() -> None:
    result = played("N at start; hand.N ?11; pile 6; stock ?30", "-9")
    assert [(s.move.act, s.action) for s in result.steps] == [("draw", UNWRITTEN), ("discard", 0)]
    result = played(f"N at start; hand.N KK4966; pile 6 K; {OPENED}; stock ?30", "666 ^KKK -4")
    assert [(s.move.act, s.action) for s in result.steps] == [("take", 1), ("lay", 0), ("discard", 2)]
    result = played("N at start; hand.N 77KK469; pile K 7; stock ?30", "^777 KKK -9")
    assert [(s.move.act, s.action) for s in result.steps] == [
        ("take", 0),
        ("pick", UNWRITTEN),
        ("lay", 1),
        ("discard", 2),
    ]
    assert [s.verdict.codes for s in result.steps] == [(), ("BELOW_MINIMUM",), (), ()]
    assert all(a.after is b.before for a, b in pairwise(result.steps))


def test_what_cannot_be_done_stops_the_turn_and_names_its_action() -> None:
    result = played(f"N at play; hand.N 459; pile 6; {OPENED}; stock ?30", "4/Q -9")
    assert result.stopped is not None
    assert result.stopped_at == 0
    result = played("N at play; hand.N 459; pile 6; stock ?30", "-K")
    assert (result.stopped_at, result.ruling) == (0, Ruling.ILLEGAL)


def test_another_seat_acts_out_of_turn() -> None:
    result = played("N at play; hand.N 459; hand.E 78; pile 6; stock ?30", "-7", seat=1)
    assert result.codes == ("NOT_YOUR_TURN",)


# given, what is written, the findings, how things lie afterwards
DIFFERENCES = {
    "another card was drawn": ("N at start; hand.N 449; pile 6; stock ?30 5 K", "+5 -9", ["PL0014"], "hand.N 445; stock ?30 K"),
    "another card lay on top": (
        f"N at start; hand.N KK49; pile K 5; {OPENED}; stock ?30", "^KKK -4", ["PL0014"], "melds.NS JJJ KKK; hand.N 95",
    ),
    "a card was drawn that is nowhere": ("N at start; hand.N 449; pile 6; stock 5 K", "+7 -9", ["PL0014"], "hand.N 447; stock 5"),
    "too many cards were drawn": ("N at start; hand.N 449; pile 6; stock ?30", "+KQ -9", ["PL0013"], "pile 69"),
    "a shown card that was not held": ("N at start; hand.N 449; pile 6; stock ?30", "3r+5 +K -9", ["PL0017"], "hand.N 44K"),
    "a shown card that no rule shows": ("N at start; hand.N 9?11; pile 6; stock ?30", "K+5 +Q -9", ["PL0018"], "hand.N Q?11"),
    "a sign that the game does not know": ("N at play; hand.N 449; pile 6; stock ?30", "knock", ["PL0012"], "N at play; hand.N 449"),
    "two cards that could be meant": ("N at play; hand.N 3s3h9; pile 6; stock ?30", "-3", ["PL0015"], "hand.N 39"),
    "a card that is not in the pack": ("N at play; hand.N 449; pile 6; stock ?30", "-9", [], "pile 69"),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENCES)
def test_where_record_and_table_differ_it_is_said(name: str) -> None:
    given, do, ids, after = DIFFERENCES[name]
    after = after.replace("hand.N 39", "hand.N 3h9")
    result = played(given, do)
    assert [d.id for d in result.findings] == ids
    for d in result.findings:
        assert explain(d.id) is not None
        assert d.span is not None
        assert d.span.file == "do"
    lies(result, after)


def test_a_rank_that_the_pack_has_not() -> None:
    result = played("N at play; hand.N 4c4h5h; pile 6c; stock ?5", "-9", game=GAMES["runs"])
    assert [d.id for d in result.findings] == ["PL0004"]
    assert result.stopped is not None


def test_several_melds_that_could_be_meant() -> None:
    given = "N at play; hand.N 7h6h; melds.N 7c7c 4h5h6h; opened.N; stock ?3"
    result = played(given, "7h -6h", game=GAMES["runs"])
    assert [d.id for d in result.findings] == ["PL0016"]
    lies(result, "melds.N 7c7c7h 4h5h6h", GAMES["runs"])
    named = played(given, "7h/4h -6h", game=GAMES["runs"])
    assert named.findings == ()
    lies(named, "melds.N 7c7c 4h5h6h7h", GAMES["runs"])


# -- whole games -----------------------------------------------------------------------------------------------------


def turns_of(game: Game, seed: int, most: int) -> Iterator[tuple[State, list[Move], list[State]]]:
    """Play at random; give each turn: the state at its beginning, its moves, and the states after them."""
    state = game.start(shuffled_pack(game, seed), 0)
    player = RandomPlayer(game, SplitMix64(derive(seed, 1, 1)))
    for _ in range(most):
        if state.over:
            return
        first, moves, states = state, list[Move](), list[State]()
        while not state.over and state.turn_no == first.turn_no:
            moves.append(player.choose(state))
            state = game.turn.perform(state, moves[-1])
            states.append(state)
        yield first, moves, states


def written(game: Game, first: State, moves: list[Move], states: list[State]) -> list[Action]:
    """Write the moves of a turn as a person would, each meld named by a card of it."""
    names = card_names(game.ruleset, game.deck)
    actions: list[Action] = []
    state = first
    for move, after in zip(moves, states, strict=True):
        act = game.ruleset.acts[move.act]
        kind = Written(act.written)
        cards = tuple(names.card(c) for c in move.cards)
        target = None
        if act.choose == "part":
            target = target_of(game, state, move)
            if act.top:
                stack = game.turn.judge.stack(state, act.top, move.seat)
                cards = (names.card(stack.cards[-1]), *cards)
        word = act.options.index(act.option_type.words[move.option]) if act.option_type else 0
        if kind is Written.DRAW:
            order = game.turn.judge.stack(state, game.ruleset.table.order, move.seat).cards
            gone = len(order) - len(game.turn.judge.stack(after, game.ruleset.table.order, move.seat).cards)
            drawn = [names.card(c) for c in order[::-1][:gone]]
            actions.append(Action(kind, tuple(drawn[:1])))
            actions += [Action(Written.SHOW, (old,), replacement=(new,)) for old, new in pairwise(drawn)]
        else:
            actions.append(Action(kind, cards, target, word=("yes", "no")[word] if kind is Written.ANSWER else ""))
        state = after
    return actions


def target_of(game: Game, state: State, move: Move) -> Target:
    if move.group == NEW_GROUP:
        return Target(None)
    names = card_names(game.ruleset, game.deck)
    groups = game.turn.judge.groups(state, game.ruleset.acts[move.act], move.seat)
    group = next(g for g in groups if g.gid == move.group)
    form = game.machine.shapes.forms[group.shape]
    kind = next(k for k, n in enumerate(group.cards) if n and form.body[k])
    return Target(names.card(kind), 1 + [g.gid for g in groups if g.cards[kind]].index(group.gid))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_what_was_played_is_played_again_from_what_is_written(name: str, seed: int) -> None:
    game = GAMES[name]
    for first, moves, states in turns_of(game, seed, 60):
        for door in Door:
            result = play_turn(game, first, written(game, first, moves, states), door=door)
            assert result.findings == ()
            assert result.violations == ()
            assert write_position(of_state(game, result.state)) == write_position(of_state(game, states[-1]))


def blind(game: Game, state: State) -> State:
    """Forget every hand and the order of the stock."""
    state = state.copy()
    state.open = True
    for hand in state.zone(game.machine.hand):
        hand[:] = [0] * game.deck.size + [sum(hand)]
    stock = game.turn.judge.stack(state, game.ruleset.table.order, 0)
    stock.cards[:] = [game.deck.size] * len(stock.cards)
    stock.counts[:] = [0] * game.deck.size + [len(stock.cards)]
    return state


@pytest.mark.parametrize("name", ["classic", "runs"])
@pytest.mark.parametrize("seed", range(3))
def test_legal_turns_are_never_illegal_for_one_who_sees_no_hand(name: str, seed: int) -> None:
    game = GAMES[name]
    count = 0
    for first, moves, states in turns_of(game, seed, 60):
        result = play_turn(game, blind(game, first), written(game, first, moves, states))
        assert result.codes == ()
        assert result.findings == ()
        for zone in game.ruleset.zones.values():
            if zone.form.value == "groups":
                seen, known = result.state.zone(zone.index), states[-1].zone(zone.index)
                assert [[g.cards for g in x] for x in seen] == [[g.cards for g in x] for x in known]
        count += 1
    assert count


# -- cards that are not held, in positions without suits -----------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "uruguay", "cuban", "samba", "bolivia"])
@pytest.mark.parametrize("turn", ["Ah -9", "AhAdAs -9", "-Ah", "KKK -Ah"])
def test_a_card_not_held_is_named_once_in_a_position_without_suits(rules: str, turn: str) -> None:
    given = "N at play; hand.N KKK459; melds.NS QQQ; opened.NS; stock ?30"
    result = played(given, turn, game=open_game(rules))
    assert result.codes == ("CARD_NOT_HELD",)
    assert [d.id for d in result.findings if d.id != "PL0015"] == []  # which of equal kings is meant may be asked


def test_what_is_wrong_with_a_card_is_told_once() -> None:
    given = "N at play; hand.N KcKdKs4c5d9h7c7d7h7s; pile 5c; stock ?20"
    result = played(given, "^Jk7c -9", game=open_game("gin"))
    assert [d.message for d in result.findings if d.id == "PL0004"] == ["there is no card Jk in this pack"]
