"""Cards as a record writes them: rank and suit as text, in the letters of the record's language."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2")
JOKER = "Jk"
HIDDEN = "?"
SUITS = ("c", "d", "h", "s")
COLOURS = ("r", "b")
MOST_HIDDEN = 999
RANKS_ARE = "ranks are A K Q J T 9 8 7 6 5 4 3 2, x or Jk for a joker, ? for a card nobody saw; suits c d h s follow"


@dataclass(frozen=True, slots=True)
class Card:
    """A card as far as the writer named it.

    ``rank`` is one of ``A K Q J T 9 … 2``, ``Jk`` for a joker or ``?`` for a card nobody saw. ``suit`` is ``c d h s``,
    ``r`` or ``b`` when only the colour is known, or empty when it was not written.
    """

    rank: str
    suit: str = ""

    def __str__(self) -> str:
        """Give the card in the international letters, such as ``Kd``."""
        return self.rank + self.suit

    @property
    def hidden(self) -> bool:
        """Whether nobody saw the card."""
        return self.rank == HIDDEN


UNKNOWN = Card(HIDDEN)


class CardFault(NamedTuple):
    """Why a run of cards cannot be read: diagnostic id, offset and length of the culprit in the run, message, hint."""

    id: str
    start: int
    length: int
    message: str
    hint: str


class Alphabet(NamedTuple):
    """The letters in which one language writes ranks.

    ``reads`` maps every accepted spelling to a rank, ``writes`` the ranks that are written differently from the
    international letter. ``suits`` are the accepted suit letters.
    """

    language: str
    reads: Mapping[str, str]
    writes: Mapping[str, str] = MappingProxyType({})
    suits: str = "cdhsrbCDHSRB"


_DIGITS = {digit: digit for digit in "23456789"} | {"10": "T"}
_LATIN = {"A": "A", "K": "K", "Q": "Q", "J": "J", JOKER: JOKER, "X": JOKER, "x": JOKER}
_LOWER = {"a": "A", "k": "K", "q": "Q", "j": "J"}
_RUSSIAN = {"Т": "A", "К": "K", "Д": "Q", "В": "J", "т": "A", "к": "K", "д": "Q", "в": "J", "Дж": JOKER, "дж": JOKER}  # noqa: RUF001 these are the Russian letters
_RUSSIAN_WRITES = {"A": "Т", "K": "К", "Q": "Д", "J": "В", "T": "10", JOKER: "Дж"}  # noqa: RUF001 these are the Russian letters
_SYMBOLS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}

INTERNATIONAL = Alphabet("en", _DIGITS | _LATIN | _LOWER | {"T": "T", "t": "T"})
ALPHABETS: dict[str, Alphabet] = {
    "en": INTERNATIONAL,
    "ru": Alphabet("ru", _DIGITS | _LATIN | _RUSSIAN, _RUSSIAN_WRITES),
    "lt": Alphabet(
        "lt",
        _DIGITS | _LATIN | {"T": "A", "D": "Q", "V": "J"},
        {"A": "T", "Q": "D", "J": "V", "T": "10"},
        suits="cdhsrb",
    ),
    "sk": Alphabet("sk", INTERNATIONAL.reads),
}

LOOK_ALIKES = {
    "А": "A",  # noqa: RUF001 Cyrillic on purpose
    "В": "B",  # noqa: RUF001 Cyrillic on purpose
    "Е": "E",  # noqa: RUF001 Cyrillic on purpose
    "К": "K",  # noqa: RUF001 Cyrillic on purpose
    "М": "M",  # noqa: RUF001 Cyrillic on purpose
    "Н": "H",  # noqa: RUF001 Cyrillic on purpose
    "О": "O",  # noqa: RUF001 Cyrillic on purpose
    "Р": "P",  # noqa: RUF001 Cyrillic on purpose
    "С": "C",  # noqa: RUF001 Cyrillic on purpose
    "Т": "T",  # noqa: RUF001 Cyrillic on purpose
    "Х": "X",  # noqa: RUF001 Cyrillic on purpose
    "а": "a",  # noqa: RUF001 Cyrillic on purpose
    "е": "e",  # noqa: RUF001 Cyrillic on purpose
    "о": "o",  # noqa: RUF001 Cyrillic on purpose
    "р": "p",  # noqa: RUF001 Cyrillic on purpose
    "с": "c",  # noqa: RUF001 Cyrillic on purpose
    "х": "x",  # noqa: RUF001 Cyrillic on purpose
    "Д": "",
    "д": "",
    "т": "",
    "к": "",
    "в": "",
}


@cache
def _scanner(language: str) -> re.Pattern[str]:
    """The pattern that splits a run into cards, longer spellings first."""
    alphabet = ALPHABETS[language]
    ranks = "|".join(sorted(map(re.escape, alphabet.reads), key=len, reverse=True))
    return re.compile(rf"(?P<hidden>\?)(?P<number>[0-9]*)|(?P<rank>{ranks})(?P<suit>[{alphabet.suits}♣♦♥♠]?)")


@lru_cache(maxsize=8192)
def read_cards(run: str, language: str = "en") -> tuple[Card, ...] | CardFault:
    """Read a run of cards such as ``KdKs2`` or ``?11``; ``language`` is a key of :data:`ALPHABETS`.

    A comma may part two cards; it must where a card follows a number of unknown ones (``?2,9c``).
    """
    alphabet, scanner = ALPHABETS[language], _scanner(language)
    cards: list[Card] = []
    at = 0
    while at < len(run):
        found = scanner.match(run, at)
        if found is None:
            return _fault_at(run, at, alphabet)
        if found["hidden"]:
            number = int(found["number"] or "1") if len(found["number"]) <= len(str(MOST_HIDDEN)) else 0
            if not 1 <= number <= MOST_HIDDEN:
                return _too_many(found)
            cards.extend([UNKNOWN] * number)
        else:
            fault = _doubt(found, run, alphabet)
            if fault:
                return fault
            suit = found["suit"]
            cards.append(Card(alphabet.reads[found["rank"]], _SYMBOLS.get(suit, suit.lower())))
        at = found.end()
        if run[at : at + 1] == "," and at + 1 < len(run):
            at += 1
    return tuple(cards)


def _too_many(found: re.Match[str]) -> CardFault:
    """Refuse a number of unknown cards that no pack holds."""
    message = f"{found[0]} is no possible number of unknown cards"
    return CardFault("CN0047", found.start(), len(found[0]), message, f"after ? comes a number from 1 to {MOST_HIDDEN}")


def _doubt(found: re.Match[str], run: str, alphabet: Alphabet) -> CardFault | None:
    """Refuse a spelling that two people would read differently."""
    rank, suit, at = found["rank"], found["suit"], found.start()
    if rank == "j" and run[at + 1 : at + 2] == "k":
        hint = "write x or Jk for a joker, JK for a jack and a king"
        return CardFault("CN0043", at, 2, "jk may be a joker, or a jack and a king", hint)
    if alphabet.reads[rank] == JOKER and suit and suit not in "rbRB":
        hint = f"write {rank}; only r or b may say its colour"
        return CardFault("CN0045", at, len(found[0]), "a joker has no suit", hint)
    return None


def _fault_at(run: str, at: int, alphabet: Alphabet) -> CardFault:
    """Say what is wrong with the sign at which no card could be read."""
    sign, language = run[at], alphabet.language
    name, message, hint = "CN0041", f"{sign} is no rank", RANKS_ARE
    if sign == "1":
        name, message, hint = "CN0042", "no card begins with 1", "a ten is written 10 or T"
    elif sign in "Tt" and language == "ru":
        name, message = "CN0044", "a Latin T in a record with Russian letters may be a ten or an ace"
        hint = "write 10 for a ten, and the Russian letter for an ace"
    elif sign in "akqjtdv" and language == "lt":
        name, message = "CN0048", f"with Lithuanian rank letters the small letter {sign} is no rank"
        hint = "write ranks with capitals (T K D V) and suits with small letters (c d h s)"
    elif sign in LOOK_ALIKES:
        twin = LOOK_ALIKES[sign]
        name, message = "CN0040", f"this is the Cyrillic letter {sign}" + (f", which looks like {twin}" if twin else "")
        hint = 'switch the keyboard to Latin letters, or name the language of the rank letters: [Language "ru"]'
    elif sign in "DVdv" and language == "en":
        hint = 'a queen is Q and a jack J; D and V are Lithuanian letters: [Language "lt"]'
    return CardFault(name, at, 1, message, hint)


def write_cards(cards: Iterable[Card], language: str = "en") -> str:
    """Write cards as one run in the letters of a language, a series of unknown cards as ``?`` and their number."""
    writes = ALPHABETS[language].writes
    parts: list[str] = []
    hidden = 0
    for card in cards:
        if card.rank == HIDDEN:
            hidden += 1
            continue
        if hidden:
            parts.append(f"{_hidden(hidden)},")
            hidden = 0
        parts.append(writes.get(card.rank, card.rank) + card.suit)
    if hidden:
        parts.append(_hidden(hidden))
    return "".join(parts)


def _hidden(number: int) -> str:
    """Write so many unknown cards."""
    return HIDDEN if number == 1 else f"{HIDDEN}{number}"
