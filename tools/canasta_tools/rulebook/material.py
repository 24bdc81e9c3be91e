"""What a rulebook is made of: a rule set in reading order, each clause with everything a reader may ask about it."""

from dataclasses import dataclass
from functools import cache

from canasta.formal import formal_data, formal_text
from canasta.games import load_ruleset
from canasta.language.digests import formal_digest, text_digest
from canasta.language.loading import Loaded, load_document
from canasta.language.ruleset import (
    Bound,
    Clause,
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
from canasta.register import Register, read_register
from canasta.wording import context_of
from canasta_tools.rulebook.citing import Cited, cited_by
from canasta_tools.rulebook.in_force import out_of_force
from canasta_tools.rulebook.kinds import concerns
from canasta_tools.rulebook.telling import Said, Teller, teller
from canasta_tools.rulebook.verdicts import Result, results
from canasta_tools.translations.messages import domain_of


@dataclass(frozen=True, slots=True)
class Worked:
    """An example as a book shows it: what must come of it, in words."""

    example: Example
    expectation: tuple[str, ...]
    text: Said
    results: tuple[Result, ...]

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
    title: Said
    text: Said
    concerns: Said
    formal: str
    data: dict[str, object]
    sentences: tuple[tuple[str, str], ...]
    codes: tuple[str, ...]
    formal_digest: str
    text_digest: str
    examples: tuple[Worked, ...]
    off: tuple[Said, ...]
    idle: bool
    """What of it the options of the rule set switch off, and whether that is the whole of it."""
    cited: tuple[Cited, ...]
    """The sources, by what they say."""


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """A chapter in reading order."""

    name: str
    title: Said
    about: Said
    clauses: tuple[ClauseEntry, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """A rule set ready to be printed."""

    ruleset: Ruleset
    loaded: Loaded
    teller: Teller
    title: Said
    about: Said
    profile_titles: dict[str, Said]
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
def material(name: str, language: str = "en") -> Material:
    """Gather all about a rule set, told in a language.

    Raises:
        CanastaError: with every fault of the rule set, of its texts or of the register; TR0001, TR0002 or TR0003 where it
            cannot be told in that language.
    """
    loaded, rules = load_document(name), load_ruleset(name)
    told = teller(language, tuple(domain_of(one) for one in (loaded.base, *loaded.lineage)))
    nodes = _clause_nodes(loaded.document)
    otherwise = coming_out_otherwise(name) if loaded.lineage else frozenset()
    entries = [_entry(rules, clause, nodes[clause.id], otherwise, told) for clause in rules.clauses.values()]
    chapters = tuple(
        ChapterEntry(
            name,
            told.told(rules, context_of(f"chapter {name}", "title"), title or name),
            told.told(rules, context_of(f"chapter {name}", "about"), about),
            tuple(e for e in entries if e.clause.chapter == name),
        )
        for name, title, about in rules.chapters
    )
    about = loaded.document.items.get("about")
    return Material(
        rules, loaded, told, told.told(rules, context_of("rules", "title"), rules.title),
        told.told(rules, context_of("rules", "about"), about.text if isinstance(about, Scalar) else ""),
        _profile_titles(loaded.document, told), tuple(c for c in chapters if c.clauses), register(),
    )  # fmt: skip


def _clause_nodes(document: Mapping) -> dict[str, Mapping]:
    listed = document.items.get("clauses")
    found = [c for c in listed.items if isinstance(c, Mapping)] if isinstance(listed, Sequence) else []
    return {_text(c, "id"): c for c in found}


def _text(of: Mapping, key: str) -> str:
    node = of.items.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


def _profile_titles(document: Mapping, told: Teller) -> dict[str, Said]:
    profiles = document.items.get("profiles")
    if not isinstance(profiles, Mapping):
        return {}
    titles = {name: _text(p, "title") for name, p in profiles.items.items() if isinstance(p, Mapping)}
    return {name: told.as_it_is(context_of(f"profiles.{name}", "title"), title) for name, title in titles.items()}


def _entry(rules: Ruleset, clause: Clause, node: Mapping, otherwise: frozenset[str], told: Teller) -> ClauseEntry:
    off = out_of_force(rules, clause, told)
    return ClauseEntry(
        clause, told.told(rules, context_of(clause.id, "title"), clause.title, clause),
        told.told(rules, context_of(clause.id, "text"), clause.text, clause), concerns(clause, told),
        formal_text(node), formal_data(node), _sentences(rules, clause, told), codes_of(clause), formal_digest(node),
        text_digest(node), _worked(rules, clause, otherwise, told), off.lines, off.whole,
        cited_by(clause, register(), told),
    )  # fmt: skip


def codes_of(clause: Clause) -> tuple[str, ...]:
    """List the violation codes that a clause gives, each once."""
    if isinstance(clause, Requirement | Bound):
        return tuple(dict.fromkeys(d.code for d in clause.require))
    return (clause.code,) if isinstance(clause, Structure) else ()


def _sentences(rules: Ruleset, clause: Clause, told: Teller) -> tuple[tuple[str, str], ...]:
    """Say the formal part in words: pairs of a label and a sentence."""
    found: list[tuple[str, str]] = []
    words = told.wording
    if isinstance(clause, Requirement | Bound | Effect | Duty | Score | Ending) and clause.when is not None:
        found.append((told.say_in("formal part", "when"), mechanical(rules, clause.when, words)))
    match clause:
        case Requirement() | Bound():
            found += [(d.code, mechanical(rules, d.that, words)) for d in clause.require]
        case Effect() | Duty():
            label = told.say_in("formal part", "do")
            found += [(label, mechanical_statement(rules, s, words)) for s in clause.do]
        case Definition():
            found.append((clause.name, mechanical(rules, clause.body, words)))
        case Structure(deals=deals) if deals is not None:
            found.append((told.say_in("formal part", "deals next"), mechanical(rules, deals, words)))
        case Score():
            found.append((clause.item, mechanical(rules, clause.points, words)))
        case Ending():
            most = told.say("whoever has the most of: {what}", what=mechanical(rules, clause.winner, words))
            found.append((told.say_in("formal part", "winner"), most))
    return tuple(found)


def _worked(rules: Ruleset, clause: Clause, otherwise: frozenset[str], told: Teller) -> tuple[Worked, ...]:
    """List the examples that hold: a variant's book does not print those of its parent that come out otherwise in it."""
    return tuple(
        Worked(
            example,
            expectation(example.expect),
            told.told(rules, context_of(f"{clause.id}/{example.id}", "text"), example.text, clause),
            results(example.expect, told),
        )
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
