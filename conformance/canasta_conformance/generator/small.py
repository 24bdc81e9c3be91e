"""Small positions of any rule set: a turn of a deal that is played at random, cut down to a few cards and melds.

Nothing about the game is known here; what is cut off was never there. The first position is taken in which a turn can be begun in
more ways than one, and played in neither too few ways nor too many.
"""

from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from typing import Any, Final

from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.kinds import nodes
from canasta.language.ruleset import Form, Ruleset
from canasta.language.types import Op, StatementOp
from canasta.language.uses import every_statement
from canasta.notation.cards import read_cards
from canasta.notation.position_text import Field, Position, Value, write_position
from canasta.playing.describing import of_state
from canasta.random_play import RandomPlayer, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.generator.general import General, general
from canasta_conformance.inprocess.plays import Plays, UncountedError
from canasta_conformance.inprocess.positions import to_state

Data = dict[str, Any]

SMALL: Final = "small"
"""What the position is called in the ids of cases."""

SEEDS: Final = 20
"""So many deals are looked through."""
HELD: Final = 4
STACKED: Final = 3
LYING: Final = 1
"""How many cards of a hand are left, how many of a stack from its top, and how many melds or cards of any other place."""
TURN: Final = "turn_no"
FEWEST: Final = 6
MOST: Final = 12
"""How many plays there may be: enough to differ in, few enough to be told one by one."""


class NothingSmallError(Exception):
    """A rule set of which no small position was found."""


def small_position(of: General) -> str:
    """Find a small position of a rule set, in which every card is known.

    Raises:
        NothingSmallError: where there is none in the deals that were looked through.
    """
    return _small(of.name)


@cache
def _small(name: str) -> str:
    of = general(name)
    for state in _turns(of.game):
        text = write_position(cut(of.game.ruleset, of_state(of.game, state)))
        if _suits(of, text):
            return text
    raise NothingSmallError(of.name)


def _turns(game: Game) -> Iterator[State]:
    """Go through the beginnings of turns of some deals, those with melds on the table and cards left to draw."""
    for seed in islice(count(1), SEEDS):
        first = game.start(shuffled_pack(game, derive(seed, 1, 0)), game.ruleset.table.seats - 1)
        turn = 0
        for state, _, _ in play_deal(first, RandomPlayer(game, SplitMix64(derive(seed, 1, 1)))):
            if state.turn_no != turn:
                turn = state.turn_no
                if _melds(game, state) and state.zone(game.ruleset.zones[game.ruleset.table.order].index).cards:
                    yield state


def _melds(game: Game, state: State) -> bool:
    """Ask whether the side to act has melds; in a game in which none lie while turns are played, nothing is asked for."""
    zones = [zone for zone in game.ruleset.zones.values() if zone.form is Form.GROUPS and zone.of.value != "table"]
    return not zones or any(state.zone(zone.index)[state.side_of[state.seat]] for zone in zones)


def cut(rules: Ruleset, position: Position) -> Position:
    """Leave a few cards of each hand, less of what lies on the table, and of each stack the cards on top.

    Which turn it is is left out where the rules do not write it down.
    """
    kept = (one for one in position if one.place != TURN or _writes_turns_down(rules))
    return Position(position.seat, position.phase, tuple(_cut(rules, one) for one in kept))


def _writes_turns_down(rules: Ruleset) -> bool:
    """Ask whether the number of a turn becomes the value of a variable."""
    written = (
        expr for statement in every_statement(rules) if statement.op is StatementOp.SET for expr in statement.exprs
    )
    return any(node.op is Op.CONTEXT and node.ref == TURN for expr in written for node in nodes(expr))


def _cut(rules: Ruleset, one: Field) -> Field:
    zone = rules.zones.get(one.place)
    if zone is None:
        return one
    if zone.form is Form.GROUPS:
        return Field(one.place, one.owner, one.values[:LYING])
    cards = [str(card) for text in one.texts for card in read_cards(text)]
    if zone.form is Form.STACK:
        kept = cards[-STACKED:]
    else:
        number = HELD if zone.name == rules.table.hand else LYING
        kept = cards[:: max(1, len(cards) // number)][:number]
    return Field(one.place, one.owner, (Value("".join(kept)),))


def _suits(of: General, text: str) -> bool:
    _, position = of.position(text)
    state = to_state(of.game, position)
    begun = {move.act for move in of.game.legal(state).moves}
    if len(begun) < 2:  # noqa: PLR2004 - more ways than one
        return False
    try:
        return FEWEST <= len(Plays(of.game).divide(state, 1)) <= MOST
    except UncountedError:
        return False
