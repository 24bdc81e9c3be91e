"""A book as one HTML page: own style, own pictures, nothing fetched from anywhere."""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from canasta.wording import Wording
from canasta_tools.rulebook.cards import BACK, DOWN, Face, address, large, small, spoken, written
from canasta_tools.rulebook.telling import Said

_LINK: Final = re.compile(r"\[([^\]\[]+)\]\(([\w./#-]+)\)")
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")
_AFTER_A_FIGURE: Final = re.compile(r"(?<=\d) (?=[^\W\d_])")
"""The blank between a figure and what it counts, at which no line is broken."""


class Look(StrEnum):
    """How cards are drawn on a page: small, or large with corners and pips."""

    SMALL = "small"
    LARGE = "large"


class Artist:
    """Draws the cards of one page, and remembers which faces it needs."""

    def __init__(self, wording: Wording, look: Look = Look.SMALL) -> None:
        """Begin a page with no card on it."""
        self.wording, self.look = wording, look
        self.faces: set[Face] = set()

    def draw(self, group: Sequence[Face], across: Sequence[int] = ()) -> Markup:
        """Draw cards that lie together, some of them crosswise, with their names for those who hear the page."""
        self.faces.update(group)
        names = (spoken(face, self.wording, across=at in across) for at, face in enumerate(group))
        inner = Markup().join(
            Markup('<i class="c {}{}">{}</i>').format(_class(face), " across" * (at in across), written(face))
            for at, face in enumerate(group)
        )
        return Markup('<span class="group" role="img" aria-label="{}">{}</span>').format(", ".join(names), inner)

    def back(self, label: str) -> Markup:
        """Draw a card that lies face down, under a name that says how many lie there."""
        self.faces.add(DOWN)
        back = Markup('<i class="c {}">{}</i>').format(_class(DOWN), written(DOWN))
        return Markup('<span class="group" role="img" aria-label="{}">{}</span>').format(label, back)

    def style(self) -> str:
        """Write the style of the faces that were drawn."""
        drawn = large if self.look is Look.LARGE else small
        rules = [f'.c.{_class(face)}{{background-image:url("{address(drawn(face))}")}}' for face in sorted(self.faces)]
        return "\n".join(rules)


def _class(face: Face) -> str:
    return f"{face.name}-{face.colour}" if face.rank != BACK and not face.suit else f"c{face.name}"


def prose(text: str) -> Markup:
    """Write a text in which code stands between backticks; one in another language than the book's is marked as such.

    Links to other pages are left out, for a book is one file.
    """
    return _marked(text, lambda part: escape(_LINK.sub(r"\1", part)))


def linked(text: str) -> Markup:
    """Write a text as `prose` does, with its links, which name clauses of the same book."""
    return _marked(text, _with_links)


def _marked(text: str, plain: Callable[[str], Markup]) -> Markup:
    # Blanks that hold the parts of a figure together stay: str.split() would take them away.
    parts = _BLANKS.sub(" ", str(text)).strip().split("`")
    if len(parts) % 2 == 0:
        marked = escape(text)
    else:
        marked = Markup().join(
            Markup("<code>{}</code>").format(p) if i % 2 else plain(_AFTER_A_FIGURE.sub("\N{NO-BREAK SPACE}", p))
            for i, p in enumerate(parts)
        )
    if isinstance(text, Said) and text.foreign:
        return Markup('<span lang="{}">{}</span>').format(text.language, marked)
    return marked


def _with_links(text: str) -> Markup:
    parts = _LINK.split(text)
    made = [escape(parts[0])]
    for shown, to, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        made += (Markup('<a href="#{}">{}</a>').format(to.lstrip("#"), shown), escape(after))
    return Markup().join(made)


def ticked(text: str) -> str:
    """Put a text between backticks, as code stands in a text."""
    return f"`{text}`"


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("canasta_tools", "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": prose, "linked": linked, "ticked": ticked}
    return environment


def page(template: str, artist: Artist, **values: Any) -> str:  # noqa: ANN401 - what the template asks for
    """Fill one of our own templates; faces are known only when the page has been drawn, so their style comes last."""
    mark = "/* faces */"
    shown = {
        "faces": mark,
        "draw": artist.draw,
        "back": artist.back,
        "version": version("canasta-spec"),
        "language": artist.wording.language,
        "look": artist.look,
    }
    text = _templates().get_template(template).render(**shown, **values)
    lines = (line.rstrip() for line in text.replace(mark, artist.style()).splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def ids(text: str) -> list[str]:
    """List the ids of everything on a page that has one, in order."""
    return re.findall(r'\sid="([^"]+)"', text)


def outside(text: str) -> Iterable[str]:
    """Go through everything by which a page would fetch something from elsewhere; links that a reader may follow do not count."""
    yield from re.findall(r"""(?:\ssrc=|\shref=|url\(|@import\s)\s*["']?(?!#|data:)([^"')\s>=]+)""", text)
