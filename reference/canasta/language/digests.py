"""Digests of clauses: one of what a clause makes the interpreter do, one of what it says to people."""

import hashlib
import json
import re
from typing import Final

from canasta.language.source import Mapping, Node, Scalar, Sequence

FORMAL: Final = (
    "kind", "on", "shape", "for", "when", "require", "do", "after", "before", "name", "of", "is", "points", "item", "winner",
    "refuses", "code",
)  # fmt: skip
"""The fields of a clause that the interpreter executes."""

SPOKEN: Final = ("title", "text")
"""The fields of a clause that only people read."""

_EXPRESSIONS: Final = frozenset({"when", "that", "is", "points", "winner", "do", "left"})
_LISTS: Final = frozenset({"on", "after", "before"})
_DIGITS: Final = 16


def formal_digest(clause: Mapping) -> str:
    """Give sixteen hexadecimal digits that change only when the clause means something else to the interpreter.

    Spacing, line breaks and needless brackets in expressions do not count, nor does the order of fields.
    """
    return _digest({key: canonical(clause.items[key], key) for key in FORMAL if key in clause.items})


def text_digest(clause: Mapping) -> str:
    """Give sixteen hexadecimal digits that change only when title or text of the clause change."""
    return _digest({key: canonical(clause.items[key], key) for key in SPOKEN if key in clause.items})


def declaration_digest(declaration: Node) -> str:
    """Give sixteen hexadecimal digits that change only when a declaration means something else, not its words."""
    if isinstance(declaration, Mapping):
        spoken = {*SPOKEN, "about", "ruling"}
        return _digest({k: canonical(v, k) for k, v in declaration.items.items() if k not in spoken})
    return _digest(canonical(declaration, ""))


def _digest(canonical: object) -> str:
    text = json.dumps(canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_DIGITS]


def canonical(node: Node, field: str) -> object:
    """Write a node so that two ways of saying the same come out alike; ``field`` is the nearest key above it."""
    if isinstance(node, Scalar):
        text = _expression(node.text) if field in _EXPRESSIONS else _spaced(node.text)
        return [text] if field in _LISTS else text
    if isinstance(node, Sequence):
        return [canonical(item, "do" if field == "do" else "") for item in node.items]
    return {key: canonical(value, key) for key, value in node.items.items()}


def _expression(text: str) -> str:
    from canasta.language.expressions import ExpressionSyntaxError, normalise  # noqa: PLC0415 - needs the parser, 60 ms

    try:
        return normalise(text)
    except ExpressionSyntaxError:  # told by the stage that reads expressions; a digest exists for any clause
        return _spaced(text)


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
