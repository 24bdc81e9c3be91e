"""One call for engines in Python: the suite against an adapter, in the same process, under coverage and the debugger."""

from collections.abc import Callable, Sequence

from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.grading import FAULTS, FINDINGS
from canasta_conformance.reports.terminal import terminal
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite


def run_conformance_test(
    adapter: object | Callable[[], object],
    *,
    cases: Sequence[str] = (),
    levels: Sequence[int] = (0, 1, 2),
    seed: int = 0,
) -> Report:
    """Put the suite to an adapter, or to what a class or function makes, and give the report.

    Raises:
        AssertionError: with the whole report, when it departs from the rules or answers what is no message.
    """
    suite = read_suite()
    make: Callable[[], object] = adapter if callable(adapter) else lambda: adapter
    engine = Engine(lambda: InProcess(make), suite.digest)
    name = getattr(adapter, "__qualname__", type(adapter).__qualname__)
    run = Run(
        engine, f"python:{make.__module__}:{name}", suite, suite.chosen(cases), Settings(seed, levels=tuple(levels))
    )
    report = collect(run.records())
    if any(report.counts[status] for status in (*FAULTS, *FINDINGS)):
        raise AssertionError("\n" + terminal(report, suite, everything=True))
    return report
