"""The formal part of a clause put into a sentence, node by node: stiff, but it cannot disagree with what is executed.

Every operator, function and statement of the language has a phrase in ``spec/phrases.yaml``. A reader who does not
know the language sees by it what the formal part of a clause says, beside the text that a person wrote. Phrases and
declared names are said in whatever language a wording has them.
"""

from collections.abc import Mapping as Table
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from canasta.language.ruleset import Owner, Ruleset
from canasta.language.source import Mapping, Scalar, Sequence, read_file
from canasta.language.types import BOOL, ELEMENT, INT, QUANTIFIERS, Expr, Op, Place, Statement, StatementOp, Type
from canasta.prose import english, option_word
from canasta.rooms import room
from canasta.wording import Wording, context_of

_LOOSE: Final = frozenset({Op.AND, Op.OR, Op.IF, Op.ALL, Op.SUM, Op.MOST})
"""Nodes that are put in brackets when they stand inside another."""

_TIGHT: Final = _LOOSE | QUANTIFIERS | {Op.ADD, Op.SUB, Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE}
"""Nodes that are put in brackets inside arithmetic."""

_CHAPTER: Final = {
    Op.CONTEXT: "context", Op.CALL: "functions", Op.GROUP_ATTR: "group attributes", Op.PART_ATTR: "part attributes",
}  # fmt: skip
"""Nodes whose phrase stands in a chapter of its own, under the name that they use."""

_TWO: Final = 2

_ARITHMETIC: Final = frozenset({Op.MUL, Op.NEG, Op.SUB, Op.BAG_SUB})


@cache
def phrases() -> Table[str, Table[str, tuple[str, ...]]]:
    """Read ``spec/phrases.yaml``: for each chapter of it, the phrase of every key, or its two forms.

    Raises:
        RuleFileError: RS00xx when the file is not strict YAML.
    """
    page = read_file(room("spec") / "phrases.yaml", "spec/phrases.yaml")
    found: dict[str, Table[str, tuple[str, ...]]] = {}
    for chapter, node in page.items.items():
        entries = node.items.items() if isinstance(node, Mapping) else ()
        found[chapter] = MappingProxyType({
            key: tuple(x.text for x in value.items if isinstance(x, Scalar)) if isinstance(value, Sequence)
            else (value.text,) if isinstance(value, Scalar) else ()
            for key, value in entries
        })  # fmt: skip
    return MappingProxyType(found)


def mechanical(ruleset: Ruleset, expr: Expr, wording: Wording | None = None) -> str:
    """Put a typed expression of a rule set into words, English ones unless a wording has others."""
    return _Speaker(ruleset, wording or english()).say(expr)


def mechanical_statement(ruleset: Ruleset, statement: Statement, wording: Wording | None = None) -> str:
    """Put an effect statement of a rule set into words, English ones unless a wording has others."""
    return _Speaker(ruleset, wording or english()).do(statement)


def name_in_words(name: str, wording: Wording | None = None) -> str:
    """Give a declared name as words; a quantifier's variable loses the number that makes it unique."""
    words = name.partition("~")[0].replace("_", " ")
    return (wording or english()).said(name_context(name), words)


def name_context(name: str) -> str:
    """Name the place at which a declared name is translated, wherever it is declared."""
    return context_of("name", name)


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Says the nodes of one rule set."""

    ruleset: Ruleset
    wording: Wording

    def say(self, expr: Expr, around: Op | None = None) -> str:
        """Say one node, in brackets where it would not be clear what belongs together."""
        said = self._say(expr)
        loose = around is not None and expr.op in _LOOSE
        tight = around in _ARITHMETIC and expr.op in _TIGHT
        return f"({said})" if loose or tight else said

    def do(self, statement: Statement) -> str:
        """Say what a statement does."""
        sure = statement.op is StatementOp.SET_MARK and _is_yes(statement.exprs[1])
        template = self._phrased("statements", statement.op + " yes" * sure)
        places = [self._place(p, statement.op) for p in statement.places]
        slots = {"name": self._words(statement.name), "var": self._words(statement.name)}
        slots |= dict(zip(("from", "to"), places, strict=False))
        if statement.op is StatementOp.EACH:
            slots["one"] = self._element(statement.exprs[0].type)[0]
        if statement.body is not None:
            slots["do"] = self.do(statement.body)
        return template.format(*(self.say(x) for x in statement.exprs), **slots)

    def _say(self, expr: Expr) -> str:
        chapter, key, slots = self._phrase(expr)
        inner = expr.args[0].args if key.startswith("is no ") else expr.args
        parts = [self.say(x, expr.op) for x in inner]
        slots = {"list": self._joined(parts, Op.AND), "rest": self._joined(parts[1:], Op.OR), **slots}
        if expr.op in (Op.AND, Op.OR):
            return self._joined(parts, expr.op)
        return self._phrased(chapter, key).format(*parts, **slots)

    def _phrase(self, expr: Expr) -> tuple[str, str, dict[str, str]]:
        """Find the chapter and key of a node's phrase, and what it names."""
        if expr.op in _CHAPTER:
            named = expr.op is Op.CALL and expr.args[0].type in ELEMENT
            return _CHAPTER[expr.op], expr.ref, {"many": self._element(expr.args[0].type)[1]} if named else {}
        slots = {"name": self._words(expr.ref)}
        match expr.op:
            case Op.CONST:
                return self._constant(expr)
            case Op.ZONE | Op.STATE:
                key = self._owned(expr)
            case Op.POSSIBLE:
                key = "possible onto" if expr.value else "possible"
            case Op.DEFINE:
                key = f"definition{' yes' * (expr.type == BOOL)}{' of' * bool(expr.args)}"
            case Op.NOT if expr.args[0].op in (Op.IS_CLASS, Op.IS_SHAPE):
                key, slots = expr.args[0].op.replace("is", "is no"), {"name": self._words(expr.args[0].ref)}
            case op if op in QUANTIFIERS:
                one, many = self._element(expr.args[0].type)
                slots = {"var": self._words(expr.ref), "one": one, "many": many}
                key = op.value + " all" * _is_yes(expr.where)
            case _:
                key = expr.op.value
        return "expressions", key, slots

    def _constant(self, expr: Expr) -> tuple[str, str, dict[str, str]]:
        option = self.ruleset.options.get(expr.ref)
        if option is not None:
            told = {"name": self._words(expr.ref), "value": self._words(option_word(option, expr.value))}
            return "expressions", "option yes" if expr.type == BOOL else "option", told
        if expr.type == INT and expr.ref:
            return "expressions", "parameter", {"name": self._words(expr.ref), "value": self._figures(expr.value)}
        if expr.type == BOOL:
            return "expressions", "const", {"name": self._words("yes" if expr.value else "no")}
        return "expressions", "const", {"name": self._words(expr.ref) or self._figures(expr.value)}

    def _owned(self, expr: Expr) -> str:
        rules = self.ruleset
        of = rules.zones[expr.ref].of if expr.op is Op.ZONE else rules.state[expr.ref].of
        kind = f"{expr.op.value}{' yes' * (expr.type == BOOL)}"
        if expr.args:
            return f"{kind} owned"
        return kind if of is Owner.TABLE else f"{kind} {of.value}"

    def _place(self, place: Place, op: StatementOp) -> str:
        rules = self.ruleset
        kind = "zone" if place.name in rules.zones else "state"
        of = rules.zones[place.name].of if kind == "zone" else rules.state[place.name].of
        name = {"name": self._words(place.name)}
        if place.owner is not None:
            return self._phrased("expressions", f"{kind} owned").format(self.say(place.owner), **name)
        alone = of is Owner.TABLE or (op is StatementOp.DEAL and of is Owner.SEAT)
        return self._phrased("expressions", kind if alone else f"{kind} {of.value}").format(**name)

    def _element(self, kind: Type) -> tuple[str, str]:
        name = ELEMENT[kind].name
        one, many = phrases()["elements"][name]
        place = f"elements.{name}"
        return self.wording.said(context_of(place, "one"), one), self.wording.said(context_of(place, "many"), many)

    def _phrased(self, chapter: str, key: str) -> str:
        return self.wording.said(context_of(f"{chapter}.{key}", "phrase"), phrases()[chapter][key][0])

    def _joined(self, parts: list[str], last: Op) -> str:
        if len(parts) < _TWO:
            return "".join(parts)
        return self._phrased("expressions", last.value).format(", ".join(parts[:-1]), parts[-1])

    def _words(self, name: str) -> str:
        return name_in_words(name, self.wording)

    def _figures(self, number: int) -> str:
        return self.wording.figures(number)


def _is_yes(expr: Expr | None) -> bool:
    return expr is not None and expr.op is Op.CONST and expr.type == BOOL and not expr.ref and expr.value == 1
