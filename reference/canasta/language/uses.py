"""What of a rule set is used: acts that no phase offers, phases that nothing leads to, names that nobody mentions."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from canasta.diagnostics import Diagnostic, Severity
from canasta.language.kinds import nodes, roots
from canasta.language.roles import Places
from canasta.language.ruleset import Bound, Duty, Effect, Requirement, Ruleset
from canasta.language.types import Expr, Op, Statement, StatementOp

_IN_BRACES: Final = re.compile(r"\{([a-z_][a-z0-9_]*)")


def every_statement(ruleset: Ruleset) -> Iterator[Statement]:
    """Go through all statements of all effects and duties, and those within others."""
    waiting = [s for e in ruleset.of_kind(Effect) for s in e.do] + [s for d in ruleset.of_kind(Duty) for s in d.do]
    while waiting:
        statement = waiting.pop()
        yield statement
        if statement.body is not None:
            waiting.append(statement.body)


def every_root(ruleset: Ruleset) -> Iterator[Expr]:
    """Go through all whole expressions: of clauses and acts, of bounds, of classes and values."""
    yield from roots(ruleset)
    yield from ruleset.classes.values()
    yield from ruleset.values.values()
    for bound in ruleset.of_kind(Bound):
        if bound.when is not None:
            yield bound.when
        yield from (d.that for d in bound.require)


def offered(ruleset: Ruleset) -> set[str]:
    """List the acts that some phase offers or lets happen by themselves."""
    return {a for p in ruleset.phases.values() for a in (*p.acts, *p.auto)}


def check_uses(ruleset: Ruleset, places: Places) -> Iterator[Diagnostic]:
    """Warn of what is declared and never comes into play."""
    for id_, key, name, message, hint in (*_acts(ruleset), *_phases(ruleset)):
        yield Diagnostic(id_, message, places.of(key, name), hint, severity=Severity.WARNING)
    yield from _parts_never_judged(ruleset)
    yield from _names(ruleset, places)


def _acts(ruleset: Ruleset) -> Iterator[tuple[str, str, str, str, str]]:
    known = offered(ruleset)
    for act in ruleset.acts:
        if act not in known:
            hint = "add it to the `acts` of a phase, or to its `auto`, or delete it"
            yield "RS4005", "acts", act, f"no phase offers the act {act!r}", hint


def _phases(ruleset: Ruleset) -> Iterator[tuple[str, str, str, str, str]]:
    led_to = {s.name for s in every_statement(ruleset) if s.op in (StatementOp.PHASE, StatementOp.ACT)}
    led_to |= {a.then for a in ruleset.acts.values()} | set(list(ruleset.phases)[:1])
    for phase in ruleset.phases:
        if phase not in led_to:
            hint = f"lead to it by `phase {phase}`, `act … at {phase}` or the `then` of an act, or delete it"
            yield "RS4006", "phases", phase, f"nothing leads to the phase {phase!r}", hint


def _parts_never_judged(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Requirements on a part are judged by the commit that ends the play: there must be one where the part can lie."""
    judged: set[str] = set()
    for phase in ruleset.phases.values():
        for name in phase.acts:
            act = ruleset.acts[name]
            where = ruleset.phases.get(act.then, phase)
            if not act.lays or any(ruleset.acts[a].commit for a in (*where.acts, *where.auto) if a in ruleset.acts):
                judged.add(name)
    for clause in ruleset.of_kind(Requirement):
        for on in clause.on:
            if ruleset.acts[on].lays and on in offered(ruleset) and on not in judged:
                message = f"{clause.id} is never asked: no act with `commit` ends a play in which {on!r} has been laid"
                hint = f"give a `commit` act to the phase in which {on!r} is laid, or to the phase that follows it"
                yield Diagnostic("RS4007", message, clause.span, hint, severity=Severity.WARNING, clause=clause.id)


def _names(ruleset: Ruleset, places: Places) -> Iterator[Diagnostic]:
    used = used_names(ruleset)
    declared: dict[str, tuple[str, Iterable[str], str]] = {
        "classes": ("class", ruleset.classes, "class "),
        "values": ("value", ruleset.values, "value "),
        "parameters": ("parameter", ruleset.parameters, ""),
        "options": ("option", ruleset.options, ""),
        "steps": ("step table", ruleset.steps, "steps "),
        "zones": ("zone", ruleset.zones, ""),
        "state": ("variable", ruleset.state, ""),
        "marks": ("mark", ruleset.marks, ""),
        "reasons": ("reason", ruleset.reasons, "reason "),
        "definitions": ("definition", ruleset.definitions, "definition "),
    }
    for key, (what, names, kind) in declared.items():
        for name in names:
            if f"{kind}{name}" not in used:
                span = ruleset.definitions[name].span if key == "definitions" else places.of(key, name)
                hint = f"use {name!r} in a clause, or delete it"
                if span is not None and span.file in places.inherited:
                    entry = (
                        f"clause: {ruleset.definitions[name].id}"
                        if key == "definitions"
                        else f"declaration: {key}.{name}"
                    )
                    hint = f"it is inherited ({span}), and what you changed has left it over; `remove: - {entry}` takes it out"
                    span = places.own
                message = f"no clause uses the {what} {name!r}"
                yield Diagnostic("RS4008", message, span, hint, severity=Severity.WARNING)


def used_names(ruleset: Ruleset) -> set[str]:
    """List what expressions, statements, declarations and texts name; what could be confused has its kind before it."""
    table = ruleset.table
    found = {table.hand, table.order, table.account}
    for root in every_root(ruleset):
        for node in nodes(root):
            match node.op:
                case Op.CONST | Op.ZONE | Op.STATE | Op.MARK:
                    found.add(node.ref)
                case Op.IS_CLASS:
                    found.add(f"class {node.ref}")
                case Op.CARD_ATTR:
                    found.add(f"value {node.ref}")
                case Op.STEP:
                    found.add(f"steps {node.ref}")
                case Op.DEFINE:
                    found.add(f"definition {node.ref}")
                case _:
                    pass
    for statement in every_statement(ruleset):
        found |= {p.name for p in statement.places}
        found.add(f"reason {statement.name}" if statement.op is StatementOp.END else statement.name)
    for shape in ruleset.shapes.values():
        found |= {f"class {shape.body}", f"class {shape.filler}"}
    for act in ruleset.acts.values():
        found |= {act.into, act.top}
    for text in (c.text for c in ruleset.clauses.values()):
        for name in _IN_BRACES.findall(text):
            found |= {name, f"steps {name}"}
    return found
