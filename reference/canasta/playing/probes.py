"""Rule sets between two others: the earlier with some of the changes made, the later with some taken back."""

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from canasta.diagnostics import CanastaError
from canasta.language.changes import Change, Weight, executed, in_force, mentions, ordered, with_change
from canasta.language.loading import Loaded
from canasta.language.nodes import Mapping as Document
from canasta.playing.outcomes import Edition, Grain

_RINGS: Final = 6
"""How far changes that hang together are followed from one to the next."""

_MANY: Final = 16
"""So many changes are tried together; that more of them decide something says little about one."""

_NAMED: Final = re.compile(r"['`]([a-z][a-z0-9_.-]*)['`]")

Group = frozenset[str]
"""Changes that are made or taken back together, by their names."""


class Ends(NamedTuple):
    """Changes that are made in the earlier rule set, and changes that are taken back out of the later one."""

    made: Group
    taken: Group

    @property
    def all(self) -> Group:
        """Both."""
        return self.made | self.taken

    def less(self, made: Group, taken: Group) -> "Ends":
        """Leave some out."""
        return Ends(self.made - made, self.taken - taken)


NONE: Final = Ends(frozenset(), frozenset())


@dataclass(slots=True)
class Probes:
    """Two rule sets, the changes between them, and what was built between the two so far."""

    loaded_old: Loaded
    loaded_new: Loaded
    found: tuple[Change, ...]
    old: Edition = field(init=False)
    new: Edition = field(init=False)
    _built: dict[tuple[bool, Group], Edition | None] = field(default_factory=dict)
    _bases: dict[bool, Edition] = field(default_factory=dict)
    _lacking: dict[tuple[bool, Group], frozenset[str]] = field(default_factory=dict)
    """What the faults of an attempt name that could not be built."""
    _faulty: dict[tuple[bool, Group], Group] = field(default_factory=dict)
    """The clauses in which those faults are."""

    def __post_init__(self) -> None:
        """Build both rule sets."""
        chapters = self.loaded_old.chapter_of | self.loaded_new.chapter_of
        self.old, self.new = (Edition(in_force(x), x.name, chapters) for x in (self.loaded_old, self.loaded_new))
        decks = [(edition.game(()).deck, edition.ruleset.pack) for edition in (self.old, self.new)]
        deck, pack = min(decks, key=lambda told: len(told[0].names))
        self.old.grain = self.new.grain = Grain(deck, (*pack.ranks, *(name for name, _ in pack.extra)))

    def built(self, group: Group, *, back: bool) -> Edition | None:
        """Build the later rule set without some changes, or the earlier one with them; nothing where that cannot be."""
        key = (back, group)
        if key not in self._built:
            base = self._bare(back=back)
            document = base.document
            for change in self.found:
                if change.name in group:
                    document = with_change(document, change, back=back)
            try:
                self._built[key] = Edition(ordered(document), base.name, base.chapter_of, base.grain, base)
            except CanastaError as error:
                self._built[key] = None
                told = " ".join(d.message for d in error.diagnostics)
                self._lacking[key] = frozenset(_NAMED.findall(told))
                self._faulty[key] = frozenset(d.clause for d in error.diagnostics if d.clause)
        return self._built[key]

    def _bare(self, *, back: bool) -> Edition:
        """Give the rule set to begin with, without what is not executed; and without profiles, which tie their options together."""
        if back not in self._bases:
            whole = self.new if back else self.old
            document: Document = ordered(executed(whole.document))
            self._bases[back] = Edition(document, whole.name, whole.chapter_of, whole.grain)
        return self._bases[back]

    def ends(self, change: Change) -> list[Ends]:
        """List the change alone, then with those without which it cannot be, then with those that hang together with it."""
        alone = frozenset({change.name})
        rings = [alone]
        for _ in range(_RINGS):
            rings.append(rings[-1] | self._hanging(rings[-1]))
        found = [Ends(alone, alone)]
        for ring in dict.fromkeys(rings):
            if len(ring) <= _MANY:
                made, taken = self.grown(ring, back=False), self.grown(ring, back=True)
                found += [Ends(made or ring, taken or ring), Ends(ring, ring)]
        return list(dict.fromkeys(found))

    def grown(self, group: Group, *, back: bool) -> Group | None:
        """Add to some changes those without which no rule set can be built, as the faults of the attempt name them."""
        while self.built(group, back=back) is None:
            lacking = self._lacking[back, group]
            meant = {c.name for c in self.found if c.names & lacking or c.name in lacking} - group
            faulty = {c.name for c in self.found if c.name in self._faulty[back, group]} - group
            more = meant or faulty or {c.name for c in self.found if mentioned(c) & lacking} - group
            if not more:
                return None
            group = group | more
        return group

    def _hanging(self, group: Group) -> Group:
        """List the changes that mention one of a group, or are mentioned by it."""
        inside = [c for c in self.found if c.name in group]
        names = frozenset[str]().union(*(c.names for c in inside))
        read = frozenset[str]().union(*(mentioned(c) for c in inside)) | names
        counted = [c for c in self.found if c.weight not in (Weight.SAID, Weight.UNREAD)]
        return frozenset(c.name for c in counted if c.names & read or names & mentioned(c))


def mentioned(change: Change) -> frozenset[str]:
    """List the words that stand in what is executed of a changed thing, as it was and as it is."""
    return frozenset[str]().union(*(mentions(n) for n in (change.old, change.new) if n is not None))
