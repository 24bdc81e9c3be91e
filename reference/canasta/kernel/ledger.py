"""The ledger: what each line of the score adds to each side, and where a match stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from canasta.kernel.machine import Item, Machine
from canasta.kernel.state import NOBODY, Context, State
from canasta.language.ruleset import Lasts, Owner


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the ledger: the clause, its item, whose it is (a side, or a seat when ``seat`` is set), and the points."""

    clause: str
    item: str
    side: int
    points: int
    seat: int = NOBODY


@dataclass(frozen=True, slots=True)
class Ledger:
    """All lines of a deal; lines of no points are left out."""

    lines: tuple[Line, ...]

    def total(self, side: int) -> int:
        """Add up what a side gets."""
        return sum(line.points for line in self.lines if line.side == side)

    def items(self, side: int) -> dict[str, int]:
        """Add up a side's points by item."""
        return _by_item(line for line in self.lines if line.side == side)

    def share(self, seat: int, side: int) -> dict[str, int]:
        """Add up by item what goes to the account of one seat: what its side gets, and what is its own."""
        return _by_item(line for line in self.lines if line.side == side and line.seat in (NOBODY, seat))


def _by_item(lines: Iterable[Line]) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        found[line.item] = found.get(line.item, 0) + line.points
    return found


class MatchEnd(NamedTuple):
    """The end of a match: the clause that says so, and the winning sides, or seats if ``by_seat``; several when it is drawn."""

    clause: str
    winners: tuple[int, ...]
    by_seat: bool = False


class Scoring:
    """Works out ledgers and the end of a match by the clauses of one machine."""

    def __init__(self, machine: Machine) -> None:
        """Take the rule set that has been made ready."""
        self.machine = machine

    def ledger(self, state: State) -> Ledger:
        """Work the ledger of a deal out as it stands."""
        return Ledger(tuple(line for item in self.machine.items for line in self._lines(item, state) if line.points))

    def _lines(self, item: Item, state: State) -> list[Line]:
        context = Context()
        owners = (
            [(s, state.side_of[s]) for s in state.playing] if item.each_seat else [(NOBODY, s) for s in state.sides]
        )
        return [
            Line(item.clause, item.item, side, int(item.points(state, context, seat, side)), seat)
            for seat, side in owners
            if item.when is None or item.when(state, context, seat, side)
        ]

    def carried(self, state: State) -> dict[str, list[int]]:
        """Work out the variables that last a match as the next deal finds them: the account with this deal's score added."""
        rules, ledger = self.machine.ruleset, self.ledger(state)
        found: dict[str, list[int]] = {}
        for variable in rules.state.values():
            if variable.lasts is Lasts.MATCH:
                content = state.variable(variable.index)
                values = [content] if variable.of is Owner.TABLE else list(content)
                if variable.name == rules.table.account:
                    values = [v + self._owed(ledger, state, i, variable.of) for i, v in enumerate(values)]
                found[variable.name] = values
        return found

    def _owed(self, ledger: Ledger, state: State, owner: int, of: Owner) -> int:
        if of is Owner.SIDE:
            return ledger.total(owner)
        return sum(ledger.share(owner, state.side_of[owner]).values())

    def match_over(self, state: State) -> MatchEnd | None:
        """Say whether the match is over when the accounts stand as in ``state``."""
        context = Context()
        for clause, when, winner, by_seat in self.machine.endings:
            if when(state, context, NOBODY, NOBODY):
                seats = [(s, state.side_of[s]) for s in range(len(state.side_of))]
                owners = seats if by_seat else [(NOBODY, s) for s in state.sides]
                figures = {(seat if by_seat else side): winner(state, context, seat, side) for seat, side in owners}
                best = max(figures.values())
                return MatchEnd(clause, tuple(o for o, f in figures.items() if f == best), by_seat)
        return None
