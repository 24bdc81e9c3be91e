"""One line of a record: from the words of the grammar to values, with every fault placed and collected."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from canasta.diagnostics import Diagnostic, Findings, Severity, Span
from canasta.notation import record as r
from canasta.notation.cards import ALPHABETS, LOOK_ALIKES, Card, CardFault, read_cards
from canasta.notation.driver import Stop, Word, tables
from canasta.notation.hints import Explained, explain, from_cards
from canasta.notation.turns import read_actions

_SEAT = re.compile(r"[^\W\d_][0-9]?")
_TAG = re.compile(r'\[[ \t]*(\w+)[ \t]+"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class DealHead:
    """The line that begins a deal; ``number`` is None when it was not written."""

    number: int | None
    dealer: str
    notes: r.Notes
    span: Span


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of comments."""

    texts: tuple[str, ...]


Piece: TypeAlias = tuple[r.Tag, ...] | DealHead | r.Line | r.Result | Remark


class LineReader:
    """Reads the lines of one record: knows the file, the language of the rank letters and the seats."""

    def __init__(self, file: str) -> None:
        """Begin with the usual seats and letters."""
        self.file = file
        self.language = "en"
        self.seats: tuple[str, ...] = r.COMPASS
        self.seating: Callable[[], tuple[str, ...]] = tuple
        """Gives the seats of the rule set that the record names, where no tag names them; none where that is not known."""
        self.findings = Findings()
        self.number = 0

    def read(self, text: str, number: int, above: tuple[str, ...] = ()) -> Piece | None:
        """Read one line that is not blank; None when it could not be read and the findings say why."""
        self.number = number
        begin = len(text) - len(text.lstrip(" \t"))
        words = tables().read(text, "line", begin)
        if isinstance(words, Stop):
            self.say(explain(words, text))
            return None
        return _READERS[words[0].kind](self, words, above)

    # ---- findings and places ----

    def span(self, at: int, end: int) -> Span:
        """The place between two offsets of the line."""
        return Span(self.file, self.number, at + 1, self.number, end + 1)

    def say(self, found: Explained, severity: Severity = Severity.ERROR) -> None:
        """Note a finding about the line."""
        span = self.span(found.at, found.at + found.length)
        self.findings.add(Diagnostic(found.id, found.message, span, found.hint, severity=severity))

    def whole(self, words: list[Word]) -> Span:
        """The place of a whole line without its comments."""
        told = [w for w in words if w.kind not in ("BRACED", "TRAILING")] or words
        return self.span(words[0].at, told[-1].at + len(told[-1].text))

    # ---- parts of lines ----

    def cards(self, run: str, at: int) -> tuple[Card, ...]:
        """Read a run of cards that stands at an offset; none when it could not be read."""
        cards = read_cards(run, self.language)
        if isinstance(cards, CardFault):
            self.say(from_cards(cards, at))
            return ()
        return cards

    def all_cards(self, words: list[Word]) -> tuple[Card, ...]:
        """All cards of a line, in order."""
        return tuple(card for w in words if w.kind == "CARDS" for card in self.cards(w.text, w.at))

    def seat(self, word: Word) -> str:
        """Read a seat, which must be one of the record's."""
        seat = word.text.upper()
        if not self._has(seat):
            self._unknown_seat(word.text, seat, word.at)
        return seat

    def side(self, text: str, at: int) -> str:
        """Read a side, seats run together; given back in order of play."""
        named = [found.group().upper() for found in _SEAT.finditer(text)]
        for seat in named:
            if not self._has(seat):
                self._unknown_seat(text, seat, at)
                return text.upper()
        if len(set(named)) < len(named):
            self.say(
                Explained(
                    "CN2009", f"the side {text} names a seat twice", at, len(text), "name each seat of a side once"
                )
            )
        return "".join(seat for seat in self.seats if seat in named)

    def _has(self, seat: str) -> bool:
        """Ask whether the table has a seat; the rule set is asked only where it is none of the usual ones."""
        if seat not in self.seats:
            self.seats = self.seating() or self.seats
        return seat in self.seats

    def _unknown_seat(self, text: str, seat: str, at: int) -> None:
        """Say that a seat is none of the record's."""
        if any(sign in LOOK_ALIKES for sign in text):
            hint = "this letter is Cyrillic; switch the keyboard to Latin letters"
            self.say(Explained("CN0040", f"{text} is written with Cyrillic letters", at, len(text), hint))
            return
        hint = f'the seats are {" ".join(self.seats)}; other seats are named by a tag: [Seats "A B C"]'
        self.say(Explained("CN0021", f"there is no seat {seat}", at, len(text), hint))


def comment_text(word: Word) -> str:
    """The words of a comment without its signs."""
    if word.kind == "TRAILING":
        return word.text[1:].strip()
    return _ESCAPE.sub(r"\1", word.text[1:-1]).strip()


def points(word: Word) -> int:
    """A figure in points; a minus sign may be a hyphen or a true minus."""
    return int(word.text.replace("−", "-"))  # noqa: RUF001 the true minus is meant


def _notes(words: list[Word], above: tuple[str, ...]) -> r.Notes:
    """The comments that go with a line."""
    beside = tuple(comment_text(w) for w in words if w.kind in ("BRACED", "TRAILING"))
    return r.Notes(above, beside) if above or beside else r.NO_NOTES


def _tags(line: LineReader, words: list[Word], above: tuple[str, ...]) -> tuple[r.Tag, ...]:
    """A line of tags; a comment belongs to the tag before it."""
    tags: list[r.Tag] = []
    begins = [i for i, w in enumerate(words) if w.kind == "TAG"]
    for begin, end in pairwise([*begins, len(words)]):
        found = _TAG.match(words[begin].text)
        assert found is not None  # noqa: S101 the grammar has found the same shape
        notes = _notes(words[begin + 1 : end], above if begin == 0 else ())
        span = line.span(words[begin].at, words[begin].at + len(words[begin].text))
        tags.append(r.Tag(found[1], _ESCAPE.sub(r"\1", found[2]), notes, span))
    return tuple(tags)


def _deal(line: LineReader, words: list[Word], above: tuple[str, ...]) -> DealHead:
    """The line that begins a deal."""
    number = next((int(w.text) for w in words if w.kind == "NUMBER"), None)
    dealer = next((line.seat(w) for w in words if w.kind == "SEAT"), "")
    return DealHead(number, dealer, _notes(words, above), line.whole(words))


def _hand(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Hand:
    return r.Hand(line.seat(words[1]), line.all_cards(words), _notes(words, above), line.whole(words))


def _stock(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Stock:
    return r.Stock(line.all_cards(words), _notes(words, above), line.whole(words))


def _seed(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Seed:
    return r.Seed(int(words[1].text), _notes(words, above), line.whole(words))


def _up(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Upcards:
    return r.Upcards(line.all_cards(words), _notes(words, above), line.whole(words))


def _turn(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Turn:
    acted = read_actions(line, words[1:])
    return r.Turn(
        line.seat(words[0]), acted.actions, acted.marks, acted.claims, acted.comments, above, line.whole(words)
    )


def _melds(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Melds:
    groups = tuple(line.cards(w.text, w.at) for w in words if w.kind == "CARDS")
    return r.Melds(line.side(words[1].text, words[1].at), groups, _notes(words, above), line.whole(words))


def _reds(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.RedThrees:
    """Red threes by their cards, or only how many there were; that they are red need not be written."""
    named = tuple(c if c.suit or c.hidden else Card(c.rank, "r") for c in line.all_cards(words))
    cards = (Card("3", "r"),) * int(words[2].text) if words[2].kind == "HOWMANY" else named
    return r.RedThrees(line.side(words[1].text, words[1].at), cards, _notes(words, above), line.whole(words))


def _left(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Left:
    return r.Left(line.seat(words[1]), line.all_cards(words), _notes(words, above), line.whole(words))


def _ending(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Ending:
    named = [w.text for w in words if w.kind == "WORD"]
    seat = next((line.seat(w) for w in words if w.kind == "SEAT"), "")
    return r.Ending(named[0], seat, tuple(named[1:]), _notes(words, above), line.whole(words))


def _score(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Score:
    """A line of the pad: figures with or without names, perhaps what they come to, perhaps the running total."""
    side = line.side(words[0].text.rstrip(": \t"), words[0].at)
    named: list[tuple[str, Word]] = []
    name, come_to, total = "", None, None
    for word in words[1:]:
        if word.kind in ("ITEM", "EQUALS", "TOTAL"):
            name = {"EQUALS": "=", "TOTAL": "total="}.get(word.kind, word.text)
        elif word.kind == "POINTS":
            if name == "=":
                come_to = points(word)
            elif name == "total=":
                total = points(word)
            else:
                named.append((name, word))
            name = ""
    items = _named(line, named)
    return r.Score(side, items, come_to, total, _notes(words, above), line.whole(words))


def _named(line: LineReader, figures: list[tuple[str, Word]]) -> tuple[r.Item, ...]:
    """Give bare figures their names: one is the points, two are base and count."""
    bare = [word for name, word in figures if not name]
    names = {0: (), 1: ("points",), 2: ("base", "count")}.get(len(bare))
    if names is None:
        extra = bare[2]
        hint = "a pad line has base and count; name further figures: NS: 300 455 penalty -100 = 655 total 2155"
        line.say(Explained("CN2001", "a third figure has no meaning", extra.at, len(extra.text), hint))
        names = ("base", "count")
    given = iter(names)
    items = [r.Item(name or next(given, ""), points(word)) for name, word in figures]
    return tuple(item for item in items if item.name)


def _result(line: LineReader, words: list[Word], above: tuple[str, ...]) -> r.Result:
    state = next((w.text.lower() for w in words if w.kind == "STATE"), "")
    sides = [line.side(w.text, w.at) for w in words if w.kind == "SIDE"]
    figures = [points(w) for w in words if w.kind == "POINTS"]
    return r.Result(state, tuple(zip(sides, figures, strict=True)), _notes(words, above), line.whole(words))


def _remark(line: LineReader, words: list[Word], above: tuple[str, ...]) -> Remark:
    """Comments alone on a line; those above stay apart."""
    del line, above
    return Remark(tuple(comment_text(w) for w in words))


_READERS: dict[str, Callable[[LineReader, list[Word], tuple[str, ...]], Piece]] = {
    "TAG": _tags,
    "DEAL": _deal,
    "HAND": _hand,
    "STOCK": _stock,
    "SEED": _seed,
    "UP": _up,
    "SEAT": _turn,
    "MELDS": _melds,
    "REDS": _reds,
    "LEFT": _left,
    "END": _ending,
    "SCORED": _score,
    "RESULT": _result,
    "BRACED": _remark,
    "TRAILING": _remark,
}
LANGUAGES = tuple(ALPHABETS)
