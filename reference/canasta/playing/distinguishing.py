"""Cases that distinguish: for every change between two rule sets an example in which they come to different results.

That two rule sets disagree on an example does not show which of their differences is behind it. So each change is also
taken back alone, out of the later rule set, or made alone in the earlier one: a case counts only where that turns the
result, in an aspect in which the two disagree. Changes that hang together and cannot be parted, such as an act with the
phase that offers it, are taken back together, and then the example must be one of a clause that reads the changed thing.

A position that only one of the two can say, because the other has no such seat, phase or shape, is the last resort. There the
results of the one that can say it are compared, with the change and without it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NamedTuple

from canasta.diagnostics import CanastaError
from canasta.language.changes import Change, Weight, changes, clauses, executed, in_force, mentions, with_change
from canasta.language.loading import Loaded
from canasta.language.nodes import Mapping as Document
from canasta.language.ruleset import Example, Ruleset
from canasta.playing.outcomes import SAYING, Disagreement, Edition, Outcome, disagreements
from canasta.playing.remembered import Memory

_RINGS: Final = 6
"""How far changes that hang together are followed from one to the next."""


_COMPLETED: Final = 3
"""So many of these rings are also completed to what can be built."""

_NAMED: Final = re.compile(r"['`]([a-z][a-z0-9_.-]*)['`]")

NO_MEMORY: Final[Mapping[str, Memory]] = {}

_FAR: Final = 2
"""The rank of examples whose clause does not read what is changed."""


class Strength(StrEnum):
    """How it is known that a change is behind a disagreement."""

    ALONE = "alone"
    TOGETHER = "together"
    UNSAYABLE = "cannot be said"


@dataclass(frozen=True, slots=True)
class Case:
    """One example and what both rule sets make of it; ``others`` are the changes taken back with the one shown."""

    clause: str
    example: Example
    of_new: bool
    old: Outcome
    new: Outcome
    differs: tuple[Disagreement, ...]
    strength: Strength
    others: tuple[str, ...] = ()
    apart: tuple[Disagreement, ...] = ()
    """Where only one of the two can say the position: its results without the change and with it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A change with the case that shows it; none where none is wanted, or where none was found."""

    change: Change
    case: Case | None = None
    carried: tuple[str, ...] = ()
    """Without a case of its own: the changed clauses that alone read it, or a change in whose case it is taken back too."""

    @property
    def memory(self) -> tuple[str, Memory] | None:
        """Where the case is to be found another time."""
        if self.case is None:
            return None
        options = tuple(sorted(self.case.example.options))
        return self.change.name, Memory(
            self.case.clause, self.case.example.id, self.case.of_new, options, self.case.others
        )

    @property
    def missing(self) -> bool:
        """Whether a case is wanted and there is none."""
        return self.case is None and not self.carried and self.change.weight is Weight.EXECUTED


@dataclass(frozen=True, slots=True)
class _Candidate:
    clause: str
    example: Example
    of_new: bool
    near: bool
    """Whether its clause is the changed one, or reads what is changed."""


class _Turned(NamedTuple):
    """What is decided by some changes: disagreements, or results within the one rule set that can say the position."""

    differs: tuple[Disagreement, ...]
    apart: tuple[Disagreement, ...] = ()


_Disputed = tuple[Outcome, Outcome, tuple[Disagreement, ...]]


def distinguish(old: Loaded, new: Loaded, memory: Mapping[str, Memory] = NO_MEMORY) -> tuple[Shown, ...]:
    """Find for every change from one rule set to another a case that shows it; ``memory`` says where it was found before.

    Raises:
        CanastaError: when one of the rule sets cannot be built.
    """
    found = changes(old, new)
    search = Search(old, new, found, memory)
    shown = [Shown(c, search.case(c) if c.weight is Weight.EXECUTED else None) for c in found]
    seen = frozenset(s.change.name for s in shown if s.case is not None)
    beside = {o: s.change.name for s in reversed(shown) if s.case is not None for o in s.case.others}
    return tuple(
        replace(s, carried=search.carriers(s.change, seen) or tuple(filter(None, [beside.get(s.change.name)])))
        if s.missing else s for s in shown
    )  # fmt: skip


@dataclass(slots=True)
class Search:
    """The search for cases between two rule sets."""

    loaded_old: Loaded
    loaded_new: Loaded
    found: tuple[Change, ...]
    memory: Mapping[str, Memory] = field(default_factory=dict)
    old: Edition = field(init=False)
    new: Edition = field(init=False)
    _probes: dict[tuple[bool, frozenset[str]], Edition | None] = field(default_factory=dict)
    _lacking: dict[tuple[bool, frozenset[str]], frozenset[str]] = field(default_factory=dict)
    """What the faults of an attempt name that could not be built."""
    _near: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Build both rule sets."""
        chapters = self.loaded_old.chapter_of | self.loaded_new.chapter_of
        self.old = Edition(in_force(self.loaded_old), self.loaded_old.name, chapters)
        self.new = Edition(in_force(self.loaded_new), self.loaded_new.name, chapters)

    def case(self, change: Change) -> Case | None:
        """Find the best case: one that the change decides alone, else with others, else one that only one side can say."""
        candidates = list(self._candidates(change))
        before = self._as_before(candidates, change)
        if before is not None:
            return before
        near, far = ([c for c in candidates if c.near is wanted] for wanted in (True, False))
        groups = self._groups(change)
        found: list[Case] = []
        for group, tried in [*((group, near) for group in groups), (groups[0], far)]:
            for candidate in tried:
                case = self._tried(candidate, change, group)
                if case is not None and case.strength is not Strength.UNSAYABLE:
                    return case
                found += [case] if case is not None else []
            if any(case.apart for case in found):
                break  # what the change does is seen, if only in positions that one of the two knows
        return min(found, key=lambda case: not case.apart, default=None)

    def carriers(self, change: Change, seen: frozenset[str]) -> tuple[str, ...]:
        """List the clauses that read a declaration, if each of them is changed itself and some are among those ``seen``."""
        if change.clause:
            return ()
        changed = {c.name for c in self.found if c.clause}
        readers = {
            i for e in (self.old, self.new) for i, n in clauses(e.document).items() if mentions(n) & change.names
        }
        return tuple(sorted(readers & seen)) if readers <= changed else ()

    def _as_before(self, candidates: list[_Candidate], change: Change) -> Case | None:
        """Execute the case that is remembered of a change; nothing where it shows the change no more."""
        where = self.memory.get(change.name)
        if where is None:
            return None
        wanted = (where.clause, where.example, where.of_new, where.options)
        for candidate in candidates:
            example = candidate.example
            if (candidate.clause, example.id, candidate.of_new, tuple(sorted(example.options))) == wanted:
                return self._tried(candidate, change, {change.name, *where.others}, known=True)
        return None

    def _tried(self, candidate: _Candidate, change: Change, group: set[str], *, known: bool = False) -> Case | None:
        """Try one example: whether the two disagree on it, and whether it is these changes that decide so.

        A group that is ``known`` holds no change that could be left out.
        """
        if all(self._probe(frozenset(group), back=back) is None for back in (True, False)):
            return None
        disputed = self._disputed(candidate)
        if disputed is None:
            return None
        turned = self._turned(candidate, frozenset(group), disputed)
        if turned is None:
            return None
        for other in () if known else sorted(group - {change.name}):
            fewer = self._turned(candidate, frozenset(group - {other}), disputed)
            if fewer is not None:
                group, turned = group - {other}, fewer
        others = tuple(sorted(group - {change.name}))
        strength = _strength(turned.differs, alone=not others)
        old, new, _ = disputed
        return Case(
            candidate.clause, candidate.example, candidate.of_new, old, new, turned.differs, strength, others, turned.apart
        )  # fmt: skip

    # -- examples ----------------------------------------------------------------------------------------------------

    def _candidates(self, change: Change) -> Iterator[_Candidate]:
        """Go through the examples of both rule sets: of the clause itself, of clauses that read the thing, then the rest."""
        seen: set[object] = set()
        near = self._readers(change)
        written = {e.span for c in self.old.ruleset.clauses.values() for e in c.examples}
        waiting = [
            (0 if c.id == change.name else 1 if c.id in near else _FAR, 0 if of_new else 1, c, of_new)
            for of_new, edition in ((True, self.new), (False, self.old))
            for c in edition.ruleset.clauses.values()
        ]
        for rank, _, clause, of_new in sorted(waiting, key=lambda w: w[:2]):
            for example in clause.examples:
                if of_new and example.span in written:
                    continue  # inherited: it is said in the words of the earlier rule set
                for tried in _unchosen(example, change):
                    key = (tried.given, tried.do, tried.ask, str(tried.expect), tried.options)
                    if key not in seen:
                        seen.add(key)
                        chosen = any(f"options.{name}" == change.name for name, _ in example.options)
                        yield _Candidate(clause.id, tried, of_new, near=rank < _FAR or chosen)

    def _readers(self, change: Change) -> frozenset[str]:
        """List the clauses that read what is changed: by its word, or by a definition that reads it."""
        if change.name not in self._near:
            told = _mentioned(change)
            beside = [c for c in self.found if c.names & told]
            words = set(change.names) | {c.word for c in beside if not c.clause or c.word}
            found = {c.name for c in beside if c.clause}
            nodes = [(i, n) for e in (self.old, self.new) for i, n in clauses(e.document).items()]
            grown = True
            while grown and words:
                grown = False
                for id_, node in nodes:
                    if id_ not in found and mentions(node) & words:
                        found.add(id_)
                        name = node.items.get("name")
                        words |= {str(getattr(name, "text", ""))} - {""}
                        grown = True
            self._near[change.name] = frozenset(found)
        return self._near[change.name]

    # -- outcomes ----------------------------------------------------------------------------------------------------

    def _spoken(self, candidate: _Candidate) -> Ruleset:
        return (self.new if candidate.of_new else self.old).ruleset

    def _disputed(self, candidate: _Candidate) -> _Disputed | None:
        spoken = self._spoken(candidate)
        old, new = (e.outcome(candidate.example, spoken) for e in (self.old, self.new))
        differs = disagreements(old, new)
        return (old, new, differs) if differs else None

    def _turned(self, candidate: _Candidate, group: frozenset[str], disputed: _Disputed) -> _Turned | None:
        """Tell which of the disagreements these changes decide; nothing if none."""
        old, new, differs = disputed
        for back, still in ((True, new), (False, old)):
            probe = self._probe(group, back=back)
            if probe is None:
                continue
            tried = probe.outcome(candidate.example, self._spoken(candidate))
            turned = disagreements(tried, still) if back else disagreements(still, tried)
            if tried.said is not None and tried.said not in (old.said, new.said):
                continue  # it cannot be said for another reason, which shows nothing
            aspects = {d.aspect for d in turned}
            decided = tuple(d for d in differs if d.aspect in aspects)
            if decided:
                return _Turned(tuple(d for d in decided if not d.sided) or decided)
            if turned and still.said is None and tried.said is None and (old.said or new.said):
                return _Turned(differs, turned)
        return None

    def _probe(self, group: frozenset[str], *, back: bool) -> Edition | None:
        """Build the later rule set without some changes, or the earlier one with them; nothing where that cannot be."""
        key = (back, group)
        if key not in self._probes:
            base = self.new if back else self.old
            document: Document = executed(base.document)
            for change in self.found:
                if change.name in group:
                    document = with_change(document, change, back=back)
            try:
                self._probes[key] = Edition(document, base.name, base.chapter_of)
            except CanastaError as error:
                self._probes[key] = None
                told = " ".join(d.message for d in error.diagnostics)
                self._lacking[key] = frozenset(_NAMED.findall(told))
        return self._probes[key]

    def _groups(self, change: Change) -> list[set[str]]:
        """List the change alone, then with those that hang together with it, followed from one to the next."""
        groups = [{change.name}]
        for _ in range(_RINGS):
            wider = groups[-1] | self._hanging(groups[-1])
            if wider == groups[-1]:
                break
            groups.append(wider)
        whole = [self._completed(group, back=back) for group in groups[:_COMPLETED] for back in (True, False)]
        found = [groups[0], *(group for group in whole if group is not None), *groups[1:]]
        return [group for i, group in enumerate(found) if group not in found[:i]]

    def _completed(self, group: set[str], *, back: bool) -> set[str] | None:
        """Add to some changes those without which no rule set can be built, as the faults of the attempt name them."""
        while self._probe(frozenset(group), back=back) is None:
            lacking = self._lacking[back, frozenset(group)]
            more = {c.name for c in self.found if c.names & lacking or c.name in lacking} - group
            if not more:
                return None
            group = group | more
        return group

    def _hanging(self, group: set[str]) -> set[str]:
        """List the changes that mention one of a group, or are mentioned by it."""
        inside = [c for c in self.found if c.name in group]
        names = frozenset[str]().union(*(c.names for c in inside))
        read = frozenset[str]().union(*(_mentioned(c) for c in inside)) | names
        counted = [c for c in self.found if c.weight not in (Weight.SAID, Weight.UNREAD)]
        return {c.name for c in counted if c.names & read or names & _mentioned(c)}


def _mentioned(change: Change) -> frozenset[str]:
    return frozenset[str]().union(*(mentions(n) for n in (change.old, change.new) if n is not None))


def _unchosen(example: Example, change: Change) -> Iterator[Example]:
    """Give an example, and for a changed option the same without a choice of it: so the two rule sets choose."""
    yield example
    option = change.name.partition("options.")[2]
    if option and any(name == option for name, _ in example.options):
        yield example._replace(options=tuple((n, v) for n, v in example.options if n != option))


def _strength(differs: tuple[Disagreement, ...], *, alone: bool) -> Strength:
    if all(d.aspect[0] == SAYING or d.sided for d in differs):
        return Strength.UNSAYABLE
    return Strength.ALONE if alone else Strength.TOGETHER
