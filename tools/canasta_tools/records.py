"""Records that commands work on: read from a file, all of them or one, and replayed."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from canasta.diagnostics import CanastaError, Diagnostic, Severity
from canasta.notation.assembly import Reading
from canasta.notation.reader import read_stream
from canasta.notation.record import Record
from canasta.playing.named_rules import seats_by
from canasta.playing.replay import replay
from canasta.playing.report import MatchReport
from canasta_tools.dispatch import UsageFault
from canasta_tools.inputs import Input, Kind, nothing_in
from canasta_tools.output import say

if TYPE_CHECKING:
    from canasta.kernel.game import Game
    from canasta.kernel.state import State
    from canasta.playing.report import MatchReport


def readings(source: Input, rules: str | None = None) -> Iterator[Reading]:
    """Read the records of a text one at a time, with the seats of the rule set that was chosen, or that they name."""
    if source.kind is Kind.RECORD_JSON:
        from canasta.notation.json_form import read_json  # noqa: PLC0415 - only for records in this form

        record, found = read_json(source.text(), source.name, seats_by(rules))
        yield Reading(record, tuple(found))
        return
    with source.open() as stream:
        yield from read_stream(stream, source.name, seats_by(rules))


def one_record(source: Input, number: int = 1, rules: str | None = None) -> tuple[Record, tuple[Diagnostic, ...]]:
    """Read one record of a text, by its number from 1, with what is wrong with it in spite of being readable.

    Raises:
        CanastaError: with everything that is wrong with it, or US0016 when there is nothing in the text.
        UsageFault: US0014 when there are not so many.
    """
    count = 0
    for reading in readings(source, rules):
        if reading.record is not None and not (reading.record.tags or reading.record.deals):
            continue  # nothing but comments
        count += 1
        if count == number:
            if reading.record is None:
                raise CanastaError(d for d in reading.diagnostics if d.severity is Severity.ERROR)
            return reading.record, tuple(reading.diagnostics)
    if not count:
        raise CanastaError([nothing_in(source)])
    held = f"{count} record{'' if count == 1 else 's'}"
    raise UsageFault(
        "US0014", f"{source.name} holds {held}, and number {number} was asked for", f"--match goes from 1 to {count}"
    )


def replayed(record: Record, rules: str | None = None, *, positions: bool = True) -> "MatchReport":
    """Replay a record by the rule set that it names, or by another; without ``positions`` only to judge and score it.

    Raises:
        CanastaError: when no deal could be replayed, with what kept it from that: no such rule set, seats that do not fit.
    """
    report = replay(record, rules, positions=positions)
    if record.deals and not report.deals:
        raise CanastaError(report.findings)
    return report


def to_look_at(source: Input, misfits: Iterable[Diagnostic], report: "MatchReport") -> frozenset[Diagnostic]:
    """Find what a command that shows something else should not pass over, and tell that there is such: how many, and how to see them.

    That is whatever the reader found, and of the replay what was wrong.
    """
    found = frozenset([*misfits, *(f for f in report.findings if f.severity is Severity.ERROR)])
    if found:
        things = f"{len(found)} thing{'' if len(found) == 1 else 's'}"
        say(f"{source.name}: {things} to look at: canasta check {source.name}")
    return found


def game_of(report: "MatchReport", state: "State") -> "Game":
    """Find the game that a state of a replay belongs to: of merged kinds or of printed faces."""
    from canasta.games import open_game  # noqa: PLC0415 - only for records of which a position is shown

    for by_face in (False, True):
        game = open_game(report.rules, by_face=by_face)
        if len(state.zone(game.machine.hand)[0]) == game.deck.size + 1:
            return game
    raise CanastaError([Diagnostic("US0014", "the position belongs to no deck of its rule set")])
