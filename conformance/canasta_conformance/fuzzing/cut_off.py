"""Shards that are cut off when the time is up, and what is kept of them until they are played to their end.

A shard that was cut off is no function of the plan any more, so it is never taken for finished. Whoever goes on plays it again from its
beginning, but need not make small again what has been made small: that comes out the same.
"""

from dataclasses import dataclass
from time import time
from typing import Any, Final

Data = dict[str, Any]

OUT_OF_TIME: Final = "the time was up"
"""What a shard is stopped by that was cut off."""


@dataclass(slots=True)
class Deadline:
    """A time of the system's clock, which the machines of a cluster share, and whether anything was left undone because of it."""

    until: float | None = None
    cut: bool = False

    def passed(self) -> bool:
        """Ask whether the time is up, before something is done that would then be left undone."""
        self.cut = self.cut or (self.until is not None and time() >= self.until)
        return self.cut


def small_findings(result: Data | None) -> dict[str, Data]:
    """Give the findings of a shard, by their kinds, that were not cut off while they were made small."""
    return {found["kind"]: found for found in (result or {"findings": []})["findings"] if not found.get("cut")}


def further(before: Data | None, now: Data) -> Data:
    """Of two times that one shard was cut off give the one that came further, with each finding as small as it is known."""
    if before is None:
        return now
    least, most = sorted((before, now), key=_how_far)
    small = small_findings(least)
    return {**most, "findings": [small.get(f["kind"], f) if f.get("cut") else f for f in most["findings"]]}


def _how_far(result: Data) -> tuple[int, int, int]:
    return result["deals"], sum(result["kinds"].values()), len(result["findings"])
