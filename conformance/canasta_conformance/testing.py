"""One call for engines in Python: the suite against an adapter, in the same process, under coverage and the debugger."""

from collections.abc import Callable, Sequence

from canasta_conformance.connecting import Engine, InProcess, Link
from canasta_conformance.grading import FAULTS, FINDINGS, NOT_ASKED
from canasta_conformance.limiting import limited
from canasta_conformance.messages import REQUEST_SECONDS
from canasta_conformance.nothing_fits import nothing_fits
from canasta_conformance.reports.terminal import terminal
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite


def run_conformance_test(
    adapter: object | Callable[[], object],
    *,
    cases: str | Sequence[str] = (),
    levels: int | Sequence[int] = (0, 1, 2),
    seed: int = 0,
    timeout: float | None = REQUEST_SECONDS,
) -> Report:
    """Put the suite to an adapter, or to what a class or function makes, and give the report.

    A single pattern or level may stand by itself. An answer may take ``timeout`` seconds; without a limit (None) a debugger may take
    its time, and an adapter that loops never ends.

    Raises:
        AssertionError: CF0003 when no case fits; with the whole report, when the adapter departs from the rules, answers what
            is no message, or answers so little that nothing was judged.
    """
    suite = read_suite()
    patterns = (cases,) if isinstance(cases, str) else tuple(cases)
    wanted = (levels,) if isinstance(levels, int) else tuple(levels)
    make: Callable[[], object] = adapter if callable(adapter) else lambda: adapter

    def opened() -> Link:
        return InProcess(make)

    open_link = opened if timeout is None else limited(opened)
    engine = Engine(open_link, suite.digest, request_seconds=REQUEST_SECONDS if timeout is None else timeout)
    name = getattr(adapter, "__qualname__", type(adapter).__qualname__)
    run = Run(engine, f"python:{make.__module__}:{name}", suite, suite.chosen(patterns), Settings(seed, levels=wanted))
    if not run.items:
        told, hint = nothing_fits(suite, patterns, levels=() if wanted == (0, 1, 2) else wanted)
        raise AssertionError(f"CF0003: {told}\n  hint: {hint or '`canasta conformance list` shows the ids'}")
    report = collect(run.records())
    if any(report.counts[status] for status in (*FAULTS, *FINDINGS)):
        raise AssertionError("\n" + terminal(report, suite, everything=True))
    if all(status in NOT_ASKED for status in report.counts):
        told = f"CF0003: nothing was judged: none of the {len(run.items)} forms could be asked"
        raise AssertionError(f"{told}\n" + terminal(report, suite, everything=True))
    return report
