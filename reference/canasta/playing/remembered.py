"""Which example shows which change of a shipped variant, as it was found before: a search begins there, and most end there.

What is remembered is only where to look. Each case is executed again, and where it no longer shows the change as it did, another is
searched for. Where a change is not decided alone, and another example has been written that is near to it, one that it decides
alone is looked for. To search everything anew, take the file away.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from canasta.language.ruleset import Example
from canasta.rooms import room

FOLDER = "distinguishing"
_DIGITS: Final = 16


class Memory(NamedTuple):
    """Where the case of a change was found: the clause and its example, whose rule set it is, what was made and taken back with it.

    ``strength`` says how it shows the change, ``tried`` is the digest of the examples that do not show it better. No example is
    named where none shows it.
    """

    clause: str = ""
    example: str = ""
    of_new: bool = False
    options: tuple[tuple[str, str], ...] = ()
    made: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    strength: str = ""
    tried: str = ""


NOTHING: Final[Mapping[str, Memory]] = {}


def digest_of(examples: Iterable[tuple[str, Example]]) -> str:
    """Give sixteen hexadecimal digits that change with the examples, or with the clauses whose they are."""
    told = [[clause, e.id, e.given, e.do, e.ask, str(e.expect), *map(list, e.options)] for clause, e in examples]
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_DIGITS]


def file_of(child: str) -> str:
    """Name the file in which the cases of a variant are remembered, from the room of the rule sets."""
    return f"{FOLDER}/{child.replace('/', '-')}.json"


def remembered(child: str) -> Mapping[str, Memory]:
    """Read what is remembered of a shipped variant, by the name of the change; nothing where there is no such file."""
    path = room("spec").joinpath(*file_of(child).split("/"))
    if not path.is_file():
        return NOTHING
    told = json.loads(path.read_text(encoding="utf-8"))
    return {
        change: Memory(
            where.get("clause", ""),
            where.get("example", ""),
            where.get("of") == "child",
            tuple(sorted(where.get("options", {}).items())),
            tuple(where.get("with", ())),
            tuple(where.get("without", where.get("with", ()))),
            where.get("known", ""),
            where.get("tried", ""),
        )
        for change, where in told["cases"].items()
    }


def memories(child: str, found: Iterable[tuple[str, Memory]]) -> str:
    """Write what is to be remembered of a variant."""
    cases = {change: _written(m) for change, m in sorted(found)}
    return json.dumps({"ruleset": child, "cases": cases}, indent=1) + "\n"


def _written(memory: Memory) -> dict[str, Any]:
    if not memory.example:
        return {"tried": memory.tried}
    return {
        "clause": memory.clause,
        "example": memory.example,
        "of": "child" if memory.of_new else "parent",
        **({"options": dict(memory.options)} if memory.options else {}),
        **({"with": list(memory.made)} if memory.made or memory.taken else {}),
        **({"without": list(memory.taken)} if memory.taken != memory.made else {}),
        "known": memory.strength,
        **({"tried": memory.tried} if memory.tried else {}),
    }
