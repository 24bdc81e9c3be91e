"""A game that is watched while it is played: whenever it asks an expression, the goals that this reaches are noted.

Only what is really asked counts, not what the look ahead asks of turns that nobody plays.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, cast

from canasta.games import load_ruleset
from canasta.kernel.by_function import ByFunction
from canasta.kernel.cards import Deck
from canasta.kernel.game import Game
from canasta.kernel.listing import Listing
from canasta.kernel.machine import Function
from canasta.kernel.state import Context, State
from canasta.language.compiler import Compiler
from canasta.language.interval_compiler import IntervalCompiler
from canasta.language.kinds import deck_of
from canasta.language.ruleset import Bound, Requirement, Ruleset, Score
from canasta.language.types import Expr
from canasta_conformance.finding.goals import Aim, Goal, Site, nodes, sites
from canasta_conformance.finding.twisting import UNIT, Asked, Twist, Twisted

MOST_TRIES: Final = 4000
"""So often an expression is asked in vain for a goal, and then no more."""


FAR: Final = frozenset({Aim.BELOW, Aim.ABOVE, Aim.ROW_BEFORE})
"""Aims beside a bound, which may be reached from farther away."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A goal that was reached: at which node's reach, and by which demand, if it was one; whether the demand was broken."""

    goal: Goal
    reach: int
    demand: tuple[str, str] | None = None
    broken: bool = False


@dataclass(slots=True, eq=False)
class Root:
    """An expression that is asked as a whole: by which clause, and what it stands beside."""

    expr: Expr
    owner: Requirement | Bound | Score | None = None
    """The clause, where its condition and its content are weighed together."""
    code: str = ""
    """The code of a demand; empty for a condition."""
    sites: list[Site] | None = None


@dataclass(slots=True, eq=False)
class Watch:
    """What is still to be shown of a rule set, and what the game that is being played has shown."""

    ruleset: Ruleset
    open: dict[str, list[Site]]
    """The sites with goals that are not reached yet, by clause."""
    hits: list[Hit] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)
    """The clauses whose expressions were asked at all."""
    on: bool = False
    tried: dict[Goal, int] = field(default_factory=dict)
    done: set[tuple[Goal, int]] = field(default_factory=set)
    """Goals that are reached, at which reach; a nearer one is still looked for."""

    def wanted(self, site: Site) -> Iterator[tuple[Goal, int]]:
        """Go through what is still wanted of a site: each goal at the nearest reach first."""
        for goal in site.goals:
            if self.tried.get(goal, 0) > MOST_TRIES:
                continue
            for reach in UNIT if goal.aim in FAR else UNIT[:1]:
                if (goal, reach) in self.done:
                    break
                yield goal, reach


class Watched(ByFunction):
    """The compiler, with every function watched."""

    def __init__(self, watch: Watch, deck: Deck) -> None:
        """Sort the expressions of the rules by what they stand beside."""
        super().__init__()
        self.watch, self.ruleset, self.deck = watch, watch.ruleset, deck
        self._made: dict[int, Function] = {}
        self.compiler, self.twisted = Compiler(self.ruleset, deck), Twisted(self.ruleset, deck)
        self.roots: dict[int, Root] = {}
        self.keep: list[Expr] = []
        for clause in self.ruleset.clauses.values():
            if isinstance(clause, Requirement | Bound):
                if clause.when is not None:
                    self.roots[id(clause.when)] = Root(clause.when, clause)
                for demand in clause.require:
                    self.roots[id(demand.that)] = Root(demand.that, clause, demand.code)
            elif isinstance(clause, Score) and clause.when is not None:
                self.roots[id(clause.when)] = Root(clause.when, clause)

    def function(self, expr: Expr) -> Function:
        """Make a watched function."""
        if id(expr) not in self._made:
            self._made[id(expr)] = self._watched(expr)
        return self._made[id(expr)]

    def _watched(self, expr: Expr) -> Function:
        root = self.roots.setdefault(id(expr), Root(expr))
        self.keep.append(expr)
        inner, watch = self.compiler.function(expr), self.watch

        def watched(state: State, context: Context, seat: int, side: int) -> Any:  # noqa: ANN401 - what the expression gives
            value = inner(state, context, seat, side)
            if watch.on:
                watch.on = False
                try:
                    self._look(root, value, Asked(state, context, seat, side))
                finally:
                    watch.on = True
            return value

        return watched

    def _sites(self, root: Root) -> list[Site]:
        """List the sites that a root rests on, through the definitions that it names."""
        if root.sites is None:
            waiting, seen, reach = [root.expr], set[str](), set[int]()
            while waiting:
                for node in nodes(waiting.pop()):
                    reach.add(id(node))
                    if node.ref in self.ruleset.definitions and node.ref not in seen:
                        seen.add(node.ref)
                        waiting.append(self.ruleset.definitions[node.ref].body)
            root.sites = [s for found in self.watch.open.values() for s in found if id(s.expr) in reach]
        return root.sites

    def _look(self, root: Root, value: Any, asked: Asked) -> None:  # noqa: ANN401 - what the expression gives
        watch = self.watch
        if root.owner is not None and root.code:
            watch.reached.add(root.owner.id)
        open_ = [(site, wanted) for site in self._sites(root) if (wanted := list(watch.wanted(site)))]
        if not open_:
            return
        needed = self.twisted.needs(root.expr, asked)
        for site, wanted in open_:
            if id(site.expr) not in needed:
                continue
            watch.reached.update(goal.clause for goal, _ in wanted)
            for goal, reach in wanted:
                watch.tried[goal] = watch.tried.get(goal, 0) + 1
                other = self.twisted.otherwise(root.expr, Twist(site.expr, goal, reach), asked)
                if other != value:
                    watch.hits += self._matters(root, Hit(goal, reach), bool(value), asked)

    def _matters(self, root: Root, hit: Hit, value: bool, asked: Asked) -> Iterator[Hit]:  # noqa: FBT001 - what the expression gave
        """Say what comes of it that an expression came out otherwise: a demand is broken that was not, or the other way."""
        clause = root.owner
        if clause is None:
            yield hit
        elif isinstance(clause, Score):
            if self.compiler.function(clause.points)(*asked):
                yield hit
        elif root.code:
            yield replace(hit, demand=(clause.id, root.code), broken=not value)
        else:
            for demand in clause.require:
                if not self.compiler.function(demand.that)(*asked):
                    yield replace(hit, demand=(clause.id, demand.code), broken=value)


class _Unwatched:
    """The listing of a game, with nothing watched while it looks ahead."""

    def __init__(self, listing: Listing, watch: Watch) -> None:
        self._listing, self._watch = listing, watch

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the listing has
        found = getattr(self._listing, name)
        if not callable(found):
            return found

        def unwatched(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever it is given
            before, self._watch.on = self._watch.on, False
            try:
                return found(*arguments, **named)
            finally:
                self._watch.on = before

        return unwatched


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A game and the watch over it."""

    game: Game
    watch: Watch


def watched_game(name: str, watch: Watch) -> WatchedGame:
    """Make a rule set ready to play under a watch; what ``watch`` knows is shared by the same rules with other options."""
    ruleset = load_ruleset(name)
    deck = deck_of(ruleset)
    own = Watch(ruleset, _translated(watch, ruleset), watch.hits, watch.reached, tried=watch.tried, done=watch.done)
    game = Game(
        ruleset, deck, Watched(own, deck), partial(IntervalCompiler, ruleset, deck), partial(Compiler, ruleset, deck, explain=True)
    )  # fmt: skip
    game.listing = cast("Listing", _Unwatched(game.listing, own))
    game.turn.judge.runtime = game.listing
    return WatchedGame(game, own)


def _translated(watch: Watch, ruleset: Ruleset) -> dict[str, list[Site]]:
    """Find the sites of a watch in the same rules with other options, by their paths."""
    if ruleset is watch.ruleset:
        return watch.open
    wanted = {goal for found in watch.open.values() for site in found for goal in site.goals}
    return {
        clause: [s for s in sites(ruleset, ruleset.clauses[clause]) if set(s.goals) <= wanted]
        for clause in watch.open
        if clause in ruleset.clauses
    }
