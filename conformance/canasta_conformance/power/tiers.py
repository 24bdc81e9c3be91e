"""The core of the suite: as few cases as notice all faults that the suite notices at all, found greedily."""

import json
from collections.abc import Iterable
from typing import Final

from canasta_conformance.places import folder
from canasta_conformance.power.measuring import Outcome

CORE: Final = "core"


def core(outcomes: Iterable[Outcome]) -> list[str]:
    """Choose cases, each time the one that notices most of what is left; among equals the first by name."""
    killers: dict[str, set[int]] = {}
    for number, outcome in enumerate(outcomes):
        for notice in outcome.killers or outcome.elsewhere:
            killers.setdefault(notice.case, set()).add(number)
    left = set().union(*killers.values())
    chosen: list[str] = []
    while left:
        best = min(killers, key=lambda case: (-len(killers[case] & left), case))
        chosen.append(best)
        left -= killers.pop(best)
    return sorted(chosen)


def written(cases: Iterable[str]) -> str:
    """Write the core down."""
    return json.dumps({"tier": CORE, "cases": list(cases)}, indent=1) + "\n"


def remembered() -> frozenset[str]:
    """Read which cases were found to be the core when that was last measured; none where nothing was written down."""
    try:
        told = json.loads((folder("power") / "core.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return frozenset()
    return frozenset(told["cases"])
