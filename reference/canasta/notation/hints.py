"""From the place where a line stopped making sense to what a person should hear about it.

Every explanation belongs to a permanent id. The culprit sign, the kind of line and what the grammar could have taken
there decide; ``reference/tests/bad_records`` holds an example of each.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from canasta.notation.cards import LOOK_ALIKES, RANKS_ARE, CardFault
from canasta.notation.driver import Stop

LINE_WORDS = ("deal", "hand", "stock", "seed", "up", "melds", "reds", "left", "end", "result")
TURN_WORDS = ("out", "pass", "yes", "no", "pick", "knock")
MARKS = ("!stood", "!back", "!pen")
SUIT_SIGNS = frozenset("cdhs♣♦♥♠")
SHORTEST_WORD = 3
NO_BREAK_SPACE = "\u00a0"

# The first word of a line: id, what the line is, how it is written.
_SHAPES = {
    "DEAL": ("CN0063", "a deal line", "Deal 3 dealer W"),
    "HAND": ("CN0064", "a hand line", "hand N AcKdKd9s8h7c7d6s5h4c2d"),
    "STOCK": ("CN0064", "a stock line", "stock Kd9c4h3c"),
    "UP": ("CN0064", "an upcard line", "up 2c Qh"),
    "SEED": ("CN0065", "a seed line", "seed 20261129"),
    "END": ("CN0066", "an end line", "end out N concealed, or: end stock"),
    "RESULT": ("CN0067", "a result line", "result NS 5110 EW 3025"),
    "MELDS": ("CN0069", "a melds line", "melds NS KKKK2 7777777"),
    "REDS": ("CN0069", "a red threes line", "reds NS 2"),
    "LEFT": ("CN0069", "a line of cards left", "left E Kd9s4c"),
    "TAG": ("CN0010", "a line of tags", '[Rules "classic"]'),
    "BRACED": ("CN0053", "a line of comments", "; words to the end of the line"),
    "TRAILING": ("CN0053", "a line of comments", "; words to the end of the line"),
}

_DASHES = frozenset("\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}")
_HYPHEN = "write - (the hyphen) and the card: -7c"
_PENALTY = 'write !pen, who pays, the points and perhaps why: !pen N -100 "looked at the stock"'
# The sign of a turn that began something unfinished: id, message, hint.
_SIGNS = {
    "=": (
        "CN0035",
        "this does not belong to a claim, or the claim cannot be read",
        "a claim is a place, perhaps an owner, perhaps a value, without blanks: =hand.N:5, =frozen, =dealer:W",
    ),
    "/": (
        "CN0037",
        "after / comes one card of the meld that is joined, or new",
        "write 2/K for a two onto the kings, 7h/4h for a run, KKK/new for another meld",
    ),
    "-": ("CN0032", "a discard needs its card", "write -7c, or -? for a discard nobody saw"),
    "\N{EN DASH}": ("CN0032", "this is a dash, not the sign of a discard", _HYPHEN),
    "\N{EM DASH}": ("CN0032", "this is a dash, not the sign of a discard", _HYPHEN),
    "\N{MINUS SIGN}": ("CN0032", "this is a minus sign, not the sign of a discard", _HYPHEN),
    ":": (
        "CN0024",
        "a colon belongs to a score line, not to a turn",
        "write the seat and a blank before what it did: N 7c",
    ),
}
_ANY_ACT = (
    "a turn is made of +draw ^take KKK (melds) 2/K (onto a meld) -discard out pass ?out yes no, marks ! and claims ="
)
LATIN_ONLY = 'switch the keyboard to Latin letters; rank letters may be Russian where the record says [Language "ru"]'


READ_TAGS: Final = ("CGN", "Digest", "Language", "Rules", "Seats", "Seed")
"""The tags that say how a record is read or checked; every other one is only kept."""


class Explained(NamedTuple):
    """A finding before it has a file: id, message, offset from 0, length and hint."""

    id: str
    message: str
    at: int
    length: int
    hint: str


def from_cards(fault: CardFault, at: int) -> Explained:
    """Place a fault in a run of cards that begins at an offset of the line."""
    return Explained(fault.id, fault.message, at + fault.start, fault.length, fault.hint)


def explain(stop: Stop, text: str, *, turn_only: bool = False) -> Explained:
    """Explain why a line stopped making sense; ``turn_only``: the text is a turn without its seat."""
    rest = text[stop.at :]
    found = _unclosed(stop, rest) or (_seat_first(stop, rest) if turn_only else None)
    if found is None:
        if turn_only or (stop.words and stop.words[0].kind == "SEAT"):
            found = _in_turn(stop, text, rest)
        elif not stop.words:
            found = _opening(stop, rest)
        elif stop.words[0].kind == "SCORED":
            found = _in_score(stop, rest)
        else:
            found = _in_line(stop, text, rest)
    return found


def _seat_first(stop: Stop, rest: str) -> Explained | None:
    """A turn copied with its seat from a record, where the position says who is to act."""
    word = _word(rest)
    seat = word[:1].isascii() and word[:1].isalpha() and (word[1:] == "" or word[1:].isdigit())
    if stop.words or not seat or word == rest.strip():
        return None
    hint = "leave the seat out: who acts is said elsewhere, in a position by its first word"
    return Explained("CN0030", f"{word} is a seat, and a turn stands here without its seat", stop.at, len(word), hint)


def _found(name: str, stop: Stop, rest: str, message: str, hint: str) -> Explained:
    """Point at the word where reading stopped, or behind the last one when the text ended too early."""
    word = _word(rest)
    last = stop.words[-1] if stop.words else None
    at = stop.at if word or last is None else last.at + len(last.text)
    return Explained(name, message, at, max(len(word), 1), hint)


def _word(rest: str) -> str:
    """The culprit up to the next blank."""
    return rest.split(maxsplit=1)[0] if rest.strip() else ""


def _near(word: str, known: Iterable[str]) -> list[str]:
    """The known word that the culprit looks most like, if any."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistyped word

    return get_close_matches(word.lower(), list(known), 1, 0.6)


def tag_meant(name: str) -> str | None:
    """The tag that says how to read on and that this one looks like, if it is none of them itself.

    Any other tag is kept as it stands, so only what is very near is taken for a slip: ``Ruleset`` is, ``Round`` is not.
    """
    like = {tag.lower(): tag for tag in READ_TAGS if tag[:3].lower() == name[:3].lower()}
    if not like or name in READ_TAGS:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only for a tag that begins like one of these

    near = get_close_matches(name.lower(), like, 1, 0.8)
    return like[near[0]] if near else None


def _unclosed(stop: Stop, rest: str) -> Explained | None:
    """Comments and quotations that do not close where they should, and a blank that is none."""
    if rest.startswith("{"):
        hint = "close it with }, or begin it with ; to let it run to the end of the line"
        return Explained("CN0050", "this comment is not closed on its line", stop.at, len(rest), hint)
    if rest.startswith("}"):
        return Explained("CN0051", "} closes a comment that was never opened", stop.at, 1, "open the comment with {")
    if rest.startswith('"') and rest.count('"') == 1:
        hint = 'close it with " on the same line'
        return Explained("CN0052", "this quotation is not closed", stop.at, len(rest), hint)
    if rest.startswith(NO_BREAK_SPACE):
        return _no_break_space(stop.at)
    return None


def _no_break_space(at: int) -> Explained:
    """A blank that only looks like one."""
    return Explained("CN0054", "this is a no-break space", at, 1, "put an ordinary blank in its place")


def _opening(stop: Stop, rest: str) -> Explained:
    """The first word of a line is no seat, no word of the notation and no tag."""
    word = _word(rest)
    blank = rest.find(NO_BREAK_SPACE)
    if blank == len(word):
        return _no_break_space(stop.at + blank)
    if word.startswith("["):
        hint = 'a tag is a name and a quoted value in brackets: [Rules "classic"]; inside, \\" is a quotation mark'
        return Explained("CN0010", "this tag cannot be read", stop.at, len(rest.rstrip()), hint)
    near = _near(word, LINE_WORDS)
    usual = "begin each turn with its seat (N 7c), each pad line with its side and a colon (NS: 300 455)"
    return _found(
        "CN0020", stop, rest, f"a line cannot begin with {word}", f"did you mean {near[0]}?" if near else usual
    )


def _in_line(stop: Stop, text: str, rest: str) -> Explained:
    """A line that begins with a word of the notation, or a tag."""
    name, what, example = _SHAPES[stop.words[0].kind]
    if "CARDS" in stop.expected or stop.words[-1].kind == "CARDS":
        card = _card_sign(stop, text, rest)
        if card:
            return card
    word = _word(rest)
    message = f"{word} does not fit into {what}" if word else f"{what} is not complete"
    return _found(name, stop, rest, message, f"write it like this: {example}")


def _in_score(stop: Stop, rest: str) -> Explained:
    """A line of the score pad."""
    last = stop.words[-1]
    if rest.startswith((",", ".", "'")) and last.kind == "POINTS":
        message = "a figure is written without a sign between its digits"
        return Explained("CN2005", message, last.at, len(last.text) + 1, "write 1500, not 1,500")
    if rest[:1] in _DASHES:
        return _found(
            "CN2001", stop, rest, "this is a dash, not the sign of a negative figure", "write - (the hyphen): -60"
        )
    if last.kind == "ITEM":
        hint = f"write its points after it: {last.text} 100"
        return Explained("CN2004", f"{last.text} has no figure", last.at, len(last.text), hint)
    word = _word(rest)
    message = f"{word} does not fit into a score line" if word else "the score line is not complete"
    hint = "write the side, a colon, then base and count: NS: 300 455; a running total follows as: total 2255"
    return _found("CN2001", stop, rest, message, hint)


def _in_turn(stop: Stop, text: str, rest: str) -> Explained:
    """A turn, with or without its seat."""
    word = _word(rest)
    last = stop.words[-1] if stop.words else None
    if last is not None and (last.kind == "PENALTY" or (last.kind == "SIDE" and "POINTS" in stop.expected)):
        return Explained("CN0036", "a penalty needs its points", last.at, len(last.text), _PENALTY)
    if not word:
        at, length = (last.at, len(last.text)) if last else (0, 1)
        hint = "write at least the discard: 7c, or ? when nobody saw it"
        return Explained("CN0022", "this turn says nothing", at, length, hint)
    if word[0] == "!":
        return _mark(stop, rest, word)
    sign = "=" if last is not None and last.kind == "CLAIM" else word[0]
    if sign in _SIGNS:
        name, message, hint = _SIGNS[sign]
        return _found(name, stop, rest, message, hint)
    return (
        _turn_word(stop, text, rest, word)
        or _card_sign(stop, text, rest)
        or _found("CN0030", stop, rest, f"{word} is nothing a seat can do", _ANY_ACT)
    )


def _mark(stop: Stop, rest: str, word: str) -> Explained:
    """A mark that does not exist."""
    near = _near(word, MARKS)
    all_marks = "the marks are !stood (let stand), !back (taken back) and !pen N -100 (penalty)"
    return _found("CN0034", stop, rest, f"there is no mark {word}", f"did you mean {near[0]}?" if near else all_marks)


def _turn_word(stop: Stop, text: str, rest: str, word: str) -> Explained | None:
    """A word in a turn that is none, or a suit parted from its rank."""
    before = text[: stop.at]
    if word.lower() in SUIT_SIGNS and before.endswith((" ", "\t")):
        return _found("CN0046", stop, rest, f"the suit {word} stands alone", "write rank and suit together: 7c")
    if not word.isalpha() or len(word) < SHORTEST_WORD or any(sign in LOOK_ALIKES for sign in word):
        return None
    near = _near(word, (*TURN_WORDS, *(m[1:] for m in MARKS)))
    if not near:
        return None
    meant = near[0] if near[0] in TURN_WORDS else f"!{near[0]}"
    return _found("CN0033", stop, rest, f"there is no word {word} in a turn", f"did you mean {meant}?")


def _card_sign(stop: Stop, text: str, rest: str) -> Explained | None:
    """A sign in a run of cards that is no card."""
    sign, before = rest[:1], text[: stop.at]
    run = "" if before.endswith((" ", "\t")) else before.rsplit(maxsplit=1)[-1] if before.strip() else ""
    if sign.isalpha() and "/" in run:
        name, message, hint = _SIGNS["/"]
        at = stop.at - len(run) + run.index("/")
        return Explained(name, message, at, stop.at - at + len(_word(rest)), hint)
    if sign in SUIT_SIGNS and re.search(r"\?\d+$", run):
        message = "the digits after ? are the number of unknown cards, and no suit can follow them"
        hint = "put a comma between an unknown card and the next: ?,9c"
        return Explained("CN0047", message, stop.at, 1, hint)
    if sign == "1":
        return Explained("CN0042", "no card begins with 1", stop.at, 1, "a ten is written 10 or T")
    if sign in LOOK_ALIKES:
        twin = LOOK_ALIKES[sign]
        looks = f", which looks like {twin}" if twin else ""
        return Explained("CN0040", f"this is the Cyrillic letter {sign}{looks}", stop.at, 1, LATIN_ONLY)
    if sign.isalnum():
        return Explained("CN0041", f"{sign} is no rank", stop.at, 1, RANKS_ARE)
    return None


def explain_position(stop: Stop, text: str) -> Explained:
    """Explain why a position stopped making sense."""
    rest = text[stop.at :]
    word = _word(rest)
    last = stop.words[-1].kind if stop.words else ""
    if not text.strip():
        hint = "write who is to act and what lies where: N at start; hand.N KK459; stock ?30"
        return Explained("CN1001", "the position is empty", 0, 1, hint)
    if last in ("MOVER", "AT"):
        name, message, hint = "CN1002", "the phase is missing", "write the seat, at, and the phase: N at start"
    elif not stop.words and text.split()[1:2] == ["at"]:
        name, message = "CN1002", f"{word} is no seat"
        hint = "a seat is a capital letter, perhaps with a digit: N at start"
    elif "PLACE" in stop.expected:
        name, message = "CN1003", f"{word} is no name of a place" if word else "a place must come here"
        hint = "a place is a word in small letters, perhaps with a dot and its owner: hand.N, pile, melds.NS"
    else:
        name, message = "CN1005", f"{word} does not fit here"
        hint = "part the places with ; and the words of one place with blanks: N at start; hand.N KK459; pile 2 5 K"
    return _found(name, stop, rest, message, hint)
