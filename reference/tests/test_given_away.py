"""A state that is given away is changed in place: quicker, and it comes to the same as a state that is kept."""

from dataclasses import replace
from itertools import islice

import pytest

from canasta.games import open_game
from canasta.kernel.state import State
from canasta.notation import record as r
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.position_text import write_position
from canasta.notation.reader import read_text
from canasta.notation.writer import write
from canasta.playing.binding import play_turn
from canasta.playing.played import Played
from canasta.playing.positions import of_state
from canasta.playing.recording import PlayedDeal, record_match
from canasta.playing.replay import replay
from canasta.random_play import play_match
from canasta.rooms import room
from canasta.shuffle import SplitMix64

RULES = ["classic", "classic:hoyle", "classic/two", "classic/three", "gin"]


def record_of(rules: str, seed: int, deals: int = 1) -> r.Record:
    game = open_game(rules, by_face=True)
    played = [PlayedDeal(*deal[:4]) for deal in islice(play_match(game, seed), deals)]
    (record,), found = read_text(write(record_match(game, played, (r.Tag("Rules", rules),))), "it.cgn")
    assert not found
    return record


def spoilt(turn: r.Turn, pick: SplitMix64) -> tuple[r.Action, ...]:
    """Leave an action out, write one twice, or put another card where one was written."""
    actions = list(turn.actions)
    at = pick.below(len(actions))
    match pick.below(4):
        case 0:
            del actions[at]
        case 1:
            actions.insert(at, actions[at])
        case 2 if actions[at].cards:
            cards = (Card("K", "d"), *actions[at].cards[1:])
            actions[at] = replace(actions[at], cards=cards)
        case _ if actions[at].cards:
            actions[at] = replace(actions[at], cards=(UNKNOWN, *actions[at].cards[1:]))
        case _:
            actions.reverse()
    return tuple(actions)


def told(played: Played) -> tuple[object, ...]:
    findings = [replace(d, span=None) for d in played.findings]
    return played.violations, played.stopped, played.stopped_at, findings, played.acted


@pytest.mark.soon("0-classic", "1-classic/three", "0-gin")
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(2))
def test_a_turn_comes_to_the_same_on_a_state_that_is_given_away(rules: str, seed: int) -> None:
    record, game, pick = record_of(rules, seed), open_game(rules, by_face=True), SplitMix64(seed)

    def text(state: State) -> str:
        # What a play began from is not kept of a state that was given away.
        state = state.copy()
        state.base = None
        return f"{write_position(of_state(game, state))} {state.parts_fine} {state.next_gid} {state.laid}"

    stopped = wrong = 0
    (deal,) = replay(record).deals
    for report in deal.turns:
        if not report.turn.actions:
            continue
        for actions in (report.turn.actions, spoilt(report.turn, pick)):
            seat = None if pick.below(9) == 0 else report.before.seat
            before = text(report.before)
            kept = play_turn(game, report.before, actions, seat)
            assert text(report.before) == before, "a state that is kept never changes"
            given = play_turn(game, report.before.copy(), actions, seat, own=True)
            assert told(given) == told(kept)
            assert text(given.state) == text(kept.state)
            stopped += kept.stopped is not None
            wrong += bool(kept.violations)
    assert stopped
    assert wrong > stopped


@pytest.mark.parametrize("rules", RULES)
def test_without_positions_the_same_is_found_and_counted(rules: str) -> None:
    record, pick = record_of(rules, 5, 2), SplitMix64(5)
    at = {id(turn) for turn in record.turns() if turn.actions and pick.below(30) == 0}

    def written(line: r.Line) -> r.Line:
        return replace(line, actions=spoilt(line, pick)) if isinstance(line, r.Turn) and id(line) in at else line

    deals = tuple(replace(d, lines=tuple(written(x) for x in d.lines)) for d in record.deals)
    for one in (record, replace(record, deals=deals)):
        full, quick = replay(one), replay(one, positions=False)
        assert quick.findings == full.findings
        assert (quick.totals, quick.winners, quick.ending) == (full.totals, full.winners, full.ending)
        for a, b in zip(quick.deals, full.deals, strict=True):
            assert (a.start, a.end, a.turns) == (None, None, ())
            assert replace(b, start=None, end=None, turns=()) == a
    assert replay(record).findings == ()


def test_what_is_taken_back_or_claimed_within_a_turn_is_judged_on_the_states_it_speaks_of() -> None:
    record = record_of("classic", 3)
    hand = open_game("classic").machine.hand
    (deal,) = replay(record).deals
    lines: list[r.Line] = []
    claimed = 0
    reports = {id(report.turn): report for report in deal.turns}
    for line in record.deals[0].lines:
        report = reports.get(id(line))
        if report is None or not isinstance(line, r.Turn):
            lines.append(line)
            continue
        lines.append(replace(line, marks=(r.Mark(r.MarkKind.BACK),)))
        first = report.steps[0]
        held = sum(first.after.zone(hand)[report.before.seat])
        claims = (r.Claim("hand", "", str(held), after=1),) if first.action == 0 else ()
        claimed += len(claims)
        lines.append(replace(line, claims=claims))
    twice = replace(record, deals=(replace(record.deals[0], lines=tuple(lines)),))
    full, quick = replay(twice), replay(twice, positions=False)
    assert claimed > len(reports) / 2
    assert full.findings == quick.findings == ()
    assert full.totals == quick.totals == replay(record).totals


def test_a_deal_of_unknown_cards_is_judged_as_one() -> None:
    text = (room("grammar") / "examples" / "moves.cgn").read_text(encoding="utf-8")
    (record, *_), _ = read_text(text, "moves.cgn")
    starts = [deal.start for deal in replay(record).deals]
    judge = open_game("classic").turn.judge
    assert starts
    assert all(start is not None and judge.has_unknown(start) for start in starts)


def test_deals_that_begin_alike_share_nothing() -> None:
    game = open_game("classic")
    pack = [kind for kind, copies in enumerate(game.deck.copies) for _ in range(copies)]
    first, second = game.start(pack, 0), game.start(pack, 0)
    before = write_position(of_state(game, second))
    for zone in game.ruleset.zones.values():
        content = first.zone(zone.index)
        (content.cards if hasattr(content, "cards") else content).clear()
    first.side_of.clear()
    first.sides.clear()
    assert write_position(of_state(game, second)) == before
    assert write_position(of_state(game, game.start(pack, 0))) == before
