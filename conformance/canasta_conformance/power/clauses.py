"""Faults in clauses: in what they say, in what they leave out, in what they do and in what order, in whom they score for."""

from collections.abc import Iterator
from typing import Final

from canasta.language.expressions import Tree, parse_expression, parse_statement, write
from canasta.language.merging import OriginKind
from canasta.language.source import Mapping, Node, Scalar, Sequence
from canasta_conformance.power.making import Fault, Mutant, Source, shown
from canasta_conformance.power.names import Names, call, name
from canasta_conformance.power.nodes import listed, text
from canasta_conformance.power.operators import faults, faults_of_statement

LISTS: Final = {
    "require": "drop a requirement", "on": "drop an act", "after": "order of effects", "before": "order of effects",
}  # fmt: skip
NEEDED: Final = ("require", "on")
"""Lists that cannot be empty: with the only one the clause itself is left out."""


def of_clauses(source: Source) -> Iterator[Mutant]:
    """Put every fault into every clause that a rule set says itself."""
    for id_, node in source.own_clauses().items():
        for key in ("when", "is", "points", "winner"):
            field = node.items.get(key)
            if isinstance(field, Scalar) and source.own(field):
                yield from _said(source, f"{id_}/{key}", field, condition=key == "when")
        for at, demand in enumerate(listed(node, "require")):
            that = demand.items.get("that") if isinstance(demand, Mapping) else None
            if isinstance(that, Scalar) and source.own(that):
                yield from _said(source, f"{id_}/require/{at}/that", that, condition=True)
        yield from _left_out(source, id_, node)
        yield from _done(source, id_, node)
        points = node.items.get("points")
        if isinstance(points, Scalar) and source.own(points):
            yield from _scored(source, id_, points)


def _said(source: Source, place: str, field: Scalar, *, condition: bool) -> Iterator[Mutant]:
    tree = parse_expression(field.text)
    for operator, new, at in faults(tree, source.names, condition=condition):
        yield source.in_text(place, field, (operator, tree, new), at)


def _left_out(source: Source, id_: str, node: Mapping) -> Iterator[Mutant]:
    """Leave something out: the whole clause, its condition, one of its demands, an act it is on, its place in an order."""
    whole = source.loaded.origin[id_].kind is not OriginKind.REPLACED
    if whole and text(node, "kind") != "definition":
        yield source.in_clause(id_, node, None, Fault("drop a clause", text(node, "title"), ""))
    when = node.items.get("when")
    if isinstance(when, Scalar) and source.own(when) and text(node, "kind") != "duty":
        always = Scalar("yes", when.span)
        yield source.in_clause(f"{id_}/when", when, always, Fault("drop an exception", when.text, "yes"))
    for key, operator in LISTS.items():
        items = listed(node, key)
        if not items or not source.own(node.items[key]) or (len(items) == 1 and key in NEEDED):
            continue
        for at, item in enumerate(items):
            rest = Sequence((*items[:at], *items[at + 1 :]), node.items[key].span)
            yield source.in_clause(f"{id_}/{key}/{at}", node.items[key], rest, Fault(operator, shown(item), ""))
    whose = node.items.get("for")
    if isinstance(whose, Scalar) and source.own(whose):
        other = "side" if whose.text.strip() == "seat" else "seat"
        fault = Fault("player, side", whose.text, other)
        yield source.in_clause(f"{id_}/for", whose, Scalar(other, whose.span), fault)


def _done(source: Source, id_: str, node: Mapping) -> Iterator[Mutant]:
    """Change what is done: a statement in itself, one left out, two in the other order."""
    items = listed(node, "do")
    if not items or not source.own(node.items["do"]):
        return
    whole = node.items["do"]
    for at, item in enumerate(items):
        if not isinstance(item, Scalar):
            continue
        tree, place = parse_statement(item.text), f"{id_}/do/{at}"
        for operator, new, start in faults_of_statement(tree, source.names):
            yield source.in_text(place, item, (operator, tree, new), start)
        if len(items) > 1:
            rest = Sequence((*items[:at], *items[at + 1 :]), whole.span)
            yield source.in_clause(place, whole, rest, Fault("drop an effect", write(tree), ""))
        if at and _touch_the_same(items[at - 1], item):
            swapped = Sequence((*items[: at - 1], item, items[at - 1], *items[at + 1 :]), whole.span)
            one, other = shown(items[at - 1]), shown(item)
            fault = Fault("order of effects", f"{one}; {other}", f"{other}; {one}")
            yield source.in_clause(place, whole, swapped, fault)


def _scored(source: Source, id_: str, points: Scalar) -> Iterator[Mutant]:
    """Score the other way round, and what the others have instead of one's own."""
    tree, place = parse_expression(points.text), f"{id_}/points"
    yield source.in_text(place, points, ("sign or bonus", tree, Tree("neg", (), (tree,), 0, 0)))
    of_theirs = _of(tree, name("foe"), source.names)
    if of_theirs != tree:
        others = Tree("where", (), (Tree("ne", (), (name("foe"), name("side")), 0, 0),), 0, 0)
        theirs = Tree("sum_of", ("foe",), (name("sides"), others, of_theirs), 0, 0)
        yield source.in_text(place, points, ("self, opponent", tree, theirs))


def _touch_the_same(one: Node, other: Node) -> bool:
    """Ask whether two statements have a zone or variable in common; else no order of theirs can matter."""
    if not isinstance(one, Scalar) or not isinstance(other, Scalar):
        return False
    return bool(_places(parse_statement(one.text)) & _places(parse_statement(other.text)))


def _places(tree: Tree) -> set[str]:
    """List the names that a statement moves from, moves to or sets."""
    match tree.op:
        case "move" | "deal" | "move_bottom" | "move_where":
            touched = tree.parts[1:]
        case "move_all" | "move_card":
            touched = tree.parts
        case "set_":
            touched = tree.parts[:1]
        case "when" | "each":
            return _places(tree.parts[-1])
        case op:
            return {op}
    return {part.words[0] for part in touched if part.words}


def _of(tree: Tree, owner: Tree, names: Names) -> Tree:
    """Say of another side what an expression says of the side it is asked for."""
    word = tree.words[0] if tree.words else ""
    if tree.op == "name":
        if word == "side":
            return owner
        return call(word, owner) if names.owners.get(word) == ("side",) else tree
    parts = tuple(_of(part, owner, names) for part in tree.parts)
    new = Tree(tree.op, tree.words, parts, tree.start, tree.end)
    return new if parts != tree.parts else tree
