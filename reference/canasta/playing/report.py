"""What a replay found: for a match, for each of its deals, and for each turn, in the names that people write."""

from dataclasses import dataclass, field

from canasta.diagnostics import Diagnostic, Severity
from canasta.kernel.ledger import Ledger
from canasta.kernel.state import State
from canasta.notation.record import Depth, Record, Turn
from canasta.playing.played import Step


@dataclass(frozen=True, slots=True)
class TurnReport:
    """One turn as it was replayed.

    ``before`` and ``after`` are the positions around it, ``steps`` the acts it came to, in the order they were carried
    out. ``findings`` are those about this turn.
    """

    turn: Turn
    before: State
    after: State
    steps: tuple[Step, ...] = ()
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class DealReport:
    """One deal as it was replayed, in points by side (``NS``) where a figure belongs to a side.

    ``start`` and ``end`` are the first and the last position, None where only a pad or the melds were written, or where no
    positions were kept; then ``turns`` is empty, too.
    ``reason`` is the rule set's word for how the deal ended, empty when that is not known or it did not end.
    ``ledger`` is what the rules make of the deal, None when it cannot be known; ``scored`` is what counts for the match:
    the written points where they were written, else those of the ledger. ``totals`` are the running totals after the
    deal, ``steps`` what each step table of the rule set (such as the minimum) gives for them.
    """

    number: int
    depth: Depth
    dealer: str = ""
    start: State | None = None
    end: State | None = None
    reason: str = ""
    turns: tuple[TurnReport, ...] = ()
    ledger: Ledger | None = None
    items: dict[str, dict[str, int]] = field(default_factory=dict)
    scored: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    steps: dict[str, dict[str, int]] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    """All findings about the deal, those about its turns among them, in the order of the record."""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """One record as it was replayed.

    ``rules`` is the full name of the rule set it was judged by. ``totals`` are the final totals in points by side.
    ``winners`` are the sides that have won, empty while the match goes on; several when it is drawn.
    ``ending`` is the clause by which the match is over, empty while it goes on. ``findings`` holds every finding,
    those about deals and turns among them, in the order of the record.
    """

    record: Record
    rules: str
    depth: Depth
    deals: tuple[DealReport, ...] = ()
    totals: dict[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    ending: str = ""
    findings: tuple[Diagnostic, ...] = ()

    @property
    def departures(self) -> tuple[Diagnostic, ...]:
        """The findings that say something was not in order, without mere notes."""
        return tuple(d for d in self.findings if d.severity is not Severity.NOTE)
