"""Rules that would never come to an end are stopped and told, and never hang or crash."""

from itertools import chain
from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.effects import RunawayError
from canasta.random_play import play_match, shuffled_pack

HEAD = """
ruleset: runaway
title: Rules that run away
extends: classic
add:
  clauses:
    - id: runaway.clause
      title: Runs away
      text: Runs away.
"""
DUTY = "      kind: duty\n      on: [setup]\n      when: size(stock) >= 0\n      do: [move 0 from stock to pile]\n"
TURN = "      kind: effect\n      on: [turn]\n      after: [turn.begins]\n      do: [turn next(seat)]\n"


EACH = (
    "      kind: effect\n      on: [setup]\n      do:\n"
    "        - each s in seats do each t in seats do each u in seats do each v in seats do each w in seats do "
    "each x in seats do each y in seats do each z in seats do set opened(side_of(s)) = yes\n"
)
LARGE = "      kind: effect\n      on: [setup]\n      do:\n        - each s in sides do set total(s) = 999999 * 999999 * 999\n"


@pytest.mark.parametrize(("rest", "id_"), [(DUTY, "RS4018"), (TURN, "RS4019"), (EACH, "RS4020"), (LARGE, "RS4020")])
def test_rules_that_run_away_are_stopped_with_a_diagnostic(rest: str, id_: str, tmp_path: Path) -> None:
    path = tmp_path / "runaway.yaml"
    path.write_text(HEAD + rest, encoding="utf-8")
    game = open_game(str(path))
    with pytest.raises(RunawayError) as caught:
        game.start(shuffled_pack(game, 1), 3)
    assert [d.id for d in caught.value.diagnostics] == [id_]


def test_an_act_that_happens_by_itself_for_ever_is_stopped(tmp_path: Path) -> None:
    page = (Path(__file__).parent / "mini" / "runs.yaml").read_text(encoding="utf-8")
    then = "title: Play, text: Then play., do: [phase play]"
    assert page.count(then) == 1
    path = tmp_path / "runaway.yaml"
    path.write_text(page.replace(then, then.replace("phase play", "phase claim")), encoding="utf-8")
    game = open_game(str(path))
    with pytest.raises(RunawayError) as caught:
        list(chain.from_iterable(play_match(game, seed, 1) for seed in range(1, 40)))
    assert [d.id for d in caught.value.diagnostics] == ["RS4020"]
