"""Reading the declarations of a rule set: pack, zones, variables, shapes, acts, options and the rest."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.language.checker import Checker
from canasta.language.ruleset import (
    Act,
    Form,
    Lasts,
    Option,
    Owner,
    Pack,
    Phase,
    Seen,
    Shape,
    StepTable,
    Table,
    Variable,
    Zone,
)  # fmt: skip
from canasta.language.scope import ACTOR, ALWAYS, Declared, Scope
from canasta.language.source import Mapping, Node, Scalar, Sequence
from canasta.language.types import BAG, BOOL, CARD, INT, NAMED, SEAT, Expr, Type

E = TypeVar("E", bound=StrEnum)
NOTHING = Mapping({}, {}, Span("", 0, 0, 0, 0))


def mapping(of: Mapping, key: str) -> Mapping:
    """Find a mapping under a key; an absent one is empty."""
    found = of.items.get(key)
    return found if isinstance(found, Mapping) else NOTHING


def text(of: Mapping, key: str, default: str = "") -> str:
    """Find the text under a key."""
    found = of.items.get(key)
    return found.text.strip() if isinstance(found, Scalar) else default


def words(of: Mapping, key: str) -> tuple[str, ...]:
    """Find a list of words under a key; a single word is a list of one."""
    found = of.items.get(key)
    if isinstance(found, Scalar):
        return (found.text,)
    return tuple(x.text for x in found.items if isinstance(x, Scalar)) if isinstance(found, Sequence) else ()


def flag(of: Mapping, key: str) -> bool:
    """Find a yes or no under a key; absent is no."""
    return text(of, key) == "yes"


def number(of: Mapping, key: str, default: int = 0) -> int:
    """Find a whole number under a key."""
    found = of.items.get(key)
    return whole(found) if isinstance(found, Scalar) else default


def whole(node: Node) -> int:
    """Read a whole number; the schema has made sure that it is one."""
    return int(node.text.replace("_", "")) if isinstance(node, Scalar) and _is_whole(node.text) else 0


def _is_whole(value: str) -> bool:
    return value.replace("_", "").lstrip("+-").isdecimal()


@dataclass(slots=True)
class DeclarationReader:
    """Reads the declarations of one merged document; faults go into the findings."""

    document: Mapping
    chosen: dict[str, str]
    findings: Findings

    def pack(self) -> Pack:
        """Read the printed cards."""
        of = mapping(self.document, "pack")
        suits = mapping(of, "suits")
        colours = tuple(dict.fromkeys(x.text for x in suits.items.values() if isinstance(x, Scalar)))
        extra = tuple(
            (name, number(x, "copies", 1)) for name, x in mapping(of, "extra").items.items() if isinstance(x, Mapping)
        )
        return Pack(
            number(of, "packs", 1), words(of, "ranks"), tuple(suits.items), colours,
            tuple(colours.index(x.text) for x in suits.items.values() if isinstance(x, Scalar)), extra,
        )  # fmt: skip

    def table(self) -> Table:
        """Read seats, sides and the roles of zones."""
        of = mapping(self.document, "table")
        seats = number(of, "seats", 4)
        sides = of.items.get("sides")
        partners = tuple(
            tuple(whole(s) for s in side.items) for side in sides.items if isinstance(side, Sequence)
        ) if isinstance(sides, Sequence) else tuple((s,) for s in range(seats))  # fmt: skip
        lines = of.items.get("rota")
        rota = tuple(
            tuple(whole(s) for s in line.items) for line in lines.items if isinstance(line, Sequence)
        ) if isinstance(lines, Sequence) else ()  # fmt: skip
        hand, order, account = text(of, "hand", "hand"), text(of, "order", "stock"), text(of, "account", "total")
        return Table(seats, partners, hand, order, account, rota)

    def constants(self, declared: Declared) -> None:
        """Read parameters, options with the chosen values, step tables and marks."""
        for name, of in self._each("parameters"):
            declared.parameters[name] = number(of, "is")
        for name, of in self._each("options"):
            declared.options[name] = self._option(name, of)
        for name, of in self._each("steps"):
            rows = sorted((int(k), whole(v)) for k, v in mapping(of, "from").items.items())
            declared.steps[name] = StepTable(name, number(of, "below"), tuple(rows), text(of, "text"))
        declared.marks = tuple(mapping(self.document, "marks").items)

    def _each(self, key: str) -> list[tuple[str, Mapping]]:
        return [(n, x) for n, x in mapping(self.document, key).items.items() if isinstance(x, Mapping)]

    def _option(self, name: str, of: Mapping) -> Option:
        domain = of.items.get("of")
        kind, allowed = INT, tuple[int, ...]()
        if isinstance(domain, Scalar) and domain.text == "bool":
            kind, allowed = BOOL, (0, 1)
        elif isinstance(domain, Sequence):
            listed = [x.text for x in domain.items if isinstance(x, Scalar)]
            if all(_is_whole(x) for x in listed):
                allowed = tuple(int(x) for x in listed)
            else:
                kind, allowed = Type("words", tuple(listed)), tuple(range(len(listed)))
        default = self._value(kind, text(of, "is"))
        value = self._value(kind, self.chosen[name]) if name in self.chosen else default
        return Option(name, kind, default, value, allowed, text(of, "text"), text(of, "ruling"))

    def _value(self, kind: Type, word: str) -> int:
        if kind == BOOL:
            return int(word == "yes")
        if kind.words:
            return kind.words.index(word) if word in kind.words else 0
        return int(word) if _is_whole(word) else 0

    def profiles(self, declared: Declared) -> dict[str, dict[str, int]]:
        """Read which options each profile chooses."""
        found: dict[str, dict[str, int]] = {}
        for name, of in self._each("profiles"):
            chosen = mapping(of, "choose")
            found[name] = {}
            for option, value in chosen.items.items():
                if option in declared.options and isinstance(value, Scalar):
                    found[name][option] = self._value(declared.options[option].type, value.text)
                else:
                    self._unknown("option", option, list(declared.options), chosen.keys[option])
        return found

    def places(self, declared: Declared) -> None:
        """Read zones and variables."""
        for i, (name, of) in enumerate(self._each("zones")):
            declared.zones[name] = Zone(
                name, i, self._member(Owner, of, "of"), self._member(Form, of, "as"), self._member(Seen, of, "seen"),
                text(of, "text"),
            )  # fmt: skip
        for i, (name, of) in enumerate(self._each("state")):
            kind = self._type(of)
            start = self._start(kind, of)
            declared.state[name] = Variable(
                name, i, self._member(Owner, of, "of"), kind, self._member(Lasts, of, "lasts"), start, text(of, "text")
            )
        for name in declared.zones.keys() & declared.state.keys():
            span = mapping(self.document, "state").keys[name]
            self.findings.add(
                Diagnostic("RS2010", f"{name!r} is both a zone and a variable", span, "give one of them another name")
            )

    def _member(self, of: type[E], node: Mapping, key: str) -> E:
        found = text(node, key)
        return of(found) if found in list(of) else next(iter(of))

    def _type(self, of: Mapping) -> Type:
        node = of.items.get("type")
        if isinstance(node, Sequence):
            return Type("words", words(of, "type"))
        return NAMED.get(text(of, "type"), INT)

    def _start(self, kind: Type, of: Mapping) -> int:
        start = text(of, "start")
        if kind.words:
            return kind.words.index(start) if start in kind.words else 0
        if kind == SEAT:
            return -1
        if kind == BAG:
            return 0
        return self._value(kind, start)

    def shapes(self, declared: Declared) -> None:
        """Read the forms that groups of cards may have."""
        ranks = [*declared.pack.ranks, *(r for r, _ in declared.pack.extra)]
        for i, (name, of) in enumerate(self._each("shapes")):
            order = tuple(ranks.index(r) for r in " ".join(words(of, "order")).split() if r in ranks)
            shape = Shape(
                name, i, text(of, "body"), text(of, "filler"), text(of, "same", "rank"), order,
                text(of, "grows", "yes") == "yes", text(of, "text"),
            )  # fmt: skip
            for key in ("body", "filler"):
                used = text(of, key)
                if used and used not in declared.classes:
                    self._unknown("class of cards", used, sorted(declared.classes), of.items[key].span)
            declared.shapes[name] = shape

    def acts(self, declared: Declared) -> dict[str, Phase]:
        """Read acts (without their ``left``, which is an expression) and phases."""
        enums = [v.type for v in declared.state.values() if v.type.words]
        for i, (name, of) in enumerate(self._each("acts")):
            options = words(of, "options")
            kind = next((t for t in enums if set(options) <= set(t.words)), Type("words", options)) if options else None
            declared.acts[name] = Act(
                name, i, text(of, "choose", "none"), options, kind, text(of, "into"), text(of, "top"),
                text(of, "target", "either"), text(of, "then"), flag(of, "commit"), flag(of, "auto"), flag(of, "safe"),
                None, text(of, "written"), text(of, "text"),
            )  # fmt: skip
            for key in ("into", "top"):
                if text(of, key) and text(of, key) not in declared.zones:
                    self._unknown("zone", text(of, key), list(declared.zones), of.items[key].span)
        phases: dict[str, Phase] = {}
        for i, (name, of) in enumerate(self._each("phases")):
            phases[name] = Phase(name, i, words(of, "acts"), words(of, "auto"))
            for key in ("acts", "auto"):
                for act in words(of, key):
                    if act not in declared.acts:
                        self._unknown("act", act, list(declared.acts), of.items[key].span)
        declared.phases = set(phases)
        declared.reasons = set(mapping(self.document, "reasons").items)
        return phases

    def lefts(self, checker: Checker) -> None:
        """Read the ``left`` of acts, now that definitions can be looked up."""
        declared = checker.declared
        for name, of in self._each("acts"):
            source = of.items.get("left")
            if isinstance(source, Scalar):
                scope = Scope(ALWAYS | ACTOR, where=f"the `left` of {name}")
                left = checker.expression(source, scope, INT, f"acts/{name}/left")
                declared.acts[name] = replace(declared.acts[name], left=left)

    def card_expressions(self, checker: Checker, key: str, kind: Type) -> dict[str, Expr]:
        """Read classes or values: expressions over one kind of card, ``c``."""
        found: dict[str, Expr] = {}
        scope = Scope(frozenset(), {"c": ("c", CARD)}, reads_state=False, where=f"`{key}`")
        for name, of in self._each(key):
            source = of.items.get("is")
            if isinstance(source, Scalar):
                expr = checker.expression(source, scope, kind, f"{key}/{name}")
                if expr is not None:
                    found[name] = expr
            (checker.declared.classes if key == "classes" else checker.declared.values).add(name)
        return found

    def _unknown(self, what: str, name: str, known: list[str], span: Span) -> None:
        close = get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known[:12])}"
        self.findings.add(Diagnostic("RS2011", f"there is no {what} named {name!r}", span, hint))
