"""The case that shows a difference: one position and one turn, drawn once, with what either rule set makes of it.

Between a shipped rule set and the one that it extends these are the cases that its page of differences has. Between others it is
the first example of the changed clause that comes out otherwise.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from canasta.diagnostics import CanastaError
from canasta.language.changes import Change, Weight
from canasta.language.naming import known
from canasta.language.ruleset import Example
from canasta.playing.outcomes import disagreements
from canasta.playing.probes import Probes
from canasta.playing.remembered import Memory, remembered
from canasta_tools.differences import parent_of
from canasta_tools.rulebook.material import Material
from canasta_tools.rulebook.scenes import Story, story
from canasta_tools.rulebook.telling import Said, Teller
from canasta_tools.rulebook.verdicts import Result

MOST: Final = 5
"""So many aspects in which two results differ are shown."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A case: the example and its clause, its picture, and what the earlier and the later rule set make of it."""

    clause: str
    example: Example
    story: Story | None
    old: tuple[Result, ...]
    new: tuple[Result, ...]

    @property
    def id(self) -> str:
        """What tells one case of a book from another."""
        return f"{self.clause}/{self.example.id}"


def proofs(before: Material, after: Material, found: tuple[Change, ...]) -> dict[str, Proof]:
    """Find the cases that show changes, by the name of the change; what is not executed needs none.

    Raises:
        CanastaError: when one of the rule sets cannot be built.
    """
    shipped = after.loaded.name in known() and parent_of(after.loaded) == before.loaded.name
    memory = remembered(after.loaded.name) if shipped else None
    finding = _Finding(before, after, Probes(before.loaded, after.loaded, found), memory)
    made = {change.name: finding.proof(change) for change in found if change.weight is Weight.EXECUTED}
    return {name: proof for name, proof in made.items() if proof is not None}


@dataclass(frozen=True, slots=True)
class _Finding:
    before: Material
    after: Material
    probes: Probes
    memory: Mapping[str, Memory] | None

    def proof(self, change: Change) -> Proof | None:
        """Give the first example that comes out otherwise."""
        for clause, example, of_new in self._candidates(change):
            spoken = (self.probes.new if of_new else self.probes.old).ruleset
            one, other = (edition.outcome(example, spoken) for edition in (self.probes.old, self.probes.new))
            differs = disagreements(one, other)[:MOST]
            if differs:
                book = self.after if of_new else self.before
                told = self.after.teller
                old, new = (
                    tuple(_result(text, told) for text in side)
                    for side in zip(*((d.one, d.other) for d in differs), strict=True)
                )
                return Proof(clause, example, _drawn(book, example), old, new)
        return None

    def _candidates(self, change: Change) -> Iterator[tuple[str, Example, bool]]:
        if self.memory is not None:
            where = self.memory.get(change.name)
            if where is not None and where.example:
                yield from self._remembered(where)
            return
        for of_new in (True, False):
            clause = (self.probes.new if of_new else self.probes.old).ruleset.clauses.get(change.name)
            yield from ((change.name, e, of_new) for e in (clause.examples if clause is not None else ()))

    def _remembered(self, where: Memory) -> Iterator[tuple[str, Example, bool]]:
        clause = (self.probes.new if where.of_new else self.probes.old).ruleset.clauses.get(where.clause)
        for example in clause.examples if clause is not None else ():
            if example.id == where.example:
                yield where.clause, example._replace(options=where.options), where.of_new


def _drawn(book: Material, example: Example) -> Story | None:
    try:
        return story(book.loaded.name, example, book.teller)
    except CanastaError:
        return None  # a position that only the other rule set can say with these options is told in text


def _result(text: str, told: Teller) -> Result:
    word, _, rest = text.partition(": ")
    match word:
        case "legal":
            return Result(told.say_in("verdict", "legal"), good=True)
        case "illegal":
            return Result(told.say_in("verdict", "illegal"), tuple(rest.split(", ")), good=False)
        case "cannot be said" | "can be said":
            return Result(told.say("cannot be said") if word == "cannot be said" else told.say("can be said"))
        case _:
            return Result(Said(""), (text,))
