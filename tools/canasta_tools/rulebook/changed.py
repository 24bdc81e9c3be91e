"""How one rule set differs from another, as a book tells it: figures with both values, texts beside each other."""

from dataclasses import dataclass, replace

from canasta.language.changes import Change, How, Weight, changes
from canasta.language.merging import word
from canasta.language.source import Mapping
from canasta.wording import context_of
from canasta_tools.differences import formal_of, value_of, valued, words_of
from canasta_tools.rulebook.deciding import Proof, proofs
from canasta_tools.rulebook.material import ClauseEntry, Material, material
from canasta_tools.rulebook.telling import Said

_NOTHING = Said("")


@dataclass(frozen=True, slots=True)
class Side:
    """A thing as one of the two rule sets has it: its title and text, and its value if it has one."""

    title: Said = _NOTHING
    text: Said = _NOTHING
    value: str = ""
    executed: str = ""
    """What is executed, where both say the same in words."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs, by its name; a side is nothing where that rule set has it not."""

    name: str
    old: Side | None
    new: Side | None
    case: Proof | None = None
    """A case that shows it; ``seen`` names the difference beside which it is drawn already."""
    seen: str = ""

    @property
    def formal_only(self) -> bool:
        """Whether words and value are the same, or there are none, and what is executed is not."""
        return self.old is not None and self.new is not None and bool(self.old.executed or self.new.executed)


@dataclass(frozen=True, slots=True)
class Section:
    """Differences of one kind, under a heading."""

    id: str
    heading: Said
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rule sets and all in which the later differs from the earlier."""

    old: Material
    new: Material
    sections: tuple[Section, ...]

    @property
    def size(self) -> int:
        """How many things differ."""
        return sum(len(section.differences) for section in self.sections)


def compared(old: str, new: str, language: str = "en") -> Comparison:
    """Compare two rule sets, by name or path.

    Raises:
        CanastaError: with every fault of the rule sets or their texts; TR0001 and on where they cannot be told in that language.
    """
    before, after = material(old, language), material(new, language)
    found = changes(before.loaded, after.loaded)
    told = after.teller
    headings = {
        "set": told.say("Other figures"),
        "replaced": told.say("Other rules"),
        "added": told.say("New"),
        "removed": told.say("Not here any more"),
        "said": told.say("Said otherwise, played as before"),
    }
    cases, drawn = proofs(before, after, found), dict[str, str]()
    sections = []
    for id_, heading in headings.items():
        these = tuple(_shown(_difference(c, before, after), cases, drawn, id_) for c in found if _section(c) == id_)
        if these:
            sections.append(Section(id_, heading, these))
    return Comparison(before, after, tuple(sections))


def _section(change: Change) -> str:
    if change.how is How.SET:
        return "set"
    if change.how is How.ADDED:
        return "added"
    if change.how is How.REMOVED:
        return "removed"
    return "said" if change.weight in (Weight.SAID, Weight.ORDER) else "replaced"


def _shown(one: Difference, cases: dict[str, Proof], drawn: dict[str, str], section: str) -> Difference:
    """Add the case that shows a difference; one that several share is drawn beside the first."""
    case = cases.get(one.name)
    if case is None:
        return one
    seen = drawn.setdefault(case.id, f"{section}/{one.name}")
    return replace(one, case=case, seen="" if seen == f"{section}/{one.name}" else seen)


def _difference(change: Change, old: Material, new: Material) -> Difference:
    one, other = _side(change, change.old, old), _side(change, change.new, new)
    if one is not None and other is not None and one == other and change.weight is Weight.EXECUTED:
        told = tuple(_in_words(change, book) for book in (old, new))
        if told[0] == told[1]:
            told = formal_of(change.old, change), formal_of(change.new, change)
        one, other = (replace(side, executed=text) for side, text in zip((one, other), told, strict=True))
    return Difference(change.name, one, other)


def _in_words(change: Change, book: Material) -> str:
    """Put into words what is executed of a clause, one field a line; a declaration has no such words."""
    entry = next((e for e in book.clauses if change.clause and e.clause.id == change.name), None)
    return "\n".join(f"{name}: {sentence}" for name, sentence in entry.sentences) if entry is not None else ""


def _side(change: Change, node: Mapping | None, book: Material) -> Side | None:
    if node is None:
        return None
    if change.clause:
        entry: ClauseEntry | None = next((e for e in book.clauses if e.clause.id == change.name), None)
        return Side(entry.title, entry.text) if entry is not None else None
    text, field = words_of(node), "text" if word(node, "text") else "title"
    told = book.teller.told(book.ruleset, context_of(change.name, field), text) if text else _NOTHING
    return Side(
        Said(book.teller.name(change.word or change.name)), told, value_of(node, change) if valued(change) else ""
    )
