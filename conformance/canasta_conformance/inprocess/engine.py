"""The reference as an adapter: every operation of the protocol, answered by the interpreter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import canasta
from canasta.diagnostics import Severity
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.naming import known
from canasta.notation.json_form import to_json
from canasta.notation.reader import read_text
from canasta.playing.asking import ask
from canasta.playing.named_rules import seats_by_rules
from canasta.playing.seats import Seats, seats_of
from canasta_conformance.adapters import PROTOCOL, UnsupportedError
from canasta_conformance.inprocess.acts import told_moves
from canasta_conformance.inprocess.functions import Functions, ledger_lines
from canasta_conformance.inprocess.judging import judge_turn
from canasta_conformance.inprocess.plays import Plays
from canasta_conformance.inprocess.positions import observed

Data = dict[str, Any]
Options = Mapping[str, str]

OPERATIONS: Final = (
    *("hello", "card_value", "meld_check", "opening_minimum", "opening_check", "pile_check", "score_deal"),
    *("load", "start", "turn", "observe", "legal", "ledger", "ask", "parse", "count", "reset", "bye"),
)


@dataclass(frozen=True, slots=True)
class _Table:
    """A game that is being played, and how it stands."""

    game: Game
    state: State

    @property
    def seats(self) -> Seats:
        """The names of seats and sides."""
        return seats_of(self.game.ruleset.table)


class ReferenceEngine(Functions):
    """Answers by the rules as they are written."""

    def __init__(self) -> None:
        """Begin with no position."""
        self._table: _Table | None = None

    # -- who and what ------------------------------------------------------------------------------------------------

    def hello(self, **_: object) -> Data:
        """Say who answers."""
        engine = {"name": "canasta-spec reference", "version": canasta.__version__, "language": "Python"}
        rulesets = [{"id": name, "selectable": "all"} for name in known()]
        return {
            "protocol": PROTOCOL, "engine": engine, "rulesets": rulesets, "levels": [0, 1, 2], "operations": list(OPERATIONS),
        }  # fmt: skip

    def reset(self) -> Data:
        """Forget the position."""
        self._table = None
        return {}

    # -- positions and turns -----------------------------------------------------------------------------------------

    def load(self, ruleset: str, position: Data, options: Options | None = None) -> Data:
        """Set a position up; what follows from it of itself follows."""
        game = self._game(ruleset, options)
        self._table = _Table(game, self._set_up(game, position))
        return self.observe()

    def start(
        self, ruleset: str, dealer: str, stock: Sequence[str], options: Options | None = None,
        deal_no: int = 1, totals: Mapping[str, int] | None = None,
    ) -> Data:  # fmt: skip
        """Begin a deal from the whole pack."""
        game = self._game(ruleset, options)
        values: Data = {"dealer": dealer, "deal_no": deal_no}
        values |= {f"total.{owner}": points for owner, points in (totals or {}).items()}
        position = {"seat": dealer, "phase": "setup", "zones": {"stock": list(stock)}, "values": values}
        self._table = _Table(game, self._set_up(game, position))
        return self.observe()

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Play the acts as they were done, and let them stand only if nothing was wrong."""
        table = self._at_table()
        judged = judge_turn(table.game, table.state, acts, table.seats.seat(seat))
        if not judged.committed:
            return {"committed": False, "codes": judged.codes}
        self._table = replace(table, state=judged.after)
        return {"committed": True}

    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        """Show how things lie, a deal in which nobody can act as the ended one that it is."""
        table = self._at_table()
        told = observed(table.game, table.game.turn.unstick(table.state), seat)
        for name in also:
            told["values"][name] = self._known(name)
        return {"observation": told}

    def legal(self, seat: str) -> Data:
        """List acts that can be the next one of a legal turn."""
        table = self._at_table()
        if table.seats.seat(seat) != table.state.seat or table.state.over:
            return {"acts": [], "complete": True}
        legal = table.game.legal(table.state)
        acts = [told for move in legal.moves for told in told_moves(table.game, table.state, move)]
        return {"acts": acts, "complete": not legal.unknown}

    def count(self, depth: int) -> Data:
        """Count the ways to play so many turns."""
        table = self._at_table()
        divide = Plays(table.game).divide(table.state, depth)
        return {"value": sum(divide.values()), "divide": divide}

    def ledger(self) -> Data:
        """Give the score as it stands."""
        table = self._at_table()
        game, state, seats = table.game, table.state, table.seats
        lines, account = ledger_lines(game, state), game.ruleset.table.account
        values = observed(game, state)["values"]
        totals = {n.partition(".")[2]: v for n, v in values.items() if n.startswith(f"{account}.")}
        over = game.scoring.match_over(state)
        names = seats.names if over and over.by_seat else seats.sides
        winners = [names[winner] for winner in over.winners] if over else []
        return {"lines": lines, "totals": totals, "over": over is not None, "winners": winners}

    def ask(self, expression: str) -> Data:
        """Answer a question in the rule language."""
        return {"value": self._asked(expression)}

    # -- the notation ------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Data:
        """Read a record."""
        records, found = read_text(text, "record", seats_by_rules)
        if records and not any(d.severity is Severity.ERROR for d in found):
            return {"record": to_json(records[0])}
        places = [(d, d.span) for d in found if d.severity is Severity.ERROR]
        return {"faults": [{"id": d.id} | ({"line": s.line, "column": s.column} if s else {}) for d, s in places]}

    # -- within ------------------------------------------------------------------------------------------------------

    def _at_table(self) -> _Table:
        if self._table is None:
            raise UnsupportedError("load or start before this")
        return self._table

    def _asked(self, expression: str) -> bool | int | str:
        """Ask a question for the seat to act."""
        table = self._at_table()
        text = ask(table.game.ruleset, expression).answer(table.game, table.state, table.seats)
        return text == "yes" if text in ("yes", "no") else int(text) if text.lstrip("-").isdecimal() else text

    def _known(self, name: str) -> bool | int | str:
        """Answer what an observation may say besides: a definition, asked for the first seat of a side that is named."""
        table = self._at_table()
        place, _, owner = name.partition(".")
        if owner:
            seat = table.seats.seat(owner[0]) or 0
            state = table.state.copy()
            state.seat = seat
            table = replace(table, state=state)
        text = ask(table.game.ruleset, place).answer(table.game, table.state, table.seats)
        return text == "yes" if text in ("yes", "no") else int(text)
