"""All clauses of one or several rule sets, ready to be listed, searched and looked up."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from canasta.formal import formal_text
from canasta.games import load_ruleset
from canasta.language.loading import Loaded, load_document
from canasta.language.naming import known
from canasta.language.ruleset import Bound, Clause, Requirement, Ruleset, Structure
from canasta.language.source import Mapping
from canasta.language.source import Sequence as NodeList
from canasta.prose import ProseError, fill

PAGES_OF_CODES: Final = "docs/reference/violations"
"""The folder with a page for each violation code, from the root of a checkout."""


def page_of_code(code: str) -> str:
    """Name the page that shows a violation code."""
    return f"{PAGES_OF_CODES}/{code.lower().replace('_', '-')}.md"


@dataclass(frozen=True, slots=True)
class Entry:
    """One clause in one rule set.

    ``ruleset`` is the rule set in whose files it stands, ``text`` its text with the figures put in, ``formal`` what is
    executed, ``codes`` the codes of its violations, ``file`` and ``line`` where it begins.
    """

    clause: Clause
    ruleset: str
    text: str
    formal: str
    codes: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file in which it stands."""
        return self.clause.span.file

    @property
    def line(self) -> int:
        """The line in which it begins, from 1."""
        return self.clause.span.line

    def holds(self, word: str) -> int:
        """Say how well a word fits, 0 for not at all: by name or code, by title, text, or in sources or formal part."""
        clause, small = self.clause, word.lower()
        if small in (clause.id, *clause.aliases) or word in self.codes:
            return 8
        fields = (
            (4, " ".join((clause.id, clause.title, *self.codes))),
            (2, f"{self.text} {clause.chapter}"),
            (1, " ".join([*(f"{s.at} {s.note}" for s in clause.sources), clause.ruling, clause.kind, self.formal])),
        )
        found = next((worth for worth, field in fields if small in field.lower()), 0)
        if found or (stem := _stem(small)) == small:
            return found
        return int(any(re.search(rf"\b{re.escape(stem)}", field.lower()) for _, field in fields))


def _stem(word: str) -> str:
    """Take the commonest endings from a word, so that `going` finds "go out" and `asks` finds "ask"."""
    return next(
        (word.removesuffix(end) for end in ("ing", "ed", "s") if word.endswith(end) and len(word) > len(end) + 1), word
    )


def entries(name: str) -> tuple[Entry, ...]:
    """List the clauses of a rule set in reading order.

    Raises:
        CanastaError: with every fault of the name or the files.
    """
    return _entries(load_ruleset(name), name)


@cache
def _entries(ruleset: Ruleset, name: str) -> tuple[Entry, ...]:
    """List the clauses of a rule set that is loaded; it is another object once its file has changed."""
    loaded = load_document(name)
    nodes = _nodes(loaded)
    return tuple(
        Entry(
            clause=clause,
            ruleset=loaded.base if (origin := loaded.origin.get(clause.id)) is None else origin.ruleset,
            text=_filled(ruleset, clause),
            formal=formal_text(nodes[clause.id]) if clause.id in nodes else "",
            codes=codes_of(clause),
        )
        for clause in ruleset.clauses.values()
    )


def all_entries() -> Iterator[Entry]:
    """List the clauses of every shipped rule set; one that a variant merely inherits comes once.

    Raises:
        CanastaError: with every fault of the files.
    """
    seen: set[tuple[str, str, int]] = set()
    for name in known():
        for entry in entries(name):
            key = (entry.clause.id, entry.file, entry.line)
            if key not in seen:
                seen.add(key)
                yield entry


def codes_of(clause: Clause) -> tuple[str, ...]:
    """List the codes of the violations that a clause can name."""
    if isinstance(clause, Requirement | Bound):
        return tuple(dict.fromkeys(demand.code for demand in clause.require))
    return (clause.code,) if isinstance(clause, Structure) else ()


def search(found: Sequence[Entry], words: Sequence[str]) -> list[Entry]:
    """List the clauses that hold all words, the best first; those that are equally good stay in reading order."""
    parts = [part for word in words for part in re.split(r"\s+", word) if part]
    worth = [[entry.holds(part) for part in parts] for entry in found]
    kept = [(sum(w), i) for i, w in enumerate(worth) if all(w)]
    return [found[i] for _, i in sorted(kept, key=lambda pair: (-pair[0], pair[1]))]


def _nodes(loaded: Loaded) -> dict[str, Mapping]:
    listed = loaded.document.items.get("clauses")
    nodes = [n for n in listed.items if isinstance(n, Mapping)] if isinstance(listed, NodeList) else []
    return {str(getattr(n.items.get("id"), "text", "")): n for n in nodes}


def _filled(ruleset: Ruleset, clause: Clause) -> str:
    try:
        return fill(ruleset, clause)
    except ProseError:  # a text with a faulty brace is still shown; `canasta rules check` tells the fault
        return " ".join(clause.text.split())
