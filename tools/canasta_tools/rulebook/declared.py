"""The declarations of a rule set as tables: the words that the formal parts use, and what each of them stands for."""

from typing import Final

from canasta.language.expressions import ExpressionSyntaxError, normalise
from canasta.language.source import Mapping, Node, Scalar, Sequence
from canasta_tools.rulebook.markdown import code, prose, table
from canasta_tools.rulebook.material import Material

HEADINGS: Final = {
    "classes": "Classes of cards", "values": "Values of cards", "parameters": "Figures", "steps": "Step tables",
    "shapes": "Shapes of groups", "zones": "Places for cards", "state": "What is remembered", "marks": "Marks on groups",
    "acts": "Acts", "phases": "Phases of a turn", "reasons": "Ways in which a deal ends",
}  # fmt: skip
"""The tables of declarations in the order of the book; options and profiles stand at its beginning."""

_EXPRESSIONS: Final = frozenset({"is", "left"})


def declarations(book: Material) -> list[tuple[str, str]]:
    """Write the tables of what a rule set declares: pairs of a heading and a table."""
    document = book.loaded.document
    found = [("Table and pack", _singles(document))]
    for key, heading in HEADINGS.items():
        named = document.items.get(key)
        if isinstance(named, Mapping) and named.items:
            rows = [[code(name), *_cells(node, key)] for name, node in named.items.items()]
            found.append((heading, table(["name", "declared as", "in words"], rows)))
    return found


def _singles(document: Mapping) -> str:
    rows = []
    for key in ("table", "pack"):
        node = document.items.get(key)
        if isinstance(node, Mapping):
            rows += [[code(f"{key}.{field}"), code(_text(value, field))] for field, value in node.items.items()]
    return table(["name", "declared as"], rows)


def _cells(node: Node, key: str) -> list[str]:
    if not isinstance(node, Mapping):
        return [code(_text(node, key)), ""]
    words = node.items.get("text")
    fields = [(f, v) for f, v in node.items.items() if f not in ("text", "title")]
    told = "<br>".join(code(_text(v, f) if f == "is" else f"{f}: {_text(v, f)}") for f, v in fields)
    return [told, prose(words.text) if isinstance(words, Scalar) else ""]


def _text(node: Node, field: str) -> str:
    if isinstance(node, Scalar):
        return _canonical(node.text) if field in _EXPRESSIONS else node.text
    if isinstance(node, Sequence):
        return f"[{', '.join(_text(item, '') for item in node.items)}]"
    return ", ".join(f"{name}: {_text(value, name)}" for name, value in node.items.items())


def _canonical(text: str) -> str:
    try:
        return normalise(text)
    except ExpressionSyntaxError:  # a figure such as -100 is no expression of one sign, and is shown as written
        return text
