"""Faults in what clauses speak of: figures, tables, choices, classes and values of cards, what an act leaves in the hand."""

from collections.abc import Iterator

from canasta.language.expressions import parse_expression, write
from canasta.language.source import Mapping, Scalar
from canasta_conformance.power.making import Fault, Mutant, Source, shown
from canasta_conformance.power.nodes import listed, table
from canasta_conformance.power.operators import faults


def of_declarations(source: Source) -> Iterator[Mutant]:
    """Put every fault into every figure, table, choice and class of cards that a rule set declares or sets itself."""
    for kind in ("parameters", "options"):
        for place, declared, value in _fields(source, kind, "is"):
            others = near(value.text) if kind == "parameters" else _other_choices(value.text, declared)
            operator = "constant" if kind == "parameters" else "another choice"
            for other in others:
                fault = Fault(operator, value.text, other)
                yield source.in_declaration(place, value, Scalar(other, value.span), fault)
    for kind, field in (("classes", "is"), ("values", "is"), ("acts", "left")):
        for place, _, value in _fields(source, kind, field):
            tree = parse_expression(value.text)
            for operator, new, at in faults(tree, source.names, condition=kind == "classes"):
                fault = Fault(operator, write(tree), write(new))
                yield source.in_declaration(place, value, Scalar(write(new), value.span), fault, at)
    for what, node in table(source.loaded.document, "steps"):
        if isinstance(node, Mapping):
            yield from _steps(source, f"steps.{what}", node)


def _fields(source: Source, kind: str, field: str) -> Iterator[tuple[str, Mapping, Scalar]]:
    """Go through one field of all declarations of a kind, where this rule set says it."""
    for what, node in table(source.loaded.document, kind):
        value = node.items.get(field) if isinstance(node, Mapping) else None
        if isinstance(node, Mapping) and isinstance(value, Scalar) and source.own(value):
            yield f"{kind}.{what}/{field}", node, value


def _steps(source: Source, what: str, node: Mapping) -> Iterator[Mutant]:
    """Shift the rows of a table: what a row gives, to that of the row before or after; where it begins, by one; leave one out."""
    rows = node.items.get("from")
    if not isinstance(rows, Mapping):
        return
    values = [v for v in (node.items.get("below"), *rows.items.values()) if isinstance(v, Scalar)]
    for at, value in enumerate(values):
        if source.own(value):
            beside = {values[n].text for n in (at - 1, at + 1) if 0 <= n < len(values)} - {value.text}
            for other in sorted(beside):
                fault = Fault("table row", value.text, other)
                yield source.in_declaration(f"{what}/row {at}", value, Scalar(other, value.span), fault)
    for start in rows.items if source.own(rows) else ():
        for other in (*near(start), ""):
            new = _moved(rows, start, other)
            if new.items and len(new.items) == len(rows.items) - (not other):
                yield source.in_declaration(f"{what}/from {start}", rows, new, Fault("table row", start, other))


def _moved(rows: Mapping, start: str, other: str) -> Mapping:
    """Let a row begin somewhere else, or nowhere."""
    kept = [(other if key == start else key, key) for key in rows.items if other or key != start]
    items = {new: rows.items[old] for new, old in kept}
    return Mapping(items, {new: rows.keys[old] for new, old in kept}, rows.span)


def near(figure: str) -> list[str]:
    """Give the whole numbers beside one."""
    value = int(figure.replace("_", ""))
    return [str(value - 1), str(value + 1)]


def _other_choices(chosen: str, node: Mapping) -> list[str]:
    domain = [shown(x) for x in listed(node, "of")]
    return [word for word in (["yes", "no"] if domain == ["bool"] else domain) if word != chosen.strip()]
