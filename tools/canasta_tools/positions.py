"""Positions that a person types on the command line."""

import re
from typing import Final

from canasta.diagnostics import CanastaError
from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.cards import Card, CardFault, read_cards
from canasta.notation.position_text import Position, parse_position
from canasta.playing.cards import names_every_suit
from canasta.playing.positions import to_state
from canasta_tools.output import keep_text

COMMAND_LINE: Final = "<position>"
"""What a position from the command line is called in findings."""

_BEGINS: Final = re.compile(r"\s*([^\W\d_]\s+at\s+\w+|[a-z_]+(\.\w+)?\s[^;]*;)", re.IGNORECASE)


def looks_like_a_position(text: str) -> bool:
    """Ask whether a text is a position rather than the name of a file."""
    return bool(_BEGINS.match(text))


def read_position(text: str, rules: str, file: str = COMMAND_LINE) -> tuple[Game, State]:
    """Read a position and open the game it belongs to: of printed faces if all its cards name their suits.

    Raises:
        CanastaError: with every fault of the position or the rule set.
    """
    if file == COMMAND_LINE:
        keep_text(file, text)
    position, found = parse_position(text, file)
    if position is None:
        raise CanastaError(found)
    game = open_game(rules, by_face=by_face(position))
    return game, to_state(game, position)


def by_face(position: Position) -> bool:
    """Ask whether a position names the suit of every card, so that faces can be told apart."""
    return names_every_suit(cards_of(position))


def cards_of(position: Position) -> list[Card]:
    """List the cards that a position names."""
    cards: list[Card] = []
    for field in position:
        for value in field.texts:
            run = read_cards(value.partition(":")[0])
            if not isinstance(run, CardFault) and not value.isdigit():
                cards += run
    return cards
