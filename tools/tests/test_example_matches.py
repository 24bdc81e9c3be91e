"""The example matches: whole, canonical, nothing wrong with them, and each made as it says."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta.language.naming import known
from canasta.notation.json_form import from_json, to_json
from canasta.notation.reader import read_text
from canasta.notation.record import Record
from canasta.notation.writer import write
from canasta.playing.replay import replay
from canasta_tools.example_matches import FEW_DEALS, FOLDER, LARGEST, SEEDS, example_of, is_over
from canasta_tools.generate import checkout

Call = Callable[..., Any]

MOST_OF_ALL = 1_500_000
"""Characters of all examples together: they are part of every installation."""


def path_of(rules: str) -> Path:
    return checkout() / FOLDER / f"{rules.replace('/', '-')}.cgn"


def text_of(rules: str) -> str:
    return path_of(rules).read_text(encoding="utf-8")


def record_of(rules: str) -> Record:
    (record,), found = read_text(text_of(rules), path_of(rules).name)
    assert found == []
    return record


def test_there_is_a_match_of_every_shipped_rule_set_and_none_is_too_long() -> None:
    sizes = {path.name: path.stat().st_size for path in (checkout() / FOLDER).iterdir()}
    assert set(sizes) == {path_of(rules).name for rules in known()}
    assert max(sizes.values()) <= LARGEST
    assert sum(sizes.values()) <= MOST_OF_ALL


@pytest.mark.soon("classic", "samba", "gin")
@pytest.mark.parametrize("rules", known())
def test_a_match_is_canonical_and_has_both_forms(rules: str) -> None:
    record = record_of(rules)
    assert write(record) == text_of(rules)
    assert from_json(to_json(record), "match.json")[0] == record


@pytest.mark.soon("classic", "samba", "gin")
@pytest.mark.parametrize("rules", known())
def test_nothing_is_wrong_with_a_match_and_it_scores_what_it_says(rules: str) -> None:
    record = record_of(rules)
    report = replay(record)
    assert report.findings == ()
    assert report.rules == rules == record.tag("Rules")
    assert [deal.number for deal in report.deals] == [deal.number for deal in record.deals]
    for told, deal in zip(record.deals, report.deals, strict=True):
        assert deal.end is not None
        assert deal.end.over
        assert {s.side: {i.name: i.points for i in s.items if i.points} for s in told.scores} == deal.items
        assert {s.side: s.total for s in told.scores} == deal.totals
    assert record.result is not None
    assert dict(record.result.totals) == report.totals
    assert is_over(record) == bool(report.ending)
    assert is_over(record) or len(record.deals) == FEW_DEALS


@pytest.mark.parametrize("rules", ["classic", "classic/three", "gin"])
def test_a_match_is_what_the_command_in_it_prints(rules: str, call: Call) -> None:
    record = record_of(rules)
    made = shlex.split(record.tag("MadeBy"))
    assert made[:4] == ["canasta", "random", "--rules", rules]
    assert record.tag("Seed") in {str(seed) for seed in SEEDS}
    assert call(*made[1:]).out == text_of(rules) == example_of(rules)


@pytest.mark.soon("classic", "samba", "gin")
@pytest.mark.soon("classic", "samba", "gin")
@pytest.mark.parametrize("rules", known())
def test_check_score_and_replay_go_through_a_match(rules: str, call: Call) -> None:
    path = str(path_of(rules))
    assert call("check", "--strict", path).code == 0
    score = call("score", path)
    assert (score.code, score.err) == (0, "")
    record = record_of(rules)
    assert record.result is not None
    assert all(f"{name} {points}" in score.out for name, points in record.result.totals)
    assert call("replay", "--deal", "1", "--show", path).code == 0


def test_replay_tells_who_joins_and_who_sits_out(call: Call) -> None:
    three = call("replay", "--deal", "1", str(path_of("classic/three"))).out
    (claim,) = {c.owner for t in record_of("classic/three").deals[0].turns for c in t.claims}
    assert f"      {' and '.join(claim)} are one side from now on\n" in three
    assert three.count("from now on") == 1
    five = call("replay", "--show", str(path_of("classic/five"))).out
    assert five.count("sits this deal out") == len(record_of("classic/five").deals)
    assert "\nE\nsits out\n" in five
    assert "sits" not in call("replay", "--show", str(path_of("classic"))).out


def test_replay_says_that_a_deal_brought_nothing(call: Call) -> None:
    assert (
        "  N: nothing = 0, total 0\n  S: nothing = 0, total 0\n"
        in call("replay", "--deal", "1", str(path_of("gin"))).out
    )
