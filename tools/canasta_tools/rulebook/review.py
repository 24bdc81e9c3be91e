"""A page for those who edit rules: each clause as a person wrote it, beside what is executed, read out.

The two should say the same. Where only one of them has changed since an earlier state of the rule set, somebody has to
look whether the other one still fits.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.source import file_text
from canasta_tools.rulebook.material import ClauseEntry, Material, material


@dataclass(frozen=True, slots=True)
class Pair:
    """One clause, and whether only its text or only its formal part has changed."""

    entry: ClauseEntry
    text_only: bool = False
    formal_only: bool = False

    @property
    def marked(self) -> bool:
        """Whether somebody should look."""
        return self.text_only or self.formal_only


@dataclass(frozen=True, slots=True)
class Review:
    """A rule set, clause by clause."""

    book: Material
    pairs: tuple[Pair, ...]

    @property
    def marked(self) -> tuple[Pair, ...]:
        """The clauses of which only one side has changed."""
        return tuple(pair for pair in self.pairs if pair.marked)


def review(name: str, language: str = "en", since: str = "") -> Review:
    """Set texts and formal parts of a rule set side by side; ``since`` is the file of its resolved form at an earlier time.

    Raises:
        CanastaError: RS0018 or RS0017 when that file cannot be read, US0007 when it is no resolved rule set; as `material` does.
    """
    book = material(name, language)
    before = _digests(since) if since else {}
    return Review(book, tuple(_pair(entry, before.get(entry.clause.id)) for entry in book.clauses))


def _pair(entry: ClauseEntry, before: tuple[str, str] | None) -> Pair:
    if before is None:
        return Pair(entry)
    formal, text = before[0] != entry.formal_digest, before[1] != entry.text_digest
    return Pair(entry, text_only=text and not formal, formal_only=formal and not text)


def _digests(path: str) -> dict[str, tuple[str, str]]:
    """Read the digests of all clauses from a resolved rule set: formal, then text."""
    try:
        told = json.loads(file_text(Path(path)))
        return {c["id"]: (c["digests"]["formal"], c["digests"]["text"]) for c in told["clauses"]}
    except (json.JSONDecodeError, KeyError, TypeError):
        hint = "name a file of spec/resolved, as it was at the release to compare with"
        raise CanastaError([Diagnostic("US0007", f"{path} is no resolved rule set", hint=hint)]) from None
