"""`canasta score`: add up the score sheet of a record, or write a new one."""

import sys
from dataclasses import dataclass, field

import click

from canasta.diagnostics import CanastaError, Diagnostic, Severity
from canasta_tools.inputs import Input, Kind, gather, nothing_in, only
from canasta_tools.output import Code, Colour, Format, fail, in_colour, paint, write, write_json
from canasta_tools.parameters import rules_option, shape_of, shape_options
from canasta_tools.progress import Progress
from canasta_tools.records import readings, replayed, to_look_at
from canasta_tools.score_sheet import score_data, sheet

SCHEMA = "canasta-score/1"


@click.command("score", short_help="Add up the score sheet of a record, or write a new one.")
@click.argument("paths", metavar="[FILE…]", nargs=-1, type=click.Path())
@shape_options([Format.TEXT, Format.JSON])
@rules_option("Score by this rule set, whatever the record names.")
@click.option("--items", is_flag=True, help="Show every figure of every deal.")
@click.option(
    "--new", "new", is_flag=True, help="Ask for the numbers at the table and write them to FILE, deal by deal."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when something was found.")
@click.option("--stdin-filename", metavar="NAME", default="", help="What standard input is called in findings.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    paths: tuple[str, ...],
    shape: str,
    as_json: bool,
    colour: str,
    rules: str | None,
    items: bool,
    new: bool,
    exit_zero: bool,
    stdin_filename: str,
) -> int:
    """Print the score sheet of records: each deal, the running totals, the next minimum and the winner.

    With --new the command asks for the numbers as you would write them on a pad, and keeps FILE up to date after each deal; a
    match that was broken off is taken up again.
    """
    if new:
        from canasta_tools.score_pad import keep_score  # noqa: PLC0415 - only at the table

        if len(paths) > 1:
            raise click.UsageError("--new writes one FILE")
        return keep_score(paths[0] if paths else None, rules)
    if not paths:
        raise click.UsageError("name a FILE, or write a new one with --new")
    wanted = shape_of(shape, as_json=as_json)
    run = _Run(wanted, Colour(colour), rules, items)
    for found in gather(paths, stdin_name=stdin_filename):
        if isinstance(found, Input) and found.kind is Kind.RULES and found.name not in paths:
            continue  # met in a folder, where rule files may lie beside records
        source = only(frozenset({Kind.RECORD, Kind.RECORD_JSON}), found, "canasta score")
        if isinstance(source, Diagnostic):
            run.code = fail([source], run.colour)
        else:
            run.file(source)
    if wanted is Format.JSON:
        write_json({"schema": SCHEMA, "matches": run.told})
    return Code.CLEAN if exit_zero and run.code == Code.FINDINGS else run.code


@dataclass(slots=True)
class _Run:
    """One run of the command: how it writes, and what it has come to."""

    shape: Format
    colour: Colour
    rules: str | None
    items: bool
    progress: Progress = field(default_factory=Progress)
    told: list[dict[str, object]] = field(default_factory=list)
    code: int = Code.CLEAN

    def file(self, source: Input) -> None:
        """Score the records of one file."""
        self.progress.step(f"scoring {source.name}")
        some = False
        for reading in readings(source, self.rules):
            some = True
            self.progress.clear()
            if reading.record is None:
                fail(reading.diagnostics, self.colour)
                self.code = max(self.code, Code.FINDINGS)
                continue
            try:
                report = replayed(reading.record, self.rules, positions=False)
            except CanastaError as error:
                self.code = max(self.code, fail(error.diagnostics, self.colour))
                continue
            if self.shape is Format.JSON:
                self.told.append({"file": source.name, **score_data(report)})
            else:
                painted = in_colour(self.colour, sys.stdout)
                title = f"{source.name} · {report.rules} · {report.depth.value}"
                write(f"{paint(title, '1', colour=painted)}\n{sheet(report, items=self.items, colour=painted)}\n\n")
            found = to_look_at(source, reading.diagnostics, report)
            if any(f.severity is Severity.ERROR for f in found):
                self.code = max(self.code, Code.FINDINGS)
        if not some:
            self.code = fail([nothing_in(source)], self.colour)
