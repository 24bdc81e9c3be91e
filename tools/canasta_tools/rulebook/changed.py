"""How one rule set differs from another, as a book tells it: figures with both values, texts beside each other."""

from dataclasses import dataclass

from canasta.language.changes import Change, How, Weight, changes
from canasta.language.merging import word
from canasta.language.source import Mapping
from canasta.wording import context_of
from canasta_tools.differences import value_of, valued, words_of
from canasta_tools.rulebook.material import ClauseEntry, Material, material
from canasta_tools.rulebook.telling import Said

_NOTHING = Said("")


@dataclass(frozen=True, slots=True)
class Side:
    """A thing as one of the two rule sets has it: its title and text, and its value if it has one."""

    title: Said = _NOTHING
    text: Said = _NOTHING
    value: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs, by its name; a side is nothing where that rule set has it not."""

    name: str
    old: Side | None
    new: Side | None


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
    sections = []
    for id_, heading in headings.items():
        these = tuple(_difference(c, before, after) for c in found if _section(c) == id_)
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


def _difference(change: Change, old: Material, new: Material) -> Difference:
    return Difference(change.name, _side(change, change.old, old), _side(change, change.new, new))


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
