"""What a record claims of a position, such as ``=hand.N:5`` or ``=frozen``, compared with what is so."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from canasta.diagnostics import Diagnostic
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Context, Stack, State
from canasta.language.ruleset import Form, Owner, Variable, Zone
from canasta.language.types import BAG, BOOL, INT, SEAT, Type
from canasta.notation.record import Claim
from canasta.playing.seats import NO_SEAT, Seats
from canasta.playing.table import Table

Range: TypeAlias = tuple[int, int]
"""The least and the greatest that a number can be."""

WORDS: Final = {"dealer": SEAT, "deal_no": INT, "turn_no": INT, "turn_seat": SEAT}

SIDES: Final = "sides"
"""``=sides.ES`` claims that these seats, and no others, are one side."""

PLAYING: Final = "playing"
"""``=playing.E:no`` claims that a seat sits this deal out."""


class Truth(NamedTuple):
    """What is so at a place: within which bounds its number lies, how such numbers are read, the clause that says so."""

    bounds: Range
    type: Type
    clause: str = ""


def check_claim(table: Table, state: State, seat: int, claim: Claim) -> Diagnostic | None:
    """Compare a claim, made about the position after an act of ``seat``, with the position; nothing when it holds.

    A zone's claim is about the number of its cards or groups, a variable's or definition's about its value, a step
    table's about what it gives for the account. Findings are PL0028 (no such place) and PL0029 (it is otherwise).
    """
    seats = table.seats
    found = _truth(table, state, seat, claim)
    if isinstance(found, Diagnostic):
        return found
    said = _number(claim.value, found.type, seats)
    if said is None:
        known = _spellings(found.type, seats)
        message = f"{claim.value} is no value of {claim.place}"
        return Diagnostic("PL0028", message, claim.span, f"it is {known}")
    low, high = found.bounds
    if low <= said <= high:
        return None
    owner = f".{claim.owner}" if claim.owner else ""
    is_so = _text(low, found.type, seats) if low == high else f"from {low} to {high}"
    message = f"the record says {claim.place}{owner} is {claim.value}, and by the rules it is {is_so}"
    hint = "the record or the program that wrote it counts otherwise, or something before this was not written"
    return Diagnostic("PL0029", message, claim.span, hint, clause=found.clause)


def _truth(table: Table, state: State, seat: int, claim: Claim) -> Truth | Diagnostic:
    rules, seats = table.game.ruleset, table.seats
    if claim.place in rules.zones:
        zone = rules.zones[claim.place]
        owner = _owner(zone.of, seats, state, seat, claim)
        return owner if isinstance(owner, Diagnostic) else Truth(_size(state, zone, owner), INT)
    if claim.place in rules.state and rules.state[claim.place].type != BAG:
        variable = rules.state[claim.place]
        owner = _owner(variable.of, seats, state, seat, claim)
        return owner if isinstance(owner, Diagnostic) else Truth(_value(state, variable, owner), variable.type)
    if claim.place in table.definitions:
        return _defined(table, state, seat, claim)
    if claim.place in rules.steps and rules.table.account in rules.state:
        account = rules.state[rules.table.account]
        owner = _owner(account.of, seats, state, seat, claim)
        if isinstance(owner, Diagnostic):
            return owner
        due = rules.steps[claim.place].look_up(_value(state, account, owner)[0])
        return Truth((due, due), INT)
    if claim.place in WORDS and not claim.owner:
        number: int = getattr(state, claim.place)
        return Truth((number, number), WORDS[claim.place])
    if claim.place in (SIDES, PLAYING):
        return _of_seats(seats, state, seat, claim)
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistyped name

    known = [*rules.zones, *rules.state, *table.definitions, *rules.steps, *WORDS, SIDES, PLAYING]
    close = get_close_matches(claim.place, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"zones are {', '.join(rules.zones)}; a definition will do too"
    return Diagnostic("PL0028", f"{rules.name} has nothing called {claim.place}", claim.span, hint)


def members_of(state: State, side: int) -> list[int]:
    """List the seats of a side as it is now."""
    return [seat for seat, own in enumerate(state.side_of) if own == side]


def _of_seats(seats: Seats, state: State, seat: int, claim: Claim) -> Truth | Diagnostic:
    """Find whether the seats named are one side, or whether the one named plays in this deal."""
    members = seats.members(claim.owner)
    if claim.place == PLAYING and (not claim.owner or (members and len(members) == 1)):
        plays = int((members[0] if members else seat) in state.playing)
        return Truth((plays, plays), BOOL)
    if claim.place == SIDES and members:
        one_side = int(sorted(members) == members_of(state, state.side_of[members[0]]))
        return Truth((one_side, one_side), BOOL)
    message = f"{claim.owner} names no seats of this table" if claim.owner else "the claim names no seats"
    example = f"={SIDES}.{seats.sides[0]}" if claim.place == SIDES else f"={PLAYING}.{seats.names[0]}"
    return Diagnostic("PL0028", message, claim.span, f"write the seats behind a point, such as {example}")


def _owner(of: Owner, seats: Seats, state: State, seat: int, claim: Claim) -> int | Diagnostic:
    """Find whose place is meant: the one named, or the acting player's."""
    if of is Owner.TABLE:
        if claim.owner:
            message = f"{claim.place} belongs to the table, not to {claim.owner}"
            return Diagnostic("PL0028", message, claim.span, f"write ={claim.place}")
        return 0
    if not claim.owner:
        return seat if of is Owner.SEAT else state.side_of[seat]
    found = seats.owner(of, claim.owner)
    if found is None:
        names = ", ".join(seats.owners(of))
        return Diagnostic("PL0028", f"there is no {of} {claim.owner}", claim.span, f"write one of {names}")
    return found


def _size(state: State, zone: Zone, owner: int) -> Range:
    content = state.zone(zone.index)
    place = content if zone.of is Owner.TABLE else content[owner]
    number = len(place.cards) if isinstance(place, Stack) else len(place) if zone.form is Form.GROUPS else sum(place)
    return number, number


def _value(state: State, variable: Variable, owner: int) -> Range:
    content = state.variable(variable.index)
    value: int = content if variable.of is Owner.TABLE else content[owner]
    return value, value


def _defined(table: Table, state: State, seat: int, claim: Claim) -> Truth | Diagnostic:
    """Evaluate a definition that depends on nothing but a seat or a side."""
    game, seats = table.game, table.seats
    definition = table.definitions[claim.place]
    if definition.parameters or "left" in definition.of or definition.body.type not in (INT, BOOL, SEAT):
        message = f"{claim.place} cannot be claimed: it depends on more than a seat or side"
        return Diagnostic("PL0028", message, claim.span, "claim one of the places it is made of")
    of = Owner.SEAT if "seat" in definition.of else Owner.SIDE if "side" in definition.of else Owner.TABLE
    owner = _owner(of, seats, state, seat, claim)
    if isinstance(owner, Diagnostic):
        return owner
    who = owner if of is Owner.SEAT else seat
    side = owner if of is Owner.SIDE else state.side_of[who]
    if game.turn.judge.has_unknown(state):
        from canasta.kernel.outlook import Choice, Outlook  # noqa: PLC0415 - only where something is not known

        outlook = Outlook(game.machine, state, game.turn.judge.runtime)
        found = game.bounder.function(definition.body)(state, Choice(), who, side, outlook)
        open_seat = (NOBODY, len(seats.names) - 1)
        bounds: Range = found if definition.body.type != SEAT else open_seat if found is None else (found, found)
        return Truth(bounds, definition.body.type, definition.id)
    context = Context()
    context.runtime = game.turn.judge.runtime
    value = int(game.backend.function(definition.body)(state, context, who, side))
    return Truth((value, value), definition.body.type, definition.id)


def _number(text: str, of: Type, seats: Seats) -> int | None:
    """Read what a claim says as the number that stands for it."""
    if of == BOOL:
        return {"yes": 1, "no": 0}.get(text)
    if of.words:
        return of.words.index(text) if text in of.words else None
    if of == SEAT:
        found = seats.value(text)
        return seats.value(text.upper()) if found is None else found
    digits = text[1:] if text[:1] in "+-" else text
    return int(text) if digits.isascii() and digits.isdigit() else None


def _text(number: int, of: Type, seats: Seats) -> str:
    if of == BOOL:
        return "yes" if number else "no"
    if of.words:
        return of.words[number]
    return seats.written(number) if of == SEAT else str(number)


def _spellings(of: Type, seats: Seats) -> str:
    if of == BOOL:
        return "yes or no"
    if of.words:
        return f"one of {', '.join(of.words)}"
    return f"one of {', '.join((*seats.names, NO_SEAT))}" if of == SEAT else "a whole number"


def with_value(game: Game, state: State, name: str, owner: Mapping[Owner, int], value: int) -> State:
    """Give a variable another value in a copy of a state: that of the owner of the kind it has."""
    variable = game.ruleset.state[name]
    twin = state.copy()
    if variable.of is Owner.TABLE:
        setattr(twin, f"v{variable.index}", value)
    else:
        twin.variable(variable.index)[owner[variable.of]] = value
    return twin
