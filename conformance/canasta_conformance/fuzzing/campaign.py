"""A campaign: shards put to an executor until there are enough of them or the time is up, each kept as soon as it is finished.

An executor tells the death of a worker by an exception of its own (a pool of processes by one, a cluster by another), so any
exception of a shard is the loss of that shard, and of no other.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any, Final

from canasta_conformance.fuzzing.journal import Journal
from canasta_conformance.fuzzing.shards import Plan, run_shard
from canasta_conformance.stream import clean

Data = dict[str, Any]
Doing = dict["Future[Data]", int]

MOST_TOLD: Final = 500

AHEAD: Final = 2
"""So many shards for each worker are put to the executor at a time."""

LOST: Final = "the worker died"
"""What a shard is stopped by, and its finding called, of which nothing came back."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a campaign goes on: so many shards in all, or so many seconds from now."""

    shards: int | None = None
    seconds: float | None = None


def _silent(_: str) -> None:
    """Nobody watches."""


class Campaign:
    """The work of carrying a campaign on."""

    def __init__(self, journal: Journal, jobs: int, progress: Callable[[str], None] = _silent) -> None:
        """Know what is finished, and how many shards may be under way."""
        self.journal, self.jobs, self.progress = journal, jobs, progress
        self.done = journal.finished()
        self.found = 0

    def run(self, open_executor: Callable[[], Executor], limits: Limits) -> None:
        """Carry out what is not finished; a shard that kills its worker is tried once more alone, and then told."""
        suspects = self._run(open_executor, self._numbers(limits), limits, self.jobs * AHEAD)
        for number in sorted(suspects):
            again = self._run(open_executor, iter([number]), Limits(), 1)
            if again:
                self._keep(lost(self.journal.plan, number, again[number]))
        if suspects and (limits.shards is not None or limits.seconds is None):
            self.run(open_executor, limits)

    def _numbers(self, limits: Limits) -> Iterator[int]:
        numbers = count() if limits.shards is None else iter(range(limits.shards))
        return (number for number in numbers if number not in self.done)

    def _run(
        self, open_executor: Callable[[], Executor], numbers: Iterator[int], limits: Limits, most: int
    ) -> dict[int, BaseException]:
        """Carry shards out, and tell of which nothing came back, with what happened instead.

        After the end of the executor itself those that were under way are among them; else the others go on.
        """
        suspects: dict[int, BaseException] = {}
        until = None if limits.seconds is None else monotonic() + limits.seconds
        doing: Doing = {}
        with open_executor() as executor:
            try:
                while True:
                    while len(doing) < most and (until is None or monotonic() < until):
                        number = next(numbers, None)
                        if number is None:
                            break
                        try:
                            doing[executor.submit(run_shard, self.journal.plan, number)] = number
                        except Exception as fault:  # noqa: BLE001 - each executor refuses by an exception of its own
                            return suspects | dict.fromkeys((number, *doing.values()), fault)
                    if not doing:
                        return suspects
                    for future in wait(doing, return_when=FIRST_COMPLETED).done:
                        lost_by = _fault_of(future)
                        if isinstance(lost_by, BrokenExecutor):
                            return suspects | dict.fromkeys(doing.values(), lost_by)
                        number = doing.pop(future)
                        if lost_by is None:
                            self._keep(future.result())
                        else:
                            suspects[number] = lost_by
            finally:
                for future in doing:
                    future.cancel()

    def _keep(self, result: Data) -> None:
        self.journal.keep(result)
        self.done.add(result["shard"])
        self.found += len(result["findings"])
        self.progress(f"{len(self.done)} shards, {self.found} findings")


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
