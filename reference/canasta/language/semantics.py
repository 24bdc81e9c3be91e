"""Whether a rule set makes sense as a whole: what no single expression shows."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator
from typing import Final

from canasta.diagnostics import Diagnostic, Label, Severity, Span
from canasta.language.effect_order import check_effect_order
from canasta.language.kinds import clause_roots, nodes
from canasta.language.nodes import Mapping
from canasta.language.roles import Places, check_roles
from canasta.language.ruleset import Bound, Clause, Custom, Effect, Requirement, Ruleset, Structure
from canasta.language.types import Op
from canasta.language.uses import check_uses

SHIPPED: Final = "spec/rules/"
"""Where the files of shipped rule sets lie: every clause of theirs names a source."""

_BRACES: Final = re.compile(r"\{[^{}]*\}")
_FIGURE: Final = re.compile(r"(?<![\w.,])\d[\d.,]*(?![\w])")


def check_semantics(
    ruleset: Ruleset,
    document: Mapping | None = None,
    inherited: frozenset[str] = frozenset(),
    own: Span | None = None,
) -> tuple[Diagnostic, ...]:
    """Find what is wrong with a rule set whose names and types are right: errors (RS40xx) and warnings.

    Errors are what the interpreter could not carry out in one certain way. Warnings are what a reader would stumble over.
    With the merged ``document`` findings about declarations have a place, too; what is never used and
    stands in one of the ``inherited`` files is told at the head of the variant's ``own``, where it can be removed.
    """
    from canasta.prose import faults  # noqa: PLC0415 - texts are read here only, and prose reads a file of nouns

    found = [*_playable(ruleset, document), *check_uses(ruleset, Places(document, inherited, own))]
    return (*found, *_sources(ruleset), *_figures(ruleset), *_summaries(ruleset), *faults(ruleset))


def errors_of(ruleset: Ruleset, document: Mapping | None = None) -> tuple[Diagnostic, ...]:
    """Find only what makes a rule set unplayable, for the loader; texts and sources are not looked at."""
    return tuple(d for d in _playable(ruleset, document) if d.severity is Severity.ERROR)


def _playable(ruleset: Ruleset, document: Mapping | None) -> list[Diagnostic]:
    found = [*check_roles(ruleset, Places(document)), *check_effect_order(ruleset)]
    return [*found, *_codes(ruleset), *_refusals(ruleset), *_standstill(ruleset)]


def _codes(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """A code names one demand, so that a report of it points to one clause."""
    users: dict[str, list[Clause]] = defaultdict(list)
    for clause in ruleset.clauses.values():
        match clause:
            case Requirement() | Bound():
                for demand in clause.require:
                    users[demand.code].append(clause)
            case Structure():
                users[clause.code].append(clause)
            case _:
                pass
    for code, clauses in users.items():
        for clause in clauses[1:]:
            where = "twice in" if clause is clauses[0] else f"by {clauses[0].id} and"
            message = f"the code {code} is used {where} {clause.id}"
            label = () if clause is clauses[0] else (Label(clauses[0].span, "the first one"),)
            hint = "give each demand a code of its own"
            yield Diagnostic("RS4010", message, clause.span, hint, label, clause=clause.id, code=code)


def _refusals(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Every refusal of the kernel has one clause that says it and gives it a code."""
    named: dict[str, Structure] = {}
    for clause in ruleset.of_kind(Structure):
        first = named.setdefault(clause.refuses, clause)
        if first is not clause:
            message = f"{first.id} and {clause.id} both speak for the refusal `{clause.refuses}`"
            label = (Label(first.span, "the first one"),)
            yield Diagnostic("RS4011", message, clause.span, "keep one of them", label, clause=clause.id)
    for refusal in needed_refusals(ruleset):
        if refusal not in named:
            message = f"no clause says what is wrong when the kernel refuses `{refusal}`"
            hint = f"add a clause of kind `structure` with `refuses: {refusal}` and a code"
            yield Diagnostic("RS4012", message, hint=hint, severity=Severity.WARNING)


def needed_refusals(ruleset: Ruleset) -> tuple[str, ...]:
    """List what the kernel can refuse in a game with these acts."""
    choices = {a.choose for a in ruleset.acts.values()}
    found = ["turn", "phase"]
    if choices & {"card", "part"}:
        found.append("held")
    if choices & {"part", "groups"}:
        found.append("shape")
    if choices & {"option", "part", "groups"}:
        found.append("target")
    if any(a.safe for a in ruleset.acts.values()):
        found.append("stranded")
    return tuple(found)


def _standstill(ruleset: Ruleset) -> Iterator[Diagnostic]:
    if not any("stuck" in e.on for e in ruleset.of_kind(Effect)):
        hint = "add an effect with `on: [stuck]`, for instance one that ends the deal"
        yield Diagnostic("RS4013", "nothing says what happens when nobody can act", hint=hint)


def _sources(ruleset: Ruleset) -> Iterator[Diagnostic]:
    for clause in ruleset.clauses.values():
        if not clause.sources and not clause.ruling and clause.span.file.startswith(SHIPPED):
            message = f"{clause.id} names no source"
            hint = "say under `sources` where it stands, or name the `ruling` that decides it"
            yield Diagnostic("RS4009", message, clause.span, hint, severity=Severity.WARNING, clause=clause.id)


def _summaries(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """A clause that is not executed, and is shown with executed examples, names what decides them."""
    for clause in ruleset.of_kind(Custom):
        for name in clause.follows_from:
            other = ruleset.clauses.get(name)
            if isinstance(other, Custom):
                message = f"{clause.id} is said to follow from {name}, which is not executed either"
            elif other is None and not _declared(ruleset, name):
                message = f"{clause.id} is said to follow from {name}, which is not here"
            else:
                continue
            hint = "name clauses that are executed, or declarations, such as `table` or `zones.melds`"
            yield Diagnostic("RS4026", message, clause.span, hint, severity=Severity.WARNING, clause=clause.id)
        if clause.examples and not clause.follows_from:
            message = f"{clause.id} has examples, and does not say what decides them"
            hint = "name under `follows_from` the clauses that are executed, or let the clause be of another kind"
            yield Diagnostic("RS4026", message, clause.span, hint, severity=Severity.WARNING, clause=clause.id)


def _declared(ruleset: Ruleset, path: str) -> bool:
    """Whether there is a declaration of this name, such as ``pack`` or ``zones.melds``."""
    key, _, name = path.partition(".")
    named: dict[str, Container[str]] = {
        "classes": ruleset.classes, "values": ruleset.values, "parameters": ruleset.parameters, "options": ruleset.options,
        "steps": ruleset.steps, "zones": ruleset.zones, "state": ruleset.state, "marks": ruleset.marks,
        "shapes": ruleset.shapes, "acts": ruleset.acts, "phases": ruleset.phases, "reasons": ruleset.reasons,
    }  # fmt: skip
    return path in ("table", "pack") or name in named.get(key, ())


def _figures(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """A figure that a rule set can change stands in a parameter; typed into a text it would go stale in a variant."""
    for clause in ruleset.clauses.values():
        if isinstance(clause, Custom):
            continue
        plain = _BRACES.sub("", clause.text)
        figure = _FIGURE.search(plain)
        if figure is not None:
            message = f"the figure {figure.group()} is typed in the text of {clause.id}"
            hint = "make it a parameter and write its name in braces, as in {hand_size card}"
            yield Diagnostic("RS4014", message, clause.span, hint, severity=Severity.WARNING, clause=clause.id)
        for word, name in _spelled_out(ruleset, clause, plain):
            message = f"the number {word} is typed in the text of {clause.id}, and is that of {name}"
            hint = f"write the name in braces, as in {{{name} card}}"
            yield Diagnostic("RS4014", message, clause.span, hint, severity=Severity.WARNING, clause=clause.id)


def _spelled_out(ruleset: Ruleset, clause: Clause, text: str) -> Iterator[tuple[str, str]]:
    """Find numbers written as words that are the value of a parameter which the clause reads."""
    from canasta.prose import vocabulary  # noqa: PLC0415 - texts are read here only, and prose reads a file of nouns

    read = (n.ref for root in clause_roots(clause) for n in nodes(root) if n.op is Op.CONST)
    values = {ruleset.parameters[name]: name for name in read if name in ruleset.parameters}
    words = vocabulary()
    nouns = "|".join(re.escape(form) for noun in words.nouns.values() for form in (noun.one, noun.other))
    for number, word in enumerate(words.numbers):
        counts = rf"\b{word}\b(?=(?: or \w+)?\s(?:{nouns})\b)"
        if number > 1 and number in values and re.search(counts, text, re.IGNORECASE):
            yield word, values[number]
