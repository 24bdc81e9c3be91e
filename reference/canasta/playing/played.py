"""What came of a written turn: its acts one by one, what was wrong with them, and where it stopped."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from canasta.diagnostics import Diagnostic
from canasta.kernel.acts import Move, Ruling, Verdict, Violation, each_once
from canasta.kernel.state import State

UNWRITTEN: Final = -1
"""The place of an act that nobody wrote down."""


class Door(Enum):
    """How acts are carried out: only legal ones, or whatever really happened."""

    STRICT = "strict"
    AS_PLAYED = "as played"


@dataclass(frozen=True, slots=True)
class Step:
    """One act that was carried out: the states around it, what the judge said, and which written action it was.

    ``action`` counts from 0; -1 stands for what was not written. The verdict holds what was wrong with a commit that had
    to be forced before the act, too.
    """

    move: Move
    before: State
    after: State
    verdict: Verdict
    action: int


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was carried out, as far as it went.

    ``stopped`` is what was wrong with the act that could not be done (or, through the strict door, may not be done), and
    ``stopped_at`` its action. ``findings`` say where the record and the cards on the table differ. ``acted`` says whether
    anything was carried out. Of a state that was given away ``steps`` holds only what the judge found something wrong with,
    without the states around it.
    """

    state: State
    steps: tuple[Step, ...] = ()
    stopped: Verdict | None = None
    stopped_at: int = UNWRITTEN
    findings: tuple[Diagnostic, ...] = ()
    acted: bool = False

    @property
    def violations(self) -> tuple[Violation, ...]:
        """List everything that was wrong, in the order it happened."""
        stopped = self.stopped.violations if self.stopped else ()
        return each_once((*(v for s in self.steps for v in s.verdict.violations), *stopped))

    @property
    def codes(self) -> tuple[str, ...]:
        """List the codes of what was certainly wrong, each once."""
        return Verdict(self.violations).codes

    @property
    def ruling(self) -> Ruling:
        """Say in one word whether the turn was legal."""
        return Verdict(self.violations).ruling
