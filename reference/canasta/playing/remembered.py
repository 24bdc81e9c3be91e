"""Which example shows which change of a shipped variant, as it was found before: a search begins there, and most end there.

What is remembered is only where to look. Each case is executed again, and where it no longer shows the change, another is
searched for.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from canasta.rooms import room

FOLDER = "distinguishing"


class Memory(NamedTuple):
    """Where the case of a change was found: the clause and its example, whose rule set it is, and what was taken back with it."""

    clause: str
    example: str
    of_new: bool
    options: tuple[tuple[str, str], ...]
    others: tuple[str, ...]


def file_of(child: str) -> str:
    """Name the file in which the cases of a variant are remembered, from the room of the rule sets."""
    return f"{FOLDER}/{child.replace('/', '-')}.json"


def remembered(child: str) -> dict[str, Memory]:
    """Read what is remembered of a shipped variant, by the name of the change; nothing where there is no such file."""
    path = room("spec").joinpath(*file_of(child).split("/"))
    if not path.is_file():
        return {}
    told = json.loads(path.read_text(encoding="utf-8"))
    return {
        change: Memory(
            where["clause"],
            where["example"],
            where["of"] == "child",
            tuple(sorted(where.get("options", {}).items())),
            tuple(where.get("with", ())),
        )
        for change, where in told["cases"].items()
    }


def memories(child: str, found: Iterable[tuple[str, Memory]]) -> str:
    """Write what is to be remembered of a variant."""
    cases = {
        change: {
            "clause": m.clause,
            "example": m.example,
            "of": "child" if m.of_new else "parent",
            **({"options": dict(m.options)} if m.options else {}),
            **({"with": list(m.others)} if m.others else {}),
        }
        for change, m in sorted(found)
    }
    return json.dumps({"ruleset": child, "cases": cases}, indent=1) + "\n"
