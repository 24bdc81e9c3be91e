"""The shapes of the records of a stream: what each field holds, and which of them must be there.

They are not written as a JSON schema: reading a report must not wait for a library that checks one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from canasta_conformance.faults import FaultKind
from canasta_conformance.grading import Grade, Status

Has = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Field:
    """What a field of a record holds, in a word for a person and as a question; some may be left out."""

    what: str
    has: Has
    needed: bool = False


Fields = Mapping[str, Field]


def fault_of(record: Mapping[str, Any], fields: Fields) -> str:
    """Say what is wrong with a record; empty when nothing is. What it holds besides is left alone."""
    for name, field in fields.items():
        if name not in record:
            if field.needed:
                return f"has no {name}"
        elif not field.has(record[name]):
            shown = json.dumps(record[name], ensure_ascii=False)
            return f"has the {name} {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'}, which is not {field.what}"
    return ""


_LONGEST: Final = 60


def _text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _level(value: object) -> bool:
    """A number with a point is whole, too, if nothing stands behind it: JSON makes no difference."""
    return _number(value) or (isinstance(value, float) and value.is_integer())


def _truth(value: object) -> bool:
    return isinstance(value, bool)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _lists(inner: Has) -> Has:
    return lambda value: isinstance(value, list) and all(map(inner, value))


def _maps(inner: Has) -> Has:
    return lambda value: isinstance(value, dict) and all(map(inner, value.values()))


def _has(needed: Mapping[str, Has], more: Mapping[str, Has] | None = None) -> Has:
    """Give the question whether something is a mapping with these members, and with others if they are right."""

    def asked(value: object) -> bool:
        if not isinstance(value, dict) or not needed.keys() <= value.keys():
            return False
        return all(has(value[name]) for name, has in {**needed, **(more or {})}.items() if name in value)

    return asked


def _any(_: object) -> bool:
    return True


_RULES: Final = _has(
    {"id": _text},
    {"profile": _text, "options": _maps(_text), "house_rules": _text, "selectable": lambda v: v == "all" or _texts(v)},
)

HEAD: Final[Fields] = {
    "suite": Field("the digest of a suite", _text, needed=True),
    "address": Field("the address of an engine", _text, needed=True),
    "forms": Field("a whole number", _number, needed=True),
    "seed": Field("a whole number", _number, needed=True),
    "of": Field("a whole number", _number),
    "repeat": Field("a whole number", _number),
    "engine": Field(
        "an engine with name, version and language", _has({"name": _text, "version": _text, "language": _text})
    ),
    "rulesets": Field("a list of rule sets with their ids", _lists(_RULES)),
    "levels": Field("a list of levels", _lists(_level)),
    "operations": Field("a list of operations", _texts),
    "chosen": Field("what was chosen, by options", _maps(_text)),
}
"""The fields of the first record."""

RESULT: Final[Fields] = {
    "case": Field("the id of a case", _text, needed=True),
    "form": Field("the number of a form", _number, needed=True),
    "level": Field("0, 1 or 2", lambda v: _number(v) and v in (0, 1, 2), needed=True),
    "ruleset": Field("the name of a rule set", _text, needed=True),
    "clauses": Field("a list of clauses", lambda v: _texts(v) and bool(v), needed=True),
    "status": Field("the status of a form", lambda v: _text(v) and v in list(Status), needed=True),
    "must": Field("a word", _text),
    "grades": Field(
        "pass or fail for each grade",
        lambda v: _maps(lambda grade: grade in ("pass", "fail"))(v) and v.keys() <= set(Grade),
    ),
    "differences": Field(
        "a list of differences", _lists(_has({"grade": _text, "place": _text, "expected": _any, "found": _any}))
    ),
    "turn": Field("a text", _text),
    "unshown": Field("a list of places", _texts),
    "promises": Field("a list of texts", _texts),
    "told": Field("a text", _text),
    "log": Field("a text", _text),
    "declared": Field("true or false", _truth),
    "fault": Field(
        "a fault with kind and text",
        _has({"kind": lambda v: _text(v) and v in list(FaultKind), "text": _text}, {"log": _text}),
    ),
    "exchange": Field("a list of requests and answers", _lists(_has({"send": _has({})}, {"reply": _has({})}))),
}
"""The fields of a result."""

END: Final[Fields] = {
    "complete": Field("true or false", _truth, needed=True),
    "results": Field("a whole number", _number),
    "counts": Field("a number for each status", _maps(_number)),
    "unasked": Field("a list of texts", _texts),
    "stopped": Field("a text", _text),
}
"""The fields of the end."""
