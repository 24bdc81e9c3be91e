"""Renaming every identifier of a rule set: what the interpreter does must not depend on what anything is called."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.diagnostics import Span
from canasta.language.expressions import Tree, parse_expression, parse_statement, write
from canasta.language.source import Mapping, Node, Scalar, Sequence

NOWHERE: Final = Span("renamed", 1, 1, 1, 2)
NAMED: Final = ("parameters", "options", "steps", "zones", "state")
EXPRESSIONS: Final = ("when", "is", "points", "winner", "left", "that")
SPOKEN: Final = frozenset({"title", "text", "about", "sources", "examples", "ruling", "aliases"})


@dataclass(slots=True)
class Renaming:
    """A bijection of names, one for each kind of name, made up as names are met."""

    names: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, kind: str, name: str) -> str:
        """Give the new name of something."""
        return self.names.setdefault((kind, name), f"zz{len(self.names)}")

    def known(self, kind: str, name: str) -> str:
        """Give the new name of something that was declared; anything else keeps its name."""
        return self.names.get((kind, name), name)

    # -- the document ------------------------------------------------------------------------------------------------

    def document(self, document: Mapping) -> Mapping:
        """Rename all names of a merged document."""
        self._declare(document)
        return Mapping({k: self._part(k, v) for k, v in document.items.items()}, document.keys, document.span)

    def _declare(self, document: Mapping) -> None:
        for key in NAMED:
            self._all("name", keys_of(document, key))
        for key, kind in (("classes", "class"), ("shapes", "class"), ("values", "attribute"), ("marks", "attribute")):
            self._all(kind, keys_of(document, key))
        for key, kind in (("acts", "act"), ("phases", "phase"), ("reasons", "reason"), ("profiles", "profile")):
            self._all(kind, keys_of(document, key))
        pack = document.items["pack"]
        assert isinstance(pack, Mapping)
        self._all("word", [*texts(pack.items["ranks"]), *keys_of(pack, "suits"), *keys_of(pack, "extra")])
        self._all("word", texts(pack.items["suits"]))
        for key, field_ in (("state", "type"), ("options", "of"), ("acts", "options")):
            table = document.items.get(key)
            for entry in table.items.values() if isinstance(table, Mapping) else ():
                listed = entry.items.get(field_) if isinstance(entry, Mapping) else None
                if isinstance(listed, Sequence):
                    self._all("word", (w for w in texts(listed) if not w.isdecimal()))
        for clause in clauses_of(document):
            self.of("clause", text(clause, "id"))
            if "name" in clause.items:
                self.of("name", text(clause, "name"))
            if "item" in clause.items:
                self.of("item", text(clause, "item"))

    def _all(self, kind: str, names: Iterable[str]) -> None:
        for name in names:
            self.of(kind, name)

    def _part(self, key: str, node: Node) -> Node:
        if key == "clauses" and isinstance(node, Sequence):
            return Sequence(tuple(self._clause(c) for c in node.items if isinstance(c, Mapping)), node.span)
        kinds = {"classes": "class", "shapes": "class", "values": "attribute", "marks": "attribute", "acts": "act"}
        kinds |= {"phases": "phase", "reasons": "reason", "profiles": "profile", **dict.fromkeys(NAMED, "name")}
        if key in kinds and isinstance(node, Mapping):
            items = {self.known(kinds[key], n): self._entry(key, e) for n, e in node.items.items()}
            return Mapping(items, dict.fromkeys(items, NOWHERE), node.span)
        if key == "table" and isinstance(node, Mapping):
            return self._fields(node, {"hand": "name", "order": "name", "account": "name"})
        if key == "pack" and isinstance(node, Mapping):
            suits, extra = node.items["suits"], node.items["extra"]
            assert isinstance(suits, Mapping)
            assert isinstance(extra, Mapping)
            renamed = self._fields(node, {"ranks": "word"})
            renamed.items["suits"] = Mapping(
                {self.known("word", k): self._value(v, "word") for k, v in suits.items.items()}, {}, NOWHERE
            )
            renamed.items["extra"] = Mapping({self.known("word", k): v for k, v in extra.items.items()}, {}, NOWHERE)
            return renamed
        return node

    def _entry(self, key: str, entry: Node) -> Node:
        if not isinstance(entry, Mapping):
            return entry
        match key:
            case "profiles":
                chosen = entry.items["choose"]
                assert isinstance(chosen, Mapping)
                items = {self.known("name", o): self._value(v, "word") for o, v in chosen.items.items()}
                return Mapping(
                    {**entry.items, "choose": Mapping(items, dict.fromkeys(items, NOWHERE), NOWHERE)},
                    entry.keys,
                    entry.span,
                )
            case "classes" | "values":
                return self._fields(entry, {}, bound=("c",))
            case "options":
                return self._fields(entry, {"of": "word", "is": "word"})
            case "state":
                return self._fields(entry, {"type": "word", "start": "word"})
            case "shapes":
                return self._fields(entry, {"body": "class", "filler": "class", "order": "word"})
            case "phases":
                return self._fields(entry, {"acts": "act", "auto": "act"})
            case "acts":
                return self._fields(entry, {"options": "word", "into": "name", "top": "name", "then": "phase"})
            case _:
                return entry

    def _fields(self, node: Mapping, kinds: dict[str, str], bound: tuple[str, ...] = ()) -> Mapping:
        items: dict[str, Node] = {}
        for key, value in node.items.items():
            if key in kinds:
                items[key] = self._value(value, kinds[key])
            elif key in EXPRESSIONS and isinstance(value, Scalar) and not value.text.lstrip("-").isdecimal():
                items[key] = self.expression(value, bound)
            else:
                items[key] = value
        return Mapping(items, node.keys, node.span)

    def _value(self, node: Node, kind: str) -> Node:
        if isinstance(node, Scalar):
            return Scalar(" ".join(self.known(kind, w) for w in node.text.split()), NOWHERE)
        assert isinstance(node, Sequence)
        return Sequence(tuple(self._value(x, kind) for x in node.items), node.span)

    def _clause(self, clause: Mapping) -> Mapping:
        of = clause.items.get("of")
        own = [n for x in of.items if isinstance(x, Mapping) for n in x.items] if isinstance(of, Sequence) else []
        kinds = {
            "on": "act",
            "shape": "class",
            "name": "name",
            "id": "clause",
            "after": "clause",
            "before": "clause",
            "item": "item",
        }
        found = self._fields(clause, kinds, tuple(own))
        for key, node in clause.items.items():
            if key == "code":
                found.items[key] = Scalar(self.of("code", text(clause, "code")), NOWHERE)
            elif key == "of" and isinstance(node, Sequence):
                found.items[key] = Sequence(tuple(self._depends(x) for x in node.items), node.span)
            elif key == "do" and isinstance(node, Sequence):
                found.items[key] = Sequence(
                    tuple(self.statement(s) for s in node.items if isinstance(s, Scalar)), node.span
                )
            elif key == "require" and isinstance(node, Sequence):
                found.items[key] = Sequence(
                    tuple(self._demand(d) for d in node.items if isinstance(d, Mapping)), node.span
                )
        return Mapping({k: v for k, v in found.items.items() if k not in SPOKEN}, found.keys, found.span)

    def _demand(self, demand: Mapping) -> Mapping:
        found = self._fields(demand, {})
        found.items["code"] = Scalar(self.of("code", text(demand, "code")), NOWHERE)
        return found

    def _depends(self, node: Node) -> Node:
        if isinstance(node, Mapping):
            items = {self.of("variable", n): v for n, v in node.items.items()}
            return Mapping(items, dict.fromkeys(items, NOWHERE), node.span)
        return node

    # -- expressions -------------------------------------------------------------------------------------------------

    def expression(self, source: Scalar, bound: tuple[str, ...] = ()) -> Scalar:
        """Rename the names in an expression; ``c`` of classes and values is a word of the language."""
        return Scalar(write(self._tree(parse_expression(source.text), frozenset(bound))), NOWHERE)

    def statement(self, source: Scalar) -> Scalar:
        """Rename the names in a statement."""
        return Scalar(write(self._tree(parse_statement(source.text), frozenset())), NOWHERE)

    def _variable(self, name: str) -> str:
        return name if name == "c" else self.of("variable", name)

    def _tree(self, tree: Tree, bound: frozenset[str]) -> Tree:
        words, parts = tree.words, tree.parts
        inner = bound
        match tree.op:
            case "name" | "call" if words[0] in ("possible", "possible_onto"):
                return replace(tree, parts=(replace(parts[0], words=(self.known("act", parts[0].words[0]),)),))
            case "name" | "call":
                words = (self._variable(words[0]) if words[0] in bound else self.known("name", words[0]),)
            case "word":
                words = (f"${self.known('word', words[0][1:])}",)
            case "attr":
                words = (self.known("attribute", words[0]),)
            case "mark":
                words = (self._variable(words[0]), self.known("attribute", words[1]))
            case "is_" | "is_not":
                words = (self.known("class", words[0]),)
            case "count" | "any" | "all" | "sum_of" | "most" | "each" | "move_where":
                inner = bound | {words[0]}
                words = (self._variable(words[0]),)
            case "phase" | "act":
                words = (self.known("phase", words[0]),)
            case "end":
                words = (self.known("reason", words[0]),)
            case _:
                pass
        first = bound if tree.op != "move_where" else inner
        renamed = [self._tree(p, first if i == 0 else inner) for i, p in enumerate(parts)]
        return replace(tree, words=words, parts=tuple(renamed))


def text(of: Mapping, key: str) -> str:
    found = of.items[key]
    assert isinstance(found, Scalar)
    return found.text


def texts(node: Node) -> list[str]:
    """List the words of a list, or the values of a mapping."""
    items = node.items.values() if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else [node]
    return [w for x in items if isinstance(x, Scalar) for w in x.text.split()]


def keys_of(document: Mapping, key: str) -> list[str]:
    table = document.items.get(key)
    return list(table.items) if isinstance(table, Mapping) else []


def clauses_of(document: Mapping) -> list[Mapping]:
    listed = document.items["clauses"]
    assert isinstance(listed, Sequence)
    return [c for c in listed.items if isinstance(c, Mapping)]
