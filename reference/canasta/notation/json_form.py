"""A record as JSON data and back: the same record, for programs that would rather not read text.

The shape is published as ``spec/schema/record.schema.json``. Cards are in the international letters whatever the
language of the record. What comes back is held to the same rules as text, by writing it and reading it again.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.json_shape import faults_of_shape
from canasta.notation import record as r
from canasta.notation.assembly import Seating, no_seating
from canasta.notation.cards import Card, CardFault, read_cards
from canasta.notation.reader import read_text
from canasta.notation.writer import write
from canasta.rooms import room

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

SCHEMA = "canasta-record/1"
_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
Data = Mapping[str, Any]


def to_json(record: r.Record) -> dict[str, object]:
    """Give a record as JSON data."""
    data: dict[str, object] = {"schema": SCHEMA}
    data["tags"] = [{"name": t.name, "value": t.value, **_notes(t.notes)} for t in record.tags]
    data["deals"] = [_deal(deal) for deal in record.deals]
    if record.result:
        totals = [{"side": side, "points": points} for side, points in record.result.totals]
        data["result"] = _lean(word=record.result.word, totals=totals) | _notes(record.result.notes)
    if record.comments:
        data["comments"] = list(record.comments)
    return data


def read_json(text: str, file: str, seating: Seating = no_seating) -> tuple[r.Record | None, tuple[Diagnostic, ...]]:
    """Read one record from JSON text; None when it could not be read."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        span = Span(file, error.lineno, error.colno, error.lineno, error.colno + 1)
        return None, (Diagnostic("CN0080", f"this is no JSON: {error.msg}", span, "mend the JSON text at this place"),)
    except (ValueError, RecursionError):
        hint = "a record nests only a few levels deep, and its numbers are short"
        span = Span(file, 1, 1, 1, 1)
        return None, (Diagnostic("CN0080", "this JSON is nested too deep or holds too long a number", span, hint),)
    return from_json(data, file, text, seating)


def from_json(
    data: object, file: str, text: str = "", seating: Seating = no_seating
) -> tuple[r.Record | None, tuple[Diagnostic, ...]]:
    """Make a record of JSON data; None, with findings, when the data do not describe one.

    Findings have their place in ``text`` where that is known, else they are about the whole file.
    """
    whole = Span(file, 1, 1, 1, 1)
    if _has_control_characters(data):
        hint = "every text is one line; delete line feeds and other control characters"
        return None, (Diagnostic("CN0081", "a text in the data holds a control character", whole, hint),)
    hint = "the shape is described in spec/schema/record.schema.json"
    wrong = faults_of_shape(_validator().iter_errors(data), text, file, "CN0081", hint)
    if wrong or not isinstance(data, dict):
        return None, tuple(wrong[:50])
    record = _record(data)
    again, found = read_text(write(record), file, seating)
    found = [replace(d, span=whole, labels=()) for d in found]
    errors = tuple(d for d in found if d.severity is Severity.ERROR)
    if again != [record]:
        hint = "as text the record would read differently; comments need clean ends, and marks must stand in order"
        return None, errors or (Diagnostic("CN0082", "the record cannot be written as text", whole, hint),)
    return replace(record, read_with=again[0].read_with), tuple(found)


def _has_control_characters(data: object) -> bool:
    """Whether any text in the data holds a sign that no line can hold."""
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(part)
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, str) and not part.isprintable() and _UNPRINTABLE.search(part):
            return True
    return False


@cache
def _validator() -> "Draft202012Validator":
    """Make the schema's validator, once a process."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 eighty milliseconds only readers of JSON should pay

    text = (room("spec") / "schema" / "record.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


# ---- to JSON -------------------------------------------------------------------------------------------------------


def _lean(**fields: object) -> dict[str, object]:
    """Leave out what says nothing."""
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


def _notes(notes: r.Notes) -> dict[str, object]:
    return _lean(above=list(notes.above), beside=list(notes.beside))


def _cards(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def _deal(deal: r.Deal) -> dict[str, object]:
    lines = [_line(line) for line in deal.lines]
    return {"number": deal.number, **_lean(dealer=deal.dealer), **_notes(deal.notes), "lines": lines}


def _line(line: r.Line) -> dict[str, object]:
    """Give one line of a deal; its key ``line`` says which kind it is."""
    if isinstance(line, r.Turn):
        return _turn(line)
    told: dict[str, object]
    match line:
        case r.Hand(seat=seat, cards=cards):
            told = {"line": "hand", "seat": seat, "cards": _cards(cards)}
        case r.Stock(cards=cards):
            told = {"line": "stock", "cards": _cards(cards)}
        case r.Seed(number=number):
            told = {"line": "seed", "number": str(number)}
        case r.Upcards(cards=cards):
            told = {"line": "up", "cards": _cards(cards)}
        case r.Melds(side=side, groups=groups):
            told = {"line": "melds", "side": side, "groups": [_cards(group) for group in groups]}
        case r.RedThrees(side=side, cards=cards):
            told = {"line": "reds", "side": side, "cards": _cards(cards)}
        case r.Left(seat=seat, cards=cards):
            told = {"line": "left", "seat": seat, "cards": _cards(cards)}
        case r.Ending(reason=reason, seat=seat, words=words):
            told = {"line": "end", "reason": reason} | _lean(seat=seat, words=list(words))
        case r.Score(side=side, items=items, sum=come_to, total=total):
            figures = [{"name": item.name, "points": item.points} for item in items]
            told = {"line": "score", "side": side, "items": figures} | _lean(sum=come_to, total=total)
    return told | _notes(line.notes)


def _turn(turn: r.Turn) -> dict[str, object]:
    return {"line": "turn", "seat": turn.seat} | _lean(
        actions=[_action(action) for action in turn.actions],
        marks=[
            {"kind": str(m.kind), "after": m.after, **_lean(who=m.who, why=m.why)}
            | ({"points": m.points} if m.kind is r.MarkKind.PENALTY else {})
            for m in turn.marks
        ],
        claims=[{"place": c.place, **_lean(owner=c.owner), "value": c.value, "after": c.after} for c in turn.claims],
        comments=[{"text": c.text, "after": c.after} for c in turn.comments],
        above=list(turn.above),
    )


def _action(action: r.Action) -> dict[str, object]:
    told: dict[str, object] = {"act": str(action.kind)}
    told |= _lean(cards=_cards(action.cards), replacement=_cards(action.replacement), word=action.word)
    for key, named in (("target", action.target), ("other", action.other)):
        if named is not None:
            nth: dict[str, object] = {"nth": named.nth} if named.nth else {}
            told[key] = {"card": str(named.card) if named.card else "new"} | nth
    return told


# ---- from JSON -----------------------------------------------------------------------------------------------------


def _record(data: Data) -> r.Record:
    tags = tuple(r.Tag(t["name"], t["value"], _noted(t)) for t in data["tags"])
    result = None
    if "result" in data:
        told = data["result"]
        totals = tuple((t["side"], t["points"]) for t in told.get("totals", ()))
        result = r.Result(told.get("word", ""), totals, _noted(told))
    return r.Record(tags, tuple(_read_deal(d) for d in data["deals"]), result, tuple(data.get("comments", ())))


def _noted(data: Data) -> r.Notes:
    return r.Notes(tuple(data.get("above", ())), tuple(data.get("beside", ())))


def _read_deal(data: Data) -> r.Deal:
    lines = tuple(_LINES[line["line"]](line) for line in data["lines"])
    return r.Deal(data["number"], data.get("dealer", ""), lines, _noted(data))


def _hand_of(texts: list[str]) -> tuple[Card, ...]:
    """Read cards one by one; the schema has already seen that each is one card."""
    cards: list[Card] = []
    for text in texts:
        card = read_cards(text)
        if isinstance(card, CardFault):
            raise AssertionError(f"the schema let {text} through")  # noqa: TRY004 a fault of the schema, not of the data
        cards.extend(card)
    return tuple(cards)


def _read_turn(data: Data) -> r.Turn:
    marks = tuple(
        r.Mark(r.MarkKind(m["kind"]), m["after"], m.get("who", ""), m.get("points", 0), m.get("why", ""))
        for m in data.get("marks", ())
    )
    claims = tuple(r.Claim(c["place"], c.get("owner", ""), c["value"], c["after"]) for c in data.get("claims", ()))
    comments = tuple(r.Comment(c["text"], c["after"]) for c in data.get("comments", ()))
    actions = tuple(_read_action(a) for a in data.get("actions", ()))
    return r.Turn(data["seat"], actions, marks, claims, comments, tuple(data.get("above", ())))


def _read_action(data: Data) -> r.Action:
    cards, replacement = _hand_of(data.get("cards", [])), _hand_of(data.get("replacement", []))
    target, other = _read_target(data.get("target")), _read_target(data.get("other"))
    return r.Action(r.Written(data["act"]), cards, target, replacement, data.get("word", ""), other)


def _read_target(data: Data | None) -> r.Target | None:
    if data is None:
        return None
    card = None if data["card"] == "new" else _hand_of([data["card"]])[0]
    return r.Target(card, data.get("nth", 0))


def _read_score(data: Data) -> r.Score:
    items = tuple(r.Item(item["name"], item["points"]) for item in data["items"])
    return r.Score(data["side"], items, data.get("sum"), data.get("total"), _noted(data))


_LINES: dict[str, Callable[[Data], r.Line]] = {
    "hand": lambda d: r.Hand(d["seat"], _hand_of(d["cards"]), _noted(d)),
    "stock": lambda d: r.Stock(_hand_of(d["cards"]), _noted(d)),
    "seed": lambda d: r.Seed(int(d["number"]), _noted(d)),
    "up": lambda d: r.Upcards(_hand_of(d["cards"]), _noted(d)),
    "melds": lambda d: r.Melds(d["side"], tuple(_hand_of(g) for g in d["groups"]), _noted(d)),
    "reds": lambda d: r.RedThrees(d["side"], _hand_of(d["cards"]), _noted(d)),
    "left": lambda d: r.Left(d["seat"], _hand_of(d["cards"]), _noted(d)),
    "end": lambda d: r.Ending(d["reason"], d.get("seat", ""), tuple(d.get("words", ())), _noted(d)),
    "score": _read_score,
    "turn": _read_turn,
}
