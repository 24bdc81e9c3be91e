"""The player's book: a game told as a person would, and no sentence in it that the rule set does not bear out.

A rule set is told by its own narrative or by that of the nearest rule set it extends. Where a clause has changed since, or an
option that it reads is chosen otherwise, the paragraph that tells it gives way to the clause's own words; clauses that are new
are added. So every rule set has its player's book, also a house-rule file of ten lines.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.kinds import clause_roots, nodes
from canasta.language.ruleset import Bound, Clause, Custom, Ending, Requirement, Score
from canasta.language.types import Op
from canasta.wording import context_of
from canasta_tools.rulebook.material import ClauseEntry, Material, Worked, material
from canasta_tools.rulebook.narrative import Chapter, Narrative, Part, narratives, whole
from canasta_tools.rulebook.tables import table
from canasta_tools.rulebook.telling import Said

MOST_SHOWN: Final = 2
"""So many examples of a clause are drawn where nobody chose one: a legal and an illegal one."""


NOTHING: Final = Said("")


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in a chapter: a paragraph, a clause in its own words with examples, one example, or a table.

    A paragraph is put together of the texts of several parts.
    """

    title: Said
    texts: tuple[Said, ...] = ()
    covers: tuple[str, ...] = ()
    entry: ClauseEntry | None = None
    examples: tuple[tuple[str, Worked], ...] = ()
    table: str = ""
    begins: bool = False
    """Whether a new paragraph begins here, also after another one."""


@dataclass(frozen=True, slots=True)
class Told:
    """A chapter of the book."""

    id: str
    title: Said
    pieces: tuple[Piece, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the chapter tells."""
        found = [c for p in self.pieces for c in (*p.covers, *((p.entry.clause.id,) if p.entry else ()))]
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class PlayerBook:
    """A rule set as it is told to players."""

    book: Material
    lead: Said
    chapters: tuple[Told, ...]
    summary: tuple[Told, ...]
    left_out: tuple[tuple[ClauseEntry, Said], ...]
    """Clauses that are not told, each with the reason."""


def player_book(name: str, language: str = "en") -> PlayerBook:
    """Tell a rule set to players.

    Raises:
        CanastaError: RS7008 and RS7009 when its own narrative names what there is not, or leaves a clause out; with every fault
            of the rule set or of its texts; TR0001 and on where it cannot be told in that language.
    """
    book = material(name, language)
    there = narratives()
    found = next((whole(there, n) for n in (book.loaded.base, *book.loaded.lineage) if n in there), None)
    if found is None:
        return _Telling(book, _nothing(book), book).told()
    home = material(found.ruleset, language)
    if found.ruleset == book.loaded.base and (wrong := list(check(found, home))):
        raise CanastaError(wrong)
    return _Telling(book, found, home).told()


def _nothing(book: Material) -> Narrative:
    """Give a narrative of no words, with the chapters of the rule set."""
    span = next(iter(book.ruleset.clauses.values())).span
    chapters = tuple(Chapter(c.name, "", ()) for c in book.chapters)
    return Narrative(book.loaded.base, "", chapters, (), {}, span)


def check(told: Narrative, home: Material) -> Iterator[Diagnostic]:
    """Find what a narrative names and its rule set has not, and which clauses it forgets.

    What stands in a narrative that it is told over is not named again, and tells a clause only as far as it holds.
    """
    clauses = home.ruleset.clauses
    own = [part for part in told.parts if not part.home]
    named = [(part, name) for part in own for name in (*part.covers, *part.rules)]
    named += [(part, name) for c in told.summary for part in c.parts if not part.home for name in part.covers]
    for part, name in named:
        if name not in clauses:
            yield Diagnostic(
                "RS7008", f"there is no clause {name}", part.span, f"`canasta rules --rules {told.ruleset}` lists them"
            )
    for part in own:
        owner, _, example = part.example.partition("/")
        if part.example and not any(
            w.example.id == example for e in home.clauses if e.clause.id == owner for w in e.examples
        ):
            yield Diagnostic(
                "RS7008", f"there is no example {part.example}", part.span, "name CLAUSE/EXAMPLE of the rule set"
            )
        if part.table and not table(home, part.table):
            yield Diagnostic(
                "RS7008", f"there is no table {part.table}", part.span, "name values.NAME or steps.NAME, or scores"
            )
        if part.text and not part.covers:
            hint = "name under `covers` the clauses that it tells"
            yield Diagnostic("RS7009", f"the text {part.id} tells no clause", part.span, hint)
    telling = _Telling(home, told, home)
    tells = {
        name for part in told.parts if not part.home or telling.holds(part) for name in (*part.covers, *part.rules)
    }
    for name in told.not_here:
        if (not told.over and name not in clauses) or name in tells:
            why = "there is no such clause" if name not in clauses else "and yet it is told"
            yield Diagnostic("RS7008", f"{name} is said not to be here: {why}", told.span, "take it out of `not_here`")
    for clause in (entry.clause for entry in home.clauses if not entry.idle):
        if clause.id not in tells and clause.id not in told.not_here:
            hint = "tell it, print it under `rules`, or name it under `not_here` with the reason"
            yield Diagnostic("RS7009", f"the book does not tell {clause.id}", told.span, hint, clause=clause.id)


@dataclass(slots=True)
class _Telling:
    """The work of telling one rule set by a narrative that may have been written for another."""

    book: Material
    narrative: Narrative
    home: Material
    shown: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    """The examples that have been drawn, each of which is drawn once."""
    entries: dict[str, ClauseEntry] = field(init=False)
    before: dict[str, Material] = field(init=False)
    """The rule sets that parts of the narrative were written for."""
    waiting: set[str] = field(init=False)
    """The clauses that a reader has to be told: all that are in force, but for those that the narrative leaves out."""

    def __post_init__(self) -> None:
        self.entries = {entry.clause.id: entry for entry in self.book.clauses}
        self.waiting = {name for name, e in self.entries.items() if not e.idle and not self._left_out(e.clause)}
        language = self.book.teller.language
        homes = {p.home for c in (*self.narrative.chapters, *self.narrative.summary) for p in c.parts if p.home}
        self.before = {"": self.home} | {name: material(name, language) for name in sorted(homes)}

    def told(self) -> PlayerBook:
        """Go through the chapters, then add what nobody has told."""
        chapters = [(c, list(self._pieces(c))) for c in self.narrative.chapters]
        chapters = self._with_the_rest(chapters)
        made = tuple(Told(c.id, self._title(c), tuple(_run_on(pieces))) for c, pieces in chapters if pieces)
        reasons = [
            (self.entries[name], self._words(f"not here {name}", "text", why))
            for name, why in self.narrative.not_here.items()
            if name in self.entries and name not in self.waiting
        ]
        reasons += [(e, e.off[0]) for e in self.book.clauses if e.idle and e.clause.id not in self.shown]
        own = self.home is self.book and bool(self.narrative.lead)
        lead = self._words("lead", "text", self.narrative.lead) if own else self.book.about
        return PlayerBook(self.book, lead, made, tuple(self._summary()), tuple(reasons))

    def _title(self, chapter: Chapter) -> Said:
        if chapter.title:
            return self._words(f"chapter {chapter.id}", "title", chapter.title)
        return next((c.title for c in self.book.chapters if c.name == chapter.id), Said(chapter.id))

    def _words(self, where: str, what: str, text: str) -> Said:
        return self.book.teller.told(self.book.ruleset, context_of(f"book {where}", what), text) if text else NOTHING

    # -- chapters ----------------------------------------------------------------------------------------------------

    def _pieces(self, chapter: Chapter) -> Iterator[Piece]:
        for part in chapter.parts:
            title = self._words(f"{chapter.id}/{part.id}", "title", part.title)
            holds = self.holds(part)
            if part.text and holds:
                text = self._words(f"{chapter.id}/{part.id}", "text", part.text)
                self.shown.update(part.covers)
                yield Piece(
                    title, (text,), part.covers, examples=self._example(part), table=part.table, begins=part.begins
                )
                continue
            rules = [name for name in (*part.covers, *part.rules) if name in self.waiting and name not in self.shown]
            for name in rules:
                self.shown.add(name)
                yield self._in_its_own_words(self.entries[name], examples=not holds)
            if holds and (part.example or part.table):
                yield Piece(title, examples=self._example(part), table=part.table)

    def holds(self, part: Part) -> bool:
        """Ask whether a part is true here, too."""
        return all(self._same(name, self.before[part.home]) for name in part.covers)

    def _same(self, name: str, home: Material) -> bool:
        """Ask whether a clause says and means here what it did where a part was written."""
        new, old = self.entries.get(name), next((e for e in home.clauses if e.clause.id == name), None)
        if new is None or old is None:
            return False
        same = new.text_digest == old.text_digest and _meaning(new) == _meaning(old)
        chosen, there = self.book.ruleset.options, home.ruleset.options
        return same and all(o in there and chosen[o].value == there[o].value for o in self._options(new.clause))

    def _left_out(self, clause: Clause) -> bool:
        """Ask whether the narrative leaves a clause out, and was written for the options that are chosen here."""
        chosen, there = self.book.ruleset.options, self.home.ruleset.options
        return clause.id in self.narrative.not_here and all(
            o in there and chosen[o].value == there[o].value for o in self._options(clause)
        )

    def _options(self, clause: Clause) -> set[str]:
        known = self.book.ruleset.options
        return {n.ref for root in clause_roots(clause) for n in nodes(root) if n.op is Op.CONST and n.ref in known}

    def _example(self, part: Part) -> tuple[tuple[str, Worked], ...]:
        clause, _, id_ = part.example.partition("/")
        found = self.entries.get(clause)
        if found is None or found.idle:
            return ()
        return self._once((part.example, w) for w in found.examples if w.example.id == id_)

    def _once(self, examples: Iterable[tuple[str, Worked]]) -> tuple[tuple[str, Worked], ...]:
        new = tuple((name, worked) for name, worked in examples if name not in self.drawn)
        self.drawn.update(name for name, _ in new)
        return new

    def _in_its_own_words(self, entry: ClauseEntry, *, examples: bool = True) -> Piece:
        shown = self._once(_typical(entry)) if examples else ()
        return Piece(entry.title, (entry.text,), (), entry, shown)

    def _with_the_rest(self, chapters: list[tuple[Chapter, list[Piece]]]) -> list[tuple[Chapter, list[Piece]]]:
        """Add every clause that nobody has told: to the chapter that tells its neighbours, else in a chapter of its own."""
        made = list(chapters)
        for chapter in self.book.chapters:
            rest = [e for e in chapter.clauses if e.clause.id in self.waiting - self.shown]
            if not rest:
                continue
            here = {e.clause.id for e in chapter.clauses}
            telling = [
                (len(here & set(_told_by(pieces))), i) for i, (c, pieces) in enumerate(made) if c.id != chapter.name
            ]
            named = next((i for i, (c, _) in enumerate(made) if c.id == chapter.name), None)
            most, at = max(telling, default=(0, 0))
            pieces = [self._in_its_own_words(entry) for entry in rest]
            if named is not None:
                made[named][1].extend(pieces)
            elif most:
                made[at][1].extend(pieces)
            else:
                made.append((Chapter(chapter.name, "", ()), pieces))
        return made

    # -- the summary -------------------------------------------------------------------------------------------------

    def _summary(self) -> Iterator[Told]:
        """Go through the lines that hold; of what does not, and of what is new, first sentences of clauses are the lines."""
        found: dict[str, tuple[Said, list[Piece]]] = {}
        done: set[str] = set()
        for chapter in self.narrative.summary:
            title = self._words(f"summary {chapter.id}", "title", chapter.title)
            _, pieces = found.setdefault(chapter.id, (title, []))
            for line in chapter.parts:
                done.update(line.covers)
                if self.holds(line):
                    text = self._words(f"summary {chapter.id}/{line.id}", "text", line.text)
                    pieces.append(Piece(NOTHING, (text,), line.covers))
                else:
                    pieces += [_in_short(self.entries[name]) for name in line.covers if name in self.waiting]
        for rest in self.book.chapters:
            lines = [_in_short(e) for e in rest.clauses if e.clause.id in self.waiting - done and self._worth_a_line(e)]
            if lines:
                found.setdefault(rest.name, (rest.title, []))[1].extend(lines)
        yield from (Told(f"summary-{name}", title, tuple(pieces)) for name, (title, pieces) in found.items())

    def _worth_a_line(self, entry: ClauseEntry) -> bool:
        """Ask whether a clause that no line covers belongs on the page: what is new, or where nobody wrote lines, every demand."""
        if not self.narrative.summary:
            return isinstance(entry.clause, Requirement | Bound | Score | Ending)
        return self.home is not self.book and not self._same(entry.clause.id, self.home)


def _run_on(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Put texts that follow each other into one paragraph, until one begins a new one, or something else stands between."""
    last: Piece | None = None
    for piece in pieces:
        joins = last is not None and _is_text(last) and _is_text(piece) and not piece.title and not piece.begins
        if last is not None and joins:
            last = replace(last, texts=(*last.texts, *piece.texts), covers=(*last.covers, *piece.covers))
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


def _is_text(piece: Piece) -> bool:
    return bool(piece.texts) and piece.entry is None and not piece.table and not piece.examples


def _meaning(entry: ClauseEntry) -> dict[str, object]:
    """Give the formal part without the order of effects, which names clauses that only one of two rule sets may have."""
    return {key: value for key, value in entry.data.items() if key not in ("after", "before")}


def _told_by(pieces: Iterable[Piece]) -> Iterator[str]:
    for piece in pieces:
        yield from piece.covers
        if piece.entry is not None:
            yield piece.entry.clause.id


def _typical(entry: ClauseEntry) -> Iterator[tuple[str, Worked]]:
    """Choose the first legal and the first illegal example of a demand, or the first of a score."""
    if isinstance(entry.clause, Custom):
        return
    for wanted in (True, False):
        found = next((w for w in entry.examples if w.legal is wanted and not w.example.options), None)
        if found is not None:
            yield f"{entry.clause.id}/{found.example.id}", found


def _in_short(entry: ClauseEntry) -> Piece:
    """Give the first sentence of a clause, which says the main thing."""
    first, stop, _ = entry.text.partition(". ")
    text = Said(first + stop.strip(), entry.text.language, foreign=entry.text.foreign)
    return Piece(NOTHING, (text,), (entry.clause.id,))
