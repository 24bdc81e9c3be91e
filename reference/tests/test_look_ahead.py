"""The look ahead remembers positions by everything on which their future depends, also by which cards lie in which group."""

from pathlib import Path

import pytest

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.listing import Answer
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


A_WILD_CARD_TOO_SOON = (
    "S at play; stock ?7; hand.S 2d2d4c5h6h6s7d7h7s8h8h9c9c9d9sTcTdThJsQcQcQdQhQhQsKcKcKdKdKhKsAdAh; "
    "melds.NS TcThTsTs 2sJdJs 4d4d4hJk 9d9h9h 8c8d8d AcAcAs 6c6c6d6s; opened.NS; source from_stock; pile 6"
)


@pytest.mark.parametrize("cards", [("2d",), ("2d", "2d")])
def test_a_group_that_is_wrong_is_mended_first_however_large_the_hand(cards: tuple[str, ...]) -> None:
    game = open_game("modern-american", by_face=True)
    position, _ = parse_position(A_WILD_CARD_TOO_SOON, "test")
    assert position is not None
    state = to_state(game, position)
    # With few positions to spend nothing can be found by trying all orders of the rest.
    game.listing.budget = 60
    jacks = next(g for g in state.zone(game.machine.part_zones[0][0])[0] if g.cards[game.deck.find("J", "d")])
    for card in cards:
        state = game.turn.carry_out(state, Move("lay", state.seat, (game.deck.find(*card),), jacks.gid))
    answers = {game.listing.settles(state, move) for move in game.listing.candidates(state) if move.act == "lay"}
    assert answers
    assert Answer.UNKNOWN not in answers
