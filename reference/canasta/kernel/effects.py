"""Carrying out effect statements: moving cards, setting variables, passing the turn, ending the deal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from canasta.kernel.cards import listed
from canasta.kernel.machine import Doing, Machine
from canasta.kernel.state import NOBODY, Context, Group, Stack, State
from canasta.language.ruleset import Lasts, Owner
from canasta.language.types import BAG, Place, Statement, StatementOp

MOST_ROUNDS = 1000


class EndlessDutyError(RuntimeError):
    """A duty that would never end: its condition still holds after a thousand rounds."""


@dataclass(slots=True)
class Effects:
    """Carries out the effects and duties of one machine; it changes the state it is given, which must be a copy."""

    machine: Machine

    def run(self, name: str, state: State, context: Context, seat: int) -> None:
        """Carry out everything that stands on an act: its effects in order, then its duties."""
        side = state.side_of[seat] if seat >= 0 else NOBODY
        doings = self.machine.effects[name]
        due = [d for d in doings if d.when is None or d.when(state, context, seat, side)]
        for doing in due:
            if not self._all(doing, state, context, seat, side):
                return
        for duty in self.machine.duties[name]:
            if not self._duty(duty, state, context, seat):
                return

    def _all(self, doing: Doing, state: State, context: Context, seat: int, side: int) -> bool:
        walk = _Walk(self, state, context, seat, side, {})
        return all(walk.do(statement) for statement in doing.do)

    def _duty(self, duty: Doing, state: State, context: Context, seat: int) -> bool:
        seats = len(state.side_of)
        concerned = [(state.dealer + 1 + i) % seats for i in range(seats)] if duty.each_seat else [seat]
        for one in concerned:
            side = state.side_of[one] if one >= 0 else NOBODY
            for _ in range(MOST_ROUNDS):
                if duty.when is not None and not duty.when(state, context, one, side):
                    break
                if not self._all(duty, state, context, one, side):
                    return False
            else:
                raise EndlessDutyError(duty.clause)
        return True

    def reset(self, state: State, lasts: Lasts) -> None:
        """Give the variables of one lifetime their starting values."""
        for variable in self.machine.ruleset.state.values():
            if variable.lasts is lasts:
                setattr(state, f"v{variable.index}", self.fresh(variable.of, variable.start, bag=variable.type == BAG))

    def fresh(self, of: Owner, start: int, *, bag: bool) -> Any:  # noqa: ANN401 - a variable holds a number, a bag, or a list
        """Make the starting value of a variable."""
        number = {Owner.SEAT: self.machine.ruleset.table.seats, Owner.SIDE: len(self.machine.ruleset.table.sides)}.get(
            of, 0
        )
        if of is Owner.TABLE:
            return self.machine.deck.empty() if bag else start
        return [self.machine.deck.empty() if bag else start for _ in range(number)]

    def begin_turn(self, state: State, seat: int) -> None:
        """Pass the turn to a seat: the first phase, fresh turn variables, then what stands on ``turn``."""
        state.turn_no += 1
        state.seat = state.turn_seat = seat
        state.phase = 0
        state.parts = []
        state.stage = 0
        self.clear_play(state)
        self.reset(state, Lasts.TURN)
        self.run("turn", state, Context(), seat)

    def clear_play(self, state: State) -> None:
        """Forget what was laid in the play that has just been settled."""
        state.laid = self.machine.deck.empty()
        state.draft = 0
        state.base = None


@dataclass(slots=True)
class _Walk:
    """Carries out the statements of one clause; each answers whether the deal goes on."""

    effects: Effects
    state: State
    context: Context
    seat: int
    side: int
    bound: dict[str, Any]

    def do(self, statement: Statement) -> bool:
        """Carry out one statement."""
        match statement.op:
            case StatementOp.MOVE:
                source, target = (self.content(p) for p in statement.places)
                self._move(min(self.value(statement, 0), len(source.cards)), source, target)
            case StatementOp.MOVE_ALL | StatementOp.MOVE_WHERE:
                self._move_all(statement)
            case StatementOp.MOVE_CARD:
                take(self.content(statement.places[0]), self.context.card)
                put(self.content(statement.places[1]), self.context.card)
            case StatementOp.DEAL:
                self._deal(statement)
            case StatementOp.SET:
                self._set(statement.places[0], self.value(statement, 0))
            case StatementOp.SET_MARK:
                self._mark(statement)
            case StatementOp.PHASE:
                self.state.phase = self.effects.machine.ruleset.phases[statement.name].index
            case StatementOp.TURN:
                self.effects.begin_turn(self.state, self.value(statement, 0))
            case StatementOp.ACT:
                self.state.seat = self.value(statement, 0)
                self.state.phase = self.effects.machine.ruleset.phases[statement.name].index
            case StatementOp.MERGE:
                self._merge(self.value(statement, 0), self.value(statement, 1))
            case StatementOp.END:
                self.state.over, self.state.reason = True, statement.name
            case StatementOp.EACH:
                return self._each(statement)
            case StatementOp.WHEN:
                return self.do(statement.body) if statement.body and self.value(statement, 0) else not self.state.over
        return not self.state.over

    def value(self, statement: Statement, which: int) -> Any:  # noqa: ANN401 - whatever the expression gives
        """Evaluate an expression of a statement."""
        return self._evaluate(statement.exprs[which])

    def _evaluate(self, expr: Any) -> Any:  # noqa: ANN401 - as above
        function = self.effects.machine.backend.function(expr)
        if self.bound:
            self.context.bound = self.bound
        return function(self.state, self.context, self.seat, self.side)

    def content(self, place: Place) -> Any:  # noqa: ANN401 - a stack or a bag
        """Find the content of a zone."""
        zone = self.effects.machine.ruleset.zones[place.name]
        content = self.state.zone(zone.index)
        return content if zone.of is Owner.TABLE else content[self.owner(place, zone.of)]

    def owner(self, place: Place, of: Owner) -> int:
        """Find whose a place is: stated, or the acting player's."""
        if place.owner is not None:
            found: int = self._evaluate(place.owner)
            return found
        return self.seat if of is Owner.SEAT else self.side

    def _move(self, number: int, source: Stack, target: Any) -> None:  # noqa: ANN401 - a stack or a bag
        for _ in range(number):
            put(target, source.pop())

    def _move_all(self, statement: Statement) -> None:
        source, target = (self.content(p) for p in statement.places)
        keep = self._kinds(statement)
        cards = source.cards[:] if isinstance(source, Stack) else listed(source)
        for card in cards:
            if keep is None or keep[card]:
                take(source, card)
                put(target, card)

    def _kinds(self, statement: Statement) -> list[bool] | None:
        if statement.op is StatementOp.MOVE_ALL:
            return None
        return self.effects.machine.kinds_where(statement)

    def _deal(self, statement: Statement) -> None:
        zone = self.effects.machine.ruleset.zones[statement.places[1].name]
        source, hands = self.content(statement.places[0]), self.state.zone(zone.index)
        seats = len(self.state.side_of)
        for _ in range(self.value(statement, 0)):
            for i in range(seats):
                if source.cards:
                    put(hands[(self.state.dealer + 1 + i) % seats], source.pop())

    def _set(self, place: Place, value: Any) -> None:  # noqa: ANN401 - a number or a bag
        variable = self.effects.machine.ruleset.state[place.name]
        value = value.counts if isinstance(value, Stack) else value
        value = value[:] if isinstance(value, list) else int(value)
        if variable.of is Owner.TABLE:
            setattr(self.state, f"v{variable.index}", value)
        else:
            self.state.variable(variable.index)[self.owner(place, variable.of)] = value

    def _mark(self, statement: Statement) -> None:
        group: Group = self.value(statement, 0)
        mark = self.effects.machine.ruleset.marks.index(statement.name)
        twin = group.copy()
        twin.marks = (
            tuple(sorted({*group.marks, mark}))
            if self.value(statement, 1)
            else tuple(m for m in group.marks if m != mark)
        )
        for groups in every_groups(self.effects.machine, self.state):
            groups[:] = [twin if g is group else g for g in groups]

    def _merge(self, gone: int, into: int) -> None:
        if gone == into:
            return
        rules = self.effects.machine.ruleset
        self.state.side_of = [into if s == gone else s for s in self.state.side_of]
        self.state.sides = [s for s in self.state.sides if s != gone]
        for zone in rules.zones.values():
            if zone.of is Owner.SIDE:
                content = self.state.zone(zone.index)
                pour(content[gone], content[into])
        for variable in rules.state.values():
            if variable.of is Owner.SIDE and variable.type.name == "bool":
                values = self.state.variable(variable.index)
                values[into] = int(values[into] or values[gone])

    def _each(self, statement: Statement) -> bool:
        body = statement.body
        if body is None:
            return True
        for item in list(self.value(statement, 0)):
            self.bound[statement.name] = item
            if not self.do(body):
                return False
        return True


def every_groups(machine: Machine, state: State) -> Iterator[list[Group]]:
    """Go through the lists of groups on the table."""
    for zone in machine.ruleset.zones.values():
        if zone.form.value == "groups":
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


def pour(source: Any, target: Any) -> None:  # noqa: ANN401 - a stack, a bag or a list of groups
    """Put everything from one place into another of the same form."""
    if isinstance(source, Stack):
        for card in source.cards:
            target.push(card)
        source.cards.clear()
        source.counts[:] = [0] * len(source.counts)
    elif source and isinstance(source[0], Group):
        target.extend(source)
        source.clear()
    elif not (target and isinstance(target[0], Group)):
        for i, n in enumerate(source):
            target[i] += n
            source[i] = 0
