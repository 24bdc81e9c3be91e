"""What was found of a rule set, as it is kept in `conformance/found/`: inputs alone. What comes of them is worked out anew each time."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from canasta_conformance.writing import digest, write

_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Input:
    """A position and what is done in it, for one clause; ``asserts`` are further clauses that decide there."""

    clause: str
    given: str
    do: str = ""
    ask: str = ""
    options: tuple[tuple[str, str], ...] = ()
    asserts: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The last part of the permanent id of the case: a digest of what goes in, never of what is expected."""
        return "g-" + digest([self.given, self.do, self.ask, list(self.options)])[:_DIGITS]

    @property
    def name(self) -> str:
        """The name of the case within its rule set."""
        return f"{self.clause}/{self.id}"


@dataclass(slots=True)
class Found:
    """Everything that was found of a rule set."""

    inputs: list[Input] = field(default_factory=list)
    also: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Clauses that decide in an example of another clause, by CLAUSE/EXAMPLE."""
    twins: dict[str, str] = field(default_factory=dict)
    """The legal twin of each illegal case."""
    twinless: dict[str, str] = field(default_factory=dict)
    """Illegal cases that have none, each with the reason."""
    ways: dict[str, tuple[bool, int]] = field(default_factory=dict)
    """How a deal leads to the position of a case, see `generator/prefixes.py`."""
    ruled_out: dict[str, str] = field(default_factory=dict)
    """Cases to whose position no deal leads in a few turns, each with the reason."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Inputs that are not to be found again, by the last part of their id, each with the reason; written by hand."""
    missing: list[str] = field(default_factory=list)
    """What no position was found for."""


def path_of(name: str) -> Path:
    """Find the file of a rule set; it lies in a checkout alone."""
    return Path(__file__).resolve().parents[2] / "found" / f"{name.replace('/', '-')}.json"


def remembered(name: str) -> Found:
    """Read what was found of a rule set; nothing where there is no file."""
    path = path_of(name)
    if not path.is_file():
        return Found()
    data = json.loads(path.read_text(encoding="utf-8"))
    inputs = [
        Input(
            one["clause"], one["given"], one.get("do", ""), one.get("ask", ""), tuple(one.get("options", {}).items()),
            tuple(one.get("asserts", ())), tuple(one["shows"]),
        )
        for one in data["inputs"]
    ]  # fmt: skip
    also = {case: tuple(clauses) for case, clauses in data["also"].items()}
    ways = {case: (bool(exact), int(rounds)) for case, (exact, rounds) in data.get("ways", {}).items()}
    left_out = dict(data.get("left_out", {}))
    twins, twinless = dict(data["twins"]), dict(data.get("twinless", {}))
    return Found(inputs, also, twins, twinless, ways, dict(data.get("ruled_out", {})), left_out, list(data["missing"]))


def written(name: str, found: Found) -> str:
    """Write what was found of a rule set."""
    inputs = [_told(one) for one in sorted(found.inputs, key=lambda i: i.name)]
    data = {
        "ruleset": name,
        "inputs": inputs,
        "also": {case: list(clauses) for case, clauses in sorted(found.also.items())},
        "twins": dict(sorted(found.twins.items())),
        "twinless": dict(sorted(found.twinless.items())),
        "ways": {case: list(way) for case, way in sorted(found.ways.items())},
        "ruled_out": dict(sorted(found.ruled_out.items())),
        **({"left_out": dict(sorted(found.left_out.items()))} if found.left_out else {}),
        "missing": sorted(found.missing),
    }
    return write(data)


def _told(one: Input) -> dict[str, Any]:
    told: dict[str, Any] = {"clause": one.clause, "given": one.given}
    told |= {key: value for key, value in (("do", one.do), ("ask", one.ask)) if value}
    told |= {"options": dict(one.options)} if one.options else {}
    told |= {"asserts": list(one.asserts)} if one.asserts else {}
    return told | {"shows": list(one.shows)}


def save(name: str, found: Found) -> None:
    """Write the file of a rule set."""
    path = path_of(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(written(name, found), encoding="utf-8")
