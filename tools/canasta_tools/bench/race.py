"""A race: contenders do the same kind of work by turns, and the median of each is set against the first one's.

Seconds depend on the machine and on what else it does; a ratio of CPU times measured side by side hardly does. So
contenders run by turns, not one after the other, and only ratios leave this module.
"""

import gc
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to do the work: each call does a fair amount of it and says how many units that was."""

    name: str
    work: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Race:
    """A question with its yardstick, which is the first contender, and the unit in which work is counted."""

    name: str
    title: str
    unit: str
    contenders: tuple[Contender, ...]
    absent: tuple[str, ...] = ()
    """Contenders that cannot run here, each with the reason; a result without them must say so."""


@dataclass(frozen=True, slots=True)
class Place:
    """How one contender came in: ``ratio`` is how many times as fast as the yardstick it was, by medians.

    ``low`` and ``high`` are the same ratio for its slowest and its fastest run.
    """

    name: str
    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Result:
    """A race that was run: the places in the order of its contenders."""

    race: Race
    repeats: int
    places: tuple[Place, ...]


def cpu_seconds() -> float:
    """Say how much CPU time this process and its finished children have used."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def seconds_a_unit(work: Callable[[], int]) -> float:
    """Time one call.

    Raises:
        ValueError: when the call did no work, for then there is nothing to compare.
    """
    gc.collect()
    start = cpu_seconds()
    units = work()
    spent = cpu_seconds() - start
    if units <= 0 or spent <= 0:
        raise ValueError(f"{units} units in {spent} seconds of CPU time: too little work to measure")
    return spent / units


def run(race: Race, repeats: int) -> Result:
    """Warm everyone up once, then let them run by turns."""
    for contender in race.contenders:
        contender.work()
    timings: dict[str, list[float]] = {contender.name: [] for contender in race.contenders}
    for _ in range(repeats):
        for contender in race.contenders:
            timings[contender.name].append(seconds_a_unit(contender.work))
    return Result(race, repeats, places(race.contenders, timings))


def places(contenders: Sequence[Contender], timings: dict[str, list[float]]) -> tuple[Place, ...]:
    """Set everyone's times a unit against the median of the first."""
    yardstick = statistics.median(timings[contenders[0].name])
    return tuple(
        Place(
            name=contender.name,
            ratio=yardstick / statistics.median(timings[contender.name]),
            low=yardstick / max(timings[contender.name]),
            high=yardstick / min(timings[contender.name]),
        )
        for contender in contenders
    )
