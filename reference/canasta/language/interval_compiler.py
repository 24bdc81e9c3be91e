"""The third back end: the same trees compiled to functions that answer within bounds.

It serves two askers: the judge of records in which cards are unknown, and the look ahead, for which the parts that may still be
laid are what is unknown. Each gives an outlook that says within which bounds zones, groups and the play lie.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from canasta.kernel.cards import Deck
from canasta.kernel.state import State
from canasta.language import intervals
from canasta.language.compiler import Function
from canasta.language.dependence import call_arguments, conjuncts, pure
from canasta.language.evaluator import Evaluator, Walk, mate
from canasta.language.interval_ends import EndEmitter
from canasta.language.known import NO_CONTEXT, NO_STATE, Known
from canasta.language.ruleset import Definition, Ruleset
from canasta.language.types import BAG, BOOL, GROUP, GROUPS, INT, PARTS, QUANTIFIERS, STACK, Expr, Op

NUMERIC: Final = (INT, BOOL)
CALLS: Final = {
    Op.NOT: "not_", Op.NEG: "neg", Op.AND: "and_", Op.OR: "or_", Op.ADD: "add", Op.SUB: "sub", Op.MUL: "mul", Op.LT: "lt",
    Op.LE: "le", Op.WITHIN: "within", Op.BAG_ADD: "plus", Op.BAG_SUB: "minus", Op.IF: "either",
}  # fmt: skip
OF_CONTEXT: Final = frozenset({"group", "card", "option", "left", "top_card", "from_hand"})
SPACE: Final[dict[str, Any]] = {
    "__builtins__": {"range": range, "len": len, "any": any, "sum": sum},
    **{n: getattr(intervals, n) for n in (
        "not_", "and_", "or_", "add", "sub", "mul", "neg", "eq", "lt", "le", "same", "either", "look_up", "plus", "minus",
        "within", "heaviest", "count", "count_where", "weigh", "positive", "nothing", "count_members", "sum_members",
        "most_members", "truth", "Many", "exactly", "most_of", "NO",
    )},
    "column": lambda table, card: None if card is None or card >= len(table) else table[card] if card >= 0 else -1,
    "worth": lambda table, bounds, card: bounds if card is None or card >= len(table) else (table[card],) * 2 if card >= 0 else (0, 0),
    "belongs": lambda table, card: (0, 1) if card is None or card >= len(table) else intervals.truth(card >= 0 and table[card]),
    "after": lambda state, seat: None if seat is None else state.after[seat],
    "partner": lambda state, seat: None if seat is None else mate(state, seat),
    "side_of": lambda state, seat: None if seat is None else state.side_of[seat],
    "marked": lambda group, mark: (0, 1) if group.marks is None else intervals.truth(mark in group.marks),
    "took": lambda part: intervals.truth(part.top >= 0),
    "shaped": lambda group, shape: (0, 1) if group.shape is None else intervals.truth(group.shape == shape),
    "size": lambda x: (x.size_low, x.size_high) if isinstance(x, intervals.Bag) else (len(x.known), x.most),
}  # fmt: skip


@dataclass(slots=True, eq=False, repr=False)
class IntervalCompiler:
    """Compiles expressions to functions of state, context, seat, side and outlook that give bounds."""

    ruleset: Ruleset
    deck: Deck
    _space: dict[str, Any] = field(default_factory=lambda: dict(SPACE))
    _made: dict[int, Function] = field(default_factory=dict)
    _definitions: dict[str, Definition] = field(init=False)
    _defined: dict[str, str] = field(default_factory=dict)
    _ends: dict[tuple[int, bool], Function] = field(default_factory=dict)
    _defined_ends: dict[tuple[str, bool], str] = field(default_factory=dict)
    _fixed: int = 0
    _keep: list[Expr] = field(default_factory=list)

    meaning: Evaluator = field(init=False)
    known: Known = field(init=False)

    def __post_init__(self) -> None:
        """Look the definitions up once."""
        self.meaning = Evaluator(self.ruleset, self.deck)
        self._definitions = self.ruleset.definitions
        self.known = Known(self._definitions)

    def function(self, expr: Expr) -> Callable[[State, Any, int, int, Any], Any]:
        """Make a function of state, context, acting seat, its side and an outlook."""
        made = self._made.get(id(expr))
        if made is None:
            self._keep.append(expr)
            made = self._made[id(expr)] = self._make(f"r{len(self._made)}", (), expr)
        return made

    def end(self, expr: Expr, *, high: bool) -> Callable[[State, Any, int, int, Any], Any]:
        """Make a function that finds only one end of the answer: with ``high`` whether a condition can hold, else whether it must."""
        made = self._ends.get((id(expr), high))
        if made is None:
            self._keep.append(expr)
            made = self._ends[id(expr), high] = self._make(f"e{len(self._ends)}", (), expr, high=high)
        return made

    def _make(self, name: str, parameters: tuple[str, ...], expr: Expr, *, high: bool | None = None) -> Function:
        whole = Emitter(self, {p: f"a{i}" for i, p in enumerate(parameters)})
        body = whole.emit(expr) if high is None else EndEmitter(whole, self.define_end).end(expr, high=high)
        arguments = "".join(f", a{i}" for i in range(len(parameters)))
        source = f"def {name}(S, X, seat, side, E{arguments}):\n    return {body}\n"
        exec(compile(source, f"<bounds {name}>", "exec"), self._space)  # noqa: S102 - only numbered names and constants of ours are in it
        made: Function = self._space[name]
        return made

    def define(self, name: str) -> str:
        """Compile a definition when it is first called; give the name of its function."""
        if name not in self._defined:
            self._defined[name] = f"d{len(self._defined)}"
            definition = self._definitions[name]
            self._make(self._defined[name], tuple(n for n, _ in definition.parameters), definition.body)
        return self._defined[name]

    def define_end(self, name: str, high: bool) -> str:  # noqa: FBT001 - handed on as a function of two values
        """Compile one end of a definition when it is first called; give the name of its function."""
        if (name, high) not in self._defined_ends:
            self._defined_ends[name, high] = f"{'h' if high else 'l'}{len(self._defined_ends)}"
            definition = self._definitions[name]
            parameters = tuple(n for n, _ in definition.parameters)
            self._make(self._defined_ends[name, high], parameters, definition.body, high=high)
        return self._defined_ends[name, high]

    def definition(self, name: str) -> Definition:
        """Find a definition by the name that expressions use."""
        return self._definitions[name]

    def fixed(self, value: Any) -> str:  # noqa: ANN401 - a table or a bound method
        """Put a constant into the name space of the generated functions."""
        self._fixed += 1
        self._space[f"k{self._fixed}"] = value
        return f"k{self._fixed}"


@dataclass(slots=True, eq=False, repr=False)
class Emitter:
    """Writes the Python text of one function."""

    compiler: IntervalCompiler
    variables: dict[str, str]

    def emit(self, e: Expr) -> str:
        """Write a node."""
        rules, deck = self.compiler.ruleset, self.compiler.deck
        match e.op:
            case Op.CONST:
                return f"({e.value}, {e.value})" if e.type in NUMERIC else str(e.value)
            case Op.VAR:
                return self.variables.get(e.ref) or f"X.bound[{self.compiler.fixed(e.ref)}]"
            case Op.CONTEXT:
                return self._word(e)
            case Op.ZONE:
                return f"E.zone({rules.zones[e.ref].index}, {self._owner(e, rules.zones[e.ref].of.value)})"
            case Op.STATE:
                variable = rules.state[e.ref]
                return f"E.variable({variable.index}, {self._owner(e, variable.of.value)}, {variable.type in NUMERIC})"
            case Op.CARD_ATTR if e.ref in deck.values:
                table = deck.values[e.ref]
                figures = table if surely_a_card(e.args[0]) else (*table, 0)
                bounds = f"({min(figures)}, {max(figures)})"
                return f"worth({self.compiler.fixed(table)}, {bounds}, {self.emit(e.args[0])})"
            case Op.CARD_ATTR:
                return f"column({self.compiler.fixed(getattr(deck, e.ref))}, {self.emit(e.args[0])})"
            case Op.IS_CLASS:
                return f"belongs({self.compiler.fixed(deck.classes[e.ref])}, {self.emit(e.args[0])})"
            case Op.GROUP_ATTR:
                return f"{self.emit(e.args[0])}.{e.ref}"
            case Op.MARK:
                return f"marked({self.emit(e.args[0])}, {rules.marks.index(e.ref)})"
            case Op.IS_SHAPE:
                return f"shaped({self.emit(e.args[0])}, {rules.shapes[e.ref].index})"
            case Op.PART_ATTR:
                part = self.emit(e.args[0])
                whole = {"cards": f"exactly({part}.cards)", "took": f"took({part})"}
                return whole.get(e.ref) or f"E.group_of({part})"
            case Op.STEP:
                steps = rules.steps[e.ref]
                starts = self.compiler.fixed(tuple(s for s, _ in steps.rows))
                return f"look_up({self.compiler.fixed(steps.look_up)}, {starts}, {self.emit(e.args[0])})"
            case Op.POSSIBLE:
                return f"E.possible({self.compiler.fixed(e.ref)}, {bool(e.value)})"
            case Op.CALL:
                return self._call(e)
            case Op.DEFINE:
                return self._define(e)
            case _:
                return self._quantifier(e) if e.op in QUANTIFIERS else self._operator(e)

    def _word(self, e: Expr) -> str:
        if e.ref in OF_CONTEXT:
            return f"X.{e.ref}"
        match e.ref:
            case "seat" | "side":
                return e.ref
            case "seats":
                return "Many(S.playing)"
            case "sides":
                return "Many(S.sides)"
            case "laid" | "parts":
                return f"E.{e.ref}()"
            case "size" | "body" | "filler":
                return f"X.group.{e.ref}"
            case _:
                return f"(S.{e.ref}, S.{e.ref})" if e.type in NUMERIC else f"S.{e.ref}"

    def _owner(self, e: Expr, of: str) -> str:
        return "-1" if of == "table" else self.emit(e.args[0]) if e.args else of

    def _call(self, e: Expr) -> str:
        of = self.emit(e.args[0])
        match e.ref:
            case "size":
                return f"size({of})"
            case "top":
                return f"{of}.top"
            case "next":
                return f"after(S, {of})"
            case "mate":
                return f"partner(S, {of})"
            case _:
                return f"side_of(S, {of})"

    def _define(self, e: Expr) -> str:
        return self.call(e, self.compiler.define(e.ref))

    def call(self, e: Expr, function: str) -> str:
        """Write the call of a definition's function."""
        seat, side, *rest = call_arguments(e, self.compiler.definition, self.emit)
        return f"{function}({', '.join(('S', 'X', seat, side, 'E', *rest))})"

    def _operator(self, e: Expr) -> str:
        values = [self.emit(x) for x in e.args]
        if e.op is Op.IF and e.type == GROUP:
            return f"(either({', '.join(values)}) or E.any_group())"
        if e.op in CALLS:
            return f"{CALLS[e.op]}({', '.join(values)})"
        if e.op in (Op.GT, Op.GE):
            return f"{'lt' if e.op is Op.GT else 'le'}({values[1]}, {values[0]})"
        equal = "eq" if e.args[0].type in NUMERIC else "same"
        if e.op is Op.IN:
            return f"or_({', '.join(f'{equal}({values[0]}, {v})' for v in values[1:])})"
        found = f"{equal}({values[0]}, {values[1]})"
        return found if e.op is Op.EQ else f"not_({found})"

    def bind(self, e: Expr) -> str:
        """Name the variable of a quantifier."""
        self.variables[e.ref] = name = f"q{e.ref.rsplit('~', 1)[1]}"
        return name

    # -- quantifiers -------------------------------------------------------------------------------------------------

    def _quantifier(self, e: Expr) -> str:
        return self._over_cards(e) if e.args[0].type in (BAG, STACK) else self._over_members(e)

    def _over_cards(self, e: Expr) -> str:
        bag = self.emit(e.args[0])
        kinds = range(self.compiler.deck.size)
        where, body = e.args[1], e.args[2] if len(e.args) > 2 else None  # noqa: PLR2004 - the body is the third part
        if body is None or pure(body, e.ref):
            constant = [all(self.fold(c, e.ref, k) for c in conjuncts(where) if pure(c, e.ref)) for k in kinds]
            rest = [c for c in conjuncts(where) if not pure(c, e.ref)]
            if not rest:
                return self._constant(e, bag, [k for k in kinds if constant[k]])
        name = self.bind(e)
        loop = f"for {name} in range({self.compiler.deck.size})"

        def each(asked: str) -> str:
            """Ask it of the kinds that may be there: of the others nothing counts, and a hand holds few of all there are."""
            return f"[{asked} if b{name}.high[{name}] else NO {loop}]"

        tests, values = each(self.emit(where)), each(self.emit(body)) if body is not None else ""
        match e.op:
            case Op.COUNT:
                found = f"count_where(b{name}, {tests})"
            case Op.ANY:
                found = f"positive(count_where(b{name}, {tests}))"
            case Op.ALL if body is not None:
                both = each(f"and_({self.emit(where)}, not_({self.emit(body)}))")
                found = f"nothing(count_where(b{name}, {both}))"
            case Op.SUM:
                found = f"weigh(b{name}, {tests}, {values})"
            case _:
                found = f"most_of(b{name}, {tests}, {values})"
        return f"[{found} for b{name} in ({bag},)][0]"

    def _constant(self, e: Expr, bag: str, kinds: list[int]) -> str:
        if e.op is Op.COUNT:
            return f"count({bag}, {self.compiler.fixed(tuple(kinds))})"
        if e.op is Op.ANY:
            return f"positive(count({bag}, {self.compiler.fixed(tuple(kinds))}))"
        weights = [self.fold(e.args[2], e.ref, k) for k in range(self.compiler.deck.size)]
        if e.op is Op.ALL:
            return f"nothing(count({bag}, {self.compiler.fixed(tuple(k for k in kinds if not weights[k]))}))"
        tests = self.compiler.fixed(tuple(intervals.truth(k in kinds) for k in range(self.compiler.deck.size)))
        values = self.compiler.fixed(tuple((int(w), int(w)) for w in weights))
        if e.op is Op.SUM:
            return f"weigh({bag}, {tests}, {values})"
        return f"most_of({bag}, {tests}, {values})"

    def _over_members(self, e: Expr) -> str:
        coll = e.args[0]
        many = self.emit(coll)
        name = self.bind(e)
        where = self.emit(e.args[1])
        body = self.emit(e.args[2]) if len(e.args) > 2 else ""  # noqa: PLR2004 - the body is the third part
        outer = f"for m{name} in ({many},)"
        extra = f"m{name}.extra" if coll.type in (GROUPS, PARTS) else "0"

        def members(asked: str) -> str:
            known = f"[{asked} for {name} in m{name}.known], {extra}"
            further = f", [({asked}, n{name}) for {name}, n{name} in m{name}.maybe]"
            return known + (further if coll.type == GROUPS else "")

        match e.op:
            case Op.COUNT:
                found = f"count_members({members(where)})"
            case Op.ANY:
                found = f"positive(count_members({members(where)}))"
            case Op.ALL:
                found = f"nothing(count_members({members(f'and_({where}, not_({body}))')}))"
            case _:
                helper = "sum_members" if e.op is Op.SUM else "most_members"
                found = f"{helper}({members(f'({where}, {body})')})"
        return f"[{found} {outer}][0]"

    def fold(self, e: Expr, variable: str, kind: int) -> Any:  # noqa: ANN401 - a number or a truth value
        """Evaluate for one kind of card what depends on the kind alone."""
        return Walk(self.compiler.meaning, NO_STATE, NO_CONTEXT, -1, -1, {variable: kind}).value(e)


def surely_a_card(e: Expr) -> bool:
    """Ask whether what is not known here is at least some card, and not perhaps the top of an empty stack."""
    return e.op is Op.CONTEXT or (e.op is Op.CALL and e.args[0].op is Op.ZONE and not e.args[0].args)
