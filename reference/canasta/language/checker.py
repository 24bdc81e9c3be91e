"""The type checker: from the tree of an expression to a typed expression whose names are all resolved."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.language.expressions import ExpressionSyntaxError, Tree, parse_expression, write
from canasta.language.ruleset import Form, Owner
from canasta.language.scope import Declared, Scope
from canasta.language.source import Scalar
from canasta.language.syntax_hints import syntax_finding
from canasta.language.types import (
    BAG,
    BOOL,
    BUILTIN,
    CARD,
    CARD_ATTRIBUTES,
    COLOUR,
    CONTEXT,
    ELEMENT,
    GROUP,
    GROUP_ATTRIBUTES,
    GROUPS,
    INT,
    PART,
    PART_ATTRIBUTES,
    PARTS,
    RANK,
    SEAT,
    SIDE,
    STACK,
    SUIT,
    Expr,
    Op,
    Type,
)  # fmt: skip

FORM_TYPE: Final = {Form.STACK: STACK, Form.BAG: BAG, Form.GROUPS: GROUPS}
COMPARE: Final = {"eq": Op.EQ, "ne": Op.NE, "lt": Op.LT, "le": Op.LE, "gt": Op.GT, "ge": Op.GE}
ARITHMETIC: Final = {"add": Op.ADD, "sub": Op.SUB, "mul": Op.MUL}
QUANTIFIER: Final = {"count": Op.COUNT, "any": Op.ANY, "all": Op.ALL, "sum_of": Op.SUM, "most": Op.MOST}
MOST_NESTING: Final = 60


class Wrong(Exception):  # noqa: N818 - it is caught where it is raised, and only says that a finding was made
    """An expression has a fault that was written down."""


@dataclass(slots=True)
class Checker:
    """Checks the expressions of one rule set and writes every fault down."""

    declared: Declared
    findings: Findings = field(default_factory=Findings)
    _source: Scalar | None = None
    _path: str = ""

    def expression(self, source: Scalar, scope: Scope, expected: Type | None, path: str) -> Expr | None:
        """Read and check one expression; no result when it has a fault, which is then in the findings."""
        tree = self.parse(source)
        return None if tree is None else self.tree(tree, source, scope, expected, path)

    def tree(self, tree: Tree, source: Scalar, scope: Scope, expected: Type | None, path: str) -> Expr | None:
        """Check one tree that was read from ``source``."""
        before = self._source, self._path
        self._source, self._path = source, path
        try:
            expr = self._check(tree, scope, expected, path)
            if expected is not None:
                self._want(expr, expected, tree)
        except Wrong:
            return None
        else:
            return expr
        finally:
            self._source, self._path = before

    def parse(self, source: Scalar) -> Tree | None:
        """Read the text of an expression, or write down why it cannot be read."""
        try:
            return parse_expression(source.text)
        except ExpressionSyntaxError as error:
            self.findings.add(syntax_finding(error, source))
            return None

    # -- faults ------------------------------------------------------------------------------------------------------

    def _span(self, tree: Tree) -> Span | None:
        return None if self._source is None else self._source.within(tree.start, tree.end)

    def _wrong(self, id_: str, message: str, tree: Tree, hint: str = "") -> Wrong:
        self.findings.add(Diagnostic(id_, message, self._span(tree), hint))
        return Wrong(message)

    def _unknown(self, id_: str, what: str, name: str, known: list[str], tree: Tree) -> Wrong:
        close = get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"known here: {', '.join(sorted(set(known))[:12])}"
        return self._wrong(id_, f"there is no {what} named {name!r}", tree, hint)

    def _want(self, expr: Expr, kind: Type, tree: Tree) -> Expr:
        fits = expr.type == kind or (kind == BAG and expr.type == STACK)
        if not fits:
            raise self._wrong(
                "RS3003",
                f"this is {_an(expr.type)}, but {_an(kind)} is needed here",
                tree,
                _mismatch_hint(expr.type, kind),
            )
        return expr

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _check(self, tree: Tree, scope: Scope, expected: Type | None, path: str) -> Expr:
        if path.count("/") > MOST_NESTING:
            raise self._wrong(
                "RS3013", "this expression is nested too deeply", tree, "name a part of it in a definition"
            )
        match tree.op:
            case "int":
                return self._int(tree, path)
            case "yes" | "no":
                return self._node(Op.CONST, BOOL, tree, path, value=int(tree.op == "yes"))
            case "word":
                return self._word(tree, expected, path)
            case "name":
                return self._name(tree, scope, path)
            case "call":
                return self._call(tree, scope, path)
            case "attr":
                return self._attribute(tree, scope, path)
            case "count" | "any" | "all" | "sum_of" | "most":
                return self._quantifier(tree, scope, path)
            case _:
                return self._operator(tree, scope, expected, path)

    def _node(self, op: Op, kind: Type, tree: Tree, path: str, *args: Expr, ref: str = "", value: int = 0) -> Expr:
        return Expr(op, kind, args, ref, value, self._span(tree), path, write(tree))

    def _int(self, tree: Tree, path: str) -> Expr:
        if len(tree.words[0]) > 9:  # noqa: PLR2004 - no score of any game needs ten digits, and totals stay small ints
            raise self._wrong("RS3014", "a number may have at most nine digits", tree)
        return self._node(Op.CONST, INT, tree, path, value=int(tree.words[0]))

    def _word(self, tree: Tree, expected: Type | None, path: str) -> Expr:
        word = tree.words[0][1:]
        found = [(t, i) for t, i in self._meanings(word) if expected is None or t == expected]
        if not found and expected is not None and expected.words:
            raise self._unknown("RS3004", f"word of {expected}", word, list(expected.words), tree)
        if not found:
            raise self._unknown("RS3004", "rank, suit, colour or word", word, self._all_words(), tree)
        if len({t for t, _ in found}) > 1:
            kinds = " or ".join(str(t) for t, _ in found)
            raise self._wrong(
                "RS3005", f"${word} could be {kinds} here", tree, "compare it with something that has a type"
            )
        return self._node(Op.CONST, found[0][0], tree, path, ref=word, value=found[0][1])

    def _meanings(self, word: str) -> list[tuple[Type, int]]:
        p = self.declared.pack
        ranks = [*p.ranks, *(r for r, _ in p.extra)]
        lists: list[tuple[Type, tuple[str, ...]]] = [
            (RANK, tuple(ranks)), (SUIT, p.suits), (COLOUR, p.colours),
        ]  # fmt: skip
        enums = {v.type for v in self.declared.state.values() if v.type.words}
        enums |= {o.type for o in self.declared.options.values() if o.type.words}
        enums |= {a.option_type for a in self.declared.acts.values() if a.option_type is not None}
        lists += [(t, t.words) for t in sorted(enums, key=lambda t: t.words)]
        return [(t, words.index(word)) for t, words in lists if word in words]

    def _all_words(self) -> list[str]:
        p = self.declared.pack
        return [*p.ranks, *(r for r, _ in p.extra), *p.suits, *p.colours]

    def _name(self, tree: Tree, scope: Scope, path: str) -> Expr:
        name = tree.words[0]
        d = self.declared
        if name in scope.variables:
            unique, kind = scope.variables[name]
            return self._node(Op.VAR, kind, tree, path, ref=unique)
        if name in d.parameters:
            return self._node(Op.CONST, INT, tree, path, ref=name, value=d.parameters[name])
        if name in d.options:
            return self._node(Op.CONST, d.options[name].type, tree, path, ref=name, value=d.options[name].value)
        if name in scope.words:
            kind = scope.option if name == "option" and scope.option is not None else CONTEXT[name]
            return self._node(Op.CONTEXT, kind, tree, path, ref=name)
        if name in d.zones or name in d.state:
            return self._owned(tree, name, None, scope, path)
        if name in d.definition_names:
            return self._define(tree, name, [], scope, path)
        if name in CONTEXT or name == "option":
            raise self._wrong("RS3010", f"{name!r} has no meaning in {scope.where or 'this place'}", tree)
        if name in d.steps or name in BUILTIN or name in ("size", "possible", "possible_onto"):
            raise self._wrong("RS3006", f"{name!r} needs a value in brackets, as in {name}(…)", tree)
        raise self._unknown("RS3002", "name", name, [*d.every_name(), *scope.variables], tree)

    def _owned(self, tree: Tree, name: str, owner: Expr | None, scope: Scope, path: str) -> Expr:
        zone, variable = self.declared.zones.get(name), self.declared.state.get(name)
        of = zone.of if zone else variable.of if variable else Owner.TABLE
        kind = FORM_TYPE[zone.form] if zone else variable.type if variable else INT
        if not scope.reads_state:
            raise self._wrong("RS3010", f"{name!r} cannot be read in {scope.where}", tree, "only constants count here")
        if owner is None and of is not Owner.TABLE and of.value not in scope.words:
            raise self._wrong(
                "RS3010", f"{name!r} needs to know whose it is in {scope.where or 'this place'}", tree,
                f"write {name}(…) with a {of.value}",
            )  # fmt: skip
        if owner is not None and of is Owner.TABLE:
            raise self._wrong("RS3006", f"{name!r} belongs to the table and takes no owner", tree)
        if owner is not None:
            self._want(owner, SEAT if of is Owner.SEAT else SIDE, tree.parts[0])
        args = () if owner is None else (owner,)
        return self._node(Op.ZONE if zone else Op.STATE, kind, tree, path, *args, ref=name)

    def _call(self, tree: Tree, scope: Scope, path: str) -> Expr:
        name = tree.words[0]
        if name in ("possible", "possible_onto"):
            return self._possible(tree, scope, path)
        args = [self._check(p, scope, None, f"{path}/{i}") for i, p in enumerate(tree.parts)]
        d = self.declared
        if name == "size":
            self._arity(tree, 1)
            if args[0].type not in ELEMENT:
                raise self._wrong("RS3008", f"size counts a collection, and this is {_an(args[0].type)}", tree.parts[0])
            return self._node(Op.CALL, INT, tree, path, *args, ref=name)
        if name in BUILTIN:
            wanted, result = BUILTIN[name]
            self._arity(tree, len(wanted))
            for arg, kind, part in zip(args, wanted, tree.parts, strict=True):
                self._want(arg, kind, part)
            return self._node(Op.CALL, result, tree, path, *args, ref=name)
        if name in d.steps:
            self._arity(tree, 1)
            self._want(args[0], INT, tree.parts[0])
            return self._node(Op.STEP, INT, tree, path, *args, ref=name)
        if name in d.zones or name in d.state:
            self._arity(tree, 1)
            return self._owned(tree, name, args[0], scope, path)
        if name in d.definition_names:
            return self._define(tree, name, args, scope, path)
        known = [*BUILTIN, "size", "possible", "possible_onto", *d.steps, *d.zones, *d.state, *d.definition_names]
        raise self._unknown("RS3002", "function", name, known, tree)

    def _arity(self, tree: Tree, wanted: int) -> None:
        if len(tree.parts) != wanted:
            given = len(tree.parts)
            raise self._wrong("RS3006", f"{tree.words[0]!r} takes {wanted} value(s) in brackets, not {given}", tree)

    def _possible(self, tree: Tree, scope: Scope, path: str) -> Expr:
        act = tree.parts[0].words[0] if len(tree.parts) == 1 and tree.parts[0].op == "name" else ""
        if act not in self.declared.acts:
            raise self._unknown("RS3011", "act", act, list(self.declared.acts), tree)
        if "seat" not in scope.words:
            raise self._wrong("RS3010", f"{tree.words[0]!r} needs an acting player in {scope.where}", tree)
        return self._node(Op.POSSIBLE, BOOL, tree, path, ref=act, value=int(tree.words[0] == "possible_onto"))

    def _define(self, tree: Tree, name: str, args: list[Expr], scope: Scope, path: str) -> Expr:
        signature = self.declared.signature(name)
        if signature is None:
            raise Wrong(name)
        owners = [w for w in signature.context if w in ("seat", "side")]
        named = [k for _, k in signature.parameters]
        explicit = len(args) == len(owners) + len(named) and bool(owners)
        if not explicit and len(args) != len(named):
            wanted = ", ".join([*owners, *(f"{n}: {k}" for n, k in signature.parameters)])
            raise self._wrong("RS3006", f"{name!r} is called with ({wanted}), not with {len(args)} value(s)", tree)
        kinds = [*(CONTEXT[o] for o in owners), *named] if explicit else named
        for arg, kind, part in zip(args, kinds, tree.parts, strict=True):
            self._want(arg, kind, part)
        missing = [w for w in signature.context if w not in scope.words and not (explicit and w in owners)]
        if missing:
            raise self._wrong(
                "RS3010", f"{name!r} needs {' and '.join(missing)}, which has no meaning in {scope.where}", tree
            )
        return self._node(Op.DEFINE, signature.result, tree, path, *args, ref=name, value=int(explicit))

    def _attribute(self, tree: Tree, scope: Scope, path: str) -> Expr:
        of = self._check(tree.parts[0], scope, None, f"{path}/of")
        name = tree.words[0]
        if of.type == CARD and (name in CARD_ATTRIBUTES or name in self.declared.values):
            return self._node(Op.CARD_ATTR, CARD_ATTRIBUTES.get(name, INT), tree, path, of, ref=name)
        if of.type == GROUP and name in GROUP_ATTRIBUTES:
            return self._node(Op.GROUP_ATTR, GROUP_ATTRIBUTES[name], tree, path, of, ref=name)
        if of.type == GROUP and name in self.declared.marks:
            return self._node(Op.MARK, BOOL, tree, path, of, ref=name)
        if of.type == PART and name in PART_ATTRIBUTES:
            return self._node(Op.PART_ATTR, PART_ATTRIBUTES[name], tree, path, of, ref=name)
        known = {
            CARD: [*CARD_ATTRIBUTES, *self.declared.values],
            GROUP: [*GROUP_ATTRIBUTES, *self.declared.marks],
            PART: [*PART_ATTRIBUTES],
        }
        if of.type not in known:
            raise self._wrong("RS3007", f"{_an(of.type)} has no attributes", tree)
        raise self._unknown("RS3007", f"attribute of a {of.type}", name, known[of.type], tree)

    def _quantifier(self, tree: Tree, scope: Scope, path: str) -> Expr:
        op = QUANTIFIER[tree.op]
        coll = self._check(tree.parts[0], scope, None, f"{path}/in")
        if coll.type not in ELEMENT:
            raise self._wrong("RS3008", f"this goes through a collection, and {_an(coll.type)} is none", tree.parts[0])
        name = tree.words[0]
        if name in scope.variables or name in self.declared.every_name():
            raise self._wrong("RS3012", f"the variable {name!r} hides something that already has this name", tree)
        unique = self.declared.numbering.fresh(name)
        inner = scope.bind(name, unique, ELEMENT[coll.type])
        has_where = len(tree.parts) > 1 and tree.parts[1].op == "where"
        where = (
            self._typed(tree.parts[1].parts[0], inner, BOOL, f"{path}/where")
            if has_where
            else Expr(Op.CONST, BOOL, value=1, path=f"{path}/where", text="yes")
        )
        if op in (Op.COUNT, Op.ANY):
            return self._node(op, INT if op is Op.COUNT else BOOL, tree, path, coll, where, ref=unique)
        kind = BOOL if op is Op.ALL else INT
        body = self._typed(tree.parts[-1], inner, kind, f"{path}/body")
        return self._node(op, kind, tree, path, coll, where, body, ref=unique)

    def _typed(self, tree: Tree, scope: Scope, kind: Type, path: str) -> Expr:
        return self._want(self._check(tree, scope, kind, path), kind, tree)

    def _operator(self, tree: Tree, scope: Scope, expected: Type | None, path: str) -> Expr:
        p = tree.parts
        match tree.op:
            case "not_":
                return self._node(Op.NOT, BOOL, tree, path, self._typed(p[0], scope, BOOL, f"{path}/not"))
            case "neg":
                return self._node(Op.NEG, INT, tree, path, self._typed(p[0], scope, INT, f"{path}/minus"))
            case "and_" | "or_":
                args = [self._typed(x, scope, BOOL, f"{path}/{i}") for i, x in enumerate(p)]
                return self._node(Op.AND if tree.op == "and_" else Op.OR, BOOL, tree, path, *args)
            case "if_":
                test = self._typed(p[0], scope, BOOL, f"{path}/if")
                then = self._check(p[1], scope, expected, f"{path}/then")
                other = self._check(p[2], scope, then.type, f"{path}/else")
                kind = BAG if (then.type, other.type) == (STACK, BAG) else then.type
                return self._node(Op.IF, kind, tree, path, test, then, self._want(other, kind, p[2]))
            case "is_" | "is_not":
                return self._is(tree, scope, path)
            case "in_":
                first = self._check(p[0], scope, None, f"{path}/of")
                if first.type in ELEMENT:
                    raise self._wrong("RS3003", f"{_an(first.type)} cannot be compared by in", p[0])
                rest = [self._typed(x, scope, first.type, f"{path}/{i}") for i, x in enumerate(p[1:])]
                return self._node(Op.IN, BOOL, tree, path, first, *rest)
            case "within":
                left, right = (
                    self._typed(x, scope, BAG, f"{path}/{s}") for x, s in zip(p, ("left", "right"), strict=True)
                )
                return self._node(Op.WITHIN, BOOL, tree, path, left, right)
            case "add" | "sub" | "mul":
                return self._arithmetic(tree, scope, path)
            case _:
                return self._comparison(tree, scope, path)

    def _is(self, tree: Tree, scope: Scope, path: str) -> Expr:
        negated = tree.op == "is_not"
        inner = f"{path}/not" if negated else path
        of = self._check(tree.parts[0], scope, None, f"{inner}/of")
        name, d = tree.words[0], self.declared
        if of.type == CARD:
            if name not in d.classes:
                raise self._unknown("RS3011", "class of cards", name, sorted(d.classes), tree)
            found = self._node(Op.IS_CLASS, BOOL, tree, inner, of, ref=name)
        elif of.type == GROUP:
            if name not in d.shapes:
                raise self._unknown("RS3011", "shape", name, list(d.shapes), tree)
            found = self._node(Op.IS_SHAPE, BOOL, tree, inner, of, ref=name)
        else:
            raise self._wrong(
                "RS3003", f"'is' asks for the class of a card or the shape of a group, not of {_an(of.type)}", tree
            )
        return self._node(Op.NOT, BOOL, tree, path, found) if negated else found

    def _arithmetic(self, tree: Tree, scope: Scope, path: str) -> Expr:
        left = self._check(tree.parts[0], scope, None, f"{path}/left")
        if left.type in (BAG, STACK) and tree.op != "mul":
            right = self._typed(tree.parts[1], scope, BAG, f"{path}/right")
            return self._node(Op.BAG_ADD if tree.op == "add" else Op.BAG_SUB, BAG, tree, path, left, right)
        self._want(left, INT, tree.parts[0])
        right = self._typed(tree.parts[1], scope, INT, f"{path}/right")
        return self._node(ARITHMETIC[tree.op], INT, tree, path, left, right)

    def _comparison(self, tree: Tree, scope: Scope, path: str) -> Expr:
        a, b = tree.parts
        op = COMPARE[tree.op]
        if a.op == "word" and b.op != "word":
            right = self._check(b, scope, None, f"{path}/right")
            left = self._typed(a, scope, right.type, f"{path}/left")
        else:
            left = self._check(a, scope, None, f"{path}/left")
            right = self._typed(b, scope, left.type, f"{path}/right")
        if left.type in ELEMENT or (op not in (Op.EQ, Op.NE) and left.type != INT):
            raise self._wrong("RS3003", f"{_an(left.type)} cannot be compared by {op.value}", tree)
        return self._node(op, BOOL, tree, path, left, right)


def _an(kind: Type) -> str:
    text = str(kind)
    return f"{'an' if text[0] in 'aeio' else 'a'} {text}" if not kind.words else text


def _mismatch_hint(found: Type, wanted: Type) -> str:
    if wanted == BOOL and found == INT:
        return "compare it with something, as in … >= 1"
    if wanted == INT and found == BOOL:
        return "write: if … then … else …"
    if wanted == INT and found in (BAG, STACK, GROUPS, PARTS):
        return "count it with size(…)"
    return ""
