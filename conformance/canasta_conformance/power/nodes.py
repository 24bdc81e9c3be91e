"""Changing one place of a rule set's document: everything else stays the very same, and is found by being the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from canasta.language.source import Mapping, Node, Scalar, Sequence

UNSPOKEN = frozenset({"examples", "sources", "text", "title", "about"})
"""Fields in which nothing is that a rule set is executed by."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One place of a document as it is, and what takes its place; with nothing it is left out."""

    old: Node
    new: Node | None

    def applied(self, document: Mapping, places: "Places | None" = None) -> Mapping:
        """Give the document with the change; the same document where the place is not in it.

        With the ``places`` of the document it is found at once; else the whole is gone through.
        """
        paths = None if places is None or places.document is not document else places.of(self.old)
        if paths is not None and len(paths) < 2:  # noqa: PLR2004 - what stands in two places is changed in both
            changed = _changed_at(document, paths[0], self) if paths else document
        else:
            changed = _changed(document, self)
        return changed if isinstance(changed, Mapping) else document


class Places:
    """Where every word of a document stands: the keys and numbers that lead to it from the top."""

    def __init__(self, document: Mapping) -> None:
        """Go through the document once."""
        self.document = document
        self._paths: dict[int, list[Path]] = {}
        self._note(document, ())

    def _note(self, node: Node, path: "Path") -> None:
        if isinstance(node, Scalar):
            self._paths.setdefault(id(node), []).append(path)
        for step, inner in _spoken(node):
            self._note(inner, (*path, step))

    def of(self, wanted: Node) -> "list[Path] | None":
        """Give the ways to a node, by the first word in it; nothing where it holds none."""
        word = _first_word(wanted)
        return None if word is None else self._paths.get(id(word), [])


Path = tuple[str | int, ...]


def _spoken(node: Node) -> Iterator[tuple[str | int, Node]]:
    """Go through what a node holds that a rule set is executed by."""
    if isinstance(node, Sequence):
        yield from enumerate(node.items)
    elif isinstance(node, Mapping):
        yield from ((key, value) for key, value in node.items.items() if key not in UNSPOKEN)


def _first_word(node: Node) -> Scalar | None:
    if isinstance(node, Scalar):
        return node
    return next((word for _, inner in _spoken(node) if (word := _first_word(inner)) is not None), None)


def _changed_at(node: Node, path: Path, edit: Edit) -> Node | None:
    """Change what lies on the way to a word."""
    if is_same(node, edit.old):
        return edit.new
    if not path or isinstance(node, Scalar):
        return node
    step, *rest = path
    if isinstance(node, Sequence):
        listed = list[Node | None](node.items)
        before = node.items[int(step)]
        listed[int(step)] = new = _changed_at(before, tuple(rest), edit)
        return node if new is before else Sequence(tuple(n for n in listed if n is not None), node.span)
    old = node.items[str(step)]
    new = _changed_at(old, tuple(rest), edit)
    if new is old:
        return node
    items = {key: new if key == step else value for key, value in node.items.items()}
    kept = {key: value for key, value in items.items() if value is not None}
    return Mapping(kept, {key: node.keys[key] for key in kept}, node.span)


def _changed(node: Node, edit: Edit) -> Node | None:
    """Change a node or what is in it; what holds nothing changed is given back as it is."""
    if is_same(node, edit.old):
        return edit.new
    if isinstance(node, Sequence):
        listed = [(item, _changed(item, edit)) for item in node.items]
        if all(new is old for old, new in listed):
            return node
        return Sequence(tuple(new for _, new in listed if new is not None), node.span)
    if isinstance(node, Mapping):
        items: dict[str, Node] = {}
        same = True
        for key, value in node.items.items():
            new = value if key in UNSPOKEN else _changed(value, edit)
            same = same and new is value
            if new is not None:
                items[key] = new
        return node if same else Mapping(items, {key: node.keys[key] for key in items}, node.span)
    return node


def is_same(one: Node, other: Node) -> bool:
    """Ask whether two nodes come from the very same places of the files; a replaced clause is put together anew each time."""
    if one is other:
        return True
    if not isinstance(one, Mapping) or not isinstance(other, Mapping) or one.items.keys() != other.items.keys():
        return False
    return all(is_same(value, other.items[key]) for key, value in one.items.items())


def holds(document: Node, wanted: Node) -> bool:
    """Ask whether the very node is in a document."""
    if is_same(document, wanted):
        return True
    if isinstance(document, Sequence):
        return any(holds(item, wanted) for item in document.items)
    if isinstance(document, Mapping):
        return any(holds(value, wanted) for key, value in document.items.items() if key not in UNSPOKEN)
    return False


def listed(of: Mapping, key: str) -> tuple[Node, ...]:
    """List what stands under a key; a single value is a list of one."""
    found = of.items.get(key)
    if found is None:
        return ()
    return found.items if isinstance(found, Sequence) else (found,)


def text(of: Mapping, key: str) -> str:
    """Find the text under a key."""
    found = of.items.get(key)
    return found.text.strip() if isinstance(found, Scalar) else ""


def table(document: Mapping, key: str) -> Iterator[tuple[str, Node]]:
    """Go through what is declared under a key."""
    found = document.items.get(key)
    if isinstance(found, Mapping):
        yield from found.items.items()


def clauses(document: Mapping) -> Iterator[Mapping]:
    """Go through the clauses of a merged document."""
    yield from (node for node in listed(document, "clauses") if isinstance(node, Mapping))


def bare(document: Mapping) -> Mapping:
    """Leave out of the clauses examples and sources: building goes without them, and faster."""
    found = document.items["clauses"]
    kept = [_bare(node) if isinstance(node, Mapping) else node for node in listed(document, "clauses")]
    return Mapping({**document.items, "clauses": Sequence(tuple(kept), found.span)}, document.keys, document.span)


def _bare(clause: Mapping) -> Mapping:
    items = {key: node for key, node in clause.items.items() if key not in ("examples", "sources")}
    return Mapping(items, {key: clause.keys[key] for key in items}, clause.span)
