"""`canasta conformance run`: the run itself, its stream, its report, and the exit code."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic, Span
from canasta_conformance.connecting import Engine, Link, opener
from canasta_conformance.declared import meant
from canasta_conformance.faults import AddressError
from canasta_conformance.grading import Status
from canasta_conformance.known_failures import Compared, Entry, ListError, compare, fixed
from canasta_conformance.known_failures import read as read_list
from canasta_conformance.limiting import limited
from canasta_conformance.reports.machines import annotations
from canasta_conformance.reports.summary import limits
from canasta_conformance.reports.terminal import terminal
from canasta_conformance.running import Run, Settings, exit_code, findings, nothing_judged
from canasta_conformance.sharing import SharedRun
from canasta_conformance.stream import Report
from canasta_conformance.suite import Suite
from canasta_tools.conformance.choosing import chosen, suite_at
from canasta_tools.conformance.streaming import carried_out, files_of
from canasta_tools.files import keep_inputs, replace_file
from canasta_tools.output import Code, Colour, Format, in_colour, say
from canasta_tools.output import write as write_out
from canasta_tools.progress import Progress


def judge(  # noqa: PLR0913 - one parameter an option
    *, address: str, patterns: tuple[str, ...], clauses: tuple[str, ...], levels: tuple[int, ...],
    suite_path: str | None, shape: str, as_json: bool, colour: str, output: str | None, seed: int, repeat: int,
    timeout: float, start_timeout: float, restarts: int, isolated: bool, expected: str | None, fix: bool, strict: bool,
    everything: bool, tier: str | None, rulesets: tuple[str, ...], jobs: int,
) -> int:  # fmt: skip
    """Run, report, and give the exit code."""
    if fix and not expected:
        raise CanastaError([Diagnostic("US0003", "--fix needs --expect, the list to write", hint="add --expect FILE")])
    whole = not (patterns or clauses or levels or tier or rulesets)
    if fix and not whole:
        raise CanastaError([Diagnostic("CF0008", "this run is not to ask everything")])
    keep_inputs(output, (expected, suite_path, *files_of(address)))
    keep_inputs(expected if fix else None, (suite_path, *files_of(address)))
    suite = suite_at(suite_path)
    cases = chosen(suite, patterns, clauses, levels, tier, rulesets)
    listed = _list(expected, begin=fix)
    entries = _known(expected, listed)
    told = (("suite", suite_path), ("tier", tier), ("isolated", "yes" if isolated else ""))
    named = {option: value for option, value in told if value} | limits(timeout, start_timeout)
    settings = Settings(seed, repeat, restarts, isolated, levels or (0, 1, 2), tier or "", named)
    engine = Engine(opened(address), suite.digest, start_timeout, timeout)
    wanted, shown = Format.JSONL if as_json else Format(shape), Progress()
    run = Run(engine, address, suite, cases, settings, shown.step)
    shared = run if jobs == 1 else SharedRun(run, jobs or os.cpu_count() or 1)
    report = carried_out(shared, output, to_screen=wanted is Format.JSONL)
    shown.clear()
    if fix and expected:
        if report.end["complete"]:
            return _fix(expected, report, listed)
        say(f"{expected} is as it was: not everything could be asked")
    compared = compare(report, entries)
    if wanted is Format.TEXT:
        painted = in_colour(Colour(colour), sys.stdout)
        known = report.without(compared.known)
        write_out(terminal(known, suite, colour=painted, everything=everything, strict=strict))
    elif wanted is Format.GITHUB:
        write_out(annotations(report.without(compared.known), suite, strict=strict))
    for line, complaint in compared.complaints:
        say(f"{expected}:{line}: {complaint}")
    return _code(report, suite, compared, strict=strict)


def opened(address: str, without: Collection[str] = ()) -> Callable[[], Link]:
    """Read the address of an engine, which does not get the variables of the environment named in ``without``.

    Raises:
        CanastaError: CF0001 when it names none.
    """
    try:
        return limited(opener(address, without))
    except AddressError as error:
        raise CanastaError([Diagnostic("CF0001", error.message, hint=error.hint)]) from None


def _list(path: str | None, *, begin: bool) -> str:
    """Read the file of expected failures; one that is not there yet is empty where it is to be begun.

    Raises:
        CanastaError: CF0004 when it is not there or is no text.
    """
    if path is None:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if begin:
            return ""
        raise CanastaError([Diagnostic("CF0004", f"there is no file {path}", hint="--fix begins one")]) from None
    except ValueError:
        raise CanastaError([Diagnostic("CF0004", f"{path} is no text in UTF-8")]) from None


def _known(path: str | None, text: str) -> tuple[Entry, ...]:
    """Read the list of expected failures.

    Raises:
        CanastaError: CF0004 when a line is no entry.
    """
    try:
        return read_list(text)
    except ListError as error:
        span = Span(path or "", error.line, 1, error.line, 1)
        raise CanastaError([Diagnostic("CF0004", error.text, span)]) from None


def _fix(path: str, report: Report, listed: str) -> int:
    new, text = not Path(path).exists(), fixed(report, listed)
    replace_file(Path(path), text)
    number = len(read_list(text))
    say(f"{path} is begun, {number} {'entry' if number == 1 else 'entries'}" if new else f"{path} is up to date")
    flaky = report.counts[Status.FLAKY]
    if flaky:
        say(f"not in it, for what comes and goes cannot be expected: {flaky} flaky")
        return Code.FINDINGS
    return Code.CLEAN


def _code(report: Report, suite: Suite, compared: Compared, *, strict: bool) -> int:
    """Give the exit code: what is known to fail does not count, what is wrong with the list does."""
    counts = Counter(r["status"] for r in report.results if (r["case"], r["form"]) not in compared.known)
    if report.results and not compared.known and nothing_judged(counts):
        told = meant(report.head.get("rulesets", ()), suite.rules)
        say(
            f"nothing was judged: the engine can be asked none of this{f'; {told}' if told else ''}. "
            "`canasta conformance check` tells what it says of itself"
        )
        return Code.FINDINGS
    code = exit_code(counts, findings(strict=strict), report.unasked)
    return code or (Code.FINDINGS if compared.complaints else Code.CLEAN)
