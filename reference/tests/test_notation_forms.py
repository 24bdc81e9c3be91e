"""What may be typed, and the one form in which it is written; what each sign of a turn means."""

import statistics

import pytest

from canasta.notation import record as r
from canasta.notation.cards import UNKNOWN, Card, CardFault, read_cards, write_cards
from canasta.notation.reader import read_text
from canasta.notation.record import Action, Depth, Mark, MarkKind, Target, Written
from canasta.notation.turns import parse_turn
from canasta.notation.writer import write, write_action
from canasta.rooms import room


def only(text: str) -> r.Record:
    records, found = read_text(text, "t.cgn")
    assert not found
    assert len(records) == 1
    return records[0]


def acted(turn: str) -> tuple[Action, ...]:
    actions, found = parse_turn(turn, "t")
    assert not found
    return actions


K, SEVEN, TWO = Card("K"), Card("7", "c"), Card("2")


@pytest.mark.parametrize(
    ("typed", "language", "written"),
    [
        ("10d", "en", "Td"),
        ("kdKDK♦", "en", "KdKdKd"),
        ("xXJk", "en", "JkJkJk"),
        ("xr", "en", "Jkr"),
        ("JKq", "en", "JKQ"),
        ("k,k,2", "en", "KK2"),
        ("?1", "en", "?"),
        ("K?3", "en", "K?3"),
        ("??", "en", "?2"),
        ("?,9c", "en", "?,9c"),
        ("3r3B", "en", "3r3b"),
        ("\u0422\u041a\u0414\u0412", "ru", "AKQJ"),
        ("\u0442d\u0414\u0436" + "10", "ru", "AdJkT"),
        ("TKDV10", "lt", "AKQJT"),
        ("TdDd", "lt", "AdQd"),
        ("KQJT", "sk", "KQJT"),
    ],
)
def test_cards_may_be_typed_in_several_ways(typed: str, language: str, written: str) -> None:
    cards = read_cards(typed, language)
    assert not isinstance(cards, CardFault)
    assert write_cards(cards) == written
    assert read_cards(write_cards(cards, language), language) == cards


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("n  7C", "N 7c"),
        ("n -7c", "N 7c"),
        ("n +7c", "N +7c"),
        ("n + 7c", "N +? 7c"),
        ("n +kd 7c", "N +Kd 7c"),
        ("n +kd9c7c", "N +Kd9c7c"),
        ("n kkk 7c", "N KKK -7c"),
        ("n kkk -7c", "N KKK -7c"),
        ("n kkk-7c", "N KKK -7c"),
        ("n kkk 8 7c", "N KKK 8 -7c"),
        ("n kkk 8 OUT", "N KKK 8 out"),
        ("n 8/", "N 8/"),
        ("n 8/8", "N 8/8"),
        ("n 3h+ 7c", "N 3h+? -7c"),
        ("n 3h+9d 7c", "N 3h+9d -7c"),
        ("n +3h+9d 7c", "N +3h +9d 7c"),
        ("n ^", "N ^"),
        ("n ^qqq 88 5h", "N ^QQQ 88 -5h"),
        ("n ^q 5h", "N ^Q -5h"),
        ("n 2x/k 7c", "N 2Jk/K -7c"),
        ("n 88/8.2 kkk/new 7c", "N 88/8.2 KKK/new -7c"),
        ("n 7h8h/4h 7c", "N 7h8h/4h -7c"),
        ("n ?out YES kkk out", "N ?out yes KKK out"),
        ("n pass", "N pass"),
        ("n ^444 pick 5h", "N ^444 pick -5h"),
        ("n knock 5h", "N knock -5h"),
        ("n 77 !Back 5h", "N 77 !back -5h"),
        ("n 5h !pen ns \u2212100", "N 5h !pen NS -100"),
        ("n 5h =hand.n:+5 =frozen:yes", "N 5h =hand.N:5 =frozen"),
        ("n 5h =dealer:N =turn_seat:nobody", "N 5h =dealer:N =turn_seat:nobody"),
        ("n {a} 5h {b} {c}", "N {a} 5h {b} ; c"),
        ("n 5h {a \\} b}", "N 5h ; a } b"),
        ("n ?", "N ?"),
    ],
)
def test_a_turn_has_one_canonical_form(typed: str, canonical: str) -> None:
    assert write(only(typed)) == f"Deal 1\n{canonical}\n"
    assert write(only(canonical)) == f"Deal 1\n{canonical}\n"


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("DEAL 3 w\nns: 300 455", "Deal 3 dealer W\nNS: 300 455"),
        ("deal dealer w\nns: 5", "Deal 1 dealer W\nNS: 5"),
        ("sn: 5", "Deal 1\nNS: 5"),
        ("NS : base 300 count 455=755", "Deal 1\nNS: 300 455 = 755"),
        ("NS: count 455 base 300", "Deal 1\nNS: count 455 base 300"),
        ("NS: points -5 total -5", "Deal 1\nNS: -5 total -5"),
        ("NS: 300 455 penalty -100", "Deal 1\nNS: 300 455 penalty -100"),
        ("ns: total 755", "Deal 1\nNS: total 755"),
        ("UP 2cqh", "Deal 1\nup 2c Qh"),
        ("reds ns 3h3d", "Deal 1\nreds NS 3h3d"),
        ("reds ns 33", "Deal 1\nreds NS 2"),
        ("reds ns 0", "Deal 1\nreds NS 0"),
        ("left n", "Deal 1\nleft N"),
        ("melds ew", "Deal 1\nmelds EW"),
        ("end out n concealed", "Deal 1\nend out N concealed"),
        ("NS: 5\nresult ns 5", "Deal 1\nNS: 5\n\nresult NS 5"),
        ("N 7c\nresult Unfinished", "Deal 1\nN 7c\n\nresult unfinished"),
        ("; a\n{b} {c}\nN 7c", "Deal 1\n; a\n; b\n; c\nN 7c"),
        ("\ufeffN 7c\r\n\r\n  E\t5d", "Deal 1\nN 7c\nE 5d"),
        ("N 7c\n\n; last words", "Deal 1\nN 7c\n\n; last words"),
        ('[ N  "Ana" ] [Mood "a \\" b \\\\ c"] {kept}', '[N "Ana"]\n[Mood "a \\" b \\\\ c"] ; kept'),
    ],
)
def test_a_line_has_one_canonical_form(typed: str, canonical: str) -> None:
    assert write(only(typed)) == f"{canonical}\n"


def test_what_each_sign_of_a_turn_means() -> None:
    assert acted("+K") == (Action(Written.DRAW, (K,)),)
    assert acted("7c") == (Action(Written.DISCARD, (SEVEN,)),)
    assert acted("+ 7c") == (Action(Written.DRAW, (UNKNOWN,)), Action(Written.DISCARD, (SEVEN,)))
    assert acted("^KKK -7c") == (Action(Written.TAKE, (K, K, K)), Action(Written.DISCARD, (SEVEN,)))
    assert acted("2/K -7c")[0] == Action(Written.LAY, (TWO,), Target(K))
    assert acted("KKK/new -7c")[0] == Action(Written.LAY, (K, K, K), Target(None))
    assert acted("K/K.2 -7c")[0] == Action(Written.LAY, (K,), Target(K, 2))
    assert acted("3h+9d -7c")[0] == Action(Written.SHOW, (Card("3", "h"),), replacement=(Card("9", "d"),))
    assert acted("?out yes out") == (Action(Written.ASK), Action(Written.ANSWER, word="yes"), Action(Written.OUT))
    assert acted("pass") == (Action(Written.DECLINE),)
    assert acted("^ pick 7c")[:2] == (Action(Written.TAKE), Action(Written.PICK))


def test_only_a_last_single_card_without_another_discard_is_the_discard() -> None:
    kinds = {text: [a.kind.value for a in acted(text)] for text in ("8 8", "8 -8", "-8 8", "8 out", "88", "8/", "8/8")}
    assert kinds == {
        "8 8": ["lay", "discard"],
        "8 -8": ["lay", "discard"],
        "-8 8": ["discard", "lay"],
        "8 out": ["lay", "out"],
        "88": ["lay"],
        "8/": ["lay"],
        "8/8": ["lay"],
    }


def test_places_of_actions_are_exact() -> None:
    turn = only('Deal 1\n N  +Kd KKK/new -7c !pen N -5 "x" =frozen ; words').deals[0].turns[0]
    assert [str(a.span) for a in turn.actions] == ["t.cgn:2:5", "t.cgn:2:9", "t.cgn:2:17"]
    assert [(m.span.column, m.span.end_column) for m in turn.marks if m.span] == [(21, 34)]
    assert turn.span is not None
    assert (turn.span.column, turn.span.end_column) == (2, 42)


def test_marks_claims_and_comments_know_after_which_action_they_stand() -> None:
    turn = only("N {a} KKK !back {b} 88 =hand.N:9 -7c !stood").deals[0].turns[0]
    assert turn.marks == (Mark(MarkKind.BACK, 1), Mark(MarkKind.STOOD, 3))
    assert turn.claims == (r.Claim("hand", "N", "9", 2),)
    assert turn.comments == (r.Comment("a", 0), r.Comment("b", 1))


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("NS: 300 455", Depth.PAD),
        ("melds NS KKK\nNS: 300 455", Depth.MELDS),
        ("N 7c", Depth.MOVES),
        ("seed 5\nN 7c", Depth.FULL),
        ("hand N 7c\nstock 8d\nN 7c", Depth.FULL),
        ("hand N 7c\nN 7c", Depth.MOVES),
    ],
)
def test_the_depth_follows_from_what_is_written(text: str, depth: Depth) -> None:
    assert only(text).deals[0].depth is depth


def test_other_seats_are_named_by_a_tag() -> None:
    record = only('[Seats "A B C"]\na 7c\nb 5d\nC 9s\nCA: 5\n')
    assert [turn.seat for turn in record.turns()] == ["A", "B", "C"]
    assert record.deals[0].scores[0].side == "AC"
    assert record.seats == ("A", "B", "C")


def test_a_record_keeps_the_letters_of_its_language() -> None:
    text = '[Language "lt"]\n\nDeal 1\nN DD2 -10d\n'
    record = only(text)
    assert record.deals[0].turns[0].actions[0].cards == (Card("Q"), Card("Q"), TWO)
    assert write(record) == text


def test_a_turn_costs_six_keys_or_fewer() -> None:
    text = (room("grammar") / "examples" / "moves.cgn").read_text(encoding="utf-8")
    costs = []
    for turn in only(text).turns():
        acts = [write_action(turn.actions, at).replace("Jk", "x").lower() for at in range(len(turn.actions))]
        if turn.actions[-1].kind is Written.DISCARD:
            acts[-1] = acts[-1].removeprefix("-")
        line = " ".join([turn.seat.lower(), *acts])
        assert only(line).deals[0].turns[0].actions == turn.actions
        shifts = sum(sign in "^+?" for sign in line)
        costs.append(len(line) + shifts + len("\n"))
    assert statistics.median(costs) <= 6
