"""A page for each violation code: the clauses that give it, a turn that is refused for it alone, and one that is right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from canasta.language.ruleset import Custom, Structure
from canasta.playing.examples import with_options
from canasta_tools.catalogue import PAGES_OF_CODES, page_of_code
from canasta_tools.positions import read_position
from canasta_tools.rulebook.cards import written
from canasta_tools.rulebook.markdown import render
from canasta_tools.rulebook.material import ClauseEntry, Material, Worked
from canasta_tools.rulebook.scenes import story
from canasta_tools.show import Drawing


@dataclass(frozen=True, slots=True)
class Told:
    """One wording of the clause that gives a code: the rule sets that have it, and what is demanded for the code."""

    entry: ClauseEntry
    bases: tuple[str, ...]
    demands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """An example that is drawn: in which rule set, the table, the turn in notation and act by act, the codes it gets."""

    base: str
    clause: str
    options: tuple[tuple[str, str], ...]
    given: str
    picture: str
    turn: str
    acts: tuple[str, ...]
    text: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """An example with where it stands."""

    book: Material
    entry: ClauseEntry
    worked: Worked

    @property
    def refused(self) -> tuple[str, ...]:
        expect = self.worked.example.expect
        return tuple(str(c) for c in expect.get("illegal", ())) if isinstance(expect, dict) else ()

    @property
    def allowed(self) -> bool:
        """Whether the turn stands: it is called legal, or something comes of it."""
        return bool(self.worked.example.do) and not self.refused and self.worked.example.expect != "unknown"


def violation_pages(books: Sequence[Material]) -> dict[str, str]:
    """Write the page of every code, and their index; the classic game has the first word."""
    ordered = sorted(
        books, key=lambda book: (book.loaded.base != "classic", len(book.loaded.lineage), book.loaded.base)
    )
    given = by_code(ordered)
    made = {page_of_code(code): _page(code, found) for code, found in given.items()}
    titles = [(code, found[0][1].title) for code, found in sorted(given.items())]
    return made | {f"{PAGES_OF_CODES}/index.md": render("violations.md.j2", codes=titles)}


def by_code(books: Sequence[Material]) -> dict[str, list[tuple[Material, ClauseEntry]]]:
    """List which clauses of which rule sets give each code."""
    found: dict[str, list[tuple[Material, ClauseEntry]]] = {}
    for book in books:
        for entry in book.clauses:
            for code in entry.codes:
                found.setdefault(code, []).append((book, entry))
    return found


def _page(code: str, given: list[tuple[Material, ClauseEntry]]) -> str:
    refused = _refused(code, given)
    right = _right(refused) if refused is not None else None
    shown = _shown(refused) if refused is not None else None
    corrected = _shown(right) if right is not None else None
    same_table = shown is not None and corrected is not None and shown.picture == corrected.picture
    return render(
        "violation.md.j2", code_name=code, told=tuple(_wordings(code, given)), shown=shown, right=corrected,
        same_table=same_table, alone=shown is not None and shown.codes == (code,), why_not=_why_not(given[0][1]),
    )  # fmt: skip


def _wordings(code: str, given: list[tuple[Material, ClauseEntry]]) -> Iterator[Told]:
    """Put together the rule sets whose clause says the same."""
    groups: dict[tuple[str, str], list[tuple[Material, ClauseEntry]]] = {}
    for book, entry in given:
        groups.setdefault((entry.clause.id, str(entry.text)), []).append((book, entry))
    for found in groups.values():
        entry = found[0][1]
        demands = tuple(sentence for name, sentence in entry.sentences if name == code)
        yield Told(entry, tuple(book.loaded.base for book, _ in found), demands)


def _refused(code: str, given: list[tuple[Material, ClauseEntry]]) -> _Found | None:
    """Find the turn that shows a code best: one that breaks nothing else, without options, of the first rule set."""
    there = [
        found for book, entry in given for found in _examples(book, entry) if code in found.refused and found.worked.example.do
    ]  # fmt: skip
    return min(there, key=lambda f: (len(f.refused), bool(f.worked.example.options)), default=None)


def _right(refused: _Found) -> _Found | None:
    """Find the turn of the same clause that stands, in the position that is most like that of the refused one."""
    example = refused.worked.example
    there = [f for f in _examples(refused.book, refused.entry) if f.allowed]
    return max(
        there,
        key=lambda f: (
            f.worked.example.given == example.given,
            f.worked.example.options == example.options,
            _likeness(f.worked.example.given, example.given) + _likeness(f.worked.example.do, example.do),
        ),
        default=None,
    )


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _examples(book: Material, entry: ClauseEntry) -> Iterator[_Found]:
    if not isinstance(entry.clause, Custom):
        yield from (_Found(book, entry, worked) for worked in entry.examples)


def _shown(found: _Found) -> Shown:
    """Draw the table of an example, and tell its acts."""
    base, example = found.book.loaded.base, found.worked.example
    game, state = read_position(example.given, with_options(base, dict(example.options)), example.span.file)
    picture = Drawing(game, headed=False).draw(state)
    told = story(base, example, found.book.teller)
    acts = (
        tuple(" ".join((deed.name, *(written(face) for face in deed.cards))) for deed in told.deeds)
        if told is not None
        else ()
    )
    return Shown(
        base, found.entry.clause.id, example.options, example.given, picture, example.do, acts, str(found.worked.text),
        found.refused,
    )  # fmt: skip


def _why_not(entry: ClauseEntry) -> str:
    """Say why no turn shows a code."""
    if isinstance(entry.clause, Structure):
        return "It is a fault of a record, not of a turn: no position leads to it, and so no example shows it."
    return "The act is carried out by the game itself as soon as it may be, so no turn of a player is refused for it."
