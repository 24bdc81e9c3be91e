import json

import pytest

from canasta_tools.bench import __main__ as bench
from canasta_tools.bench import peers, report
from canasta_tools.bench.race import Contender, Place, Race, places, run, seconds_a_unit


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


def test_every_peer_is_here_or_said_to_be_absent() -> None:
    here, absent = peers.random_players()
    assert len(here) + len(absent) == len(peers.PLAYERS)


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
