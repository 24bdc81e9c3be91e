"""Two groups that become one: what of them stays, what is judged, how it is written, and how it is taken back."""

import pytest

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.position_text import parse_position, write_position
from canasta.notation.record import Action, Target, Written
from canasta.notation.turns import parse_turn
from canasta.notation.writer import write_actions
from canasta.playing.binding import play_turn
from canasta.playing.describing import of_state
from canasta.playing.positions import to_state

TABLE = "N at play; hand.N K249; melds.NS KKKK QQQ KKK; opened.NS; source from_stock; pile 6; stock ?30"


@pytest.fixture(scope="module")
def samba() -> Game:
    return open_game("samba")


def set_up(game: Game, text: str) -> State:
    position, findings = parse_position(text, "test")
    assert position is not None, findings
    return to_state(game, position)


def turn(game: Game, text: str, do: str) -> tuple[State, tuple[str, ...]]:
    actions, findings = parse_turn(do, "test")
    assert not findings
    played = play_turn(game, set_up(game, text), actions)
    return played.state, played.codes


def melds(state: State, game: Game, side: int = 0) -> list[int]:
    return [g.size for g in state.zone(game.ruleset.zones["melds"].index)[side]]


def test_the_first_of_two_groups_stays_whichever_is_named_first(samba: Game) -> None:
    for do in ("K.2/K -9", "K.1/K.2 -9", "K.2/K.1 -9"):
        state, codes = turn(samba, TABLE, do)
        assert codes == ()
        assert melds(state, samba) == [7, 3]


def test_cards_laid_before_and_after_uniting_come_to_the_same(samba: Game) -> None:
    ends = {
        tuple(melds(turn(samba, TABLE, do)[0], samba)) for do in ("K/K.1 K.2/K -9", "K/K.2 K.2/K -9", "K.2/K K/K -9")
    }
    assert ends == {(8, 3)}


def test_the_rules_look_at_the_one_group(samba: Game) -> None:
    wilds = TABLE.replace("KKKK", "KKKK22").replace(" KKK;", " KKKJk;")
    assert turn(samba, wilds, "K.2/K -9")[1] == ("TOO_MANY_WILDS",)
    assert turn(samba, TABLE, "2/K.1 K.2/K -9")[1] == (), "no canasta lay there when the play began"
    canasta = TABLE.replace("KKKK", "KKKKKKK")
    assert turn(samba, canasta, "2/K.1 K.2/K -9")[1] == ("WILD_ONTO_CANASTA",)


def test_groups_of_different_ranks_make_no_group(samba: Game) -> None:
    assert turn(samba, TABLE, "Q.1/K -9")[1] == ("NO_MELD",)


def test_a_group_that_is_not_there_cannot_be_united(samba: Game) -> None:
    assert turn(samba, TABLE, "A.1/K -9")[1] == ("NO_SUCH_MELD",)
    assert turn(samba, TABLE, "Q.1/Q -9")[1] == ("NO_SUCH_MELD",)


def test_uniting_is_listed_once_for_each_pair(samba: Game) -> None:
    state = set_up(samba, TABLE)
    listed = [m for m in samba.legal(state).moves if m.act == "unite"]
    groups = state.zone(samba.ruleset.zones["melds"].index)[0]
    assert listed == [Move("unite", 0, (), groups[0].gid, other=groups[2].gid)]


def test_what_was_united_is_dropped_with_the_draft(samba: Game) -> None:
    state = set_up(samba, TABLE)
    (move,) = (m for m in samba.legal(state).moves if m.act == "unite")
    united = samba.apply(state, move)
    assert melds(united, samba) == [7, 3]
    assert samba.drop(united) is state


def test_a_position_in_mid_play_tells_what_was_united(samba: Game) -> None:
    state = set_up(samba, TABLE)
    (move,) = (m for m in samba.legal(state).moves if m.act == "unite")
    united = samba.apply(state, move)
    text = write_position(of_state(samba, united))
    assert "laid play unite:" in text
    again = set_up(samba, text)
    assert write_position(of_state(samba, again)) == text
    assert sorted(melds(samba.drop(again), samba)) == [3, 3, 4]


def test_the_sign_reads_back_as_it_was_written() -> None:
    actions, findings = parse_turn("K.2/K 4h.1/8h.2 -9", "test")
    assert not findings
    assert actions[0] == Action(Written.UNITE, target=Target(actions[0].target.card, 0), other=actions[0].other)  # type: ignore[union-attr]
    assert write_actions(actions) == "K.2/K 4h.1/8h.2 -9"


def test_who_can_go_out_only_by_uniting_is_not_stranded(samba: Game) -> None:
    text = "N at play; hand.N 9; melds.NS KKKK QQQQQQQ KKK; opened.NS; source from_stock; pile 6; stock ?30"
    state, codes = turn(samba, text, "K.2/K -9")
    assert codes == ()
    assert state.reason == "out"
    assert turn(samba, text, "-9")[1] == ("NO_CANASTA",)


def test_a_group_that_lay_keeps_its_shape_and_one_that_does_not_grow_takes_nothing() -> None:
    bolivia, handbook = open_game("bolivia"), open_game("bolivia/handbook")
    wilds = "N at play; hand.N KKK49; melds.NS 222; opened.NS; source from_stock; pile 6; stock ?30"
    assert turn(bolivia, wilds, "KKK/2 -9")[1] == ("NO_MELD",)
    for name in ("bolivia,most_wilds=18", "cuban", "uruguay"):
        assert turn(open_game(name), wilds, "KK/2 -9")[1] == ("NO_MELD",), name
    blacks = "N at play; hand.N 3s49; melds.NS 3s3c3c; opened.NS; source from_stock; pile 6; stock ?30"
    assert turn(handbook, blacks, "3s/3c -9")[1] == ("NO_SUCH_MELD",)
