"""Carrying a run out while its stream is written: to the screen, and to a file that comes into its place when the run has ended."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path

from canasta_conformance.declared import DeclarationError
from canasta_conformance.reports.summary import never_started
from canasta_conformance.running import Run, end_record
from canasta_conformance.sharing import SharedRun
from canasta_conformance.stream import Record, Report, collect, write
from canasta_tools.conformance.declaring import declared_wrongly
from canasta_tools.files import FileBeside
from canasta_tools.output import say

BROKEN_OFF = "it was broken off by whoever ran it"


def files_of(address: str) -> list[str]:
    """List what may be files among the words of an address, so that none of them is written over."""
    kind, _, rest = address.partition(":")
    if kind == "python":
        return [f"{rest.partition(':')[0].replace('.', '/')}.py"]
    try:
        return shlex.split(rest) if kind == "exec" else []
    except ValueError:  # what is wrong with it is told where it is read
        return []


def carried_out(run: Run | SharedRun, output: str | None, *, to_screen: bool) -> Report:
    """Carry a run out, and write its stream.

    A file that is there is replaced only by the run of an engine that was asked something, and only by a whole one: what there is
    of a run that was broken off then stands beside it, with the forms that were not asked, and an end that says so.

    Raises:
        CanastaError: CF0005 when the engine declares what there is not.
    """
    with ExitStack() as stack:
        file = _File(output) if output else None
        if file is not None:
            stack.callback(file.drop)
        stack.callback(run.kill)
        seen: list[Record] = []
        try:
            records: Iterator[Record] = run.records()
            if file is not None:
                records = write(records, file.lines)
            if to_screen:
                records = write(records, sys.stdout)
            report = collect(_kept(records, seen))
        except KeyboardInterrupt:
            _broken_off(run, seen, file)
            raise
        except DeclarationError as error:
            raise declared_wrongly(error) from None
        if file is not None:
            file.settle(report)
        return report


def _kept(records: Iterable[Record], seen: list[Record]) -> Iterator[Record]:
    """Keep the records as they pass."""
    for record in records:
        seen.append(record)
        yield record


def _broken_off(run: Run | SharedRun, seen: Sequence[Record], file: "_File | None") -> None:
    """Say how far the run has come, and where that stands."""
    run.kill()
    of = run.run if isinstance(run, SharedRun) else run
    results = [record for record in seen if record["type"] == "result"]
    kept = ""
    if file is not None and results:
        asked = {(record["case"], record["form"]) for record in results}
        rest = [of.not_asked(item) for item in of.items if (item.case.id, item.index) not in asked]
        counts = Counter(record["status"] for record in (*results, *rest))
        kept = f"; {file.settle_part([*seen, *rest, end_record(counts, (), BROKEN_OFF)])}"
    say(f"\nbroken off when {len(results)} of {len(of.items)} forms had been asked{kept}")


class _File:
    """The file of a stream."""

    def __init__(self, path: str) -> None:
        self._path, self._file = Path(path), FileBeside(Path(path))
        self.lines = TextIOWrapper(self._file.out, encoding="utf-8")

    def settle(self, report: Report) -> None:
        """Put the stream of a run that has ended in its place."""
        if self._file.replaces and never_started(report) is not None:
            say(f"{self._path} is as it was, for nothing was put to this engine")
            return
        self.lines.flush()
        self._file.put()

    def settle_part(self, records: Sequence[Record]) -> str:
        """Put what there is of a run in its place, or beside what is there already; say where it stands."""
        if not self._file.waits:
            return f"they were written to {self._path}"
        # Where exactly it was broken off is not known, so all is written anew.
        self.lines.seek(0)
        self.lines.truncate()
        for _ in write(records, self.lines):
            pass
        beside = self._path.with_name(f"{self._path.stem}.broken-off{self._path.suffix}")
        self._file.put(beside if self._file.replaces else None)
        return (
            f"they stand in {beside}, and {self._path} is as it was"
            if self._file.replaces
            else f"they stand in {self._path}"
        )

    def drop(self) -> None:
        """Take away what was not put in its place."""
        self._file.drop()
