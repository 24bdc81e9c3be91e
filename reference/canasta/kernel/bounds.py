"""Judging within bounds: verdicts on records with unknown cards, and proof that a play can no longer become legal."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from canasta.kernel.acts import Move, Violation
from canasta.kernel.bounded_groups import Lying
from canasta.kernel.course import Course, by_parts, by_plain_acts
from canasta.kernel.judge import Judge
from canasta.kernel.machine import Check, Machine
from canasta.kernel.outlook import Ahead, Bounded, Choice, Outlook
from canasta.kernel.state import Group, Part, State
from canasta.kernel.unsettled import Disturbed, Taken
from canasta.language.intervals import Bag, Range
from canasta.language.ruleset import Act
from canasta.language.types import Expr, Op


class Bounder(Protocol):
    """The interval back end."""

    def function(self, expr: Expr) -> Bounded:
        """Make a function of state, choice, acting seat, its side and an outlook."""
        ...

    def end(self, expr: Expr, *, high: bool) -> Bounded:
        """Make such a function of one end alone: with ``high`` whether a condition can hold, else whether it must."""
        ...


@dataclass(slots=True)
class BoundedJudge:
    """Judges by the same clauses as the judge, on what is known."""

    machine: Machine
    bounder: Bounder
    judge: Judge
    _by_success: dict[str, list[Check]] = field(default_factory=dict)
    """The checks of each act, the one that last proved a play hopeless first; the order changes no answer."""
    _ready: dict[int, tuple[Bounded | None, Bounded]] = field(default_factory=dict)
    """The functions of each check, by its identity: the checks live as long as the machine."""
    _ends: dict[int, tuple[Bounded | None, Bounded]] = field(default_factory=dict)
    """The same of each check: whether its condition must hold, and whether its demand can."""
    _pins: dict[str, list[tuple[Check, int]]] = field(default_factory=dict)
    """For each act the demands that leave a stated number of cards, and that number."""
    _courses: dict[tuple[int, bool], Course] = field(default_factory=dict)
    """For each phase what may come until a play is settled: by parts alone, and by plain acts as well."""
    _parts_first: set[int] = field(default_factory=set)
    """The phases in which it was a part that last proved a play hopeless; this changes no answer either."""

    def broken(self, state: State, move: Move) -> Iterator[Violation]:
        """Find every demand that an act surely or perhaps breaks."""
        outlook = Outlook(self.machine, state, self.judge.runtime)
        for name, part, group in self.judge.answering(state, move):
            if part is None or group is None:
                choice = self._choice(state, move, outlook)
            else:
                if self.judge.formed(state, part):
                    yield from self.judge.misshapen(group, name)
                choice = self._choice_of_part(outlook, part, group)
            yield from self._failed(self.machine.checks[name], state, choice, move.seat, outlook, name)

    def _choice(self, state: State, move: Move, outlook: Outlook) -> Choice:
        choice = Choice()
        choice.card = move.cards[0] if move.cards and move.cards[0] < self.machine.deck.size else None
        choice.option = move.option
        left = self.machine.ruleset.acts[move.act].left
        if left is not None:
            choice.left = self.bounder.function(left)(state, choice, move.seat, state.side_of[move.seat], outlook)
        return choice

    def _choice_of_part(self, outlook: Outlook, part: Part, group: Group) -> Choice:
        choice = Choice()
        choice.group = lying = outlook.lying(group)
        choice.top_card = part.top
        choice.from_hand = without(lying, part.top)
        return choice

    def _failed(
        self, checks: tuple[Check, ...], state: State, choice: Choice, seat: int, outlook: Outlook, act: str
    ) -> Iterator[Violation]:
        for check in checks:
            holds = self._holds(check, state, choice, seat, outlook)
            if not holds[0]:
                yield Violation(check.clause, check.code, certain=not holds[1], act=act)

    def _holds(self, check: Check, state: State, choice: Choice, seat: int, outlook: Outlook) -> Range:
        side = state.side_of[seat]
        ready = self._ready.get(id(check))
        if ready is None:
            asked = None if check.when_expr is None else self.bounder.function(check.when_expr)
            ready = self._ready[id(check)] = (asked, self.bounder.function(check.that_expr))
        when: Range = (1, 1)
        if ready[0] is not None:
            when = ready[0](state, choice, seat, side, outlook)
            if not when[1]:
                return (1, 1)
        that: Range = ready[1](state, choice, seat, side, outlook)
        return (max(that[0], 1 - when[1]), max(that[1], 1 - when[0]))

    # -- looking ahead -----------------------------------------------------------------------------------------------

    def hopeless(self, state: State) -> bool:
        """Prove, if possible, that nothing the acting seat may still lay or do makes the current play legal."""
        course = self._course(state.phase)
        if course.tops:
            return False  # what a stack may still bring is not among the cards of the hand
        outlook = Ahead(self.machine, state, course.unites)
        if not self._illegal_for_good(state, course, outlook):
            return False
        if all(self._never_legal(act, state, outlook) for act in course.plain):
            return True
        course = self._course(state.phase, plain=True)
        if course.tops or not course.foreseen or (course.hands_over and state.seat != state.turn_seat):
            return False
        return self._illegal_for_good(state, course, Disturbed(self.machine, state, course))

    def _illegal_for_good(self, state: State, course: Course, outlook: Ahead) -> bool:
        if state.draft and self._misshapen_for_good(state, outlook):
            return True
        askers = (
            [self._no_commit, self._no_part]
            if state.phase not in self._parts_first
            else [self._no_part, self._no_commit]
        )
        for asker in askers:
            if asker(state, course, outlook):
                if asker == self._no_part:
                    self._parts_first.add(state.phase)
                else:
                    self._parts_first.discard(state.phase)
                return True
        return False

    def barred(self, state: State, act: Act, top: int) -> bool:
        """Prove, if possible, that no part of an act with this top card is legal, whatever else is laid until the play is settled."""
        course = self._course(self.machine.ruleset.phases[act.then].index if act.then else state.phase)
        if course.tops or course.plain:
            return False
        hand = state.zone(self.machine.hand)[state.seat]
        held = [n + laid for n, laid in zip(hand, state.laid, strict=True)]
        outlook = Taken(self.machine, state, self.machine.ruleset.zones[act.top].index, top)
        choice = Choice()
        choice.top_card, choice.group = top, outlook.any_group()
        choice.from_hand = Bag(self.machine.deck.empty(), held, 0, sum(held))
        return self._surely_broken(act.name, state, choice, outlook)

    def _course(self, phase: int, *, plain: bool = False) -> Course:
        found = self._courses.get((phase, plain))
        if found is None:
            found = (by_plain_acts if plain else by_parts)(self.machine, phase)
            self._courses[phase, plain] = found
        return found

    def _no_commit(self, state: State, course: Course, outlook: Ahead) -> bool:
        return bool(course.commits) and all(self._never_legal(a, state, outlook) for a in course.commits)

    def _never_legal(self, act: str, state: State, outlook: Ahead) -> bool:
        """Prove an act that is no part wrong for good. Where one demand leaves one number of cards, the others hear of it."""
        choice = self._choice(state, Move(act, state.seat), outlook)
        pins = self._pins.get(act)
        if pins is None:
            pins = self._pins[act] = [(c, n) for c in self.machine.checks[act] for n in _leaves(c.that_expr)]
        for check, number in pins:
            asked, _ = self._ends.get(id(check)) or self._ends_of(check)
            if asked is None or asked(state, choice, state.seat, state.side_of[state.seat], outlook):
                if not choice.left[0] <= number <= choice.left[1]:
                    return True
                choice.left = (number, number)
        return self._surely_broken(act, state, choice, outlook)

    def _misshapen_for_good(self, state: State, outlook: Ahead) -> bool:
        """Prove that a group of the play breaks a bound, and that nothing which may come to it mends that."""
        for _, group in self.judge.laid_groups(state):
            form = self.machine.shapes.forms[group.shape] if group.shape >= 0 else None
            if form is not None and not form.allows(group):
                _, bodies, fillers = outlook.room(group)
                rows = form.allowed[group.body : group.body + bodies + 1]
                if not any(True in row[group.filler : group.filler + fillers + 1] for row in rows):
                    return True
        return False

    def _no_part(self, state: State, _: Course, outlook: Ahead) -> bool:
        """Prove the last part wrong for good, or any group that is wrong as it lies: what could mend it may lie elsewhere by now."""
        last = state.parts[-1] if state.draft else None
        group = self.judge.lying(state, last) if last is not None else None
        if last is None or group is None:
            return False
        if self._part_is_broken(state, last, group, outlook):
            return True
        if state.parts_fine or len(state.parts) == 1:
            return False
        wrong = self.judge.wrong_groups(state, state.seat)
        return any(self._part_is_broken(state, part, lies, outlook) for part, lies in wrong if lies is not group)

    def _part_is_broken(self, state: State, part: Part, group: Group, outlook: Outlook) -> bool:
        choice = self._choice_of_part(outlook, part, group)
        return self._surely_broken(self.machine.act_names[part.act], state, choice, outlook)

    def _surely_broken(self, act: str, state: State, choice: Choice, outlook: Outlook) -> bool:
        checks = self._by_success.get(act)
        if checks is None:
            checks = self._by_success[act] = list(self.machine.checks[act])
        seat, side = state.seat, state.side_of[state.seat]
        for i, check in enumerate(checks):
            asked, demanded = self._ends.get(id(check)) or self._ends_of(check)
            if asked is not None and not asked(state, choice, seat, side, outlook):
                continue
            if not demanded(state, choice, seat, side, outlook):
                if i:
                    checks.insert(0, checks.pop(i))
                return True
        return False

    def _ends_of(self, check: Check) -> tuple[Bounded | None, Bounded]:
        asked = None if check.when_expr is None else self.bounder.end(check.when_expr, high=False)
        found = self._ends[id(check)] = (asked, self.bounder.end(check.that_expr, high=True))
        return found


def _leaves(demand: Expr) -> Iterator[int]:
    """Find the number of cards that a demand wants to be left, if that is all it says."""
    if demand.op is Op.EQ:
        for left, number in (demand.args, demand.args[::-1]):
            if left.op is Op.CONTEXT and left.ref == "left" and number.op is Op.CONST:
                yield int(number.value)


def without(lying: Lying, top: int) -> Bag:
    """Take the card that came off a stack out of what a play added: the rest came from the hand."""
    added = lying.added
    if top < 0:
        return added
    low, high = list(added.low), list(added.high)
    low[top], high[top] = max(0, low[top] - 1), max(0, high[top] - 1)
    return Bag(low, high, added.size_low - 1, added.size_high - 1)
