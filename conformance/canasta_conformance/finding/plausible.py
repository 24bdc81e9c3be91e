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
from canasta.playing.cards import card_names
from canasta_conformance.finding.reaching import SETUP, Reaching
from canasta_conformance.finding.roles import Roles, roles
from canasta_conformance.finding.sketch import Place, Sketch

LAST: Final = (Written.DISCARD, Written.OUT, Written.DECLINE)
FIRST: Final = (Written.DRAW, Written.TAKE)


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
    """Ask whether a value may be another: what lasts only a turn may not, but for what a player has answered."""
    variable = game.ruleset.state[place[0]]
    if played and variable.name in Reaching(game).late:
        return False
    return variable.lasts is not Lasts.TURN or variable.name in roles(game).answers


def unit(game: Game) -> int:
    """Find what every count of points is a multiple of."""
    return gcd(*(abs(n) for values in game.deck.values.values() for n in values)) or 1


def plausible(game: Game, sketch: Sketch, base: Sketch) -> bool:
    """Ask whether a changed sketch brings in nothing that cannot be."""
    return not any(_odd(game, sketch, base)) and well_ordered(sketch.acts)


def _odd(game: Game, sketch: Sketch, base: Sketch) -> Iterator[bool]:
    if sketch.phase == SETUP:
        return
    parts = roles(game)
    if sketch.acts:
        yield not any(sketch.cards.get((parts.hand, sketch.seat), [[]]))
        for pile in parts.piles:
            yield any(base.cards.get(pile, [])) and not any(sketch.cards.get(pile, []))
    yield _unknown(parts, sketch) > _unknown(parts, base)
    yield _misplaced(game, sketch) > _misplaced(game, base)
    yield from _unsaid(game, sketch, base)
    for (name, _), words in sketch.values.items():
        if name in parts.points and words and words[0].lstrip("-").isdecimal():
            yield int(words[0]) % unit(game) != 0


def _unsaid(game: Game, sketch: Sketch, base: Sketch) -> Iterator[bool]:
    """Ask whether values agree with the rest: a turn that begins has nothing behind it, and whose groups lie has laid some."""
    parts, rules = roles(game), game.ruleset
    first = next(iter(rules.phases))
    for (name, owner), words in sketch.values.items():
        variable = rules.state.get(name)
        if variable is not None and variable.lasts is Lasts.TURN and sketch.phase == first and variable.type.words:
            yield words not in ([], [variable.type.words[variable.start]])
        if name == parts.opened:
            has = any(any(sketch.cards.get((zone, owner), [])) for zone in parts.melds)
            yield (words in ([], ["yes"])) != has and (name, owner) in base.values
    for (name, owner), rows in sketch.cards.items():
        if name in parts.melds and owner and parts.opened and any(rows):
            yield sketch.values.get((parts.opened, owner)) not in ([], ["yes"])


def _unknown(parts: Roles, sketch: Sketch) -> int:
    """Count unknown cards where it matters which they are."""
    return sum(card.hidden for place, row in sketch.rows() if place != parts.stock for card in row)


def _misplaced(game: Game, sketch: Sketch) -> int:
    """Count cards where the rules of a deal never leave them: in a hand, among groups, or where only other kinds go."""
    parts, names = roles(game), card_names(game.ruleset, game.deck)
    only = dict(parts.laid_out)
    found = 0
    for (name, _), row in sketch.rows():
        for card in row:
            kinds = set(names.kinds(card))
            if name == parts.hand or name in parts.melds:
                found += bool(kinds) and kinds <= parts.fleeting
            elif name in only and (name, "") not in parts.piles:
                found += not kinds <= only[name]
    return found


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
