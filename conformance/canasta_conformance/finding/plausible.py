"""Whether a sketch shows what can come about at a table: rules are silent about the rest, and a case must not ask it.

A change may not bring in what the example that it began from did not have.
"""

from collections.abc import Iterator
from math import gcd
from typing import Final

from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, State
from canasta.language.ruleset import Form, Lasts
from canasta.notation.record import Action, Written
from canasta_conformance.finding.reaching import SETUP, Reaching
from canasta_conformance.finding.sketch import Place, Sketch

LAST: Final = (Written.DISCARD, Written.OUT, Written.DECLINE)
FIRST: Final = (Written.DRAW, Written.TAKE)
HAND, STOCK, PILE, MELDS, SHOWN, OPENED = "hand", "stock", "pile", "melds", "shown", "opened"


def well_ordered(acts: list[Action]) -> bool:
    """Ask whether acts come in an order in which a turn is played: what ends it last, what begins it first."""
    for at, act in enumerate(acts):
        if act.kind in LAST and at != len(acts) - 1 and acts[at + 1].kind is not Written.KNOCK:
            return False
        if act.kind in FIRST and any(a.kind not in (Written.SHOW, *FIRST) for a in acts[:at]):
            return False
        if act.kind is Written.ANSWER and (at == 0 or acts[at - 1].kind is not Written.ASK):
            return False
    return True


def changeable(game: Game, place: Place, *, played: bool) -> bool:
    """Ask whether a value may be another: what lasts only a turn may not, but for the word of a partner."""
    variable = game.ruleset.state[place[0]]
    if played and variable.name in Reaching(game).late:
        return False
    return variable.lasts is not Lasts.TURN or variable.name == "permission"


def unit(game: Game) -> int:
    """Find what every count of points is a multiple of."""
    return gcd(*(abs(n) for values in game.deck.values.values() for n in values)) or 1


def plausible(game: Game, sketch: Sketch, base: Sketch) -> bool:
    """Ask whether a changed sketch brings in nothing that cannot be."""
    return not any(_odd(game, sketch, base)) and well_ordered(sketch.acts)


def _odd(game: Game, sketch: Sketch, base: Sketch) -> Iterator[bool]:
    if sketch.phase == SETUP:
        return
    if sketch.acts:
        yield not any(sketch.cards.get((HAND, sketch.seat), [[]]))
        yield any(base.cards.get((PILE, ""), [])) and not any(sketch.cards.get((PILE, ""), []))
    yield _unknown(sketch) > _unknown(base)
    yield _red_threes(sketch) > _red_threes(base)
    for place, words in sketch.values.items():
        yield place[0] == "permission" and sketch.phase == "start" and words not in ([], ["unasked"])
        if place[0] == OPENED:
            has = any(sketch.cards.get((MELDS, place[1]), []))
            yield (words in ([], ["yes"])) != has and place in base.values
    for (name, owner), rows in sketch.cards.items():
        if name == MELDS and owner and OPENED in game.ruleset.state and any(rows):
            yield sketch.values.get((OPENED, owner)) not in ([], ["yes"])
    points = unit(game)
    for (name, _), words in sketch.values.items():
        if name in ("total", "fined") and words and words[0].lstrip("-").isdecimal():
            yield int(words[0]) % points != 0


def _unknown(sketch: Sketch) -> int:
    """Count unknown cards where it matters which they are."""
    return sum(card.hidden for (name, _), row in sketch.rows() if name != STOCK for card in row)


def _red_threes(sketch: Sketch) -> int:
    """Count red threes where the rules of a deal never leave them, and what is no red three where only those lie."""
    red = sum(
        c.rank == "3" and c.suit in "drh" and bool(c.suit)
        for (n, _), row in sketch.rows()
        if n in (HAND, MELDS)
        for c in row
    )
    return red + sum(
        c.rank != "3" or c.suit not in ("d", "h", "r") for (n, _), row in sketch.rows() if n == SHOWN for c in row
    )


def melds_lie_right(game: Game, state: State) -> bool:
    """Ask whether every group on the table has a form that it may have, and no side has more of one kind than it may."""
    forms = game.machine.shapes.forms
    for zone in game.ruleset.zones.values():
        if zone.form is not Form.GROUPS:
            continue
        content = state.zone(zone.index)
        for group in (
            g for owner in (content if content and isinstance(content[0], list) else [content]) for g in owner
        ):
            if group.shape == NOBODY or not forms[group.shape].allows(group):
                return False
    return True
