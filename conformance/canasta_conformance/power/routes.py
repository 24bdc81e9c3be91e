"""Routes: by which ways the cases of the suite come to a rule.

Programs check a rule on one way and forget it on another. So it is not enough that a rule has a case; each way that leads to it
needs one. The ways of a case are found where the rule decides in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from canasta.games import load_ruleset, open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.machine import Check, Function
from canasta.kernel.state import Context, State
from canasta.language.loading import Loaded, load_document
from canasta.language.ruleset import Requirement, Ruleset
from canasta.playing.examples import with_options
from canasta.playing.seats import seats_of
from canasta.playing.to_the_letter import play_acts
from canasta_conformance.inprocess.acts import action_of
from canasta_conformance.inprocess.positions import to_state
from canasta_conformance.power.sides import codes_of
from canasta_conformance.power.ways import Map, Way, condition, own_requirements, wanted
from canasta_conformance.suite import Case, Suite

NAMELESS = ""
"""An act that is none: what is due by itself before any other act is due before it, too."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A moment at which a clause decided: whether it held, and the ways that had led there."""

    clause: str
    code: str
    held: bool
    ways: tuple[Way, ...]


@dataclass(slots=True)
class Asked:
    """The clauses of one game of which ways are told, ready to be asked."""

    game: Game
    ways: Mapping[str, Sequence[tuple[Way, Function]]]

    def decisions(self, before: State, move: Move) -> Iterator[Decision]:
        """Go through the clauses that decide about an act; a commit answers for what was laid before it."""
        judge, machine = self.game.turn.judge, self.game.machine
        phase = machine.phases[before.phase].name
        for act, part, group in judge.answering(before, move):
            context = (
                judge.context(before, move) if part is None or group is None else judge.context_of_part(part, group)
            )
            for check in machine.checks[act]:
                if check.clause in self.ways:
                    yield from self._decision(check, before, context, move.seat, (act, phase))

    def _decision(
        self, check: Check, state: State, context: Context, seat: int, at: tuple[str, str]
    ) -> Iterator[Decision]:
        side = state.side_of[seat]
        if check.when is not None and not check.when(state, context, seat, side):
            return
        act, phase = at
        gone = tuple(
            way
            for way, so in self.ways[check.clause]
            if act in way.at and way.phase in ("", phase) and so(state, context, seat, side)
        )
        yield Decision(check.clause, check.code, bool(check.that(state, context, seat, side)), gone)

    def of_turn(self, state: State, actions: Sequence[dict[str, Any]], actor: int | None) -> Iterator[Decision]:
        """Go through the decisions about a turn, act by act; what follows by itself is decided where it follows."""
        turn = self.game.turn
        played = play_acts(self.game, state, [action_of(act) for act in actions], actor)
        for step in played.steps:
            here, due = self._forced(step.before, step.move)
            yield from due
            if self.game.ruleset.acts[step.move.act].lays:
                yield from self._of_itself(turn.laid(here, step.move))
            else:
                yield from self.decisions(here, step.move)
        if played.stopped is None and played.state.draft:
            yield from self._forced(played.state, Move(NAMELESS, played.state.seat))[1]

    def _of_itself(self, laid: State) -> Iterator[Decision]:
        """Decide what follows by itself once cards are laid, where it may."""
        moves = (Move(act, laid.seat) for act in self.game.machine.phases[laid.phase].auto)
        move = next((move for move in moves if self.game.turn.judge.legal(laid, move)), None)
        yield from () if move is None else self.decisions(laid, move)

    def _forced(self, state: State, move: Move) -> tuple[State, list[Decision]]:
        """Give the state after what is due before an act, and what is decided about that."""
        after, _ = self.game.turn.force_pending(state, move)
        if after is state:
            return state, []
        due = Move(self.game.machine.phases[state.phase].auto[0], state.seat)
        return after, list(self.decisions(state, due))


def asked_in(told: Map, game: Game, clauses: Sequence[Requirement]) -> Asked:
    """Make the ways to some clauses of a game ready to be asked."""
    ready: dict[str, list[tuple[Way, Function]]] = {}
    for clause in clauses:
        for way in told.ways_to(clause.id):
            so = condition(game.ruleset, clause, way)
            if so is not None:
                ready.setdefault(clause.id, []).append((way, game.backend.function(so)))
    return Asked(game, ready)


@dataclass(slots=True)
class Row:
    """What the suite asks of a clause in a rule set: by each way, the cases in which it alone is broken, and those in which it is kept."""

    ruleset: str
    clause: str
    title: str
    codes: tuple[str, ...]
    varies: bool
    """Whether the rule set is a variant of another one."""
    ways: tuple[str, ...]
    """The ways whose words the rule set has."""
    wanted: tuple[str, ...]
    """Those of them by which the rule set must be asked."""
    wrong: dict[str, list[str]] = field(default_factory=dict)
    legal: dict[str, list[str]] = field(default_factory=dict)

    @property
    def holes(self) -> tuple[str, ...]:
        """The ways by which it must be asked, and is not."""
        return tuple(way for way in self.wanted if not self.wrong.get(way))

    def add(self, case: Case, decision: Decision) -> None:
        """Note a case under the ways by which it came to the clause."""
        into = self.legal if decision.held else self.wrong
        for way in decision.ways:
            if case.id not in into.setdefault(way.name, []):
                into[way.name].append(case.id)


@cache
def rules_and_text(name: str) -> tuple[Ruleset, Loaded]:
    """Read a rule set as it is played and as it is written.

    Raises:
        CanastaError: when there is no such rule set.
    """
    return load_ruleset(name), load_document(name)


def rows(told: Map, suite: Suite) -> list[Row]:
    """Read every rule set of the suite, clause by clause in the order of the map."""
    order = [clause for sort in told.sorts for clause in sort.clauses]
    found = [row for name in suite.rules for row in _rows_of(told, name, suite)]
    return sorted(found, key=lambda row: order.index(row.clause))


def _rows_of(told: Map, name: str, suite: Suite) -> list[Row]:
    rules, loaded = rules_and_text(name)
    clauses = [clause for clause in own_requirements(rules, loaded) if told.sort_of(clause.id)]
    found = {clause.id: _row(told, rules, loaded, clause) for clause in clauses}
    games: dict[str, Asked] = {}
    for case in suite.cases.values():
        if case.ruleset != name or not found:
            continue
        options = with_options(name, dict(case.options))
        if options not in games:
            games[options] = asked_in(told, open_game(options, by_face=True), clauses)
        for decision in decisions(games[options], case):
            found[decision.clause].add(case, decision)
    return list(found.values())


def _row(told: Map, rules: Ruleset, loaded: Loaded, clause: Requirement) -> Row:
    ways = tuple(w.name for w in told.ways_to(clause.id) if condition(rules, clause, w) is not None)
    asked = tuple(w.name for w in wanted(told, rules, loaded, clause))
    return Row(loaded.base, clause.id, clause.title, tuple(sorted(codes_of(clause))), bool(loaded.lineage), ways, asked)


def decisions(asked: Asked, case: Case) -> Iterator[Decision]:
    """Go through what the clauses decide in a case: all that were kept where it is legal, the one that is broken where nothing else is."""
    form = next((f for f in case.forms if f.level == 1 and "turn" in f.operations), None)
    if form is None:
        return
    load, turn = form.exchanges[0].send, form.exchanges[1].send
    codes = form.exchanges[1].expect.get("codes", [])
    if len(codes) > 1:
        return  # what is wrong for several reasons shows nothing about any of them
    seat = seats_of(asked.game.ruleset.table).seat(turn["seat"])
    for one in asked.of_turn(to_state(asked.game, load["position"]), turn["acts"], seat):
        if one.held is not bool(codes) and (one.held or one.code in codes):
            yield one
