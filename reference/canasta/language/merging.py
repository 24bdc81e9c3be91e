"""One document out of many files: chapters combined, declarations and clauses each in one place only."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple

from canasta.diagnostics import Diagnostic, Findings, Label, Severity, Span
from canasta.language.source import Mapping, Node, Scalar, Sequence

TABLES: Final = (
    "classes", "values", "parameters", "options", "profiles", "steps", "zones", "state", "marks", "shapes", "phases",
    "acts", "reasons",
)  # fmt: skip
"""The keys under which named things are declared."""

SINGLES: Final = ("table", "pack")
"""The keys that declare one thing each."""

HEAD: Final = ("ruleset", "title", "about", "version", "extends", "aliases")


class OriginKind(StrEnum):
    """How a clause came into a rule set."""

    OWN = "own"
    INHERITED = "inherited"
    REPLACED = "replaced"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Origin:
    """Which rule set says a clause, and what stood there in the rule set that it varies."""

    kind: OriginKind
    ruleset: str
    parent: Mapping | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Removed:
    """A clause of the parent that does not hold in a variant, and why."""

    clause: Mapping
    ruleset: str
    because: str
    span: Span


@dataclass(frozen=True, slots=True)
class Dropped:
    """A declaration of the parent that a variant does without, and why."""

    node: Node
    ruleset: str
    because: str


class Declared(NamedTuple):
    """A declaration: the place of its name, and what is declared."""

    key: Span
    node: Node


@dataclass(slots=True)
class Draft:
    """A rule set that is being put together out of its files and those of the rule set it varies."""

    ruleset: str = ""
    depth: int = 0
    head: dict[str, Declared] = field(default_factory=dict)
    tables: dict[str, dict[str, Declared]] = field(default_factory=lambda: {key: {} for key in TABLES})
    singles: dict[str, Declared] = field(default_factory=dict)
    clauses: dict[str, Mapping] = field(default_factory=dict)
    chapters: dict[str, Mapping] = field(default_factory=dict)
    chapter_of: dict[str, str] = field(default_factory=dict)
    origin: dict[str, Origin] = field(default_factory=dict)
    removed: dict[str, Removed] = field(default_factory=dict)
    dropped: dict[str, Dropped] = field(default_factory=dict)
    profile_depth: dict[str, int] = field(default_factory=dict)
    option_depth: dict[str, int] = field(default_factory=dict)

    def take_head(self, main: Mapping) -> None:
        """Take over name, title and words of the main file, in place of those of the parent."""
        for key in HEAD:
            self.head.pop(key, None)
            if key in main.items:
                self.head[key] = Declared(main.keys[key], main.items[key])

    def take_declarations(self, part: Mapping, findings: Findings) -> None:
        """Take in the declarations of one file, or of what a variant adds."""
        for key in SINGLES:
            if key in part.items:
                self._declare(self.singles, f"`{key}`", key, Declared(part.keys[key], part.items[key]), findings)
        for key in TABLES:
            table = part.items.get(key)
            if not isinstance(table, Mapping):
                continue
            for name, node in table.items.items():
                declared = Declared(table.keys[name], node)
                if key == "phases" and self._widen_phase(name, declared, findings):
                    continue
                self._declare(self.tables[key], f"{key}.{name}", name, declared, findings)
                if key == "profiles":
                    self.profile_depth.setdefault(name, self.depth)

    def _declare(self, into: dict[str, Declared], what: str, name: str, new: Declared, findings: Findings) -> None:
        old = into.get(name)
        if old is None:
            into[name] = new
            return
        label = (Label(old.key, "first declared here"),)
        path = what.strip("`")
        hint = f"keep one of the two, or change it under `replace:` with `declaration: {path}`"
        findings.add(Diagnostic("RS2021", f"{what} is declared twice", new.key, hint, label))

    def _widen_phase(self, name: str, new: Declared, findings: Findings) -> bool:
        """Add acts to a phase that there is already, where a variant gives a list, or acts and commits without a text."""
        if isinstance(new.node, Sequence):
            added: dict[str, Node] = {"acts": new.node}
        elif isinstance(new.node, Mapping) and set(new.node.items) <= {"acts", "auto"}:
            added = dict(new.node.items)
        else:
            return False
        phases = self.tables["phases"]
        if name in phases:
            for key, node in added.items():
                self._add_to_phase(name, key, new.key, node, findings)
        elif isinstance(new.node, Mapping) and "acts" in added:
            return False
        else:
            findings.add(unknown("RS2011", "phase", name, list(phases), new.key))
        return True

    def _add_to_phase(self, name: str, key: str, place: Span, added: Node, findings: Findings) -> None:
        old = self.tables["phases"][name]
        if isinstance(old.node, Mapping) and isinstance(added, Sequence):
            acts = old.node.items.get(key)
            before = acts.items if isinstance(acts, Sequence) else ()
            listed = {a.text: a.span for a in before if isinstance(a, Scalar)}
            for act in added.items:
                if isinstance(act, Scalar) and act.text in listed:
                    label = (Label(listed[act.text], "it stands here"),)
                    message = f"the phase `{name}` has the act `{act.text}` already"
                    findings.add(Diagnostic("RS2021", message, act.span, "leave it out", label))
            widened = Sequence((*before, *added.items), added.span)
            self.tables["phases"][name] = Declared(old.key, with_fields(old.node, {key: (place, widened)}))

    def take_clauses(self, part: Mapping, chapter: str, kind: OriginKind, findings: Findings) -> None:
        """Take in the clauses of one file, or of what a variant adds, as belonging to a chapter."""
        listed = part.items.get("clauses")
        for clause in listed.items if isinstance(listed, Sequence) else ():
            if not isinstance(clause, Mapping):
                continue
            id_ = word(clause, "id")
            old = self.clauses.get(id_)
            if old is None and id_ in self.removed:
                label = (Label(self.removed[id_].span, "removed here"),)
                message = f"the clause {id_} was removed, and a new one takes its id"
                hint = f"to say it differently, write `- clause: {id_}` with `with:` under `replace:`"
                findings.add(Diagnostic("RS2024", message, place_of(clause, "id"), hint, label, clause=id_))
                continue
            if old is None:
                self.clauses[id_] = clause
                self.chapter_of[id_] = chapter
                self.origin[id_] = Origin(kind, self.ruleset)
                continue
            label = (Label(place_of(old, "id"), "the clause with this id"),)
            place = place_of(clause, "id")
            if self.origin[id_].ruleset == self.ruleset:
                message, hint = f"two clauses have the id {id_}", "give one of them another id"
                findings.add(Diagnostic("RS2022", message, place, hint, label, clause=id_))
            else:
                message = f"the rule set that this one extends has a clause {id_} already"
                hint = f"to say it differently, write `- clause: {id_}` with `with:` under `replace:`"
                findings.add(Diagnostic("RS2024", message, place, hint, label, clause=id_))

    def resolve(self, id_: str, span: Span, findings: Findings) -> str:
        """Find the clause that an id or a former id names; empty, with a finding, if there is none."""
        if id_ in self.clauses:
            return id_
        for current, clause in self.clauses.items():
            if id_ in words(clause, "aliases"):
                hint = f"write {current}"
                message = f"the clause {id_} is now called {current}"
                finding = Diagnostic("RS2013", message, span, hint, severity=Severity.WARNING, clause=current)
                findings.add(finding)
                return current
        if id_ in self.removed:
            label = (Label(self.removed[id_].span, "removed here"),)
            message = f"the clause {id_} was removed"
            findings.add(Diagnostic("RS2014", message, span, "add it anew under another id", label, clause=id_))
            return ""
        findings.add(unknown("RS2012", "clause", id_, list(self.clauses), span))
        return ""

    def aliases_checked(self, findings: Findings) -> None:
        """Make sure that no former id is the id, or a former id, of another clause."""
        seen: dict[str, Span] = {id_: place_of(clause, "id") for id_, clause in self.clauses.items()}
        for id_, clause in self.clauses.items():
            listed = clause.items.get("aliases")
            for alias in listed.items if isinstance(listed, Sequence) else ():
                if not isinstance(alias, Scalar):
                    continue
                if alias.text in seen:
                    label = (Label(seen[alias.text], "the other one"),)
                    message = f"the alias {alias.text} names another clause, too"
                    hint = "an id is never used again; choose another"
                    findings.add(Diagnostic("RS2023", message, alias.span, hint, label, clause=id_))
                seen.setdefault(alias.text, alias.span)

    def document(self, main: Mapping) -> Mapping:
        """Write the whole rule set as one mapping at the place of the main file, clauses in reading order."""
        items: dict[str, Node] = {}
        keys: dict[str, Span] = {}
        for key, declared in [*self.head.items(), *self.singles.items()]:
            items[key], keys[key] = declared.node, declared.key
        for key, table in self.tables.items():
            if table:
                names = {name: d.key for name, d in table.items()}
                items[key] = Mapping({name: d.node for name, d in table.items()}, names, main.span)
                keys[key] = next(iter(names.values()))
        items["chapters"] = Sequence(tuple(self.chapters.values()), main.span)
        keys["chapters"] = main.span
        order = {chapter: i for i, chapter in enumerate(self.chapters)}
        ranked = sorted(self.clauses, key=lambda id_: order.get(self.chapter_of[id_], len(order)))
        items["clauses"] = Sequence(tuple(self.clauses[id_] for id_ in ranked), main.span)
        keys["clauses"] = main.span
        return Mapping(items, keys, main.span)


def word(of: Mapping, key: str) -> str:
    """Find the text under a key; empty if there is none."""
    node = of.items.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


def words(of: Mapping, key: str) -> tuple[str, ...]:
    """Find a list of words under a key; a single word is a list of one."""
    node = of.items.get(key)
    if isinstance(node, Scalar):
        return (node.text,)
    return tuple(x.text for x in node.items if isinstance(x, Scalar)) if isinstance(node, Sequence) else ()


def place_of(of: Mapping, key: str) -> Span:
    """Find the place of the value under a key, or of the whole where it is absent."""
    node = of.items.get(key)
    return of.span if node is None else node.span


def with_fields(old: Mapping, fields: dict[str, tuple[Span, Node]], span: Span | None = None) -> Mapping:
    """Write a mapping anew with some fields changed or added; the others keep their places."""
    items, keys = dict(old.items), dict(old.keys)
    for key, (place, node) in fields.items():
        items[key], keys[key] = node, place
    return Mapping(items, keys, span or old.span)


def unknown(id_: str, what: str, name: str, known: list[str], span: Span | None) -> Diagnostic:
    """Say that something does not exist, and what it may have been meant to be."""
    close = get_close_matches(name, known, 1)
    if close:
        hint = f"did you mean `{close[0]}`?"
    else:
        shown = ", ".join(sorted(known)[:12])
        hint = f"known: {shown}" + (", …" if len(known) > 12 else "") if known else "none is declared"  # noqa: PLR2004 - as many as fit on a line
    return Diagnostic(id_, f"there is no {what} named `{name}`", span, hint)
