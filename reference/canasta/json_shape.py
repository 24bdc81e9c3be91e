"""Data in JSON that have not the shape that a published schema asks for: what is wrong in words, and where in the text."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from canasta.diagnostics import Diagnostic, Span

if TYPE_CHECKING:
    from jsonschema import ValidationError

_LONGEST: Final = 200


def faults_of_shape(errors: "Iterable[ValidationError]", text: str, file: str, id_: str, hint: str) -> list[Diagnostic]:
    """Tell every departure from a schema, in the order of the places; ``text`` is what the data were read from."""
    told: list[Diagnostic] = []
    for error in errors:
        path = list(error.absolute_path)
        where = path_in_words(path)
        told.append(Diagnostic(id_, f"{where}: {_in_words(error)}", place_in_json(text, file, path), hint))
    return sorted(dict.fromkeys(told), key=lambda d: (d.span or Span(file, 1, 1, 1, 1), d.message))


def path_in_words(path: Sequence[str | int]) -> str:
    """Write the way to a value as programs do, ``deals[0].dealer``; the top is the whole file."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".") or "the file"


def place_in_json(text: str, file: str, path: Iterable[str | int]) -> Span:
    """Find where in the text a value begins, going by the keys and numbers that lead to it."""
    at = 0
    decoder = json.JSONDecoder()
    for step in path:
        at = _into(text, at, step, decoder)
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Span(file, line, column, line, column + 1)


def _in_words(error: "ValidationError") -> str:
    """Say what is wrong without the signs of a schema; where it describes the value, in the words of the description."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    given = _shown(error.instance)
    demanded = error.validator_value
    there = error.instance if isinstance(error.instance, dict) else {}
    listed: list[object] = list(demanded) if isinstance(demanded, list) else []
    match str(error.validator):
        case "required":
            absent = [str(key) for key in listed if key not in there]
            said = f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} missing"
        case "additionalProperties":
            strange = [key for key in there if key not in schema.get("properties", {})]
            said = f"{', '.join(strange)} {'is' if len(strange) == 1 else 'are'} not known here"
        case "pattern" if "description" in schema:
            said = f"{given} cannot stand here: {schema['description']}"
        case "enum":
            said = f"{given} is none of {', '.join(map(str, listed))}"
        case "const":
            said = f"{given} must be {error.validator_value}"
        case "type":
            wanted = {"object": "keys with values", "array": "a list", "string": "a text", "integer": "a whole number"}
            kind = error.validator_value if isinstance(error.validator_value, str) else ""
            said = f"{given} must be {wanted.get(kind, kind or 'something else')}"
        case _:
            said = error.message
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"


def _shown(value: object) -> str:
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    longest = 40
    return text if len(text) <= longest else f"{text[:longest]} …"


def _into(text: str, at: int, step: str | int, decoder: json.JSONDecoder) -> int:
    """Go from the beginning of an array or object to the beginning of one of its values."""
    at = _skip(text, at, " \t\r\n") + 1
    number = 0
    found = -1
    while at < len(text):
        at = _skip(text, at, " \t\r\n,")
        if at >= len(text) or text[at] in "]}":
            break
        key: str | int = number
        if isinstance(step, str):
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, at, " \t\r\n:")
        if key == step:
            found = at
            if isinstance(step, int):
                break
        _, at = decoder.raw_decode(text, at)
        number += 1
    return at if found < 0 else found


def _skip(text: str, at: int, signs: str) -> int:
    while at < len(text) and text[at] in signs:
        at += 1
    return at
