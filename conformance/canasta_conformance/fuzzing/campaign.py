"""A campaign: shards put to an executor until there are enough of them or the time is up, each kept as soon as it is finished.

An executor tells the death of a worker by an exception of its own (a pool of processes by one, a cluster by another), so any
exception of a shard is the loss of that shard, and of no other.

When the time is up, each shard that is under way cuts itself off as soon as it can. Whoever has not done so a little later is ended.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count
from time import time
from typing import Any, Final

from canasta_conformance.fuzzing.cut_off import OUT_OF_TIME
from canasta_conformance.fuzzing.executors import end_workers
from canasta_conformance.fuzzing.journal import Journal
from canasta_conformance.fuzzing.shards import Conditions, Plan, run_shard
from canasta_conformance.stream import clean
from canasta_conformance.workers import uninterrupted

Data = dict[str, Any]
Doing = dict["Future[Data]", int]

MOST_TOLD: Final = 500

AHEAD: Final = 2
"""So many shards for each worker are put to the executor at a time."""

STEP: Final = 1.0
"""So many seconds at most pass between two words of progress."""

GRACE: Final = 5.0
"""So many seconds after its time a shard is waited for: it may be putting a deal to the engine, or wait for its answer."""

REPORTING: Final = 20.0
"""So many seconds lie between two reports while the campaign goes on, or so many times as long as writing one takes."""

LOST: Final = "the worker died"
"""What a shard is stopped by, and its finding called, of which nothing came back."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a campaign goes on: so many shards in all, or until a time of the system's clock."""

    shards: int | None = None
    until: float | None = None

    def passed(self, grace: float = 0.0) -> bool:
        """Ask whether the time is up, and some more."""
        return self.until is not None and time() >= self.until + grace


def _silent(_: str) -> None:
    """Nobody watches."""


class Campaign:
    """The work of carrying a campaign on."""

    def __init__(
        self, journal: Journal, jobs: int, progress: Callable[[str], None] = _silent, *, shared: bool = True
    ) -> None:
        """Know what is finished, and how many shards may be under way; ``shared`` says that the workers see the folder, too."""
        self.journal, self.jobs, self.progress, self.shared = journal, jobs, progress, shared
        self.done = journal.finished()
        self.found = 0
        self.cut = False
        self.began = time()
        self.next_report = 0.0

    def run(self, open_executor: Callable[[], AbstractContextManager[Executor]], limits: Limits) -> None:
        """Carry out what is not finished; a shard that kills its worker is tried once more alone, and then told."""
        suspects = self._run(open_executor, self._numbers(limits), limits, self.jobs * AHEAD)
        for number in sorted(suspects):
            again = self._run(open_executor, iter([number]), Limits(until=limits.until), 1)
            if again:
                self._keep(lost(self.journal.plan, number, again[number]))
        if suspects and not limits.passed():
            self.run(open_executor, limits)

    def _numbers(self, limits: Limits) -> Iterator[int]:
        numbers = count() if limits.shards is None else iter(range(limits.shards))
        return (number for number in numbers if number not in self.done)

    def _run(
        self,
        open_executor: Callable[[], AbstractContextManager[Executor]],
        numbers: Iterator[int],
        limits: Limits,
        most: int,
    ) -> dict[int, BaseException]:
        """Carry shards out, and tell of which nothing came back, with what happened instead.

        After the end of the executor itself those that were under way are among them; else the others go on. Those that are ended
        because the time is up are not.
        """
        suspects: dict[int, BaseException] = {}
        doing: Doing = {}
        with open_executor() as executor:
            try:
                while True:
                    while len(doing) < most and not limits.passed() and not self.cut:
                        number = next(numbers, None)
                        if number is None:
                            break
                        try:
                            doing[self._submit(executor, number, limits)] = number
                        except Exception as fault:  # noqa: BLE001 - each executor refuses by an exception of its own
                            return suspects | dict.fromkeys((number, *doing.values()), fault)
                    if not doing:
                        return suspects
                    broken = self._wait(doing, suspects)
                    if broken:
                        return suspects | dict.fromkeys(doing.values(), broken)
                    if doing and limits.passed(GRACE):
                        end_workers(executor)
                        return suspects
            except KeyboardInterrupt:
                end_workers(executor)
                raise
            finally:
                for future in doing:
                    future.cancel()

    def _wait(self, doing: Doing, suspects: dict[int, BaseException]) -> BaseException | None:
        """Wait a moment for shards, and keep what came of them; give what happened where the executor itself has ended."""
        for future in wait(doing, STEP, FIRST_COMPLETED).done:
            lost_by = _fault_of(future)
            if isinstance(lost_by, BrokenExecutor):
                return lost_by
            number = doing.pop(future)
            if lost_by is None:
                self._keep(future.result())
            else:
                suspects[number] = lost_by
        self._tell(doing)
        return None

    def _submit(self, executor: Executor, number: int, limits: Limits) -> "Future[Data]":
        beside = self.journal.beside(number) if self.shared else None
        conditions = Conditions(limits.until, beside, self.journal.before(number))
        with uninterrupted():
            return executor.submit(run_shard, self.journal.plan, number, conditions)

    def _tell(self, doing: Doing) -> None:
        """Say how far it has come, and write down what was found, but for most of the time do something else."""
        begun = [result for number in doing.values() if (result := self.journal.before(number))]
        found = self.found + sum(len(result["findings"]) for result in begun)
        self.progress(f"{len(self.done)} shards, {found} findings, {time() - self.began:.0f} s")
        if found and time() >= self.next_report:
            began = time()
            self.journal.report()
            self.next_report = time() + REPORTING * max(1.0, time() - began)

    def _keep(self, result: Data) -> None:
        self.journal.keep(result)
        if result["stopped"] == OUT_OF_TIME:
            self.cut = True  # also where the clock of that machine is ahead
        else:
            self.done.add(result["shard"])
        self.found += len(result["findings"])


def _fault_of(future: "Future[Data]") -> BaseException | None:
    """Give what happened instead of a result, also where somebody called the shard off."""
    try:
        return future.exception()
    except CancelledError as fault:
        return fault


def lost(plan: Plan, number: int, fault: BaseException) -> Data:
    """Give the result of a shard that could not be carried out, since it kills whoever tries, with the name of what happened."""
    told = f"nothing came of shard {number}, twice; {type(fault).__name__}: {fault}"
    return {
        "shard": number, "ruleset": plan.rulesets[number % len(plan.rulesets)], "engine": plan.address, "deals": 0,
        "turns": {}, "unsure": 0, "codes": {}, "ends": {}, "relations": {}, "unsupported": {}, "kinds": {LOST: 1},
        "findings": [{"kind": LOST, "clause": "", "told": clean(told[:MOST_TOLD])}], "stopped": LOST,
    }  # fmt: skip
