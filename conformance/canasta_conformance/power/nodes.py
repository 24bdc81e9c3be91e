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

    def applied(self, document: Mapping) -> Mapping:
        """Give the document with the change; the same document where the place is not in it."""
        changed = _changed(document, self)
        return changed if isinstance(changed, Mapping) else document


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
