"""The player's book, its summary and the score sheet as pages and as Markdown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from canasta.language.ruleset import Score
from canasta.playing.seats import seats_of
from canasta_tools.rulebook.lawbook import verdict_of
from canasta_tools.rulebook.links import code_link
from canasta_tools.rulebook.markdown import Place, code, prose, render, target
from canasta_tools.rulebook.material import Material, Worked, material
from canasta_tools.rulebook.page import Artist, Look, page
from canasta_tools.rulebook.player import Piece, player_book
from canasta_tools.rulebook.scenes import story
from canasta_tools.rulebook.tables import Line, heads, table
from canasta_tools.rulebook.telling import Said

_COLUMNS: Final = 8
"""So many columns of figures at most stand beside each other on a score sheet."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """An empty score sheet: the parties that score, room for so many deals, the lines, and what each of them brings."""

    parties: tuple[str, ...]
    deals: tuple[str, ...]
    lines: tuple[Said, ...]
    steps: tuple[Said, ...]
    notes: tuple[Line, ...]


class _Anchors:
    """Gives each clause one place in a page: where it is told first."""

    def __init__(self) -> None:
        self.given: set[str] = set()

    def __call__(self, piece: Piece) -> list[str]:
        names = piece.covers or ((piece.entry.clause.id,) if piece.entry else ())
        new = [name for name in names if name not in self.given]
        self.given.update(new)
        return new


def player_page(name: str, language: str = "en", look: Look = Look.LARGE) -> str:
    """Write the player's book of a rule set as one HTML page.

    Raises:
        CanastaError: as `player_book` does.
    """
    told = player_book(name, language)
    book = told.book
    artist = Artist(book.teller.wording, look)
    clauses = {clause for chapter in told.chapters for clause in chapter.clauses}
    return page(
        "book/player.html.j2", artist, player=told, anchors=_Anchors(), table=lambda of: table(book, of), heads=lambda of: heads(book, of),
        draw_each=lambda cards: Markup().join(artist.draw((card,)) for card in cards),
        story=lambda worked: story(book.loaded.name, worked.example, book.teller),
        code_link=lambda one: code_link(one, clauses), **words(book),
    )  # fmt: skip


def player_text(name: str, language: str = "en", place: Place = Place.FILE) -> str:
    """Write the player's book of a rule set as Markdown.

    Raises:
        CanastaError: as `player_book` does.
    """
    told = player_book(name, language)
    book = told.book

    def example(worked: Worked) -> str:
        given = " ".join(code(part) for part in worked.example.given.split(";"))
        done = code(worked.example.do) or code(worked.example.ask)
        words = f"{prose(worked.text)} " if worked.text else ""
        found = ", ".join(verdict_of(r) for r in worked.results)
        return f"{words}{given}. {done}: {found}" if done else f"{words}{given}: {found}"

    def anchor(clause: str) -> str:
        return target(f"player/{book.loaded.base}/{clause}") if place is Place.SITE else f'<a id="{clause}"></a>'

    return render(
        "book/player.md.j2", place, player=told, anchors=_Anchors(), told=example, anchor=anchor,
        table=lambda of: table(book, of), heads=lambda of: heads(book, of), **words(book),
    )  # fmt: skip


def summary_page(name: str, language: str = "en", look: Look = Look.SMALL) -> str:
    """Write a rule set on one page.

    Raises:
        CanastaError: as `player_book` does.
    """
    told = player_book(name, language)
    return page("book/summary.html.j2", Artist(told.book.teller.wording, look), player=told, **words(told.book))


def summary_text(name: str, language: str = "en") -> str:
    """Write a rule set on one page of Markdown.

    Raises:
        CanastaError: as `player_book` does.
    """
    told = player_book(name, language)
    return render("book/summary.md.j2", Place.FILE, player=told, **words(told.book))


def sheet_page(name: str, language: str = "en", look: Look = Look.SMALL) -> str:
    """Write an empty score sheet, with a line for everything that the rule set scores.

    Raises:
        CanastaError: with every fault of the rule set or of its texts.
    """
    book = material(name, language)
    return page("book/sheet.html.j2", Artist(book.teller.wording, look), sheet=sheet(book), **words(book))


def sheet_text(name: str, language: str = "en") -> str:
    """Write an empty score sheet of one deal as Markdown.

    Raises:
        CanastaError: with every fault of the rule set or of its texts.
    """
    book = material(name, language)
    return render("book/sheet.md.j2", Place.FILE, sheet=sheet(book), **words(book))


def sheet(book: Material) -> Sheet:
    """Lay a score sheet out for the parties of a rule set."""
    rules, told = book.ruleset, book.teller
    scored = [e for e in book.clauses if isinstance(e.clause, Score) and not e.idle]
    parties = seats_of(rules.table).sides
    room = max(1, _COLUMNS // max(len(parties), 1))
    return Sheet(
        parties, ("",) * room, tuple(e.title for e in scored),
        tuple(told.say("next: {what}", what=told.name(name)) for name in rules.steps),
        tuple(Line(e.title, (), e.text) for e in scored),
    )  # fmt: skip


def words(book: Material) -> dict[str, Any]:
    """Give what every template of a book asks for."""
    say: Callable[..., Said] = book.teller.say
    return {"book": book, "base": book.loaded.base, "say": say, "say_in": book.teller.say_in}
