"""The faults that are put into an expression or statement: each a slip that a person makes who writes a rule down or programs it.

Nothing here knows a game. A fault that does not fit (a comparison of what has no order, say) is refused by the checker like any rule
that does not fit, and is then no mutant.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from canasta.language.expressions import Tree
from canasta_conformance.power.names import OPPONENT, SEAT, SIDE, Names, call, name

Fault = tuple[str, Tree]
Placed = tuple[str, Tree, int]
"""The name of the operator, the whole tree with the fault in it, and where in the text it is."""

RELATIONS: Final = {
    "lt": ("le", "ge"), "le": ("lt", "gt"), "gt": ("ge", "le"), "ge": ("gt", "lt"),
    "eq": ("ne", "le", "ge"), "ne": ("eq",),
}  # fmt: skip
ORDERED: Final = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "within"})
ATTRIBUTES: Final = {"size": "body", "body": "size", "filler": "body", "cards": "added", "added": "cards"}
WORDS: Final = {"from_hand": "laid", "laid": "from_hand", "size": "body", "body": "size", "filler": "body"}
"""Words of the context that are easily taken for one another."""
CONDITIONS: Final = frozenset({"name", "call", "any", "all", "attr", "in_", "within"})
"""What can be true or false and has no sign of its own that would be turned round."""


def faults(tree: Tree, names: Names, *, condition: bool) -> Iterator[Placed]:
    """Give every fault of an expression; ``condition`` says that its whole is true or false."""
    if condition:
        yield from ((op, new, tree.start) for op, new in _negated(tree))
    yield from _everywhere(tree, lambda t: _local(t, names))


def faults_of_statement(tree: Tree, names: Names) -> Iterator[Placed]:
    """Give every fault of a statement."""
    yield from _everywhere(tree, lambda t: (*_local(t, names), *_of_statement(t, names)))


def settled(tree: Tree) -> Tree:
    """Write what the kernel promises of numbers in one way, so that two ways of saying the same are seen to be the same.

    A number of cards is never below zero, and no group was begun after the turn that is being played.
    """
    parts = tuple(settled(part) for part in tree.parts)
    new = replace(tree, parts=parts)
    if tree.op in RELATIONS and len(parts) == 2:  # noqa: PLR2004 - both sides of a comparison
        left, right = parts
        if right.op == "int" and right.words == ("0",) and _is_number_of_cards(left):
            match tree.op:
                case "le":
                    return replace(new, op="eq")
                case "gt":
                    return replace(new, op="ne")
                case "ge" | "lt":
                    return Tree("yes" if tree.op == "ge" else "no", (), (), tree.start, tree.end)
                case _:
                    return new
        if left.op == "attr" and left.words == ("turn",) and right.op == "name" and right.words == ("turn_no",):
            match tree.op:
                case "ge":
                    return replace(new, op="eq")
                case "lt":
                    return replace(new, op="ne")
                case "le" | "gt":
                    return Tree("yes" if tree.op == "le" else "no", (), (), tree.start, tree.end)
                case _:
                    return new
    return new


def _is_number_of_cards(tree: Tree) -> bool:
    match tree.op:
        case "count":
            return True
        case "call":
            return tree.words[0] == "size"
        case "name":
            return tree.words[0] in ("left", "size", "body", "filler")
        case "attr":
            return tree.words[0] in ("size", "body", "filler", "was")
        case "add":
            return all(map(_is_number_of_cards, tree.parts))
        case _:
            return False


def _everywhere(tree: Tree, local: Callable[[Tree], Iterator[Fault] | tuple[Fault, ...]]) -> Iterator[Placed]:
    for op, new in local(tree):
        yield op, new, tree.start
    for at, part in enumerate(tree.parts):
        for op, new, start in _everywhere(part, local):
            yield op, replace(tree, parts=(*tree.parts[:at], new, *tree.parts[at + 1 :])), start


def _local(tree: Tree, names: Names) -> Iterator[Fault]:
    """Give the faults of one node."""
    parts = tree.parts
    match tree.op:
        case "int":
            yield from _constant(tree)
        case "yes" | "no":
            yield "constant", replace(tree, op="no" if tree.op == "yes" else "yes")
        case "word":
            after = names.words.get(tree.words[0][1:])
            if after:
                yield "constant", replace(tree, words=(f"${after}",))
        case "name":
            yield from _named(tree, names)
        case "call":
            yield from _called(tree, names)
        case "attr":
            if tree.words[0] in ATTRIBUTES:
                yield "hand, meld, pile", replace(tree, words=(ATTRIBUTES[tree.words[0]],))
        case "and_" | "or_":
            yield from _joined(tree)
        case "not_":
            yield "negate", parts[0]
        case "is_" | "is_not":
            yield "negate", replace(tree, op="is_" if tree.op == "is_not" else "is_not")
        case "in_":
            if len(parts) > 2:  # noqa: PLR2004 - what is asked for, and two to be in
                for at in range(1, len(parts)):
                    yield "drop a condition", replace(tree, parts=(*parts[:at], *parts[at + 1 :]))
        case "if_":
            yield "drop an exception", parts[1]
            yield "drop an exception", parts[2]
            yield from (("negate", replace(tree, parts=(t, *parts[1:]))) for _, t in _negated(parts[0]))
        case "any" | "all" | "count" | "sum_of" | "most":
            yield from _quantified(tree)
        case "add" | "sub" | "mul" | "neg":
            yield from _reckoned(tree)
        case op if op in RELATIONS:
            yield from (("relation", replace(tree, op=other)) for other in RELATIONS[op])
        case _:
            pass


def _constant(tree: Tree) -> Iterator[Fault]:
    value = int(tree.words[0])
    yield "constant", replace(tree, words=(str(value + 1),))
    if value:
        yield "constant", replace(tree, words=(str(value - 1),))


def _joined(tree: Tree) -> Iterator[Fault]:
    parts = tree.parts
    for at, part in enumerate(parts):
        rest = (*parts[:at], *parts[at + 1 :])
        yield "drop a condition", rest[0] if len(rest) == 1 else replace(tree, parts=rest)
        yield from (("negate", replace(tree, parts=(*parts[:at], new, *parts[at + 1 :]))) for _, new in _negated(part))
    yield "and, or", replace(tree, op="or_" if tree.op == "and_" else "and_")


def _negated(tree: Tree) -> Iterator[Fault]:
    """Negate a condition that has no sign that is turned round elsewhere."""
    if tree.op in CONDITIONS:
        yield "negate", Tree("not_", (), (tree,), tree.start, tree.end)


def _quantified(tree: Tree) -> Iterator[Fault]:
    collection, *rest = tree.parts
    where = rest[0] if rest and rest[0].op == "where" else None
    if where is not None:
        without = tuple(part for part in tree.parts if part is not where)
        if tree.op != "any":
            yield "drop a condition", replace(tree, parts=without)
        yield from (
            ("negate", replace(tree, parts=tuple(replace(where, parts=(t,)) if p is where else p for p in tree.parts)))
            for _, t in _negated(where.parts[0])
        )
    if tree.op == "any" and where is not None:
        yield "all, any", replace(tree, op="all", parts=(collection, where.parts[0]))
    if tree.op == "all":
        body = tree.parts[-1]
        both = Tree("and_", (), (where.parts[0], body), 0, 0) if where is not None else body
        yield "all, any", replace(tree, op="any", parts=(collection, Tree("where", (), (both,), 0, 0)))
        yield from (("negate", replace(tree, parts=(*tree.parts[:-1], new))) for _, new in _negated(body))
    if tree.op in ("sum_of", "most"):
        yield "all, any", replace(tree, op="most" if tree.op == "sum_of" else "sum_of")


def _reckoned(tree: Tree) -> Iterator[Fault]:
    parts = tree.parts
    match tree.op:
        case "neg":
            yield "sign or bonus", parts[0]
        case "mul":
            yield "sign or bonus", parts[0]
            yield "sign or bonus", parts[1]
        case _:
            yield "sign or bonus", parts[0]
            yield "sign or bonus", replace(tree, op="sub" if tree.op == "add" else "add")
            if tree.op == "add":
                yield "sign or bonus", parts[1]


def _named(tree: Tree, names: Names) -> Iterator[Fault]:
    word = tree.words[0]
    if word in WORDS:
        yield "hand, meld, pile", name(WORDS[word])
    for other in names.alike.get(word, ()):
        yield "hand, meld, pile", name(other)
    for other in names.partners.get(word, ()):
        yield "player, side", name(other)
    if word in OPPONENT:
        yield "self, opponent", OPPONENT[word]
    if word in names.owners:
        yield "self, opponent", call(word, *(OPPONENT[of] for of in names.owners[word]))


def _called(tree: Tree, names: Names) -> Iterator[Fault]:
    word, parts = tree.words[0], tree.parts
    if word in ("next", "mate"):
        yield "self, opponent", parts[0]
        yield "self, opponent", replace(tree, words=("mate" if word == "next" else "next",))
    for other in names.alike.get(word, ()):
        same = names.owners.get(other) == names.owners.get(word)
        yield "hand, meld, pile", replace(tree, words=(other,)) if same else name(other)
    for other in names.partners.get(word, ()):
        yield "player, side", name(other)
    owners = names.owners.get(word, ())
    if owners and parts and not _says_whose(parts):
        yield "self, opponent", replace(tree, parts=(*(OPPONENT[of] for of in owners), *parts))
    if word == "size":
        yield "top, whole pile", Tree("int", ("1",), (), tree.start, tree.end)


def _says_whose(parts: tuple[Tree, ...]) -> bool:
    """Ask whether a call names a seat or side already: then that name is what is changed."""
    first = parts[0]
    return (first.op == "name" and first.words[0] in (SEAT, SIDE)) or (
        first.op == "call" and first.words[0] in ("next", "mate", "side_of")
    )


def _of_statement(tree: Tree, names: Names) -> Iterator[Fault]:
    parts = tree.parts
    one = Tree("int", ("1",), (), tree.start, tree.end)
    match tree.op:
        case "move_all":
            yield "top, whole pile", replace(tree, op="move", parts=(one, *parts))
        case "move":
            yield "top, whole pile", replace(tree, op="move_all", parts=parts[1:])
            yield (
                "double an effect",
                replace(tree, parts=(Tree("mul", (), (Tree("int", ("2",), (), 0, 0), parts[0]), 0, 0), *parts[1:])),
            )
        case "deal":
            yield (
                "double an effect",
                replace(tree, parts=(Tree("mul", (), (Tree("int", ("2",), (), 0, 0), parts[0]), 0, 0), *parts[1:])),
            )
        case "move_where":
            yield "drop a condition", replace(tree, op="move_all", words=(), parts=parts[1:])
        case "when":
            yield "drop an exception", parts[1]
        case "end":
            yield from (("constant", replace(tree, words=(reason,))) for reason in _after(tree.words[0], names.reasons))
        case _:
            pass


def _after(word: str, words: tuple[str, ...]) -> tuple[str, ...]:
    return (words[(words.index(word) + 1) % len(words)],) if word in words and len(words) > 1 else ()
