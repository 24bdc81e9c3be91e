"""Carrying out effect statements: moving cards, setting variables, passing the turn, ending the deal."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from canasta.diagnostics import DiagnosedError, Diagnostic
from canasta.kernel.cards import listed
from canasta.kernel.machine import Doing, Machine
from canasta.kernel.ready import Ready
from canasta.kernel.state import NOBODY, Context, Group, Stack, State
from canasta.kernel.statement_code import Runner, Writer
from canasta.language.ruleset import Form, Lasts, Owner, Ruleset
from canasta.language.types import BAG, BOOL, INT

LARGEST_NUMBER = 10**12
"""Beyond any score or count of any game."""
MOST_ROUNDS = 1000


MOST_STEPS = 20_000
MOST_TURNS_IN_ONE = 50
"""So many turns that pass without anybody acting mean that the turn would be passed on for ever."""


class RunawayError(DiagnosedError):
    """Rules that would never come to an end while nobody acts: a duty that stays due, a turn that is always passed on."""


NONE_LEFT: Final[frozenset[str]] = frozenset()


class Effects:
    """Carries out the effects and duties of one machine; it changes the state it is given, which must be a copy."""

    def __init__(self, machine: Machine) -> None:
        """Know what stands on each act; it is made ready when it is first carried out."""
        self.machine = machine
        self._depth = 0
        self._steps = 0
        writer = Writer(machine)
        writer.reset("begin", Lasts.TURN)
        self._reset_turn = writer.made("begin", HELPERS)
        self._runners = Ready[str, Runner](lambda name: self._made(machine.effects[name], machine.duties[name]))
        self._single: dict[tuple[str, ...], Runner] = {}

    def count_round(self, rounds: int, clause: str) -> None:
        """Count a round of a duty.

        Raises:
            RunawayError: RS4018 when it is still due after a thousand rounds.
        """
        if rounds > MOST_ROUNDS:
            message = f"the duty {clause} is still due after {MOST_ROUNDS} rounds"
            hint = "its statements must bring about that its `when` no longer holds"
            raise RunawayError([Diagnostic("RS4018", message, hint=hint, clause=clause)])

    def count_step(self) -> None:
        """Count one round of a repetition.

        Raises:
            RunawayError: RS4020 when one act takes more rounds than any game could need.
        """
        self._steps += 1
        if self._steps > MOST_STEPS:
            message = f"the effects of one act go through more than {MOST_STEPS} rounds"
            raise RunawayError([Diagnostic("RS4020", message, hint="look at `each` within `each`")])

    def run(self, name: str, state: State, context: Context, seat: int, leave: frozenset[str] = frozenset()) -> None:
        """Carry out everything that stands on an act: its effects in order, then its duties.

        The clauses in ``leave`` are duties that the table left undone; what they say does not happen.
        """
        if not self._depth:
            self._steps = 0
        side = state.side_of[seat] if seat >= 0 else NOBODY
        self._runners[name](state, context, seat, side, leave, self)

    def only(self, clause: str, name: str, state: State, context: Context, seat: int) -> None:
        """Carry out what one clause says of an act, and nothing else; whether it would apply is not asked."""
        doings = [replace(d, when_expr=None) for d in self.machine.effects[name] if d.clause == clause]
        self._alone(("only", clause, name), doings, ())(state, context, seat, state.side_of[seat], NONE_LEFT, self)

    def duties(self, name: str, state: State, context: Context, seat: int, leave: frozenset[str] = frozenset()) -> None:
        """Carry out only the duties that stand on an act, as far as they are due and not left undone."""
        side = state.side_of[seat] if seat >= 0 else NOBODY
        self._alone(("duties", name), (), self.machine.duties[name])(state, context, seat, side, leave, self)

    def _alone(self, key: tuple[str, ...], effects: Sequence[Doing], duties: Sequence[Doing]) -> Runner:
        """Make some of what stands on an act ready to be carried out by itself."""
        if key not in self._single:
            self._single[key] = self._made(effects, duties)
        return self._single[key]

    def _made(self, effects: Sequence[Doing], duties: Sequence[Doing]) -> Runner:
        writer = Writer(self.machine)
        writer.doings("alone", effects, duties)
        return writer.made("alone", HELPERS)

    def mark(self, state: State, group: Group, mark: int, value: object) -> None:
        """Put a mark on a group that lies, or take it off."""
        twin = group.copy()
        twin.marks = tuple(sorted({*group.marks, mark} if value else {*group.marks} - {mark}))
        for groups in every_groups(self.machine, state):
            groups[:] = [twin if g.gid == group.gid else g for g in groups]

    def merge(self, state: State, gone: int, into: int) -> None:
        """Make two sides one, unless they are."""
        if gone != into:
            merge_sides(self.machine.ruleset, state, gone, into)

    def fresh(self, of: Owner, start: int, *, bag: bool) -> Any:  # noqa: ANN401 - a variable holds a number, a bag, or a list
        """Make the starting value of a variable."""
        table = self.machine.ruleset.table
        if of is Owner.TABLE:
            return self.machine.deck.empty() if bag else start
        number = table.seats if of is Owner.SEAT else len(table.sides)
        return [self.machine.deck.empty() if bag else start for _ in range(number)]

    def begin_turn(self, state: State, seat: int) -> None:
        """Pass the turn to a seat: the first phase, fresh turn variables, then what stands on ``turn``."""
        if self._depth >= MOST_TURNS_IN_ONE:
            message = "the turn is passed on again and again while nobody acts"
            raise RunawayError(
                [Diagnostic("RS4019", message, hint="an effect on `turn` may pass it on only now and then")]
            )
        self._depth += 1
        try:
            self._begin_turn(state, seat)
        finally:
            self._depth -= 1

    def _begin_turn(self, state: State, seat: int) -> None:
        state.turn_no += 1
        state.seat = state.turn_seat = seat
        state.phase = 0
        state.parts = []
        state.stage = 0
        self.clear_play(state)
        self._reset_turn(state, None, seat, NOBODY, NONE_LEFT, self)
        self.run("turn", state, Context(), seat)

    def clear_play(self, state: State) -> None:
        """Forget what was laid in the play that has just been settled."""
        state.laid = self.machine.deck.empty()
        state.draft = 0
        state.base = None


def bounded(number: int) -> int:
    """Give a number back if it is one that a game can need.

    Raises:
        RunawayError: RS4020 when it is beyond a million millions.
    """
    if abs(number) > LARGEST_NUMBER:
        message = "a variable would be set to a number beyond a million millions"
        raise RunawayError(
            [Diagnostic("RS4020", message, hint="no score of any game is as large; look at the `set` statements")]
        )
    return number


def round_from(after: tuple[int, ...], first: int) -> list[int]:
    """List the seats that play in order of play, from the first."""
    order = [first]
    while after[order[-1]] != first:
        order.append(after[order[-1]])
    return order


def merge_sides(rules: Ruleset, state: State, gone: int, into: int) -> None:
    """Make two sides one: zones are put together, truths hold if either held, numbers and bags are added up.

    The account is left alone: each side's score of former deals stays its own.
    """
    state.side_of = [into if s == gone else s for s in state.side_of]
    state.sides = [s for s in state.sides if s != gone]
    for zone in rules.zones.values():
        if zone.of is Owner.SIDE:
            content = state.zone(zone.index)
            pour(content[gone], content[into])
    for variable in rules.state.values():
        if variable.of is Owner.SIDE and variable.name != rules.table.account:
            values = state.variable(variable.index)
            if variable.type == BAG:
                pour(values[gone], values[into])
            elif variable.type == BOOL:
                values[into] = int(values[into] or values[gone])
            elif variable.type == INT:
                values[into] += values[gone] - variable.start


def every_groups(machine: Machine, state: State) -> Iterator[list[Group]]:
    """Go through the lists of groups on the table."""
    for zone in machine.ruleset.zones.values():
        if zone.form is Form.GROUPS:
            content = state.zone(zone.index)
            yield from ([content] if zone.of is Owner.TABLE else content)


def take(place: Any, card: int) -> None:  # noqa: ANN401 - a stack or a bag
    """Take one card out of a stack or bag; where it is not known to be, an unknown card turns out to be it."""
    unknown = -1
    if isinstance(place, Stack):
        at = len(place.cards) - 1 - place.cards[::-1].index(card)
        place.counts[place.cards.pop(at)] -= 1
    elif place[card]:
        place[card] -= 1
    else:
        place[unknown] -= 1


def put(place: Any, card: int) -> None:  # noqa: ANN401 - a stack or a bag
    """Put one card on a stack or into a bag."""
    if isinstance(place, Stack):
        place.push(card)
    else:
        place[card] += 1


def move_all(here: Any, there: Any, kinds: tuple[bool, ...] | None) -> None:  # noqa: ANN401 - stacks or bags
    """Put all cards of one place into another, or those of certain kinds."""
    if kinds is None and isinstance(here, Stack) and here is not there:
        for card in here.empty():
            put(there, card)
        return
    for card in here.cards[:] if isinstance(here, Stack) else listed(here):
        if kinds is None or kinds[card]:
            take(here, card)
            put(there, card)


def deal(state: State, number: int, stack: Stack, hands: list[Any]) -> None:
    """Deal so many cards to each seat that plays, one at a time, as far as there are any."""
    order = round_from(state.after, state.after[state.dealer])
    for _ in range(number):
        if not stack.cards:
            break
        for one in order[: len(stack.cards)]:
            put(hands[one], stack.pop())


def bag_of(content: Any) -> list[int]:  # noqa: ANN401 - a stack or a bag
    """Copy the counts of a bag or stack."""
    counts: list[int] = content.counts if isinstance(content, Stack) else content
    return counts[:]


def pour(source: Any, target: Any) -> None:  # noqa: ANN401 - a stack, a bag or a list of groups
    """Put everything from one place into another of the same form; a bag is never empty of counts, a list of groups may be."""
    if isinstance(source, Stack):
        for card in source.empty():
            target.push(card)
    elif not source or isinstance(source[0], Group):
        target.extend(source)
        source.clear()
    else:
        for i, n in enumerate(source):
            target[i] += n
            source[i] = 0


HELPERS: Final[dict[str, Any]] = {
    "take": take, "move_all": move_all, "deal": deal, "bag_of": bag_of, "bounded": bounded, "round_from": round_from,
    "int": int, "bool": bool, "min": min, "list": list,
}  # fmt: skip
"""What the functions made of statements call."""
