"""Rules that would never come to an end are stopped and told, and never hang or crash."""

from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.effects import RunawayError
from canasta.random_play import shuffled_pack

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
