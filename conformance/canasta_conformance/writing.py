"""The one canonical form in which the suite is written, and the digests of what is in it."""

import hashlib
import json
from typing import Final

WIDEST: Final = 4000
"""Lists and mappings that fit into so many characters stay on one line: a form with its requests, a position, a clause."""

_CLOSE: Final = (",", ":")
"""No blanks between parts: over the whole suite they would come to half a megabyte."""

_DIGITS: Final = 16


def digest(data: object) -> str:
    """Give sixteen hexadecimal digits that change when any of the data does."""
    text = json.dumps(data, sort_keys=True, separators=_CLOSE)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_DIGITS]


def write(data: object) -> str:
    """Write JSON in its one canonical form: ASCII, one space a level, short lists and mappings on one line."""
    return _write(data, 0) + "\n"


def _write(data: object, depth: int) -> str:
    flat = json.dumps(data, separators=_CLOSE)
    if len(flat) + depth <= WIDEST or not isinstance(data, dict | list) or not data:
        return flat
    pad = " " * (depth + 1)
    if isinstance(data, dict):
        parts = [f"{pad}{json.dumps(key)}: {_write(value, depth + 1)}" for key, value in data.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * depth + "}"
    if all(isinstance(item, str) for item in data):
        return flat
    parts = [pad + _write(item, depth + 1) for item in data]
    return "[\n" + ",\n".join(parts) + "\n" + " " * depth + "]"
