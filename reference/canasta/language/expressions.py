"""Expressions and statements as trees: reading them from text and writing their one canonical form."""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from canasta.rooms import room

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark import Tree as LarkTree

LEVEL: Final = {
    "if_": 0, "or_": 1, "and_": 2, "not_": 3,
    "eq": 4, "ne": 4, "lt": 4, "le": 4, "gt": 4, "ge": 4, "is_": 4, "is_not": 4, "in_": 4, "within": 4,
    "add": 5, "sub": 5, "mul": 6, "neg": 7,
}  # fmt: skip
"""How tightly each sign binds; what is not named binds tightest."""

SIGNS: Final = {
    "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "within": "within",
    "add": "+", "sub": "-", "mul": "*", "or_": "or", "and_": "and",
}  # fmt: skip


_RUN: Final = re.compile(r"[A-Za-z0-9_$]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """One node of an expression or statement as written: its sign, its words, its parts, its place in the text."""

    op: str
    words: tuple[str, ...]
    parts: tuple["Tree", ...]
    start: int
    end: int


class ExpressionSyntaxError(ValueError):
    """An expression that cannot be read: where in its text, what stood there and what could have stood there."""

    def __init__(self, start: int, end: int, found: str, expected: tuple[str, ...]) -> None:
        """Say the place as offsets in the text, the unexpected text, and the terminals that would have fitted."""
        self.start, self.end, self.found, self.expected = start, end, found, expected
        super().__init__(f"unexpected {found!r}" if found else "the text ends too early")


@cache
def _parser() -> "Lark":
    from lark import Lark  # noqa: PLC0415 - the parser is needed only when rule files are read, and takes as long as all else that a command needs

    text = (room("grammar") / "expression.lark").read_text(encoding="utf-8")
    return Lark(
        text, parser="lalr", start=["expression", "statement"], propagate_positions=True, maybe_placeholders=False
    )


def parse_expression(text: str) -> Tree:
    """Read one expression.

    Raises:
        ExpressionSyntaxError: when the text is not an expression.
    """
    return _parse(text, "expression")


def parse_statement(text: str) -> Tree:
    """Read one effect statement.

    Raises:
        ExpressionSyntaxError: when the text is not a statement.
    """
    return _parse(text, "statement")


@cache
def _parse(text: str, start: str) -> Tree:
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken  # noqa: PLC0415 - the parser is needed only when rule files are read, and takes as long as all else that a command needs

    try:
        read = _parser().parse(text, start=start)
        _refuse_glued(read, text)
        return _tree(read)
    except UnexpectedCharacters as e:
        at = e.pos_in_stream or 0
        raise ExpressionSyntaxError(at, at + 1, text[at], ()) from None
    except UnexpectedToken as e:
        if e.token.type == "$END":
            raise ExpressionSyntaxError(len(text), len(text), "", tuple(sorted(e.expected))) from None
        begin = e.token.start_pos or 0
        raise ExpressionSyntaxError(begin, begin + len(e.token), str(e.token), tuple(sorted(e.expected))) from None
    except UnexpectedInput:
        raise ExpressionSyntaxError(0, len(text), text, ()) from None
    except RecursionError:
        raise ExpressionSyntaxError(0, len(text), "too deeply nested an expression", ()) from None


def _refuse_glued(read: "LarkTree[Token]", text: str) -> None:
    """Make sure that no word was read as two, as `order` would be after a value: `or der`.

    Raises:
        ExpressionSyntaxError: when letters and figures that stand together are neither one name nor one word of the language.
    """
    whole = {(t.start_pos, t.end_pos) for t in read.scan_values(lambda t: isinstance(t, str))}
    for run in _RUN.finditer(text):
        if run.span() not in whole and run.group() not in _keywords():
            raise ExpressionSyntaxError(run.start(), run.end(), run.group(), ())


@cache
def _keywords() -> frozenset[str]:
    return frozenset(
        t.pattern.value for t in _parser().terminals if t.pattern.type == "str" and t.pattern.value.isalpha()
    )


def _tree(node: "LarkTree[Token]") -> Tree:
    words: list[str] = []
    parts: list[Tree] = []
    for child in node.children:
        if isinstance(child, str):
            words.append(str(child))
        else:
            parts.append(_tree(child))
    op = str(node.data)
    if op in ("and_", "or_") and len(parts) == 1:
        return parts[0]
    meta = node.meta
    start, end = (meta.start_pos, meta.end_pos) if not meta.empty else (0, 0)
    return Tree(op, tuple(words), tuple(parts), start, end)


@cache
def normalise(text: str) -> str:
    """Write an expression or statement in its one canonical form, so that digests ignore spacing and brackets.

    What could be read as either, such as ``turn -x``, is a statement.

    Raises:
        ExpressionSyntaxError: when the text is neither an expression nor a statement.
    """
    try:
        return write(parse_statement(text))
    except ExpressionSyntaxError:
        return write(parse_expression(text))


def write(tree: Tree) -> str:
    """Write a tree as text with as few brackets as its meaning allows."""
    p, w = tree.parts, tree.words
    match tree.op:
        case "int" | "word" | "name":
            return w[0]
        case "yes" | "no":
            return tree.op
        case "call":
            return f"{w[0]}({', '.join(write(x) for x in p)})"
        case "attr":
            return f"{_bracketed(p[0], 8)}.{w[0]}"
        case "mark":
            return f"{w[0]}.{w[1]}"
        case "where":
            return f" where {write(p[0])}"
        case "count" | "any" | "all" | "sum_of" | "most":
            return _write_quantifier(tree)
        case op if op in LEVEL:
            return _write_operator(tree)
        case _:
            return _write_statement(tree)


def _bracketed(tree: Tree, level: int) -> str:
    text = write(tree)
    return f"({text})" if LEVEL.get(tree.op, 9) < level else text


def _write_quantifier(tree: Tree) -> str:
    p = tree.parts
    where = write(p[1]) if len(p) > 1 and p[1].op == "where" else ""
    body = {"all": " have ", "sum_of": " of ", "most": " of "}.get(tree.op, "")
    tail = f"{body}{write(p[-1])}" if body else ""
    return f"{tree.op.removesuffix('_of')}({tree.words[0]} in {_bracketed(p[0], 5)}{where}{tail})"


def _write_operator(tree: Tree) -> str:
    p, level = tree.parts, LEVEL[tree.op]
    match tree.op:
        case "if_":
            return f"if {write(p[0])} then {write(p[1])} else {write(p[2])}"
        case "or_" | "and_":
            return f" {SIGNS[tree.op]} ".join(_bracketed(x, level + 1) for x in p)
        case "not_":
            return f"not {_bracketed(p[0], level)}"
        case "neg":
            return f"-{_bracketed(p[0], level)}"
        case "is_" | "is_not":
            return f"{_bracketed(p[0], 5)} is {'not ' if tree.op == 'is_not' else ''}{tree.words[0]}"
        case "in_":
            return f"{_bracketed(p[0], 5)} in ({', '.join(_bracketed(x, 5) for x in p[1:])})"
        case "add" | "sub" | "mul":
            return f"{_bracketed(p[0], level)} {SIGNS[tree.op]} {_bracketed(p[1], level + 1)}"
        case _:
            return f"{_bracketed(p[0], 5)} {SIGNS[tree.op]} {_bracketed(p[1], 5)}"


def _write_statement(tree: Tree) -> str:
    p, w = [write(x) for x in tree.parts], tree.words
    match tree.op:
        case "move":
            return f"move {p[0]} from {p[1]} to {p[2]}"
        case "move_bottom":
            return f"move {p[0]} from the bottom of {p[1]} to {p[2]}"
        case "move_all":
            return f"move all from {p[0]} to {p[1]}"
        case "move_where":
            return f"move all {w[0]} where {p[0]} from {p[1]} to {p[2]}"
        case "move_card":
            return f"move card from {p[0]} to {p[1]}"
        case "deal":
            return f"deal {p[0]} from {p[1]} to {p[2]}"
        case "set_":
            return f"set {p[0]} = {p[1]}"
        case "phase" | "end":
            return f"{tree.op} {w[0]}"
        case "turn":
            return f"turn {p[0]}"
        case "act":
            return f"act {p[0]} at {w[0]}"
        case "merge":
            return f"merge {p[0]} into {p[1]}"
        case "each":
            return f"each {w[0]} in {_bracketed(tree.parts[0], 5)} do {p[1]}"
        case _:
            return f"when {p[0]} do {p[1]}"
