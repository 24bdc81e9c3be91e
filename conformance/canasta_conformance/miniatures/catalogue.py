"""The catalogue of miniatures: what each gets wrong, what must catch it, and how it is opened."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import yaml

from canasta_conformance.faults import AddressError
from canasta_conformance.grading import Status
from canasta_conformance.miniatures import answers
from canasta_conformance.miniatures.ruled import Ruled
from canasta_conformance.places import folder

SCHEME: Final = "miniature"
CLASSIC: Final = "classic"


@dataclass(frozen=True, slots=True)
class Miniature:
    """One engine that is wrong in one way."""

    name: str
    fault: str
    by: str
    """The clause that a case which catches it names, or the promise that it breaks."""
    status: Status
    """What comes of such a case."""
    asked: tuple[str, ...]
    """The cases that its stored report is about."""
    repeat: int
    ordered: bool
    """Whether what comes of a case depends on those that were asked before it."""
    make: Callable[[], object] | None
    """What makes the adapter; nothing for a program."""
    command: tuple[str, ...]
    """What starts it, where it is a program."""
    rules: str
    """The changes by which it plays, where its fault is one of the rules."""

    @property
    def address(self) -> str:
        """Its address."""
        return f"{SCHEME}:{self.name}"


@cache
def miniatures() -> Mapping[str, Miniature]:
    """List the miniatures by their names."""
    text = (folder("engines") / "miniatures" / "catalogue.yaml").read_text(encoding="utf-8")
    return {entry["name"]: _miniature(entry) for entry in yaml.safe_load(text)}


def miniature(name: str) -> Miniature:
    """Find a miniature.

    Raises:
        AddressError: when there is none of that name.
    """
    found = miniatures().get(name)
    if found is None:
        raise AddressError(
            f"there is no miniature {name or 'without a name'}", "`canasta conformance miniatures` lists them"
        )
    return found


def _miniature(entry: Mapping[str, Any]) -> Miniature:
    name = entry["name"]
    asked = tuple(pattern if "/" in pattern else f"{CLASSIC}/{pattern}" for pattern in entry["asked"])
    command: tuple[str, ...] = ()
    if "program" in entry:
        command = (sys.executable, str(folder("engines") / "miniatures" / "unreliable.py"), entry["program"])
    return Miniature(
        name, entry["fault"], entry["by"], Status(entry["as"]), asked, entry.get("repeat", 1), entry.get("ordered", False),
        _maker(entry), command, entry.get("rules", ""),
    )  # fmt: skip


def _maker(entry: Mapping[str, Any]) -> Callable[[], object] | None:
    if "rules" in entry:
        return lambda: Ruled(entry["name"], entry["rules"], entry.get("declares", CLASSIC))
    if "answers" in entry:
        kind: type[answers.Wrong] = getattr(answers, entry["answers"])
        return lambda: kind(entry["name"])
    return None
