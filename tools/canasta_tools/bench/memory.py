"""Whether memory stays flat: the peak of a process that does much beside that of one that does little."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from canasta.games import open_game
from canasta_tools.bench import matches
from canasta_tools.bench.race import Contender, Measure, Race

RECORDS = (100, 1_000, 10_000)
DEALS = (100, 1_000, 2_000)
DIFFERENT = 400
"""Records of a long file that differ from each other; from there on they come again."""


class FailedRunError(RuntimeError):
    """A process whose memory was to be measured did not end well."""


def peak_of(*command: str) -> int:
    """Run a command and give the most memory it held, in the unit of the system.

    A small process of its own starts it, because a child begins with the peak of the process that starts it.

    Raises:
        FailedRunError: when the command does not end with 0.
    """
    measured = [sys.executable, "-m", "canasta_tools.bench.peak", *command]
    ran = subprocess.run(measured, check=False, capture_output=True, text=True)  # noqa: S603 - our own commands
    if ran.returncode:
        raise FailedRunError(f"{' '.join(command)}: {ran.stderr.strip()}")
    return int(ran.stdout)


@contextlib.contextmanager
def file_of_records(number: int) -> Iterator[Path]:
    """Keep a file of so many records, a full deal each, as long as it is needed."""
    game = open_game(matches.RULES, by_face=True)
    different = [matches.text_of(matches.played(game, seed, 1)) for seed in range(min(number, DIFFERENT))]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{number}.cgn"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(text + "\n" for text in islice(cycle(different), number))
        yield path


def peak_of_checking(number: int) -> int:
    """Give the peak of `canasta check` on a file of so many records."""
    with file_of_records(number) as path:
        return peak_of(sys.executable, "-m", "canasta_tools.cli", "check", str(path))


def peak_of_playing(number: int) -> int:
    """Give the peak of a process that plays so many random deals, none like another."""
    return peak_of(sys.executable, "-m", "canasta_tools.bench.deals", str(number))


def checking() -> Race:
    """Ask whether the check of a long file needs more memory than that of a short one."""
    return _race("memory-check", "Memory of `canasta check`", "records", peak_of_checking, RECORDS)


def playing() -> Race:
    """Ask whether long play needs more memory than short play."""
    return _race("memory-play", "Memory of random play", "deals", peak_of_playing, DEALS)


def _race(name: str, title: str, what: str, work: Callable[[int], int], numbers: tuple[int, ...]) -> Race:
    if not hasattr(os, "wait4"):
        return Race(name, title, "process", (), ("this system does not tell how much memory a process held",))
    contenders = tuple(Contender(f"{number:,} {what}", partial(work, number)) for number in numbers)
    return Race(name, title, "process", contenders, measure=Measure.PEAK_MEMORY)
