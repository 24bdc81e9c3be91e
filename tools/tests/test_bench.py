import json
import os
import sys
from collections.abc import Callable

import pytest

from canasta.games import open_game
from canasta.kernel.acts import RefusedError
from canasta.language.naming import known
from canasta.notation.reader import read_text
from canasta.playing.replay import replay
from canasta_tools.bench import __main__ as bench
from canasta_tools.bench import matches, memory, peers, peers_records, report, rule_sets
from canasta_tools.bench.matches import Replaying
from canasta_tools.bench.race import Contender, Measure, Place, Race, peak, places, run, seconds_a_unit

peaks_are_told = pytest.mark.skipif(not hasattr(os, "wait4"), reason="this system does not tell what a process held")


def busy(loops: int) -> int:
    total = 0
    for number in range(loops):
        total += number * number
    return 1 if total else 0


def race(*contenders: Contender) -> Race:
    return Race("loops", "Counting", "count", contenders, ("abacus: not installed",))


def test_a_ratio_says_how_many_times_as_fast_by_medians() -> None:
    contenders = (Contender("yardstick", lambda: 1), Contender("ours", lambda: 1))
    timings = {"yardstick": [4.0, 3.0, 90.0], "ours": [1.0, 2.0, 8.0]}
    assert places(contenders, timings) == (
        Place("yardstick", ratio=1.0, low=4 / 90, high=4 / 3),
        Place("ours", ratio=2.0, low=0.5, high=4.0),
    )


def test_twenty_times_the_work_takes_longer() -> None:
    result = run(race(Contender("much", lambda: busy(400_000)), Contender("little", lambda: busy(20_000))), repeats=3)
    much, little = result.places
    assert much.ratio == 1
    assert little.ratio > 4


def test_contenders_run_by_turns_after_a_warm_up() -> None:
    calls: list[str] = []

    def called(name: str) -> Contender:
        def work() -> int:
            calls.append(name)
            return busy(20_000)

        return Contender(name, work)

    run(race(called("a"), called("b")), repeats=2)
    assert "".join(calls) == "ab" * 3


def test_a_contender_that_did_nothing_has_no_speed() -> None:
    with pytest.raises(ValueError, match="too little work"):
        seconds_a_unit(lambda: 0)


def test_a_report_has_ratios_and_names_who_is_absent() -> None:
    result = run(race(Contender("loop", lambda: busy(20_000))), repeats=1)
    assert "not here: abacus: not installed" in report.to_text(result)
    (told,) = json.loads(json.dumps(report.to_json([result])))["races"]
    assert told["places"] == [{"name": "loop", "ratio": 1.0, "low": 1.0, "high": 1.0}]
    assert told["absent"] == ["abacus: not installed"]


@pytest.mark.parametrize(
    "works", [peers.PLAYERS, peers_records.JUDGES_OF_RECORDS, peers_records.JUDGES_OF_ACTS, peers_records.READERS]
)
def test_every_peer_is_here_or_said_to_be_absent(works: tuple[peers_records.Work, ...]) -> None:
    here, absent = peers_records.present(works)
    assert len(here) + len(absent) == len(works)


def test_a_peer_that_is_not_installed_is_named() -> None:
    here, absent = peers_records.present((("Halma", "no_such_module", lambda: 1),))
    assert not here
    assert absent == ("Halma: no_such_module is not installed (extra bench)",)


def test_every_peer_that_is_installed_does_its_work() -> None:
    works = (*peers.PLAYERS, *peers_records.JUDGES_OF_RECORDS, *peers_records.JUDGES_OF_ACTS, *peers_records.READERS)
    here, absent = peers_records.present(works)
    assert len(here) + len(absent) == len(works)
    assert all(contender.work() > 0 for contender in here)


def test_memory_is_measured_once_and_without_a_warm_up() -> None:
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        return 100

    contenders = (Contender("little", work), Contender("twice as much", lambda: 200))
    result = run(Race("held", "Holding", "process", contenders, measure=Measure.PEAK_MEMORY), repeats=5)
    assert [place.ratio for place in result.places] == [1.0, 0.5]
    assert (len(calls), result.repeats) == (1, 1)
    assert "peak memory" in report.to_text(result)
    with pytest.raises(ValueError, match="nothing was measured"):
        peak(lambda: 0)


def test_what_is_raced_is_the_same_every_time() -> None:
    game = open_game(matches.RULES, by_face=True)
    text = matches.text_of(matches.played(game, 1, 1))
    assert text == matches.text_of(matches.played(game, 1, 1))
    assert text != matches.text_of(matches.played(game, 2, 1))


def test_a_decision_is_counted_alike_in_a_record_and_at_play() -> None:
    game = open_game(matches.RULES, by_face=True)
    deals = matches.played(game, 3, 1)
    (record,), _ = read_text(matches.text_of(deals), "one.cgn")
    steps = [step for deal in replay(record).deals for turn in deal.turns for step in turn.steps]
    written = sum(game.ruleset.acts[step.move.act].written != "pick" for step in steps)
    assert matches.decisions(record) == written
    # A meld that a player puts together card by card is one act on paper and several decisions at play.
    assert matches.decisions(record) <= len(deals[0].moves)


def test_recorded_acts_are_judged_before_they_are_carried_out() -> None:
    game = open_game(matches.RULES)
    deal = matches.played(game, 1, 1)[0]
    assert Replaying(game, ((deal,),))() == len(deal.moves)
    assert Replaying(open_game(matches.RULES, evaluated=True), ((deal,),))() == len(deal.moves)
    wrong = matches.PlayedDeal(deal.number, deal.pack, deal.first, [*deal.moves[:4], *deal.moves[:1]])
    with pytest.raises(RefusedError):
        Replaying(game, ((wrong,),))()


def test_a_finding_in_what_legal_play_wrote_stops_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    game = open_game(matches.RULES, by_face=True)
    text = matches.text_of(matches.played(game, 1, 1))
    monkeypatch.setattr(matches, "texts", lambda: (text,))
    assert matches.read_and_judge() > 50
    assert matches.read_only() == len(text)
    turns = text.splitlines()
    swapped = next(i for i, line in enumerate(turns) if line.startswith("N +"))
    turns[swapped], turns[swapped + 1] = turns[swapped + 1], turns[swapped]
    monkeypatch.setattr(matches, "texts", lambda: ("\n".join(turns),))
    with pytest.raises(matches.WrongRecordError):
        matches.read_and_judge()


@pytest.mark.parametrize("made", [rule_sets.playing, rule_sets.judging])
def test_every_rule_set_takes_part_behind_one_peer(made: Callable[[], Race]) -> None:
    race = made()
    quick = ("classic", "classic/two", "gin", "uruguay")
    ours = [contender for contender in race.contenders if contender.name in known()]
    assert [contender.name for contender in ours] == list(known())
    assert len(race.contenders) + len(race.absent) == len(ours) + 1
    assert race.contenders[-len(ours) :] == tuple(ours)
    assert all(contender.work() > 0 for contender in ours if contender.name in quick)


def test_the_example_of_a_rule_set_that_breaks_a_rule_stops_the_race() -> None:
    text = rule_sets.example("classic/two")
    assert matches.read_and_judge((text,)) > 50
    with pytest.raises(matches.WrongRecordError):
        matches.read_and_judge((text.replace('"classic/two"', '"classic"'),))


@peaks_are_told
def test_a_process_that_holds_more_has_a_higher_peak() -> None:
    little = memory.peak_of(sys.executable, "-c", "pass")
    much = memory.peak_of(sys.executable, "-c", "b'x' * 50_000_000")
    assert much > 2 * little


@peaks_are_told
def test_a_process_that_fails_has_no_peak() -> None:
    with pytest.raises(memory.FailedRunError, match="no such thing"):
        memory.peak_of(sys.executable, "-c", "raise SystemExit('no such thing')")


@pytest.mark.whole
@peaks_are_told
def test_many_records_are_checked_in_the_memory_of_a_few() -> None:
    # Sixty records kept with the positions of their turns would double it.
    assert memory.peak_of_checking(75) < 1.25 * memory.peak_of_checking(15)


@peaks_are_told
def test_many_deals_are_played_in_the_memory_of_a_few() -> None:
    assert memory.peak_of_playing(75) < 1.25 * memory.peak_of_playing(15)


def test_races_are_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["shuffle", "--repeats", "1", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["races"]
    assert [place["name"] for place in told["places"]] == ["random.Random(seed).shuffle", "canasta.shuffle.shuffled"]


@pytest.mark.parametrize(
    ("arguments", "said"), [(["chess"], "there is no race chess"), (["--repeats", "0"], "at least once")]
)
def test_a_wrong_word_is_answered_with_what_is_possible(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        bench.main(arguments)
    assert left.value.code == 2
    assert said in capsys.readouterr().err
