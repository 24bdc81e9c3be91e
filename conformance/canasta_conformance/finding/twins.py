"""A legal twin for every illegal case: a case that is asked and keeps what the other breaks, and lies as near to it as can be found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from canasta.language.ruleset import Ruleset
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.finding.apart import apart
from canasta_conformance.finding.keeping import Keeping, Kept
from canasta_conformance.finding.nearest import BROUGHT, MOST, NEAR, Lent, Nearest, Wanted
from canasta_conformance.finding.remembering import Found, Input
from canasta_conformance.finding.searching import Search, input_of
from canasta_conformance.finding.sketch import Sketch, SketchError, read, sketch
from canasta_conformance.generator.examples import case_of_input, cases
from canasta_conformance.writing import digest

TWIN: Final = "twin of "
"""What a case shows that was found as the twin of another."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A case that plays a turn, by its name in the rule set: the clause that it is about, and what comes of it."""

    name: str
    clause: str
    sketch: Sketch
    kept: Kept

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """What its twin has to show: all that it breaks is kept; where nothing does that, what its own clause says of it."""
        own = frozenset(point for point in self.kept.broken if point.clause == self.clause)
        return tuple(dict.fromkeys((Wanted(self.clause, self.kept.broken), Wanted(self.clause, own))))


def pair(name: str, found: Found, seed: int = 1) -> None:
    """Find the twin of every illegal case of a rule set; note those that have none within reach, each with the reason."""
    _Pairing(name, found, seed).all()


def turn_of(told: Mapping[str, Any], rules: Ruleset, keeping: Keeping) -> Turn | None:
    """Take a case as a turn that was played; nothing where it plays none, or where it stays open what comes of it."""
    step = told["steps"][0]
    if "turn" not in step or "verdict" not in step["expect"]:
        return None
    try:
        taken = read(rules, told["given"]["text"], step["turn"]["text"], "", told["ruleset"]["options"])
    except SketchError:
        return None
    kept = keeping.of(taken)
    name = told["id"].removeprefix(f"{told['ruleset']['name']}/")
    return Turn(name, told["asserts"][0], taken, kept) if kept is not None else None


class _Pairing:
    """The work of pairing the cases of one rule set."""

    def __init__(self, name: str, found: Found, seed: int) -> None:
        self.name, self.found, self.seed = name, found, seed
        self.search, self.keeping = Search(name, seed), Keeping(name)
        there = [case for case, _ in cases(name, led=False)]
        turns = [turn for case in there if (turn := turn_of(case, self.search.ruleset, self.keeping)) is not None]
        self.illegal = [turn for turn in turns if turn.kept.broken]
        self.legal = {turn.name: turn for turn in turns if not turn.kept.broken}
        self.begun = [*self.legal.values(), *self._inherited()]
        self.lent: Lent = tuple(
            dict.fromkeys(
                (place, tuple(row))
                for turn in self.begun
                for place, row in turn.sketch.rows()
                if place[0] in self.search.words.parts.melds
            )
        )

    def _inherited(self) -> Iterator[Turn]:
        """Go through the turns of examples of clauses that the rule set has as its parent says them."""
        own = {clause.id for clause in self.search.own}
        for clause in self.search.ruleset.clauses.values():
            for example in clause.examples if clause.id not in own else ():
                try:
                    taken = sketch(self.search.ruleset, example)
                except SketchError:
                    continue
                kept = self.keeping.of(taken) if taken.acts else None
                if kept is not None and not kept.broken:
                    yield Turn("", clause.id, taken, kept)

    def all(self) -> None:
        """Pair every illegal case."""
        before, self.found.twins, self.found.twinless = self.found.twins, {}, {}
        for case in self.illegal:
            best = next(
                (t for w in case.wanted if (t := self._twin(case, w, before.get(case.name, ""))) is not None), None
            )
            if best is None:
                self.found.twinless[case.name] = self._reason(case)
            else:
                self.found.twins[case.name] = best.name
        self._say()

    def _twin(self, case: Turn, wanted: Wanted, before: str) -> Turn | None:
        """Find the nearest twin: one that there is; one that is made, where it lies nearer."""
        there = [turn for turn in self.legal.values() if wanted.met(turn.kept)]
        ranked = sorted((apart(case.sketch, turn.sketch), turn.name != before, turn.name) for turn in there)
        far, renamed, best = next((one for one in ranked if one[0]), (MOST + 1, True, ""))
        made = None
        if far > NEAR and (renamed or far > MOST):
            made = self._made(case, wanted, min(far - 1, MOST))
        if made is not None:
            return made
        return self.legal[best] if far <= MOST else None

    def _made(self, case: Turn, wanted: Wanted, within: int) -> Turn | None:
        generator = SplitMix64(derive(self.seed, int(digest(case.name), 16) % 2**32))
        nearest = Nearest(self.search, self.keeping, case.sketch, wanted, within, generator, self.lent)
        shown = [turn.sketch for turn in self.begun if wanted.met(turn.kept)]
        shown.sort(key=lambda one: (apart(case.sketch, one), one.given, one.do))
        for made in nearest.among(shown[:BROUGHT]):
            one = input_of(case.clause, made, (), (f"{TWIN}{case.name}",))
            kept = self.keeping.of(made)
            if kept is not None and one.id not in self.found.left_out and case_of_input(self.name, one) is not None:
                if one.name not in self.legal:
                    self.found.inputs.append(one)
                    self.legal[one.name] = Turn(one.name, case.clause, made, kept)
                return self.legal[one.name]
        return None

    def _reason(self, case: Turn) -> str:
        """Say why a case has no twin, so that a person can look it up."""
        broken = ", ".join(sorted({f"{point.clause} {point.code}" for point in case.wanted[-1].points}))
        kept = [turn for turn in self.legal.values() if case.wanted[-1].met(turn.kept)]
        if not kept:
            return f"no legal case is asked for {broken or case.clause} and keeps it"
        far, name = min((apart(case.sketch, turn.sketch), turn.name) for turn in kept)
        return f"the nearest that keeps {broken or case.clause} is {name}, which differs in {far} things"

    def _say(self) -> None:
        """Let each case that was found as a twin say whose it is."""
        of: dict[str, list[str]] = {}
        for case, twin in sorted(self.found.twins.items()):
            of.setdefault(twin, []).append(f"{TWIN}{case}")
        self.found.inputs = [self._saying(one, of.get(one.name, [])) for one in self.found.inputs]

    def _saying(self, one: Input, twins: list[str]) -> Input:
        if not twins or not one.shows[0].startswith(TWIN):
            return one
        return Input(one.clause, one.given, one.do, one.ask, one.options, one.asserts, tuple(twins))
