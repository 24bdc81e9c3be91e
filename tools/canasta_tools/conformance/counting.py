"""`canasta conformance count`: the reference's count of plays in a position, and with it the count after each first play."""

import re
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.kernel.game import Game
from canasta.notation.cards import JOKER
from canasta.notation.position_text import Position, parse_position
from canasta_conformance.inprocess.plays import Plays, UncountedError
from canasta_tools.output import Code, Format, write, write_json
from canasta_tools.positions import COMMAND_LINE, cards_of, read_position

SCHEMA: Final = "canasta-count/1"
_UNKNOWN: Final = re.compile(r"\?(?!0\b)")


def count(*, position: str, rules: str, depth: int, divide: bool, shape: Format) -> int:
    """Count, and write the sum; with ``divide`` the count after each first play before it.

    Raises:
        CanastaError: when the position cannot be set up, or does not say all that is counted on.
    """
    game, state = read_position(position, rules)
    parsed, _ = parse_position(position, COMMAND_LINE)
    if parsed is None or _UNKNOWN.search(position) or not _named(game, parsed):
        hint = "write every card with its suit, those of the stock as well: stock 7cJk8s9c; `?0` where none lie"
        raise CanastaError([Diagnostic("US0005", "plays are counted only where every card is known", hint=hint)])
    try:
        found = Plays(game).divide(state, depth) if depth else {}
    except UncountedError as error:
        raise CanastaError([Diagnostic("US0005", str(error), hint="choose a smaller position")]) from None
    total = sum(found.values()) if depth else 1
    if shape is Format.JSON:
        write_json({"schema": SCHEMA, "depth": depth, "value": total} | ({"divide": found} if divide else {}))
        return Code.CLEAN
    if divide:
        width = max((len(str(number)) for number in found.values()), default=0)
        write("\n".join([*(f"{number:{width}}  {play}" for play, number in found.items()), "", str(total)]))
    else:
        write(str(total))
    return Code.CLEAN


def _named(game: Game, position: Position) -> bool:
    """Ask whether every card has its suit; in the place of cards a figure is cards without one."""
    zones = game.ruleset.zones
    bare = any(text.isdigit() for field in position if field.place in zones for text in field.texts)
    return not bare and all(card.suit in ("c", "d", "h", "s") for card in cards_of(position) if card.rank != JOKER)
