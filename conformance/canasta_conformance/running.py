"""A run: every form of every chosen case put to one engine, in shuffled order, and a record of what came of each.

No fault of an engine costs another case its verdict: after each the engine is started afresh, the form is asked once more
alone, and the run goes on, as long as the budget of restarts lasts.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from canasta_conformance.asking import Asking, Outcome
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import Declared, asked, certain, declarations
from canasta_conformance.faults import EngineFaultError
from canasta_conformance.grading import FAULTS, FINDINGS, NOT_ASKED, Status
from canasta_conformance.stream import OTHERWISE, SCHEMA
from canasta_conformance.suite import Case, Exchange, Form, Suite

Data = Mapping[str, Any]
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run: the seed of the order, how many times, how many restarts, and whether every form gets a fresh process."""

    seed: int = 0
    repeat: int = 1
    restarts: int = 20
    isolated: bool = False
    levels: tuple[int, ...] = (0, 1, 2)
    tier: str = ""
    """Only the forms of this tier of the suite are asked."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """What else was chosen that may settle what comes of a form, by the names of the options, for whoever wants to ask again."""
    keep: bool = False
    """Whether what was said is kept of forms that went well, too."""


@dataclass(frozen=True, slots=True)
class Item:
    """One form of one case; ``index`` counts the forms of its case."""

    case: Case
    index: int
    form: Form

    @property
    def id(self) -> str:
        """The name of the form: the case and its place."""
        return f"{self.case.id}#{self.index}"


def _silent(_: str) -> None:
    """Nobody watches."""


class Run:
    """One run against one engine."""

    def __init__(
        self, engine: Engine, address: str, suite: Suite, cases: Sequence[Case], settings: Settings,
        progress: Callable[[str], None] = _silent,
    ) -> None:  # fmt: skip
        """Know what is to be asked; nothing is asked yet. ``progress`` is told which case comes next."""
        self.progress = progress
        self.engine, self.address, self.suite, self.settings = engine, address, suite, settings
        tier = suite.tiers.get(settings.tier) if settings.tier else None
        self.items = [
            Item(case, index, form)
            for case in cases
            for index, form in enumerate(case.forms)
            if form.level in settings.levels and (tier is None or index in tier.get(case.id, ()))
        ]
        self.hello: Data = {}
        self.declared: dict[str, Declared] = {}
        self.stopped = ""
        """Why the run could not go on, if it could not."""
        self.unasked: list[str] = []
        """What the engine did between two cases, without being asked: after which case, and what."""
        self.elsewhere = 0
        """How many restarts others have spent who share this run."""
        self._last = ""

    # -- the stream --------------------------------------------------------------------------------------------------

    def records(self) -> Iterator[Record]:
        """Give the records of the run as they come: ``run``, one ``result`` for each form as soon as it is settled, ``end``.

        The results stand in the order in which the forms were asked; a report puts them into an order of its own.

        Raises:
            DeclarationError: when the engine declares what there is not.
        """
        fault = self.begin()
        yield self.head()
        counts: Counter[str] = Counter()
        for result in self.results(self.items, fault):
            counts[result["status"]] += 1
            yield result
        self.part()
        yield end_record(counts, self.unasked, self.stopped)

    def head(self) -> Record:
        """Give the record that a stream begins with, once the engine has said who it is."""
        settings = {"seed": self.settings.seed, "repeat": self.settings.repeat}
        told = {key: self.hello[key] for key in ("engine", "rulesets", "levels", "operations") if key in self.hello}
        head = {"type": "run", "schema": SCHEMA, "suite": self.suite.digest, "address": self.address}
        chosen = {"chosen": dict(self.settings.chosen)} if self.settings.chosen else {}
        every = sum(len(case.forms) for case in self.suite.cases.values())
        return {**head, **told, **settings, **chosen, "forms": len(self.items), "of": every}

    def part(self) -> None:
        """End the engine, and note what it did that nobody asked for."""
        parting = self.engine.end()
        if parting is not None and self._last:
            self.unasked.append(f"after {self._last}: {parting.kind}: {parting.text}")

    def _greet(self) -> Record | None:
        """Let the engine say who it is; twice, for a start can fail by chance."""
        for attempt in (1, 2):
            try:
                self.hello = self.engine.greet()
            except EngineFaultError as fault:
                if attempt == 2:  # noqa: PLR2004 - the second and last
                    return _fault_record(fault)
            else:
                word = next((w for w in ("unsupported", "known_bug", "error") if w in self.hello), "")
                if not word:
                    return None
                return {"kind": "no-start", "text": refused_hello(self.hello, word)}
        return None

    # -- asking ------------------------------------------------------------------------------------------------------

    def ask(self, item: Item) -> Record:
        """Ask one form by itself, as those who run the suite within another runner do.

        Raises:
            DeclarationError: when the engine declares what there is not.
        """
        fault = None if self.hello else self.begin()
        return self._record(item, Status.NO_START, fault=fault) if fault else self._result(item)

    def not_asked(self, item: Item) -> Record:
        """Give the record of a form that was never put to the engine."""
        return self._record(item, Status.NOT_RUN)

    def kill(self) -> None:
        """End the engine at once."""
        self.engine.kill()

    def begin(self) -> Record | None:
        """Start the engine and read what it declares; give the fault if it could not be started.

        Raises:
            DeclarationError: when it declares what there is not.
        """
        fault = self._greet()
        if not fault:
            self.declared = declarations(self.hello, self.suite.rules)
        return fault

    def results(self, items: Sequence[Item], fault: Record | None) -> Iterator[Record]:
        """Give each result when it is settled, which with repetitions is in the last of them; by a ``fault`` nothing can be asked."""
        if fault:
            self.stopped = f"{fault['kind']}: {fault['text']}"
            yield from (self._record(item, Status.NO_START, fault=fault) for item in items)
            return
        first: dict[str, Record] = {}
        for again in range(self.settings.repeat):
            for item in self._shuffled(items, again):
                self.progress(item.case.id)
                result = self._result(item)
                before = first.setdefault(item.id, result)
                known = OTHERWISE in before.get("told", "") or Status.NOT_RUN in (before["status"], result["status"])
                if not known and _came(before) != _came(result):
                    then = result["status"] if result["status"] != before["status"] else "otherwise"
                    told = f"{before['status']} first, then {then} {OTHERWISE}"
                    first[item.id] = {**before, "status": Status.FLAKY, "told": told}
                if again == self.settings.repeat - 1:
                    yield first.pop(item.id)

    def _shuffled(self, items: Sequence[Item], again: int) -> list[Item]:
        """Put the forms in an order that the seed settles, another one for each repetition."""

        def key(item: Item) -> str:
            return hashlib.sha256(f"{self.settings.seed}/{again}/{item.id}".encode()).hexdigest()

        return sorted(items, key=key)

    def _result(self, item: Item) -> Record:
        lacking = self._lacking(item)
        if lacking:
            return self._record(item, Status.UNSUPPORTED, told=lacking)
        put = asked(item.case, item.form, self.declared[item.case.ruleset], self.suite.rules[item.case.ruleset])
        if put is None:
            return self._record(item, Status.OTHER_RULES)
        if self._spent():
            return self._record(item, Status.NOT_RUN)
        running = self.engine.running and not self.settings.isolated
        outcome, fault = self._once(item, put.exchanges)
        if fault is not None and fault.before and running and self._last and not _answered(outcome):
            # It happened before this case was put, so it is told by itself, and the case is asked as if it had not been.
            self.unasked.append(f"after {self._last}: {fault.kind}: {fault.text}")
            if self._spent():
                return self._record(item, Status.NOT_RUN)
            outcome, fault = self._once(item, put.exchanges)
        self._last = f"{item.case.id}, level {item.form.level}"
        if fault is not None:
            return self._after_fault(item, put.exchanges, fault)
        return self._record(item, outcome.summed(), outcome, declared=put.declared)

    def _lacking(self, item: Item) -> str:
        """Say what the engine would need for a form; empty when it has everything."""
        if item.case.ruleset not in self.declared:
            return f"ruleset {item.case.ruleset}"
        if item.form.level not in self.hello["levels"]:
            return f"level {item.form.level}"
        return next((op for op in item.form.operations if op not in self.hello["operations"]), "")

    @property
    def restarts(self) -> int:
        """How often the engine had to be started again."""
        return max(0, self.engine.starts - 1)

    def _spent(self) -> bool:
        if self.restarts + self.elsewhere > self.settings.restarts and not self.settings.isolated and not self.stopped:
            most = self.settings.restarts
            spent = f"{most} restart{' is' if most == 1 else 's are'} spent"
            self.stopped = f"{spent}; a case that fails again alone costs two"
        return bool(self.stopped)

    def _once(self, item: Item, exchanges: Sequence[Exchange]) -> tuple[Outcome, EngineFaultError | None]:
        rules = certain(self.suite.rules[item.case.ruleset], self.declared[item.case.ruleset])
        asking = Asking(self.engine, self.hello["operations"], rules)
        try:
            if self.settings.isolated and not self._fresh():
                self.engine.greet()
            before = self.engine.logged
            outcome = asking.ask(exchanges)
            # The answer to the first shows that nothing else was still to come after the last question, the answer to the second
            # that nothing came after that: what did come belongs to this form, not to the next.
            for _ in range(2):
                self.engine.ask({"op": "reset"})
            if outcome.summed() not in (Status.PASS, *NOT_ASKED):
                outcome.log = self.engine.log(before)
        except EngineFaultError as fault:
            return asking.outcome, fault
        return outcome, None

    def _fresh(self) -> bool:
        """Ask whether nothing has been asked of the running process yet."""
        return self.engine.running and self.engine.asked == 0

    def _after_fault(self, item: Item, exchanges: Sequence[Exchange], first: EngineFaultError) -> Record:
        """Ask once more, alone in a fresh process: the same again is the result, another thing is not to be relied on."""
        if self.restarts + self.elsewhere >= self.settings.restarts and not self.settings.isolated:
            return self._record(item, Status(first.kind), fault=_fault_record(first))
        try:
            self.engine.greet()
        except EngineFaultError as fault:
            self.stopped = f"it could not be started again: {fault.text}"
            return self._record(item, Status(first.kind), fault=_fault_record(first))
        outcome, second = self._once(item, exchanges)
        if second is not None and second.kind is first.kind:
            return self._record(item, Status(second.kind), outcome, fault=_fault_record(second))
        told = f"{first.kind} first, then {second.kind if second else outcome.summed()}"
        return self._record(item, Status.FLAKY, outcome, fault=_fault_record(first), told=told)

    def _record(
        self, item: Item, status: Status, outcome: Outcome | None = None, fault: Record | None = None,
        *, told: str = "", declared: bool = False,
    ) -> Record:  # fmt: skip
        """Write what came of a form; the requests and answers only where somebody will want to see them."""
        case = item.case
        record: Record = {
            "type": "result", "case": case.id, "form": item.index, "level": item.form.level, "ruleset": case.ruleset,
            "clauses": list(case.asserts), "must": case.level, "status": str(status),
        }  # fmt: skip
        if outcome is not None:
            record |= {"grades": dict(outcome.graded.grades)} if outcome.graded.grades else {}
            record |= (
                {"differences": [asdict(d) for d in outcome.graded.differences]} if outcome.graded.differences else {}
            )
            turn = _turn_of(item.form, outcome)
            record |= {"turn": turn} if turn else {}
            record |= {"unshown": outcome.graded.unshown} if outcome.graded.unshown else {}
            record |= {"promises": outcome.promises} if outcome.promises else {}
            record |= {"log": outcome.log} if outcome.log and not fault else {}
            told = told or outcome.told
        record |= {"told": told} if told else {}
        record |= {"declared": True} if declared else {}
        record |= {"fault": fault} if fault else {}
        if outcome is not None and outcome.transcript and (self.settings.keep or status is not Status.PASS):
            record["exchange"] = outcome.transcript
        return record


def end_record(counts: Counter[str], unasked: Sequence[str], stopped: str) -> Record:
    """Give the record that a stream ends with; without it none is believed."""
    complete = not stopped and not counts[Status.NOT_RUN]
    end: Record = {
        "type": "end",
        "results": counts.total(),
        "complete": complete,
        "counts": dict(sorted(counts.items())),
    }
    end |= {"unasked": list(unasked)} if unasked else {}
    return end | ({"stopped": stopped} if stopped else {})


def _came(result: Record) -> tuple[object, ...]:
    """Give what a repetition must have in common with the first time: the status, and what was wrong."""
    return tuple(result.get(key) for key in ("status", "differences", "promises"))


def _turn_of(form: Form, outcome: Outcome) -> str:
    """Say in which of the turns of a form the first difference was found; nothing where it plays no more than one."""
    turns = [at for at, exchange in enumerate(form.exchanges) if exchange.send["op"] == "turn"]
    if len(turns) < 2 or not outcome.places:  # noqa: PLR2004 - with a single turn there is no question which
        return ""
    number = sum(at <= outcome.places[0] for at in turns)
    return f"turn {number} of {len(turns)}" if number else "before the first turn"


def _answered(outcome: Outcome) -> bool:
    """Ask whether any request of a form has had its answer."""
    return any("reply" in said for said in outcome.transcript)


def refused_hello(reply: Data, word: str) -> str:
    """Say by what a hello was answered, and what the engine said of it."""
    told = reply.get("text") or reply.get("needs") or reply.get("url") or ""
    return f"hello was answered by {word}" + (f": {told}" if told else "")


def _fault_record(fault: EngineFaultError) -> Record:
    return {"kind": str(fault.kind), "text": fault.text, **({"log": fault.log} if fault.log else {})}


def findings(*, strict: bool) -> frozenset[Status]:
    """Name the statuses that are findings; with ``strict`` wrong reasons are, too."""
    return FINDINGS | ({Status.WRONG_REASON} if strict else frozenset())


def nothing_judged(counts: Mapping[str, int]) -> bool:
    """Ask whether an engine could be asked nothing at all, which is no success."""
    return {status for status, number in counts.items() if number} <= NOT_ASKED - {Status.NOT_RUN}


def exit_code(counts: Mapping[str, int], findings: frozenset[Status], unasked: Sequence[str] = ()) -> int:
    """Give the exit code of a run by what came of it, and by what the engine did between cases: 3 before 1 before 0."""
    if unasked or any(counts.get(status) for status in (*FAULTS, Status.NOT_RUN)):
        return 3
    return int(any(counts.get(status) for status in findings))
