"""A campaign: shards put to an executor until there are enough of them or the time is up, each kept as soon as it is finished."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any, Final

from canasta_conformance.fuzzing.journal import Journal
from canasta_conformance.fuzzing.shards import Plan, run_shard

Data = dict[str, Any]
Doing = dict["Future[Data]", int]

AHEAD: Final = 2
"""So many shards for each worker are put to the executor at a time."""

LOST: Final = "the worker died"


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
        for number in suspects:
            if self._run(open_executor, iter([number]), Limits(), 1):
                self._keep(lost(self.journal.plan, number))
        if suspects and (limits.shards is not None or limits.seconds is None):
            self.run(open_executor, limits)

    def _numbers(self, limits: Limits) -> Iterator[int]:
        numbers = count() if limits.shards is None else iter(range(limits.shards))
        return (number for number in numbers if number not in self.done)

    def _run(
        self, open_executor: Callable[[], Executor], numbers: Iterator[int], limits: Limits, most: int
    ) -> list[int]:
        """Carry shards out, and list those that were under way when a worker died."""
        until = None if limits.seconds is None else monotonic() + limits.seconds
        doing: Doing = {}
        with open_executor() as executor:
            try:
                while True:
                    while len(doing) < most and (until is None or monotonic() < until):
                        number = next(numbers, None)
                        if number is None:
                            break
                        doing[executor.submit(run_shard, self.journal.plan, number)] = number
                    if not doing:
                        return []
                    for future in wait(doing, return_when=FIRST_COMPLETED).done:
                        self._keep(future.result())
                        del doing[future]
            except BrokenExecutor:
                return sorted(doing.values())
            finally:
                for future in doing:
                    future.cancel()

    def _keep(self, result: Data) -> None:
        self.journal.keep(result)
        self.done.add(result["shard"])
        self.found += len(result["findings"])
        self.progress(f"{len(self.done)} shards, {self.found} findings")


def lost(plan: Plan, number: int) -> Data:
    """Give the result of a shard that could not be carried out, since it kills whoever tries."""
    return {
        "shard": number, "ruleset": plan.rulesets[number % len(plan.rulesets)], "engine": plan.address, "deals": 0,
        "turns": {}, "unsure": 0, "codes": {}, "ends": {}, "relations": {}, "unsupported": {}, "kinds": {LOST: 1},
        "findings": [{"kind": LOST, "clause": "", "told": "the process that played this shard ended, twice"}], "stopped": LOST,
    }  # fmt: skip
