"""`canasta conformance report` and `diff`: from streams of runs to something to read."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic, Span
from canasta_conformance.reports.difference import difference
from canasta_conformance.reports.machines import annotations, badge, junit
from canasta_conformance.reports.markdown import markdown
from canasta_conformance.reports.page import page
from canasta_conformance.reports.terminal import terminal
from canasta_conformance.running import exit_code, findings, nothing_judged
from canasta_conformance.stream import Report, StreamError, read
from canasta_conformance.suite import Suite
from canasta_tools.conformance.choosing import suite_at
from canasta_tools.conformance.reasons import picture, why
from canasta_tools.dispatch import UsageFault
from canasta_tools.files import keep_inputs, replace_file
from canasta_tools.output import Code, Colour, in_colour, say, write

SHAPES = ("text", "markdown", "html", "junit", "badge", "github")
_ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".xml": "junit", ".json": "badge"}
_SHORT = {"md": "markdown"}

WITH_SEVERAL = ("text", "markdown", "html", "github")
"""Shapes that can hold the runs of several engines."""


def read_report(path: str, suite: Suite | None = None) -> Report:
    """Read the stream of a run from a file or, for `-`, from standard input.

    Raises:
        CanastaError: CF0002 when it is no whole run.
    """
    try:
        if path == "-":
            return read(sys.stdin, suite)
        with Path(path).open(encoding="utf-8") as lines:
            return read(lines, suite)
    except StreamError as error:
        span = Span(path, error.line, 1, error.line, 1) if error.line else None
        raise CanastaError([Diagnostic("CF0002", error.text if span else f"{path}: {error.text}", span)]) from None
    except UnicodeDecodeError:
        raise CanastaError([Diagnostic("CF0002", f"{path} is no text in UTF-8")]) from None


def report(  # noqa: PLR0913 - one parameter an option
    *, files: Sequence[str], shape: str | None, output: str | None, ruleset: str, suite_path: str | None, colour: str,
    strict: bool, everything: bool, exit_zero: bool,
) -> int:  # fmt: skip
    """Write a report of one or several runs; what is not said of its shape the ending of the file says."""
    shape = _ENDINGS.get(Path(output or "").suffix.lower(), "text") if shape is None else _SHORT.get(shape, shape)
    if len(files) > 1 and shape not in WITH_SEVERAL:
        raise UsageFault("US0005", f"{shape} tells of one run", f"name one file, or choose {', '.join(WITH_SEVERAL)}")
    keep_inputs(output, (*files, suite_path))
    suite = suite_at(suite_path)
    reports = [read_report(path, suite) for path in files]
    for one in reports:
        if one.head["suite"] != suite.digest:
            say(f"{one.engine} was run with suite {one.head['suite']}, and the cases are told from {suite.digest}")
    painted = output is None and in_colour(Colour(colour), sys.stdout)
    text = _text(reports, suite, shape, ruleset, colour=painted, strict=strict, everything=everything)
    found = max(_code(one, strict=strict) for one in reports)
    if not output:
        write(text)
        return Code.CLEAN if exit_zero else found
    replace_file(Path(output), text)
    if not found or exit_zero:
        return Code.CLEAN
    say(f"{output} is written; the exit code is {found}, for not all went well in the run (--exit-zero gives 0)")
    return found


def _code(report: Report, *, strict: bool) -> int:
    """Give the exit code that the run itself would have given, where nothing is known to fail."""
    if report.results and nothing_judged(report.counts):
        return Code.FINDINGS
    return exit_code(report.counts, findings(strict=strict), report.unasked)


def _text(  # noqa: PLR0913 - what a report can be asked for
    reports: Sequence[Report], suite: Suite, shape: str, ruleset: str, *, colour: bool, strict: bool, everything: bool
) -> str:
    match shape:
        case "html":
            return page(reports, suite, picture=picture, why=why)
        case "junit":
            return junit(reports[0], strict=strict)
        case "badge":
            return badge(reports[0], ruleset, strict=strict)
        case "markdown":
            return "\n".join(markdown(one, suite, strict=strict) for one in reports)
        case "github":
            return "".join(annotations(one, suite, strict=strict) for one in reports)
        case _:
            told = [terminal(r, suite, colour=colour, everything=everything, strict=strict) for r in reports]
            return "\n\n".join(told) + "\n"


def diff(*, before: str, after: str, as_json: bool, fail_on: str) -> int:
    """Compare two runs; where they asked different suites, that is said first."""
    found = difference(read_report(before), read_report(after))
    write(json.dumps(found.data(), indent=2) if as_json else "\n".join(found.lines()))
    worst = bool(found.regressions) if fail_on == "regressions" else fail_on == "any" and not found.empty
    return Code.FINDINGS if worst else Code.CLEAN
