"""The score pad: what the names on it mean for a rule set, and which figures are possible at all.

A pad has two lines a deal for each side: the *base*, for what is counted in pieces (canastas, red threes, going out), and
the *count*, for what the cards themselves are worth. Which items of the ledger belong to which follows from the rule
set: the points of a count item are made of values of cards.
"""

from collections.abc import Iterator
from math import gcd
from typing import Final

from canasta.diagnostics import Diagnostic, Severity
from canasta.language.kinds import nodes
from canasta.language.ruleset import Duty, Effect, Ruleset, Score
from canasta.language.types import Expr, Op, Statement, StatementOp
from canasta.notation import record as r

BASE: Final = "base"
COUNT: Final = "count"
POINTS: Final = "points"
LEAST_COMMON: Final = 5
"""So many letters at the beginning make two words one: *penalty*, *penalties*."""


class Pad:
    """What the items of one rule set are called on a pad, and of which number each is a multiple."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Sort the items into base and count, and find their grains."""
        self.ruleset = ruleset
        self._called: dict[str, tuple[str, ...]] = {}
        clauses = self.ruleset.of_kind(Score)
        grains = _Grains(self.ruleset)
        self.grain: dict[str, int] = {}
        for clause in clauses:
            self.grain[clause.item] = gcd(self.grain.get(clause.item, 0), grains.of(clause.points))
        self.counts: frozenset[str] = frozenset(c.item for c in clauses if _reads_values(self.ruleset, c.points))

    def items(self, name: str) -> tuple[str, ...]:
        """List the items that a name on the pad stands for; none when these rules have nothing like it."""
        if name not in self._called:
            self._called[name] = self._find(name)
        return self._called[name]

    def _find(self, name: str) -> tuple[str, ...]:
        known = tuple(self.grain)
        match name:
            case "base":
                return tuple(i for i in known if i not in self.counts)
            case "count":
                return tuple(i for i in known if i in self.counts)
            case "points":
                return known
        if name in known:
            return (name,)
        alike = [i for i in known if any(_alike(name, word) for word in i.split("_"))]
        if not alike and name in self.ruleset.zones:
            alike = [c.item for c in self.ruleset.of_kind(Score) if name in _zones(self.ruleset, c.points)]
        return tuple(alike) if len(alike) == 1 else ()

    def possible(self, item: r.Item) -> int:
        """Find the number of which a figure must be a multiple, 0 when the rules give nothing for it."""
        found = 0
        for name in self.items(item.name):
            found = gcd(found, self.grain[name])
        return found

    def check(self, score: r.Score) -> list[Diagnostic]:
        """Find the figures of a line that no deal can give under these rules (PL0035, PL0036)."""
        found: list[Diagnostic] = []
        for item in score.items:
            names = self.items(item.name)
            if not names and item.points:
                found.append(self.unknown(score, item))
            elif names and (grain := self.possible(item)) != 1 and (item.points % grain if grain else item.points):
                whole = f"these points come in steps of {grain}" if grain else "these rules give nothing for it"
                message = f"{item.name} of {score.side} cannot be {item.points}: {whole}"
                clause = next((c.id for c in self.ruleset.of_kind(Score) if c.item == names[0]), "")
                clause = clause if len(names) == 1 else ""
                found.append(Diagnostic("PL0036", message, score.span, "look at the pad again", clause=clause))
        return found

    def unknown(self, score: r.Score, item: r.Item) -> Diagnostic:
        """Say that a name on the pad stands for nothing in these rules."""
        from difflib import get_close_matches  # noqa: PLC0415 - only for a mistyped name

        known = [BASE, COUNT, POINTS, *self.grain]
        close = get_close_matches(item.name, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"items are {', '.join(self.grain)}"
        message = f"{self.ruleset.name} scores nothing called {item.name}"
        return Diagnostic("PL0035", message, score.span, hint, severity=Severity.WARNING)


def _alike(name: str, word: str) -> bool:
    if word.startswith(name) or name.startswith(word):
        return True
    return len(name) >= LEAST_COMMON and name[:LEAST_COMMON] == word[:LEAST_COMMON]


def _read(ruleset: Ruleset, expr: Expr, seen: frozenset[str] = frozenset()) -> Iterator[Expr]:
    """Go through everything that an expression reads, itself or through definitions."""
    for node in nodes(expr):
        yield node
        if node.op is Op.DEFINE and node.ref not in seen:
            yield from _read(ruleset, ruleset.definitions[node.ref].body, seen | {node.ref})


def _reads_values(ruleset: Ruleset, expr: Expr) -> bool:
    """Whether an expression reads what cards are worth."""
    return any(node.op is Op.CARD_ATTR and node.ref in ruleset.values for node in _read(ruleset, expr))


def _zones(ruleset: Ruleset, expr: Expr) -> frozenset[str]:
    """The zones that an expression reads."""
    return frozenset(node.ref for node in _read(ruleset, expr) if node.op is Op.ZONE)


class _Grains:
    """Works out of which number each expression is a multiple, whatever happens in play; 0 for what is always 0."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.busy: set[str] = set()

    def of(self, expr: Expr) -> int:
        """Find the grain of an expression that gives a number."""
        args = expr.args
        match expr.op:
            case Op.CONST:
                return abs(expr.value)
            case Op.NEG:
                return self.of(args[0])
            case Op.ADD | Op.SUB:
                return gcd(self.of(args[0]), self.of(args[1]))
            case Op.MUL:
                return self.of(args[0]) * self.of(args[1])
            case Op.IF:
                return gcd(self.of(args[1]), self.of(args[2]))
            case Op.SUM | Op.MOST:
                return self.of(args[2])
            case Op.CARD_ATTR if expr.ref in self.ruleset.values:
                return self.of(self.ruleset.values[expr.ref])
            case Op.DEFINE:
                return self._guarded(f"definition {expr.ref}", self.ruleset.definitions[expr.ref].body)
            case Op.STATE:
                return self._of_variable(expr.ref)
            case Op.STEP:
                table = self.ruleset.steps[expr.ref]
                return gcd(table.below, *(value for _, value in table.rows))
            case _:
                return 1

    def _guarded(self, name: str, body: Expr) -> int:
        if name in self.busy:
            return 0
        self.busy.add(name)
        found = self.of(body)
        self.busy.discard(name)
        return found

    def _of_variable(self, name: str) -> int:
        """The grain of a variable: that of its start and of everything that is ever assigned to it."""
        if name in self.busy:
            return 0
        self.busy.add(name)
        found = abs(self.ruleset.state[name].start)
        for statement in every_statement(self.ruleset):
            if statement.op is StatementOp.SET and statement.places[0].name == name:
                found = gcd(found, self.of(statement.exprs[0]))
        self.busy.discard(name)
        return found


def every_statement(ruleset: Ruleset) -> Iterator[Statement]:
    """Go through every statement of every effect and duty, inner ones too."""
    for clause in ruleset.clauses.values():
        if isinstance(clause, Effect | Duty):
            for statement in clause.do:
                yield from _within(statement)


def _within(statement: Statement) -> Iterator[Statement]:
    yield statement
    if statement.body is not None:
        yield from _within(statement.body)
