"""Which cards a record lays out before the first draw of their player, and which turns are then left to be played."""

from dataclasses import dataclass, field, replace

from canasta.notation import record as r
from canasta.notation.record import Action, Written


@dataclass(slots=True, eq=False, repr=False)
class FirstLines:
    """What was laid out by seat, on whose first turn it was written, and the turns without it."""

    shown: dict[str, list[Action]] = field(default_factory=dict)
    on_turn: set[str] = field(default_factory=set)
    turns: tuple[r.Turn, ...] = ()


def set_apart(deal: r.Deal) -> FirstLines:
    """Part the cards laid out before a player's first draw from the turns: on lines of their own, or at a turn's beginning."""
    first = FirstLines()
    turns: list[r.Turn] = []
    begun: set[str] = set()
    opening = True
    for turn in deal.turns:
        count = _leading(turn)
        opening = opening and 0 < count == len(turn.actions)
        if opening or (turn.seat not in begun and count and _was_dealt(deal, turn, count)):
            first.shown.setdefault(turn.seat, []).extend(turn.actions[:count])
            if not opening:
                first.on_turn.add(turn.seat)
            rest = _without(turn, count)
        else:
            rest = turn
        if not opening:
            begun.add(turn.seat)
        if rest.actions or not opening:
            turns.append(rest)
    first.turns = tuple(turns)
    return first


def _was_dealt(deal: r.Deal, turn: r.Turn, count: int) -> bool:
    """Whether cards laid at the very beginning of a first turn were dealt and not drawn in it."""
    draws = any(a.kind in (Written.DRAW, Written.TAKE) for a in turn.actions[count:])
    hand = deal.hands.get(turn.seat)
    return draws or (hand is not None and all(card in hand for card in turn.actions[0].cards))


def _leading(turn: r.Turn) -> int:
    """Count the cards laid out with which a turn begins."""
    count = 0
    while count < len(turn.actions) and turn.actions[count].kind is Written.SHOW:
        count += 1
    return count


def _without(turn: r.Turn, count: int) -> r.Turn:
    """Take the first actions out of a turn; marks, claims and comments keep their places among the others."""

    def moved(after: int) -> int:
        return max(0, after - count)

    return replace(
        turn,
        actions=turn.actions[count:],
        marks=tuple(replace(m, after=moved(m.after)) for m in turn.marks),
        claims=tuple(replace(c, after=moved(c.after)) for c in turn.claims),
        comments=tuple(c._replace(after=moved(c.after)) for c in turn.comments),
    )
