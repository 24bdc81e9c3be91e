"""Outlooks on plays that more may happen to than parts from the hand: a top card is taken, or plain acts are done in between."""

from typing import Any

from canasta.kernel.bounded_groups import AnyGroup, Lying, raised
from canasta.kernel.course import Course
from canasta.kernel.machine import Machine
from canasta.kernel.outlook import Ahead, Outlook
from canasta.kernel.state import NOBODY, Part, Stack, State
from canasta.language.intervals import FAR, OPEN, Bag, Many, Range
from canasta.language.ruleset import Owner
from canasta.language.types import BAG, BOOL, INT


class Taken(Outlook):
    """The outlook of a player who would take a top card: it is off its stack, and whatever is held may be laid by and by."""

    def __init__(self, machine: Machine, state: State, stack: int, top: int) -> None:
        """Take the stack by the number of its zone, and its top card."""
        super().__init__(machine, state)
        self._stack, self._top = stack, top
        self._any = AnyGroup(machine.deck.full())
        self._own = frozenset(machine.own_zones(state))

    def bag(self, index: int, content: Any, owner: int) -> Bag:  # noqa: ANN401 - a stack or a bag
        """Show the hand as what may be left of it, and the stack without the card that is taken."""
        exact = Outlook.bag(self, index, content, owner)
        if index == self.machine.hand and owner == self.state.seat:
            return Bag(self.machine.deck.empty(), exact.high, 0, exact.size_high)
        if index != self._stack or owner not in (NOBODY, self._whose(index)):
            return exact
        below = content.cards[-2] if isinstance(content, Stack) and len(content.cards) > 1 else NOBODY
        low, high = list(exact.low), list(exact.high)
        low[self._top], high[self._top] = low[self._top] - 1, high[self._top] - 1
        return Bag(low, high, exact.size_low - 1, exact.size_high - 1, below)

    def _whose(self, index: int) -> int:
        seat = self.state.seat
        return seat if self.machine.zones[index].of is Owner.SEAT else self.state.side_of[seat]

    def groups(self, index: int, owner: int) -> Many:
        """Leave open what groups the acting seat will have."""
        return Many([], FAR) if (index, owner) in self._own else Outlook.groups(self, index, owner)

    def group_of(self, part: Part) -> "Lying | AnyGroup":  # noqa: ARG002 - any
        """Leave open what the group of a part will be."""
        return self._any

    def any_group(self) -> AnyGroup:
        """Show the group that the card is laid to."""
        return self._any

    def laid(self) -> Bag:
        """Show what the play has laid, with the card and all that may still come."""
        hand = self.state.zone(self.machine.hand)[self.state.seat][:]
        hand[self._top] += 1
        return raised(self.state.laid, hand, sum(hand))

    def parts(self) -> Many:
        """Show the parts of the turn, with those that may still be laid."""
        return Many(self.state.parts, FAR)

    def possible(self, act: str, onto: bool) -> Range:  # noqa: ARG002, FBT001 - called by generated code by place
        """Leave open what may become possible."""
        return OPEN


class Disturbed(Ahead):
    """The outlook of a player in mid-play who may also do what is no part: what that may change is open."""

    exact = False

    def __init__(self, machine: Machine, state: State, course: Course) -> None:
        """Take what may come, with the zones and variables that may change by it."""
        super().__init__(machine, state, course.unites)
        rules, written = machine.ruleset, course.written
        self._loose = {rules.zones[name].index for name in written if name in rules.zones}
        kinds = {rules.state[name].index: rules.state[name].type for name in written if name in rules.state}
        values = {BOOL: OPEN, INT: (-FAR, FAR), BAG: self._any_bag()}
        self._open: dict[int, Any] = {index: values.get(kind) for index, kind in kinds.items()}

    def zone(self, index: int, owner: int | None) -> Bag | Many:
        """Show a zone within bounds; one that may change holds whatever it may."""
        return self._any_bag() if index in self._loose else super().zone(index, owner)

    def variable(self, index: int, owner: int | None, numeric: bool) -> Any:  # noqa: ANN401, FBT001 - called by generated code by place
        """Show a variable: within bounds if it is a number, else known or not."""
        return self._open[index] if index in self._open else super().variable(index, owner, numeric)
