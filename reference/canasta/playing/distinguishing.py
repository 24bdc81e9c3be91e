"""Cases that distinguish: for every change between two rule sets an example in which they come to different results.

That two rule sets disagree on an example does not show which of their differences is behind it. So each change is also made
alone in the earlier rule set, and taken back alone out of the later one. It decides the example alone if with it the
earlier one already comes to what the later one says, and without it the later one comes to what the earlier one says,
both in the same aspect, and in one that the change is about. Changes that hang together and cannot be parted, such as an act
with the phase that offers it, are made and taken back together, as few as will do. Where neither is found, there may be an
example in which the change has a part: the result moves with it, but other changes move it, too.

A position that only one of the two can say, because the other has no such seat, phase or shape, is the last resort. There the
results of the one that can say it are compared, with the change and without it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from canasta.language.changes import Change, Weight, changes, clauses, mentions
from canasta.language.loading import Loaded
from canasta.language.ruleset import Example, Ruleset
from canasta.playing.outcomes import SAYING, Disagreement, Edition, Outcome, disagreements
from canasta.playing.probes import NONE, Ends, Group, Probes, mentioned
from canasta.playing.remembered import NOTHING, Memory, digest_of
from canasta.playing.subjects import Subject, Told, subject_of

_FAR: Final = 2
"""The rank of examples whose clause does not read what is changed."""


class Strength(StrEnum):
    """How it is known that a change is behind a disagreement, the strongest first."""

    ALONE = "alone"
    TOGETHER = "together"
    PART = "in part"
    UNSAYABLE = "cannot be said"


@dataclass(frozen=True, slots=True)
class Case:
    """One example and what both rule sets make of it; ``beside`` are the changes made, and taken back, with the one shown.

    ``made`` is what the earlier rule set makes of it with these changes, ``without`` the later one without them; nothing where
    no rule set can be built so.
    """

    clause: str
    example: Example
    of_new: bool
    old: Outcome
    new: Outcome
    differs: tuple[Disagreement, ...]
    strength: Strength
    beside: Ends = NONE
    apart: tuple[Disagreement, ...] = ()
    """Where only one of the two can say the position: its results without the change and with it."""
    made: Outcome | None = None
    without: Outcome | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """The changes that are made or taken back with the one shown."""
        return tuple(sorted(self.beside.all))

    @property
    def brings(self) -> bool:
        """Whether the changes bring the earlier rule set to what the later one says, in every aspect that is shown."""
        return all(self.made is not None and _alike(self.made, self.new, d) for d in self.differs)

    @property
    def needed(self) -> bool:
        """Whether the later rule set says without the changes what the earlier one says, in every aspect that is shown."""
        return all(self.without is not None and _alike(self.without, self.old, d) for d in self.differs)


@dataclass(frozen=True, slots=True)
class Shown:
    """A change with the case that shows it; none where none is wanted, or where none was found."""

    change: Change
    case: Case | None = None
    carried: tuple[str, ...] = ()
    """Without a case of its own: the changed clauses that alone read it, or a change in whose case it is taken back too."""
    tried: str = ""
    """A digest of the examples that are near to the change, if one of them might still show it better."""

    @property
    def memory(self) -> tuple[str, Memory] | None:
        """Where the case is to be found another time."""
        case = self.case
        if case is None:
            return (self.change.name, Memory(tried=self.tried)) if self.tried else None
        options = tuple(sorted(case.example.options))
        strength = str(case.strength)
        made, taken = (tuple(sorted(group)) for group in case.beside)
        where = Memory(case.clause, case.example.id, case.of_new, options, made, taken, strength, self.tried)
        return self.change.name, where

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

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from the others."""
        return self.clause, self.example.id, self.of_new, self.example.options


def distinguish(old: Loaded, new: Loaded, memory: Mapping[str, Memory] = NOTHING) -> tuple[Shown, ...]:
    """Find for every change from one rule set to another a case that shows it; ``memory`` says where it was found before.

    Raises:
        CanastaError: when one of the rule sets cannot be built.
    """
    found = changes(old, new)
    search = Search(Probes(old, new, found), memory)
    shown = [search.shown(c) if c.weight is Weight.EXECUTED else Shown(c) for c in found]
    seen = frozenset(s.change.name for s in shown if s.case is not None)
    beside = {o: s.change.name for s in reversed(shown) if s.case is not None for o in s.case.others}
    return tuple(
        replace(s, carried=search.carriers(s.change, seen) or tuple(filter(None, [beside.get(s.change.name)])))
        if s.missing else s for s in shown
    )  # fmt: skip


@dataclass(slots=True)
class Search:
    """The search for cases between two rule sets.

    A case that is remembered is carried out again, and kept if it shows the change as it did. A weak one is kept, too, but where
    another example is near to the change, one that it decides alone is looked for.
    """

    probes: Probes
    memory: Mapping[str, Memory]
    _near: dict[str, frozenset[str]] = field(default_factory=dict)
    _disputes: dict[tuple[object, ...], tuple[Disagreement, ...]] = field(default_factory=dict)

    @property
    def _editions(self) -> tuple[Edition, Edition]:
        return self.probes.old, self.probes.new

    def shown(self, change: Change) -> Shown:
        """Find the best case of a change, and note among which examples it was found."""
        candidates = list(self._candidates(change))
        subject = subject_of(change, *self._editions)
        where = self.memory.get(change.name)
        case = self._as_before(candidates, change, subject, where) if where is not None else None
        if case is not None and case.strength is Strength.ALONE:
            return Shown(change, case)
        near, every = (digest_of((c.clause, c.example) for c in candidates if c.near or all_) for all_ in (False, True))
        known = where is not None and where.tried == (near if where.example else every)
        if case is not None and not known:
            case = self._alone(candidates, change, subject) or case
        if case is None and not (known and where is not None and not where.example):
            case = self.case(candidates, change, subject)
        if case is None:
            return Shown(change, tried=every)
        return Shown(change, case, tried="" if case.strength is Strength.ALONE else near)

    def case(self, candidates: list[_Candidate], change: Change, subject: Subject) -> Case | None:
        """Find the best case: one that the change decides alone, else with others, else in part."""
        every = self.probes.ends(change)
        near, far = ([c for c in candidates if c.near is wanted] for wanted in (True, False))
        for ends, tried in [(every[0], near), (every[0], far), *((ends, near) for ends in every[1:])]:
            for candidate in tried:
                case = self._decided(candidate, change, ends, subject)
                if case is not None:
                    return case
        return self._in_part(near, far, every, change, subject)

    def _alone(self, candidates: list[_Candidate], change: Change, subject: Subject) -> Case | None:
        """Look among the examples that are near to a change for one that it decides alone."""
        ends = Ends(frozenset({change.name}), frozenset({change.name}))
        tried = (self._decided(c, change, ends, subject) for c in candidates if c.near)
        return next((case for case in tried if case is not None), None)

    def _in_part(
        self, near: list[_Candidate], far: list[_Candidate], every: list[Ends], change: Change, subject: Subject
    ) -> Case | None:
        """Find an example in which the change has a part, else one whose position only one of the two can say."""
        found: list[Case] = []
        for ends, tried in [*((ends, near) for ends in every), (every[0], far)]:
            for candidate in tried:
                case = self._moved(candidate, change, ends, subject)
                found += [case] if case is not None else []
            if any(case.strength is Strength.PART or case.apart for case in found):
                break  # what the change does is seen, if only beside others or in positions that one of the two knows
        return min(found, key=lambda case: _rank(case, subject), default=None)

    def carriers(self, change: Change, seen: frozenset[str]) -> tuple[str, ...]:
        """List the clauses that read a declaration, if each of them is changed itself and some are among those ``seen``."""
        if change.clause:
            return ()
        changed = {c.name for c in self.probes.found if c.clause}
        readers = {i for e in self._editions for i, n in clauses(e.document).items() if mentions(n) & change.names}
        return tuple(sorted(readers & seen)) if readers <= changed else ()

    def _as_before(self, candidates: list[_Candidate], change: Change, subject: Subject, where: Memory) -> Case | None:
        """Carry out the case that is remembered of a change; nothing where it does not show the change as it did."""
        wanted = (where.clause, where.example, where.of_new, where.options)
        own = {change.name}
        ends = Ends(frozenset({*own, *where.made}), frozenset({*own, *where.taken}))
        for candidate in candidates:
            example = candidate.example
            if (candidate.clause, example.id, candidate.of_new, tuple(sorted(example.options))) == wanted:
                if where.strength in (Strength.ALONE, Strength.TOGETHER):
                    case = self._decided(candidate, change, ends, subject, known=True)
                else:  # asked in the way it was found: with these changes it may look as if they decided it together
                    case = self._moved(candidate, change, ends, subject)
                return case if case is not None and case.strength == where.strength else None
        return None

    # -- what a change decides ---------------------------------------------------------------------------------------

    def _decided(
        self, candidate: _Candidate, change: Change, ends: Ends, subject: Subject, *, known: bool = False
    ) -> Case | None:
        """Try one example: whether these changes decide it, and as few of them as will do.

        Of changes that are ``known`` to decide it none could be left out.
        """
        if not self._flips(candidate, ends, subject):
            return None
        own = frozenset({change.name})
        for other in () if known else sorted(ends.all - own):
            one = frozenset({other})
            tied = ((self.probes.grown(one, back=back) or one) - own for back in (False, True))
            for fewer in (
                ends.less(one, one),
                ends.less(*tied),
                ends.less(one, frozenset()),
                ends.less(frozenset(), one),
            ):
                if fewer != ends and other in ends.all and self._flips(candidate, fewer, subject):
                    ends = fewer
        if not known and ends.all != own and self._flips(candidate, ends.less(own, own), subject):
            return None  # the others decide it
        differs = self._flips(candidate, ends, subject)
        return self._case(candidate, change, ends, Strength.ALONE if ends.all == own else Strength.TOGETHER, differs)

    def _flips(self, candidate: _Candidate, ends: Ends, subject: Subject) -> tuple[Disagreement, ...]:
        """List in what the earlier rule set with some changes is as the later, and the later without them as the earlier."""
        question = candidate.example.ask
        differs = [d for d in self._disputed(candidate) if not d.sided and subject.holds(d, question)]
        old, new = self._outcomes(candidate)
        if not differs or old.said is not None or new.said is not None:
            return ()
        made = self._between(candidate, ends.made, back=False)
        without = self._between(candidate, ends.taken, back=True) if made is not None else None
        if made is None or without is None:
            return ()
        whole = tuple(d for d in differs if _alike(made, new, d) and _alike(without, old, d))
        return whole or tuple(
            replace(d, aspect=(d.aspect[0], code, 0))
            for d in differs
            for code in sorted(subject.codes_in(d))
            if _names(made, code) is _names(new, code) and _names(without, code) is _names(old, code)
        )

    def _moved(self, candidate: _Candidate, change: Change, ends: Ends, subject: Subject) -> Case | None:
        """Try one example: whether the result moves when these changes are taken back, or made."""
        old, new = self._outcomes(candidate)
        differs = self._disputed(candidate)
        if not differs:
            return None
        for back, still in ((True, new), (False, old)):
            tried = self._between(candidate, ends.taken if back else ends.made, back=back)
            if tried is None or (tried.said is not None and tried.said not in (old.said, new.said)):
                continue  # it cannot be said for another reason, which shows nothing
            turned = disagreements(tried, still) if back else disagreements(still, tried)
            aspects = {d.aspect for d in turned}
            moved = tuple(d for d in differs if d.aspect in aspects)
            if moved:
                said = tuple(d for d in moved if not d.sided)
                meant = tuple(d for d in said if subject.holds(d, candidate.example.ask))
                unsayable = not said or all(d.aspect[0] == SAYING for d in said)
                strength = Strength.UNSAYABLE if unsayable else Strength.PART
                return self._case(candidate, change, ends, strength, meant or said or moved)
            if turned and still.said is None and tried.said is None and (old.said or new.said):
                return self._case(candidate, change, ends, Strength.UNSAYABLE, differs, turned)
        return None

    def _case(
        self,
        candidate: _Candidate,
        change: Change,
        ends: Ends,
        strength: Strength,
        differs: tuple[Disagreement, ...],
        apart: tuple[Disagreement, ...] = (),
    ) -> Case:
        old, new = self._outcomes(candidate)
        made, without = self._between(candidate, ends.made, back=False), self._between(candidate, ends.taken, back=True)
        others = Ends(*(group - {change.name} for group in ends))
        return Case(
            candidate.clause, candidate.example, candidate.of_new, old, new, differs, strength, others, apart, made, without
        )  # fmt: skip

    # -- examples ----------------------------------------------------------------------------------------------------

    def _candidates(self, change: Change) -> Iterator[_Candidate]:
        """Go through the examples of both rule sets: of the clause itself, of clauses that read the thing, then the rest."""
        seen: set[object] = set()
        near = self._readers(change)
        written = {e.span for c in self.probes.old.ruleset.clauses.values() for e in c.examples}
        waiting = [
            (0 if c.id == change.name else 1 if c.id in near else _FAR, 0 if of_new else 1, c, of_new)
            for of_new, edition in ((True, self.probes.new), (False, self.probes.old))
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
            told = mentioned(change)
            beside = [c for c in self.probes.found if c.names & told]
            words = set(change.names) | {c.word for c in beside if not c.clause or c.word}
            found = {c.name for c in beside if c.clause}
            nodes = [(i, n) for e in self._editions for i, n in clauses(e.document).items()]
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
        return (self.probes.new if candidate.of_new else self.probes.old).ruleset

    def _outcomes(self, candidate: _Candidate) -> tuple[Outcome, Outcome]:
        old, new = (e.outcome(candidate.example, self._spoken(candidate)) for e in self._editions)
        return old, new

    def _disputed(self, candidate: _Candidate) -> tuple[Disagreement, ...]:
        if candidate.key not in self._disputes:
            self._disputes[candidate.key] = disagreements(*self._outcomes(candidate))
        return self._disputes[candidate.key]

    def _between(self, candidate: _Candidate, group: Group, *, back: bool) -> Outcome | None:
        """Say what the later rule set without some changes makes of an example, or the earlier one with them."""
        probe = self.probes.built(group, back=back)
        return None if probe is None else probe.outcome(candidate.example, self._spoken(candidate))


def _alike(one: Outcome, other: Outcome, of: Disagreement) -> bool:
    """Whether two results are the same in one aspect; a line of the ledger that is in neither is."""
    about, name, _ = of.aspect
    if about == "verdict" and name:
        return _names(one, name) is _names(other, name)
    return one.said is None and other.said is None and one.aspects.get(of.aspect) == other.aspects.get(of.aspect)


def _names(outcome: Outcome, code: str) -> bool | None:
    """Whether a verdict names one violation, whatever else it names; nothing where there is no verdict, or an open one."""
    told = Told(outcome.aspects.get(("verdict", "", 0), ""))
    return code in told.codes if told.settled else None


def _unchosen(example: Example, change: Change) -> Iterator[Example]:
    """Give an example, and for a changed option the same without a choice of it: so the two rule sets choose."""
    yield example
    option = change.name.partition("options.")[2]
    if option and any(name == option for name, _ in example.options):
        yield example._replace(options=tuple((n, v) for n, v in example.options if n != option))


def _rank(case: Case, subject: Subject) -> tuple[bool, ...]:
    """Say how much a case shows that is not decided by the change: least first, and what is nearer before what is further."""
    meant = any(subject.holds(d, case.example.ask) for d in case.differs)
    unsayable = case.strength is Strength.UNSAYABLE
    return unsayable, unsayable and not case.apart, not meant, not (case.brings or case.needed)
