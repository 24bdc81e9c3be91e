"""Records of every depth are replayed: what is wrong is named with its place, what cannot be known is left open."""

from dataclasses import replace
from pathlib import Path

import pytest

from canasta.diagnostic_ids import all_ids, explain
from canasta.diagnostics import Diagnostic, Severity
from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.notation import record as r
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.reader import read_text
from canasta.notation.record import Depth
from canasta.notation.writer import write
from canasta.playing.pad import Pad
from canasta.playing.recording import PlayedDeal, record_match
from canasta.playing.replay import replay, replay_all
from canasta.playing.report import MatchReport
from canasta.random_play import play_match, shuffled_pack
from canasta.rooms import room
from canasta.shuffle import derive

GAMES = Path(__file__).parent / "games"
MINI = Path(__file__).parent / "mini" / "runs.yaml"


def read(text: str) -> r.Record:
    (record,), found = read_text(text, "it.cgn")
    assert [d for d in found if d.severity is Severity.ERROR] == []
    return record


def run(text: str, rules: str | None = None) -> MatchReport:
    return replay(read(text), rules)


def found(text: str, rules: str | None = None) -> list[tuple[str, str, int]]:
    """Find the id, clause and line of each finding."""
    return [(d.id, d.clause, d.span.line if d.span else 0) for d in run(text, rules).findings]


HANDS = """hand N 5c5d5h6c6d7c7d8c8dKcKd
hand E 4c4d4h9c9d9hTcTdThJcJd
hand S QcQdQhQsAcAdAhAsJhJs2c
hand W 4s5s6s7s8s9sTsKhKs2d2h
"""
STOCK = (
    "stock 8hKc6h3d4c5c6c7c8c9c TcJcQcAc2c3c4d5d6d7d 8d9dTdJdQdKdAd2d3d4h 5h6h7h8h9hThJhQhKhAh 2h3h4s5s6s7s8s9sTsJs "
    "QsKsAs2s2s3s3s3c3hJk JkJkJk7h\n"
)
FULL = HANDS + STOCK + "up 8h\n"

# ---- every finding ----

SHOWN: dict[str, tuple[str, str, int]] = {
    "PL0020": ("Deal 1 dealer W\nup 6c\nN 444 -9\n", "opening.minimum", 3),
    "PL0021": (f"Deal 1 dealer W\n{FULL}N +Kc AcAdAh -5c\n", "turn.cards-held", 8),
    "PL0023": ("Deal 1 dealer W\nhand N KKK\nup 6c\nN 7\n", "deal.hands", 2),
    "PL0024": (f"Deal 1 dealer W\n{FULL.replace('up 8h', 'up Kc')}N +8h 5c\n", "", 7),
    "PL0025": ("Deal 1 dealer W\nup 3c\nN 7\n", "upcard.cover", 2),
    "PL0026": ("Deal 1 dealer W\nseed 99999999999999999999\nN 7c\n", "", 2),
    "PL0027": ("Deal 1 dealer W\nhand N KKKKKKKKKQQ\nup 6\nN 7\n", "", 2),
    "PL0028": ("Deal 1 dealer W\nup 6c\nN 7c =hnad.N:11\n", "", 3),
    "PL0029": ("Deal 1 dealer W\nup 6c\nN 7c\nE 2c =frozen:no\n", "pile.frozen", 4),
    "PL0030": ("Deal 1 dealer W\nup 6c\nN 4?4 -9\n", "melds.form", 3),
    "PL0031": ("Deal 1 dealer W\nup 6c\nN 7c\nend out E\n", "", 4),
    "PL0032": ("Deal 1 dealer W\nup 6c\nN KKKK AAA -7\nmelds NS KKK AAA\n", "", 4),
    "PL0033": ("Deal 1 dealer W\nmelds NS KKKKKKK\nleft E 4\nleft S 4\nleft W 4\nend out N\nNS: 500 65\nEW: 0 -10\n",
               "", 7),
    "PL0034": ("Deal 1 dealer W\nup 6c\nN 7\n\nDeal 2 dealer N\nup 6c\nE 7\n", "", 1),
    "PL0035": ("Deal 1 dealer W\nNS: 300 100\nEW: flowers 20\n", "", 3),
    "PL0036": ("Deal 1 dealer W\nNS: 350 100\nEW: 0 -10\n", "", 2),
    "PL0037": ("Deal 1 dealer W\nNS: 300 100\nEW: 0 0\n\nDeal 2 dealer E\nNS: 0 0\nEW: 0 0\n", "deal.rotation", 5),
    "PL0038": ("Deal 1 dealer W\nNS: 5000 100\nEW: 0 0\n\nDeal 2 dealer N\nNS: 0 0\nEW: 0 0\n", "match.winner", 5),
    "PL0039": ('[Rules "classic"]\n[Seats "A B C"]\nDeal 1 dealer A\nB 7\n', "", 1),
    "PL0044": ("Deal 1 dealer W\nup 6c\nN +K\nE 7\n", "", 3),
    "PL0043": ("Deal 1 dealer W\nup 6c\nN KKKKKKK QQQQ -J\nE 7\n", "going-out.ends", 4),
}  # fmt: skip
ELSEWHERE = {
    "PL0022": "test_a_card_that_the_pack_does_not_have",
    "PL0040": "test_convert.py",
    "PL0041": "test_convert.py",
    "PL0042": "test_convert.py",
    "PL0045": "test_counting.py",
    "PL0046": "test_named_rules.py",
    "PL0047": "test_unfinished.py",
    "PL0048": "test_parties.py",
    "PL0049": "test_parties.py",
}


def test_every_id_is_shown_here_or_elsewhere() -> None:
    mine = {i for i in all_ids() if i.startswith("PL") and i >= "PL0020"}
    assert mine == set(SHOWN) | set(ELSEWHERE)


@pytest.mark.parametrize("id_", SHOWN)
def test_finding(id_: str) -> None:
    text, clause, line = SHOWN[id_]
    mine = [d for d in run(text).findings if d.id == id_]
    assert mine, run(text).findings
    assert (mine[0].clause, mine[0].span.line if mine[0].span else 0) == (clause, line)
    assert mine[0].hint
    assert explain(id_) is not None


def test_a_card_that_the_pack_does_not_have() -> None:
    text = '[Seats "N S"]\nDeal 1 dealer S\nhand N 45K7\nN 4c\n'
    assert found(text, str(MINI))[0] == ("PL0022", "", 3)


# ---- what the table did about it ----


def test_what_stood_is_a_warning_and_what_was_taken_back_a_note() -> None:
    text = "Deal 1 dealer W\nup 6c\nN 444 !stood -9\nE AAA 77 !back -4\nS KKK Q -5 !pen NS -50\n"
    report = run(text)
    assert [(d.code, d.severity) for d in report.findings] == [
        ("BELOW_MINIMUM", Severity.WARNING),
        ("MELD_TOO_SHORT", Severity.NOTE),
        ("MELD_TOO_SHORT", Severity.WARNING),
        ("TOO_FEW_NATURALS", Severity.WARNING),
    ]
    hands = [t.after.zone(open_game("classic").ruleset.zones["hand"].index) for t in report.deals[0].turns]
    assert sum(hands[1][1]) == 8


def test_a_turn_taken_back_whole_leaves_the_position_as_it_was() -> None:
    report = run("Deal 1 dealer W\nup 6c\nN !back 444 -9\nN 7\n")
    first, second = report.deals[0].turns
    assert first.after is first.before
    assert second.findings == ()
    assert [d.severity for d in first.findings] == [Severity.NOTE]


OUT = "Deal 1 dealer W\nup 6c\nN KKKKKKK QQQQ -J{}\nend out N\n"


def test_a_penalty_counts_in_the_score() -> None:
    left = "left E 44445555666\nleft S 44445555666\nleft W 77777778888\n"
    items = "NS: natural 500 out 100 concealed 100 melded 110 hand -55 penalty -100\nEW: 0 -130\n"
    text = OUT.format(" !pen NS -100") + left
    report = run(text + items)
    assert report.findings == ()
    assert report.deals[0].scored == run(text).deals[0].scored == {"NS": 655, "EW": -130}
    assert [d.id for d in run(OUT.format("") + left + items).findings] == ["PL0033"]


def test_after_a_forgotten_discard_the_next_turn_is_judged_as_usual() -> None:
    report = run("Deal 1 dealer W\nup 6c\nN KKK 444 2JJ\nE 7c =opened.NS =hand.N:2 =minimum.EW:50\nS 5 =pile:4\n")
    assert [(d.id, d.span.line if d.span else 0) for d in report.findings] == [("PL0044", 3)]
    told = run(f"Deal 1 dealer W\n{FULL}N +Kc\nE +6h 4c =hand.E:11\nS +3d 3d+4c 4c\n")
    assert [(d.id, d.span.line if d.span else 0) for d in told.findings] == [("PL0044", 8)]


# ---- depth ----


def test_a_score_pad_gives_totals_the_next_minimum_and_the_winner() -> None:
    text = (room("grammar") / "examples" / "score-pad.cgn").read_text(encoding="utf-8")
    report = run(text)
    assert report.depth is Depth.PAD
    assert report.findings == ()
    assert report.totals == {"NS": 5110, "EW": 3025}
    assert report.winners == ("NS",)
    assert [deal.steps["minimum"] for deal in report.deals[:4]] == [
        {"NS": 50, "EW": 50},
        {"NS": 50, "EW": 90},
        {"NS": 50, "EW": 90},
        {"NS": 90, "EW": 120},
    ]


def test_a_record_that_begins_in_the_middle_goes_on_from_its_totals() -> None:
    report = run("Deal 5\nNS: 300 100 total 2000\nEW: 0 0 total -50\n")
    assert report.totals == {"NS": 2000, "EW": -50}
    assert report.deals[0].steps["minimum"] == {"NS": 90, "EW": 15}


@pytest.mark.parametrize("name", ["full-match", "melds", "moves", "kitchen-table"])
def test_the_examples_hold_no_error(name: str) -> None:
    text = (room("grammar") / "examples" / f"{name}.cgn").read_text(encoding="utf-8")
    records, _ = read_text(text, name)
    reports = list(replay_all(records))
    assert [d for report in reports for d in report.findings if d.severity is Severity.ERROR] == []


def test_the_same_match_in_moves_ends_with_the_same_totals() -> None:
    totals = []
    for name in ("full-match", "moves", "score-pad"):
        text = (room("grammar") / "examples" / f"{name}.cgn").read_text(encoding="utf-8")
        totals.append(run(text).totals)
    assert totals[0] == totals[1] == totals[2]


def test_melds_are_scored_and_judged() -> None:
    text = (
        "Deal 1 dealer W\nmelds NS KKKKKK2 55\nmelds EW 4444\nreds NS 2\nreds EW 1\n"
        "left E K\nleft S\nleft W 55\nleft N\nend out N\n"
    )
    report = run(text)
    assert [(d.clause, d.code) for d in report.findings] == [("melds.size", "MELD_TOO_SHORT")]
    assert report.deals[0].items == {
        "NS": {"mixed_canastas": 300, "going_out": 100, "red_threes": 200, "melded_cards": 90},
        "EW": {"red_threes": 100, "melded_cards": 20, "cards_left": -20},
    }


def test_red_threes_count_against_a_side_that_has_laid_nothing() -> None:
    report = run("Deal 1 dealer W\nmelds NS KKKKKKK\nreds EW 4\nleft E K\nleft S\nleft W 5\nend out N\n")
    assert report.deals[0].items["EW"] == {"red_threes": -800, "cards_left": -15}


def test_hidden_hands_leave_the_score_open_within_bounds() -> None:
    text = OUT.format("") + "NS: 700 {}\n"
    forgotten = ("PL0034", "", 1)  # what the other side scored is not on the pad
    assert found(text.format(55)) == [forgotten]
    assert found(text.format(-205)) == [forgotten]
    assert sorted(found(text.format(80))) == [("PL0033", "", 5), forgotten]
    assert "EW" not in run(text.format(55)).deals[0].scored


# ---- setting up ----


def test_a_seed_deals_what_the_stated_shuffle_deals() -> None:
    game = open_game("classic", by_face=True)
    state = game.start(shuffled_pack(game, 42), 3)
    report = run("Deal 1 dealer W\nseed 42\nN ?\n")
    assert report.deals[0].start is not None
    zone = game.machine.hand
    assert report.deals[0].start.zone(zone) == state.zone(zone)


def test_red_threes_may_be_laid_in_any_order_before_the_first_draw() -> None:
    lines = FULL.replace("hand N 5c", "hand N 3d").replace("2d3d4h", "2d5c4h")
    before = lines.replace("up 8h", "N 3d+Kc\nup 8h").replace("stock 8hKc", "stock Kc8h")
    after = lines.replace("up 8h\n", "up 8h\nN 3d+Kc\n")
    on_turn = lines
    first = {}
    for name, text in {"before": before, "after": after, "on_turn": on_turn}.items():
        turn = "N 3d+Kc +6h 6h\n" if name == "on_turn" else "N +6h 6h\n"
        report = run(f"Deal 1 dealer W\n{text}{turn}")
        assert report.findings == (), name
        first[name] = report.deals[0].start
    game = open_game("classic", by_face=True)
    zones = [z.index for z in game.ruleset.zones.values() if z.name != "melds"]
    for zone in zones[1:]:
        contents = [s.zone(zone) for s in first.values() if s is not None]
        plain = [c.cards if hasattr(c, "cards") else c for c in contents]
        assert plain[0] == plain[1] == plain[2]


def test_red_threes_that_are_not_written_are_laid_all_the_same() -> None:
    lines = FULL.replace("hand N 5c", "hand N 3d").replace("2d3d4h", "2d5c4h")
    report = run(f"Deal 1 dealer W\n{lines}N +6h 6h =shown.NS:1 =hand.N:11\n")
    assert report.findings == ()


def test_an_upcard_that_was_left_stays_on_the_pile() -> None:
    report = run("Deal 1 dealer W\nup 2c\nN 7c =pile:2 =frozen\n")
    assert [d.clause for d in report.findings] == ["upcard.cover"]


# ---- what was played comes back ----


def played_match(game: Game, name: str, seed: int, deals: int) -> r.Record:
    played = [PlayedDeal(n, pack, first, moves) for n, pack, first, moves, _ in play_match(game, seed, deals)]
    return record_match(game, played, [r.Tag("Rules", name)])


@pytest.mark.parametrize("name", ["classic", "classic:hoyle", "classic:pagat", "classic:article"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_that_was_played_and_written_replays_without_a_finding(name: str, seed: int) -> None:
    game = open_game(name, by_face=True)
    record = played_match(game, name, seed, 3)
    report = replay(read(write(record)))
    assert report.findings == ()
    assert [deal.scored for deal in report.deals] == [{s.side: s.sum for s in deal.scores} for deal in record.deals]


def with_seeds(record: r.Record, seed: int) -> r.Record:
    """Leave hands, stock, upcards and red threes to the seed of each deal."""
    deals = []
    for deal in record.deals:
        lines = [x for x in deal.lines if not isinstance(x, r.Hand | r.Stock | r.Upcards)]
        deals.append(replace(deal, lines=(r.Seed(derive(seed, deal.number, 0)), *lines)))
    return replace(record, deals=tuple(deals))


def without_hidden_cards(record: r.Record) -> r.Record:
    """Leave out what a watcher at the table does not see: hands, stock, and which cards were drawn, but for red threes."""

    def hide(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(c if str(c) in ("3d", "3h") else UNKNOWN for c in cards)

    def seen(line: r.Line) -> r.Line:
        if not isinstance(line, r.Turn):
            return line
        actions = [replace(a, cards=hide(a.cards)) if a.kind == "draw" else a for a in line.actions]
        return replace(line, actions=tuple(replace(a, replacement=hide(a.replacement)) for a in actions))

    return replace(
        record,
        deals=tuple(
            replace(d, lines=tuple(seen(x) for x in d.lines if not isinstance(x, r.Hand | r.Stock)))
            for d in record.deals
        ),
    )


@pytest.mark.parametrize("name", ["classic", "classic:hoyle"])
def test_a_seed_tells_as_much_as_all_the_cards(name: str) -> None:
    record = with_seeds(played_match(open_game(name, by_face=True), name, 3, 2), 3)
    assert record.deals[0].depth is Depth.FULL
    assert replay(read(write(record))).findings == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_legal_match_is_never_found_illegal_because_cards_are_hidden(seed: int) -> None:
    full = played_match(open_game("classic", by_face=True), "classic", seed, 2)
    watched = without_hidden_cards(full)
    assert watched.deals[0].depth is Depth.MOVES
    report = replay(read(write(watched)))
    assert [d for d in report.findings if d.severity is not Severity.NOTE] == []
    assert report.totals == replay(full).totals


def test_hardly_a_changed_discard_goes_unnoticed() -> None:
    """A few changes give another game that is just as legal; a digest tag is there for those."""
    lines = (GAMES / "games-hub-03.cgn").read_text(encoding="utf-8").split("\n")
    known = {(d.id, d.clause) for d in replay(read("\n".join(lines))).findings}
    turns = [i for i, line in enumerate(lines) if line[:3] in ("N +", "E +", "S +", "W +") and "=hand" in line]
    tried = turns[:: len(turns) // 20]
    noticed = 0
    for at in tried:
        words = lines[at].split()
        place = next(i for i, word in enumerate(words) if word.startswith("=")) - 1
        discard = words[place].lstrip("-")
        words[place] = words[place].replace(discard, "Kd" if discard != "Kd" else "4c")
        text = "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]])
        noticed += {(d.id, d.clause) for d in replay(read(text)).findings} != known
    assert len(tried) >= 20
    assert noticed >= 0.9 * len(tried)


def test_one_record_after_another_is_replayed_and_none_is_kept() -> None:
    records = (read("Deal 1 dealer W\nup 6c\nN 7\n") for _ in range(3))
    reports = replay_all(records)
    assert next(reports).findings == ()
    assert len(list(reports)) == 2


# ---- rule sets ----


def test_a_rule_set_that_does_not_exist_is_a_finding_at_the_tag() -> None:
    report = run('[Rules "klassik"]\nDeal 1 dealer W\nN 7\n')
    assert report.findings
    assert report.findings[0].span is not None
    assert report.findings[0].span.line == 1
    assert report.deals == ()


def test_options_of_the_tag_are_used() -> None:
    text = '[Rules "classic,upcard_black_three=keep"]\nDeal 1 dealer W\nup 3c\nN 7\n'
    assert found(text) == []


def test_the_names_of_a_pad_are_understood_as_people_write_them() -> None:
    pad = Pad(open_game("classic").ruleset)
    assert {
        name: pad.items(name) for name in ("natural", "mixed", "out", "hand", "melded", "penalty", "reds", "canasta")
    } == {
        "natural": ("natural_canastas",),
        "mixed": ("mixed_canastas",),
        "out": ("going_out",),
        "hand": ("cards_left",),
        "melded": ("melded_cards",),
        "penalty": ("penalties",),
        "reds": ("red_threes",),
        "canasta": (),
    }
    assert pad.items("count") == ("melded_cards", "cards_left")
    assert pad.possible(r.Item("base", 0)) == 100
    assert pad.possible(r.Item("count", 0)) == 5


def test_departures_are_findings_without_notes() -> None:
    report = run("Deal 1 dealer W\nup 3c\nN 7\n\nDeal 2 dealer N\nup 6\nE 7\n")
    notes = [d for d in report.findings if d.severity is Severity.NOTE]
    assert len(notes) == 1
    assert set(report.departures) == set(report.findings) - set(notes)
    assert all(isinstance(d, Diagnostic) for d in report.departures)


THREES_UNSEEN = '[Rules "modern-american"]\nDeal 1 dealer W\n{up}N +? -9\nE +? -9\nS +? -8\nW +? -7\nN +? -K\n'


def test_what_unseen_hands_leave_in_doubt_is_told_once_for_each_deal() -> None:
    one = THREES_UNSEEN.format(up="")
    two = one + "\n" + one.partition("\n")[2].replace("Deal 1 dealer W", "Deal 2 dealer N")
    for text, deals in ((one, 1), (two, 2)):
        doubts = [d.code for d in replay(read(text)).findings if d.id == "PL0030"]
        assert doubts == ["THREES_FIRST", "THREES_AT_THE_END"] * deals


def test_what_is_in_doubt_of_a_meld_is_told_for_every_meld() -> None:
    report = replay(read("Deal 1 dealer W\nup 6c\nN 4?4 -9\nE -9\nS 5?5 -9\n"))
    told = [(d.clause, d.span.line if d.span else 0) for d in report.findings if d.id == "PL0030"]
    assert {3, 5} <= {line for clause, line in told if clause == "melds.form"}


def test_a_card_turned_up_where_the_game_turns_none_is_told_as_that() -> None:
    (found,) = [d for d in replay(read(THREES_UNSEEN.format(up="up 7c\n"))).findings if d.id == "PL0025"]
    assert "7c was turned up, and in this game no card is turned up" in found.message
