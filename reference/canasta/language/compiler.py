"""From typed expressions to Python functions, several kinds of them from the same tree.

The plain compiler folds whatever depends on the kind of a card alone into tables. The explaining compiler is the same emitter
without folding and with every node reported. No text of a rule file enters the generated source: names are numbers,
constants are passed in.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from operator import mul
from typing import TYPE_CHECKING, Any, Final

from canasta.kernel.cards import Deck
from canasta.kernel.state import Context, Stack, State, lying
from canasta.language.dependence import OWNERS, call_arguments, conjuncts, mentions, pure
from canasta.language.evaluator import Evaluator, Walk, mate
from canasta.language.known import NO_CONTEXT, NO_STATE, Known, weight
from canasta.language.ruleset import Definition, Owner, Ruleset
from canasta.language.types import BAG, QUANTIFIERS, STACK, Expr, Op

if TYPE_CHECKING:
    from canasta.kernel.machine import Conjunction

Function = Callable[..., Any]

INFIX: Final = {
    Op.EQ: "==", Op.NE: "!=", Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">=", Op.ADD: "+", Op.SUB: "-", Op.MUL: "*",
    Op.AND: "and", Op.OR: "or",
}  # fmt: skip
WORDS: Final = {
    "seats": "S.playing", "size": "X.group.size", "body": "X.group.body",
    "filler": "X.group.filler",
}  # fmt: skip
OF_CONTEXT: Final = frozenset({"group", "card", "option", "left", "top_card", "from_hand"})
PLAIN_PLACE: Final = re.compile(r"[\w.]+(\[\w+\])?(\.\w+)?")
"""The text of a place that is looked up so quickly that it may be written several times."""
FEW: Final = 3
"""Of so many kinds the cards are added up in the text itself."""
INLINE: Final = 40
"""A definition of so many nodes is written where it is used, so that nothing is called."""

BEGUN: Final = object()
"""Stands in a trace where a node began to be evaluated, so that the trace can be read as a tree."""


def _count(bag: Sequence[int], kinds: Sequence[int]) -> int:
    return sum([bag[k] for k in kinds])


def _dot(bag: Sequence[int], weights: Sequence[int]) -> int:
    return sum(map(mul, bag, weights))


def _weighed(bag: Sequence[int], kinds: Sequence[int], weights: Sequence[int]) -> int:
    return sum([bag[k] * weights[k] for k in kinds])


def _within(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def _plus(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _minus(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [x - y if x > y else 0 for x, y in zip(a, b, strict=True)]


def _without(bag: Sequence[int], card: int) -> list[int]:
    rest = list(bag)
    if card >= 0:
        rest[card] -= 1
    return rest


def _top(stack: Stack) -> int:
    return stack.cards[-1] if stack.cards else -1


def _most(values: list[int]) -> int:
    return max(values) if values else 0


def _begun(context: Context, node: int) -> None:
    if context.trace is not None:
        context.trace.append((node, BEGUN))


def _told(context: Context, node: int, _: None, value: Any) -> Any:  # noqa: ANN401 - it passes any node's value through
    if context.trace is not None:
        context.trace.append((node, value))
    return value


RUNTIME: Final[dict[str, Any]] = {
    "__builtins__": {"sum": sum, "len": len, "range": range, "any": any, "all": all},
    "count": _count, "dot": _dot, "weighed": _weighed, "within": _within, "plus": _plus, "minus": _minus, "top": _top,
    "most": _most, "find_group": lying, "mate": mate, "told": _told, "begun": _begun,
    "without": _without,
}  # fmt: skip


class Compiler:
    """Compiles the expressions of one rule set for one deck, each once, when first asked for."""

    def __init__(self, ruleset: Ruleset, deck: Deck, *, explain: bool = False) -> None:
        """Prepare the name space in which generated functions live."""
        self.ruleset = ruleset
        self.deck = deck
        self.explain = explain
        self.nodes: list[Expr] = []
        self._made: dict[int, Function] = {}
        self._written: list[str] = []
        self._defined: dict[str, str] = {}
        self._fixed: dict[Any, str] = {}
        self._keep: list[Expr] = []
        self._texts: dict[int, str] = {}
        self.settled: dict[int, tuple[list[int], tuple[int, ...]]] = {}
        """For quantifiers over cards the kinds that they count, and what each kind of card weighs."""
        self._conjunctions = 0
        self.meaning = Evaluator(self.ruleset, self.deck)
        self._space: dict[str, Any] = dict(RUNTIME)
        self._definitions: dict[str, Definition] = self.ruleset.definitions
        self.known = Known(self._definitions)
        self._asking: dict[str, bool] = {}
        """Of each definition that was looked at, whether it asks for possible acts; and below, whether it looks at a word."""
        self._looking: dict[tuple[str, str], bool] = {}
        self._weights: dict[str, int] = {}

    def function(self, expr: Expr) -> Callable[[State, Context, int, int], Any]:
        """Make a function of state, context, acting seat and its side."""
        if id(expr) not in self._made:
            self.functions([expr])
        return self._made[id(expr)]

    def functions(self, exprs: Iterable[Expr]) -> list[Function]:
        """Make functions of many expressions together, which takes half as long as one by one."""
        names: dict[int, str] = {}
        wanted = list(exprs)
        for expr in wanted:
            if id(expr) not in self._made and id(expr) not in names:
                self._keep.append(expr)
                names[id(expr)] = f"r{len(self._keep)}"
                self._write(names[id(expr)], (), expr)
        if names:
            self._execute()
            self._made |= {id_: self._space[name] for id_, name in names.items()}
        return [self._made[id(expr)] for expr in wanted]

    def _execute(self) -> None:
        source = "".join(self._written)
        self._written.clear()
        exec(compile(source, "<rules>", "exec"), self._space)  # noqa: S102 - only numbered names and constants of ours are in it

    def text(self, expr: Expr) -> str:
        """Write an expression as Python text, of the state ``S``, the context ``X``, ``seat`` and ``side``."""
        if id(expr) not in self._texts:
            self._keep.append(expr)
            self._texts[id(expr)] = _Emitter(self, {}).emit(expr)
        return self._texts[id(expr)]

    def executed(self, source: str, helpers: dict[str, Any]) -> dict[str, Any]:
        """Execute Python text that uses such texts, names of constants and these helpers; give the name space."""
        self._space.update(helpers)
        self._written.append(source)
        self._execute()
        return self._space

    def conjunctions(self, wanted: "Iterable[Conjunction]") -> list[Function]:
        """Make for each conjunction one function that asks all its demands in one go, and sets what they look at beforehand."""
        names: list[str] = []
        for one in wanted:
            self._conjunctions += 1
            names.append(f"c{self._conjunctions}")
            lines = [f"def {names[-1]}(S, X, seat, side):\n"]
            if one.left is not None:
                lines.append(f"    X.left = {self.text(one.left)}\n")
            if any(self.looks_at(e, "from_hand") for pair in one.pairs for e in pair if e is not None):
                lines.append("    X.from_hand = without(X.group.added, X.top_card)\n")
            # What asks for possible acts looks ahead, which takes long: it comes last.
            for when, that in sorted(one.pairs, key=lambda pair: any(self._asks(e) for e in pair if e is not None)):
                if not self.known.never(when) and not self.known.always(that):
                    asked = [] if self.known.always(when) or when is None else [self.text(when)]
                    demanded = [] if self.known.never(that) else [f"not {self.text(that)}"]
                    lines.append(f"    if {' and '.join([*asked, *demanded]) or True}:\n        return False\n")
            self._written.append("".join([*lines, "    return True\n"]))
        self._execute()
        return [self._space[name] for name in names]

    def _asks(self, e: Expr) -> bool:
        if e.op is Op.POSSIBLE or (e.op is Op.DEFINE and self._definition_asks(e.ref)):
            return self.known.value(e) is None
        return any(self._asks(x) for x in e.args)

    def _definition_asks(self, name: str) -> bool:
        if name not in self._asking:
            self._asking[name] = self._asks(self._definitions[name].body)
        return self._asking[name]

    def looks_at(self, e: Expr, word: str) -> bool:
        """Ask whether an expression, or a definition that it uses, looks at a word of the context."""
        if e.op is Op.CONTEXT and e.ref == word:
            return True
        if e.op is Op.DEFINE:
            if (e.ref, word) not in self._looking:
                self._looking[e.ref, word] = self.looks_at(self._definitions[e.ref].body, word)
            if self._looking[e.ref, word]:
                return True
        return any(self.looks_at(x, word) for x in e.args)

    def is_short(self, name: str) -> bool:
        """Ask whether a definition is so short that it is written where it is used."""
        if name not in self._weights:
            self._weights[name] = weight(self._definitions[name].body)
        return self._weights[name] <= INLINE

    def _write(self, name: str, parameters: tuple[str, ...], expr: Expr) -> None:
        variables = {p: f"a{i}" for i, p in enumerate(parameters)}
        body = _Emitter(self, variables).emit(expr)
        arguments = "".join(f", a{i}" for i in range(len(parameters)))
        self._written.append(f"def {name}(S, X, seat, side{arguments}):\n    return {body}\n")

    def definitions_text(self) -> str:
        """Give the Python text of the definitions that texts have called for and that have not been executed."""
        return "".join(self._written)

    def define(self, name: str) -> str:
        """Write a definition when it is first called; give the name of its function."""
        if name not in self._defined:
            self._defined[name] = f"d{len(self._defined)}"
            definition = self._definitions[name]
            self._write(self._defined[name], tuple(n for n, _ in definition.parameters), definition.body)
        return self._defined[name]

    def definition(self, name: str) -> Definition:
        """Find a definition by the name that expressions use."""
        return self._definitions[name]

    def fixed(self, value: Any) -> str:  # noqa: ANN401 - a table, a bound method or a name
        """Put a constant into the name space of the generated functions."""
        key = value if not isinstance(value, dict) else tuple(sorted(value.items()))
        if key not in self._fixed:
            self._fixed[key] = f"k{len(self._fixed)}"
            self._space[self._fixed[key]] = value
        return self._fixed[key]

    def constants(self) -> dict[str, Any]:
        """Give the constants of the generated functions by the names that they have in their text."""
        return {name: value for value, name in self._fixed.items()}

    def number(self, expr: Expr) -> int:
        """Number a node for the trace."""
        self.nodes.append(expr)
        return len(self.nodes) - 1


class _Emitter:
    """Writes the Python text of one function."""

    def __init__(
        self, compiler: Compiler, variables: dict[str, str], owners: tuple[str, str] = ("seat", "side")
    ) -> None:
        self.compiler = compiler
        self.variables = variables
        self._owners = owners
        """The texts of the seat and the side for which it is asked."""

    def emit(self, e: Expr) -> str:
        """Write a node, reported if the compiler explains; else what is always the same is written as its value."""
        if self.compiler.explain:
            text = self._emit(e)
            if e.span is None:
                return text
            number = self.compiler.number(e)
            return f"told(X, {number}, begun(X, {number}), {text})"
        value = self.compiler.known.value(e)
        return self._emit(e) if value is None else str(value) if value >= 0 else f"({value})"

    def whole(self, e: Expr) -> str:
        """Write the body of a definition where it is used: a stack stays one, a bag may be the counts of one."""
        return self.bag(e) if e.type == BAG else self.emit(e)

    def bag(self, e: Expr) -> str:
        """Write a bag, or the counts of a stack where a bag is wanted."""
        return f"{self.emit(e)}.counts" if e.type == STACK else self.emit(e)

    def _emit(self, e: Expr) -> str:
        deck, rules = self.compiler.deck, self.compiler.ruleset
        match e.op:
            case Op.CONST:
                return str(e.value)
            case Op.VAR:
                return self.variables.get(e.ref) or f"X.bound[{self.compiler.fixed(e.ref)}]"
            case Op.CONTEXT if e.ref in OWNERS:
                return self._owners[OWNERS.index(e.ref)]
            case Op.CONTEXT:
                return WORDS.get(e.ref) or (f"X.{e.ref}" if e.ref in OF_CONTEXT else f"S.{e.ref}")
            case Op.ZONE | Op.STATE:
                return self._place(e)
            case Op.CARD_ATTR:
                table = (*deck.values[e.ref], 0, 0) if e.ref in deck.values else (*getattr(deck, e.ref), -1, -1)
                return f"{self.compiler.fixed(table)}[{self.emit(e.args[0])}]"
            case Op.IS_CLASS:
                return f"{self.compiler.fixed((*deck.classes[e.ref], False, False))}[{self.emit(e.args[0])}]"
            case Op.GROUP_ATTR:
                return f"{self.emit(e.args[0])}.{e.ref}"
            case Op.MARK:
                return f"({rules.marks.index(e.ref)} in {self.emit(e.args[0])}.marks)"
            case Op.IS_SHAPE:
                return f"({self.emit(e.args[0])}.shape == {rules.shapes[e.ref].index})"
            case Op.PART_ATTR:
                of = self.emit(e.args[0])
                whole = {"cards": f"{of}.cards", "took": f"({of}.top >= 0)"}
                return whole.get(e.ref) or f"find_group(S, {of})"
            case Op.STEP:
                return f"{self.compiler.fixed(rules.steps[e.ref].look_up)}({self.emit(e.args[0])})"
            case Op.POSSIBLE:
                return f"X.runtime.possible(S, {self.compiler.fixed(e.ref)}, onto={bool(e.value)})"
            case Op.CALL:
                return self._call(e)
            case Op.DEFINE:
                return self._define(e)
            case _:
                return self._quantifier(e) if e.op in QUANTIFIERS else self._operator(e)

    def _place(self, e: Expr) -> str:
        rules = self.compiler.ruleset
        if e.ref in rules.zones:
            zone = rules.zones[e.ref]
            name, of = f"S.z{zone.index}", zone.of
        else:
            variable = rules.state[e.ref]
            name, of = f"S.v{variable.index}", variable.of
        if of is Owner.TABLE:
            return name
        owner = self.emit(e.args[0]) if e.args else self._owners[OWNERS.index(of.value)]
        return f"{name}[{owner}]"

    def _call(self, e: Expr) -> str:
        of = self.emit(e.args[0])
        match e.ref:
            case "size":
                kind = e.args[0].type
                return f"len({of}.cards)" if kind == STACK else f"sum({of})" if kind == BAG else f"len({of})"
            case "top":
                return f"top({of})"
            case "next":
                return f"S.after[{of}]"
            case "mate":
                return f"mate(S, {of})"
            case _:
                return f"S.side_of[{of}]"

    def _define(self, e: Expr) -> str:
        seat, side, *rest = call_arguments(e, self.compiler.definition, self.bag, self._owners)
        definition = self.compiler.definition(e.ref)
        # Arguments that are quickly looked up may be written as often as they are used.
        plain = seat.isidentifier() and side.isidentifier() and all(PLAIN_PLACE.fullmatch(text) for text in rest)
        if plain and not self.compiler.explain and self.compiler.is_short(e.ref):
            variables = dict(zip((name for name, _ in definition.parameters), rest, strict=True))
            return _Emitter(self.compiler, variables, (seat, side)).whole(definition.body)
        return f"{self.compiler.define(e.ref)}({', '.join(('S', 'X', seat, side, *rest))})"

    def _operator(self, e: Expr) -> str:
        match e.op:
            case Op.NOT:
                return f"(not {self.emit(e.args[0])})"
            case Op.NEG:
                return f"(-{self.emit(e.args[0])})"
            case Op.IF:
                branch = self.bag if e.type == BAG else self.emit
                settled = None if self.compiler.explain else self.compiler.known.value(e.args[0])
                if settled is not None:
                    return branch(e.args[1] if settled else e.args[2])
                test, then, other = self.emit(e.args[0]), branch(e.args[1]), branch(e.args[2])
                return f"({then} if {test} else {other})"
            case Op.IN:
                first, *rest = (self.emit(x) for x in e.args)
                return f"({first} in ({', '.join(rest)},))"
            case Op.WITHIN | Op.BAG_ADD | Op.BAG_SUB:
                name = {Op.WITHIN: "within", Op.BAG_ADD: "plus", Op.BAG_SUB: "minus"}[e.op]
                return f"{name}({self.bag(e.args[0])}, {self.bag(e.args[1])})"
            case Op.AND | Op.OR if not self.compiler.explain:
                # What is settled beforehand does not decide, or the whole would be settled.
                open_ones = [self.emit(x) for x in e.args if self.compiler.known.value(x) is None]
                return open_ones[0] if len(open_ones) == 1 else f"({f' {INFIX[e.op]} '.join(open_ones)})"
            case _:
                return f"({f' {INFIX[e.op]} '.join(self.emit(x) for x in e.args)})"

    # -- quantifiers -------------------------------------------------------------------------------------------------

    def _variable(self, e: Expr) -> str:
        self.variables[e.ref] = name = f"q{e.ref.rsplit('~', 1)[1]}"
        return name

    def _quantifier(self, e: Expr) -> str:
        coll, where = e.args[0], e.args[1]
        cards = coll.type in (BAG, STACK)
        if cards and not self.compiler.explain:
            folded = self._folded(e)
            if folded is not None:
                return folded
        name = self._variable(e)
        source = self.bag(coll) if cards else self.emit(coll)
        test = self.emit(where)
        body = self.emit(e.args[2]) if len(e.args) > 2 else ""  # noqa: PLR2004 - the body is the third part
        if cards:
            loop = f"for b{name} in ({source},) for {name} in range({self.compiler.deck.size}) if b{name}[{name}]"
        else:
            loop = f"for {name} in {source}"
        settled = where.value if self.compiler.explain and where.op is Op.CONST else self.compiler.known.value(where)
        always = bool(settled) and (where.op is Op.CONST or not self.compiler.explain)
        condition = "" if always else f" and {test}" if cards else f" if {test}"
        times = f"b{name}[{name}]" if cards else "1"
        match e.op:
            case Op.COUNT:
                return f"sum([{times} {loop}{condition}])"
            case Op.ANY:
                return f"any(True {loop}{condition})"
            case Op.ALL:
                return f"all({body} {loop}{condition})"
            case Op.SUM:
                return f"sum([{times} * {body} {loop}{condition}])"
            case _:
                return f"most([{body} {loop}{condition}])"

    def _folded(self, e: Expr) -> str | None:
        """Write a quantifier over cards as a look-up, if its condition is one on the kind plus at most one equality."""
        if e.op is Op.MOST or (len(e.args) > 2 and not pure(e.args[2], e.ref)):  # noqa: PLR2004 - the body is the third part
            return None
        constant = [c for c in conjuncts(e.args[1]) if pure(c, e.ref)]
        rest = [c for c in conjuncts(e.args[1]) if not pure(c, e.ref)]
        index = self._index(rest[0], e.ref) if len(rest) == 1 else None
        if rest and index is None:
            return None
        if id(e) not in self.compiler.settled:
            self.compiler.settled[id(e)] = self._settled(e, constant)
        kinds, weights = self.compiler.settled[id(e)]
        bag = self.bag(e.args[0])
        chosen = self._chosen(kinds, index)
        number = f"count({bag}, {chosen})"
        if index is None and 0 < len(kinds) <= FEW and PLAIN_PLACE.fullmatch(bag):
            number = f"({' + '.join(f'{bag}[{k}]' for k in kinds)})"
        match e.op:
            case Op.COUNT:
                return number
            case Op.ANY:
                return f"({number} > 0)"
            case Op.ALL:
                return f"({number} == 0)"
            case _:
                if index is None:
                    full = tuple(w if k in kinds else 0 for k, w in enumerate(weights))
                    return f"dot({bag}, {self.compiler.fixed((*full, 0))})"
                return f"weighed({bag}, {chosen}, {self.compiler.fixed((*weights, 0))})"

    def _settled(self, e: Expr, constant: list[Expr]) -> tuple[list[int], tuple[int, ...]]:
        every = range(self.compiler.deck.size)
        kinds = [k for k in every if all(self._fold(c, e.ref, k) for c in constant)]
        body = e.args[2] if len(e.args) > 2 else None  # noqa: PLR2004 - the body is the third part
        weights = tuple(int(self._fold(body, e.ref, k)) for k in every) if body is not None else ()
        return ([k for k in kinds if not weights[k]] if e.op is Op.ALL else kinds), weights

    def _chosen(self, kinds: list[int], index: tuple[str, Expr] | None) -> str:
        if index is None:
            return self.compiler.fixed(tuple(kinds))
        attribute, other = index
        deck = self.compiler.deck
        column = deck.values[attribute] if attribute in deck.values else getattr(deck, attribute)
        table: dict[int, tuple[int, ...]] = {}
        for k in kinds:
            table[column[k]] = (*table.get(column[k], ()), k)
        return f"{self.compiler.fixed(table)}.get({self.emit(other)}, ())"

    def _index(self, e: Expr, variable: str) -> tuple[str, Expr] | None:
        if e.op is not Op.EQ:
            return None
        for mine, other in (e.args, e.args[::-1]):
            if (
                mine.op is Op.CARD_ATTR
                and mine.args[0].op is Op.VAR
                and mine.args[0].ref == variable
                and not mentions(other, variable)
            ):
                return mine.ref, other
        return None

    def _fold(self, e: Expr, variable: str, kind: int) -> Any:  # noqa: ANN401 - a number or a truth value
        of_the_card = bool(e.args) and e.args[0].op is Op.VAR
        if e.op is Op.IS_CLASS and of_the_card:
            return self.compiler.deck.classes[e.ref][kind]
        if e.op is Op.CONST:
            return e.value
        return Walk(self.compiler.meaning, NO_STATE, NO_CONTEXT, -1, -1, {variable: kind}).value(e)
