"""A mutant: a rule set as it is, but for one fault in one clause or declaration that this rule set itself says.

What a variant inherits is changed in the rule set that says it. A mutant is told by its place (the clause, the field, the operator) and
by what stands there instead, so that it keeps its name as long as the clause says the same.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from canasta.games import read_ruleset
from canasta.language.digests import FORMAL, canonical, formal_digest
from canasta.language.expressions import ExpressionSyntaxError, Tree, parse_statement, write
from canasta.language.loading import Loaded
from canasta.language.merging import OriginKind
from canasta.language.ruleset import Ruleset
from canasta.language.source import Mapping, Node, Scalar
from canasta_conformance.power.names import Names, names_of
from canasta_conformance.power.nodes import Edit, Places, clauses, holds, listed, text
from canasta_conformance.power.operators import settled
from canasta_conformance.writing import digest

_PLACE: Final = re.compile(r"\{~?(\w+)")
"""A place in a text that is filled with a figure."""

KEPT: Final = frozenset({"custom", "structure"})
"""Kinds of clause that say nothing that could be said wrongly: they bind people, or name what the kernel refuses by itself."""


class Fault(NamedTuple):
    """What is done to a place: by which operator, what stood there, and what stands there now."""

    operator: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault in one place of a rule set."""

    ruleset: str
    place: str
    clauses: tuple[str, ...]
    """The clauses that say what was changed: the one that it stands in, or those that speak of a declaration."""
    chapters: tuple[str, ...]
    """The chapters of these clauses."""
    fault: Fault
    file: str
    line: int
    edits: tuple[Edit, ...]
    formal: str
    same: bool = False
    """Whether it can be seen from the text that nothing is changed."""
    words: frozenset[str] = frozenset()
    """The words of the clauses that say what was changed, of the definitions that they use, and of the fault."""

    @property
    def operator(self) -> str:
        """The name of the operator that put the fault in."""
        return self.fault.operator

    @property
    def id(self) -> str:
        """The name by which it is cited."""
        return f"{self.ruleset}/{self.place} · {self.operator}: {self.fault.after or 'nothing'}"

    def applied(self, document: Mapping, places: Places | None = None) -> Mapping:
        """Give a document with the fault; with the ``places`` of the document it is found at once."""
        for edit in self.edits:
            document = edit.applied(document, places)
        return document


@dataclass(frozen=True, slots=True)
class Source:
    """A rule set from which mutants are made: its document, the rule set built from it, and what its parents say."""

    loaded: Loaded
    rules: Ruleset
    names: Names
    inherited: tuple[Mapping, ...]
    """The documents of the rule sets that it extends."""
    nodes: dict[str, Mapping] = field(default_factory=dict)
    """Its clauses by their names."""
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    """The words of the formal part of each, and the places in its text that are filled."""

    def reached(self, ids: Iterable[str]) -> frozenset[str]:
        """Give the words of clauses and of all definitions that they come to use."""
        named = {text(n, "name"): i for i, n in self.nodes.items() if text(n, "kind") == "definition"}
        found: frozenset[str] = frozenset()
        waiting, seen = list(ids), set[str]()
        while waiting:
            id_ = waiting.pop()
            if id_ in seen:
                continue
            seen.add(id_)
            found |= self.words[id_]
            waiting += [named[word] for word in self.words[id_] if word in named]
        return found

    def own(self, node: Node) -> bool:
        """Ask whether this rule set says it, and not one that it extends."""
        return not any(holds(document, node) for document in self.inherited)

    def own_clauses(self) -> dict[str, Mapping]:
        """Give the clauses that this rule set says and that say something to be executed."""
        return {
            id_: node
            for id_, node in self.nodes.items()
            if self.loaded.origin[id_].kind is not OriginKind.INHERITED and text(node, "kind") not in KEPT
        }

    def in_clause(self, place: str, node: Node, new: Node | None, fault: Fault, offset: int = 0) -> Mutant:
        """Make a mutant of one place, CLAUSE or CLAUSE/PATH, of a clause; ``offset`` is that of the fault in its text."""
        id_ = place.partition("/")[0]
        span = node.within(offset, offset + 1) if isinstance(node, Scalar) else node.span
        return Mutant(
            self.loaded.base, place, (id_,), self._chapters((id_,)), fault, span.file, span.line,
            (Edit(node, new),), formal_digest(self.nodes[id_]), words=self.reached([id_]) | words_of(fault.after),
        )  # fmt: skip

    def in_text(self, place: str, node: Scalar, fault: tuple[str, Tree, Tree], offset: int = 0) -> Mutant:
        """Make a mutant of an expression or statement: by which operator, the tree as it was and as it is."""
        operator, tree, new = fault
        told = Fault(operator, write(tree), write(new))
        made = self.in_clause(place, node, Scalar(write(new), node.span), told, offset)
        return replace(made, same=settled(new) == settled(tree))

    def in_declaration(self, place: str, node: Node, new: Node | None, fault: Fault, offset: int = 0) -> Mutant:
        """Make a mutant of one place, KIND.NAME/PATH, of a declaration."""
        kind, _, what = place.partition("/")[0].partition(".")
        speaking = self._speaking(kind, what)
        span = node.within(offset, offset + 1) if isinstance(node, Scalar) else node.span
        return Mutant(
            self.loaded.base, place, speaking, self._chapters(speaking), fault, span.file, span.line,
            (Edit(node, new),), digest([formal_digest(self.nodes[id_]) for id_ in speaking]),
            words=words_of(fault.after) | self.reached(speaking),
        )  # fmt: skip

    def _chapters(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.loaded.chapter_of.get(id_, "") for id_ in ids))

    def _speaking(self, kind: str, what: str) -> tuple[str, ...]:
        """List the clauses that speak of a declaration, in their formal part or by a place in their text that it fills.

        A class of cards is spoken of by whatever speaks of a shape that is made of it.
        """
        found: list[str] = []
        shapes = {shape.name for shape in self.rules.shapes.values() if what in (shape.body, shape.filler)}
        wanted = {what, *(shapes if kind == "classes" else ())}
        for id_, node in self.nodes.items():
            if wanted & self.words[id_] or (kind == "acts" and what in [shown(x) for x in listed(node, "on")]):
                found.append(id_)
        return tuple(found)


def source_of(loaded: Loaded, parents: Iterable[Loaded]) -> Source:
    """Prepare the making of mutants of a rule set.

    Raises:
        CanastaError: with every fault of the rule set.
    """
    rules = read_ruleset(loaded.name)
    inherited = tuple(parent.document for parent in parents)
    nodes = {text(n, "id"): n for n in clauses(loaded.document)}
    words = {id_: _words_in(node) for id_, node in nodes.items()}
    return Source(loaded, rules, names_of(rules), inherited, nodes, words)


def shown(node: Node) -> str:
    """Write a node so that a person knows it again: its text in canonical form, the code of a demand."""
    if isinstance(node, Scalar):
        try:
            return write(parse_statement(node.text))
        except ExpressionSyntaxError:
            return node.text.strip()
    return text(node, "code") if isinstance(node, Mapping) else ""


def _words_in(clause: Mapping) -> frozenset[str]:
    formal = {key: node for key, node in clause.items.items() if key in FORMAL}
    places = " ".join(_PLACE.findall(text(clause, "text")))
    return words_of(f"{canonical(Mapping(formal, {}, clause.span), '')} {places}")


def words_of(said: str) -> frozenset[str]:
    """List the words of an expression or of anything else that is written."""
    return frozenset("".join(c if c.isalnum() or c == "_" else " " for c in said).split())
