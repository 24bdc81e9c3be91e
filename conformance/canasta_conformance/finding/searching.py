"""The search: examples are changed a little, again and again, and what reaches a goal that nothing reached before is kept.

The same seed and number of tries find the same. What was found before is tried first, so that nothing is lost or renamed
without need.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import CanastaError
from canasta.games import load_ruleset, open_game
from canasta.language.loading import load_document
from canasta.language.merging import OriginKind
from canasta.playing.examples import with_options
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.finding.changing import Vocabulary, changed, vocabulary
from canasta_conformance.finding.goals import Goal, sites
from canasta_conformance.finding.judging import Outcome, judged
from canasta_conformance.finding.plausible import plausible
from canasta_conformance.finding.reaching import Reaching
from canasta_conformance.finding.remembering import Found, Input, remembered
from canasta_conformance.finding.sketch import Options, Sketch, SketchError, read, sketch
from canasta_conformance.finding.watching import FAR, Hit, Watch, WatchedGame, watched_game
from canasta_conformance.generator.dealing import DealingError, dealt

STEPS: Final = (1, 1, 1, 2, 2, 3)
"""How many changes are made at once: mostly one, so that what is found stays near to an example."""


@dataclass(slots=True, eq=False)
class Base:
    """A sketch to begin from: whose it is, and which clauses its turn reaches."""

    clause: str
    name: str
    sketch: Sketch
    reached: frozenset[str] = frozenset()


@dataclass(slots=True)
class Kept:
    """A sketch that reaches goals: each with how near to its bound."""

    clause: str
    sketch: Sketch
    outcome: Outcome
    goals: dict[Goal, int] = field(default_factory=dict)


class Search:
    """The search through one rule set."""

    def __init__(self, name: str, seed: int = 1) -> None:
        """Collect the goals of the clauses that the rule set says itself, and the examples to begin from."""
        self.name, self.generator = name, SplitMix64(derive(seed, 0))
        self.ruleset = load_ruleset(name)
        self.own = [c for c in self.ruleset.clauses.values() if _own(name, c.id)]
        self.watch = Watch(self.ruleset, {c.id: list(sites(self.ruleset, c)) for c in self.own})
        self.games: dict[Options, WatchedGame] = {}
        self.ways: dict[Options, Reaching] = {}
        self.plain = self.game(()).game
        self.faces = open_game(name, by_face=True).deck
        self.words: Vocabulary = vocabulary(self.plain)
        self.bases: list[Base] = []
        self.kept: list[Kept] = []
        self.found = Found()

    # -- trying ------------------------------------------------------------------------------------------------------

    def game(self, options: Options) -> WatchedGame:
        """Open the game with the options of an example."""
        if options not in self.games:
            self.games[options] = watched_game(with_options(self.name, dict(options)), self.watch)
        return self.games[options]

    def attempt(self, tried: Sketch) -> tuple[Outcome, dict[Goal, int]] | None:
        """Carry a sketch out: what came of it, and the goals that it reaches by that alone."""
        try:
            table = self.game(tuple(sorted(tried.options.items())))
        except CanastaError:
            return None
        self.watch.hits.clear()
        self.watch.reached.clear()
        outcome = judged(table.game, tried, table.watch)
        if outcome is None:
            return None
        goals: dict[Goal, int] = {}
        for hit in self.watch.hits:
            if _decides(hit, outcome):
                goals[hit.goal] = min(hit.reach, goals.get(hit.goal, hit.reach))
        return outcome, goals

    def fits(self, tried: Sketch) -> bool:
        """Ask whether the pack has all the printed cards that a sketch names."""
        zones = {
            f"{name}.{owner}": [[str(c) for c in row] for row in rows] for (name, owner), rows in tried.cards.items()
        }
        try:
            dealt(zones, [], self.faces)
        except DealingError:
            return False
        return True

    def can_be(self, tried: Sketch) -> bool:
        """Ask whether play can come to a sketch."""
        options = tuple(sorted(tried.options.items()))
        try:
            if options not in self.ways:
                self.ways[options] = Reaching(open_game(with_options(self.name, dict(options))))
            return self.ways[options].can_be(tried)
        except CanastaError:
            return False

    def note(self, goals: dict[Goal, int]) -> None:
        """Note goals as reached."""
        self.watch.done.update((goal, reach) for goal, reach in goals.items())

    # -- what is there already ---------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Carry out every example: what it reaches for its own clause is shown, and what it reaches for others is linked."""
        links: list[tuple[Base, dict[Goal, int]]] = []
        own = {c.id for c in self.own}
        for clause in self.ruleset.clauses.values():
            for example in clause.examples:
                try:
                    base = Base(clause.id, f"{clause.id}/{example.id}", sketch(self.ruleset, example))
                except SketchError:
                    continue
                tried = self.attempt(base.sketch)
                if tried is None:
                    continue
                _, goals = tried
                base.reached = frozenset(self.watch.reached)
                self.bases.append(base)
                self.note({goal: reach for goal, reach in goals.items() if goal.clause == clause.id})
                if clause.id in own:
                    links.append((base, goals))
        for base, goals in links:
            others = {g: r for g, r in goals.items() if g.clause != base.clause and not self._shown(g, r)}
            if others:
                self.note(others)
                self.found.also[base.name] = tuple(sorted({goal.clause for goal in others}))

    def again(self, before: Found) -> None:
        """Try what was found before: it is kept as far as it still reaches something."""
        for one in before.inputs:
            try:
                tried = read(self.ruleset, one.given, one.do, one.ask, dict(one.options))
            except SketchError:
                continue
            self._keep(one.clause, tried)

    def _shown(self, goal: Goal, reach: int) -> bool:
        return any((goal, nearer) in self.watch.done for nearer in range(1, reach + 1))

    # -- searching ---------------------------------------------------------------------------------------------------

    def open_goals(self) -> Iterator[Goal]:
        """Go through the goals that nothing reaches, or only from afar."""
        for found in self.watch.open.values():
            for site in found:
                yield from dict.fromkeys(goal for goal, _ in self.watch.wanted(site))

    def go(self, tries: int) -> None:
        """Try so many changed sketches."""
        waiting: list[str] = []
        for number in range(tries):
            if number % 200 == 0:
                waiting = sorted({goal.clause for goal in self.open_goals()})
            if not waiting:
                return
            clause = waiting[self.generator.below(len(waiting))]
            base = self._base(clause)
            tried = changed(base.sketch, self.words, self.generator, STEPS[self.generator.below(len(STEPS))])
            if tried is not None and plausible(self.plain, tried, base.sketch):
                self._keep(base.clause, tried)

    def _base(self, clause: str) -> Base:
        near = [b for b in self.bases if b.clause == clause or clause in b.reached]
        among = near if near and self.generator.below(8) else self.bases
        return among[self.generator.below(len(among))]

    def _keep(self, clause: str, tried: Sketch) -> None:
        result = self.attempt(tried)
        if result is None:
            return
        outcome, goals = result
        fresh = {g: r for g, r in goals.items() if not self._shown(g, r)}
        if (
            not fresh
            or not self.fits(tried)
            or not self.can_be(tried)
            or input_of(clause, tried, (), ()).id in self.found.left_out
        ):
            return
        reached = frozenset(self.watch.reached)
        self.note(fresh)
        self.kept.append(Kept(clause, tried, outcome, fresh))
        self.bases.append(Base(clause, "", tried, reached))

    # -- the harvest -------------------------------------------------------------------------------------------------

    def harvest(self) -> Found:
        """Give what was found; of what reaches a goal from afar and nearer only the nearer is kept."""
        nearest: dict[Goal, int] = {}
        for goal, reach in self.watch.done:
            nearest[goal] = min(reach, nearest.get(goal, reach))
        for kept in self.kept:
            goals = sorted((g for g, r in kept.goals.items() if nearest[g] == r), key=str)
            if goals:
                clauses = list(dict.fromkeys(goal.clause for goal in goals))
                shows = tuple(_told(goal, kept.goals[goal]) for goal in goals)
                self.found.inputs.append(input_of(clauses[0], kept.sketch, tuple(clauses[1:]), shows))
        reached = {goal for goal, _ in self.watch.done}
        every = {goal for found in self.watch.open.values() for site in found for goal in site.goals}
        self.found.missing = sorted(str(goal) for goal in every - reached)
        return self.found


def input_of(clause: str, found: Sketch, asserts: tuple[str, ...], shows: tuple[str, ...]) -> Input:
    """Give a sketch as it is remembered."""
    return Input(clause, found.given, found.do, found.ask, tuple(sorted(found.options.items())), asserts, shows)


def _told(goal: Goal, reach: int) -> str:
    return f"{goal} by {reach}" if goal.aim in FAR and reach > 1 else str(goal)


def _decides(hit: Hit, outcome: Outcome) -> bool:
    """Ask whether what came of a turn rests on a goal: the one fault is that one, or there is none and would be that one."""
    if hit.demand is None or not hit.broken:
        return outcome.legal
    return outcome.faults == {hit.demand}


def _own(name: str, clause: str) -> bool:
    return load_document(name).origin[clause].kind is not OriginKind.INHERITED


def search(name: str, tries: int, seed: int = 1) -> Found:
    """Search through a rule set from what was found before; give what is to be remembered.

    Raises:
        CanastaError: with every fault of the rule set.
    """
    before = remembered(name)
    found = Search(name, seed)
    found.found.left_out = before.left_out
    found.begin()
    found.again(before)
    found.go(tries)
    harvest = found.harvest()
    harvest.twins, harvest.twinless = before.twins, before.twinless
    there = {one.name for one in harvest.inputs}
    wanted = set(before.twins.values()) - there
    harvest.inputs += [one for one in before.inputs if one.name in wanted]
    return harvest
