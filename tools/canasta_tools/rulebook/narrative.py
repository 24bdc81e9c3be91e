"""How a person tells a game: the files of ``spec/books/``, read and checked.

A narrative stands beside the rules and states none: each of its texts names the clauses that it tells, and the figures that the
rule set puts in. What it leaves out it names with a reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Span
from canasta.language.schema_check import check
from canasta.language.source import Mapping, Node, Scalar, Sequence, read_file
from canasta.prose import BRACES, vocabulary
from canasta.rooms import room
from canasta.wording import context_of

FOLDER: Final = "books"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a chapter: a text with the clauses it covers, clauses in their own words, an example or a table."""

    id: str
    title: str
    text: str
    covers: tuple[str, ...]
    rules: tuple[str, ...]
    example: str
    table: str
    begins: bool
    """Whether the text begins a new paragraph."""
    span: Span


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a narrative."""

    id: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Narrative:
    """How one rule set is told. The chapters of ``summary`` hold lines only, each with the clauses it covers."""

    ruleset: str
    lead: str
    chapters: tuple[Chapter, ...]
    summary: tuple[Chapter, ...]
    not_here: dict[str, str]
    span: Span

    @property
    def parts(self) -> Iterator[Part]:
        """Go through all parts in reading order."""
        for chapter in self.chapters:
            yield from chapter.parts

    @property
    def told(self) -> set[str]:
        """The clauses that some part tells, in its own words or in theirs."""
        return {clause for part in self.parts for clause in (*part.covers, *part.rules)}


@cache
def narratives() -> dict[str, Narrative]:
    """Read the narratives there are, by the rule sets that they tell.

    Raises:
        RuleFileError: RS00xx when a file is not strict YAML.
        CanastaError: RS1xxx when one has not the shape of a book, RS7010 when a text says a figure that a rule set may change.
    """
    findings = Findings()
    folder = room("spec") / FOLDER
    found = {}
    paths = [p for p in folder.iterdir() if p.name.endswith(".yaml")] if folder.is_dir() else []
    for path in sorted(paths, key=lambda p: p.name):
        page = read_file(path, f"spec/{FOLDER}/{path.name}")
        wrong = check(page, "book")
        findings.extend(wrong)
        if not wrong:
            read = _narrative(page)
            findings.extend(_figures(page))
            found[read.ruleset] = read
    findings.raise_errors(CanastaError)
    return found


def _narrative(page: Mapping) -> Narrative:
    chapters = tuple(_chapter(node, "parts") for node in _items(page, "chapters"))
    summary = tuple(_chapter(node, "lines") for node in _items(page, "summary"))
    reasons = page.items.get("not_here")
    not_here = (
        {k: v.text for k, v in reasons.items.items() if isinstance(v, Scalar)} if isinstance(reasons, Mapping) else {}
    )
    return Narrative(_text(page, "book"), _text(page, "lead"), chapters, summary, not_here, page.span)


def _chapter(node: Mapping, key: str) -> Chapter:
    return Chapter(_text(node, "id"), _text(node, "title"), tuple(_part(part) for part in _items(node, key)))


def _part(node: Mapping) -> Part:
    words = {key: _text(node, key) for key in ("id", "title", "text", "example", "table")}
    begins = _text(node, "paragraph") == "new"
    return Part(**words, begins=begins, covers=_words(node, "covers"), rules=_words(node, "rules"), span=node.span)


def _items(of: Mapping, key: str) -> list[Mapping]:
    listed = of.items.get(key)
    return [n for n in listed.items if isinstance(n, Mapping)] if isinstance(listed, Sequence) else []


def _text(of: Mapping, key: str) -> str:
    node = of.items.get(key)
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def _words(of: Mapping, key: str) -> tuple[str, ...]:
    listed = of.items.get(key)
    return tuple(n.text for n in listed.items if isinstance(n, Scalar)) if isinstance(listed, Sequence) else ()


def texts_of(told: Narrative) -> Iterator[tuple[str, str]]:
    """Go through the texts of a narrative, each with its place, for the translations."""
    yield context_of("book lead", "text"), told.lead
    for chapter in told.chapters:
        yield context_of(f"book chapter {chapter.id}", "title"), chapter.title
        for part in chapter.parts:
            where = f"book {chapter.id}/{part.id}"
            yield from ((context_of(where, w), t) for w, t in (("title", part.title), ("text", part.text)) if t)
    for heading in told.summary:
        yield context_of(f"book summary {heading.id}", "title"), heading.title
        for line in heading.parts:
            yield context_of(f"book summary {heading.id}/{line.id}", "text"), line.text
    yield from ((context_of(f"book not here {name}", "text"), why) for name, why in told.not_here.items())


# -- figures -----------------------------------------------------------------------------------------------------------


def _figures(page: Mapping) -> Iterator[Diagnostic]:
    """Find figures in the texts of a book that should come from the rule set, unless the text says why it may say them."""
    waiting: list[Node] = [page]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            waiting += node.items.values()
            text = node.items.get("text")
            if isinstance(text, Scalar) and "fixed" not in node.items:
                for figure in figures_in(text.text):
                    hint = "put the name of the parameter in braces, or say under `fixed` why no rule set changes it"
                    yield Diagnostic("RS7010", f"the text says {figure!r}", text.span, hint)


def figures_in(text: str) -> list[str]:
    """List the figures of a text, and the numbers that are written as words before a counted noun."""
    plain = re.sub(r"`[^`]*`", " ", BRACES.sub(" ", text))
    found = re.findall(r"(?<![\w.])\d[\d,]*", plain)
    return found + [m.group() for m in _counted().finditer(plain)]


@cache
def _counted() -> re.Pattern[str]:
    words = vocabulary()
    nouns = sorted({form for noun in words.nouns.values() for form in (noun.one, noun.other)}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(words.numbers[2:])})\s+(?:{'|'.join(nouns)})\b", re.IGNORECASE)
