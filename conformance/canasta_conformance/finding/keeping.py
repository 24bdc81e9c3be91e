"""What a turn keeps and breaks: the demands that are asked of it, what the game itself could have refused, the clauses it rests on.

Only what the turn really does counts, and what a play that is settled by itself does; never what the look ahead tries.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from canasta.diagnostics import CanastaError
from canasta.games import load_ruleset
from canasta.kernel.acts import Move, Violation
from canasta.kernel.effects import Effects
from canasta.kernel.game import Game
from canasta.kernel.listing import Listing
from canasta.kernel.machine import Check
from canasta.kernel.state import NOBODY, Context, State
from canasta.language.compiler import Compiler
from canasta.language.interval_compiler import IntervalCompiler
from canasta.language.kinds import deck_of
from canasta.language.ruleset import Custom, Effect, Structure
from canasta.language.types import Expr
from canasta.notation.position_text import parse_position
from canasta.playing.binding import play_turn
from canasta.playing.examples import UNSETTLED_SUIT, with_options
from canasta.playing.played import Played
from canasta.playing.positions import to_state
from canasta.playing.unfinished import stranded
from canasta_conformance.finding.sketch import Options, Sketch
from canasta_conformance.finding.twisting import Asked, Twisted

T = TypeVar("T")


class Point(NamedTuple):
    """A point that a turn is judged by: a clause and its code; of what the game itself may refuse, the act as well."""

    clause: str
    code: str
    act: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """What comes of a turn: the points that it breaks, those that it keeps, and the clauses that this rests on."""

    broken: frozenset[Point] = frozenset()
    kept: frozenset[Point] = frozenset()
    touched: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Notes:
    points: set[Point] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)


class _Noting(Effects):
    """The effects of a game; before those of an act come about, it is noted what the act was judged by."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.machine)
        self.game, self.on, self.notes = game, False, _Notes()
        self.twisted = Twisted(game.ruleset, game.deck)
        self.bodies = {id(d.body): d.id for d in game.ruleset.definitions.values()}

    def noted(self, play: Callable[[], T]) -> T:
        """Play something, and note what it is judged by."""
        self.on = True
        try:
            return play()
        finally:
            self.on = False

    def run(self, name: str, state: State, context: Context, seat: int, leave: frozenset[str] = frozenset()) -> None:
        """Note what an act is judged by, and carry out what stands on it."""
        if self.on and seat >= 0:
            self.on = False
            try:
                if name in self.machine.ruleset.acts:
                    self._act(name, state, seat, context)
                for effect in self.machine.ruleset.of_kind(Effect):
                    if name in effect.on:
                        self.notes.touched.add(effect.id)
            finally:
                self.on = True
        super().run(name, state, context, seat, leave)

    def _act(self, name: str, state: State, seat: int, context: Context) -> None:
        judge = self.game.turn.judge
        for act, part, group in judge.answering(state, Move(name, seat)):
            for clause in self.machine.ruleset.of_kind(Structure):
                self.notes.points.add(Point(clause.id, clause.code, _deed(self.game, act)))
                self.notes.touched.add(clause.id)
            asked = context
            if part is not None and group is not None:
                asked = judge.context_of_part(part, group)
                if group.shape != NOBODY:
                    self._checks(self.machine.bounds[group.shape], Asked(state, asked, seat, state.side_of[seat]))
            self._checks(self.machine.checks[act], Asked(state, asked, seat, state.side_of[seat]))

    def _checks(self, checks: tuple[Check, ...], asked: Asked) -> None:
        for check in checks:
            if (check.when is None or check.when(*asked)) and check.that(*asked):
                self.notes.points.add(Point(check.clause, check.code))
                self.notes.touched.add(check.clause)
                for expr in (check.when_expr, check.that_expr):
                    if expr is not None:
                        self._rests_on(expr, asked)

    def _rests_on(self, expr: Expr, asked: Asked) -> None:
        needed = self.twisted.needs(expr, asked)
        self.notes.touched.update(clause for body, clause in self.bodies.items() if body in needed)


class _Quiet:
    """The listing of a game, which looks ahead by acts that nobody does."""

    def __init__(self, listing: Listing, noting: _Noting) -> None:
        self._listing, self._noting = listing, noting

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the listing has
        found = getattr(self._listing, name)
        return partial(self._quietly, found) if callable(found) else found

    def _quietly(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever it is given
        before, self._noting.on = self._noting.on, False
        try:
            return function(*arguments, **named)
        finally:
            self._noting.on = before


class Keeping:
    """Plays turns of a rule set and tells what they keep and break."""

    def __init__(self, name: str) -> None:
        """Open nothing yet: a game is opened for each choice of options."""
        self.name = name
        self._games: dict[Options, tuple[Game, _Noting]] = {}

    def of(self, sketch: Sketch) -> Kept | None:
        """Play the turn of a sketch; nothing where it cannot be played, or what comes of it stays open."""
        try:
            game, noting = self._game(tuple(sorted(sketch.options.items())))
            position, _ = parse_position(sketch.given, "sketch")
            if position is None:
                return None
            state = to_state(game, position)
            noting.notes = _Notes()
            broken = _broken(game, state, sketch)
            if not broken:
                broken = noting.noted(lambda: _broken(game, state, sketch))
        except (CanastaError, ValueError, KeyError, IndexError, StopIteration):
            return None
        if broken is None:
            return None  # it stays open
        return Kept(broken, frozenset(noting.notes.points), _with_sums(game, noting.notes.touched))

    def _game(self, options: Options) -> tuple[Game, _Noting]:
        if options not in self._games:
            rules = load_ruleset(with_options(self.name, dict(options)))
            deck = deck_of(rules)
            game = Game(
                rules, deck, Compiler(rules, deck), partial(IntervalCompiler, rules, deck),
                partial(Compiler, rules, deck, explain=True),
            ).without_reasons()  # fmt: skip
            noting = _Noting(game)
            game.turn.effects = noting
            game.listing = cast("Listing", _Quiet(game.listing, noting))
            game.turn.judge.runtime = game.listing
            self._games[options] = game, noting
        return self._games[options]


def _broken(game: Game, state: State, sketch: Sketch) -> frozenset[Point] | None:
    """Play a turn to its end: every point that it breaks; nothing where that is not certain."""
    played = play_turn(game, state, sketch.acts)
    if any(d.id != UNSETTLED_SUIT for d in played.findings):
        return None
    after, forced = played.state, tuple[Violation, ...]()
    if played.stopped is None and after.draft:
        after, forced = game.turn.force_pending(after, Move("", after.seat))
    found = (*played.violations, *forced)
    if not found and played.stopped is None:
        found = stranded(game, state, after)
    certain = [violation for violation in found if violation.certain]
    if (found and not certain) or (not found and (after.draft or played.stopped is not None)):
        return None
    return frozenset(_point(game, violation, played) for violation in certain)


def _point(game: Game, violation: Violation, played: Played) -> Point:
    if not isinstance(game.ruleset.clauses.get(violation.clause), Structure):
        return Point(violation.clause, violation.code)
    # What nobody can go on after has no act of its own: it is the last one that was done.
    return Point(violation.clause, violation.code, _deed(game, violation.act or played.steps[-1].move.act))


def _deed(game: Game, act: str) -> str:
    """Name an act as it is written: what is written alike is one thing to do, whichever act it is in a phase."""
    found = game.ruleset.acts.get(act)
    return (found and found.written) or act


def _with_sums(game: Game, touched: set[str]) -> frozenset[str]:
    """Add the clauses that only sum up what others decide, of which one is touched."""
    sums = {c.id for c in game.ruleset.of_kind(Custom) if not c.follows_from or touched & set(c.follows_from)}
    return frozenset(touched | sums)
