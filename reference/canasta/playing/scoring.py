"""The score of a deal on the pad, item by item, compared with what the rules make of the table at its end."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from canasta.diagnostics import Diagnostic
from canasta.kernel.game import Game
from canasta.kernel.ledger import Ledger
from canasta.kernel.state import NOBODY, Context, State
from canasta.language.ruleset import Owner, Score
from canasta.notation import record as r
from canasta.playing.pad import Pad
from canasta.playing.seats import Seats

if TYPE_CHECKING:
    from canasta.kernel.outlook import Outlook

Range = tuple[int, int]

PENALTY: Final = "penalty"


class Expected:
    """What each item of each account must come to: within bounds, which are equal where everything is known.

    An account is that of a side, or of a seat where the rule set gives each seat its own.
    """

    def __init__(self, game: Game, pad: Pad, seats: Seats, state: State) -> None:
        """Nothing is worked out before it is asked for."""
        self.game = game
        self.pad = pad
        self.seats = seats
        self.state = state
        self._ledger: Ledger | None = None
        self._penalties: tuple[r.Mark, ...] | None = None

    @property
    def of(self) -> Owner:
        """Whose the accounts are, seats' or sides'."""
        return self.game.ruleset.state[self.game.ruleset.table.account].of

    @property
    def owners(self) -> Sequence[int]:
        """List the accounts."""
        return range(len(self.seats.names)) if self.of is Owner.SEAT else self.state.sides

    def side(self, owner: int) -> int:
        """Find the side that an account belongs to in this deal."""
        return self.state.side_of[owner] if self.of is Owner.SEAT else owner

    @property
    def ledger(self) -> Ledger:
        """The ledger of the deal, where everything is known."""
        if self._ledger is None:
            self._ledger = self.game.ledger(self.state)
        return self._ledger

    def exactly(self, owner: int) -> dict[str, int]:
        """Work out what each item brings an account, where everything is known."""
        ledger = self.ledger
        return ledger.share(owner, self.side(owner)) if self.of is Owner.SEAT else ledger.items(owner)

    def items(self) -> dict[int, dict[str, Range]]:
        """Work out within which bounds each item of each account lies; what is known exactly has equal bounds."""
        if self.certain:
            return {o: {i: (p, p) for i, p in self._all_items(self.exactly(o)).items()} for o in self.owners}
        from canasta.kernel.outlook import Outlook  # noqa: PLC0415 - only where a hand is not known

        outlook = Outlook(self.game.machine, self.state, self.game.turn.judge.runtime)
        found: dict[int, dict[str, Range]] = {o: dict.fromkeys(self.pad.grain, (0, 0)) for o in self.owners}
        for clause in self.game.ruleset.of_kind(Score):
            for seat, side in self._scored(clause):
                low, high = self._points(clause, seat, side, outlook)
                for owner in self._shared_by(seat, side):
                    before = found[owner][clause.item]
                    found[owner][clause.item] = (before[0] + low, before[1] + high)
        return found

    def _shared_by(self, seat: int, side: int) -> list[int]:
        """List the accounts to which a line of the score goes."""
        if self.of is Owner.SEAT and seat != NOBODY:
            return [seat]
        return [o for o in self.owners if self.side(o) == side]

    @property
    def certain(self) -> bool:
        """Whether everything that is scored is known."""
        return not any(hand[self.game.deck.size] for hand in self.state.zone(self.game.machine.hand))

    def total(self, deal: r.Deal, owner: int) -> int:
        """What an account gets for the deal with the penalties that the table gave, in points."""
        return sum(self.exactly(owner).values()) + self.given(deal, owner)

    def given(self, deal: r.Deal, owner: int) -> int:
        """Add up the penalties that the table gave against the side of an account."""
        if self._penalties is None:
            self._penalties = tuple(penalties(deal))
        side = self.side(owner)
        return sum(m.points for m in self._penalties if side_of(self.seats, self.state, m.who) == side)

    def _all_items(self, items: dict[str, int]) -> dict[str, int]:
        return dict.fromkeys(self.pad.grain, 0) | items

    def _scored(self, clause: Score) -> list[tuple[int, int]]:
        if clause.each_seat:
            return [(s, self.state.side_of[s]) for s in self.state.playing]
        return [(NOBODY, s) for s in self.state.sides]

    def _points(self, clause: Score, seat: int, side: int, outlook: "Outlook") -> Range:
        if clause.when is not None and not self.game.backend.function(clause.when)(self.state, Context(), seat, side):
            return (0, 0)
        from canasta.kernel.outlook import Choice  # noqa: PLC0415 - only where a hand is not known

        points: Range = self.game.bounder.function(clause.points)(self.state, Choice(), seat, side, outlook)
        return points


def check_scores(expected: Expected, deal: r.Deal) -> Iterator[Diagnostic]:
    """Compare every line of the pad with what is expected (PL0033, PL0035)."""
    items = expected.items()
    for score in deal.scores:
        owner = expected.seats.owner(expected.of, score.side)
        if owner is not None and owner in items:
            told = _with_penalties(items[owner], expected, deal, owner)
            yield from _check_line(expected.pad, score, told)


def _with_penalties(items: dict[str, Range], expected: Expected, deal: r.Deal, owner: int) -> dict[str, Range]:
    """Add the penalties that the table gave in the deal to the item of that name."""
    told = dict(items)
    points = expected.given(deal, owner)
    name = next(iter(expected.pad.items(PENALTY)), PENALTY)
    if points:
        low, high = told.get(name, (0, 0))
        told[name] = (low + points, high + points)
    return told


def penalties(deal: r.Deal) -> Iterator[r.Mark]:
    """Go through the penalties of a deal; one without a name is against the seat in whose turn it stands."""
    for turn in deal.turns:
        for mark in turn.marks:
            if mark.kind is r.MarkKind.PENALTY:
                yield r.Mark(mark.kind, mark.after, mark.who or turn.seat, mark.points, mark.why, mark.span)


def side_of(seats: Seats, state: State, who: str) -> int | None:
    """Find the side that a penalty is against, by the name of the side or of one of its seats."""
    seat = seats.seat(who)
    return state.side_of[seat] if seat is not None else seats.side(who)


def _check_line(pad: Pad, score: r.Score, told: dict[str, Range]) -> Iterator[Diagnostic]:
    """Compare one line; figures with names that these rules do not know must come to what is left of the score."""
    open_items, strangers = dict(told), 0
    for item in score.items:
        names = (PENALTY,) if item.name == PENALTY and PENALTY in told else pad.items(item.name)
        if not names:
            strangers += item.points
            if item.points:
                yield pad.unknown(score, item)
            continue
        low, high = _sum(names, open_items)
        for name in names:
            open_items.pop(name, None)
        if not low <= item.points <= high:
            yield _differs(pad, score, item, names, (low, high), told)
    low, high = _sum(tuple(open_items), open_items)
    if strangers:
        if not low <= strangers <= high:
            rest = r.Item("the rest", strangers)
            yield _differs(pad, score, rest, tuple(open_items), (low, high), told)
        return
    for name, (low, high) in open_items.items():
        if low > 0 or high < 0:
            yield _differs(pad, score, r.Item(name, 0), (name,), (low, high), told)


def _sum(names: tuple[str, ...], told: dict[str, Range]) -> Range:
    bounds = [told[n] for n in names if n in told]
    return sum(b[0] for b in bounds), sum(b[1] for b in bounds)


def _differs(
    pad: Pad, score: r.Score, item: r.Item, names: tuple[str, ...], due: Range, told: dict[str, Range]
) -> Diagnostic:
    clauses = [c.id for c in pad.ruleset.of_kind(Score) if c.item in names]
    points = str(due[0]) if due[0] == due[1] else f"from {due[0]} to {due[1]}"
    message = f"{item.name} of {score.side} is written as {item.points}, and by the rules it is {points}"
    made = [f"{n} {told[n][0]}" for n in names if n in told and any(told[n])]
    hint = f"it is made of {', '.join(made)}" if len(names) > 1 and made else "count again, or look at the clause"
    return Diagnostic("PL0033", message, score.span, hint, clause=clauses[0] if len(names) == 1 and clauses else "")
