"""The reader of records: any lines in, one record at a time out, with every finding collected.

It needs memory for one record only, and every record is bounded. A record in which a line could not be read is not
given back in part, since what is left of it might be a game that was never played; its findings are.

``seating`` gives the seats of the rule set that a record names; :func:`canasta.playing.named_rules.seats_by_rules`
does so for those who have rule sets at hand.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from canasta.diagnostics import Diagnostic
from canasta.notation.assembly import LONGEST_LINE, MOST_FINDINGS, MOST_LINES, Assembly, Reading, Seating, no_seating
from canasta.notation.record import Record

__all__ = [
    "LONGEST_LINE",
    "MOST_FINDINGS",
    "MOST_LINES",
    "Reading",
    "read_bytes",
    "read_records",
    "read_stream",
    "read_text",
]


def read_text(text: str, file: str, seating: Seating = no_seating) -> tuple[list[Record], list[Diagnostic]]:
    """Read all records of a text; ``file`` is the name that findings carry."""
    records: list[Record] = []
    found: list[Diagnostic] = []
    for reading in read_records(text.split("\n"), file, seating):
        found.extend(reading.diagnostics)
        if reading.record is not None:
            records.append(reading.record)
    return records, found


def read_bytes(data: bytes, file: str, seating: Seating = no_seating) -> tuple[list[Record], list[Diagnostic]]:
    """Read all records of a file's bytes, whatever they are."""
    return read_text(data.decode("utf-8", "surrogateescape"), file, seating)


def read_stream(stream: BinaryIO, file: str, seating: Seating = no_seating) -> Iterator[Reading]:
    """Read the records of an open file one at a time, in memory that does not grow with the file."""
    return read_records(_lines_of(stream), file, seating)


def _lines_of(stream: BinaryIO) -> Iterator[str]:
    """Give the lines of a stream; of one that is too long only as much as it takes to refuse it."""
    most = LONGEST_LINE * 4 + 2
    while line := stream.readline(most):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(most)):
            pass
        yield line.decode("utf-8", "surrogateescape")


def read_records(lines: Iterable[str], file: str, seating: Seating = no_seating) -> Iterator[Reading]:
    """Read the records of a sequence of lines, with or without their line feeds, one at a time."""
    assembly = Assembly(file, seating=seating)
    for number, raw in enumerate(lines, 1):
        text = raw.removesuffix("\n").removesuffix("\r")
        if number == 1:
            text = text.removeprefix("\ufeff")
        if assembly.begins_the_next(text):
            done, assembly = assembly.close(followed=True)
            if done is not None:
                yield done
        assembly.feed(text, number)
    done, _ = assembly.close(followed=False)
    if done is not None:
        yield done
