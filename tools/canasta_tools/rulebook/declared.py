"""The declarations of a rule set as tables: the words that the formal parts use, and what each of them stands for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from canasta.language.expressions import ExpressionSyntaxError, normalise
from canasta.language.source import Mapping, Node, Scalar, Sequence
from canasta.wording import context_of
from canasta_tools.rulebook.material import Material
from canasta_tools.rulebook.telling import Said, Teller

_TABLES: Final = (
    "classes", "values", "parameters", "steps", "shapes", "zones", "state", "marks", "acts", "phases", "reasons",
)  # fmt: skip
"""The tables of declarations in the order of the book; options and profiles stand at its beginning."""

_EXPRESSIONS: Final = frozenset({"is", "left"})


@dataclass(frozen=True, slots=True)
class Declared:
    """One thing that is declared: its name, what is written about it, and its words for the reader."""

    name: str
    fields: tuple[str, ...]
    words: Said


@dataclass(frozen=True, slots=True)
class Table:
    """The things declared under one key, with a heading."""

    key: str
    heading: Said
    rows: tuple[Declared, ...]


def declarations(book: Material) -> list[Table]:
    """List the tables of what a rule set declares."""
    document = book.loaded.document
    headings = _headings(book.teller)
    found = [Table("table", headings["table"], tuple(_singles(document)))]
    for key in _TABLES:
        named = document.items.get(key)
        if isinstance(named, Mapping) and named.items:
            rows = tuple(_declared(book, key, name, node) for name, node in named.items.items())
            found.append(Table(key, headings[key], rows))
    return found


def _headings(t: Teller) -> dict[str, Said]:
    return {
        "table": t.say("Table and pack"), "classes": t.say("Classes of cards"), "values": t.say("Values of cards"),
        "parameters": t.say("Figures"), "steps": t.say("Step tables"), "shapes": t.say("Shapes of groups"),
        "zones": t.say("Places for cards"), "state": t.say("What is remembered"), "marks": t.say("Marks on groups"),
        "acts": t.say("Acts"), "phases": t.say("Phases of a turn"), "reasons": t.say("Ways in which a deal ends"),
    }  # fmt: skip


def _singles(document: Mapping) -> Iterator[Declared]:
    for key in ("table", "pack"):
        node = document.items.get(key)
        for field, value in node.items.items() if isinstance(node, Mapping) else ():
            yield Declared(f"{key}.{field}", (_text(value, field),), Said(""))


def _declared(book: Material, key: str, name: str, node: Node) -> Declared:
    if not isinstance(node, Mapping):
        return Declared(name, (_text(node, key),), Said(""))
    words = node.items.get("text")
    fields = [(f, v) for f, v in node.items.items() if f not in ("text", "title")]
    told = tuple(_text(v, f) if f == "is" else f"{f}: {_text(v, f)}" for f, v in fields)
    text = words.text if isinstance(words, Scalar) else ""
    return Declared(name, told, book.teller.told(book.ruleset, context_of(f"{key}.{name}", "text"), text))


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
