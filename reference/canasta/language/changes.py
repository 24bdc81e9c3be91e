"""How two rule sets differ: what is set to another value, added, replaced and removed, declarations and clauses alike.

The two are compared as they are in force, with the options that they choose, and not by what a variant's file says: so
any two can be compared, and an entry that changes nothing is no change.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from canasta.diagnostics import Span
from canasta.language.digests import FORMAL, canonical
from canasta.language.loading import Loaded
from canasta.language.merging import SINGLES, TABLES, place_of, with_fields, word, words
from canasta.language.source import Mapping, Node, Scalar, Sequence

VALUED: Final = {"parameters": ("is",), "options": ("is",), "steps": ("below", "from")}
"""What a variant sets without declaring it anew, and the fields that hold the value."""

_SPOKEN: Final = frozenset({"title", "text", "about", "ruling"})
_ORDER: Final = frozenset({"after", "before"})
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")
_NOT_EXECUTED: Final = "custom"
_EFFECT: Final = "effect"


class How(StrEnum):
    """What was done to a thing."""

    SET = "set"
    ADDED = "added"
    REPLACED = "replaced"
    REMOVED = "removed"


class Weight(StrEnum):
    """Whether a change can be seen in play, and if not, why."""

    EXECUTED = "executed"
    SAID = "said otherwise"
    BINDING = "binds people"
    ORDER = "order of others"
    NAME = "a name for choices"
    UNREAD = "read by no rule"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: a clause by its id or a declaration by its path, as it was and as it is.

    ``fields`` are those whose content differs, ``because`` the reason that a variant gives.
    """

    how: How
    name: str
    old: Mapping | None
    new: Mapping | None
    fields: tuple[str, ...]
    weight: Weight
    because: str = ""

    @property
    def clause(self) -> bool:
        """Whether it is about a clause and not about a declaration."""
        return "id" in (self.new or self.old or Mapping({}, {}, Span("", 1, 1, 1, 1))).items

    @property
    def word(self) -> str:
        """The word under which expressions know the thing; most clauses, the table and the pack have none."""
        if not self.clause:
            return self.name.partition(".")[2]
        return next((word(n, "name") for n in (self.new, self.old) if n is not None and "name" in n.items), "")

    @property
    def names(self) -> frozenset[str]:
        """Everything by which other clauses and declarations mention the thing."""
        return frozenset({self.word, self.name if self.clause else ""} - {""})

    @property
    def span(self) -> Span | None:
        """The place of the change: where the thing stands now, or stood."""
        node = self.new or self.old
        return None if node is None else place_of(node, "id") if self.clause else node.span


def in_force(loaded: Loaded) -> Mapping:
    """Give the document of a rule set in which every option has the value that is chosen as its default."""
    options = loaded.document.items.get("options")
    if not isinstance(options, Mapping):
        return loaded.document
    items = dict(options.items)
    for name, value in loaded.chosen.items():
        node = items[name]
        if isinstance(node, Mapping) and word(node, "is") != value:
            chosen = Scalar(value, place_of(node, "is"))
            items[name] = with_fields(node, {"is": (node.keys.get("is", node.span), chosen)})
    settled = Mapping(items, options.keys, options.span)
    return with_fields(loaded.document, {"options": (loaded.document.keys["options"], settled)})


def changes(old: Loaded, new: Loaded) -> tuple[Change, ...]:
    """List how one rule set differs from another: declarations first, then clauses, each in reading order."""
    before, after = in_force(old), in_force(new)
    found = [*_declarations(before, after, new), *_clauses(before, after, new)]
    read = _read(before) | _read(after)
    return tuple(_weighed(c, before, after, read) for c in found)


def _declarations(before: Mapping, after: Mapping, new: Loaded) -> Iterator[Change]:
    one, other = dict(declared(before)), dict(declared(after))
    for path in [*other, *(p for p in one if p not in other)]:
        dropped = new.dropped.get(path)
        because = dropped.because if dropped is not None else ""
        change = _change(path, one.get(path), other.get(path), because)
        if change is not None:
            yield change


def declared(document: Mapping) -> Iterator[tuple[str, Mapping]]:
    """Go through the declarations of a document: their paths, such as ``zones.hand``, and what is declared."""
    for key in SINGLES:
        node = document.items.get(key)
        if isinstance(node, Mapping):
            yield key, node
    for key in TABLES:
        table = document.items.get(key)
        for name, node in table.items.items() if isinstance(table, Mapping) else ():
            if isinstance(node, Mapping):
                yield f"{key}.{name}", node


def clauses(document: Mapping) -> dict[str, Mapping]:
    """Find the clauses of a document by their ids, in reading order."""
    listed = document.items.get("clauses")
    found = listed.items if isinstance(listed, Sequence) else ()
    return {word(c, "id"): c for c in found if isinstance(c, Mapping)}


def _clauses(before: Mapping, after: Mapping, new: Loaded) -> Iterator[Change]:
    one, other = clauses(before), clauses(after)
    for id_ in [*other, *(i for i in one if i not in other)]:
        removed, origin = new.removed.get(id_), new.origin.get(id_)
        because = removed.because if removed is not None and id_ not in other else origin.because if origin else ""
        change = _change(id_, one.get(id_), other.get(id_), because)
        if change is not None:
            yield change


def _change(name: str, old: Mapping | None, new: Mapping | None, because: str) -> Change | None:
    if old is None or new is None:
        how = How.ADDED if old is None else How.REMOVED
        only = new or old
        return Change(how, name, old, new, tuple(only.items) if only else (), Weight.EXECUTED, because)
    fields = tuple(k for k in dict.fromkeys((*old.items, *new.items)) if _content(old, k) != _content(new, k))
    if not fields:
        return None
    valued = VALUED.get(name.partition(".")[0], ()) if "." in name and "id" not in new.items else ()
    how = How.SET if set(fields) & set(valued) and "of" not in fields else How.REPLACED
    return Change(how, name, old, new, fields, Weight.EXECUTED, because)


def _content(of: Mapping, field: str) -> object:
    node = of.items.get(field)
    return None if node is None else canonical(node, field)


# -- what a change weighs ----------------------------------------------------------------------------------------------


def _weighed(change: Change, before: Mapping, after: Mapping, read: frozenset[str]) -> Change:
    return replace(change, weight=_weight(change, before, after, read))


def _weight(change: Change, before: Mapping, after: Mapping, read: frozenset[str]) -> Weight:
    """Say whether a change can be seen in play."""
    sides = [n for n in (change.old, change.new) if n is not None]
    if not change.clause:
        if change.name.startswith("profiles."):
            return Weight.NAME
        if len(sides) > 1 and set(change.fields) <= _SPOKEN:
            return Weight.SAID
        unread = change.name.partition(".")[0] in VALUED and change.word not in read
        return Weight.UNREAD if unread else Weight.EXECUTED
    if all(word(n, "kind") == _NOT_EXECUTED for n in sides):
        return Weight.SAID if len(sides) > 1 else Weight.BINDING
    formal = [f for f in change.fields if f in FORMAL]
    if not formal:
        return Weight.SAID
    if set(formal) <= _ORDER and len(sides) > 1:
        both = set(clauses(before)) & set(clauses(after))
        if all(
            [x for x in words(sides[0], f) if x in both] == [x for x in words(sides[1], f) if x in both] for f in formal
        ):
            return Weight.ORDER
    return Weight.EXECUTED


def _read(document: Mapping) -> frozenset[str]:
    """List every word that stands in anything which is executed."""
    found: set[str] = set()
    for clause in clauses(document).values():
        if word(clause, "kind") != _NOT_EXECUTED:
            found |= mentions(clause)
    for path, node in declared(document):
        if path.partition(".")[0] not in ("profiles", *VALUED):
            found |= mentions(node)
    return frozenset(found)


def mentions(node: Mapping) -> frozenset[str]:
    """List the words that stand in what is executed of a clause or a declaration."""
    formal = (*FORMAL, "follows_from") if "id" in node.items else tuple(k for k in node.items if k not in _SPOKEN)
    return frozenset(w for k in formal if k in node.items for w in _words(node.items[k]))


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.text
        yield from _NAME.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _words(item)
    else:
        for key, value in node.items.items():
            yield key
            yield from _words(value)


# -- one change alone --------------------------------------------------------------------------------------------------


def with_change(document: Mapping, change: Change, *, back: bool = False) -> Mapping:
    """Write a document with one change made in it, or one taken back out of it; what else there is stays as it is."""
    node = change.old if back else change.new
    if not change.clause:
        key, dot, name = change.name.partition(".")
        if not dot:
            return _put(document, key, node)
        table = document.items.get(key) or Mapping({}, {}, document.span)
        return _put(document, key, _put(table, name, node)) if isinstance(table, Mapping) else document
    listed = document.items["clauses"]
    kept = list(listed.items) if isinstance(listed, Sequence) else []
    at = next((i for i, c in enumerate(kept) if isinstance(c, Mapping) and word(c, "id") == change.name), len(kept))
    kept[at : at + 1] = [] if node is None else [node]
    return _put(document, "clauses", Sequence(tuple(kept), listed.span))


def executed(document: Mapping) -> Mapping:
    """Write a document without examples and sources, which take longer to read than the rules, and without profiles.

    A profile is a name for choices. It would tie all options together that it chooses, so that none could be changed alone.
    """
    listed = document.items.get("clauses")
    found = listed.items if isinstance(listed, Sequence) else ()
    bare = tuple(_bare(c) if isinstance(c, Mapping) else c for c in found)
    return _put(_put(document, "clauses", Sequence(bare, document.span)), "profiles", None)


def ordered(document: Mapping) -> Mapping:
    """Write a document whose effects name only effects that it has, where they say what they come after or before.

    The order among those that it has is the same.
    """
    found = clauses(document)
    effects = {id_ for id_, node in found.items() if word(node, "kind") == _EFFECT}
    kept = [_ordered(node, effects) for node in found.values()]
    listed = document.items["clauses"]
    return _put(document, "clauses", Sequence(tuple(kept), listed.span))


def _ordered(clause: Mapping, effects: set[str]) -> Mapping:
    items = dict(clause.items)
    for name in _ORDER & set(items):
        named = items[name]
        if isinstance(named, Sequence):
            there = tuple(n for n in named.items if isinstance(n, Scalar) and n.text in effects)
            items[name] = named if len(there) == len(named.items) else Sequence(there, named.span)
    # The very same node stays where nothing is left out, so that a clause that is built already can be taken over.
    same = all(items[name] is clause.items[name] for name in items)
    return clause if same else Mapping(items, clause.keys, clause.span)


def _bare(clause: Mapping) -> Mapping:
    items = {k: v for k, v in clause.items.items() if k not in ("examples", "sources")}
    return Mapping(items, clause.keys, clause.span)


def _put(into: Mapping, key: str, node: Node | None) -> Mapping:
    if node is not None:
        return with_fields(into, {key: (into.keys.get(key, into.span), node)})
    items = {k: v for k, v in into.items.items() if k != key}
    return Mapping(items, {k: v for k, v in into.keys.items() if k != key}, into.span)
