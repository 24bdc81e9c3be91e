"""The core of the suite, as it was last measured: as few forms of cases as notice every fault that the whole suite notices."""

import json
from collections.abc import Mapping
from typing import Final

from canasta_conformance.places import folder

Core = Mapping[str, tuple[int, ...]]
"""By the id of each case that belongs to it the numbers of those forms that do, counted from 0."""

CORE: Final = "core"
"""The name of the tier, in the manifest and on the command line."""

FILE: Final = "core.json"


def core_cases() -> Core:
    """Read what was found to be the core; nothing where nothing was written down."""
    try:
        told = json.loads((folder("power") / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return {case: tuple(forms) for case, forms in told["forms"].items()}


def written(core: Core, suite: str) -> str:
    """Write the core down, with the digest of the suite that was measured; one line a case."""
    rows = ",\n".join(f"  {json.dumps(case)}: {json.dumps(list(forms))}" for case, forms in sorted(core.items()))
    return f'{{\n "tier": "{CORE}",\n "measured": {json.dumps(suite)},\n "forms": {{\n{rows}\n }}\n}}\n'
