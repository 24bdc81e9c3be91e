"""What a variant says about the rule set it extends: set, remove, replace, add, and nothing in silence."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Label, Span
from canasta.language.digests import declaration_digest, formal_digest, text_digest
from canasta.language.merging import (
    SINGLES,
    Declared,
    Draft,
    Dropped,
    Origin,
    OriginKind,
    Removed,
    place_of,
    unknown,
    with_fields,
    word,
)  # fmt: skip
from canasta.language.schema_check import check_clause, check_declaration
from canasta.language.source import Mapping, Node, Scalar, Sequence

__all__ = ["apply_changes", "change_target", "declaration_digest", "formal_digest", "misfit", "text_digest"]

_SIGN: Final = "canasta rules sign"


@dataclass(frozen=True, slots=True)
class Target:
    """What one entry under `replace` or `remove` is about: a clause or a declaration of the parent, as it is there."""

    what: str
    name: str
    node: Node
    key: Span
    digest: str


def apply_changes(draft: Draft, main: Mapping, chapter: str, findings: Findings) -> None:
    """Change a draft, which holds the parent's rules, the way the main file of a variant says."""
    parent = _ParentView(draft, findings)
    _Changes(draft, findings, parent).all(main)
    added = main.items.get("add")
    if isinstance(added, Mapping):
        draft.take_declarations(added, findings)
        draft.take_clauses(added, chapter, OriginKind.ADDED, findings)
    _without_removed(draft, parent)


def _without_removed(draft: Draft, parent: "_ParentView") -> None:
    """Let fall away what the parent says of a clause or an act that the variant removes: in an order, a summary, a list of acts."""
    acts = set(parent.tables["acts"]) - set(draft.tables["acts"])
    for id_, clause in draft.clauses.items():
        parents = parent.clauses.get(id_)
        kept: dict[str, tuple[Span, Node]] = {}
        for key in ("after", "before", "follows_from", "on"):
            listed = clause.items.get(key)
            if parents is not None and isinstance(listed, Sequence) and listed is parents.items.get(key):
                gone: Container[str] = acts if key == "on" else draft.removed
                left = tuple(x for x in listed.items if not (isinstance(x, Scalar) and x.text in gone))
                if left and len(left) < len(listed.items):
                    kept[key] = (clause.keys[key], Sequence(left, listed.span))
                elif not left and key != "on":
                    kept[key] = (clause.keys[key], Sequence((), listed.span))
        if kept:
            draft.clauses[id_] = with_fields(clause, kept)


def change_target(draft: Draft, entry: Mapping, findings: Findings) -> Target | None:
    """Find what an entry under `replace` or `remove` is about; nothing, with a finding, if there is no such thing."""
    return _ParentView(draft, findings).target(entry)


@dataclass(slots=True)
class _ParentView:
    """The parent as it was before any change, so that the order of the entries does not matter."""

    draft: Draft
    findings: Findings
    clauses: dict[str, Mapping] = field(init=False)
    tables: dict[str, dict[str, Declared]] = field(init=False)
    singles: dict[str, Declared] = field(init=False)

    def __post_init__(self) -> None:
        self.clauses = dict(self.draft.clauses)
        self.tables = {key: dict(table) for key, table in self.draft.tables.items()}
        self.singles = dict(self.draft.singles)

    def target(self, entry: Mapping) -> Target | None:
        if "declaration" in entry.items:
            return self._declaration(word(entry, "declaration"), place_of(entry, "declaration"))
        id_ = word(entry, "clause")
        if id_ not in self.clauses:
            id_ = self.draft.resolve(id_, place_of(entry, "clause"), self.findings)
        if not id_:
            return None
        clause = self.clauses[id_]
        return Target("clause", id_, clause, place_of(clause, "id"), formal_digest(clause))

    def _declaration(self, path: str, span: Span) -> Target | None:
        key, dot, name = path.partition(".")
        table = self.tables.get(key, {}) if dot else self.singles
        declared = table.get(name if dot else key)
        if declared is None:
            listed = [*SINGLES, *(f"{k}.{n}" for k, names in self.tables.items() for n in names)]
            self.findings.add(unknown("RS2011", "declaration", path, listed, span))
            return None
        return Target("declaration", path, declared.node, declared.key, declaration_digest(declared.node))


@dataclass(slots=True)
class _Changes:
    """The work of changing a draft."""

    draft: Draft
    findings: Findings
    parent: _ParentView
    touched: dict[str, Span] = field(default_factory=dict)

    def all(self, main: Mapping) -> None:
        """Set values, then remove and replace in the order written; each entry is about the parent as it was."""
        values = main.items.get("set")
        if isinstance(values, Mapping):
            for name, node in values.items.items():
                self._set(name, node, values.keys[name])
        changes: dict[str, Callable[[Mapping, Target], None]] = {"remove": self._remove, "replace": self._replace}
        listed: list[tuple[Mapping, Callable[[Mapping, Target], None]]] = []
        for key, change in changes.items():
            entries = main.items.get(key)
            found = entries.items if isinstance(entries, Sequence) else ()
            listed += [(entry, change) for entry in found if isinstance(entry, Mapping)]
        for entry, change in sorted(listed, key=lambda pair: pair[0].span):
            self._entry(entry, change)

    def _entry(self, entry: Mapping, change: Callable[[Mapping, Target], None]) -> None:
        target = self.parent.target(entry)
        if target is None:
            return
        place = place_of(entry, target.what)
        if target.name in self.touched:
            label = (Label(self.touched[target.name], "the other entry"),)
            message = f"two entries change the {target.what} {target.name}"
            self.findings.add(Diagnostic("RS2032", message, place, "make one entry of the two", label))
            return
        self.touched[target.name] = place
        if self._signed(entry, target, place):
            change(entry, target)

    def _signed(self, entry: Mapping, target: Target, place: Span) -> bool:
        """See whether the entry was written against the parent as it is now."""
        clause = target.name if target.what == "clause" else ""
        formal = entry.items.get("formal")
        label = (Label(target.key, f"the {target.what} as it is now"),)
        if not isinstance(formal, Scalar):
            message = f"this change of the {target.what} {target.name} is not signed"
            hint = f"run `{_SIGN} {place.file}`"
            self.findings.add(Diagnostic("RS2030", message, place, hint, label, clause=clause))
            return False
        if formal.text != target.digest:
            message = (
                f"stale override: read it again, the {target.what} {target.name} has changed since this was written"
            )
            hint = f"compare the two; if the change still fits, run `{_SIGN} {place.file}`"
            self.findings.add(Diagnostic("RS2031", message, formal.span, hint, label, clause=clause))
            return False
        return True

    def _remove(self, entry: Mapping, target: Target) -> None:
        if target.what == "declaration":
            table, name = self._table(target.name)
            del table[name]
            self.draft.dropped[target.name] = Dropped(target.node, self.draft.ruleset, word(entry, "because"))
            return
        clause = self.draft.clauses.pop(target.name)
        del self.draft.origin[target.name], self.draft.chapter_of[target.name]
        because = word(entry, "because")
        self.draft.removed[target.name] = Removed(clause, self.draft.ruleset, because, place_of(entry, "clause"))

    def _table(self, path: str) -> tuple[dict[str, Declared], str]:
        key, dot, name = path.partition(".")
        return (self.draft.tables[key], name) if dot else (self.draft.singles, key)

    def _replace(self, entry: Mapping, target: Target) -> None:
        fields = entry.items.get("with", Mapping({}, {}, entry.span))
        if not isinstance(fields, Mapping) or not isinstance(target.node, Mapping):
            return
        changed = {key: (fields.keys[key], node) for key, node in fields.items.items()}
        rest = self._without(entry, fields, target)
        new = with_fields(rest, changed, entry.span)
        if target.what == "declaration":
            table, name = self._table(target.name)
            self._misshapen(check_declaration(new, target.name), entry, "")
            table[name] = Declared(place_of(entry, "declaration"), new)
            if target.name.startswith("profiles."):
                self.draft.profile_depth[name] = self.draft.depth
            return
        self._misshapen(check_clause(new), entry, target.name)
        self.draft.clauses[target.name] = new
        because = word(entry, "because")
        self.draft.origin[target.name] = Origin(OriginKind.REPLACED, self.draft.ruleset, target.node, because)

    def _without(self, entry: Mapping, fields: Mapping, target: Target) -> Mapping:
        """Take the fields under `without` out of what the parent says; what the rest lacks is told with its shape."""
        assert isinstance(target.node, Mapping)  # noqa: S101 - whoever asks has looked
        items, keys = dict(target.node.items), dict(target.node.keys)
        listed = entry.items.get("without")
        for name in listed.items if isinstance(listed, Sequence) else ():
            if not isinstance(name, Scalar):
                continue
            if name.text in fields.items:
                label = (Label(fields.keys[name.text], "it is written here"),)
                message = f"the field `{name.text}` is taken away and written anew"
                hint = "leave it out under `without`: what stands under `with` takes the place of the parent's field"
                self.findings.add(Diagnostic("RS2034", message, name.span, hint, label))
            elif name.text not in items:
                label = (Label(target.key, f"the {target.what} as it is now"),)
                message = f"the {target.what} {target.name} has no field `{name.text}` to be taken away"
                hint = f"it has {', '.join(k for k in target.node.items if k not in ('id', 'kind'))}"
                self.findings.add(Diagnostic("RS2034", message, name.span, hint, label))
            items.pop(name.text, None)
            keys.pop(name.text, None)
        return Mapping(items, keys, target.node.span)

    def _misshapen(self, found: list[Diagnostic], entry: Mapping, clause: str) -> None:
        """Tell what does not fit together once the parent's fields and those of the variant are joined."""
        label = (Label(place_of(entry, "clause" if clause else "declaration"), "changed here"),)
        listed = entry.items.get("without")
        taken = [n for n in listed.items if isinstance(n, Scalar)] if isinstance(listed, Sequence) else []
        for d in found:
            needed = next((n for n in taken if d.id == "RS1002" and d.message.startswith(f"`{n.text}` ")), None)
            told = replace(d, labels=(*d.labels, *label), clause=clause)
            if needed is not None:
                told = replace(
                    told, span=needed.span, hint=f"leave `{needed.text}` out of `without`, or write it under `with`"
                )
            self.findings.add(told)

    def _set(self, name: str, node: Node, key: Span) -> None:
        tables = self.draft.tables
        where = next((t for t in ("parameters", "options", "steps") if name in tables[t]), "")
        if not where:
            listed = [*tables["parameters"], *tables["options"], *tables["steps"]]
            self.findings.add(unknown("RS2011", "parameter, option or step table", name, listed, key))
            return
        old = tables[where][name]
        if not isinstance(old.node, Mapping):
            return
        self.touched[f"{where}.{name}"] = key
        label = (Label(old.key, "declared here"),)
        if where == "steps":
            if not isinstance(node, Mapping):
                message = f"`{name}` is a step table"
                hint = "write `below:` and `from:` under it"
                self.findings.add(Diagnostic("RS2004", message, node.span, hint, label))
                return
            fields = {k: (node.keys[k], v) for k, v in node.items.items()}
        else:
            message, hint = misfit(name, where, old.node, node)
            if message:
                self.findings.add(Diagnostic("RS2004", message, node.span, hint, label))
                return
            fields = {"is": (key, node)}
        tables[where][name] = Declared(old.key, with_fields(old.node, fields))
        if where == "options":
            self.draft.option_depth[name] = self.draft.depth


def misfit(name: str, where: str, declared: Mapping, value: Node) -> tuple[str, str]:
    """Say why a value does not fit a parameter or option, and what would; two empty texts if it fits."""
    if not isinstance(value, Scalar):
        return f"`{name}` takes a single value", "write it after the colon"
    of = declared.items.get("of")
    if isinstance(of, Sequence):
        allowed = [x.text for x in of.items if isinstance(x, Scalar)]
        if value.text in allowed:
            return "", ""
        return f"the option `{name}` cannot be `{value.text}`", f"choose one of: {', '.join(allowed)}"
    if isinstance(of, Scalar) and of.text == "bool":
        fits = value.text in ("yes", "no")
        return ("", "") if fits else (f"the option `{name}` cannot be `{value.text}`", "choose yes or no")
    digits = value.text.replace("_", "").removeprefix("-")
    fits = digits.isascii() and digits.isdecimal() and len(digits) < 10  # noqa: PLR2004 - nine digits, as everywhere
    what = "option" if where == "options" else "parameter"
    return ("", "") if fits else (f"the {what} `{name}` cannot be `{value.text}`", "write a whole number in digits")
