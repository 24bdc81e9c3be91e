"""Cards drawn as SVG: faces crisp at any size, without fonts, suits told apart by their shape and not by colour alone.

What ranks and suits there are, how they look and what they are called stands in ``spec/cards.yaml``. A small face has a rank
over a suit and is made for a line of text; a large one has corners and pips.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import quote

from canasta.language.source import Mapping, Scalar, read_file
from canasta.rooms import room
from canasta.wording import Wording, context_of

FILE: Final = "spec/cards.yaml"
BACK: Final = "?"
"""The face of a card that lies face down, or that nobody knows."""

_ROWS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: ((50, 70),),
    2: ((50, 30), (50, 110)),
    3: ((50, 30), (50, 70), (50, 110)),
    4: ((34, 30), (66, 30), (34, 110), (66, 110)),
    5: ((34, 30), (66, 30), (50, 70), (34, 110), (66, 110)),
    6: ((34, 30), (66, 30), (34, 70), (66, 70), (34, 110), (66, 110)),
    7: ((34, 30), (66, 30), (50, 50), (34, 70), (66, 70), (34, 110), (66, 110)),
    8: ((34, 30), (66, 30), (50, 50), (34, 70), (66, 70), (50, 90), (34, 110), (66, 110)),
    9: ((34, 30), (66, 30), (34, 57), (66, 57), (50, 70), (34, 83), (66, 83), (34, 110), (66, 110)),
    10: ((34, 30), (66, 30), (50, 43), (34, 57), (66, 57), (34, 83), (66, 83), (50, 97), (34, 110), (66, 110)),
}  # fmt: skip
"""Where the pips of a face lie, for each number of them, on a card of 100 by 140."""

_MIDDLE: Final = 70
_FEW: Final = 6
_EDGE: Final = "#8a8f98"
_PAPER: Final = "#ffffff"
_PLAIN: Final = " /=:;,.()'-"
"""Signs that stand in an address as they are."""


@dataclass(frozen=True, slots=True)
class Index:
    """What stands in the corner of a card: its name, its text, its strokes and their width, and how many pips follow."""

    name: str
    text: str
    width: float
    drawing: str
    pips: int


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit: its name, its sign in text and its shape."""

    name: str
    sign: str
    drawing: str


@dataclass(frozen=True, slots=True)
class Faces:
    """All that ``spec/cards.yaml`` says."""

    ranks: dict[str, Index]
    suits: dict[str, Suit]
    extra: dict[str, Index]
    colours: dict[str, str]
    label: str
    back: str
    across: str
    told: dict[str, str]


@dataclass(frozen=True, slots=True, order=True)
class Face:
    """One printed card: its rank, its suit (empty for a card without one) and the name of its colour."""

    rank: str
    suit: str = ""
    colour: str = ""

    @property
    def name(self) -> str:
        """How the card is called in a page: rank and suit, which is a name in style sheets, too."""
        return f"{self.rank}{self.suit.lower()}" if self.rank != BACK else "back"


DOWN: Final = Face(BACK)


@cache
def faces() -> Faces:
    """Read ``spec/cards.yaml``.

    Raises:
        RuleFileError: RS00xx when the file is not strict YAML.
    """
    page = read_file(room("spec") / "cards.yaml", FILE)
    ranks = {k: _index(v) for k, v in _table(page, "ranks").items()}
    extra = {k: _index(v) for k, v in _table(page, "extra").items()}
    suits = {k: Suit(v["name"], v["sign"], v["drawing"]) for k, v in _table(page, "suits").items()}
    said = (page.items[key] for key in ("label", "back", "across"))
    label, back, across = (node.text if isinstance(node, Scalar) else "" for node in said)
    return Faces(ranks, suits, extra, _words(page, "colours"), label, back, across, _words(page, "told"))


def _words(page: Mapping, key: str) -> dict[str, str]:
    listed = page.items.get(key)
    return {k: v.text for k, v in listed.items.items() if isinstance(v, Scalar)} if isinstance(listed, Mapping) else {}


def _table(page: Mapping, key: str) -> dict[str, dict[str, str]]:
    listed = page.items.get(key)
    found = listed.items.items() if isinstance(listed, Mapping) else ()
    return {
        name: {k: " ".join(v.text.split()) for k, v in node.items.items() if isinstance(v, Scalar)}
        for name, node in found
        if isinstance(node, Mapping)
    }


def _index(told: dict[str, str]) -> Index:
    return Index(
        told["name"], told["index"], float(told.get("width", "10")), told["drawing"], int(told.get("pips", "0"))
    )


def names() -> list[tuple[str, str]]:
    """List the words by which cards are named, each with its place, for the translations."""
    found = [(f"rank {key}", rank.name) for key, rank in (*faces().ranks.items(), *faces().extra.items())]
    found += [(f"suit {key}", suit.name) for key, suit in faces().suits.items()]
    found += [("label", faces().label), ("back", faces().back), ("across", faces().across)]
    return [(context_of(f"cards.{what}", "name"), text) for what, text in found]


def spoken(face: Face, wording: Wording, *, across: bool = False) -> str:
    """Name a card aloud, such as "king of hearts", and say if it lies across the others."""
    name = _named(face, wording)
    return wording.said(context_of("cards.across", "name"), faces().across).format(card=name) if across else name


def _named(face: Face, wording: Wording) -> str:

    def said(what: str, text: str) -> str:
        return wording.said(context_of(f"cards.{what}", "name"), text)

    if face.rank == BACK:
        return said("back", faces().back)
    if not face.suit:
        return said(f"rank {face.rank}", faces().extra[face.rank].name)
    rank, suit = faces().ranks[face.rank].name, faces().suits[face.suit].name
    label = said("label", faces().label)
    return label.format(rank=said(f"rank {face.rank}", rank), suit=said(f"suit {face.suit}", suit))


def written(face: Face) -> str:
    """Write a card in text, with its sign in the form that is no picture, such as K♥."""
    if face.rank == BACK:
        return "▮"
    if not face.suit:
        return faces().extra[face.rank].text
    return f"{faces().ranks[face.rank].text}{faces().suits[face.suit].sign}\N{VARIATION SELECTOR-15}"


# -- drawing -----------------------------------------------------------------------------------------------------------


def small(face: Face) -> str:
    """Draw a small face, 50 by 70: the rank over the suit."""
    if face.rank == BACK:
        return _svg(50, 70, _back(50, 70))
    colour = _colour(face)
    if not face.suit:
        star = f'<path d="{faces().extra[face.rank].drawing}" fill="{colour}" transform="translate(9 12) scale(3.2)"/>'
        return _svg(50, 70, star + _dots(50, 70, colour))
    index = faces().ranks[face.rank]
    rank = _strokes(index, 25 - index.width * 1.15, 7, 2.3, 5.2 / 2.3, colour)
    return _svg(50, 70, rank + _sign(face.suit, 25, 54, 11, colour))


def large(face: Face) -> str:
    """Draw a large face, 100 by 140: corners, and pips or a letter in a frame."""
    if face.rank == BACK:
        return _svg(100, 140, _back(100, 140))
    colour = _colour(face)
    if not face.suit:
        drawing = faces().extra[face.rank].drawing
        star = f'<path d="{drawing}" fill="{colour}" transform="translate(18 36) scale(6.4)"/>'
        # Of a card that others lie upon only the corner is seen, and it has to tell which card it is.
        corner = f'<path d="{drawing}" fill="{colour}" transform="translate(5 6) scale(1.5)"/>'
        return _svg(100, 140, f'{star}{corner}<g transform="rotate(180 50 70)">{corner}</g>')
    index = faces().ranks[face.rank]
    corner = _strokes(index, 7, 7, 1.05, 2.3, colour) + _sign(face.suit, 12.5, 32, 6, colour)
    middle = _pips(index.pips, face.suit, colour) if index.pips else _court(index, face.suit, colour)
    return _svg(100, 140, f'{corner}<g transform="rotate(180 50 70)">{corner}</g>{middle}')


def address(drawing: str) -> str:
    """Write a drawing as an address that a style sheet can name."""
    return f"data:image/svg+xml,{quote(drawing, safe=_PLAIN)}"


def _svg(width: int, height: int, inner: str) -> str:
    frame = f"<rect x='1' y='1' width='{width - 2}' height='{height - 2}' rx='{width // 10}' fill='{_PAPER}' stroke='{_EDGE}'/>"
    opened = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'>"
    return f"{opened}{frame}{inner}</svg>".replace('"', "'")


def _colour(face: Face) -> str:
    return faces().colours.get(face.colour, _EDGE)


def _strokes(index: Index, x: float, y: float, scale: float, weight: float, colour: str) -> str:
    look = f'fill="none" stroke="{colour}" stroke-width="{weight:.4g}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{index.drawing}" {look} transform="translate({x:.4g} {y:.4g}) scale({scale:.4g})"/>'


def _sign(suit: str, x: float, y: float, size: float, colour: str, *, turned: bool = False) -> str:
    scale = f"scale({size:.4g})" + " rotate(180)" * turned
    return f'<path d="{faces().suits[suit].drawing}" fill="{colour}" transform="translate({x:.4g} {y:.4g}) {scale}"/>'


def _pips(number: int, suit: str, colour: str) -> str:
    size = 20 if number == 1 else 10 if number <= _FEW else 9
    return "".join(_sign(suit, x, y, size, colour, turned=y > _MIDDLE) for x, y in _ROWS[number])


def _court(index: Index, suit: str, colour: str) -> str:
    """Draw a large letter between two suits, in a frame with a lozenge in each corner."""
    frame = f'<rect x="25" y="18" width="50" height="104" rx="4" fill="none" stroke="{colour}" stroke-width="1.2"/>'
    bars = "".join(f'<path d="M25 {y} H75" stroke="{colour}" stroke-width="1.2"/>' for y in (44, 96))
    corners = ((31, 24), (69, 24), (31, 116), (69, 116))
    lozenges = "".join(f'<path d="M{x} {y - 3} l3 3 l-3 3 l-3 -3 Z" fill="{colour}"/>' for x, y in corners)
    letter = _strokes(index, 50 - index.width * 1.3, 52, 2.6, 1.7, colour)
    signs = _sign(suit, 50, 31, 9, colour) + _sign(suit, 50, 109, 9, colour, turned=True)
    return frame + bars + lozenges + letter + signs


def _dots(width: int, height: int, colour: str) -> str:
    """Draw a dot in each corner, by which a card without a suit is told from a card that is missing."""
    at = width * 0.14
    places = ((at, at), (width - at, at), (at, height - at), (width - at, height - at))
    return "".join(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{width * 0.045:.4g}" fill="{colour}"/>' for x, y in places)


def _back(width: int, height: int) -> str:
    """Draw the back: lozenges on a coloured field."""
    inset = width * 0.09
    size = f'width="{width - 2 * inset:.4g}" height="{height - 2 * inset:.4g}"'
    field = f'<rect x="{inset:.4g}" y="{inset:.4g}" {size} rx="3" fill="#2f5d8c"/>'
    step = width / 5
    lines = [
        f"M{x * step:.4g} {y * step:.4g} l{step / 2.6:.4g} {step / 2:.4g} l{-step / 2.6:.4g} {step / 2:.4g} "
        f"l{-step / 2.6:.4g} {-step / 2:.4g} Z"
        for y in range(1, round(height / step) - 1)
        for x in (1.25, 2.5, 3.75)
    ]
    return f'{field}<path d="{" ".join(lines)}" fill="#cfe0f2"/>'
