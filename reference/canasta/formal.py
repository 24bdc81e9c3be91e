"""The formal part of a clause as text: what the interpreter executes, in one canonical form, with nobody's words."""

from canasta.language.digests import FORMAL
from canasta.language.expressions import ExpressionSyntaxError, normalise
from canasta.language.source import Mapping, Node, Scalar, Sequence

_WORDS = frozenset({"kind", "on", "shape", "for", "after", "before", "name", "item", "refuses", "code"})


def formal_text(clause: Mapping) -> str:
    """Write the formal part of a clause, as it stands in the merged document, in the way of a rule file.

    Expressions are in their canonical form, each on one line; fields come in a fixed order. A clause that binds only
    the people at the table has nothing but its kind.
    """
    lines: list[str] = []
    for key in FORMAL:
        node = clause.items.get(key)
        if node is not None:
            lines += _field(key, node)
    return "\n".join(lines)


def formal_data(clause: Mapping) -> dict[str, object]:
    """Give the formal part of a clause as plain data, expressions in their canonical form."""
    return {key: _data(clause.items[key], key) for key in FORMAL if key in clause.items}


def _data(node: Node, key: str) -> object:
    if isinstance(node, Scalar):
        return [node.text] if key in ("on", "after", "before") else _canonical(node.text, key)
    if isinstance(node, Sequence):
        return [_data(item, "item of " + key if key in _WORDS else key) for item in node.items]
    return {name: _data(value, name) for name, value in node.items.items()}


def _canonical(text: str, key: str) -> str:
    if key.removeprefix("item of ") in _WORDS or key == "of":
        return text
    try:
        return normalise(text)
    except ExpressionSyntaxError:  # a faulty rule set is still shown; the stage that reads expressions has told it
        return " ".join(text.split())


def _field(key: str, node: Node) -> list[str]:
    data = _data(node, key)
    if isinstance(data, str):
        return [f"{key}: {data}"]
    if not isinstance(data, list):
        return [f"{key}: {_inline(data)}"]
    if key in ("on", "after", "before", "of"):
        return [f"{key}: [{', '.join(_inline(x) for x in data)}]"]
    lines = [f"{key}:"]
    for item in data:
        if isinstance(item, dict):
            pairs = [f"{name}: {_inline(value)}" for name, value in item.items()]
            lines += [f"  - {pairs[0]}", *(f"    {pair}" for pair in pairs[1:])]
        else:
            lines.append(f"  - {_inline(item)}")
    return lines


def _inline(data: object) -> str:
    if isinstance(data, dict):
        return ", ".join(f"{name}: {_inline(value)}" for name, value in data.items())
    if isinstance(data, list):
        return f"[{', '.join(_inline(x) for x in data)}]"
    return str(data)
