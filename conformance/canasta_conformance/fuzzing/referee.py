"""The reference at the table: what it expects of every request of a script, and what it looked at when it judged."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from canasta.games import load_ruleset
from canasta.kernel.acts import NEW_GROUP, ImpossibleError, Move
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Structure
from canasta_conformance.adapters import answer
from canasta_conformance.comparing import canonical, same_value
from canasta_conformance.expectations import house_rule_file
from canasta_conformance.inprocess.acts import told_moves
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.inprocess.judging import Judged, judge_turn
from canasta_conformance.inprocess.positions import observed
from canasta_conformance.suite import Exchange

Data = dict[str, Any]

_ANSWERED_ODDLY: Final = ("error", "unsupported", "known_bug")


class UnaskableError(Exception):
    """A request of which the reference expects nothing: it cannot be set up, or the reference is not sure."""


class Referee(ReferenceEngine):
    """The reference, which remembers how it judged the last turn."""

    def __init__(self, house_rules: str = "") -> None:
        """Sit down, with the house rules that an engine has declared if it has."""
        super().__init__()
        self._house = house_rule_file(house_rules) if house_rules else ""
        self.judged: Judged | None = None

    @property
    def game(self) -> Game:
        """The game that is being played."""
        return self._at_table().game

    @property
    def state(self) -> State:
        """How it stands."""
        return self._at_table().state

    @property
    def seat(self) -> str:
        """The name of the seat whose turn it is, also while another one has been asked and is to answer."""
        table = self._at_table()
        return table.seats.names[table.state.turn_seat]

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Judge as always, and remember it."""
        table = self._at_table()
        judged = self.judged = judge_turn(table.game, table.state, acts, table.seats.seat(seat))
        if judged.committed:
            self._table = replace(table, state=judged.after)
        return {"committed": judged.committed} | ({} if judged.committed else {"codes": judged.codes})

    def expecting(self, send: Data) -> Exchange:
        """Carry a request out, and give it with everything that is expected of the answer.

        Raises:
            UnaskableError: when nothing can be expected.
        """
        asked = {**send, "ruleset": self._house} if self._house and "ruleset" in send else send
        reply = answer(self, {"seq": 1, **asked})
        if any(word in reply for word in _ANSWERED_ODDLY):
            raise UnaskableError(str(reply.get("text") or reply))
        match send["op"]:
            case "turn":
                if self.judged is None or not self.judged.sure:
                    raise UnaskableError("the look-ahead is not sure")
                expect = {"committed": reply["committed"]} | ({"codes": reply["codes"]} if reply.get("codes") else {})
            case "start" | "load" | "observe":
                expect = expected_observation(reply["observation"])
            case _:
                expect = {key: value for key, value in reply.items() if key != "seq"}
                if not reply.get("over"):
                    expect.pop("winners", None)
        return Exchange(send, expect)

    def loading(self, rules: Data) -> Data:
        """Give the request that sets up how it stands now, naming only values that are otherwise than they would be anyway.

        Raises:
            UnaskableError: when it stands in a way that no position can say.
        """
        table = self._at_table()
        seen = observed(table.game, table.state)
        told: Data = {key: seen[key] for key in ("seat", "phase", "zones")}
        told["zones"] = {name: cards for name, cards in seen["zones"].items() if cards}
        other = Referee()
        other._house = self._house
        named = {name: value for name, value in seen["values"].items() if name != "sides"}
        other.expecting({"op": "load", **rules, "position": told})
        bare = other.observe()["observation"]["values"]
        changed = {name: value for name, value in named.items() if bare.get(name) != value}
        if not same_value("sides", bare.get("sides"), seen["values"]["sides"]):
            changed["sides"] = seen["values"]["sides"]
        told |= {"values": changed} if changed else {}
        other.expecting({"op": "load", **rules, "position": told})
        if canonical(other.observe()["observation"]) != canonical(self.observe()["observation"]):
            raise UnaskableError("no position says how it stands")
        return {"op": "load", **rules, "position": told}


def structural(ruleset: str) -> frozenset[str]:
    """List the codes by which the interpreter refuses what cannot be carried out: where one of them is right, others may be as well."""
    found = load_ruleset(ruleset).clauses.values()
    return frozenset(clause.code for clause in found if isinstance(clause, Structure))


def expected_observation(observation: Mapping[str, Any]) -> Data:
    """Expect what is seen; when the deal is over, who is to act means nothing."""
    parts = ("zones", "values") if observation["values"].get("reason") else ("seat", "phase", "zones", "values")
    return {part: observation[part] for part in parts}


def expected(sends: Sequence[Data], house_rules: str = "") -> list[Exchange]:
    """Let the reference expect something of every request of a script.

    Raises:
        UnaskableError: when of one of them nothing can be expected.
    """
    referee = Referee(house_rules)
    return [referee.expecting(send) for send in sends]


def acts_of(game: Game, state: State, moves: Sequence[Move]) -> list[Data] | None:
    """Spell moves out as acts of a message, whether they are legal or not; nothing where one of them cannot be spelt.

    A move names a meld by a number, an act by a card that lies in it, so each is spelt on the table that the moves before it leave.
    """
    acts: list[Data] = []
    for move in moves:
        try:
            acts += told_moves(game, state, move)
        except LookupError:  # it names a meld that is not there, or the top card of no pile
            return None
        try:
            state = game.turn.as_played(state, move)[0]
        except ImpossibleError:
            if move.group == NEW_GROUP and game.ruleset.acts[move.act].lays:
                state = state.copy()
                state.next_gid += 1  # what names a later meld goes by the numbers that would have been
    return acts
