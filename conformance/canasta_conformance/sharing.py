"""A run shared among processes, each with an engine of its own.

The forms are divided into portions of one rule set with one choice of options, which an engine then has to make ready only once. Each
process takes the next portion when it is done with one. The seed settles the order within a portion, and which portion is the next.
"""

import hashlib
import multiprocessing
import os
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing.synchronize import Barrier
from threading import BrokenBarrierError
from typing import Any, Final

from canasta_conformance.connecting import Engine, opener
from canasta_conformance.limiting import limited
from canasta_conformance.running import Item, Run, Settings, end_record
from canasta_conformance.suite import Case, Suite
from canasta_conformance.workers import RUNNING, Processes, end_with_parent, uninterrupted

Record = dict[str, Any]

PORTION: Final = 24
"""So many forms a process takes at once, so that none is left with much when the others are done."""

AHEAD: Final = 2
"""So many portions for each process are handed out at a time, so that none waits for its next."""

_OTHERS_END: Final = 60.0
"""So many seconds are waited for the others to come to their end."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one portion: how the stream begins, the results, why this process cannot go on, and its restarts so far."""

    head: Record
    results: list[Record]
    stopped: str
    process: int
    restarts: int


@dataclass(slots=True)
class SharedRun:
    """One run, put to as many engines as there are processes."""

    run: Run
    """The run as one process would do it; it opens no engine here."""
    jobs: int
    _executor: Processes | None = None
    _unasked: list[str] = field(default_factory=list)
    _stopped: str = ""
    _restarts: dict[int, int] = field(default_factory=dict)

    def records(self) -> Iterator[Record]:
        """Give the records of the run as they come: ``run``, the results of each portion when it is done, ``end``.

        Raises:
            DeclarationError: when the engine declares what there is not.
        """
        counts: Counter[str] = Counter()
        headed = False
        for answered in self._answered():
            if not headed:
                yield answered.head
            headed = True
            for result in answered.results:
                self.run.progress(result["case"])
                counts[result["status"]] += 1
                yield result
        yield end_record(counts, self._unasked, self._stopped)

    def kill(self) -> None:
        """End all processes at once, each with its engine."""
        if self._executor is not None:
            self._executor.end()
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def _answered(self) -> Iterator[Answered]:
        """Hand portions out, and give what came of each; what is left when a process breaks down has not been asked."""
        divided = portions(self.run.items, self.run.settings.seed)
        waiting, doing = deque(range(len(divided))), dict[Future[Answered], int]()
        executor = self._opened()
        try:
            while waiting or doing:
                while waiting and len(doing) < AHEAD * self.jobs:
                    with uninterrupted():
                        doing[executor.submit(_answer, waiting[0], self._restarts)] = waiting[0]
                    waiting.popleft()
                for future in wait(doing, return_when=FIRST_COMPLETED).done:
                    answered = future.result()
                    del doing[future]
                    self._restarts[answered.process] = answered.restarts
                    self._stopped = self._stopped or answered.stopped
                    yield answered
            for parting in [executor.submit(_part) for _ in range(self.jobs)]:
                self._unasked += parting.result()
            executor.shutdown()
            self._executor = None
        except BrokenExecutor:
            self._stopped = self._stopped or "a process that asked the engine has ended"
            lost = [item for number in (*doing.values(), *waiting) for item in divided[number]]
            yield Answered(self.run.head(), [self.run.not_asked(item) for item in lost], self._stopped, 0, 0)

    def _opened(self) -> Processes:
        # A forked process has read the suite already.
        ways = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if "fork" in ways else None)
        self._executor = Processes(self.jobs, context, _begin, (_Share.of(self.run), context.Barrier(self.jobs)))
        return self._executor


def portions(items: Sequence[Item], seed: int) -> list[tuple[Item, ...]]:
    """Divide forms into portions of one rule set and one choice of options, in an order that the seed settles."""

    def rules(item: Item) -> tuple[str, list[tuple[str, str]]]:
        return item.case.ruleset, sorted(item.case.options.items())

    divided = [
        same[at : at + PORTION]
        for same in (tuple(group) for _, group in groupby(sorted(items, key=rules), rules))
        for at in range(0, len(same), PORTION)
    ]
    return sorted(divided, key=lambda portion: hashlib.sha256(f"{seed}/{portion[0].id}".encode()).hexdigest())


# -- in each process -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Share:
    """What a process needs to ask by itself."""

    address: str
    suite: Suite
    cases: tuple[Case, ...]
    settings: Settings
    seconds: tuple[float, float]

    @classmethod
    def of(cls, run: Run) -> "_Share":
        """Take it from a whole run."""
        cases = tuple(dict.fromkeys(item.case.id for item in run.items))
        chosen = tuple(run.suite.cases[case] for case in cases)
        return cls(run.address, run.suite, chosen, run.settings, (run.engine.start_seconds, run.engine.request_seconds))

    def run(self) -> Run:
        """Make the run of this process."""
        engine = Engine(limited(opener(self.address)), self.suite.digest, *self.seconds)
        return Run(engine, self.address, self.suite, self.cases, self.settings)


class _Asking:
    """What a process asks by, and how far it has come."""

    def __init__(self, share: _Share, all_end: Barrier) -> None:
        """Begin with an engine that is not yet started."""
        self.run, self.all_end = share.run(), all_end
        self.portions = portions(self.run.items, self.run.settings.seed)
        self.begun = False
        self.fault: Record | None = None

    def answer(self, number: int, restarts: dict[int, int]) -> Answered:
        if not self.begun:
            self.fault, self.begun = self.run.begin(), True
        here = os.getpid()
        self.run.elsewhere = sum(spent for process, spent in restarts.items() if process != here)
        results = list(self.run.results(self.portions[number], self.fault))
        return Answered(self.run.head(), results, self.run.stopped, here, self.run.restarts)


_HERE: Final[list[_Asking]] = []
"""What this process asks by; one, once it has begun."""


def _begin(share: _Share, all_end: Barrier) -> None:
    """Make ready what a process asks by."""
    end_with_parent()
    asking = _Asking(share, all_end)
    RUNNING.append(asking.run.engine)
    _HERE.append(asking)


def _answer(number: int, restarts: dict[int, int]) -> Answered:
    """Ask one portion, knowing how many restarts each process had spent."""
    return _HERE[0].answer(number, restarts)


def _part() -> list[str]:
    """End the engine of this process; give what it did that nobody asked for.

    Every process gets exactly one of these tasks, for it stays in it until all have one.
    """
    run = _HERE[0].run
    run.part()
    with suppress(BrokenBarrierError):
        _HERE[0].all_end.wait(_OTHERS_END)
    return run.unasked
