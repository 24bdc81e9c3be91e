"""The words that the books add of their own: what templates and book-making code give to `say`.

``say("text")`` stands anywhere in a book; ``say_in("place", "text")`` is for a word that another language says differently at
different places.
"""

import ast
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from canasta.wording import context_of

SAY: Final = "say"
SAY_IN: Final = "say_in"
_WHERE: Final = "book"
_WITH_PLACE: Final = 2


def context(place: str = "") -> str:
    """Name the place of a word of the books."""
    return context_of(f"{_WHERE} {place}" if place else _WHERE, "text")


def strings() -> Iterator[tuple[str, str, str]]:
    """Go through all words of the books: place, text, file; one that occurs often is given once."""
    seen: set[tuple[str, str]] = set()
    for file, found in (*_of_code(), *_of_templates()):
        for place, text in found:
            if (place, text) not in seen:
                seen.add((place, text))
                yield place, text, file


def _of_code() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for path in _below(files("canasta_tools") / "rulebook", ".py"):
        yield f"tools/canasta_tools/rulebook/{path.name}", list(in_python(path.read_text(encoding="utf-8")))


def _of_templates() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for path in _below(files("canasta_tools") / "templates" / "book", ".j2"):
        yield f"tools/canasta_tools/templates/book/{path.name}", list(in_template(path.read_text(encoding="utf-8")))


def _below(folder: Traversable, ending: str) -> list[Traversable]:
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted((path for path in found if path.name.endswith(ending)), key=lambda path: path.name)


def in_python(source: str) -> Iterator[tuple[str, str]]:
    """Find what a module says, in the order of its lines."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda c: (c.lineno, c.col_offset)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        literal = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if name == SAY and literal:
            yield context(), _flat(literal[0])
        elif name == SAY_IN and len(literal) >= _WITH_PLACE:
            yield context(literal[0]), _flat(literal[1])


def in_template(source: str) -> Iterator[tuple[str, str]]:
    """Find what a template says, in the order of its lines."""
    from jinja2 import Environment  # noqa: PLC0415 - slow to start
    from jinja2.ext import extract_from_ast  # noqa: PLC0415

    tree = Environment(autoescape=True).parse(source)
    for _, name, told in extract_from_ast(tree, gettext_functions=(SAY, SAY_IN)):
        literal = [told] if isinstance(told, str) else [t for t in told or () if t is not None]
        if name == SAY and literal:
            yield context(), _flat(literal[0])
        elif name == SAY_IN and len(literal) >= _WITH_PLACE:
            yield context(literal[0]), _flat(literal[1])


def _flat(text: str) -> str:
    return " ".join(text.split())
