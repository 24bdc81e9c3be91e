"""Cards that the rules lay out at once, and a table that did it later or not at all: it is played on as it lay.

Where hands and stock are written, what was drawn first shows whether cards that should have been laid out before the first turn
were replaced, or stayed in the hand. From then on the duty to lay them is left undone until the record lays them out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from canasta.kernel.game import Game
from canasta.kernel.machine import Doing
from canasta.kernel.state import Context, State
from canasta.language.ruleset import Form, Owner, Seen, Zone
from canasta.language.types import Statement, StatementOp
from canasta.notation import record as r
from canasta.notation.cards import Card
from canasta.notation.record import Written
from canasta.playing.cards import CardNames

FIRST_DRAWN: Final = 12
"""So many cards tell for certain which card of the stock was drawn first."""


def seats_that_kept(
    game: Game,
    names: CardNames,
    number: int,
    hands: Mapping[int, Sequence[int]],
    turns: Sequence[r.Turn],
    rest: Sequence[int],
) -> frozenset[int]:
    """Find the seats that kept dealt cards which the set-up lays out, by what was drawn first off the rest of the stock."""
    laid = laid_out(game, "setup")
    known = {seat: hand for seat, hand in hands.items() if game.deck.size not in hand and not laid.isdisjoint(hand)}
    if not known:
        return frozenset()
    dealt = game.turn.blank(0, number, {})
    for seat, hand in known.items():
        dealt.zone(game.machine.hand)[seat][:] = game.deck.bag(hand)
    duties = [duty for duty in game.machine.duties["setup"] if laying(game, duty)]
    due = {
        s: sum(k in laid for k in h) for s, h in known.items() if s in dealt.playing and left_undone(duties, dealt, s)
    }
    if not due:
        return frozenset()
    first = list(takewhile(lambda card: not card.hidden, _drawn(turns)))[:FIRST_DRAWN]
    kinds = [names.kinds(card) for card in first]

    def fits(stock: Sequence[int]) -> bool:
        return len(stock) >= len(kinds) > 0 and all(stock[i] in those for i, those in enumerate(kinds))

    return frozenset(due) if fits(rest) and not fits(rest[sum(due.values()) :]) else frozenset()


def _drawn(turns: Sequence[r.Turn]) -> Iterator[Card]:
    for turn in turns:
        for action in turn.actions:
            yield from action.cards if action.kind is Written.DRAW else action.replacement


def laid_out(game: Game, act: str) -> frozenset[int]:
    """Find the kinds of card that the duties of an act lay out of the hand, openly and outside any group."""
    found: set[int] = set()
    for duty in game.machine.duties[act]:
        for statement in laying(game, duty):
            found |= {kind for kind, lies in enumerate(game.machine.kinds_where(statement)) if lies}
    return frozenset(found)


def shown_by_choice(game: Game) -> bool:
    """Whether dealt cards are laid out by acts of their players alone, and by no duty of the set-up or of a turn."""
    duties = (*game.machine.duties["setup"], *game.machine.duties["turn"])
    acts = game.ruleset.acts.values()
    return any(a.written == Written.SHOW for a in acts) and not any(laying(game, duty) for duty in duties)


def laying(game: Game, doing: Doing) -> list[Statement]:
    """List the statements that lay cards out of the hand."""
    return [
        s
        for s in doing.do
        if s.op is StatementOp.MOVE_WHERE
        and s.places[0].name == game.ruleset.table.hand
        and lies_open(game.ruleset.zones[s.places[1].name])
    ]


def lies_open(zone: Zone) -> bool:
    """Whether cards in a zone lie openly before a player or a side, outside any group."""
    return zone.form is Form.BAG and zone.seen is Seen.ALL and zone.of is not Owner.TABLE


def left_undone(duties: Sequence[Doing], state: State, seat: int) -> frozenset[str]:
    """Find those of some duties to lay cards out that are due for a seat; what was due before an act, the table left undone."""
    side = state.side_of[seat]
    return frozenset(d.clause for d in duties if d.when is not None and d.when(state, Context(), seat, side))


def lay_out(game: Game, state: State, seat: int, kind: int) -> bool:
    """Lay one card that a hand holds where the duties of the rule set lay such cards; say whether there is such a place."""
    for act in ("draw", "setup", "turn"):
        for duty in game.machine.duties.get(act, ()):
            for statement in laying(game, duty):
                if game.machine.kinds_where(statement)[kind]:
                    zone = game.ruleset.zones[statement.places[1].name]
                    state.zone(game.machine.hand)[seat][kind] -= 1
                    state.zone(zone.index)[seat if zone.of is Owner.SEAT else state.side_of[seat]][kind] += 1
                    return True
    return False


def laying_clause(game: Game) -> str:
    """Find the clause whose effect lays cards out as something else is done, without a card in their place."""
    effects = (doing for act in game.ruleset.acts for doing in game.machine.effects[act])
    return next((doing.clause for doing in effects if laying(game, doing)), "")
