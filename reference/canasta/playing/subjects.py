"""What a change is about: the aspects of a result in which it can be seen, and not only in what follows from it.

A requirement is about the verdict and its own codes, a score about its line of the ledger, an effect about the places that
it writes, an ending about the winner. A definition or a figure is about what the clauses that read it are about, and
about a question that names one of them. Whatever makes the table itself (a zone, a phase, an act, a shape …) is about all.
"""

import re
from dataclasses import dataclass
from typing import Final

from canasta.kernel.acts import Ruling
from canasta.language.changes import VALUED, Change, clauses, mentions
from canasta.language.ruleset import Bound, Clause, Definition, Duty, Effect, Ending, Requirement, Score, Structure
from canasta.language.types import Statement, StatementOp
from canasta.playing.outcomes import Disagreement, Edition

_READ: Final = frozenset({*VALUED, "classes", "values"})
"""Declarations that show in what reads them only."""

_WHOEVER: Final = frozenset({StatementOp.PHASE, StatementOp.TURN, StatementOp.END})
_WHATEVER: Final = frozenset({StatementOp.ACT, StatementOp.MERGE, StatementOp.SET_MARK})
"""Statements that say whose turn it is; and those that may write to any place."""

_TO_ACT: Final = "to act"
_WORD: Final = re.compile(r"[a-z_][a-z0-9_]*")
_EVERYWHERE: Final = "*"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a change is about; ``everything`` if it makes the table itself."""

    codes: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    ends: bool = False
    words: frozenset[str] = frozenset()
    everything: bool = False

    def holds(self, found: Disagreement, question: str) -> bool:
        """Whether an aspect in which two results differ is one that the change is about."""
        about, name, _ = found.aspect
        if self.everything:
            return True
        match about:
            case "verdict":
                return self._verdict(found)
            case "ledger":
                return name.partition(" of ")[0] in self.items
            case "after":
                place = name.partition(" of ")[0]
                return place in self.places or _EVERYWHERE in self.places or (self.ends and place == _TO_ACT)
            case "winner":
                return self.ends
        return self.ends or bool(self.words & set(_WORD.findall(question)))

    def codes_in(self, found: Disagreement) -> frozenset[str]:
        """List the codes of these clauses that one of two verdicts names, and the other does not."""
        if found.aspect[0] != "verdict":
            return frozenset()
        one, other = Told(found.one), Told(found.other)
        return (one.codes ^ other.codes) & self.codes

    def _verdict(self, found: Disagreement) -> bool:
        told = Told(found.one), Told(found.other)
        if told[0].codes ^ told[1].codes:
            return bool(self.codes_in(found))
        return bool(self.codes if any(t.ruling == Ruling.UNKNOWN for t in told) else self.places)


class Told:
    """A verdict as it is told, taken apart again."""

    __slots__ = ("codes", "ruling")

    def __init__(self, text: str) -> None:
        """Part the ruling from the codes."""
        self.ruling, _, rest = text.partition(": ")
        self.codes = frozenset(rest.split(", ")) if self.ruling == Ruling.ILLEGAL else frozenset[str]()

    @property
    def settled(self) -> bool:
        """Whether the turn was judged, and the verdict is not open."""
        return self.ruling in (Ruling.LEGAL, Ruling.ILLEGAL)


def subject_of(change: Change, old: Edition, new: Edition) -> Subject:
    """Find out what a change is about."""
    if not change.clause and change.name.partition(".")[0] not in _READ:
        return Subject(everything=True)
    ids, words = {change.name} if change.clause else set[str](), set(change.names)
    reads = not change.clause or any(isinstance(e.ruleset.clauses.get(change.name), Definition) for e in (old, new))
    if reads:
        more, words = _reading(words, old, new)
        ids |= more
    found = [c for e in (old, new) for i in sorted(ids) if (c := e.ruleset.clauses.get(i)) is not None]
    return Subject(
        codes=frozenset(code for c in found for code in _codes(c)),
        items=frozenset(c.item for c in found if isinstance(c, Score)),
        places=frozenset(place for c in found for place in _places(c)),
        ends=any(isinstance(c, Ending) for c in found),
        words=frozenset(words),
    )


def _reading(words: set[str], old: Edition, new: Edition) -> tuple[set[str], set[str]]:
    """Find the clauses that read some words, also through definitions, and the words under which those are known."""
    waiting = [(e, i, n) for e in (old, new) for i, n in clauses(e.document).items()]
    ids: set[str] = set()
    grown = True
    while grown:
        grown = False
        for edition, id_, node in tuple(waiting):
            if mentions(node) & words:
                waiting.remove((edition, id_, node))
                ids.add(id_)
                clause = edition.ruleset.clauses.get(id_)
                if isinstance(clause, Definition):
                    words, grown = words | {clause.name}, True
    return ids, words


def _codes(clause: Clause) -> tuple[str, ...]:
    if isinstance(clause, (Requirement, Bound)):
        return tuple(d.code for d in clause.require)
    return (clause.code,) if isinstance(clause, Structure) else ()


def _places(clause: Clause) -> frozenset[str]:
    if isinstance(clause, (Effect, Duty)):
        return frozenset[str]().union(*(_written(s) for s in clause.do))
    return frozenset()


def _written(statement: Statement) -> frozenset[str]:
    """List the places that a statement writes to."""
    if statement.op in _WHATEVER:
        return frozenset({_EVERYWHERE})
    if statement.op in _WHOEVER:
        return frozenset({_TO_ACT, "turn_seat"})
    inside = _written(statement.body) if statement.body is not None else frozenset[str]()
    return inside | {p.name for p in statement.places}
