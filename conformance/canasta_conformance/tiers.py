"""The core of the suite, as it was last measured: as few cases as notice every fault that the whole suite notices."""

import json
from collections.abc import Iterable
from typing import Final

from canasta_conformance.places import folder

CORE: Final = "core"
"""The name of the tier, in the manifest and on the command line."""

FILE: Final = "core.json"


def core_cases() -> frozenset[str]:
    """Read the ids of the cases that were found to be the core; none where nothing was written down."""
    try:
        told = json.loads((folder("power") / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return frozenset()
    return frozenset(told["cases"])


def written(cases: Iterable[str], suite: str) -> str:
    """Write the core down, with the digest of the suite that was measured."""
    return json.dumps({"tier": CORE, "measured": suite, "cases": sorted(cases)}, indent=1) + "\n"
