"""From values to the one canonical text of a record: what ``canasta fmt`` writes, and what the digest is taken of."""

from collections.abc import Iterable
from dataclasses import replace

from canasta.notation import record as r
from canasta.notation.cards import ALPHABETS, Card, write_cards
from canasta.notation.record import Action, Written

STOCK_BLOCK = 10
MOST_COUNTED = 9
DIGEST_LENGTH = 16

_WORDS = {
    Written.ASK: "?out",
    Written.OUT: "out",
    Written.DECLINE: "pass",
    Written.PICK: "pick",
    Written.KNOCK: "knock",
}


def write(record: r.Record) -> str:
    """Write a record in its canonical form, ending with a line feed; ranks in the letters its ``Language`` names."""
    language = record.tag("Language")
    letters = language if language in ALPHABETS else "en"
    lines: list[str] = []
    for tag in record.tags:
        _noted(lines, f'[{tag.name} "{_escape(tag.value, chr(34))}"]', tag.notes)
    for deal in record.deals:
        if lines:
            lines.append("")
        _deal(lines, deal, letters)
    if record.result:
        if lines:
            lines.append("")
        _noted(lines, _result(record.result), record.result.notes)
    if record.comments:
        if lines:
            lines.append("")
        lines.extend(_alone(text) for text in record.comments)
    return "".join(f"{line}\n" for line in lines)


def write_all(records: Iterable[r.Record]) -> str:
    """Write several records into one text, an empty line between them."""
    return "\n".join(write(record) for record in records)


def digest(record: r.Record) -> str:
    """Give the digest of the canonical text without its tag ``Digest``: the first hexadecimal digits of its SHA-256."""
    from hashlib import sha256  # noqa: PLC0415 - it loads a large library, and few records have a digest

    bare = replace(record, tags=tuple(tag for tag in record.tags if tag.name != "Digest"))
    return sha256(write(bare).encode()).hexdigest()[:DIGEST_LENGTH]


def write_actions(actions: tuple[Action, ...], language: str = "en") -> str:
    """Write what a seat did as a turn without its seat."""
    return " ".join(write_action(actions, at, language) for at in range(len(actions)))


def write_action(actions: tuple[Action, ...], at: int, language: str = "en") -> str:
    """Write one action of a turn; its neighbours decide whether a single card may stand bare."""
    action = actions[at]
    kind = action.kind
    cards = write_cards(action.cards, language)
    aim = _target(action.target, language)
    if kind is Written.LAY:
        return cards + (aim or ("/" if _looks_like_the_discard(actions, at) else ""))
    if kind is Written.DISCARD:
        return cards if _may_stand_bare(actions, at) else f"-{cards}"
    signed = {
        Written.DRAW: f"+{cards}",
        Written.TAKE: f"^{cards}{aim}",
        Written.SHOW: f"{cards}+{write_cards(action.replacement, language)}",
        Written.ANSWER: action.word,
        Written.UNITE: f"{_target(action.other, language)[1:]}{aim}",
    }
    return signed.get(kind) or _WORDS[kind]


def _may_stand_bare(actions: tuple[Action, ...], at: int) -> bool:
    """Whether a discard is all the seat did beside drawing: the commonest turn is just the card."""
    others = (a.kind for i, a in enumerate(actions) if i != at)
    return at == len(actions) - 1 and all(kind is Written.DRAW for kind in others)


def _looks_like_the_discard(actions: tuple[Action, ...], at: int) -> bool:
    """Whether a single laid card would be read as the discard."""
    if at != len(actions) - 1 or len(actions[at].cards) != 1:
        return False
    return not any(a.kind in (Written.DISCARD, Written.OUT) for a in actions)


def _target(target: r.Target | None, language: str) -> str:
    if target is None:
        return ""
    if target.card is None:
        return "/new"
    nth = f".{target.nth}" if target.nth else ""
    return f"/{write_cards((target.card,), language)}{nth}"


def _deal(lines: list[str], deal: r.Deal, letters: str) -> None:
    """Write a deal with all its lines."""
    head = f"Deal {deal.number}" + (f" dealer {deal.dealer}" if deal.dealer else "")
    _noted(lines, head, deal.notes)
    for line in deal.lines:
        if isinstance(line, r.Turn):
            lines.extend(_alone(text) for text in line.above)
            lines.append(_turn(line, letters))
        else:
            _noted(lines, _line(line, letters), line.notes)


def _line(line: r.Line, letters: str) -> str:
    """Write a line of a deal that is no turn, without its comments."""
    match line:
        case r.Hand(seat=seat, cards=cards):
            return f"hand {seat} {write_cards(cards, letters)}"
        case r.Stock(cards=cards):
            return f"stock {_blocks(cards, letters)}"
        case r.Seed(number=number):
            return f"seed {number}"
        case r.Upcards(cards=cards):
            return "up " + " ".join(write_cards((card,), letters) for card in cards)
        case r.Melds(side=side, groups=groups):
            return " ".join(["melds", side, *(write_cards(group, letters) for group in groups)])
        case r.RedThrees(side=side, cards=cards):
            counted = len(cards) <= MOST_COUNTED and all(card == Card("3", "r") for card in cards)
            return f"reds {side} {len(cards) if counted else write_cards(cards, letters)}"
        case r.Left(seat=seat, cards=cards):
            return f"left {seat} {write_cards(cards, letters)}".rstrip()
        case r.Ending(reason=reason, seat=seat, words=words):
            return " ".join(filter(None, ["end", reason, seat, *words]))
        case r.Score():
            return _score(line)
        case r.Turn():
            return _turn(line, letters)


def _blocks(cards: tuple[Card, ...], letters: str) -> str:
    """Write many cards in blocks that an eye can count."""
    return " ".join(write_cards(cards[i : i + STOCK_BLOCK], letters) for i in range(0, len(cards), STOCK_BLOCK))


def _score(score: r.Score) -> str:
    """Write a line of the pad; base and count, or a single figure of points, stand without their names."""
    names = tuple(item.name for item in score.items)
    bare = 2 if names[:2] == ("base", "count") else int(names[:1] == ("points",))
    parts = [f"{score.side}:"]
    parts += [str(item.points) if i < bare else f"{item.name} {item.points}" for i, item in enumerate(score.items)]
    if score.sum is not None:
        parts.append(f"= {score.sum}")
    if score.total is not None:
        parts.append(f"total {score.total}")
    return " ".join(parts)


def _result(result: r.Result) -> str:
    totals = [f"{side} {points}" for side, points in result.totals]
    return " ".join(filter(None, ["result", result.word, *totals]))


def _turn(turn: r.Turn, letters: str) -> str:
    """Write a turn: at each point between the actions first marks, then claims, then comments."""
    parts = [turn.seat]
    comments = list(turn.comments)
    trailing = None
    if comments and comments[-1].after == len(turn.actions) and (turn.actions or turn.marks or turn.claims):
        trailing = comments.pop()
    for at in range(len(turn.actions) + 1):
        if at:
            parts.append(write_action(turn.actions, at - 1, letters))
        parts += [_mark(mark) for mark in turn.marks if mark.after == at]
        parts += [_claim(claim) for claim in turn.claims if claim.after == at]
        parts += [_braced(comment.text) for comment in comments if comment.after == at]
    if trailing:
        parts.append(_alone(trailing.text))
    return " ".join(parts)


def _mark(mark: r.Mark) -> str:
    parts = [f"!{mark.kind}"]
    if mark.kind is r.MarkKind.PENALTY:
        parts += [*filter(None, [mark.who]), str(mark.points)]
    if mark.why:
        parts.append(f'"{_escape(mark.why, chr(34))}"')
    return " ".join(parts)


def _claim(claim: r.Claim) -> str:
    owner = f".{claim.owner}" if claim.owner else ""
    value = "" if claim.value == "yes" else f":{claim.value}"
    return f"={claim.place}{owner}{value}"


def _noted(lines: list[str], text: str, notes: r.Notes) -> None:
    """Write a line with its comments above and beside it."""
    lines.extend(_alone(comment) for comment in notes.above)
    beside = [_braced(comment) for comment in notes.beside[:-1]]
    beside += [_alone(comment) for comment in notes.beside[-1:]]
    lines.append(" ".join([text, *beside]))


def _alone(text: str) -> str:
    """Write a comment that runs to the end of its line."""
    return f"; {text}".rstrip()


def _braced(text: str) -> str:
    return f"{{{_escape(text, '}')}}}"


def _escape(text: str, sign: str) -> str:
    return text.replace("\\", "\\\\").replace(sign, f"\\{sign}")
