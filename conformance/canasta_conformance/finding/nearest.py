"""The search for the legal turn that is nearest to an illegal one.

The illegal turn is repaired in every single way; legal turns that show the same are brought nearer to it, one difference after
another; and at last it is changed by chance, by a stated seed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from canasta.notation.cards import Card
from canasta.shuffle import SplitMix64
from canasta_conformance.finding.apart import apart
from canasta_conformance.finding.between import Between, Chosen, between
from canasta_conformance.finding.changing import changed
from canasta_conformance.finding.judging import judged
from canasta_conformance.finding.keeping import Keeping, Kept, Point
from canasta_conformance.finding.plausible import plausible
from canasta_conformance.finding.repairs import Repairs
from canasta_conformance.finding.searching import Search
from canasta_conformance.finding.sketch import Place, Sketch

MOST: Final = 8
"""What differs in more than this is no twin: nobody sees any more which of the differences matters."""

NEAR: Final = 2
"""What differs in no more than this is near enough: one card instead of another, here and there."""

FAIR: Final = 4
"""What differs in no more than this is not looked for by chance any further."""

TRIES: Final = (0, 250, 150)
"""So many changed sketches are tried by chance, with one change, with two, with three."""

BROUGHT: Final = 3
"""So many legal turns that show the same are brought nearer, those first that are nearest already."""

PLAYED: Final = 200
"""So many turns are played at most to bring one turn nearer."""


Lent = tuple[tuple[Place, tuple[Card, ...]], ...]
"""Groups that lie in other turns, each with its place."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a twin has to show: the points that its illegal turn breaks are asked there and kept, and the clause is touched."""

    clause: str
    points: frozenset[Point]

    def met(self, kept: Kept | None) -> bool:
        """Ask whether a turn shows it."""
        return kept is not None and not kept.broken and self.points <= kept.kept and self.clause in kept.touched


@dataclass(slots=True)
class Nearest:
    """The search for the twin of one illegal turn; ``within`` is how far it may lie apart."""

    search: Search
    keeping: Keeping
    illegal: Sketch
    wanted: Wanted
    within: int
    generator: SplitMix64
    lent: Lent
    """Groups that lie in other turns, and may lie in this one."""
    found: dict[str, tuple[int, Sketch]] = field(default_factory=dict)
    """Twins that were found, by their text, each with how far apart it lies."""
    _known: dict[str, bool] = field(default_factory=dict)

    def among(self, legal: Iterable[Sketch]) -> Iterator[Sketch]:
        """Search from legal turns that show it, and from the illegal turn itself; give what was found, the nearest first."""
        self._repaired()
        if self._least() > NEAR:
            for sketch in legal:
                self._brought(sketch)
        if self._least() > FAIR:
            self._changed()
        for _, (_, sketch) in sorted(self.found.items(), key=lambda item: (item[1][0], item[0])):
            yield sketch

    def _changed(self) -> None:
        """Change the turn by chance."""
        for steps, tries in enumerate(TRIES, start=1):
            for _ in range(tries):
                tried = changed(self.illegal, self.search.words, self.generator, steps)
                if tried is not None and apart(self.illegal, tried) < self._least() and self._good(tried):
                    self._brought(tried)

    def _repaired(self) -> None:
        """Try every single repair, those first that change least."""
        near = {
            f"{one.given} | {one.do}": (far, one)
            for one in Repairs(self.search.ruleset, self.search.words, self.illegal, self.lent).all()
            if 0 < (far := apart(self.illegal, one)) <= self.within
        }
        for _, (far, one) in sorted(near.items(), key=lambda item: (item[1][0], item[0])):
            if far >= self._least():
                return
            if self._good(one):
                self._brought(one)

    def _least(self) -> int:
        return min((far for far, _ in self.found.values()), default=self.within + 1)

    def _brought(self, sketch: Sketch) -> None:
        """Bring a legal turn nearer: leave out what can be left out, first by halves, then one by one."""
        lies = between(self.search.ruleset, self.illegal, sketch)
        chosen, plays = frozenset(range(lies.number)), 0
        size = max(1, len(chosen) // 2)
        while True:
            smaller = None
            listed = sorted(chosen)
            for first in range(0, len(listed), size):
                left = chosen - frozenset(listed[first : first + size])
                plays += 1
                if left and self._good(lies.at(left)):
                    smaller = left
                    break
            if smaller is not None:
                chosen = smaller
            elif size > 1:
                size //= 2
            else:
                break
            if plays > PLAYED:
                break
        self._note(lies, chosen)

    def _note(self, lies: Between, chosen: Chosen) -> None:
        found = lies.at(chosen)
        far = apart(self.illegal, found)
        if 0 < far <= self.within and self._good(found) and self._may_be(found):
            self.found[f"{found.given} | {found.do}"] = far, found

    def _good(self, tried: Sketch) -> bool:
        """Ask whether a turn shows what is wanted."""
        if not tried.acts or not plausible(self.search.plain, tried, self.illegal):
            return False
        text = f"{tried.given} | {tried.do} | {sorted(tried.options.items())}"
        if text not in self._known:
            self._known[text] = self.wanted.met(self.keeping.of(tried))
        return self._known[text]

    def _may_be(self, tried: Sketch) -> bool:
        """Ask whether it can be a case: nothing in it stays open, the pack has the cards, and play can come to it."""
        options = tuple(sorted(tried.options.items()))
        outcome = judged(self.search.game(options).game, tried)
        return outcome is not None and outcome.legal and self.search.fits(tried) and self.search.can_be(tried)
