"""`canasta convert`: turn games of programs into records, and records into JSON and back."""

import click

from canasta.diagnostics import Diagnostic, Severity
from canasta.notation.record import Record
from canasta.notation.writer import write_all
from canasta_tools.inputs import Input, Kind, gather, only
from canasta_tools.output import Code, fail, write, write_json

_KINDS = frozenset({Kind.GAME, Kind.JSON, Kind.RECORD, Kind.RECORD_JSON})


@click.command("convert", short_help="Turn games of programs into records, and records into JSON.")
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option("--to", "target", type=click.Choice(["cgn", "json"]), help="What to write; without it the other form.")
@click.option("--json", "as_json", is_flag=True, help="Short for --to json.")
@click.option("--no-claims", is_flag=True, help="Leave out what a program claimed of its counts after each turn.")
@click.option("--stdin-filename", metavar="NAME", default="", help="What standard input is called in findings.")
def command(*, paths: tuple[str, ...], target: str | None, as_json: bool, no_claims: bool, stdin_filename: str) -> int:
    """Turn games of programs into records, and records into JSON and back.

    A FILE is a match in the neutral JSON form (it becomes a record), a record as JSON (it becomes text), or a record as text
    (it becomes JSON). Several records are written one after another, as JSON one a line.
    """
    code, converted = Code.CLEAN, list[tuple[Kind, Record]]()
    for found in gather(paths, stdin_name=stdin_filename):
        source = only(_KINDS, found, "canasta convert")
        if isinstance(source, Diagnostic):
            fail([source])
            code = Code.USAGE
            continue
        records, findings = _read(source, claims=not no_claims)
        fail(f for f in findings)
        if any(f.severity is Severity.ERROR for f in findings) and not records:
            code = Code.USAGE
        elif findings:
            code = max(code, Code.FINDINGS)
        converted += [(source.kind, record) for record in records]
    _write(converted, "json" if as_json else target)
    return code


def _read(source: Input, *, claims: bool) -> tuple[list[Record], tuple[Diagnostic, ...]]:
    from canasta.playing.named_rules import seats_by_rules  # noqa: PLC0415 - each form pays for its own reader

    record: Record | None
    if source.kind is Kind.RECORD:
        from canasta.notation.reader import read_bytes  # noqa: PLC0415 - each form pays for its own reader

        records, found = read_bytes(source.read(), source.name, seats_by_rules)
        return records, tuple(found)
    if source.kind in (Kind.GAME, Kind.JSON):
        from canasta.convert.neutral import convert  # noqa: PLC0415 - each form pays for its own reader

        record, told = convert(source.text(), source.name, claims=claims)
    else:
        from canasta.notation.json_form import read_json  # noqa: PLC0415 - each form pays for its own reader

        record, told = read_json(source.text(), source.name, seats_by_rules)
    return ([record] if record else []), tuple(told)


def _write(converted: list[tuple[Kind, Record]], target: str | None) -> None:
    from canasta.notation.json_form import to_json  # noqa: PLC0415 - each form pays for its own reader

    as_text = [record for kind, record in converted if (target or _other(kind)) == "cgn"]
    as_data = [record for kind, record in converted if (target or _other(kind)) == "json"]
    if as_text:
        write(write_all(as_text))
    for record in as_data:
        write_json(to_json(record), lean=len(as_data) > 1)


def _other(kind: Kind) -> str:
    return "json" if kind is Kind.RECORD else "cgn"
