"""What a seat did in a turn: from signs such as ``^QQQ 2/K -7c`` to actions, marks, claims and comments."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.notation import record as r
from canasta.notation.cards import INTERNATIONAL, UNKNOWN, Card, CardFault, read_cards
from canasta.notation.driver import Stop, Word, tables
from canasta.notation.hints import Explained, explain, from_cards
from canasta.notation.record import Action, Written


class Place(Protocol):
    """What reading a turn needs of the line it stands in."""

    def span(self, at: int, end: int) -> Span:
        """The place between two offsets."""

    def say(self, found: Explained) -> None:
        """Note a finding."""

    def cards(self, run: str, at: int) -> tuple[Card, ...]:
        """Read a run of cards that stands at an offset."""

    def side(self, text: str, at: int) -> str:
        """Read a side or a seat."""


class Acted(NamedTuple):
    """The parts of a turn, gathered word by word."""

    actions: tuple[Action, ...] = ()
    marks: tuple[r.Mark, ...] = ()
    claims: tuple[r.Claim, ...] = ()
    comments: tuple[r.Comment, ...] = ()


class _Gathering:
    """A turn while it is read."""

    def __init__(self, line: Place) -> None:
        self.line = line
        self.actions: list[Action] = []
        self.marks: list[r.Mark] = []
        self.claims: list[r.Claim] = []
        self.comments: list[r.Comment] = []


_PLAIN = {
    "ASK": (Written.ASK, ""),
    "YES": (Written.ANSWER, "yes"),
    "NO": (Written.ANSWER, "no"),
    "OUT": (Written.OUT, ""),
    "PASS": (Written.DECLINE, ""),
    "PICK": (Written.PICK, ""),
    "KNOCK": (Written.KNOCK, ""),
}
_MARKS = {"STOOD": r.MarkKind.STOOD, "BACK": r.MarkKind.BACK, "PENALTY": r.MarkKind.PENALTY}


def read_actions(line: Place, words: list[Word]) -> Acted:
    """Read the words of a turn after its seat."""
    turn = _Gathering(line)
    at, last_explicit = 0, False
    while at < len(words):
        word = words[at]
        kind = word.kind
        if kind in _ACTS:
            turn.actions.append(_ACTS[kind](line, word))
            last_explicit = kind == "LAY" and "/" in word.text
            _not_two_discards(line, words, at)
            _not_aimless(line, words, at)
        elif kind in _PLAIN:
            written, said = _PLAIN[kind]
            turn.actions.append(Action(written, word=said, span=_place(line, word)))
        elif kind in _MARKS:
            at = _mark(turn, words, at)
        elif kind == "CLAIM":
            turn.claims.append(_claim(turn, word))
        else:
            turn.comments.append(r.Comment(_comment(word), len(turn.actions)))
        at += 1
    if turn.actions and not last_explicit:
        _last_card_is_the_discard(turn.actions)
    return Acted(tuple(turn.actions), tuple(turn.marks), tuple(turn.claims), tuple(turn.comments))


def _last_card_is_the_discard(actions: list[Action]) -> None:
    """A bare single card that ends a turn without another discard or going out is the discard."""
    last = actions[-1]
    if last.kind is not Written.LAY or len(last.cards) != 1:
        return
    if any(a.kind in (Written.DISCARD, Written.OUT) for a in actions):
        return
    actions[-1] = Action(Written.DISCARD, last.cards, span=last.span)


def _place(line: Place, word: Word) -> Span:
    return line.span(word.at, word.at + len(word.text))


def _draw(line: Place, word: Word) -> Action:
    cards = line.cards(word.text[1:], word.at + 1) if len(word.text) > 1 else (UNKNOWN,)
    return Action(Written.DRAW, cards, span=_place(line, word))


def _take(line: Place, word: Word) -> Action:
    run, target = _aimed(line, word, 1)
    return Action(Written.TAKE, run, target, span=_place(line, word))


def _lay(line: Place, word: Word) -> Action:
    run, target = _aimed(line, word, 0)
    return Action(Written.LAY, run, target, span=_place(line, word))


def _discard(line: Place, word: Word) -> Action:
    cards = line.cards(word.text[1:], word.at + 1)
    if len(cards) > 1:
        _one_card_only(line, word.at, len(word.text))
    return Action(Written.DISCARD, cards, span=_place(line, word))


def _show(line: Place, word: Word) -> Action:
    shown, _, drawn = word.text.partition("+")
    replacement = line.cards(drawn, word.at + len(shown) + 1) if drawn else (UNKNOWN,)
    return Action(Written.SHOW, line.cards(shown, word.at), replacement=replacement, span=_place(line, word))


def _unite(line: Place, word: Word) -> Action:
    goes, _, stays = word.text.partition("/")
    named = [_named(line, goes, word.at), _named(line, stays, word.at + len(goes) + 1)]
    return Action(Written.UNITE, target=named[1], other=named[0], span=_place(line, word))


_ACTS: dict[str, Callable[[Place, Word], Action]] = {
    "DRAW": _draw,
    "TAKE": _take,
    "LAY": _lay,
    "DISCARD": _discard,
    "SHOW": _show,
    "UNITE": _unite,
}


def _aimed(line: Place, word: Word, skip: int) -> tuple[tuple[Card, ...], r.Target | None]:
    """Read cards and the meld they are aimed at."""
    run, slash, aim = word.text[skip:].partition("/")
    cards = line.cards(run, word.at + skip) if run else ()
    if not slash or not aim:
        return cards, None
    if aim == "new":
        return cards, r.Target(None)
    return cards, _named(line, aim, word.at + skip + len(run) + 1)


def _named(line: Place, aim: str, at: int) -> r.Target | None:
    """Read which meld is meant: one of its cards, and which of several such melds."""
    card, _, nth = aim.partition(".")
    held = line.cards(card, at)
    if not held:
        return None
    if len(held) > 1 or held[0].hidden:
        hint = "name one card that the meld holds: 2/K"
        line.say(Explained("CN0037", "a meld is named by one card", at, len(aim), hint))
    return r.Target(held[0], int(nth or 0))


def _not_two_discards(line: Place, words: list[Word], at: int) -> None:
    """Refuse cards that hang on a discard, since only one card is discarded."""
    word, before = words[at], words[at - 1] if at else None
    if before is not None and before.kind == "DISCARD" and word.kind == "LAY":
        end = before.at + len(before.text)
        if end == word.at:
            _one_card_only(line, before.at, len(before.text) + len(word.text))


def _not_aimless(line: Place, words: list[Word], at: int) -> None:
    """Refuse a slash that aims at nothing, unless it only says that the last card is laid and not discarded."""
    word = words[at]
    if word.text.endswith("/") and (word.kind == "TAKE" or any(w.kind in _ACTS for w in words[at + 1 :])):
        hint = "write the card right after the slash: 2/K; laid cards that join their own rank need no slash"
        line.say(Explained("CN0037", "the slash aims at no meld", word.at, len(word.text), hint))


def _one_card_only(line: Place, at: int, length: int) -> None:
    line.say(
        Explained(
            "CN0031", "only one card is discarded", at, length, "write one card after -; what is laid stands before it"
        )
    )


def _mark(turn: _Gathering, words: list[Word], at: int) -> int:
    """Read a mark with what belongs to it; give the index of its last word."""
    begin, end = at, at
    who, score, why = "", 0, ""
    while end + 1 < len(words) and words[end + 1].kind in ("SIDE", "POINTS", "WHY"):
        end += 1
        word = words[end]
        if word.kind == "SIDE":
            who = turn.line.side(word.text, word.at)
        elif word.kind == "POINTS":
            score = int(word.text.replace("−", "-"))  # noqa: RUF001 the true minus is meant
        else:
            why = _unescape(word.text[1:-1])
    span = turn.line.span(words[begin].at, words[end].at + len(words[end].text))
    turn.marks.append(r.Mark(_MARKS[words[begin].kind], len(turn.actions), who, score, why, span))
    return end


def _claim(turn: _Gathering, word: Word) -> r.Claim:
    subject, _, value = word.text[1:].partition(":")
    place, _, owner = subject.partition(".")
    if owner:
        owner = turn.line.side(owner, word.at + len(place) + 2)
    if value and value[0] in "+-0123456789":
        value = str(int(value))
    elif value != value.lower():  # no word has capitals, so it is a seat
        value = turn.line.side(value, word.at + len(subject) + 2)
    return r.Claim(place, owner, value or "yes", len(turn.actions), _place(turn.line, word))


def _comment(word: Word) -> str:
    if word.kind == "TRAILING":
        return word.text[1:].strip()
    return _unescape(word.text[1:-1]).strip()


def _unescape(text: str) -> str:
    """Undo the backslash before a quotation mark, a brace or a backslash."""
    parts, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
        parts.append(text[at])
        at += 1
    return "".join(parts)


class _Alone:
    """The place of a turn that stands alone, without seats and without a language."""

    def __init__(self, file: str, line: int, column: int) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.findings = Findings()

    def span(self, at: int, end: int) -> Span:
        return Span(self.file, self.line, self.column + at, self.line, self.column + end)

    def say(self, found: Explained) -> None:
        span = self.span(found.at, found.at + found.length)
        self.findings.add(Diagnostic(found.id, found.message, span, found.hint))

    def cards(self, run: str, at: int) -> tuple[Card, ...]:
        cards = read_cards(run, INTERNATIONAL.language)
        if isinstance(cards, CardFault):
            self.say(from_cards(cards, at))
            return ()
        return cards

    def side(self, text: str, at: int) -> str:
        del at
        return text.upper()


def parse_turn(
    text: str, file: str, line: int = 1, column: int = 1
) -> tuple[tuple[Action, ...], tuple[Diagnostic, ...]]:
    """Read one turn without its seat, such as ``^KKK -9``; no actions when it could not be read.

    ``line`` and ``column`` say where the text begins in its file. Marks, claims and comments are passed over.
    """
    alone = _Alone(file, line, column)
    begin = len(text) - len(text.lstrip(" \t"))
    words = tables().read(text.replace("\n", " "), "turn_text", begin)
    if isinstance(words, Stop):
        alone.say(explain(words, text, turn_only=True))
        return (), tuple(alone.findings)
    actions = read_actions(alone, words).actions
    return (() if alone.findings.errors else actions), tuple(alone.findings)
