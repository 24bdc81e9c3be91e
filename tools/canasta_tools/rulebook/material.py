"""What a rulebook is made of: a rule set in reading order, each clause with everything a reader may ask about it."""

from collections.abc import Sequence as Listed
from dataclasses import dataclass
from functools import cache

from canasta.formal import formal_data, formal_text
from canasta.games import load_ruleset
from canasta.language.digests import formal_digest, text_digest
from canasta.language.loading import Loaded, load_document
from canasta.language.ruleset import (
    Bound,
    Clause,
    Custom,
    Definition,
    Duty,
    Effect,
    Ending,
    Example,
    Requirement,
    Ruleset,
    Score,
    Structure,
)  # fmt: skip
from canasta.language.source import Mapping, Scalar, Sequence
from canasta.mechanical import mechanical, mechanical_statement
from canasta.playing.examples import coming_out_otherwise
from canasta.prose import fill, fill_text
from canasta.register import Register, read_register
from canasta_tools.rulebook.in_force import out_of_force


@dataclass(frozen=True, slots=True)
class Worked:
    """An example as a book shows it: what must come of it, in words."""

    example: Example
    expectation: tuple[str, ...]

    @property
    def legal(self) -> bool | None:
        """Whether the example shows a legal or an illegal turn, or neither."""
        expect = self.example.expect
        if isinstance(expect, dict):
            return False if "illegal" in expect else None
        return True if expect == "legal" else None


@dataclass(frozen=True, slots=True)
class ClauseEntry:
    """A clause with its text filled, its formal part in three forms, its digests, codes and examples."""

    clause: Clause
    text: str
    concerns: str
    formal: str
    data: dict[str, object]
    sentences: tuple[tuple[str, str], ...]
    codes: tuple[str, ...]
    formal_digest: str
    text_digest: str
    examples: tuple[Worked, ...]
    off: tuple[str, ...] = ()
    """What of it the options of the rule set switch off."""


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """A chapter in reading order."""

    name: str
    title: str
    about: str
    clauses: tuple[ClauseEntry, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """A rule set ready to be printed."""

    ruleset: Ruleset
    loaded: Loaded
    about: str
    profile_titles: dict[str, str]
    chapters: tuple[ChapterEntry, ...]
    register: Register

    @property
    def clauses(self) -> tuple[ClauseEntry, ...]:
        """All clauses in reading order."""
        return tuple(entry for chapter in self.chapters for entry in chapter.clauses)

    def texts(self, declared: str) -> dict[str, str]:
        """Find the words for the reader that stand with each thing declared under a key, such as ``parameters``."""
        table = self.loaded.document.items.get(declared)
        found = table.items.items() if isinstance(table, Mapping) else ()
        return {name: _text(node, "text") for name, node in found if isinstance(node, Mapping)}


@cache
def register() -> Register:
    """Read the register of sources, seed sentences and rulings once."""
    return read_register()


@cache
def material(name: str) -> Material:
    """Gather all about a rule set.

    Raises:
        CanastaError: with every fault of the rule set, of its texts or of the register.
    """
    loaded, rules = load_document(name), load_ruleset(name)
    nodes = _clause_nodes(loaded.document)
    otherwise = coming_out_otherwise(name) if loaded.lineage else frozenset()
    entries = [_entry(rules, clause, nodes[clause.id], otherwise) for clause in rules.clauses.values()]
    chapters = tuple(
        ChapterEntry(
            name, title or name, fill_text(rules, about), tuple(e for e in entries if e.clause.chapter == name)
        )
        for name, title, about in rules.chapters
    )
    about = loaded.document.items.get("about")
    return Material(
        rules, loaded, about.text if isinstance(about, Scalar) else "", _profile_titles(loaded.document),
        tuple(c for c in chapters if c.clauses), register(),
    )  # fmt: skip


def _clause_nodes(document: Mapping) -> dict[str, Mapping]:
    listed = document.items.get("clauses")
    found = [c for c in listed.items if isinstance(c, Mapping)] if isinstance(listed, Sequence) else []
    return {_text(c, "id"): c for c in found}


def _text(of: Mapping, key: str) -> str:
    node = of.items.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


def _profile_titles(document: Mapping) -> dict[str, str]:
    profiles = document.items.get("profiles")
    if not isinstance(profiles, Mapping):
        return {}
    return {name: _text(p, "title") for name, p in profiles.items.items() if isinstance(p, Mapping)}


def _entry(rules: Ruleset, clause: Clause, node: Mapping, otherwise: frozenset[str]) -> ClauseEntry:
    return ClauseEntry(
        clause, fill(rules, clause), concerns(clause), formal_text(node), formal_data(node), _sentences(rules, clause),
        codes_of(clause), formal_digest(node), text_digest(node), _worked(clause, otherwise),
        out_of_force(rules, clause),
    )  # fmt: skip


def concerns(clause: Clause) -> str:
    """Say in a few words what kind of clause it is and what it is about."""
    match clause:
        case Requirement(on=on) | Effect(on=on):
            return f"{clause.kind} on {_listed(on)}"
        case Duty(on=on, each_seat=each_seat):
            return f"duty after {_listed(on)}{', for each seat' if each_seat else ''}"
        case Bound(shape=shape):
            return f"bound of the shape {shape}"
        case Structure(refuses=refuses):
            return f"structure: {refuses}"
        case Definition(name=name):
            return f"definition of {name}"
        case Score(item=item, each_seat=each_seat):
            return f"score: {item}, for each {'seat' if each_seat else 'side'}"
        case Ending(each_seat=each_seat):
            return f"ending, by {'seats' if each_seat else 'sides'}"
        case _:
            sums_up = isinstance(clause, Custom) and clause.follows_from
            return "sums up what other clauses decide" if sums_up else "for the people at the table, not executed"


def _listed(words: Listed[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def codes_of(clause: Clause) -> tuple[str, ...]:
    """List the violation codes that a clause gives, each once."""
    if isinstance(clause, Requirement | Bound):
        return tuple(dict.fromkeys(d.code for d in clause.require))
    return (clause.code,) if isinstance(clause, Structure) else ()


def _sentences(rules: Ruleset, clause: Clause) -> tuple[tuple[str, str], ...]:
    """Say the formal part in English: pairs of a label and a sentence."""
    found: list[tuple[str, str]] = []
    if isinstance(clause, Requirement | Bound | Effect | Duty | Score | Ending) and clause.when is not None:
        found.append(("when", mechanical(rules, clause.when)))
    match clause:
        case Requirement() | Bound():
            found += [(d.code, mechanical(rules, d.that)) for d in clause.require]
        case Effect() | Duty():
            found += [("do", mechanical_statement(rules, s)) for s in clause.do]
        case Definition():
            found.append((clause.name, mechanical(rules, clause.body)))
        case Structure(deals=deals) if deals is not None:
            found.append(("deals next", mechanical(rules, deals)))
        case Score():
            found.append((clause.item, mechanical(rules, clause.points)))
        case Ending():
            found.append(("winner", f"whoever has the most of: {mechanical(rules, clause.winner)}"))
    return tuple(found)


def _worked(clause: Clause, otherwise: frozenset[str]) -> tuple[Worked, ...]:
    """List the examples that hold: a variant's book does not print those of its parent that come out otherwise in it."""
    return tuple(
        Worked(example, expectation(example.expect))
        for example in clause.examples
        if f"{clause.id}/{example.id}" not in otherwise
    )


def expectation(expect: object) -> tuple[str, ...]:
    """Say in short what must come of an example, one finding a line."""
    if not isinstance(expect, dict):
        return (str(expect),)
    lines: list[str] = []
    for key, value in expect.items():
        if key == "illegal":
            lines.append(f"illegal: {', '.join(str(code) for code in value)}")
        elif key == "ledger":
            lines += [f"{item} {points}" for item, points in value.items()]
        elif key == "after":
            lines.append(f"then {value}")
        else:
            lines.append(f"{key} {value}")
    return tuple(lines)
