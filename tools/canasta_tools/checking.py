"""Checking: every text that was named is read and judged, and all findings are told."""

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from canasta.diagnostics import CanastaError, Diagnostic, Severity
from canasta_tools.inputs import Input, Kind, gather, nothing_in, whole
from canasta_tools.output import Code, Colour, Format, code_of, in_colour, paint, say, write, write_finding, write_json
from canasta_tools.progress import Progress

if TYPE_CHECKING:
    from canasta.notation.reader import Reading

SCHEMA: Final = "canasta-check/1"
"""The shape of what `--json` prints, published as ``spec/schema/check-output.schema.json``."""

_CHECKED: Final = {
    "score pad": "sums, running totals, the result",
    "melds": "the pad, and what lay on the table at the end",
    "moves": "the pad, the table, and every act as far as the cards are known",
    "full": "every card, every act, every score",
}


class CheckOptions(NamedTuple):
    """What `canasta check` was asked to do; ``rules`` replaces the rule set that a text names."""

    paths: tuple[str, ...]
    shape: Format = Format.TEXT
    colour: Colour = Colour.AUTO
    rules: str = ""
    stdin_name: str = ""
    exit_zero: bool = False
    strict: bool = False
    summary: bool = False
    quiet: bool = False


class Checked:
    """What was checked of one file, and how much was found."""

    def __init__(self, file: str, kind: str) -> None:
        """Begin with nothing found."""
        self.file = file
        self.kind = kind
        self.records = 0
        self.deals = 0
        self.depth = ""
        self.rules = ""
        self.errors = 0
        self.warnings = 0

    def count(self, finding: Diagnostic) -> None:
        """Count a finding."""
        self.errors += finding.severity is Severity.ERROR
        self.warnings += finding.severity is Severity.WARNING


class _Run:
    """One run of the command: what it found so far."""

    def __init__(self, options: CheckOptions) -> None:
        self.options = options
        self.checked: list[Checked] = []
        self.findings: list[Diagnostic] = []
        self.unreadable = 0
        self.code = Code.CLEAN
        self.progress = Progress()

    def tell(self, finding: Diagnostic) -> None:
        """Write a finding at once, or keep it where all are written together."""
        self.code = max(self.code, code_of([finding], strict=self.options.strict))
        if self.options.shape is Format.JSON:
            self.findings.append(finding)
            return
        self.progress.clear()
        colour = in_colour(self.options.colour, sys.stdout)
        write_finding(finding, self.options.shape, colour=colour)
        if self.options.shape is Format.TEXT:
            write("\n")


def check(options: CheckOptions) -> int:
    """Check everything that was named, write what was found, and give the exit code."""
    run = _Run(options)
    for found in gather(options.paths, stdin_name=options.stdin_name):
        if isinstance(found, Diagnostic):
            run.unreadable += 1
            run.tell(found)
            continue
        run.progress.step(f"checking {found.name}")
        one = Checked(found.name, found.kind.value)
        run.checked.append(one)
        for finding in findings_of(found, one, options.rules):
            one.count(finding)
            run.tell(finding)
        if options.summary and options.shape is Format.TEXT:
            run.progress.clear()
            write(_line(one, colour=in_colour(options.colour, sys.stdout)))
    run.progress.clear()
    if options.shape is Format.JSON:
        write_json(_report(run))
    elif options.shape is Format.TEXT and not options.quiet:
        say(_sum(run))
    code = Code.USAGE if run.unreadable else run.code
    return Code.CLEAN if options.exit_zero and code == Code.FINDINGS else code


def findings_of(found: Input, one: Checked, rules: str = "") -> Iterator[Diagnostic]:
    """Check one text by its kind, and note in ``one`` what it was."""
    checks = {
        Kind.RECORD: _records,
        Kind.RECORD_JSON: _record_json,
        Kind.POSITIONS: _positions,
        Kind.RULES: _rules,
        Kind.CHAPTER: _chapter,
        Kind.GAME: _game,
        Kind.JSON: _record_json,
    }
    try:
        yield from checks[found.kind](found, one, rules)
        if found.kind in (Kind.RECORD, Kind.POSITIONS) and not one.records:
            yield nothing_in(found)
    except CanastaError as error:
        yield from error.diagnostics


def _records(found: Input, one: Checked, rules: str) -> Iterator[Diagnostic]:
    from canasta.notation.reader import read_stream  # noqa: PLC0415 - each kind of text pays for its own reader
    from canasta.playing.named_rules import seats_by  # noqa: PLC0415 - each kind of text pays for its own reader

    with found.open() as stream:
        for reading in read_stream(stream, found.name, seats_by(rules)):
            yield from _reading(reading, one, rules)


def _reading(reading: "Reading", one: Checked, rules: str) -> Iterator[Diagnostic]:
    one.records += reading.record is None or bool(reading.record.tags or reading.record.deals)
    yield from reading.diagnostics
    record = reading.record
    if record is None:
        return
    from canasta.playing.replay import replay  # noqa: PLC0415 - each kind of text pays for its own reader

    report = replay(record, rules or None, positions=False)
    one.deals += len(record.deals)
    one.depth = one.depth if one.depth in ("", report.depth.value) else "mixed depths"
    one.depth = one.depth or report.depth.value
    one.rules = report.rules
    told = set(reading.diagnostics)
    yield from (finding for finding in report.findings if finding not in told)


def _record_json(found: Input, one: Checked, rules: str) -> Iterator[Diagnostic]:
    from canasta.notation.assembly import Reading  # noqa: PLC0415 - each kind of text pays for its own reader
    from canasta.notation.json_form import read_json  # noqa: PLC0415 - each kind of text pays for its own reader
    from canasta.playing.named_rules import seats_by  # noqa: PLC0415 - each kind of text pays for its own reader

    record, diagnostics = read_json(found.text(), found.name, seats_by(rules))
    yield from _reading(Reading(record, tuple(diagnostics)), one, rules)


def _positions(found: Input, one: Checked, rules: str) -> Iterator[Diagnostic]:
    from canasta.games import open_game  # noqa: PLC0415 - each kind of text pays for its own reader
    from canasta.notation.position_text import parse_position  # noqa: PLC0415 - each kind of text pays for its own reader
    from canasta.playing.positions import to_state  # noqa: PLC0415 - each kind of text pays for its own reader

    one.rules = rules or "classic"
    game = open_game(one.rules)
    for number, line in enumerate(found.text().splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        one.records += 1
        position, diagnostics = parse_position(line, found.name, number)
        yield from diagnostics
        if position is not None:
            try:
                to_state(game, position)
            except CanastaError as error:
                yield from error.diagnostics


def _rules(found: Input, one: Checked, _: str) -> Iterator[Diagnostic]:
    from canasta_tools.rule_checks import check_rules  # noqa: PLC0415 - each kind of text pays for its own reader

    if found.path is None:
        hint = "save it to a file: a rule file may name chapters and other rule files beside it"
        yield Diagnostic("US0011", "a rule file cannot be read from standard input", whole(found.name), hint)
        return
    one.rules = found.name
    one.records = 1
    yield from check_rules(found.name)


def _chapter(found: Input, one: Checked, rules: str) -> Iterator[Diagnostic]:
    """Check the rule set that a chapter belongs to, for a chapter means nothing by itself."""
    main = "" if found.path is None else os.path.join(os.path.dirname(found.path), "ruleset.yaml")  # noqa: PTH118, PTH120 - pathlib takes longer to load than a deal to check
    if not os.path.isfile(main):  # noqa: PTH113 - pathlib takes longer to load than a deal to check
        hint = "check the rule set that lists it under `chapters:`"
        yield Diagnostic("US0011", f"{found.name} is a chapter without its rule set", whole(found.name), hint)
        return
    yield from _rules(Input(main.replace(os.sep, "/"), Kind.RULES, main), one, rules)


def _game(found: Input, _: Checked, __: str) -> Iterator[Diagnostic]:
    call = (
        "pass it through `canasta convert -`"
        if found.path is None
        else f"canasta convert {found.name} | canasta check -"
    )
    hint = f"make a record of it first: {call}"
    yield Diagnostic("US0011", f"{found.name} is a game of a program, not a record", whole(found.name), hint)


# -- what is said at the end -----------------------------------------------------------------------------------------


def _line(one: Checked, *, colour: bool) -> str:
    """Say in one line what a file was and how far it could be checked."""
    what = f"{one.deals} deal{'' if one.deals == 1 else 's'}, {one.depth}" if one.depth else one.kind
    verdict = paint("nothing wrong", "32", colour=colour)
    if one.errors or one.warnings:
        verdict = paint(_counted(one.errors, one.warnings), "31" if one.errors else "33", colour=colour)
    scope = f" (checked: {_CHECKED[one.depth]})" if one.depth in _CHECKED else ""
    by = f", by {one.rules}" if one.rules and one.rules != one.file else ""
    return f"{one.file}: {what}{by}: {verdict}{scope}"


def _counted(errors: int, warnings: int) -> str:
    parts = [f"{n} {what}{'' if n == 1 else 's'}" for n, what in ((errors, "error"), (warnings, "warning")) if n]
    return " and ".join(parts)


def _sum(run: _Run) -> str:
    """Say at the end how much was checked and found."""
    errors, warnings = sum(c.errors for c in run.checked), sum(c.warnings for c in run.checked)
    files = f"{len(run.checked)} file{'' if len(run.checked) == 1 else 's'} checked"
    missing = f", {run.unreadable} could not be read" if run.unreadable else ""
    return f"{files}{missing}: {_counted(errors, warnings) or 'nothing wrong'}" if run.checked else f"{files}{missing}"


def _report(run: _Run) -> dict[str, object]:
    """Give everything as one value for programs."""
    from canasta.rendering import to_json  # noqa: PLC0415 - only for those who ask for it

    checked = [
        {
            "file": c.file, "kind": c.kind, "records": c.records, "deals": c.deals, "depth": c.depth or None,
            "rules": c.rules or None, "errors": c.errors, "warnings": c.warnings,
        }
        for c in run.checked
    ]  # fmt: skip
    return {"schema": SCHEMA, "findings": to_json(run.findings), "checked": checked}
