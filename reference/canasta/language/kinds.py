"""Which printed cards the rules can tell apart, and the deck that follows from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from canasta.kernel.cards import Deck
from canasta.language.evaluator import card_value
from canasta.language.ruleset import (
    Bound,
    Clause,
    Definition,
    Duty,
    Effect,
    Ending,
    Pack,
    Requirement,
    Ruleset,
    Score,
    Structure,
)
from canasta.language.types import Expr, Op, Statement


@dataclass(frozen=True, slots=True)
class _Sorts:
    """All that a deck follows from: the pack, what sorts its cards, and at which grain."""

    pack: Pack
    classes: tuple[tuple[str, Expr], ...]
    values: tuple[tuple[str, Expr], ...]
    by_suit: bool
    by_colour: bool
    by_face: bool


def deck_of(ruleset: Ruleset, *, by_face: bool = False) -> Deck:
    """Make the deck of a rule set, at the grain of printed faces or of kinds that the rules can tell apart."""
    classes, values = tuple(ruleset.classes.items()), tuple(ruleset.values.items())
    return _deck(_Sorts(ruleset.pack, classes, values, *attributes_used(ruleset), by_face))


@lru_cache(maxsize=64)
def _deck(sorts: _Sorts) -> Deck:
    """Make a deck, which rule sets share that sort their cards alike, as those that differ by an option mostly do."""
    pack = sorts.pack
    faces = [(r, s) for r in range(len(pack.ranks)) for s in range(len(pack.suits))]
    faces += [(len(pack.ranks) + i, -1) for i in range(len(pack.extra))]
    ranks = (*pack.ranks, *(name for name, _ in pack.extra))
    colour = [pack.colour_of[s] if s >= 0 else -1 for _, s in faces]
    value = partial(card_value, classes=dict(sorts.classes), values=dict(sorts.values))
    printed = [(r, s, c) for (r, s), c in zip(faces, colour, strict=True)]
    classes = {name: [bool(value(e, *card)) for card in printed] for name, e in sorts.classes}
    values = {name: [value(e, *card) for card in printed] for name, e in sorts.values}
    groups: dict[tuple[object, ...], list[int]] = {}
    told_apart: dict[tuple[object, ...], int] = {}
    alike: list[int] = []
    for i, (r, s, c) in enumerate(printed):
        same = (
            *(r, *(t[i] for t in classes.values()), *(t[i] for t in values.values())),
            *(s if sorts.by_suit else None, c if sorts.by_colour else None),
        )
        key = (same, s) if sorts.by_face else same
        if key not in groups:
            alike.append(told_apart.setdefault(same, len(groups)))
        groups.setdefault(key, []).append(i)
    kinds = list(groups.values())
    copies = [
        pack.packs * (pack.extra[faces[i][0] - len(pack.ranks)][1] if faces[i][1] < 0 else 1) for i in range(len(faces))
    ]
    whole = [len({faces[i][1] for i in members}) == 1 for members in kinds]
    return Deck(
        names=tuple(_name(pack, ranks, faces, colour, members) for members in kinds),
        rank=tuple(faces[m[0]][0] for m in kinds),
        suit=tuple(faces[m[0]][1] if one else -1 for m, one in zip(kinds, whole, strict=True)),
        colour=tuple(colour[m[0]] if len({colour[i] for i in m}) == 1 else -1 for m in kinds),
        copies=tuple(sum(copies[i] for i in m) for m in kinds),
        classes={n: tuple(t[m[0]] for m in kinds) for n, t in classes.items()},
        values={n: tuple(t[m[0]] for m in kinds) for n, t in values.items()},
        kind_of=_texts(pack, ranks, faces, colour, kinds),
        by_face=sorts.by_face,
        alike=(*alike, len(kinds)),
    )


def _name(
    pack: Pack, ranks: tuple[str, ...], faces: list[tuple[int, int]], colour: list[int], members: list[int]
) -> str:
    rank, suits = faces[members[0]][0], {faces[i][1] for i in members}
    if suits in ({-1}, set(range(len(pack.suits)))):
        return ranks[rank]
    if len(suits) == 1:
        return ranks[rank] + pack.suits[suits.pop()].lower()
    colours = {colour[i] for i in members}
    if len(colours) == 1:
        return ranks[rank] + pack.colours[colours.pop()][0]
    return ranks[rank] + "".join(pack.suits[s].lower() for s in sorted(suits))


def _texts(
    pack: Pack, ranks: tuple[str, ...], faces: list[tuple[int, int]], colour: list[int], kinds: list[list[int]]
) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], set[int]] = {}
    for kind, members in enumerate(kinds):
        for i in members:
            r, s = faces[i]
            suits = [""] if s < 0 else ["", pack.suits[s].lower(), pack.colours[colour[i]][0]]
            for suit in suits:
                found.setdefault((ranks[r], suit), set()).add(kind)
    return {text: next(iter(k)) for text, k in found.items() if len(k) == 1}


def attributes_used(ruleset: Ruleset) -> tuple[bool, bool]:
    """Find whether any rule looks at a card's suit, and whether any looks at its colour beyond what classes say."""
    found = {"suit"} if any(s.same == "suit" or s.order for s in ruleset.shapes.values()) else set[str]()
    for act in ruleset.acts.values():
        found |= _attributes(act.left) if act.left is not None else set()
    for clause in ruleset.clauses.values():
        found |= _attributes_in(clause)
    return "suit" in found, "colour" in found


@lru_cache(maxsize=8192)
def _attributes_in(clause: Clause) -> frozenset[str]:
    """Find what a clause looks at of cards in play; bounds only count them, and rule sets of other options share most clauses."""
    if isinstance(clause, Bound):
        return frozenset()
    return frozenset(attribute for root in clause_roots(clause) for attribute in _attributes(root))


def _attributes(root: Expr) -> set[str]:
    """Find the suit and colour of cards, and the suit of groups, among what an expression looks at."""
    looked = {(Op.CARD_ATTR, "suit"), (Op.CARD_ATTR, "colour"), (Op.GROUP_ATTR, "suit")}
    return {expr.ref for expr in nodes(root) if (expr.op, expr.ref) in looked}


def every_expression(ruleset: Ruleset) -> Iterator[Expr]:
    """Go through every node of every expression that is evaluated in play; classes and values are settled beforehand."""
    for root in roots(ruleset):
        yield from nodes(root)


def nodes(expr: Expr) -> Iterator[Expr]:
    """Go through an expression and all its parts."""
    yield expr
    for arg in expr.args:
        yield from nodes(arg)


def every_root(ruleset: Ruleset) -> Iterator[Expr]:
    """Go through every whole expression that means something in play, but for those of definitions, which others use."""
    bodies = {id(d.body) for d in ruleset.of_kind(Definition)}
    yield from (root for root in roots(ruleset) if id(root) not in bodies)
    for bound in ruleset.of_kind(Bound):
        yield from clause_roots(bound)


def roots(ruleset: Ruleset) -> Iterator[Expr]:
    """Go through every whole expression of the acts and clauses of a rule set."""
    for act in ruleset.acts.values():
        if act.left is not None:
            yield act.left
    for clause in ruleset.clauses.values():
        if not isinstance(clause, Bound):
            yield from clause_roots(clause)


def clause_roots(clause: Clause) -> Iterator[Expr]:
    """Go through every whole expression of one clause."""
    match clause:
        case Definition():
            yield clause.body
        case Requirement() | Bound():
            yield from (x for x in (clause.when, *(d.that for d in clause.require)) if x is not None)
        case Effect() | Duty():
            yield from (x for x in (clause.when,) if x is not None)
            for statement in clause.do:
                yield from statement_roots(statement)
        case Score():
            yield from (x for x in (clause.when, clause.points) if x is not None)
        case Ending():
            yield from (clause.when, clause.winner)
        case Structure(deals=deals) if deals is not None:
            yield deals
        case _:
            pass


def statement_roots(statement: Statement) -> Iterator[Expr]:
    """Go through the expressions of a statement."""
    yield from statement.exprs
    yield from (p.owner for p in statement.places if p.owner is not None)
    if statement.body is not None:
        yield from statement_roots(statement.body)
