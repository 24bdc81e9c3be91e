"""Carrying out effect statements: moving cards, setting variables, passing the turn, ending the deal."""

from collections.abc import Callable, Iterator
from typing import Any

from canasta.diagnostics import DiagnosedError, Diagnostic
from canasta.kernel.cards import listed
from canasta.kernel.machine import Doing, Machine
from canasta.kernel.state import NOBODY, Context, Group, Stack, State
from canasta.language.ruleset import Form, Lasts, Owner, Ruleset
from canasta.language.types import BAG, BOOL, INT, Expr, Place, Statement, StatementOp

LARGEST_NUMBER = 10**12
"""Beyond any score or count of any game."""
MOST_ROUNDS = 1000


MOST_STEPS = 20_000
MOST_TURNS_IN_ONE = 50
"""So many turns that pass without anybody acting mean that the turn would be passed on for ever."""


class RunawayError(DiagnosedError):
    """Rules that would never come to an end while nobody acts: a duty that stays due, a turn that is always passed on."""


Action = Callable[[State, Context, int, int], bool]
"""Carries out one statement for a seat and its side; answers whether the deal goes on."""

Reader = Callable[[State, Context, int, int], Any]
"""Finds a value, or the content of a place."""


class Effects:
    """Carries out the effects and duties of one machine; it changes the state it is given, which must be a copy."""

    def __init__(self, machine: Machine) -> None:
        """Make every statement ready to be carried out."""
        self.machine = machine
        self._actions: dict[str, tuple[tuple[Doing, tuple[Action, ...]], ...]] = {}
        self._duties: dict[str, tuple[tuple[Doing, tuple[Action, ...]], ...]] = {}
        self._depth = 0
        self._steps = 0
        self._lasting: dict[Lasts, list[tuple[str, Owner, int, bool]]] = {}
        for variable in self.machine.ruleset.state.values():
            fact = (f"v{variable.index}", variable.of, variable.start, variable.type == BAG)
            self._lasting.setdefault(variable.lasts, []).append(fact)
        maker = _Maker(self)
        for name, doings in self.machine.effects.items():
            self._actions[name] = tuple((d, tuple(maker.action(s) for s in d.do)) for d in doings)
        for name, doings in self.machine.duties.items():
            self._duties[name] = tuple((d, tuple(maker.action(s) for s in d.do)) for d in doings)

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
        due = [
            actions
            for doing, actions in self._actions[name]
            if doing.when is None or doing.when(state, context, seat, side)
        ]
        for actions in due:
            for action in actions:
                if not action(state, context, seat, side):
                    return
        self.duties(name, state, context, seat, leave)

    def only(self, clause: str, name: str, state: State, context: Context, seat: int) -> None:
        """Carry out what one clause says of an act, and nothing else; whether it would apply is not asked."""
        for doing, actions in self._actions[name]:
            if doing.clause == clause:
                for action in actions:
                    action(state, context, seat, state.side_of[seat])

    def duties(self, name: str, state: State, context: Context, seat: int, leave: frozenset[str] = frozenset()) -> None:
        """Carry out only the duties that stand on an act, as far as they are due and not left undone."""
        for duty, actions in self._duties[name]:
            if duty.clause not in leave and not self._duty(duty, actions, state, context, seat):
                return

    def _duty(self, duty: Doing, actions: tuple[Action, ...], state: State, context: Context, seat: int) -> bool:
        concerned = round_from(state.after, state.after[state.dealer]) if duty.each_seat else [seat]
        for one in concerned:
            side = state.side_of[one] if one >= 0 else NOBODY
            for _ in range(MOST_ROUNDS):
                if duty.when is not None and not duty.when(state, context, one, side):
                    break
                for action in actions:
                    if not action(state, context, one, side):
                        return False
            else:
                message = f"the duty {duty.clause} is still due after {MOST_ROUNDS} rounds"
                hint = "its statements must bring about that its `when` no longer holds"
                raise RunawayError([Diagnostic("RS4018", message, hint=hint, clause=duty.clause)])
        return True

    def reset(self, state: State, lasts: Lasts) -> None:
        """Give the variables of one lifetime their starting values."""
        for slot, of, start, bag in self._lasting.get(lasts, ()):
            setattr(state, slot, start if of is Owner.TABLE and not bag else self.fresh(of, start, bag=bag))

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
        self.reset(state, Lasts.TURN)
        self.run("turn", state, Context(), seat)

    def clear_play(self, state: State) -> None:
        """Forget what was laid in the play that has just been settled."""
        state.laid = self.machine.deck.empty()
        state.draft = 0
        state.base = None


class _Maker:
    """Makes statements ready: each becomes a function that carries it out."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects

    def action(self, statement: Statement) -> Action:
        """Make one statement ready."""
        makers: dict[StatementOp, Callable[[Statement], Action]] = {
            StatementOp.MOVE: self._move, StatementOp.MOVE_ALL: self._move_all, StatementOp.MOVE_WHERE: self._move_all,
            StatementOp.MOVE_CARD: self._move_card, StatementOp.DEAL: self._deal, StatementOp.SET: self._set,
            StatementOp.SET_MARK: self._mark, StatementOp.PHASE: self._phase, StatementOp.TURN: self._turn,
            StatementOp.ACT: self._act, StatementOp.MERGE: self._merge, StatementOp.END: self._end,
            StatementOp.EACH: self._each, StatementOp.WHEN: self._when,
        }  # fmt: skip
        return makers[statement.op](statement)

    @property
    def _machine(self) -> Machine:
        return self.effects.machine

    def _value(self, expr: Expr) -> Reader:
        return self._machine.backend.function(expr)

    def _content(self, place: Place) -> Reader:
        zone = self._machine.ruleset.zones[place.name]
        name = f"z{zone.index}"
        if zone.of is Owner.TABLE:
            return lambda state, _context, _seat, _side: getattr(state, name)
        owner = self._owner(place, zone.of)
        return lambda state, context, seat, side: getattr(state, name)[owner(state, context, seat, side)]

    def _owner(self, place: Place, of: Owner) -> Reader:
        if place.owner is not None:
            return self._value(place.owner)
        if of is Owner.SEAT:
            return lambda _state, _context, seat, _side: seat
        return lambda _state, _context, _seat, side: side

    def _move(self, statement: Statement) -> Action:
        number = self._value(statement.exprs[0])
        source, target = self._content(statement.places[0]), self._content(statement.places[1])
        bottom = statement.name == "bottom"

        def move(state: State, context: Context, seat: int, side: int) -> bool:
            place, stack = target(state, context, seat, side), source(state, context, seat, side)
            for _ in range(min(number(state, context, seat, side), len(stack.cards))):
                put(place, stack.draw_bottom() if bottom else stack.pop())
            return True

        return move

    def _move_all(self, statement: Statement) -> Action:
        source, target = self._content(statement.places[0]), self._content(statement.places[1])
        kinds = None if statement.op is StatementOp.MOVE_ALL else self._machine.kinds_where(statement)

        def move_all(state: State, context: Context, seat: int, side: int) -> bool:
            here, there = source(state, context, seat, side), target(state, context, seat, side)
            if kinds is None and isinstance(here, Stack) and here is not there:
                for card in here.empty():
                    put(there, card)
                return True
            for card in here.cards[:] if isinstance(here, Stack) else listed(here):
                if kinds is None or kinds[card]:
                    take(here, card)
                    put(there, card)
            return True

        return move_all

    def _move_card(self, statement: Statement) -> Action:
        source, target = self._content(statement.places[0]), self._content(statement.places[1])

        def move_card(state: State, context: Context, seat: int, side: int) -> bool:
            take(source(state, context, seat, side), context.card)
            put(target(state, context, seat, side), context.card)
            return True

        return move_card

    def _deal(self, statement: Statement) -> Action:
        number, source = self._value(statement.exprs[0]), self._content(statement.places[0])
        name = f"z{self._machine.ruleset.zones[statement.places[1].name].index}"

        def deal(state: State, context: Context, seat: int, side: int) -> bool:
            hands, stack = getattr(state, name), source(state, context, seat, side)
            order = round_from(state.after, state.after[state.dealer])
            for _ in range(number(state, context, seat, side)):
                if not stack.cards:
                    break
                for one in order[: len(stack.cards)]:
                    put(hands[one], stack.pop())
            return True

        return deal

    def _set(self, statement: Statement) -> Action:
        value, place = self._value(statement.exprs[0]), statement.places[0]
        variable = self._machine.ruleset.state[place.name]
        name = f"v{variable.index}"
        owner = None if variable.of is Owner.TABLE else self._owner(place, variable.of)

        bag = variable.type == BAG

        def set_(state: State, context: Context, seat: int, side: int) -> bool:
            found = value(state, context, seat, side)
            found = (found.counts if isinstance(found, Stack) else found)[:] if bag else bounded(int(found))
            if owner is None:
                setattr(state, name, found)
            else:
                getattr(state, name)[owner(state, context, seat, side)] = found
            return True

        return set_

    def _mark(self, statement: Statement) -> Action:
        of, value = (self._value(e) for e in statement.exprs)
        machine, mark = self._machine, self._machine.ruleset.marks.index(statement.name)

        def set_mark(state: State, context: Context, seat: int, side: int) -> bool:
            group: Group = of(state, context, seat, side)
            marked = {*group.marks, mark} if value(state, context, seat, side) else {*group.marks} - {mark}
            twin = group.copy()
            twin.marks = tuple(sorted(marked))
            for groups in every_groups(machine, state):
                groups[:] = [twin if g.gid == group.gid else g for g in groups]
            return True

        return set_mark

    def _phase(self, statement: Statement) -> Action:
        index = self._machine.ruleset.phases[statement.name].index

        def phase(state: State, _context: Context, _seat: int, _side: int) -> bool:
            state.phase = index
            return True

        return phase

    def _turn(self, statement: Statement) -> Action:
        to = self._value(statement.exprs[0])

        def turn(state: State, context: Context, seat: int, side: int) -> bool:
            self.effects.begin_turn(state, to(state, context, seat, side))
            return not state.over

        return turn

    def _act(self, statement: Statement) -> Action:
        who, index = self._value(statement.exprs[0]), self._machine.ruleset.phases[statement.name].index

        def act(state: State, context: Context, seat: int, side: int) -> bool:
            state.seat, state.phase = who(state, context, seat, side), index
            return True

        return act

    def _end(self, statement: Statement) -> Action:
        def end(state: State, _context: Context, _seat: int, _side: int) -> bool:
            state.over, state.reason = True, statement.name
            return False

        return end

    def _when(self, statement: Statement) -> Action:
        condition = self._value(statement.exprs[0])
        body = self.action(statement.body) if statement.body is not None else _nothing

        def when(state: State, context: Context, seat: int, side: int) -> bool:
            return body(state, context, seat, side) if condition(state, context, seat, side) else True

        return when

    def _each(self, statement: Statement) -> Action:
        members = self._value(statement.exprs[0])
        body = self.action(statement.body) if statement.body is not None else _nothing

        def each(state: State, context: Context, seat: int, side: int) -> bool:
            outer = context.bound
            try:
                for member in list(members(state, context, seat, side)):
                    self.effects.count_step()
                    context.bound = {**outer, statement.name: member}
                    if not body(state, context, seat, side):
                        return False
            finally:
                context.bound = outer
            return True

        return each

    def _merge(self, statement: Statement) -> Action:
        gone, into = (self._value(e) for e in statement.exprs)
        rules = self._machine.ruleset

        def merge(state: State, context: Context, seat: int, side: int) -> bool:
            a, b = gone(state, context, seat, side), into(state, context, seat, side)
            if a != b:
                merge_sides(rules, state, a, b)
            return True

        return merge


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


def _nothing(_state: State, _context: Context, _seat: int, _side: int) -> bool:
    return True


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
