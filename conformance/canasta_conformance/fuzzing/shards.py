"""One shard of a campaign: some deals of one rule set, a pure function of the plan and the shard's number."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from canasta.shuffle import SplitMix64, derive
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import Declared, declarations
from canasta_conformance.faults import EngineFaultError, FaultKind
from canasta_conformance.fuzzing.cut_off import OUT_OF_TIME, Deadline, further, small_findings
from canasta_conformance.fuzzing.findings import Origin, case_of, clause_at_stake
from canasta_conformance.fuzzing.probing import Departure, Probe
from canasta_conformance.fuzzing.putting import put
from canasta_conformance.fuzzing.recording import recorded
from canasta_conformance.fuzzing.relations import RELATIONS, Base
from canasta_conformance.fuzzing.scripts import Script, script
from canasta_conformance.fuzzing.shrinking import Small, shrink
from canasta_conformance.fuzzing.swarm import options_drawn
from canasta_conformance.messages import refusal
from canasta_conformance.reports.summary import shown
from canasta_conformance.serving import isolated
from canasta_conformance.suite import Exchange, read_suite
from canasta_conformance.workers import RUNNING, WRITING
from canasta_conformance.writing import write

Data = dict[str, Any]

MOST_FAULTS: Final = 3
"""After so many crashes, hangs or the like a shard is broken off: each costs a start, or the whole time limit."""

MOST_FINDINGS: Final = 40
"""After so many departures a shard is broken off: an engine that is wrong everywhere is not asked for ever."""

SMALL: Final = 4
"""So many kinds of finding of one shard are made small; the others are kept as they were played, and made small by other shards."""

FUTILE: Final = 5
"""After so many deals of which no turn could be asked a shard is broken off: an engine that lacks what every deal needs gets no further."""

REFERENCE: Final = "the reference"

_CHOOSING, _RELATING = 1, 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is, but for how long it goes on: shards of the same plan and number are the same."""

    address: str
    rulesets: tuple[str, ...]
    seed: int
    examples: int = 200
    """So many turns make a shard; its last deal is played to the end."""
    request_seconds: float = 5.0
    start_seconds: float = 10.0

    def data(self) -> Data:
        """Give it as plain data."""
        return {**asdict(self), "rulesets": list(self.rulesets)}

    @classmethod
    def of(cls, data: Data) -> "Plan":
        """Read it from plain data."""
        return cls(**{**data, "rulesets": tuple(data["rulesets"])})


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a shard is played under, none of which changes what comes of one that is played to its end.

    ``until`` is when it is cut off, by the clock of the system; ``beside`` is the file into which is put what was found so far, as soon
    as it is; ``before`` is what came of the shard when it was cut off before.
    """

    until: float | None = None
    beside: Path | None = None
    before: Data | None = None


def run_shard(plan: Plan, number: int, conditions: Conditions | None = None) -> Data:
    """Play a shard, and give what was met and found in it."""
    return _Shard(plan, number, conditions or Conditions()).result()


class _Shard:
    """The work of one shard."""

    def __init__(self, plan: Plan, number: int, conditions: Conditions) -> None:
        self.plan, self.number, self.conditions = plan, number, conditions
        self.deadline = Deadline(conditions.until)
        self.known = small_findings(conditions.before)
        self.suite = read_suite()
        self.ruleset = plan.rulesets[number % len(plan.rulesets)]
        self.engine = Engine(isolated(plan.address), self.suite.digest, plan.start_seconds, plan.request_seconds)
        self.name = plan.address
        self.turns: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.relations: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.findings: list[Data] = []
        self.unsupported: Counter[str] = Counter()
        self.deals = self.unsure = self.faults = self.reached = 0
        self.stopped = ""

    def result(self) -> Data:
        RUNNING.append(self.engine)
        try:
            if not self.deadline.passed():
                self._play()
        finally:
            self.engine.end()
            RUNNING.remove(self.engine)
        return self._cut_off() if self.deadline.cut else self._told()

    def _cut_off(self) -> Data:
        """Give what came of it until now, as of a shard that has not been played to its end."""
        return further(self.conditions.before, {**self._told(), "stopped": OUT_OF_TIME})

    def _told(self) -> Data:
        return {
            "shard": self.number, "ruleset": self.ruleset, "engine": self.name, "deals": self.deals,
            "turns": _sorted(self.turns), "unsure": self.unsure, "codes": _sorted(self.codes), "ends": _sorted(self.reasons),
            "relations": _sorted(self.relations), "unsupported": _sorted(self.unsupported), "kinds": _sorted(self.kinds),
            "findings": self.findings, "stopped": self.stopped,
        }  # fmt: skip

    # -- the engine --------------------------------------------------------------------------------------------------

    def _greeted(self) -> tuple[Data, Declared, int] | None:
        """Let the engine say who it is, and see what it can be asked; else say why the shard is not played."""
        for attempt in (1, 2):
            try:
                hello = self.engine.greet()
                break
            except EngineFaultError as fault:
                if attempt > 1:
                    self._fault_alone(fault)
                    return None
        if refusal(hello):
            self.stopped = f"hello was answered by {refusal(hello)}"
            return None
        self.name = f"{hello['engine']['name']} {hello['engine']['version']}"
        declared = declarations(hello, self.suite.rules).get(self.ruleset)
        level = next(
            (n for n, op in ((2, "start"), (1, "load")) if n in hello["levels"] and op in hello["operations"]), 0
        )
        if declared is None or not level or "turn" not in hello["operations"]:
            self.stopped = (
                f"it does not play {self.ruleset}" if declared is None else "it can neither be dealt to nor set up"
            )
            return None
        return hello, declared, level

    def _fault_alone(self, fault: EngineFaultError) -> None:
        self.stopped = f"{fault.kind}: {fault.text}"
        self.kinds[str(fault.kind)] += 1
        told = {"kind": str(fault.kind), "clause": "", "told": fault.text, "log": fault.log}
        self.findings.append(told)

    # -- deals -------------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        greeted = self._greeted()
        if greeted is None:
            return
        hello, declared, level = greeted
        rules = self.suite.rules[self.ruleset]
        probe = Probe(self.engine, hello["operations"], rules, declared)
        while sum(self.turns.values()) < self.plan.examples and not self.stopped and not self.deadline.passed():
            seed = derive(self.plan.seed, self.number, self.deals)
            self.deals += 1
            options = options_drawn(declared, rules, SplitMix64(derive(seed, _CHOOSING)))
            made = script(self.ruleset, options, seed, level, declared.house_rules)
            found = self._departed(probe, made, made.exchanges, declared)
            self._met(made, self.reached)
            if self.deals == FUTILE and not any(kind != "none" for kind in self.turns) and not self.stopped:
                self.stopped = f"no turn of {FUTILE} deals could be asked"
            generator = SplitMix64(derive(seed, _RELATING))
            if not found and not generator.below(2) and not self.deadline.passed():
                self._relate(probe, made, generator, declared)

    def _met(self, made: Script, reached: int) -> None:
        # A deal of which no turn was asked is an example as well, or a shard might never end.
        self.turns.update(made.turns_until(reached - 1) or {"none": 1})
        for exchange in made.exchanges[:reached]:
            self.codes.update(exchange.expect.get("codes", ()))
        self.reasons.update([made.reason or "unfinished"] if reached >= len(made.exchanges) else ())
        self.unsure += made.unsure
        for fault in made.faults:
            self._reference(fault, made)

    def _relate(self, probe: Probe, made: Script, generator: SplitMix64, declared: Declared) -> None:
        relation = RELATIONS[generator.below(len(RELATIONS))]
        base = Base(made.exchanges, probe.rules, generator, declared.house_rules)
        related = relation(base)
        if related is None:
            return
        self.relations[relation.name] += 1
        for broken in related.broken:
            self._reference(f"the relation {relation.name} does not hold: {broken}", made, relation.clause(probe.rules))
        for exchanges in related.scripts:
            if self.deadline.passed() or self._departed(
                probe, made, exchanges, declared, relation.name, explicit=related.explicit
            ):
                return

    def _reference(self, fault: str, made: Script, clause: str = "") -> None:
        """Note what the reference itself gets wrong; the engine has no part in it."""
        kind = f"{REFERENCE}: {fault.partition(':')[0]}"
        self.kinds[kind] += 1
        if self.kinds[kind] == 1:
            told = {
                "kind": kind,
                "clause": clause,
                "told": fault,
                "options": dict(made.options),
                "deal": self.deals - 1,
            }
            self.findings.append(told)

    # -- findings ----------------------------------------------------------------------------------------------------

    def _departed(
        self, probe: Probe, made: Script, exchanges: Sequence[Exchange], declared: Declared,
        relation: str = "", *, explicit: bool = False,
    ) -> bool:  # fmt: skip
        """Put a script; note the first departure in it, made small if it is the first of its kind."""
        found = probe(exchanges, explicit=explicit)
        self.reached = 0 if probe.unsupported else probe.reached  # what made it small is asked later
        if probe.unsupported:
            self.unsupported[probe.unsupported] += 1
        if not found:
            return False
        departure = found[0]
        kind = str(departure.kind)
        self.kinds[kind] += 1
        fault = departure.kind.what in list(FaultKind)
        if self.kinds[kind] == 1:
            self._note(probe, made, exchanges, departure, declared, relation)
        self.faults += fault
        if self.faults >= MOST_FAULTS:
            self.stopped = f"{self.faults} times {departure.kind.what}"
        elif sum(self.kinds.values()) >= MOST_FINDINGS:
            self.stopped = f"{MOST_FINDINGS} departures"
        return True

    def _note(
        self, probe: Probe, made: Script, exchanges: Sequence[Exchange], departure: Departure, declared: Declared, relation: str
    ) -> None:  # fmt: skip
        """Keep a finding, as it was played at once, and made small as soon as it is."""
        kind, house, fault = str(departure.kind), declared.house_rules, departure.kind.what in list(FaultKind)
        whole = sum("case" in told for told in self.findings) >= SMALL
        played = Small(list(exchanges[: departure.at + 1]), departure, 0)
        rest: Data = {"log": departure.told} if fault and departure.told else {}
        if not relation:
            rest["record"] = recorded(made.begun, exchanges, departure, self.name, house)
        if kind in self.known:
            self.findings.append(self.known[kind])
        elif whole:
            self.findings.append({**self._finding(played, house, relation), **rest, "whole": True})
        elif self.deadline.passed():
            self.findings.append({**self._finding(played, house, relation), **rest, "cut": True})
        else:
            if self.conditions.beside is not None:
                self.findings.append({**self._finding(played, house, relation), **rest, "cut": True})
                self._put_beside()
                self.findings.pop()
            small = shrink(probe, exchanges, departure, self.deadline, fault=fault, house_rules=house)
            how: Data = {"cut": True} if self.deadline.cut else {"steady": small.steady}
            self.findings.append({**self._finding(small, house, relation), **rest, **how})
        if not whole:
            # What comes next must not depend on whether it was made small just now or before.
            self.engine.kill()
        self._put_beside()

    def _put_beside(self) -> None:
        if self.conditions.beside is not None:
            with WRITING:
                put(self.conditions.beside, write(self._cut_off()))

    def _finding(self, small: Small, house: str, relation: str) -> Data:
        clause = clause_at_stake(self.ruleset, small.exchanges, small.departure, house)
        origin = Origin(self.plan.seed, self.number, self.deals - 1, self.name, relation)
        return {
            "kind": str(small.departure.kind),
            "clause": clause,
            "told": shown(small.departure.found),
            "case": case_of(small.exchanges, small.departure, clause, origin, house),
        }


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {str(name): counts[name] for name in sorted(counts) if counts[name]}
