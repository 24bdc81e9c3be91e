"""Building a rule set: from the merged document to declarations and clauses with typed expressions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from canasta.diagnostics import CanastaError, Diagnostic, Findings
from canasta.language.checker import Checker
from canasta.language.declarations import DeclarationReader, text, words
from canasta.language.digests import formal_digest
from canasta.language.ruleset import (
    Act,
    Bound,
    Clause,
    Custom,
    Definition,
    Demand,
    Duty,
    Effect,
    Ending,
    Requirement,
    Ruleset,
    Score,
    Source,
    Structure,
)  # fmt: skip
from canasta.language.scope import ACTOR, ALWAYS, BOUND_WORDS, Declared, Scope, Signature, words_of_acts
from canasta.language.semantics import errors_of
from canasta.language.source import Mapping, Scalar, Sequence
from canasta.language.statements import StatementReader
from canasta.language.types import BOOL, CONTEXT, INT, NAMED, SEAT, Expr, Type
from canasta.language.worked import read_examples, repeated

PSEUDO_ACTS: Final = frozenset({"setup", "turn", "stuck"})
"""What effects and duties may be `on` beside acts: before the first turn, the start of a turn, a seat with no legal act."""

SORTS: Final[dict[str, Callable[[Act], bool]]] = {
    "commit": lambda act: act.commit,
    "part": lambda act: act.lays,
}
"""Sorts of act that a clause may be `on` instead of naming each: a variant that adds a commit or a part is then covered too."""

REFUSALS: Final = ("turn", "phase", "held", "shape", "target", "stranded", "dealer")
"""What the kernel itself refuses; a structure clause names each."""


class RulesetError(CanastaError):
    """A rule set that cannot be used, with every fault that was found."""


class Earlier(NamedTuple):
    """A rule set as it was built from another state of its document, with the same choices."""

    document: Mapping
    ruleset: Ruleset
    numbered: int
    """The number of the last variable of a quantifier; those of other clauses begin after it."""


def build_to_change(
    document: Mapping, name: str, profile: str, chosen: dict[str, str], chapter_of: dict[str, str]
) -> Earlier:
    """Build a rule set whose document will be changed, one place at a time.

    Raises:
        RulesetError: with every fault of names and types.
    """
    builder = Builder(document, name, profile, chosen, chapter_of)
    return Earlier(document, builder.build(), builder.declared.numbering.last)


def build(
    document: Mapping,
    name: str,
    profile: str,
    chosen: dict[str, str],
    chapter_of: dict[str, str],
    earlier: Earlier | None = None,
) -> Ruleset:
    """Build a rule set from its merged document.

    Whoever changes a document often, one place at a time, gives the rule set as it was built before: what stands in the very same
    nodes, and speaks of nothing that has another type now, is taken over.

    Raises:
        RulesetError: with every fault of names, types and semantics.
    """
    ruleset = Builder(document, name, profile, chosen, chapter_of, earlier).build()
    errors = errors_of(ruleset, document)
    if errors:
        raise RulesetError(errors)
    return ruleset


@dataclass(slots=True)
class Builder:
    """The work of building one rule set."""

    document: Mapping
    name: str
    profile: str
    chosen: dict[str, str]
    chapter_of: dict[str, str]
    earlier: Earlier | None = None
    findings: Findings = field(default_factory=Findings)
    checker: Checker = field(init=False)
    declared: Declared = field(init=False)
    statements: StatementReader = field(init=False)
    _definitions: dict[str, Mapping] = field(default_factory=dict)
    _built: dict[str, Definition] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def build(self) -> Ruleset:
        """Read declarations, then definitions on demand, then all clauses."""
        reader = DeclarationReader(self.document, self.chosen, self.findings)
        pack, table = reader.pack(), reader.table()
        self.declared = Declared(pack)
        if self.earlier is not None:
            self.declared.numbering.last = self.earlier.numbered
        self.checker = Checker(self.declared, self.findings)
        self.statements = StatementReader(self.checker)
        reader.constants(self.declared)
        profiles = reader.profiles(self.declared)
        reader.places(self.declared)
        classes = reader.card_expressions(self.checker, "classes", BOOL)
        values = reader.card_expressions(self.checker, "values", INT)
        reader.shapes(self.declared)
        phases = reader.acts(self.declared)
        clauses = self._clause_nodes()
        self._definitions = {text(c, "name"): c for c in clauses if text(c, "kind") == "definition"}
        self.declared.definition_names = set(self._definitions)
        self.declared.signature = self._signature
        kept = self._taken_over(clauses)
        reader.lefts(self.checker)
        built = [kept.get(text(c, "id")) or self._clause(c) for c in clauses]
        self._roles(table.hand, table.order, table.account)
        self.findings.raise_errors(RulesetError)
        return Ruleset(
            self.name, text(self.document, "title"), self.profile, table, pack, classes, values, self.declared.parameters,
            self.declared.options, profiles, self.declared.steps, self.declared.zones, self.declared.state,
            self.declared.marks, self.declared.shapes, self.declared.acts, phases, tuple(sorted(self.declared.reasons)),
            {c.id: c for c in built if c is not None}, self._chapters(),
        )  # fmt: skip

    def _taken_over(self, clauses: list[Mapping]) -> dict[str, Clause]:
        """Find the clauses that need not be built again."""
        if self.earlier is None or not _declare_the_same(self.document, self.earlier.document):
            return {}
        ruleset = self.earlier.ruleset
        before = {id(c) for c in _clauses_of(self.earlier.document)}
        same = {text(c, "id") for c in clauses if id(c) in before}
        definitions = {c.name: c for c in ruleset.clauses.values() if isinstance(c, Definition)}
        if definitions.keys() != self._definitions.keys():
            return {}
        if all(c.id in same for c in definitions.values()):
            self._built.update(definitions)
        signatures = ((name, Signature(c.of, c.parameters, c.body.type)) for name, c in definitions.items())
        if not all(self._signature(name) == signature for name, signature in signatures):
            return {}
        kept = {c.id: c for c in ruleset.clauses.values() if c.id in same}
        return {id_: c for id_, c in kept.items() if not isinstance(c, Definition)}

    def _clause_nodes(self) -> list[Mapping]:
        return _clauses_of(self.document)

    def _chapters(self) -> tuple[tuple[str, str, str], ...]:
        found = self.document.items.get("chapters")
        items = [c for c in found.items if isinstance(c, Mapping)] if isinstance(found, Sequence) else []
        return tuple((text(c, "chapter"), text(c, "title"), text(c, "about")) for c in items)

    def _roles(self, hand: str, order: str, account: str) -> None:
        span = self.document.keys.get("table")
        for role, name, known in (
            ("hand", hand, self.declared.zones), ("order", order, self.declared.zones), ("account", account, self.declared.state),
        ):  # fmt: skip
            if name not in known:
                what = f"`table: {role}` names {name!r}, which is not declared"
                self.findings.add(Diagnostic("RS2011", what, span, f"known: {', '.join(known)}"))

    # -- definitions -------------------------------------------------------------------------------------------------

    def _signature(self, name: str) -> Signature | None:
        built = self._define(name)
        return None if built is None else Signature(built.of, built.parameters, built.body.type)

    def _define(self, name: str) -> Definition | None:
        if name in self._built:
            return self._built[name]
        node = self._definitions[name]
        if name in self._open:
            ring = " → ".join([*self._open[self._open.index(name) :], name])
            self.findings.add(Diagnostic("RS3009", f"definitions may not use themselves: {ring}", node.span))
            return None
        self._open.append(name)
        context, parameters = self._depends(node)
        variables = {n: (n, t) for n, t in parameters}
        scope = Scope(ALWAYS | frozenset(context), variables, where=f"the definition of {name!r}")
        source = node.items.get("is")
        body = (
            self.checker.expression(source, scope, None, f"{text(node, 'id')}/is")
            if isinstance(source, Scalar)
            else None
        )
        self._open.pop()
        if body is None:
            return None
        self._built[name] = Definition(
            **self._head(node), name=name, of=context, parameters=parameters, body=body
        )  # fmt: skip
        return self._built[name]

    def _depends(self, node: Mapping) -> tuple[tuple[str, ...], tuple[tuple[str, Type], ...]]:
        of = node.items.get("of")
        context: list[str] = []
        parameters: list[tuple[str, Type]] = []
        for item in of.items if isinstance(of, Sequence) else ():
            if isinstance(item, Scalar) and (item.text in CONTEXT or item.text == "option"):
                context.append(item.text)
            elif isinstance(item, Mapping):
                parameters += [(n, NAMED[text(item, n)]) for n in item.items if text(item, n) in NAMED]
            elif isinstance(item, Scalar):
                hint = f"known: {', '.join(CONTEXT)}; a value of its own is written `name: type`"
                self.findings.add(Diagnostic("RS3010", f"{item.text!r} is no word of the context", item.span, hint))
        return tuple(context), tuple(parameters)

    # -- clauses -----------------------------------------------------------------------------------------------------

    def _head(self, node: Mapping) -> dict[str, Any]:
        id_ = text(node, "id")
        sources = node.items.get("sources")
        self.findings.extend(repeated(node, id_))
        return {
            "id": id_, "kind": text(node, "kind"), "title": text(node, "title"), "text": text(node, "text"),
            "chapter": self.chapter_of.get(id_, ""), "span": node.span, "level": text(node, "level", "must"),
            "sources": tuple(
                Source(text(s, "at"), text(s, "says", "supports"), text(s, "note"))
                for s in (sources.items if isinstance(sources, Sequence) else ()) if isinstance(s, Mapping)
            ),
            "examples": read_examples(node),
            "ruling": text(node, "ruling"), "aliases": words(node, "aliases"), "formal": formal_digest(node),
        }  # fmt: skip

    def _clause(self, node: Mapping) -> Clause | None:
        readers: dict[str, Callable[[Mapping], Clause | None]] = {
            "requirement": self._requirement, "bound": self._bound, "structure": self._structure, "effect": self._effect,
            "duty": self._duty, "definition": lambda n: self._define(text(n, "name")), "score": self._score,
            "ending": self._ending, "custom": lambda n: Custom(**self._head(n), follows_from=words(n, "follows_from")),
        }  # fmt: skip
        reader = readers.get(text(node, "kind"))
        return None if reader is None else reader(node)

    def _on(self, node: Mapping, *, pseudo: bool) -> tuple[str, ...]:
        on: list[str] = []
        for act in words(node, "on"):
            if act in self.declared.acts or (pseudo and act in PSEUDO_ACTS):
                on.append(act)
            elif act in SORTS:
                on += [name for name, declared in self.declared.acts.items() if SORTS[act](declared)]
            else:
                known = ", ".join([*self.declared.acts, *SORTS, *(sorted(PSEUDO_ACTS) if pseudo else [])])
                message = f"there is no act named {act!r}"
                self.findings.add(Diagnostic("RS3011", message, node.items["on"].span, f"known: {known}"))
        return tuple(dict.fromkeys(on))

    def _scope_on(self, on: tuple[str, ...], where: str) -> Scope:
        acts = tuple(self.declared.acts[a] for a in on if a in self.declared.acts)
        allowed = words_of_acts(acts) if acts else ALWAYS
        if any(a in ("turn", "stuck") for a in on):
            allowed = (allowed & (ALWAYS | ACTOR)) if acts else ALWAYS | ACTOR
        if "setup" in on:
            allowed = allowed & ALWAYS
        option = acts[0].option_type if len(acts) == 1 else None
        return Scope(allowed | ({"option"} if option is not None else frozenset()), where=where, option=option)

    def _when(self, node: Mapping, scope: Scope) -> Expr | None:
        source = node.items.get("when")
        return (
            self.checker.expression(source, scope, BOOL, f"{text(node, 'id')}/when")
            if isinstance(source, Scalar)
            else None
        )

    def _demands(self, node: Mapping, scope: Scope) -> tuple[Demand, ...]:
        listed = node.items.get("require")
        found: list[Demand] = []
        for i, item in enumerate(listed.items if isinstance(listed, Sequence) else ()):
            that = item.items.get("that") if isinstance(item, Mapping) else None
            if isinstance(item, Mapping) and isinstance(that, Scalar):
                expr = self.checker.expression(that, scope, BOOL, f"{text(node, 'id')}/require/{i}/that")
                if expr is not None:
                    found.append(Demand(text(item, "code"), expr))
        return tuple(found)

    def _requirement(self, node: Mapping) -> Clause:
        on = self._on(node, pseudo=False)
        scope = self._scope_on(on, f"a requirement on {' and '.join(on)}")
        return Requirement(**self._head(node), on=on, when=self._when(node, scope), require=self._demands(node, scope))

    def _bound(self, node: Mapping) -> Clause:
        shape = text(node, "shape")
        if shape not in self.declared.shapes:
            known = ", ".join(self.declared.shapes)
            self.findings.add(Diagnostic("RS3011", f"there is no shape named {shape!r}", node.span, f"known: {known}"))
        fixed = Scope(frozenset(), reads_state=False, where="the `when` of a bound")
        scope = Scope(BOUND_WORDS, reads_state=False, where="a bound")
        return Bound(**self._head(node), shape=shape, when=self._when(node, fixed), require=self._demands(node, scope))

    def _structure(self, node: Mapping) -> Clause:
        refuses = text(node, "refuses")
        if refuses not in REFUSALS:
            hint = f"known: {', '.join(REFUSALS)}"
            self.findings.add(Diagnostic("RS3011", f"the kernel refuses nothing named {refuses!r}", node.span, hint))
        return Structure(**self._head(node), refuses=refuses, code=text(node, "code"), deals=self._deals(node, refuses))

    def _deals(self, node: Mapping, refuses: str) -> Expr | None:
        """Read who deals next, which only the clause about the dealer says."""
        source = node.items.get("is")
        if not isinstance(source, Scalar):
            return None
        if refuses != "dealer":
            hint = "leave it out: only a structure that refuses a `dealer` says who deals next"
            self.findings.add(
                Diagnostic("RS3011", f"a refusal of {refuses} has nothing to work out", source.span, hint)
            )
            return None
        scope = Scope(ALWAYS, where="the dealer of the next deal")
        return self.checker.expression(source, scope, SEAT, f"{text(node, 'id')}/is")

    def _effect(self, node: Mapping) -> Clause:
        on = self._on(node, pseudo=True)
        scope = self._scope_on(on, f"an effect on {' and '.join(on)}")
        return Effect(
            **self._head(node),
            on=on,
            when=self._when(node, scope),
            do=self._do(node, scope),
            after=words(node, "after"),
            before=words(node, "before"),
        )

    def _do(self, node: Mapping, scope: Scope) -> "tuple[Any, ...]":
        listed = node.items.get("do")
        found = [
            self.statements.read(s, scope, f"{text(node, 'id')}/do/{i}")
            for i, s in enumerate(listed.items if isinstance(listed, Sequence) else ()) if isinstance(s, Scalar)
        ]  # fmt: skip
        return tuple(s for s in found if s is not None)

    def _duty(self, node: Mapping) -> Clause | None:
        on = self._on(node, pseudo=True)
        each_seat = text(node, "for") == "seat"
        scope = self._scope_on(on, f"a duty on {' and '.join(on)}")
        if each_seat:
            scope = Scope(ALWAYS | ACTOR, where=scope.where)
        when = self._when(node, scope)
        if when is None:
            if "when" not in node.items:
                self.findings.add(
                    Diagnostic("RS4001", "a duty without `when` would never end", node.span, "say when it is due")
                )
            return None
        return Duty(**self._head(node), on=on, each_seat=each_seat, when=when, do=self._do(node, scope))

    def _score(self, node: Mapping) -> Clause | None:
        each_seat = text(node, "for", "side") == "seat"
        scope = Scope(ALWAYS | (ACTOR if each_seat else {"side"}), where="a score")
        source = node.items.get("points")
        points = (
            self.checker.expression(source, scope, INT, f"{text(node, 'id')}/points")
            if isinstance(source, Scalar)
            else None
        )
        if points is None:
            return None
        item = text(node, "item") or text(node, "id")
        return Score(
            **self._head(node), each_seat=each_seat, item=item, when=self._when(node, scope), points=points
        )  # fmt: skip

    def _ending(self, node: Mapping) -> Clause | None:
        scope = Scope(ALWAYS, where="an ending")
        when, source = self._when(node, scope), node.items.get("winner")
        each_seat = text(node, "for", "side") == "seat"
        side = Scope(ALWAYS | (ACTOR if each_seat else {"side"}), where="a winner")
        winner = (
            self.checker.expression(source, side, INT, f"{text(node, 'id')}/winner")
            if isinstance(source, Scalar)
            else None
        )
        if when is None or winner is None:
            return None
        return Ending(**self._head(node), when=when, winner=winner, each_seat=each_seat)


def _clauses_of(document: Mapping) -> list[Mapping]:
    found = document.items.get("clauses")
    return [c for c in found.items if isinstance(c, Mapping)] if isinstance(found, Sequence) else []


def _declare_the_same(one: Mapping, other: Mapping) -> bool:
    """Ask whether two documents have the very same nodes beside their clauses."""
    mine, theirs = ({k: v for k, v in of.items.items() if k != "clauses"} for of in (one, other))
    return mine.keys() == theirs.keys() and all(v is theirs[k] for k, v in mine.items())
