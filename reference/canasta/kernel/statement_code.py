"""From effect statements to Python functions: one for everything that stands on an act, written from the statements themselves.

Values come from the backend, as text: the compiler writes them out, the evaluator is called. No text of a rule file enters the
generated source: names are numbers, constants are passed in.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from canasta.kernel.machine import Doing, Machine
from canasta.kernel.state import State
from canasta.language.ruleset import Form, Lasts, Owner
from canasta.language.types import BAG, BOOL, Expr, Op, Place, Statement, StatementOp

if TYPE_CHECKING:
    from canasta.kernel.effects import Effects

Runner = Callable[["State", Any, int, int, frozenset[str], "Effects"], bool]
"""Carries out everything that stands on an act, for a seat and its side, but for the duties that were left undone.

Answers whether the deal goes on.
"""

NEVER: Final = ("0", "False")
ALWAYS: Final = ("1", "True")
"""How a compiler writes a condition that is settled before play."""


class Writer:
    """Writes the functions of one machine."""

    def __init__(self, machine: Machine) -> None:
        """Begin with nothing written."""
        self.machine = machine
        self._lines: list[str] = []
        self._last = 0
        self._indent = 1

    def doings(self, name: str, effects: Iterable[Doing], duties: Iterable[Doing]) -> None:
        """Write one function for the effects that stand on an act, in order, and the duties after them.

        Whether an effect is due is asked before any is carried out.
        """
        self._function(name)
        due: list[tuple[str, Doing]] = []
        for doing in effects:
            condition = "1" if doing.when_expr is None else self._value(doing.when_expr)
            if condition not in NEVER:
                due.append((condition if condition in ALWAYS else self._assigned(f"bool({condition})"), doing))
        for condition, doing in due:
            self._line(f"if {condition}:")
            self._indent += 1
            for statement in doing.do:
                self._statement(statement)
            self._indent -= 1
        for duty in duties:
            self._duty(duty)
        self._line("return True")

    def reset(self, name: str, lasts: Lasts) -> None:
        """Write a function that gives the variables of one lifetime their starting values."""
        self._function(name)
        for variable in self.machine.ruleset.state.values():
            if variable.lasts is lasts:
                start = f"[0] * {self.machine.deck.size + 1}" if variable.type == BAG else str(variable.start)
                if variable.of is not Owner.TABLE:
                    table = self.machine.ruleset.table
                    number = table.seats if variable.of is Owner.SEAT else len(table.sides)
                    start = (
                        f"[{start} for _ in range({number})]"
                        if variable.type == BAG
                        else f"[{', '.join([start] * number)}]"
                    )
                self._line(f"S.v{variable.index} = {start}")
        self._line("return True")

    def made(self, name: str, helpers: dict[str, Any]) -> Runner:
        """Make the function that has been written by this name."""
        made: Runner = self.machine.backend.executed("".join(self._lines), helpers)[name]
        return made

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _function(self, name: str) -> None:
        self._indent = 0
        self._line(f"def {name}(S, X, seat, side, leave, E):")
        self._indent = 1

    def _line(self, text: str) -> None:
        self._lines.append(f"{'    ' * self._indent}{text}\n")

    def _fresh(self) -> str:
        self._last += 1
        return f"t{self._last}"

    def _assigned(self, text: str) -> str:
        name = self._fresh()
        self._line(f"{name} = {text}")
        return name

    def _value(self, expr: Expr) -> str:
        return self.machine.backend.text(expr)

    def _fixed(self, value: Any) -> str:  # noqa: ANN401 - a constant of any sort
        return self.machine.backend.fixed(value)

    # -- places --------------------------------------------------------------------------------------------------------

    def _content(self, place: Place) -> str:
        zone = self.machine.ruleset.zones[place.name]
        return f"S.z{zone.index}{self._owner(place, zone.of)}"

    def _owner(self, place: Place, of: Owner) -> str:
        if of is Owner.TABLE:
            return ""
        if place.owner is not None:
            return f"[{self._value(place.owner)}]"
        return "[seat]" if of is Owner.SEAT else "[side]"

    def _is_stack(self, place: Place) -> bool:
        return self.machine.ruleset.zones[place.name].form is Form.STACK

    def _put(self, place: Place, there: str, card: str) -> None:
        if self._is_stack(place):
            self._line(f"{there}.cards.append({card})")
            self._line(f"{there}.counts[{card}] += 1")
        else:
            self._line(f"{there}[{card}] += 1")

    # -- duties --------------------------------------------------------------------------------------------------------

    def _duty(self, duty: Doing) -> None:
        self._line(f"if not leave or {self._fixed(duty.clause)} not in leave:")
        self._indent += 1
        if duty.each_seat:
            mine, whose = self._assigned("seat"), self._assigned("side")
            self._line("for seat in round_from(S.after, S.after[S.dealer]):")
            self._indent += 1
            self._line("side = S.side_of[seat]")
            self._repeated(duty)
            self._indent -= 1
            self._line(f"seat, side = {mine}, {whose}")
        else:
            self._repeated(duty)
        self._indent -= 1

    def _repeated(self, duty: Doing) -> None:
        """Write what is done again and again until it is no longer due."""
        rounds = self._assigned("0")
        self._line(f"while {'True' if duty.when_expr is None else self._value(duty.when_expr)}:")
        self._indent += 1
        self._line(f"{rounds} += 1")
        self._line(f"E.count_round({rounds}, {self._fixed(duty.clause)})")
        for statement in duty.do:
            self._statement(statement)
        self._indent -= 1

    # -- statements ----------------------------------------------------------------------------------------------------

    def _statement(self, statement: Statement) -> None:
        writers: dict[StatementOp, Callable[[Statement], None]] = {
            StatementOp.MOVE: self._move, StatementOp.MOVE_ALL: self._move_all, StatementOp.MOVE_WHERE: self._move_all,
            StatementOp.MOVE_CARD: self._move_card, StatementOp.DEAL: self._deal, StatementOp.SET: self._set,
            StatementOp.SET_MARK: self._mark, StatementOp.PHASE: self._phase, StatementOp.TURN: self._turn,
            StatementOp.ACT: self._act, StatementOp.MERGE: self._merge, StatementOp.END: self._end,
            StatementOp.EACH: self._each, StatementOp.WHEN: self._when,
        }  # fmt: skip
        writers[statement.op](statement)

    def _move(self, statement: Statement) -> None:
        number, (source, target) = statement.exprs[0], statement.places
        there, here = self._assigned(self._content(target)), self._assigned(self._content(source))
        if number.op is Op.CONST and number.value == 1:
            self._line(f"if {here}.cards:")
        else:
            self._line(f"for _ in range(min({self._value(number)}, len({here}.cards))):")
        self._indent += 1
        card = self._assigned(f"{here}.cards.pop({'0' if statement.name == 'bottom' else ''})")
        self._line(f"{here}.counts[{card}] -= 1")
        self._put(target, there, card)
        self._indent -= 1

    def _move_all(self, statement: Statement) -> None:
        source, target = statement.places
        kinds = None if statement.op is StatementOp.MOVE_ALL else tuple(self.machine.kinds_where(statement))
        self._line(f"move_all({self._content(source)}, {self._content(target)}, {self._fixed(kinds)})")

    def _move_card(self, statement: Statement) -> None:
        source, target = statement.places
        self._line(f"take({self._content(source)}, X.card)")
        self._put(target, self._assigned(self._content(target)), "X.card")

    def _deal(self, statement: Statement) -> None:
        zone = self.machine.ruleset.zones[statement.places[1].name]
        number, source = self._value(statement.exprs[0]), self._content(statement.places[0])
        self._line(f"deal(S, {number}, {source}, S.z{zone.index})")

    def _set(self, statement: Statement) -> None:
        place, value = statement.places[0], statement.exprs[0]
        variable = self.machine.ruleset.state[place.name]
        text = self._value(value)
        if variable.type == BAG:
            text = f"bag_of({text})"
        elif value.op is not Op.CONST:
            text = f"int({text})" if variable.type == BOOL else f"bounded(int({text}))"
        self._line(f"S.v{variable.index}{self._owner(place, variable.of)} = {text}")

    def _mark(self, statement: Statement) -> None:
        of, value = (self._value(e) for e in statement.exprs)
        self._line(f"E.mark(S, {of}, {self.machine.ruleset.marks.index(statement.name)}, {value})")

    def _phase(self, statement: Statement) -> None:
        self._line(f"S.phase = {self.machine.ruleset.phases[statement.name].index}")

    def _turn(self, statement: Statement) -> None:
        self._line(f"E.begin_turn(S, {self._value(statement.exprs[0])})")
        self._line("if S.over:")
        self._line("    return False")

    def _act(self, statement: Statement) -> None:
        self._line(f"S.seat = {self._value(statement.exprs[0])}")
        self._phase(statement)

    def _merge(self, statement: Statement) -> None:
        gone, into = (self._value(e) for e in statement.exprs)
        self._line(f"E.merge(S, {gone}, {into})")

    def _end(self, statement: Statement) -> None:
        self._line(f"S.over, S.reason = True, {self._fixed(statement.name)}")
        self._line("return False")

    def _when(self, statement: Statement) -> None:
        self._line(f"if {self._value(statement.exprs[0])}:")
        self._body(statement)

    def _each(self, statement: Statement) -> None:
        outer, member = self._assigned("X.bound"), self._fresh()
        self._line("try:")
        self._indent += 1
        self._line(f"for {member} in list({self._value(statement.exprs[0])}):")
        self._indent += 1
        self._line("E.count_step()")
        self._line(f"X.bound = {{**{outer}, {self._fixed(statement.name)}: {member}}}")
        self._indent -= 1
        self._body(statement)
        self._indent -= 1
        self._line("finally:")
        self._line(f"    X.bound = {outer}")

    def _body(self, statement: Statement) -> None:
        self._indent += 1
        if statement.body is None:
            self._line("pass")
        else:
            self._statement(statement.body)
        self._indent -= 1
