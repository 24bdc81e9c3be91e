"""Faults that are another game's rules: what a relative says of the same clause or declaration. Real programs do exactly this."""

from collections.abc import Iterator, Sequence

from canasta.language.digests import FORMAL, formal_digest
from canasta.language.loading import Loaded
from canasta.language.source import Mapping, Scalar
from canasta_conformance.power.making import KEPT, Fault, Mutant, Source
from canasta_conformance.power.nodes import clauses, table, text

OPERATOR = "a relative's clause"


def borrowed(source: Source, relatives: Sequence[Loaded]) -> Iterator[Mutant]:
    """Say what another rule set of the family says, once for each way in which it is said."""
    seen = {(id_, formal_digest(node)) for id_, node in source.nodes.items()}
    for other in relatives:
        theirs = {text(node, "id"): node for node in clauses(other.document)}
        for id_, node in source.own_clauses().items():
            there = theirs.get(id_)
            if there is None or text(there, "kind") in KEPT or (id_, formal_digest(there)) in seen:
                continue
            if not any(source.own(node.items[key]) for key in FORMAL if key in node.items):
                continue  # it only has words of its own
            seen.add((id_, formal_digest(there)))
            # Several relatives may say the same, so it is named after what is said and not after who says it.
            fault = Fault(OPERATOR, f"{text(node, 'title')}; now as in {other.base}", f"clause {formal_digest(there)}")
            yield source.in_clause(id_, node, there, fault)
        for kind in ("parameters", "options", "classes", "values"):
            yield from _declarations(source, other, kind)


def _declarations(source: Source, other: Loaded, kind: str) -> Iterator[Mutant]:
    theirs = dict(table(other.document, kind))
    for what, node in table(source.loaded.document, kind):
        there = theirs.get(what)
        if not isinstance(node, Mapping) or not isinstance(there, Mapping):
            continue
        ours, value = node.items.get("is"), there.items.get("is")
        if isinstance(ours, Scalar) and isinstance(value, Scalar) and ours.text != value.text and source.own(ours):
            yield source.in_declaration(f"{kind}.{what}/is", ours, value, Fault(OPERATOR, ours.text, value.text))
