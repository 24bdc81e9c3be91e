"""How a deal of a rule set begins, as somebody has to know who stacks the pack for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from canasta.games import open_game
from canasta.kernel.cards import listed
from canasta.notation.record import Written
from canasta.playing.seats import seats_of
from canasta_conformance.finding.roles import Roles, roles


class NoPrefixError(Exception):
    """A position to which no such play leads, and why."""


@dataclass(frozen=True, slots=True)
class Table:
    """How a deal of a rule set begins: cards dealt to each, cards drawn in a turn, the order of play, the sides, the pack."""

    size: int
    drawn: int
    seats: tuple[str, ...]
    partners: Mapping[str, tuple[str, ...]]
    sides: Mapping[str, str]
    pack: tuple[str, ...]
    phases: tuple[str, str]
    """The phase in which a turn begins, and the one after the draw."""
    parts: Roles
    plain: frozenset[str]
    """Faces that melds are made of and that stand in for no other card: the quiet ones."""
    fillers: frozenset[str]
    fleeting: frozenset[str]
    """Faces that never stay in a hand."""

    def loudness(self, card: str) -> tuple[bool, bool, str]:
        """Rank a card by how much it has to do with what happens, the quiet ones first."""
        return card not in self.plain and card not in self.fillers, card in self.fillers, card

    @property
    def hand(self) -> str:
        """The zone of the cards that a player holds."""
        return self.parts.hand

    @property
    def melds(self) -> str:
        """The zone of the melds."""
        return min(self.parts.melds)

    @property
    def pile(self) -> str:
        """The zone that cards are thrown away to."""
        return min(self.parts.piles)[0]

    @property
    def stock(self) -> str:
        """The zone that cards are drawn from."""
        return self.parts.stock[0]


@cache
def table_of(name: str) -> Table:
    """Find out how a deal begins, by dealing one.

    Raises:
        NoPrefixError: for a game whose turns are of another kind.
    """
    game = open_game(name, by_face=True)
    names, parts, faces = seats_of(game.ruleset.table), roles(game), game.deck.names
    if not parts.opened or len(game.ruleset.table.playing(1)) != len(names.names):
        raise NoPrefixError("the game begins otherwise")
    pack = [game.deck.name(kind) for kind in listed(game.deck.full()[:-1])]
    plain, fillers, fleeting = (
        frozenset(faces[k] for k in kinds) for kinds in (parts.plain, parts.fillers, parts.fleeting)
    )
    order = sorted(listed(game.deck.full()[:-1]), key=lambda kind: (kind not in parts.plain, kind in parts.fleeting))
    state = game.start(order, len(names.names) - 1)
    hands = state.zone(game.machine.hand)
    draw = next(m for m in game.legal(state).moves if game.ruleset.acts[m.act].written == Written.DRAW)
    after = game.turn.perform(state, draw)
    size = sum(hands[state.seat])
    drawn = sum(after.zone(game.machine.hand)[state.seat]) - size
    party = {
        n: tuple(o for j, o in enumerate(names.names) if state.side_of[j] == state.side_of[i])
        for i, n in enumerate(names.names)
    }
    sides = {n: names.sides[state.side_of[i]] for i, n in enumerate(names.names)}
    phases = next(iter(game.ruleset.phases)), game.machine.phases[after.phase].name
    return Table(size, drawn, names.names, party, sides, tuple(pack), phases, parts, plain, fillers, fleeting)
