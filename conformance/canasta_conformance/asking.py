"""Asking an engine one form of a case: the requests one after another, each answer graded, every promise looked after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from canasta_conformance import promises
from canasta_conformance.comparing import cards_in
from canasta_conformance.connecting import Engine
from canasta_conformance.grading import NOT_ASKED, Graded, Status
from canasta_conformance.messages import refusal
from canasta_conformance.suite import Exchange, Rules

Data = Mapping[str, Any]
Message = dict[str, Any]

_REFUSALS: Final = {
    "unsupported": Status.UNSUPPORTED, "known_bug": Status.KNOWN_BUG, "error": Status.ERROR,
}  # fmt: skip
_SHOWING: Final = ("load", "start", "observe")
_QUESTIONS: Final = ("ledger", "ask", "legal", "count")
"""What is asked of a table and must leave it as it is; so must `observe`, which shows it."""


@dataclass(slots=True)
class Outcome:
    """What came of one form: grades, broken promises, and everything that was said."""

    graded: Graded = field(default_factory=Graded)
    status: Status | None = None
    told: str = ""
    """What is needed, where a bug is written down, or what went wrong, as the engine said it."""
    promises: list[str] = field(default_factory=list)
    transcript: list[Message] = field(default_factory=list)
    log: str = ""
    """The end of what the engine wrote to standard error meanwhile, where it departs."""
    asked: int = 0
    """How many of the exchanges were put."""
    places: list[int] = field(default_factory=list)
    """Of each difference the exchange in which it was found, counted from 0."""
    broken_at: int = -1
    """The exchange after which a promise was first seen broken; -1 while none was."""

    def summed(self) -> Status:
        """Give the status: an answer to anything first, then what was graded, then the promises."""
        if self.status is not None and not self.graded.failed:
            # Who then says that he cannot do it has broken his promise all the same.
            return Status.BROKEN_PROMISE if self.promises and self.status in NOT_ASKED else self.status
        status = self.graded.status()
        if self.promises and status in (Status.PASS, Status.WRONG_REASON, Status.UNSUPPORTED):
            return Status.BROKEN_PROMISE
        return status


class Asking:
    """The work of asking one form."""

    def __init__(self, engine: Engine, operations: Sequence[str], rules: Rules) -> None:
        """Know the engine, what it can be asked, and the rule set: the whole pack, where cards can lie, what the ledger holds."""
        self.engine, self.operations, self.rules = engine, frozenset(operations), rules
        self.outcome = Outcome()
        self._loaded: list[str] = []
        self._before: Data | None = None
        self._ledger: Mapping[str, float] = {}
        self._questioned = False
        """Whether anything was asked of the table since it was last looked at."""

    def ask(self, exchanges: Sequence[Exchange]) -> Outcome:
        """Ask everything, stopping where an answer leaves nothing to ask.

        Raises:
            EngineFaultError: for everything that is no answer.
        """
        for number, exchange in enumerate(exchanges):
            self.outcome.asked = number + 1
            if exchange.send["op"] == "turn":
                self._asked_changes_nothing()
            reply = self._send(exchange.send)
            word = refusal(reply)
            if word:
                self.outcome.status = _REFUSALS[word]
                self.outcome.told = reply.get("needs") or reply.get("url") or reply.get("text", "")
                return self.outcome
            if exchange.leads and reply.get("committed") is not True:
                self.outcome.status, self.outcome.told = Status.UNREACHED, _refused(exchanges, number, reply)
                return self.outcome
            seat = exchange.send.get("seat", "") if exchange.send["op"] == "observe" else ""
            self.outcome.graded.exchange(exchange.expect, reply, seat)
            self.outcome.places += [number] * (len(self.outcome.graded.differences) - len(self.outcome.places))
            self._look(exchange.send, reply)
            if self.outcome.promises and self.outcome.broken_at < 0:
                self.outcome.broken_at = number
            if self.outcome.graded.failed:
                return self.outcome
        self._asked_changes_nothing()
        self._in_other_order(exchanges)
        return self.outcome

    def _send(self, send: Message) -> Message:
        said: Message = {"send": send}
        self.outcome.transcript.append(said)
        said["reply"] = reply = self.engine.ask(send)
        return reply

    # -- promises ----------------------------------------------------------------------------------------------------

    def _look(self, send: Message, reply: Message) -> None:
        """Look at the table after an answer that can have changed it."""
        op = send["op"]
        self._questioned |= op in _QUESTIONS or op == "observe"
        if op == "ledger":
            self._sums(reply.get("lines", {}))
        if op == "observe" and "seat" in send:
            return  # one seat sees less than lies there
        if op == "load":
            self._loaded, self._before = cards_in(send["position"]["zones"]), None
        elif op == "start":
            self._loaded, self._before = list(self.rules.pack), None
        observation = self._observation(op, reply)
        if observation is None:
            # What was seen before a turn after which nothing is shown is no longer how things lie.
            self._before = None if op == "turn" else self._before
            return
        self._pack(op, observation)
        if op == "observe" and self._before is not None:
            self._same("a question", self._before, observation)
        if op == "turn" and reply.get("committed") is False and self._before is not None:
            self._same("a refused turn", self._before, observation)
        if op == "turn" and reply.get("committed") is True:
            if self._before is not None and not promises.is_over(observation):
                self._leaves_alone(send["seat"], self._before, observation)
            self._can_go_on(observation)
        self._before = observation

    def _observation(self, op: str, reply: Message) -> Data | None:
        if op in _SHOWING:
            found: Data = reply["observation"]
            return found
        if op == "turn" and "observe" in self.operations:
            seen = self._send({"op": "observe"})
            return None if refusal(seen) else seen["observation"]
        return None

    def _pack(self, op: str, observation: Data) -> None:
        # An engine that leaves zones out shows no whole pack; then only what is too much can be told.
        whole = promises.shows_every_zone(observation, self.rules)
        wrong = promises.pack_kept(self._loaded, observation["zones"], whole=whole)
        if wrong and not any(told.endswith(f": {wrong}") for told in self.outcome.promises):
            promise = "a deal begins from a whole pack" if op == "start" else "pack complete"
            self.outcome.promises.append(f"{promise}: {wrong}")

    def _same(self, after: str, one: Data, other: Data) -> None:
        changed = promises.unchanged(one, other)
        if changed:
            self.outcome.promises.append(f"{after} changes nothing: {', '.join(changed)} changed")

    def _leaves_alone(self, seat: str, before: Data, observation: Data) -> None:
        changed = promises.left_alone(before, observation, seat, self.rules)
        if changed:
            told = f"a turn leaves alone what it does not speak of: {', '.join(changed)} changed in a turn of {seat}"
            self.outcome.promises.append(told)

    def _sums(self, lines: Mapping[str, float]) -> None:
        self._ledger = lines
        wrong = promises.sums_right(lines, self.rules.lines, self.rules.account)
        if wrong:
            self.outcome.promises.append(f"the sum is that of the lines: {wrong}")

    def _can_go_on(self, observation: Data) -> None:
        if promises.is_over(observation) or "legal" not in self.operations or "seat" not in observation:
            return
        self._questioned = True
        legal = self._send({"op": "legal", "seat": observation["seat"]})
        if not refusal(legal) and legal["complete"] and not legal["acts"]:
            self.outcome.promises.append(f"somebody can act: {observation['seat']} has no legal act")

    def _asked_changes_nothing(self) -> None:
        """Look whether the table lies as it did, if anything was asked since it was looked at, and the engine can be asked."""
        if not self._questioned or self._before is None or "observe" not in self.operations:
            return
        self._questioned = False
        seen = self._send({"op": "observe"})
        if not refusal(seen):
            self._same("a question", self._before, seen["observation"])

    def _in_other_order(self, exchanges: Sequence[Exchange]) -> None:
        """Ask for the score once more with the melds the other way round, where the case is about a score."""
        ops = [e.send["op"] for e in exchanges]
        if ops != ["load", "ledger"]:
            return
        lines = self._ledger
        load = exchanges[0].send
        turned = promises.reversed_melds(load["position"])
        if turned is None or refusal(self._send({**load, "position": turned})):
            return
        again = self._send({"op": "ledger"})
        changed = [n for n, points in again.get("lines", {}).items() if lines.get(n, points) != points]
        if changed:
            self.outcome.promises.append(f"the order of melds counts nothing: {', '.join(changed)} changed")


def _refused(exchanges: Sequence[Exchange], number: int, reply: Message) -> str:
    """Say which of the turns that lead to the position does not stand, and why, if the engine says so."""
    turns = [at for at, exchange in enumerate(exchanges) if exchange.send["op"] == "turn"]
    codes = f" ({', '.join(reply['codes'])})" if reply.get("codes") else ""
    of = f"turn {turns.index(number) + 1} of {len(turns)}, of {exchanges[number].send['seat']}"
    return f"{of}, leads to the position and is legal, and was refused{codes}: what the case asks was not reached"
