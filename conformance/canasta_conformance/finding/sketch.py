"""A sketch of a case: a position and what is done in it, as lists that can be changed, written and read as examples write them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from canasta.language.ruleset import Example, Form, Ruleset
from canasta.notation.cards import UNKNOWN, Card, CardFault, read_cards, write_cards
from canasta.notation.position_text import Field, Position, Value, parse_position, write_position
from canasta.notation.record import Action
from canasta.notation.turns import parse_turn
from canasta.notation.writer import write_actions

Options = tuple[tuple[str, str], ...]
"""The options that are chosen otherwise than the default, by name."""

Place = tuple[str, str]
"""A zone or a value, and whose it is."""

NO_CARDS: Final = "?0"


class SketchError(ValueError):
    """An example that is no sketch: it leaves cards to be worked out."""


@dataclass(slots=True)
class Sketch:
    """A position and a turn, a question, or neither, where the position itself is scored."""

    seat: str
    phase: str
    cards: dict[Place, list[list[Card]]] = field(default_factory=dict)
    """What lies in each zone: a row of cards for each meld, or one row."""
    values: dict[Place, list[str]] = field(default_factory=dict)
    acts: list[Action] = field(default_factory=list)
    ask: str = ""
    wins: bool = False
    """Whether the question is who has won."""
    options: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "Sketch":
        """Make one that can be changed by itself."""
        cards = {place: [row[:] for row in rows] for place, rows in self.cards.items()}
        values = {place: words[:] for place, words in self.values.items()}
        return Sketch(self.seat, self.phase, cards, values, self.acts[:], self.ask, self.wins, dict(self.options))

    @property
    def given(self) -> str:
        """The position on one line."""
        fields = [
            Field(name, owner, tuple(Value(_written(row)) for row in rows if row) or (Value(NO_CARDS),))
            for (name, owner), rows in self.cards.items()
        ]
        fields += [Field(n, owner, tuple(Value(word) for word in words)) for (n, owner), words in self.values.items()]
        return write_position(Position(self.seat, self.phase, tuple(fields)))

    @property
    def do(self) -> str:
        """The turn as it is written; nothing where none is played."""
        return write_actions(tuple(self.acts)) if self.acts else ""

    def rows(self) -> Iterator[tuple[Place, list[Card]]]:
        """Go through the rows of cards."""
        for place, rows in self.cards.items():
            for row in rows:
                yield place, row


def sketch(ruleset: Ruleset, example: Example) -> Sketch:
    """Take an example apart.

    Raises:
        SketchError: when it cannot be changed piece by piece.
    """
    found = read(ruleset, example.given, example.do, example.ask, dict(example.options))
    found.wins = isinstance(example.expect, dict) and "winner" in example.expect
    return found


def read(ruleset: Ruleset, given: str, do: str, ask: str, options: Mapping[str, str]) -> Sketch:
    """Read a sketch from its texts.

    Raises:
        SketchError: when it cannot be changed piece by piece.
    """
    position, _ = parse_position(given, "sketch")
    if position is None or not position.seat or position.phase not in (*ruleset.phases, "setup"):
        raise SketchError(given)
    found = Sketch(position.seat, position.phase, ask=ask, options=dict(options))
    for one in position:
        zone, place = ruleset.zones.get(one.place), (one.place, one.owner)
        if zone is None:
            found.values[place] = list(one.texts)
            continue
        runs = [_cards(text) for text in one.texts]
        found.cards[place] = runs if zone.form is Form.GROUPS else [[card for run in runs for card in run]]
    if do:
        actions, _ = parse_turn(do, "sketch")
        if not actions:
            raise SketchError(do)
        found.acts = list(actions)
    return found


def _cards(text: str) -> list[Card]:
    if text == NO_CARDS:
        return []
    cards = read_cards(text)
    if isinstance(cards, CardFault):
        raise SketchError(text)
    return list(cards)


def _written(row: list[Card]) -> str:
    """Write a row of cards; one with unknown cards is parted so that it can be read."""
    if UNKNOWN not in row:
        return write_cards(row)
    return ",".join(_runs(row))


def _runs(row: list[Card]) -> Iterator[str]:
    begin = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at].hidden != row[begin].hidden:
            yield write_cards(row[begin:at])
            begin = at
