"""`canasta fmt`: write records in the one canonical form."""

import sys
from difflib import unified_diff
from pathlib import Path

import click

from canasta.diagnostics import Diagnostic
from canasta.notation.writer import write as canonical
from canasta_tools.files import replace_file
from canasta_tools.inputs import Input, Kind, gather, only
from canasta_tools.output import Code, Colour, fail, in_colour, paint, say, write
from canasta_tools.records import readings


@click.command("fmt", short_help="Write records in the one canonical form.")
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--stdin-filename", metavar="NAME", default="", help="What standard input is called in findings.")
@click.option(
    "--color", "colour", type=click.Choice([str(c) for c in Colour]), default="auto", help="Whether to use colour."
)
def command(*, paths: tuple[str, ...], only_check: bool, diff: bool, stdin_filename: str, colour: str) -> int:
    """Write records in the one canonical form.

    Files are rewritten in place, standard input (`-`) goes to standard output. A file that cannot be read wholly is left as
    it is. The game itself never changes.
    """
    code, changed, seen = Code.CLEAN, 0, 0
    painted = in_colour(Colour(colour), sys.stdout)
    for found in gather(paths, stdin_name=stdin_filename):
        if isinstance(found, Input) and found.kind is not Kind.RECORD and found.name not in paths and "-" not in paths:
            continue  # met in a folder, where rule files may lie beside records
        source = only(frozenset({Kind.RECORD}), found, "canasta fmt")
        if isinstance(source, Diagnostic):
            fail([source], Colour(colour))
            code = Code.USAGE
            continue
        seen += 1
        old = source.read()
        new, wrong = _canonical(source)
        if wrong:
            fail(wrong, Colour(colour))
            code = max(code, Code.FINDINGS)
            continue
        same = old == new.encode()
        changed += not same
        if not same and diff:
            write(_difference(old.decode("utf-8-sig", "replace"), new, source.name, colour=painted))
        if source.path is None and not (only_check or diff):
            write(new)
        elif not same and only_check:
            say(f"{source.name} is not in canonical form")
        elif not same and not diff and source.path is not None:
            replace_file(Path(source.path), new)
        if not same and (only_check or diff):
            code = max(code, Code.FINDINGS)
    if "-" not in paths:
        what = "would be rewritten" if only_check or diff else "rewritten"
        say(f"{seen} file{'' if seen == 1 else 's'} read, {changed} {what}")
    return code


def _canonical(source: Input) -> tuple[str, list[Diagnostic]]:
    """Write the records of a text canonically; the findings say why one of them could not be read."""
    texts: list[str] = []
    wrong: list[Diagnostic] = []
    for reading in readings(source):
        if reading.record is None:
            wrong += reading.diagnostics
        else:
            texts.append(canonical(reading.record))
    return "\n".join(texts), wrong


def _difference(old: str, new: str, name: str, *, colour: bool) -> str:
    colours = {"-": "31", "+": "32", "@": "36"}
    lines = unified_diff(old.splitlines(), new.splitlines(), name, f"{name} (canonical)", lineterm="")
    return "".join(
        paint(line, colours.get(line[:1], ""), colour=colour and line[:1] in colours) + "\n" for line in lines
    )
