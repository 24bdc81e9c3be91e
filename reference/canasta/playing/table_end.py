"""The end of a deal: why it ended, what lay on the table, and what the pad says of it, compared with the rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Act, Form, Owner, Seen, Variable
from canasta.language.types import BOOL, StatementOp
from canasta.notation import record as r
from canasta.notation.cards import Card, write_cards
from canasta.notation.record import Action, Written
from canasta.playing.binding import play_turn
from canasta.playing.claims import with_value
from canasta.playing.judging import against, due
from canasta.playing.pad import every_statement
from canasta.playing.parties import party, unknown_parties
from canasta.playing.played import Played
from canasta.playing.table import Table

OTHERWISE: Final = "the record or the program that wrote it counts otherwise"


@dataclass(slots=True, eq=False, repr=False)
class DealEnd:
    """Compares the end of one deal with its record; the state it holds follows what the table decided."""

    table: Table
    deal: r.Deal
    state: State
    findings: list[Diagnostic] = field(default_factory=list)
    played: bool = True
    """Whether the turns were written, so that the rules can say how the deal ended."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.table.game

    def say(self, id_: str, message: str, span: Span | None, hint: str = "", clause: str = "") -> None:
        """Note a finding."""
        self.findings.append(Diagnostic(id_, message, span or self.deal.span, hint, clause=clause))

    # ---- why it ended ----

    def ended(self) -> None:
        """Compare why the deal ended; what the table decided about it then holds for the score."""
        ending = self.deal.ending
        if ending is None:
            if not self.state.over and self.deal.scores:
                hint = "write the missing turns, or how it ended: end out N, end stock N"
                self._note(
                    "PL0034", "the deal is scored, and the record stops before it has ended", self.deal.span, hint
                )
            return
        reason = self._reason(ending)
        if not self.played:
            self.state.over, self.state.reason = True, reason or ending.reason
        elif not self.state.over and reason and self._ends_by_declining(ending, reason):
            pass  # what was wrong with it has been told, the wrong seat as well
        elif self.state.over:
            if reason and reason != self.state.reason:
                what = f"the deal is written to have ended by {reason}, and it ended by {self.state.reason}"
                self.say("PL0031", what, ending.span, "mend the line, or the turns before it")
            self._seat(ending)
        elif reason:
            what = f"the deal has ended ({ending.reason}), and by the rules it goes on"
            self.say("PL0031", what, ending.span, "are turns missing?")
            self.state = self.state.copy()
            self.state.over, self.state.reason = True, reason
        self._words(ending)

    def _note(self, id_: str, message: str, span: Span | None, hint: str) -> None:
        self.findings.append(Diagnostic(id_, message, span, hint, severity=Severity.NOTE))

    def _reason(self, ending: r.Ending) -> str:
        """Find the rule set's word for a reason: the same word, or one that begins or ends with it."""
        reasons = self.game.ruleset.reasons
        if ending.reason in reasons:
            return ending.reason
        alike = [x for x in reasons if ending.reason in x.split("_")]
        if len(alike) == 1:
            return alike[0]
        from difflib import get_close_matches  # noqa: PLC0415 - only for a mistyped reason

        close = get_close_matches(ending.reason, reasons, 1)
        hint = f"did you mean {close[0]}?" if close else f"reasons are {', '.join(reasons)}"
        self.say("PL0031", f"{self.game.ruleset.name} knows no end by {ending.reason}", ending.span, hint)
        return ""

    def _ends_by_declining(self, ending: r.Ending, reason: str) -> bool:
        """A deal that simply ended, ended because the player to act did not go on, if these rules have such an act."""
        acts = [a for a in self.game.ruleset.acts.values() if a.written == Written.DECLINE]
        if not any(self._ends(a, reason) for a in acts):
            return False
        seat = self.table.seats.seat(ending.seat) if ending.seat else self.state.seat
        played: Played = play_turn(self.game, self.state, [Action(Written.DECLINE, span=ending.span)], seat)
        if not played.state.over:
            return False
        hidden = self.game.turn.judge.has_unknown(self.state)
        not_now = self.game.machine.refusals.get("phase", ("", ""))[1]
        self.state = played.state
        for violation in played.violations:
            # A card that nobody wrote down may be what ended the deal, such as a last one that cannot be replaced.
            told = replace(violation, certain=False) if hidden and violation.code == not_now else violation
            hint = due(self.game, self.table.seats, played.steps[-1], violation) if played.steps else ""
            self.findings.append(against(self.game.ruleset, told, ending.span, Severity.ERROR, hint=hint))
        return True

    def _ends(self, act: Act, reason: str) -> bool:
        doings = self.game.machine.effects[act.name]
        return any(s.op is StatementOp.END and s.name == reason for d in doings for s in d.do)

    def _seat(self, ending: r.Ending) -> None:
        """Compare whose turn it was when the rules ended the deal."""
        last = self.table.seats.names[self.state.turn_seat]
        if ending.seat and ending.seat != last:
            what = f"the deal is written to have ended with {ending.seat}, and it ended in the turn of {last}"
            self.say("PL0031", what, ending.span, f"write end {ending.reason} {last}")

    def _words(self, ending: r.Ending) -> None:
        """What else is said of the end, such as ``concealed``: the table's decision is kept, and compared."""
        seat = self.table.seats.seat(ending.seat) if ending.seat else self.state.turn_seat
        seat = self.state.turn_seat if seat is None else seat
        owner = {Owner.SEAT: seat, Owner.SIDE: self.state.side_of[seat]}
        for word in ending.words:
            variable = self.game.ruleset.state.get(word)
            if variable is None or variable.type != BOOL:
                continue
            if not self._value(variable, owner):
                clause = next((c for c in self._setting(word)), "")
                title = self.game.ruleset.clauses[clause].title if clause else word
                what = (
                    f"{ending.seat or 'the player'} is written to have ended {word}, and by the rules did not: {title}"
                )
                self.say("PL0031", what, ending.span, f"{OTHERWISE}; the score is worked out as it was decided", clause)
                self.state = with_value(self.game, self.state, word, owner, 1)

    def _value(self, variable: Variable, owner: dict[Owner, int]) -> int:
        content = self.state.variable(variable.index)
        value: int = content if variable.of is Owner.TABLE else content[owner[variable.of]]
        return value

    def _setting(self, name: str) -> Iterator[str]:
        """Find the clauses that set a variable."""
        for statement in every_statement(self.game.ruleset):
            if statement.op is StatementOp.SET and statement.places[0].name == name:
                yield statement.path.split("/", 1)[0]

    # ---- what lay on the table ----

    def lying(self) -> None:
        """Compare the melds, the red threes and the hands that were written down with those that lie there."""
        self.findings += unknown_parties(self.table, self.state, self.deal.lines)
        melds: dict[int, list[r.Melds]] = {}
        for line in self.deal.lines:
            match line:
                case r.Left():
                    self._left(line)
                case r.Melds():
                    side = party(self.table.seats, self.state, line.side)
                    if side is not None:
                        melds.setdefault(side, []).append(line)
                case r.RedThrees():
                    self._red_threes(line)
                case _:
                    pass
        for side, lines in melds.items():
            self._melds(side, lines)

    def _left(self, line: r.Left) -> None:
        """Compare a hand, and make known what was unknown in it."""
        seat = self.table.seats.seat(line.seat)
        if seat is None:
            return
        hand: list[int] = self.state.zone(self.game.machine.hand)[seat][:]
        unknown = self.game.deck.size
        odd = [c for c in line.cards if not self._takes(c, hand)]
        if odd or sum(hand):
            held = self._run(self.state.zone(self.game.machine.hand)[seat])
            self.say("PL0032", f"{line.seat} is written to hold other cards than {held}", line.span, OTHERWISE)
            return
        if self.state.zone(self.game.machine.hand)[seat][unknown]:
            known = self.state.copy()
            held = known.zone(self.game.machine.hand)[seat]
            held[:] = self.game.deck.bag([k for c in line.cards for k in [self.table.names.pick(c, held)[0]] if k >= 0])
            self.state = known

    def _takes(self, card: Card, bag: list[int]) -> bool:
        """Take a written card out of a bag, as an unknown one if there is no other; say whether it was there."""
        kinds = [k for k in self.table.names.kinds(card) if bag[k]]
        kind = kinds[0] if kinds else self.game.deck.size
        if card.hidden and not bag[kind]:
            kind = next((k for k, n in enumerate(bag) if n), kind)
        if not bag[kind]:
            return False
        bag[kind] -= 1
        return True

    def _run(self, bag: Sequence[int]) -> str:
        cards = [self.table.names.card(k) for k, n in enumerate(bag) for _ in range(n)]
        return write_cards(cards) or "none"

    def _melds(self, side: int, lines: Sequence[r.Melds]) -> None:
        """Compare the melds of a side; where its seats are named one by one, they lie on several lines."""
        groups = [g.cards for zone in self._zones(Form.GROUPS) for g in self._of_side(zone, side)]
        for line in lines:
            for written in line.groups:
                found = next((g for g in groups if self._same(written, g)), None)
                if found is None:
                    what = f"{write_cards(written)} is written to lie before {line.side}, and does not"
                    self.say("PL0032", what, line.span, OTHERWISE)
                else:
                    groups.remove(found)
        for group in groups:
            line = lines[-1]
            self.say("PL0032", f"{self._run(group)} lies before {line.side}, and is not written", line.span, OTHERWISE)

    def _same(self, written: Iterable[Card], group: Sequence[int]) -> bool:
        left = list(group)
        return all(self._takes(c, left) for c in written) and not any(left)

    def _red_threes(self, line: r.RedThrees) -> None:
        """Compare the cards that lie openly outside the melds."""
        side, seat = party(self.table.seats, self.state, line.side), self.table.seats.seat(line.side)
        if side is None:
            return
        bag = self.game.deck.empty()
        for zone in self._zones(Form.BAG):
            of_one = seat is not None and self.game.ruleset.zones[zone].of is Owner.SEAT
            bags = [self._content(zone)[seat]] if of_one else self._of_side(zone, side, bags=True)
            for own in bags:
                bag = [a + b for a, b in zip(bag, own, strict=True)]
        if not self._same(line.cards, bag):
            what = f"before {line.side} lie {self._run(bag)}, and {write_cards(line.cards) or 'none'} is written"
            self.say("PL0032", what, line.span, OTHERWISE)

    def _zones(self, form: Form) -> list[str]:
        rules = self.game.ruleset
        return [
            z.name for z in rules.zones.values()
            if z.form is form and z.name != rules.table.hand and z.seen is Seen.ALL and z.of is not Owner.TABLE
        ]  # fmt: skip

    def _content(self, name: str) -> Any:  # noqa: ANN401 - what a zone holds
        return self.state.zone(self.game.ruleset.zones[name].index)

    def _of_side(self, name: str, side: int, *, bags: bool = False) -> list:  # type: ignore[type-arg]
        content = self._content(name)
        if self.game.ruleset.zones[name].of is Owner.SIDE:
            return [content[side]] if bags else content[side]
        own = [content[s] for s in range(len(self.state.side_of)) if self.state.side_of[s] == side]
        return own if bags else [g for groups in own for g in groups]
