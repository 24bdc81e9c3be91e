"""A race: contenders do the same kind of work by turns, and the median of each is set against the first one's.

Seconds depend on the machine and on what else it does; a ratio of CPU times measured side by side hardly does. So
contenders run by turns, not one after the other, and only ratios leave this module. Peak memory is raced the same way.
"""

import gc
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from typing import Final


class Measure(StrEnum):
    """What a contender is measured by; less of it is better."""

    CPU_TIME = "CPU time"
    PEAK_MEMORY = "peak memory"


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to do the work: each call does a fair amount of it and says how many units that was.

    Where memory is measured it says instead how much its process held at its peak.
    """

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
    measure: Measure = Measure.CPU_TIME


@dataclass(frozen=True, slots=True)
class Place:
    """How one contender came in: ``ratio`` is how many times as fast as the yardstick it was, by medians.

    Of memory it is how many times as little. ``low`` and ``high`` are the same ratio for its worst and its best run.
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
    if find_spec("resource") is None:
        times = os.times()
        return time.process_time() + times.children_user + times.children_system
    # Where it can be had: the times of os count in hundredths of a second, and a start takes one of them.
    resource = import_module("resource")
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + float(children.ru_utime) + float(children.ru_stime)


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


def peak(work: Callable[[], int]) -> float:
    """Take the peak that a call reports.

    Raises:
        ValueError: when it reports none.
    """
    held = work()
    if held <= 0:
        raise ValueError(f"a peak of {held}: nothing was measured")
    return held


_COSTS: Final = {Measure.CPU_TIME: seconds_a_unit, Measure.PEAK_MEMORY: peak}


def run(race: Race, repeats: int) -> Result:
    """Warm everyone up once, then let them run by turns; memory needs neither, for every run is a process of its own."""
    if race.measure is Measure.CPU_TIME:
        for contender in race.contenders:
            contender.work()
    else:
        repeats = 1
    cost = _COSTS[race.measure]
    costs: dict[str, list[float]] = {contender.name: [] for contender in race.contenders}
    # Nobody pays for what the others have loaded: the collector leaves alone all that was there before the first run.
    gc.collect()
    gc.freeze()
    try:
        for _ in range(repeats):
            for contender in race.contenders:
                costs[contender.name].append(cost(contender.work))
    finally:
        gc.unfreeze()
    return Result(race, repeats, places(race.contenders, costs))


def places(contenders: Sequence[Contender], costs: dict[str, list[float]]) -> tuple[Place, ...]:
    """Set everyone's costs against the median of the first."""
    yardstick = statistics.median(costs[contenders[0].name])
    return tuple(
        Place(
            name=contender.name,
            ratio=yardstick / statistics.median(costs[contender.name]),
            low=yardstick / max(costs[contender.name]),
            high=yardstick / min(costs[contender.name]),
        )
        for contender in contenders
    )
