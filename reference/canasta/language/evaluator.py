"""The normative meaning of an expression: a slow walk over its tree that anyone can read. The compiler is compared with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from canasta.kernel.cards import Deck
from canasta.kernel.state import Context, Group, Part, Stack, State
from canasta.language.ruleset import Definition, Owner, Ruleset
from canasta.language.types import BAG, Expr, Op, Type

Value = Any
"""What an expression gives: a number for everything that is counted or named, a list for a bag, a stack, groups, parts."""

Trace = Callable[[Expr, Value], None]


def card_value(
    expr: Expr, rank: int, suit: int, colour: int, classes: Mapping[str, Expr], values: Mapping[str, Expr]
) -> int:
    """Evaluate a class or a value for one printed card, given by its places in the declared lists, -1 for none."""

    def of(e: Expr) -> int:
        match e.op:
            case Op.CONST:
                return e.value
            case Op.CARD_ATTR:
                printed = {"rank": rank, "suit": suit, "colour": colour}
                return printed[e.ref] if e.ref in printed else of(values[e.ref])
            case Op.IS_CLASS:
                return of(classes[e.ref])
            case Op.IF:
                return of(e.args[1] if of(e.args[0]) else e.args[2])
            case Op.AND:
                return int(all(of(x) for x in e.args))
            case Op.OR:
                return int(any(of(x) for x in e.args))
            case _:
                found: int = operator(e, [of(x) for x in e.args])
                return found

    return of(expr)


def operator(expr: Expr, v: list[Value]) -> Value:
    """Apply a sign that needs all its values first."""
    match expr.op:
        case Op.NOT:
            return not v[0]
        case Op.NEG:
            return -v[0]
        case Op.EQ:
            return v[0] == v[1]
        case Op.NE:
            return v[0] != v[1]
        case Op.LT:
            return v[0] < v[1]
        case Op.LE:
            return v[0] <= v[1]
        case Op.GT:
            return v[0] > v[1]
        case Op.GE:
            return v[0] >= v[1]
        case Op.IN:
            return v[0] in v[1:]
        case Op.ADD:
            return v[0] + v[1]
        case Op.SUB:
            return v[0] - v[1]
        case Op.MUL:
            return v[0] * v[1]
        case Op.WITHIN:
            return all(a <= b for a, b in zip(v[0], v[1], strict=True))
        case Op.BAG_ADD:
            return [a + b for a, b in zip(v[0], v[1], strict=True)]
        case _:
            return [max(a - b, 0) for a, b in zip(v[0], v[1], strict=True)]


class Evaluator:
    """Evaluates the expressions of one rule set; ``trace`` is told the value of every node that was needed."""

    def __init__(self, ruleset: Ruleset, deck: Deck, trace: Trace | None = None) -> None:
        """Look the definitions up once."""
        self.ruleset = ruleset
        self.deck = deck
        self.trace = trace
        self._definitions: dict[str, Definition] = self.ruleset.definitions

    def function(self, expr: Expr) -> "Callable[[State, Context, int, int], Value]":
        """Make a function of state, context, acting seat and its side."""
        return lambda state, context, seat, side: Walk(self, state, context, seat, side).value(expr)

    def definition(self, name: str) -> Definition:
        """Find a definition by the name that expressions use."""
        return self._definitions[name]


@dataclass(slots=True, eq=False, repr=False)
class Walk:
    """One walk over a tree: the state and context it reads, and the values of the bound variables so far."""

    meaning: Evaluator
    state: State
    context: Context
    seat: int
    side: int
    bound: dict[str, Value] = field(default_factory=dict)

    def value(self, e: Expr) -> Value:
        """Evaluate a node, and tell the trace."""
        found = self._value(e)
        if self.meaning.trace is not None and e.span is not None:
            self.meaning.trace(e, found)
        return found

    def _value(self, e: Expr) -> Value:
        match e.op:
            case Op.CONST:
                return e.value
            case Op.VAR:
                return self.bound[e.ref] if e.ref in self.bound else self.context.bound[e.ref]
            case Op.CONTEXT:
                return self._word(e.ref)
            case Op.ZONE | Op.STATE:
                return self._place(e)
            case Op.CARD_ATTR | Op.IS_CLASS:
                return self._card(e, self.value(e.args[0]))
            case Op.GROUP_ATTR | Op.MARK | Op.IS_SHAPE:
                return self._group(e, self.value(e.args[0]))
            case Op.PART_ATTR:
                part: Part = self.value(e.args[0])
                if e.ref == "took":
                    return part.top >= 0
                return part.cards if e.ref == "cards" else find_group(self.state, part)
            case Op.CALL:
                return self._call(e, [self.value(x) for x in e.args])
            case Op.STEP:
                return self.meaning.ruleset.steps[e.ref].look_up(self.value(e.args[0]))
            case Op.POSSIBLE:
                assert self.context.runtime is not None  # noqa: S101 - every door of the game sets it
                return self.context.runtime.possible(self.state, e.ref, onto=bool(e.value))
            case Op.DEFINE:
                return self._define(e)
            case Op.IF:
                chosen = e.args[1] if self.value(e.args[0]) else e.args[2]
                return self._counted(chosen) if e.type == BAG else self.value(chosen)
            case Op.AND:
                return all(self.value(x) for x in e.args)
            case Op.OR:
                return any(self.value(x) for x in e.args)
            case Op.COUNT | Op.ANY | Op.ALL | Op.SUM | Op.MOST:
                return self._quantifier(e)
            case _:
                return operator(e, [self._counted(x) for x in e.args])

    def _counted(self, e: Expr) -> Value:
        """Evaluate a node; a stack counts as the bag of its cards."""
        found = self.value(e)
        return found.counts if isinstance(found, Stack) else found

    def _word(self, name: str) -> Value:
        s, x = self.state, self.context
        if name in ("seat", "side"):
            return self.seat if name == "seat" else self.side
        if name == "seats":
            return s.playing
        if name in ("group", "card", "option", "left", "top_card", "from_hand"):
            return getattr(x, name)
        if name in ("size", "body", "filler"):
            return getattr(x.group, name)
        if name == "parts":
            return s.parts
        return getattr(s, name)

    def _place(self, e: Expr) -> Value:
        rules = self.meaning.ruleset
        zone, variable = rules.zones.get(e.ref), rules.state.get(e.ref)
        if zone is not None:
            of, content = zone.of, self.state.zone(zone.index)
        else:
            assert variable is not None  # noqa: S101 - the checker resolved the name
            of, content = variable.of, self.state.variable(variable.index)
        if of is Owner.TABLE:
            return content
        if e.args:
            return content[self.value(e.args[0])]
        return content[self.seat if of is Owner.SEAT else self.side]

    def _card(self, e: Expr, card: int) -> Value:
        deck = self.meaning.deck
        if not 0 <= card < deck.size:
            return False if e.op is Op.IS_CLASS else 0 if e.ref in deck.values else min(card, -1)
        if e.op is Op.IS_CLASS:
            return deck.classes[e.ref][card]
        return deck.values[e.ref][card] if e.ref in deck.values else getattr(deck, e.ref)[card]

    def _group(self, e: Expr, group: Group) -> Value:
        rules = self.meaning.ruleset
        if e.op is Op.IS_SHAPE:
            return group.shape == rules.shapes[e.ref].index
        if e.op is Op.MARK:
            return rules.marks.index(e.ref) in group.marks
        return getattr(group, e.ref)

    def _call(self, e: Expr, v: list[Value]) -> Value:
        match e.ref:
            case "size":
                return size_of(v[0], e.args[0].type)
            case "top":
                return v[0].cards[-1] if v[0].cards else -1
            case "next":
                return self.state.after[v[0]]
            case "mate":
                return mate(self.state, v[0])
            case _:
                return self.state.side_of[v[0]]

    def _define(self, e: Expr) -> Value:
        definition = self.meaning.definition(e.ref)
        values = [self._counted(x) for x in e.args]
        seat, side = self.seat, self.side
        if e.value:
            for word in definition.of:
                if word == "seat":
                    seat = values.pop(0)
                elif word == "side":
                    side = values.pop(0)
        bound = dict(zip((n for n, _ in definition.parameters), values, strict=True))
        return type(self)(self.meaning, self.state, self.context, seat, side, bound).value(definition.body)

    def _quantifier(self, e: Expr) -> Value:
        coll, where, *body = e.args
        total, most, found = 0, None, False
        for item, times in self._items(self.value(coll), coll.type):
            self.bound[e.ref] = item
            if not self.value(where):
                continue
            match e.op:
                case Op.COUNT:
                    total += times
                case Op.ANY:
                    found = True
                    break
                case Op.ALL:
                    if not self.value(body[0]):
                        found = True
                        break
                case Op.SUM:
                    total += times * self.value(body[0])
                case _:
                    each = self.value(body[0])
                    most = each if most is None else max(most, each)
        return {Op.ANY: found, Op.ALL: not found, Op.MOST: most or 0}.get(e.op, total)

    def _items(self, collection: Value, kind: Type) -> list[tuple[Value, int]]:
        if kind.name not in ("bag", "stack"):
            return [(x, 1) for x in collection]
        bag = collection.counts if isinstance(collection, Stack) else collection
        return [(card, n) for card, n in enumerate(bag[:-1]) if n]


def size_of(collection: Value, kind: Type) -> int:
    """Count a collection: the cards of a bag or stack, or the members of a list."""
    if kind.name == "stack":
        return len(collection.cards)
    return sum(collection) if kind.name == "bag" else len(collection)


def mate(state: State, seat: int) -> int:
    """Find the next seat of the same side, or the seat itself when it has no partner."""
    found = state.after[seat]
    while state.side_of[found] != state.side_of[seat]:
        found = state.after[found]
    return found


def find_group(state: State, part: Part) -> Group:
    """Find the group that a part went to, wherever its side has moved since."""
    content = getattr(state, f"z{part.zone}")
    lists = content if content and isinstance(content[0], list) else [content]
    found: Group = next(g for groups in lists for g in groups if g.gid == part.gid)
    return found
