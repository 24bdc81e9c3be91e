"""A rule set made ready to run: its clauses sorted by what they are on, their expressions turned into functions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from canasta.kernel.cards import Deck
from canasta.kernel.ready import Ready
from canasta.kernel.shapes import Form, Shapes, beginnings, begun_within, layable_of, most_of, reachable
from canasta.kernel.state import NOBODY, Context, Group, State, state_class
from canasta.language.dependence import PURE
from canasta.language.ruleset import (
    Act,
    Bound,
    Definition,
    Duty,
    Effect,
    Ending,
    Owner,
    Phase,
    Requirement,
    Ruleset,
    Score,
    Seen,
    Structure,
    Variable,
    Zone,
)
from canasta.language.ruleset import Form as PlaceForm
from canasta.language.settling import looks_at_play
from canasta.language.types import BAG, Expr, Op, Statement, StatementOp

Function = Callable[[State, Context, int, int], Any]

MOST_OF_A_BODY: Final = 40
"""With more cards of one body than this nothing is worked out about how they could be laid."""


class Backend(Protocol):
    """Anything that gives an expression a meaning: the evaluator or a compiler."""

    def function(self, expr: Expr) -> Function:
        """Make a function of state, context, acting seat and its side."""
        ...

    def text(self, expr: Expr) -> str:
        """Write an expression as Python text, of the state ``S``, the context ``X``, ``seat`` and ``side``."""
        ...

    def fixed(self, value: Any) -> str:  # noqa: ANN401 - a constant of any sort
        """Give a constant a name that texts can use."""
        ...

    def executed(self, source: str, helpers: dict[str, Any]) -> dict[str, Any]:
        """Execute Python text that uses such texts and names, and these helpers; give the name space."""
        ...

    def functions(self, exprs: Iterable[Expr]) -> list[Function]:
        """Make functions of many expressions together, which takes half as long as one by one."""
        ...

    def conjunctions(self, wanted: "Iterable[Conjunction]") -> list[Function]:
        """Make for each conjunction one function that says whether all its demands are kept."""
        ...


class Conjunction(NamedTuple):
    """Demands that an act must keep, each with its condition; and how many cards the act leaves, if they may ask."""

    pairs: tuple[tuple[Expr | None, Expr], ...]
    left: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A demand: its clause and code, and its condition and what must hold, of which functions are made when they are asked for."""

    clause: str
    code: str
    when_expr: Expr | None
    that_expr: Expr
    backend: Backend
    chosen: bool = False
    """Whether it looks at the chosen card or option, so that it must be asked again for each."""

    @property
    def when(self) -> Function | None:
        """Whether the demand is made."""
        return None if self.when_expr is None else self.backend.function(self.when_expr)

    @property
    def that(self) -> Function:
        """Whether it is kept."""
        return self.backend.function(self.that_expr)


@dataclass(frozen=True, slots=True, eq=False)
class Doing:
    """An effect or duty: its condition, of which a function is made when it is asked for, and its statements."""

    clause: str
    when_expr: Expr | None
    do: tuple[Statement, ...]
    backend: Backend
    each_seat: bool = False

    @property
    def when(self) -> Function | None:
        """Whether it is due."""
        return None if self.when_expr is None else self.backend.function(self.when_expr)


class Item(NamedTuple):
    """A line of the ledger made ready."""

    clause: str
    item: str
    each_seat: bool
    when: Function | None
    points: Function


class MatchEnding(NamedTuple):
    """What ends a match: its clause, whether it has come to that, and the figure by which the highest wins."""

    clause: str
    when: Function
    winner: Function
    by_seat: bool


class EffectOrderError(ValueError):
    """Effects whose stated order is a circle."""


@dataclass(slots=True, eq=False, repr=False)
class Machine:
    """A rule set made ready to run on one deck with one backend."""

    ruleset: Ruleset
    deck: Deck
    backend: Backend
    shapes: Shapes = field(init=False)
    state_type: type[State] = field(init=False)
    phases: tuple[Phase, ...] = field(init=False)
    zones: tuple[Zone, ...] = field(init=False)
    act_names: tuple[str, ...] = field(init=False)
    part_zones: tuple[tuple[int, Owner], ...] = field(init=False)
    united_zones: frozenset[int] = field(init=False)
    """The zones in which groups may be united."""
    checks: dict[str, tuple[Check, ...]] = field(init=False)
    keeps: Ready[str, Function] = field(init=False)
    """For each act whether it keeps every demand."""
    keeps_fixed: Ready[str, Function] = field(init=False)
    """For each act on a chosen card whether it keeps those demands that do not look at the card."""
    keeps_chosen: Ready[str, Function | None] = field(init=False)
    """For each act on a chosen card whether it keeps those demands that look at the card and at more; None where there are none."""
    card_masks: Ready[str, tuple[bool, ...]] = field(init=False)
    """For each act the kinds of card that keep every demand which looks at the chosen card and nothing else."""
    bounds: tuple[tuple[Check, ...], ...] = field(init=False)
    effects: dict[str, tuple[Doing, ...]] = field(init=False)
    duties: dict[str, tuple[Doing, ...]] = field(init=False)
    only_fills: tuple[bool, ...] = field(init=False)
    lefts: Ready[str, Function | None] = field(init=False)
    """For each act what says how many cards it leaves, where the rules do."""
    refusals: dict[str, tuple[str, str]] = field(init=False)
    deals_by_play: bool = field(init=False)
    """Whether that depends on how the deal went."""
    closing: frozenset[str] = field(init=False)
    """The acts that may end a turn or the deal, and below the effects that do when they are due."""
    closers: dict[str, tuple[Doing, ...]] = field(init=False)
    nested_closers: frozenset[str] = field(init=False)
    """The acts that may end a turn by a statement within another, which only carrying them out can tell."""
    easy_first: tuple[tuple[Act, ...], ...] = field(init=False)
    """The acts of each phase, those first whose legality is quickly known."""
    hidden: tuple[int, ...] = field(init=False)
    """The stacks of the table that nobody sees."""
    hand: int = field(init=False)
    _definitions: dict[str, Definition] = field(init=False)
    _kinds: dict[int, list[bool]] = field(default_factory=dict)
    _choosing: dict[str, bool] = field(default_factory=dict)
    """Of each definition that was looked at, whether it looks at what an act chooses."""
    _items: tuple[Item, ...] | None = None
    _endings: tuple[MatchEnding, ...] | None = None

    def __post_init__(self) -> None:
        """Sort the clauses by what they are on."""
        rules = self.ruleset
        self._definitions = rules.definitions
        owners = {Owner.TABLE: 0, Owner.SEAT: rules.table.seats, Owner.SIDE: len(rules.table.sides)}
        self.state_type = state_class(
            tuple((_zone_shape(z), owners[z.of]) for z in rules.zones.values()),
            tuple((_variable_shape(v), owners[v.of]) for v in rules.state.values()),
        )
        self.phases = tuple(rules.phases.values())
        self.zones = tuple(rules.zones.values())
        self.act_names = tuple(rules.acts)
        into = dict.fromkeys(a.into for a in rules.acts.values() if a.into)
        self.part_zones = tuple((rules.zones[name].index, rules.zones[name].of) for name in into)
        self.united_zones = frozenset(
            rules.zones[a.into].index for a in rules.acts.values() if a.choose == "groups" and a.into
        )
        self.hand = rules.zones[rules.table.hand].index
        names = [*rules.acts, "setup", "turn", "stuck"]
        self.checks = {a: self._checks_on(a) for a in rules.acts}
        self.keeps = Ready(self._keeps)
        self.keeps_fixed, self.keeps_chosen = Ready(self._keeps_fixed), Ready(self._keeps_chosen)
        self.card_masks = Ready(self._mask)
        self.effects = {a: self._effects_on(a) for a in names}
        self.duties = {
            a: tuple(Doing(d.id, d.when, d.do, self.backend, d.each_seat) for d in rules.of_kind(Duty) if a in d.on)
            for a in names
        }
        self.lefts = Ready(lambda act: self._function(rules.acts[act].left))
        self.refusals = {s.refuses: (s.id, s.code) for s in rules.of_kind(Structure)}
        self.deals_by_play = (deals := self._says_who_deals()) is not None and looks_at_play(rules, deals)
        self.closing = frozenset(a for a in rules.acts if any(_closes(s) for d in self.effects[a] for s in d.do))
        self.closers = {
            a: tuple(d for d in self.effects[a] if any(s.op in (StatementOp.TURN, StatementOp.END) for s in d.do))
            for a in rules.acts
        }
        self.nested_closers = frozenset(
            a for a in rules.acts
            if any(s.body is not None and _closes(s.body) for d in self.effects[a] for s in d.do)
        )  # fmt: skip
        self.easy_first = tuple(
            tuple(sorted((rules.acts[a] for a in phase.acts), key=lambda act: (act.lays, act.safe)))
            for phase in self.phases
        )
        self.hidden = tuple(
            z.index for z in self.zones if z.seen is Seen.NONE and z.of is Owner.TABLE and z.form is PlaceForm.STACK
        )
        self._make_shapes()

    @property
    def items(self) -> tuple[Item, ...]:
        """The lines of the ledger in the order of the rule set."""
        if self._items is None:
            scores = list(self.ruleset.of_kind(Score))
            self.backend.functions(e for s in scores for e in (s.when, s.points) if e is not None)
            self._items = tuple(
                Item(s.id, s.item, s.each_seat, self._function(s.when), self.backend.function(s.points)) for s in scores
            )
        return self._items

    @property
    def endings(self) -> tuple[MatchEnding, ...]:
        """What ends a match, in the order of the rule set."""
        if self._endings is None:
            made = self.backend.function
            self._endings = tuple(
                MatchEnding(e.id, made(e.when), made(e.winner), e.each_seat) for e in self.ruleset.of_kind(Ending)
            )
        return self._endings

    @property
    def deals(self) -> Function | None:
        """Who deals the next deal, where the rules say so; else the deal passes to the next seat."""
        return self._function(self._says_who_deals())

    def _says_who_deals(self) -> Expr | None:
        return next((s.deals for s in self.ruleset.of_kind(Structure) if s.deals is not None), None)

    # -- what an act must keep, made ready when it is first asked -----------------------------------------------------

    def _keeps(self, act: str) -> Function:
        if self.ruleset.acts[act].choose != "card":
            return self._made(self.checks[act], self.ruleset.acts[act].left)
        fixed, mask, chosen = self.keeps_fixed[act], self.card_masks[act], self.keeps_chosen[act]

        def keeps(state: State, context: Context, seat: int, side: int) -> bool:
            if not mask[context.card] or not fixed(state, context, seat, side):
                return False
            return chosen is None or bool(chosen(state, context, seat, side))

        return keeps

    def _keeps_fixed(self, act: str) -> Function:
        return self._made((c for c in self.checks[act] if not c.chosen), self.ruleset.acts[act].left)

    def _keeps_chosen(self, act: str) -> Function | None:
        looking = [c for c in self.checks[act] if c.chosen and not self._constant(c)]
        return self._made(looking, None) if looking else None

    def _made(self, checks: Iterable[Check], left: Expr | None) -> Function:
        """Make one function of demands that are always asked together."""
        (made,) = self.backend.conjunctions([_joined(checks, left)])
        return made

    def _make_shapes(self) -> None:
        """Make the shapes ready for the deck, with the bounds on each."""
        self.bounds = tuple(self._bounds_of(s) for s in self.ruleset.shapes)
        checks = [c for found in self.bounds for c in found]
        self.backend.functions(e for c in checks for e in (c.when_expr, c.that_expr) if e is not None)
        self.shapes = Shapes(self.deck, tuple(self._form(i, n) for i, n in enumerate(self.ruleset.shapes)))
        forms = self.shapes.forms
        self.only_fills = tuple(
            any(f.filler[k] for f in forms) and not any(f.body[k] for f in forms) for k in range(self.deck.size)
        )

    def own_zones(self, state: State) -> list[tuple[int, int]]:
        """List the zones into which the acting seat may lay parts, each with its owner there."""
        seat = state.seat
        owners = {Owner.TABLE: NOBODY, Owner.SEAT: seat, Owner.SIDE: state.side_of[seat]}
        return [(index, owners[of]) for index, of in self.part_zones]

    def _function(self, expr: Expr | None) -> Function | None:
        return None if expr is None else self.backend.function(expr)

    def _checks_on(self, act: str) -> tuple[Check, ...]:
        return tuple(
            Check(c.id, d.code, c.when, d.that, self.backend, self._chosen(c.when, d.that))
            for c in self.ruleset.of_kind(Requirement) if act in c.on for d in c.require
        )  # fmt: skip

    def _chosen(self, *exprs: Expr | None) -> bool:
        return any(self._looks_at_choice(e) for e in exprs if e is not None)

    def _looks_at_choice(self, expr: Expr) -> bool:
        if expr.op is Op.CONTEXT and expr.ref in ("card", "option"):
            return True
        if expr.op is Op.DEFINE:
            if expr.ref not in self._choosing:
                self._choosing[expr.ref] = self._looks_at_choice(self._definitions[expr.ref].body)
            if self._choosing[expr.ref]:
                return True
        return any(self._looks_at_choice(x) for x in expr.args)

    def _constant(self, check: Check) -> bool:
        return all(_only_the_card(e) for e in (check.when_expr, check.that_expr) if e is not None)

    def _mask(self, act: str) -> tuple[bool, ...]:
        context, nowhere = Context(), State.__new__(State)
        checks = [c for c in self.checks[act] if c.chosen and self._constant(c)]
        mask: list[bool] = []
        for kind in range(self.deck.size):
            context.card = kind
            asked = [c for c in checks if c.when is None or c.when(nowhere, context, NOBODY, NOBODY)]
            mask.append(all(c.that(nowhere, context, NOBODY, NOBODY) for c in asked))
        return (*mask, True)

    def _effects_on(self, act: str) -> tuple[Doing, ...]:
        clauses = [e for e in self.ruleset.of_kind(Effect) if act in e.on]
        earlier = {c.id: set(c.after) | {o.id for o in clauses if c.id in o.before} for c in clauses}
        placed: list[Effect] = []
        while clauses:
            waiting = {c.id for c in clauses}
            ready = next((c for c in clauses if not waiting & earlier[c.id]), None)
            if ready is None:
                raise EffectOrderError(f"the effects on {act} wait for each other: {', '.join(sorted(waiting))}")
            clauses.remove(ready)
            placed.append(ready)
        return tuple(Doing(e.id, e.when, e.do, self.backend) for e in placed)

    def _bounds_of(self, shape: str) -> tuple[Check, ...]:
        return tuple(
            Check(b.id, d.code, b.when, d.that, self.backend)
            for b in self.ruleset.of_kind(Bound) if b.shape == shape for d in b.require
        )  # fmt: skip

    def _form(self, index: int, name: str) -> Form:
        shape, deck = self.ruleset.shapes[name], self.deck
        nothing = (False,) * (deck.size + 1)
        body = (*deck.classes[shape.body], False) if shape.body else nothing
        filler = (*deck.classes[shape.filler], False) if shape.filler else nothing
        most_body = sum(n for k, n in enumerate(deck.copies) if body[k])
        if shape.order:
            most_body = len(shape.order)
        elif shape.same == "rank":
            by_rank = [
                sum(n for k, n in enumerate(deck.copies) if body[k] and deck.rank[k] == r) for r in set(deck.rank)
            ]
            most_body = max(by_rank)
        most_filler = sum(n for k, n in enumerate(deck.copies) if filler[k])
        allowed = tuple(
            tuple(not self.broken_bounds(index, b, f) for f in range(most_filler + 1)) for b in range(most_body + 1)
        )
        column = {"suit": deck.suit, "rank": deck.rank}.get(shape.same, (NOBODY,) * deck.size)
        kinds = [k for k in range(deck.size) if body[k]]
        keys = dict.fromkeys(column[k] for k in kinds)
        bodies = tuple((key, tuple(k for k in kinds if column[k] == key)) for key in keys)
        wanted = beginnings(allowed, grows=shape.grows)
        return Form(
            index, name, body, filler, shape.same, shape.order, shape.grows, column, allowed, reachable(allowed),
            wanted,
            bodies, dict(bodies), tuple(k for k in range(deck.size) if filler[k] and not body[k]), begun_within(allowed),
            layable_of(allowed, min(MOST_OF_A_BODY, most_body)), most_of(allowed),
            min((b + f for b, f in wanted), default=1),
        )  # fmt: skip

    def broken_bounds(self, shape: int, body: int, filler: int) -> list[Check]:
        """List the bounds that so many body cards and fillers do not keep."""
        context = Context()
        context.group = group = Group(0, shape, 0, [])
        group.size, group.body, group.filler = body + filler, body, filler
        nowhere = State.__new__(State)
        return [
            c for c in self.bounds[shape]
            if (c.when is None or c.when(nowhere, context, -1, -1)) and not c.that(nowhere, context, -1, -1)
        ]  # fmt: skip

    def kinds_where(self, statement: Statement) -> list[bool]:
        """Find the kinds of card that a statement's condition on one card holds for."""
        found = self._kinds.get(id(statement))
        if found is None:
            condition, context, nowhere = self.backend.function(statement.exprs[0]), Context(), State.__new__(State)
            found = self._kinds[id(statement)] = []
            for kind in range(self.deck.size):
                context.bound = {statement.name: kind}
                found.append(bool(condition(nowhere, context, -1, -1)))
            found.append(False)
        return found

    def act(self, name: str) -> Act:
        """Find an act by name."""
        return self.ruleset.acts[name]


def _joined(checks: Iterable[Check], left: Expr | None) -> Conjunction:
    return Conjunction(tuple((c.when_expr, c.that_expr) for c in checks), left)


def _only_the_card(expr: Expr) -> bool:
    if expr.op is Op.CONTEXT:
        return expr.ref == "card"
    return expr.op in PURE and all(_only_the_card(x) for x in expr.args)


def _closes(statement: Statement) -> bool:
    if statement.op in (StatementOp.TURN, StatementOp.END):
        return True
    return statement.body is not None and _closes(statement.body)


def _variable_shape(variable: Variable) -> str:
    if variable.of is Owner.TABLE:
        return "list" if variable.type == BAG else "number"
    return "lists" if variable.type == BAG else "list"


def _zone_shape(zone: Zone) -> str:
    single = "stack" if zone.form is PlaceForm.STACK else "list"
    return single if zone.of is Owner.TABLE else f"{single}s"
