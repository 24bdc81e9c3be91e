"""An example of one rule set said in the words of another, so that both can be asked the same.

Seats are those with the same number at the table, sides those with the same number in the rule set. What the other rule
set has no word for (a zone, a thing remembered, a seat, an option) is left out, and is named. What cannot be left out,
whose turn it is and in which phase, makes the example one that cannot be said there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.language.ruleset import Owner, Ruleset
from canasta.language.types import BAG, BOOL, SEAT
from canasta.notation.position_text import Field, Position, Value
from canasta.playing.positions import SETUP, WORDS
from canasta.playing.seats import Seats, seats_of

_TURN: Final = re.compile(r"^@(\d+)$")
_UNKNOWN: Final = re.compile(r"^\?(\d+)$")
_SEAT_WORDS: Final = ("dealer", "turn_seat")


@dataclass(frozen=True, slots=True)
class Unsayable:
    """Why something cannot be said in a rule set: the declaration on which that hangs, and words for a person."""

    thing: str
    why: str


@dataclass(frozen=True, slots=True)
class Restated:
    """A position and options in the words of a rule set, with what had to be left out."""

    position: Position
    options: tuple[tuple[str, str], ...] = ()
    left_out: tuple[str, ...] = ()


def restate(
    position: Position, options: Sequence[tuple[str, str]], spoken: Ruleset, heard: Ruleset
) -> Restated | Unsayable:
    """Say a position with its options, written for the rule set ``spoken``, in the words of the rule set ``heard``."""
    if spoken is heard:
        return Restated(position, tuple(options))
    work = _Restating(spoken, heard, position)
    kept = tuple((name, value) for name, value in options if _may_be(heard, name, value))
    left_out = [f"{name}={value}" for name, value in options if (name, value) not in kept]
    seat = work.seat(position.seat)
    if position.seat and seat is None:
        return Unsayable("table", f"there is no seat that {position.seat} could be")
    if position.phase and position.phase not in heard.phases and position.phase != SETUP:
        return Unsayable(f"phases.{position.phase}", f"there is no phase {position.phase}")
    fields = tuple(work.fields())
    told = replace(position, seat=seat or "", fields=fields)
    return Restated(told, kept, (*work.left_out, *left_out))


def _may_be(heard: Ruleset, name: str, value: str) -> bool:
    option = heard.options.get(name)
    if option is None:
        return False
    known = option.type.words or (("no", "yes") if option.type == BOOL else ())
    return value in known or (not known and value.lstrip("-").isdecimal())


def cards_in(rules: Ruleset) -> int:
    """Count the cards of a pack as it is shuffled together."""
    pack = rules.pack
    return pack.packs * (len(pack.ranks) * len(pack.suits) + sum(copies for _, copies in pack.extra))


@dataclass(slots=True)
class _Restating:
    """The work of restating one position."""

    spoken: Ruleset
    heard: Ruleset
    position: Position
    ours: Seats = field(init=False)
    theirs: Seats = field(init=False)
    left_out: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ours, self.theirs = seats_of(self.spoken.table), seats_of(self.heard.table)

    def seat(self, name: str) -> str | None:
        """Name the seat of the same number."""
        at = self.ours.seat(name)
        return self.theirs.names[at] if at is not None and at < len(self.theirs.names) else None

    def fields(self) -> Iterator[Field]:
        """Restate field by field; what cannot be said is noted."""
        seen: set[tuple[str, str]] = set()
        for one in self.position:
            told = self._field(one)
            if told is None or (told.place, told.owner) in seen:
                self.left_out.append(f"{one.place}.{one.owner}" if one.owner else one.place)
                continue
            seen.add((told.place, told.owner))
            yield told

    def _field(self, one: Field) -> Field | None:
        if one.place in WORDS and one.place not in self.spoken.zones and one.place not in self.spoken.state:
            return self._word(one)
        of = self._of(self.spoken, one.place)
        to = self._of(self.heard, one.place)
        if of is None or to is None:
            return None
        owner = self._owner(one.owner, of, to)
        values = self._values(one)
        if values and self.position.phase == SETUP and one.place == self.heard.table.order:
            values = self._filled(values)
        return None if owner is None or values is None else replace(one, owner=owner, values=values)

    def _word(self, one: Field) -> Field | None:
        """Restate what every game has a word for."""
        if one.place in _SEAT_WORDS:
            seats = [self.seat(t) for t in one.texts]
            known = tuple(Value(s) for s in seats if s is not None)
            return replace(one, values=known) if len(known) == len(seats) else None
        same = self.ours.sides == self.theirs.sides
        return one if same or one.place not in ("sides", "turn_no") else None

    @staticmethod
    def _of(rules: Ruleset, place: str) -> Owner | None:
        if place in rules.zones:
            return rules.zones[place].of
        return rules.state[place].of if place in rules.state else None

    def _owner(self, name: str, of: Owner, to: Owner) -> str | None:
        """Name whose the place is: the seat or side of the same number, also where seats have what sides had."""
        if to is Owner.TABLE:
            return ""
        named = name if of is not Owner.TABLE else self.position.seat
        spoken_of = of if of is not Owner.TABLE else Owner.SEAT
        at = self.ours.owner(spoken_of, named)
        if at is None:
            return None
        if spoken_of is not to:
            sides = self.spoken.table.sides
            at = sides[at][0] if to is Owner.SEAT else next((i for i, s in enumerate(sides) if at in s), at)
        names = self.theirs.owners(to)
        return names[at] if at < len(names) else None

    def _values(self, one: Field) -> tuple[Value, ...] | None:
        """Restate the words of a field; none where one of them means nothing there."""
        if one.place in self.heard.zones:
            return tuple(replace(v, text=self._cards(v.text)) for v in one.values)
        variable, own = self.heard.state.get(one.place), self.spoken.state.get(one.place)
        if variable is None or own is None or variable.type.name != own.type.name:
            return None
        if variable.type == SEAT:
            seats = [self.seat(t) if t in self.ours.names else t for t in one.texts]
            return None if None in seats else tuple(Value(s) for s in seats if s is not None)
        if variable.type.words and variable.type != BAG and any(t not in variable.type.words for t in one.texts):
            return None
        return one.values

    def _filled(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Make a pack that is to be dealt as large as it is there, by unknown cards at its bottom."""
        missing = cards_in(self.heard) - cards_in(self.spoken)
        first = _UNKNOWN.match(values[0].text)
        if not missing or first is None or int(first[1]) + missing < 1:
            return values
        self.left_out.append(f"the size of the pack ({cards_in(self.spoken)} cards)")
        return (Value(f"?{int(first[1]) + missing}"), *values[1:])

    def _cards(self, text: str) -> str:
        """Restate a run of cards: marks that are not there fall away, and this turn is this turn."""
        run, *flags = text.split(":")
        told = self.position.find("turn_no")
        now = int(told.texts[0]) if told and told.texts[0].isdecimal() else self.spoken.table.seats + 1
        kept: list[str] = []
        for flag in flags:
            turn = _TURN.match(flag)
            if turn and int(turn[1]) == now and not (told and self.ours.sides == self.theirs.sides):
                kept.append(f"@{self.heard.table.seats + 1}")
            elif turn or flag in self.heard.marks or flag in self.heard.shapes or flag == "none":
                kept.append(flag)
            else:
                self.left_out.append(f"the mark {flag}")
        return ":".join([run, *kept])
