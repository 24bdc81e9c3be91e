"""The law book as one HTML page: clauses with drawn examples, questions and answers, codes, sources, declarations."""

import re
from typing import Any

from markupsafe import Markup, escape

from canasta.playing.reseating import reseated
from canasta.register import Basis, Ruling, Source
from canasta.wording import context_of
from canasta_tools.rulebook.citing import known
from canasta_tools.rulebook.declared import declarations
from canasta_tools.rulebook.lawbook import choices, complete, ruling_words
from canasta_tools.rulebook.links import code_link
from canasta_tools.rulebook.material import ClauseEntry, Material, Worked, expectation, material
from canasta_tools.rulebook.page import Artist, Look, page
from canasta_tools.rulebook.scenes import Story, story
from canasta_tools.rulebook.telling import Said
from canasta_tools.rulebook.verdicts import results


def law_page(name: str, language: str = "en", look: Look = Look.SMALL) -> str:
    """Write the law book of a rule set as one HTML page.

    Raises:
        BookError: RS7005 when a clause is missing or stands twice.
        CanastaError: with every fault of the rule set, of its texts or of the register; TR0001 and on where it cannot be told
            in that language.
    """
    book = material(name, language)
    law = _Law(book)
    text = page("book/law.html.j2", Artist(book.teller.wording, look), **law.words())
    complete(
        book,
        re.findall(r'^<section class="clause" data-find id="([^"]+)">\s*<h3><span class="no">\d', text, re.MULTILINE),
    )
    return text


class _Law:
    """What the template of the law book asks for."""

    def __init__(self, book: Material) -> None:
        self.book, self.told = book, book.teller
        self.clauses = book.ruleset.clauses
        self.asked_by: dict[str, list[str]] = {}
        for clause in self.clauses.values():
            if clause.ruling in book.register.rulings:
                self.asked_by.setdefault(clause.ruling, []).append(clause.id)
        for option in book.ruleset.options.values():
            if option.ruling in book.register.rulings:
                self.asked_by.setdefault(option.ruling, [])
        self.rulings = [book.register.rulings[slug] for slug in self.asked_by]
        self.sources, self.codes = self._sources(), self._codes()

    def words(self) -> dict[str, Any]:
        """Give everything by its name in the template."""
        book, told = self.book, self.told
        return {
            "book": book, "base": book.loaded.base, "say": told.say, "say_in": told.say_in,
            "choices": choices(book), "declared": declarations(book), "codes": self.codes,
            "rulings": self.rulings, "asked_by": self.asked_by, "sources": self.sources,
            "ruling": self._ruling, "readings": self._readings, "otherwise": self._otherwise,
            "reason": lambda r: self._of_ruling(r, "reason", r.reason), "sole": lambda r: self._of_ruling(r, "sole", r.sole),
            "basis": self._basis, "level": self._level, "story": self._story, "ruled": self._ruled,
            "known": lambda at: known(at, book.register, told), "code_link": self._code_link, "source_link": self._source_link,
            **ruling_words(book),
        }  # fmt: skip

    def _ruling(self, slug: str) -> Ruling | None:
        return self.book.register.rulings.get(slug) if slug in self.asked_by else None

    def _of_ruling(self, ruling: Ruling, what: str, text: str) -> Said:
        return self.told.as_it_is(context_of(f"ruling {ruling.slug}", what), text) if text else Said("")

    def _readings(self, ruling: Ruling) -> list[dict[str, object]]:
        return [
            {"says": self._of_ruling(ruling, f"reading {i}", r.says), "by": r.by}
            for i, r in enumerate(ruling.readings, 1)
        ]

    def _otherwise(self, ruling: Ruling) -> list[tuple[str, Said]]:
        """List what the option of a ruling can be set to here, each with its meaning."""
        option = ruling.option
        if option is None or option.name not in self.book.ruleset.options:
            return []
        return [(value, self._of_ruling(ruling, f"{option.name} = {value}", text)) for value, text in option.values]

    def _basis(self, ruling: Ruling) -> Said:
        return {
            Basis.SOURCE: self.told.say("a source says so"),
            Basis.INFERENCE: self.told.say("concluded from the sources"),
            Basis.PROJECT: self.told.say("decided by this project"),
        }[ruling.basis]

    def _level(self, level: str) -> Said:
        if level == "should":
            return self.told.say("should be kept")
        return self.told.say("settled at the table")

    def _story(self, worked: Worked) -> Story | None:
        return story(self.book.loaded.name, worked.example, self.told)

    def _ruled(self, ruling: Ruling) -> list[Worked]:
        """List the examples of a ruling, all of which come out so in every rule set that prints it."""
        here = (reseated(example, self.book.ruleset.table) for example in ruling.examples)
        return [Worked(e, expectation(e.expect), Said(e.text), results(e.expect, self.told)) for e in here]

    def _codes(self) -> dict[str, list[ClauseEntry]]:
        found: dict[str, list[ClauseEntry]] = {}
        for entry in self.book.clauses:
            for one in entry.codes:
                found.setdefault(one, []).append(entry)
        return dict(sorted(found.items()))

    def _code_link(self, name: str) -> Markup:
        """Write a name as code, linked to the clause or code that it is the name of."""
        return code_link(name, self.clauses, self.codes)

    def _source_link(self, at: str) -> Markup:
        """Write a source, or a numbered sentence of one, linked to the list of sources."""
        source = at.partition(".")[0]
        shown = escape(at) if "." in at else Markup("<code>{}</code>").format(at)
        return Markup('<a href="#source-{}">{}</a>').format(source, shown) if source in self._known else shown

    @property
    def _known(self) -> set[str]:
        return {source.id for source in self.sources}

    def _sources(self) -> list[Source]:
        """List the sources that the clauses and rulings of this book cite."""
        cited = {s.at.partition(".")[0] for clause in self.clauses.values() for s in clause.sources}
        cited |= {at.partition(".")[0] for ruling in self.rulings for reading in ruling.readings for at in reading.by}
        found = [source for source in self.book.register.sources.values() if source.id in cited]
        told = {by for source in found for by in source.reported_by} - cited
        return [s for s in self.book.register.sources.values() if s in found or s.id in told]
