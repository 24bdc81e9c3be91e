"""The differences between two rule sets, ready to be shown: each change with both wordings and the case that shows it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from canasta.diagnostics import Diagnostic, Severity
from canasta.formal import formal_text
from canasta.language.changes import VALUED, Change, How, Weight, changes
from canasta.language.digests import canonical
from canasta.language.loading import Loaded, load_document
from canasta.language.merging import word
from canasta.language.naming import known, parse_name
from canasta.language.source import Mapping, Node, Scalar, Sequence
from canasta.playing.distinguishing import Case, Shown, distinguish
from canasta.playing.outcomes import Disagreement, Outcome
from canasta.playing.remembered import NOTHING, memories, remembered
from canasta_tools.rulebook.material import ClauseEntry, Material, material

NO_CASE_NEEDED: Final = {
    Weight.SAID: "Only words, sources or examples differ; it is executed as before.",
    Weight.BINDING: "It is not executed itself: it binds the people at the table, or sums up what other clauses decide.",
    Weight.ORDER: "It is executed as before: the order in which effects run names clauses that only one of the two has.",
    Weight.NAME: "A profile is a name for choices, and decides no position.",
    Weight.UNREAD: "No rule that is executed reads it; it stands in texts only.",
}
"""Why a change needs no case."""

_HEADS: Final = ("table", "pack")
_SPOKEN: Final = ("title", "text")


@dataclass(frozen=True, slots=True)
class Differences:
    """Two rule sets and everything in which the later differs from the earlier."""

    old: Material
    new: Material
    shown: tuple[Shown, ...]

    @property
    def missing(self) -> tuple[Diagnostic, ...]:
        """Tell every change that no case shows."""
        return tuple(_missing(s.change, self) for s in self.shown if s.missing)

    def entries(self, change: Change) -> tuple[ClauseEntry | None, ClauseEntry | None]:
        """Find a changed clause as the books of both print it."""
        return _entry(self.old, change, change.old), _entry(self.new, change, change.new)


def parent_of(loaded: Loaded) -> str:
    """Name the rule set that one extends, without profile and options; empty if it extends none."""
    extends = word(loaded.document, "extends")
    if not extends:
        return ""
    home = parse_name(loaded.name).home
    parent = parse_name(extends, home)
    return parent.base if parent.home.shipped else parent.home.shown


def pairs() -> Iterator[tuple[str, str]]:
    """Go through the shipped rule sets that extend another: pairs of the extended and the extending one."""
    for name in known():
        parent = parent_of(load_document(name))
        if parent:
            yield parent, name


def differences(old: str, new: str, *, cases: bool = True) -> Differences:
    """Compare two rule sets, by name or path; without ``cases`` nothing is executed.

    For a shipped rule set and the one that it extends, the search begins with the cases that are remembered.

    Raises:
        CanastaError: with every fault of the rule sets.
    """
    before, after = load_document(old), load_document(new)
    memory = remembered(new) if (old, new) in set(pairs()) else NOTHING
    found = distinguish(before, after, memory) if cases else tuple(Shown(c) for c in changes(before, after))
    return Differences(material(old), material(new), found)


@cache
def of_shipped(old: str, new: str) -> Differences:
    """Compare two shipped rule sets, once in the life of a process."""
    return differences(old, new)


def memory_of(found: Differences) -> str:
    """Write down where the cases were found."""
    return memories(found.new.loaded.base, [s.memory for s in found.shown if s.memory is not None])


def _entry(book: Material, change: Change, node: Mapping | None) -> ClauseEntry | None:
    if node is None or not change.clause:
        return None
    return next((e for e in book.clauses if e.clause.id == change.name), None)


def _missing(change: Change, of: Differences) -> Diagnostic:
    what = f"the clause {change.name}" if change.clause else change.name
    message = (
        f"no example shows that {what} is {change.how}: {of.old.loaded.name} and {of.new.loaded.name} agree on all"
    )
    hint = "give the clause, or one that reads it, an example that comes out otherwise without the change"
    clause = change.name if change.clause else ""
    return Diagnostic("RS5014", message, change.span, hint, severity=Severity.WARNING, clause=clause)


# -- how things are written --------------------------------------------------------------------------------------------


def value_of(node: Mapping | None, change: Change) -> str:
    """Write the value of a parameter, an option or a step table."""
    if node is None:
        return ""
    if "is" in node.items:
        return word(node, "is")
    steps = node.items.get("from")
    rows = steps.items.items() if isinstance(steps, Mapping) else ()
    told = [f"from {start}: {value.text}" for start, value in rows if isinstance(value, Scalar)]
    return ", ".join([f"below: {word(node, 'below')}", *told]) if told else declared_as(node, change.name)


def formal_of(node: Mapping | None, change: Change) -> str:
    """Write what is executed of a clause or a declaration, as in a rule file."""
    if node is None:
        return ""
    return formal_text(node) if change.clause else declared_as(node, change.name)


def declared_as(node: Mapping, path: str) -> str:
    """Write a declaration field by field, without the words for the reader."""
    fields = [(k, v) for k, v in node.items.items() if k not in (*_SPOKEN, "ruling")]
    return "\n".join([f"{path}:", *(f"  {k}: {_inline(v, k)}" for k, v in fields)])


def _inline(node: Node, field: str) -> str:
    if isinstance(node, Scalar):
        told = canonical(node, field)
        return told if isinstance(told, str) else node.text
    if isinstance(node, Sequence):
        return f"[{', '.join(_inline(item, '') for item in node.items)}]"
    return f"{{{', '.join(f'{k}: {_inline(v, k)}' for k, v in node.items.items())}}}"


def words_of(node: Mapping | None) -> str:
    """Find what a declaration says to the reader."""
    return " ".join((word(node, "text") or word(node, "title")).split()) if node is not None else ""


def in_order(found: tuple[Shown, ...], *hows: How) -> list[Shown]:
    """Pick changes of some kinds in the order of a reader: table and pack, then rules, then what only formal parts name."""
    picked = [s for s in found if s.change.how in hows]
    return sorted(picked, key=lambda s: 0 if s.change.name in _HEADS else 1 if s.change.clause else 2)


def valued(change: Change) -> bool:
    """Whether a change is about a parameter, an option or a step table."""
    return not change.clause and change.name.partition(".")[0] in VALUED


# -- what lies between two results -------------------------------------------------------------------------------------


def between(case: Case, found: Disagreement) -> tuple[str, str]:
    """Say what the earlier rule set makes of one aspect with the change, and the later one without it."""
    return _aspect_of(case.made, found), _aspect_of(case.without, found)


def _aspect_of(outcome: Outcome | None, found: Disagreement) -> str:
    if outcome is None:
        return "no rule set holds together so"
    if outcome.said is not None:
        return f"cannot be said: {outcome.said.why}"
    about, name, owner = found.aspect
    aspect = (about, "" if about == "verdict" else name, owner)
    if aspect in outcome.shown:
        return outcome.shown[aspect]
    return f"{name.partition(' ')[0]} 0" if about == "ledger" else "not looked at: the turn is not legal"


def partly(case: Case, old: str, new: str, *, they: str = "it") -> str:
    """Say of a change that has a part in a case what it does by itself, and what it does not."""
    if case.needed and not case.brings:
        return f"without {they} {new} says what {old} says, but {they} alone does not bring {old} to what {new} says"
    if case.brings and not case.needed:
        return f"{they} alone brings {old} to what {new} says, but without {they} {new} does not say what {old} says"
    return f"the result moves with {they}, and other changes move it, too"


def code_of_case(case: Case) -> str:
    """Name the violation that a change decides, where the verdicts differ in others as well; else nothing."""
    return next((d.aspect[1] for d in case.differs if d.aspect[0] == "verdict"), "")
