"""A deal of which only the end was written: the table is laid as it lay, so that it can be scored.

What an initial meld or going out does to the facts that the game remembers is said by the rule set's effects alone. So
each side lays what lies before it as one play and ends it, and the effects do the rest.
"""

from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.kernel.acts import Move, Violation
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Group, Part, Stack, State
from canasta.language.ruleset import Act, Effect, Form, Owner, Seen, Zone
from canasta.language.types import StatementOp
from canasta.notation import record as r
from canasta.notation.cards import Card
from canasta.notation.record import Written
from canasta.playing.claims import members_of
from canasta.playing.judging import against
from canasta.playing.pad import every_statement
from canasta.playing.parties import party, with_parties
from canasta.playing.table import Table

EARLIER: Final = 0
"""The turn in which melds of an unknown turn count as begun: before the last one."""


@dataclass(slots=True)
class TableAsItLay:
    """Lays one table from the lines that tell its end."""

    table: Table
    deal: r.Deal
    dealer: int
    carried: dict[str, list[int]]
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.table.game

    def state(self) -> State:
        """Lay the table; a hand of which nothing is written holds nothing."""
        state = self.game.turn.blank(self.dealer, self.deal.number, self.carried)
        state.turn_no = 1
        state = with_parties(self.table, state, self.deal.lines)
        for line in self.deal.lines:
            match line:
                case r.Melds():
                    self._melds(state, line)
                case r.RedThrees():
                    self._red_threes(state, line)
                case _:
                    pass
        out = self._who_went_out()
        for side in state.sides:
            members = [s for s, own in enumerate(state.side_of) if own == side]
            if out is None or out not in members:
                state = self._ends_a_turn(state, members[0])
        if out is not None:
            state = self._goes_out(state, out)
        for seat_line in self.deal.lines:
            if isinstance(seat_line, r.Left):
                self._hand(state, seat_line)
        return state

    @property
    def hands_known(self) -> bool:
        """Whether every hand is written, but for that of a player who went out; and what lies there says who laid it."""
        zone = self._zone(Form.GROUPS)
        if zone is not None and zone.of is Owner.TABLE:
            return False
        out = self._who_went_out()
        left = self.deal.left
        return all(name in left or seat == out for seat, name in enumerate(self.table.seats.names))

    def _who_went_out(self) -> int | None:
        ending, act = self.deal.ending, self._act(Written.OUT)
        if ending is None or act is None or not ending.seat:
            return None
        ended_by_it = any(ending.reason in (reason, *reason.split("_")) for reason in self._ends_with(act))
        return self.table.seats.seat(ending.seat) if ended_by_it else None

    def _ends_with(self, act: Act) -> set[str]:
        """List the reasons for which a deal ends by an act."""
        own = {e.id for e in self.game.ruleset.of_kind(Effect) if act.name in e.on}
        ends = (s for s in every_statement(self.game.ruleset) if s.op is StatementOp.END)
        return {s.name for s in ends if s.path.split("/", 1)[0] in own}

    # ---- what lies there ----

    def _zone(self, form: Form) -> Zone | None:
        """Find the zone of groups, or of cards laid out beside them, that everybody sees."""
        rules = self.game.ruleset
        shared = form is Form.GROUPS
        zones = (
            z
            for z in rules.zones.values()
            if z.form is form and (shared or z.of is not Owner.TABLE) and z.seen is Seen.ALL
        )
        return next((z for z in zones if z.name != rules.table.hand), None)

    def _owner(self, zone: Zone, state: State, name: str) -> int | None:
        side, seat = party(self.table.seats, state, name), self.table.seats.seat(name)
        if side is None or zone.of is Owner.SIDE:
            return side
        return members_of(state, side)[0] if seat is None else seat

    def _melds(self, state: State, line: r.Melds) -> None:
        zone = self._zone(Form.GROUPS)
        owner = self._owner(zone, state, line.side) if zone else None
        if zone is None or owner is None:
            return
        for cards in line.groups:
            bag = self.game.deck.bag(self._kinds(cards, line.span))
            group = self.game.machine.shapes.settle(Group(state.next_gid, NOBODY, EARLIER, bag))
            group.was, group.added = 0, bag
            state.next_gid += 1
            (state.zone(zone.index) if zone.of is Owner.TABLE else state.zone(zone.index)[owner]).append(group)
            self._judge(group, line.span)

    def _judge(self, group: Group, span: Span | None) -> None:
        """Name the bounds that a meld does not keep."""
        machine = self.game.machine
        if group.shape == NOBODY:
            clause, code = machine.refusals.get("shape", ("", ""))
            found = [Violation(clause, code)]
        else:
            checks = machine.broken_bounds(group.shape, group.body, group.filler)
            found = [Violation(c.clause, c.code) for c in checks]
        self.findings += [against(self.game.ruleset, v, span, Severity.ERROR) for v in found]

    def _red_threes(self, state: State, line: r.RedThrees) -> None:
        zone = self._zone(Form.BAG)
        owner = self._owner(zone, state, line.side) if zone else None
        if zone is not None and owner is not None:
            for kind in self._kinds(line.cards, line.span):
                state.zone(zone.index)[owner][kind] += 1

    def _hand(self, state: State, line: r.Left) -> None:
        seat = self.table.seats.seat(line.seat)
        if seat is not None:
            state.zone(self.game.machine.hand)[seat] = self.game.deck.bag(self._kinds(line.cards, line.span))

    def _kinds(self, cards: tuple[Card, ...], span: Span | None) -> list[int]:
        found: list[int] = []
        held = self.game.deck.full()
        for card in cards:
            kind, _ = self.table.names.pick(card, held)
            if kind < 0:
                message = f"this pack has no card {card}"
                hint = "see the rule set's pack, or mend the card"
                self.findings.append(Diagnostic("PL0022", message, span, hint))
                continue
            held[kind] = max(0, held[kind] - 1)
            found.append(kind)
        return found

    # ---- what it means ----

    def _act(self, kind: Written) -> Act | None:
        return next((a for a in self.game.ruleset.acts.values() if a.written == kind and a.commit), None)

    def _with_play(self, state: State, seat: int) -> State:
        """Count what lies before a side as laid by one of its seats."""
        twin = state.copy()
        twin.seat = twin.turn_seat = seat
        twin.parts, twin.laid = [], self.game.deck.empty()
        part = next((a for a in self.game.ruleset.acts.values() if a.choose == "part" and not a.top), None)
        zone = self._zone(Form.GROUPS)
        if part is None or zone is None or zone.of is Owner.TABLE:
            return twin
        owner = twin.side_of[seat] if zone.of is Owner.SIDE else seat
        for group in twin.zone(zone.index)[owner]:
            twin.parts.append(Part(part.index, group.gid, zone.index, owner, group.cards, NOBODY, twin.stage))
            twin.laid = [a + b for a, b in zip(twin.laid, group.cards, strict=True)]
        twin.draft = len(twin.parts)
        return twin

    def _ends_a_turn(self, state: State, seat: int) -> State:
        """A seat lays what lies before its side and discards one of three cards; then the cards are taken away again."""
        act = self._act(Written.DISCARD)
        if act is None:
            return state
        twin = self._with_play(state, seat)
        if not twin.draft:
            return state
        zones = {z.index: (z, twin.copy().zone(z.index)) for z in self._passing(twin)}
        neutral = self.table.neutral
        twin.zone(self.game.machine.hand)[seat][neutral] = 3
        move = Move(act.name, seat, (neutral,))
        self.game.turn.effects.run(act.name, twin, self.game.turn.judge.context(twin, move), seat)
        for index, (_, content) in zones.items():
            setattr(twin, f"z{index}", content)
        twin.turn_no = 1
        return twin

    def _passing(self, state: State) -> list[Zone]:
        """The zones that a discard touches: hands and stacks."""
        rules = self.game.ruleset
        stacks = [z for z in rules.zones.values() if isinstance(state.zone(z.index), Stack)]
        return [*stacks, rules.zones[rules.table.hand]]

    def _goes_out(self, state: State, seat: int) -> State:
        act = self._act(Written.OUT)
        if act is None:
            return state
        twin = self._with_play(state, seat)
        context = self.game.turn.judge.context(twin, Move(act.name, seat))
        self.game.turn.effects.run(act.name, twin, context, seat)
        twin.turn_seat = seat
        return twin
