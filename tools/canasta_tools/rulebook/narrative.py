"""How a person tells a game: the files of ``spec/books/``, read and checked.

A narrative stands beside the rules and states none: each of its texts names the clauses that it tells, and the figures that the
rule set puts in. What it leaves out it names with a reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    after: str = ""
    """In a narrative that goes on from another one: the part that it stands behind."""
    home: str = ""
    """The rule set that it was written for; nothing for that of the narrative."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a narrative."""

    id: str
    title: str
    parts: tuple[Part, ...]
    after: str = ""
    """In a narrative that goes on from another one: the chapter that it stands behind."""


@dataclass(frozen=True, slots=True)
class Narrative:
    """How one rule set is told. The chapters of ``summary`` hold lines only, each with the clauses it covers.

    One that is told ``over`` another says only what is told otherwise or besides.
    """

    ruleset: str
    lead: str
    chapters: tuple[Chapter, ...]
    summary: tuple[Chapter, ...]
    not_here: dict[str, str]
    span: Span
    over: str = ""

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


def whole(found: dict[str, Narrative], name: str) -> Narrative:
    """Put a narrative together with those that it is told over; what it tells itself is not left out any more."""
    own = found[name]
    if not own.over:
        return own
    below = whole(found, own.over)
    return replace(
        own,
        chapters=_joined(_at_home(below.chapters, own.over), own.chapters),
        summary=_joined(_at_home(below.summary, own.over), own.summary),
        not_here={name: why for name, why in below.not_here.items() if name not in own.told} | own.not_here,
    )


def _at_home(chapters: tuple[Chapter, ...], home: str) -> tuple[Chapter, ...]:
    return tuple(replace(c, parts=tuple(replace(p, home=p.home or home) for p in c.parts)) for c in chapters)


def _joined(below: tuple[Chapter, ...], own: tuple[Chapter, ...]) -> tuple[Chapter, ...]:
    """Lay chapters over others: one of the same name goes on with the same parts, others are put in behind one or at the end."""
    known = {chapter.id for chapter in below}
    again = {chapter.id: chapter for chapter in own if chapter.id in known}
    made = [_laid_over(chapter, again[chapter.id]) if chapter.id in again else chapter for chapter in below]
    for chapter in own:
        if chapter.id not in known:
            at = next((i for i, c in enumerate(made) if c.id == chapter.after), len(made) - 1)
            made.insert(at + 1, chapter)
    return tuple(made)


def _laid_over(below: Chapter, own: Chapter) -> Chapter:
    """Put the parts of a chapter into one that it goes on from: in place of those of the same name, or behind the part before."""
    known = {part.id for part in below.parts if part.id}
    again = {part.id: part for part in own.parts if part.id in known}
    made = [again.get(part.id, part) for part in below.parts]
    at = len(made)
    for part in own.parts:
        wanted = part.id if part.id in known else part.after
        at = next((i + 1 for i, p in enumerate(made) if p.id and p.id == wanted), at)
        if part.id not in known:
            made.insert(at, part)
            at += 1
    return Chapter(below.id, own.title or below.title, tuple(made))


def _narrative(page: Mapping) -> Narrative:
    chapters = tuple(_chapter(node, "parts") for node in _items(page, "chapters"))
    summary = tuple(_chapter(node, "lines") for node in _items(page, "summary"))
    reasons = page.items.get("not_here")
    not_here = (
        {k: v.text for k, v in reasons.items.items() if isinstance(v, Scalar)} if isinstance(reasons, Mapping) else {}
    )
    over = _text(page, "over")
    return Narrative(_text(page, "book"), _text(page, "lead"), chapters, summary, not_here, page.span, over)


def _chapter(node: Mapping, key: str) -> Chapter:
    parts = tuple(_part(part) for part in _items(node, key))
    return Chapter(_text(node, "id"), _text(node, "title"), parts, _text(node, "after"))


def _part(node: Mapping) -> Part:
    words = {key: _text(node, key) for key in ("id", "title", "text", "example", "table", "after")}
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
        if chapter.title:
            yield context_of(f"book chapter {chapter.id}", "title"), chapter.title
        for part in chapter.parts:
            where = f"book {chapter.id}/{part.id}"
            yield from ((context_of(where, w), t) for w, t in (("title", part.title), ("text", part.text)) if t)
    for heading in told.summary:
        if heading.title:
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
