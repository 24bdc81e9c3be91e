"""A position on one line: ``N at start; hand.N KK459; pile 2 5 K; melds.NS QQQ; opened.NS; stock ?30``.

Only the syntax is settled here. The rule set says which places there are, and whether ``5`` is a card or a number.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.notation.cards import Card, CardFault, read_cards
from canasta.notation.driver import Stop, Word, tables
from canasta.notation.hints import explain_position


@dataclass(frozen=True, slots=True)
class Value:
    """One word of a field, such as ``KK459``, ``?11``, ``rest``, ``yes`` or ``1500``."""

    text: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Field:
    """What lies in one place or holds there: ``place``, whose it is (or empty), and its words; no word means yes."""

    place: str
    owner: str = ""
    values: tuple[Value, ...] = ()
    span: Span | None = field(default=None, compare=False)

    @property
    def texts(self) -> tuple[str, ...]:
        """The words without their places."""
        return tuple(value.text for value in self.values)


@dataclass(frozen=True, slots=True)
class Position:
    """A position as written: the seat to act and its phase (both empty when not written), then the fields in order."""

    seat: str = ""
    phase: str = ""
    fields: tuple[Field, ...] = ()
    span: Span | None = field(default=None, compare=False)

    def find(self, place: str, owner: str = "") -> Field | None:
        """Give the field of a place and owner."""
        return next((f for f in self.fields if f.place == place and f.owner == owner), None)

    def __iter__(self) -> Iterator[Field]:
        """Go through the fields in the order written."""
        return iter(self.fields)


def cards_of(value: Value) -> tuple[Card, ...] | Diagnostic:
    """Read one word of a field as a run of cards in international letters; a finding when it is none."""
    cards = read_cards(value.text)
    if not isinstance(cards, CardFault):
        return cards
    span = value.span
    if span is not None:
        at = span.column + cards.start
        span = Span(span.file, span.line, at, span.end_line, at + cards.length)
    return Diagnostic(cards.id, cards.message, span, cards.hint)


@dataclass(slots=True)
class _Place:
    """Where the text of a position stands in its file."""

    file: str
    line: int
    column: int

    def span(self, at: int, end: int) -> Span:
        return Span(self.file, self.line, self.column + at, self.line, self.column + end)


def parse_position(
    text: str, file: str, line: int = 1, column: int = 1
) -> tuple[Position | None, tuple[Diagnostic, ...]]:
    """Read a position, None when it could not be read; ``line`` and ``column`` say where it begins in the file."""
    flat = text.replace("\r", " ").replace("\n", " ")
    place = _Place(file, line, column)
    begin = len(flat) - len(flat.lstrip(" \t"))
    words = tables().read(flat, "position", begin)
    if isinstance(words, Stop):
        found = explain_position(words, flat)
        span = place.span(found.at, found.at + found.length)
        return None, (Diagnostic(found.id, found.message, span, found.hint),)
    findings = Findings()
    position = _build(words, place, findings)
    return (None if findings.errors else position), tuple(findings)


def _build(words: list[Word], place: _Place, findings: Findings) -> Position:
    """Put the words of a position together."""
    seat = next((w.text for w in words if w.kind == "MOVER"), "")
    phase = next((w.text for w in words if w.kind == "PHASE"), "")
    fields: list[Field] = []
    seen: set[tuple[str, str]] = set()
    begins = [i for i, w in enumerate(words) if w.kind == "PLACE"]
    for begin, end in pairwise([*begins, len(words)]):
        name, _, owner = words[begin].text.partition(".")
        parts = [w for w in words[begin + 1 : end] if w.kind == "VALUE"]
        last = parts[-1] if parts else words[begin]
        span = place.span(words[begin].at, last.at + len(last.text))
        if (name, owner) in seen:
            hint = "write each place once; several melds stand in one field, blanks between them"
            findings.add(Diagnostic("CN1004", f"{words[begin].text} is written twice", span, hint))
        seen.add((name, owner))
        if begin == 0 and len(name) == 1 and not owner and [w.text for w in parts[:1]] == ["at"]:
            hint = f"write the seat as a capital letter: {name.upper()} at {' '.join(w.text for w in parts[1:])}"
            findings.add(Diagnostic("CN1002", f"{name} is no seat", span, hint))
        values = tuple(Value(w.text, place.span(w.at, w.at + len(w.text))) for w in parts)
        fields.append(Field(name, owner, values, span))
    whole = place.span(words[0].at, words[-1].at + len(words[-1].text))
    return Position(seat, phase, tuple(fields), whole)


def write_position(position: Position) -> str:
    """Write a position in its canonical form, on one line."""
    parts = [f"{position.seat} at {position.phase}"] if position.seat else []
    for part in position.fields:
        name = f"{part.place}.{part.owner}" if part.owner else part.place
        parts.append(" ".join([name, *part.texts]))
    return "; ".join(parts)


def position_to_json(position: Position) -> dict[str, object]:
    """Give a position as plain JSON data, see ``spec/schema/position.schema.json``."""
    fields: list[dict[str, object]] = []
    for part in position.fields:
        told: dict[str, object] = {"place": part.place}
        if part.owner:
            told["owner"] = part.owner
        if part.values:
            told["values"] = list(part.texts)
        fields.append(told)
    head: dict[str, object] = {"seat": position.seat, "phase": position.phase} if position.seat else {}
    return head | {"fields": fields}
