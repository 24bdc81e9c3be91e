"""The look ahead remembers positions by everything on which their future depends, also by which cards lie in which group."""

from pathlib import Path

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.notation.position_text import parse_position
from canasta.playing.positions import to_state

RULES = """
ruleset: rich
title: A group with a joker in it is rich
extends: classic
add:
  clauses:
    - id: rich.groups
      kind: requirement
      on: [lay, take]
      title: Rich groups
      text: A meld with wild cards has one of them and is worth sixty.
      when: group.filler > 0
      require:
        - {code: POOR_MELD, that: points_of(group.cards) >= 60 and group.filler <= 1}
"""
HAND = "N at play; hand.N 444KKAA2Jk96; total.NS 3000; pile 5; source from_stock; stock ?30"


def test_two_ways_to_share_cards_among_groups_are_two_positions(tmp_path: Path) -> None:
    path = tmp_path / "rich.yaml"
    path.write_text(RULES, encoding="utf-8")
    game = open_game(str(path))
    position, _ = parse_position(HAND, "test")
    assert position is not None
    state = to_state(game, position)
    four, king, ace, two, joker, nine = (game.deck.find(rank) for rank in ("4", "K", "A", "2", "Jk", "9"))

    def judged(*groups: tuple[int, ...]) -> tuple[str, ...]:
        at = state
        for cards in groups:
            at = game.turn.carry_out(at, Move("lay", at.seat, cards))
        return game.judge(at, Move("discard", at.seat, (nine,))).codes

    fours = (four, four, four)
    assert judged(fours, (king, king, joker), (two, ace, ace)) == ()
    assert judged(fours, (two, king, king), (ace, ace, joker)) == ("POOR_MELD",)
    assert Move("lay", state.seat, fours) in game.legal(state).moves
