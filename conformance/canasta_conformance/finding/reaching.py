"""Whether play can come to a position: whether the deal or the match would have been over before, or something been done by itself.

Nothing here knows a game. The endings are those that the rule set has, asked of the position itself; a position in the
middle of a turn is traced back to the beginning of the turn, by the acts that lead to its phase. What cannot be traced is
let stand: a position is refused only where every way to it is closed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from canasta.diagnostics import CanastaError
from canasta.kernel.effects import put
from canasta.kernel.game import Game
from canasta.kernel.machine import Function
from canasta.kernel.state import NOBODY, Context, State
from canasta.language.ruleset import Duty, Effect, Form, Lasts, Owner
from canasta.language.settling import settle
from canasta.language.types import BAG, Expr, Op, Statement, StatementOp
from canasta.notation.cards import CardFault, read_cards
from canasta.notation.position_text import parse_position
from canasta.notation.record import Action, Written
from canasta.playing.binding import play_turn
from canasta.playing.positions import to_state
from canasta.playing.seats import seats_of
from canasta_conformance.finding.sketch import Sketch

SETUP: Final = "setup"
TURN: Final = "turn"
_UNASKED: Final = frozenset({Op.CONTEXT, Op.PART_ATTR, Op.GROUP_ATTR, Op.MARK, Op.POSSIBLE})
"""What an ending may look at that a position does not say: who acts, and with which card."""


@dataclass(frozen=True, slots=True)
class Close:
    """An ending of the deal: after which acts it is asked, and all that must hold."""

    on: frozenset[str]
    when: tuple[Expr, ...]


class Reaching:
    """What the rules of one game say of how a position is reached."""

    def __init__(self, game: Game) -> None:
        """Begin with what the rule set says; the rest is worked out when it is asked for."""
        self.game, self.rules = game, game.ruleset
        self._functions: dict[int, Function] = {}

    # -- what the rules say ------------------------------------------------------------------------------------------

    def _doings(self) -> Iterator[tuple[Effect | Duty, Statement, tuple[Expr, ...]]]:
        """Go through all statements, each with its clause and the conditions that it stands under."""
        for clause in self.rules.clauses.values():
            if isinstance(clause, Effect | Duty):
                under = () if clause.when is None else tuple(_parts(clause.when))
                for statement in clause.do:
                    yield from ((clause, *found) for found in within(statement, under))

    @cached_property
    def closes(self) -> tuple[Close, ...]:
        """The endings of a deal."""
        return tuple(Close(frozenset(c.on), when) for c, s, when in self._doings() if s.op is StatementOp.END)

    @cached_property
    def passing(self) -> frozenset[str]:
        """The acts that pass the turn on to begin as any turn does."""
        return frozenset(
            a for c, s, _ in self._doings() if s.op is StatementOp.TURN and not _led_on(c, s) for a in c.on
        )

    @cached_property
    def lasting(self) -> tuple[Close, ...]:
        """The endings that a position by itself tells of, and that are asked before the turn passes on once they may hold."""
        return tuple(close for close in self.closes if close.when and self._asked_in_time(close))

    def _asked_in_time(self, close: Close) -> bool:
        read: set[str] = set()
        if not all(self._reads(e, read) for e in close.when) or not read:
            return False
        writers = {
            act
            for clause, s, _ in self._doings()
            if any(p.name in read for p in s.places)
            for act in clause.on
            if act in self.rules.acts
        }
        return bool(close.on & self.passing) or writers <= close.on

    def _reads(self, expr: Expr, read: set[str]) -> bool:
        """Collect what an expression looks at; no where a position does not say all of it for the whole table."""
        if settle(self.rules, expr) is not None:
            return True
        if expr.op in _UNASKED:
            return False
        if expr.op in (Op.ZONE, Op.STATE):
            zone, variable = self.rules.zones.get(expr.ref), self.rules.state.get(expr.ref)
            if variable is not None and variable.lasts is Lasts.TURN:
                return False
            read.add(expr.ref)
            found = zone or variable
            return found is not None and found.of is Owner.TABLE
        within = [self.rules.definitions[expr.ref].body] if expr.op is Op.DEFINE else []
        return all(self._reads(part, read) for part in (*expr.args, *within))

    @cached_property
    def late(self) -> dict[str, frozenset[str]]:
        """The values that are set only where no turn is to come, each with the phases in which it may be met none the less."""
        found: dict[str, set[str] | None] = {}
        for clause, s, when in self._doings():
            if s.op is not StatementOp.SET:
                continue
            name = s.places[0].name
            phases = self._after(clause.on)
            if phases is None and self._ending(clause, when):
                phases = set()
            before = found.setdefault(name, set())
            found[name] = None if before is None or phases is None else before | phases
        lasting = {n for n, v in self.rules.state.items() if v.lasts is Lasts.DEAL and v.type != BAG}
        return {n: frozenset(phases) for n, phases in found.items() if phases is not None and n in lasting}

    def _ending(self, clause: Effect | Duty, when: tuple[Expr, ...]) -> bool:
        """Ask whether the deal ends at once wherever a statement is carried out."""
        words = {e.text for e in when}
        return any(set(clause.on) <= c.on and {e.text for e in c.when} <= words for c in self.closes)

    def _after(self, acts: Iterable[str]) -> set[str] | None:
        """Collect the phases that may follow acts within the deal; nothing where the turn may still pass on."""
        waiting, seen, phases = list(acts), set[str](), set[str]()
        while waiting:
            act = waiting.pop()
            if act in self.passing or act not in self.rules.acts:
                return None
            seen.add(act)
            into = {
                s.name for c, s, _ in self._doings() if act in c.on and s.op in (StatementOp.PHASE, StatementOp.ACT)
            }
            if not into and not any(act in c.on for c in self.closes):
                return None
            phases |= into
            waiting += [a for p in into for a in self._following(p) if a not in seen]
        return phases

    def _following(self, phase: str) -> list[str]:
        """List the acts of a phase that do more than lay."""
        return [a for a in self.rules.phases[phase].acts if not self.rules.acts[a].lays]

    # -- a position --------------------------------------------------------------------------------------------------

    def can_be(self, sketch: Sketch) -> bool:
        """Ask whether play can come to a sketch.

        Raises:
            CanastaError: when its position cannot be set up.
        """
        if sketch.phase == SETUP:
            return True
        state = self._state(sketch)
        if not sketch.acts:
            return not self._ended(state) or self._played_out(sketch, state)
        if self._ended(state) or self.game.scoring.match_over(state) is not None:
            return False
        return self._led_to(state, frozenset(), asked=True)

    def _state(self, sketch: Sketch) -> State:
        position, found = parse_position(sketch.given, "sketch")
        if position is None:
            raise CanastaError(found)
        return to_state(self.game, position)

    def _holds(self, close: Close, state: State) -> bool:
        return all(self._function(e)(state, Context(), NOBODY, NOBODY) for e in close.when)

    def _function(self, expr: Expr) -> Function:
        if id(expr) not in self._functions:
            self._functions[id(expr)] = self.game.machine.backend.function(expr)
        return self._functions[id(expr)]

    def _led_to(self, state: State, seen: frozenset[int], *, asked: bool) -> bool:
        """Ask whether some way leads from the beginning of a turn, or from the deal, to a state."""
        if state.phase in seen:
            return False
        if (state.phase == 0 or TURN in self._into(state.phase)) and self._begun(state, asked=asked):
            return True
        if SETUP in self._into(state.phase):
            return True
        for act, passed in self._into(state.phase).items():
            if act in (TURN, SETUP) or not self._fits(act, state):
                continue
            if any(act in close.on and self._holds(close, state) for close in self.lasting):
                continue
            before = self._undone(act, state)
            for phase in self.game.machine.phases:
                if act in phase.acts:
                    before.phase = phase.index
                    if self._led_to(before, seen | {state.phase}, asked=asked and not passed):
                        return True
        return not self._into(state.phase) and state.phase != 0

    def _into(self, phase: int) -> dict[str, bool]:
        """Find the acts that lead into a phase, and whether another player acts there."""
        name = next(p.name for p in self.rules.phases.values() if p.index == phase)
        return {
            act: any(one.op in (StatementOp.ACT, StatementOp.TURN) for one in c.do)
            for c, s, _ in self._doings()
            if s.op in (StatementOp.PHASE, StatementOp.ACT) and s.name == name
            for act in c.on
        }

    def _begun(self, state: State, *, asked: bool) -> bool:
        """Ask whether a turn begins like this: the deal goes on, and what happens by itself has happened."""
        if any(self._holds(close, state) for close in self.lasting):
            return False
        if not asked:
            return True
        after = state.copy()
        self.game.turn.effects.begin_turn(after, state.seat)
        zones = [z.index for z in self.rules.zones.values()]
        same = all(_cards(after.zone(z)) == _cards(state.zone(z)) for z in zones)
        return same and not after.over and (after.seat, after.phase) == (state.seat, state.phase)

    def _fits(self, act: str, state: State) -> bool:
        """Ask whether what an act always sets for the rest of the deal is so, and what it makes due has been done."""
        for clause, s, when in self._doings():
            if act not in clause.on:
                continue
            asked = (state, Context(), state.seat, state.side_of[state.seat])
            if isinstance(clause, Duty) and s is clause.do[0] and self._function(clause.when)(*asked):
                return False
            if s.op is StatementOp.SET and not when:
                variable, value = self.rules.state[s.places[0].name], settle(self.rules, s.exprs[0])
                table = variable.of is Owner.TABLE and variable.lasts is Lasts.DEAL
                if table and value is not None and state.variable(variable.index) != value[0]:
                    return False
        return True

    def _undone(self, act: str, state: State) -> State:
        """Put the cards back that an act always takes from a stack; which they were is not asked."""
        before = state.copy()
        for clause, s, when in self._doings():
            if act in clause.on and s.op is StatementOp.MOVE and not when:
                zone, number = self.rules.zones[s.places[0].name], settle(self.rules, s.exprs[0])
                if zone.of is Owner.TABLE and zone.form is Form.STACK and number is not None:
                    for _ in range(number[0]):
                        put(before.zone(zone.index), self.game.deck.size)
        return before

    # -- the end of a deal -------------------------------------------------------------------------------------------

    def _ended(self, state: State) -> bool:
        """Ask whether a state has a value that only the end of a deal brings about, in a phase that knows nothing of it."""
        phase = self.game.machine.phases[state.phase].name
        found = (self.rules.state[name] for name, phases in self.late.items() if phase not in phases)
        return any(value != v.start for v in found for value in _values(state.variable(v.index)))

    def _played_out(self, sketch: Sketch, ended: State) -> bool:
        """Ask whether one last discard leads to the values of a deal's end: who has them may have held one card more."""
        before = sketch.copy()
        for place in [p for p in before.values if p[0] in self.late]:
            del before.values[place]
        seats = seats_of(self.rules.table).names
        hand = self.rules.table.hand
        for seat in seats:
            if any(before.cards.get((hand, seat), [])):
                continue
            for phase in self.game.machine.phases:
                before.seat, before.phase = seat, phase.name
                state = self._state(before)
                for card in range(self.game.deck.size):
                    if self._goes_out(state, card, ended):
                        return True
        return False

    def _goes_out(self, state: State, card: int, ended: State) -> bool:
        before = state.copy()
        before.zone(self.game.machine.hand)[before.seat][card] += 1
        named = read_cards(self.game.deck.names[card])
        if isinstance(named, CardFault):
            return False
        played = play_turn(self.game, before, [Action(Written.DISCARD, cards=tuple(named))])
        if played.stopped is not None or played.violations or not played.state.over:
            return False
        found = [self.rules.state[name].index for name in self.late]
        return all(played.state.variable(v) == ended.variable(v) for v in found)


def _values(content: object) -> Iterable[object]:
    return content if isinstance(content, list) else (content,)


def _cards(content: object) -> object:
    """Give what lies in a zone in a form that can be compared."""
    if isinstance(content, list):
        return [_cards(one) for one in content]
    return getattr(content, "cards", content)


def _parts(expr: Expr) -> Iterator[Expr]:
    if expr.op is Op.AND:
        for part in expr.args:
            yield from _parts(part)
    else:
        yield expr


def _led_on(clause: Effect | Duty, turn: Statement) -> bool:
    """Ask whether a clause that passes the turn also says which phase the next player begins in."""
    return turn in clause.do and any(s.op is StatementOp.PHASE for s in clause.do[clause.do.index(turn) :])


def within(statement: Statement, under: tuple[Expr, ...]) -> Iterator[tuple[Statement, tuple[Expr, ...]]]:
    """Go through a statement and those that stand in it, each with the conditions that it stands under."""
    yield statement, under
    if statement.body is not None:
        more = tuple(statement.exprs[:1]) if statement.op in (StatementOp.WHEN, StatementOp.EACH) else ()
        parts = tuple(p for e in more for p in _parts(e))
        yield from within(statement.body, (*under, *parts))
