"""The plugin of pytest: with ``--canasta-engine ADDRESS`` every question of the suite becomes a test of the session.

ADDRESS is what `canasta conformance run` takes; anything else is taken for a command. What an engine says that it cannot be asked
is skipped with what it would need; what a list of known failures names must fail as it is written.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from canasta_conformance.known_failures import Entry
    from canasta_conformance.running import Item, Run


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("canasta", "conformance of a Canasta engine")
    group.addoption(
        "--canasta-engine",
        metavar="ADDRESS",
        help="the engine that is judged: exec:COMMAND, python:MODULE:CLASS, reference, second",
    )
    group.addoption(
        "--canasta-case", action="append", default=[], metavar="CASE", help="only these cases, by id or pattern"
    )
    group.addoption("--canasta-expect", metavar="FILE", help="the list of failures that are known")
    group.addoption("--canasta-timeout", type=float, default=5.0, metavar="S", help="seconds for an answer")


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each form of each case that was chosen."""
    address = config.getoption("--canasta-engine")
    if address:
        suite = ConformanceSuite.from_parent(session, name="canasta")
        items.extend(suite.collect())


class ConformanceSuite(pytest.Collector):
    """The suite, as a collector of its forms."""

    def collect(self) -> "list[ConformanceItem]":
        """Make a test for each form."""
        from canasta_conformance.connecting import Engine, is_address, opener  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.declared import DeclarationError  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.faults import AddressError  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.known_failures import ListError, read  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.limiting import limited  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.nothing_fits import nothing_fits  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.reports.summary import limits  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.running import Run, Settings  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.suite import read_suite  # noqa: PLC0415 - no other session needs it

        config, suite = self.config, read_suite()
        address: str = config.getoption("--canasta-engine")
        if not is_address(address):
            address = f"exec:{address}"
        listed = config.getoption("--canasta-expect")
        wanted = config.getoption("--canasta-case")
        try:
            engine = Engine(limited(opener(address)), suite.digest, 10.0, config.getoption("--canasta-timeout"))
        except AddressError as error:
            raise _stopped("CF0001", error.message, error.hint) from None
        try:
            entries = read(Path(listed).read_text(encoding="utf-8-sig")) if listed else ()
        except ListError as error:
            raise _stopped("CF0004", f"{listed}:{error.line}: {error.text}", _LIST_HINT) from None
        except (OSError, ValueError) as error:
            told = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
            raise _stopped("CF0004", f"{listed}: {told}", _LIST_HINT) from None
        run = Run(engine, address, suite, suite.chosen(wanted), Settings(chosen=limits(engine.request_seconds)))
        if not run.items:
            told, hint = nothing_fits(suite, wanted)
            raise _stopped("CF0003", told, hint or "`canasta conformance list` shows the ids")
        config.add_cleanup(engine.kill)
        try:
            fault = run.begin()
        except DeclarationError as error:
            hint = error.hint or _CHECK_HINT.format(address=shlex.quote(address))
            raise _stopped("CF0005", str(error), hint) from None
        if fault is not None:
            log = "".join(f"\n  it wrote: {line}" for line in str(fault.get("log", "")).splitlines()[-3:])
            told = f"the engine could not be started: {fault['kind']}: {fault['text']}{log}"
            raise _stopped("CF0025", told, _CHECK_HINT.format(address=shlex.quote(address)))
        return [
            ConformanceItem.from_parent(self, name=_name(item), run=run, item=item, entries=entries)
            for item in run.items
        ]


_CHECK_HINT: Final = "`canasta conformance check {address}` goes through it step by step"
_LIST_HINT: Final = "`canasta explain CF0004` shows how a line is written"


def _stopped(id_: str, told: str, hint: str) -> pytest.UsageError:
    """Make what ends the session: one diagnostic, and not a failure for every case."""
    return pytest.UsageError(f"canasta: {id_} {told}\n  hint: {hint}\n  see: canasta explain {id_}")


def _name(item: "Item") -> str:
    return (
        f"{item.case.id}[level {item.form.level}]"
        if item.index == 0
        else f"{item.case.id}[level {item.form.level}, {item.index}]"
    )


class DepartureError(Exception):
    """An engine departs from the rules."""


class ConformanceItem(pytest.Item):
    """One form of one case."""

    def __init__(self, *, run: "Run", item: "Item", entries: "tuple[Entry, ...]", **more: Any) -> None:  # noqa: ANN401 - as pytest makes items
        """Know what is to be asked."""
        super().__init__(**more)
        self.run, self.form, self.entries = run, item, entries

    def runtest(self) -> None:
        """Ask, and fail, skip or pass by what came of it."""
        from canasta_conformance.grading import NOT_ASKED  # noqa: PLC0415 - no other session needs it
        from canasta_conformance.reports.summary import BAD, explained  # noqa: PLC0415 - no other session needs it

        result = self.run.ask(self.form)
        lines = [f"{result['status']}: {result['case']}, level {result['level']}", *explained(result)]
        listed = next((entry for entry in self.entries if entry.covers(result)), None)
        if listed is not None:
            if result["status"] == listed.status:
                pytest.xfail(listed.reason or "known")
            raise DepartureError("\n".join([f"it is listed as {listed.status}", *lines]))
        if result["status"] in NOT_ASKED:
            pytest.skip(f"{result['status']}: {result['told']}" if result.get("told") else str(result["status"]))
        if result["status"] in BAD:
            raise DepartureError("\n".join(lines))

    def repr_failure(self, excinfo: "pytest.ExceptionInfo[BaseException]", style: Any = None) -> Any:  # noqa: ANN401 - as pytest has it
        """Tell a departure by what departs, and everything else as pytest does."""
        if isinstance(excinfo.value, DepartureError):
            return "\n".join(self._told(str(excinfo.value)))
        return super().repr_failure(excinfo, style)

    def _told(self, text: str) -> Iterator[str]:
        from canasta_conformance.reports.summary import again  # noqa: PLC0415 - no other session needs it

        case = self.form.case
        clause = self.run.suite.rules[case.ruleset].clauses.get(case.asserts[0])
        yield from text.splitlines()
        yield f"given: {case.data['given']['text']}"
        yield from (f"turn: {step['turn']['text']}" for step in case.data["steps"] if "turn" in step)
        if clause is not None:
            yield f"clause: {clause.id}: {clause.title} ({clause.file}:{clause.line})"
        chosen = self.run.settings.chosen
        words = ["pytest", "--canasta-engine", self.run.address, "--canasta-case", case.id]
        words += ["--canasta-timeout", chosen["timeout"]] if "timeout" in chosen else []
        yield f"again: {again(self.run.address, case.id, chosen)}"
        yield f"again, as a test: {shlex.join(words)}"

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Say where it stands: in the suite."""
        return Path("canasta-suite"), None, self.name
