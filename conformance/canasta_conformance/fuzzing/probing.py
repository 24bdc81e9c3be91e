"""A script put to an engine: the first thing in which it departs from the reference, and what kind of thing that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from canasta_conformance.asking import Asking, Outcome
from canasta_conformance.comparing import Difference
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import Declared, certain, with_options
from canasta_conformance.faults import EngineFaultError
from canasta_conformance.fuzzing.referee import structural
from canasta_conformance.grading import Grade, Status
from canasta_conformance.suite import Exchange, Rules

Data = dict[str, Any]

UNASKED: Final = "legal"
"""Listing all legal acts after every turn takes longer than everything else, and no answer depends on it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What kind of difference it is: as long as this is the same, it is the same finding.

    ``about`` is the place, line or operation; ``codes`` are the reasons given by whoever refused.
    """

    what: str
    about: str = ""
    codes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it in a few words."""
        return " ".join(word for word in (self.what, self.about, ",".join(self.codes)) if word)


@dataclass(frozen=True, slots=True)
class Departure:
    """Where an engine departed: the exchange, of what kind it is, what was expected and what came, and what else was said."""

    at: int
    kind: Kind
    expected: object
    found: object
    told: str = ""


class Probe:
    """What puts scripts to one engine, as it wants its rules named."""

    def __init__(self, engine: Engine, operations: Sequence[str], rules: Rules, declared: Declared) -> None:
        """Know the engine, what it can be asked, and its rules."""
        self.engine, self.rules, self.declared = engine, rules, declared
        self.structural = structural(rules.name)
        self.operations = [op for op in operations if op != UNASKED]
        self.asked = 0
        """How many requests were sent."""
        self.reached = 0
        """How many exchanges of the last script were put."""
        self.unsupported = ""
        """What the engine said it would need, where it did not answer to the end."""

    def __call__(self, exchanges: Sequence[Exchange], *, explicit: bool = False) -> list[Departure]:
        """Put a script, and list what departs in the order in which it was seen; after a fault the engine starts afresh."""
        asking = Asking(self.engine, self.operations, certain(self.rules, self.declared))
        self.unsupported = ""
        try:
            outcome = asking.ask([self._put(exchange, explicit=explicit) for exchange in exchanges])
            self.engine.ask({"op": "reset"})
        except EngineFaultError as fault:
            outcome = asking.outcome
            self.asked += len(outcome.transcript)
            self.reached = outcome.asked
            sent = outcome.transcript[-1]["send"] if outcome.transcript else {"op": "hello"}
            found = Departure(
                max(0, outcome.asked - 1), Kind(str(fault.kind), str(sent["op"])), "an answer", fault.text, fault.log
            )
            return [*_departures(exchanges, outcome, self.structural), found]
        self.asked += len(outcome.transcript)
        self.reached = outcome.asked
        if outcome.status in (Status.UNSUPPORTED, Status.KNOWN_BUG):
            self.unsupported = outcome.told
        return _departures(exchanges, outcome, self.structural)

    def _put(self, exchange: Exchange, *, explicit: bool) -> Exchange:
        """Name in a request the options that the engine plays otherwise of its own accord, or all of them."""
        if "ruleset" not in exchange.send:
            return exchange
        wanted = {**self.rules.defaults, **exchange.send.get("options", {})}
        chosen = {
            option: wanted[option]
            for option, value in self.declared.options.items()
            if explicit or wanted[option] != value
        }
        selectable = {option: value for option, value in chosen.items() if option in self.declared.selectable}
        return with_options(exchange, selectable)


def _departures(exchanges: Sequence[Exchange], outcome: Outcome, vague: frozenset[str]) -> list[Departure]:
    found: list[Departure] = []
    for difference, at in zip(outcome.graded.differences, outcome.places, strict=True):
        reply = _reply(outcome, exchanges, at)
        kind = _kind(exchanges[at], difference, reply, vague)
        if kind is not None:
            found.append(Departure(at, kind, difference.expected, difference.found, f"{difference.place}"))
    if outcome.broken_at >= 0:
        told = outcome.promises[0]
        found.append(Departure(outcome.broken_at, Kind("promise", told.partition(":")[0]), "kept", told))
    if outcome.status is Status.ERROR:
        at = outcome.asked - 1
        found.append(Departure(at, Kind("error", str(exchanges[at].send["op"])), "an answer", outcome.told))
    return sorted(found, key=lambda departure: departure.at)


def _reply(outcome: Outcome, exchanges: Sequence[Exchange], at: int) -> Data:
    """Find the answer to an exchange among everything that was said."""
    send = exchanges[at].send
    number = sum(exchange.send["op"] == send["op"] for exchange in exchanges[: at + 1])
    said = [one for one in outcome.transcript if one["send"]["op"] == send["op"]]
    if send["op"] == "observe":  # others were sent to look after the promises
        return {}
    return dict(said[number - 1].get("reply", {})) if number <= len(said) else {}


def _kind(exchange: Exchange, difference: Difference, reply: Data, vague: frozenset[str]) -> Kind | None:
    """Say what kind of difference it is; nothing where two right engines may differ."""
    wanted = tuple(sorted(exchange.expect.get("codes", ())))
    given = tuple(sorted(reply.get("codes") or ()))
    if difference.grade == Grade.CODE:
        return (
            None
            if set(wanted) & set(given) or vague & {*wanted, *given}
            else Kind("code", "", (*wanted, "not", *given))
        )
    if difference.grade == Grade.VERDICT and difference.place == "committed":
        return Kind("accepted", "", wanted) if difference.found is True else Kind("refused", "", given)
    return Kind(str(difference.grade), _place(difference))


def _place(difference: Difference) -> str:
    """Name a place without its owner, so that what happens to one seat is the same as what happens to another."""
    name = difference.place.partition(".")
    return name[2] or name[0] if difference.grade == Grade.SCORE else name[0]
