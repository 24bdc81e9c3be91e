"""What a player does, as a value; and what the judge says of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

NEW_GROUP = -1


class Move(NamedTuple):
    """One act of one seat.

    ``cards`` are the cards from the hand: of a part, or the one chosen card. ``group`` is the number of the group a part
    joins, ``NEW_GROUP`` when it begins one. ``option`` is the place of an answer among the words of its type. ``other`` is the
    number of the group that becomes part of ``group`` when two are united; of the two the one that lies first stays.
    """

    act: str
    seat: int
    cards: tuple[int, ...] = ()
    group: int = NEW_GROUP
    option: int = -1
    other: int = NEW_GROUP


class Ruling(StrEnum):
    """Whether an act is legal; with unknown cards that can remain open."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNKNOWN = "cannot be known"


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which an act breaks a rule: the clause, the machine-readable code, and the values that decided it."""

    clause: str
    code: str
    values: tuple[tuple[str, str], ...] = ()
    certain: bool = True
    act: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of an act: every violation, and whether anything stayed open."""

    violations: tuple[Violation, ...] = ()
    possible: bool = True
    """Whether the act can physically be done: the cards are there."""

    @property
    def ruling(self) -> Ruling:
        """Sum the violations up in one word."""
        if any(v.certain for v in self.violations):
            return Ruling.ILLEGAL
        return Ruling.UNKNOWN if self.violations else Ruling.LEGAL

    @property
    def codes(self) -> tuple[str, ...]:
        """List the codes of the certain violations, each once."""
        return tuple(dict.fromkeys(v.code for v in self.violations if v.certain))


def each_once(found: Iterable[Violation]) -> tuple[Violation, ...]:
    """Give each way in which an act of a turn breaks a rule once, as certain and with as many values as it was ever found.

    The judge itself tells of every part and group, for each has a place of its own in a record.
    """
    told: dict[tuple[str, str, str], Violation] = {}
    for violation in found:
        key = (violation.clause, violation.code, violation.act)
        before = told.setdefault(key, violation)
        if (violation.certain, len(violation.values)) > (before.certain, len(before.values)):
            told[key] = violation
    return tuple(told.values())


class ImpossibleError(ValueError):
    """An act that cannot physically be done: the cards are not there."""

    def __init__(self, verdict: Verdict) -> None:
        """Carry what the judge said."""
        self.verdict = verdict
        super().__init__(", ".join(v.code for v in verdict.violations))


class RefusedError(ValueError):
    """An act that the rules refuse."""

    def __init__(self, verdict: Verdict) -> None:
        """Carry what the judge said."""
        self.verdict = verdict
        super().__init__(", ".join(v.code for v in verdict.violations))
