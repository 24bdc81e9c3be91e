"""`canasta conformance check`, `init` and `record`: what is done with harnesses besides judging."""

import json
import shlex
import sys
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.beginning import begin, languages
from canasta_conformance.checking import Check, Finding, Step
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import DeclarationError
from canasta_conformance.reports.summary import why_not_started
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Record
from canasta_conformance.suite import read_suite
from canasta_tools.conformance.choosing import chosen, suite_at
from canasta_tools.conformance.declaring import declared_wrongly
from canasta_tools.conformance.judging import opened
from canasta_tools.conformance.streaming import files_of
from canasta_tools.dispatch import UsageFault
from canasta_tools.files import keep_inputs, replace_file
from canasta_tools.output import Code, Colour, in_colour, paint, say, write

_LOOKS = {Finding.OK: "32", Finding.HARNESS: "31", Finding.ENGINE: "31", Finding.SKIPPED: "2"}


HELPING = ("PYTHONUNBUFFERED",)
"""Variables of the environment that hide what is missing in a harness; where others run it they may not be set."""


def check(*, address: str, timeout: float, start_timeout: float, colour: str) -> int:
    """Check a harness, and tell it apart from its engine."""
    suite = read_suite()
    engine = Engine(opened(address, HELPING), suite.digest, start_timeout, timeout)
    painted = in_colour(Colour(colour), sys.stdout)
    found: list[Step] = []
    try:
        for step in Check(engine, suite, address).steps():
            found.append(step)
            write(_line(step, colour=painted))
    finally:
        engine.kill()
    if any(step.finding is Finding.HARNESS for step in found):
        say("the harness is broken: mend it before you look at any verdict")
        return Code.BROKEN_ENGINE
    if any(step.finding is Finding.ENGINE for step in found):
        say("the harness is sound; the engine departs from the rules")
        return Code.FINDINGS
    say("the harness is sound; `canasta conformance run` tells the rest")
    return Code.CLEAN


def _line(step: Step, *, colour: bool) -> str:
    told = step.told.replace("\n", "\n    ")
    first = f"{paint(f'{step.finding:22}', _LOOKS[step.finding], colour=colour)}  {step.name}"
    hint = f"\n    hint: {step.hint}" if step.hint else ""
    return f"{first}{f': {told}' if told else ''}{hint}"


def init(*, language: str | None, level: int, target: str) -> int:
    """Begin a harness in a new folder."""
    worked = [name for name, of in languages().items() if "level1" in of]
    if language is None:
        hint = f"add one: {', '.join(f'--lang {name}' for name in languages())}"
        raise CanastaError(
            [Diagnostic("CF0026", f"in which language is the harness of {target} to be written?", hint=hint)]
        )
    if level and language not in worked:
        hint = f"there is one in {', '.join(worked)}; without --level a skeleton in {language} is written"
        raise UsageFault("US0005", f"there is no worked example of level {level} in {language}", hint)
    try:
        run = begin(language, Path(target), worked=bool(level))
    except FileExistsError:
        raise CanastaError([Diagnostic("CF0006", f"{target} is there already")]) from None
    of = languages()[language]
    build = of["level1"]["build"] if level else of["build"]
    if build:
        write(f"{target} holds a harness that needs {of['needs']}. In that folder, read README.md, build it, and try:")
        write(f"  {build}")
    else:
        write(f"{target} holds a harness that runs. In that folder, read README.md, and try:")
    write(f"  canasta conformance check {json.dumps(f'exec:{run}')}")
    return Code.CLEAN


def record(  # noqa: PLR0913 - one parameter an option
    *, address: str, patterns: tuple[str, ...], clauses: tuple[str, ...], levels: tuple[int, ...], suite_path: str | None,
    output: str | None, timeout: float, rulesets: tuple[str, ...],
) -> int:  # fmt: skip
    """Write down everything that runner and engine say to each other."""
    keep_inputs(output, (suite_path, *files_of(address)))
    suite = suite_at(suite_path)
    engine = Engine(opened(address), suite.digest, request_seconds=timeout)
    settings = Settings(levels=levels or (0, 1, 2), keep=True)
    run = Run(engine, address, suite, chosen(suite, patterns, clauses, levels, rulesets=rulesets), settings)
    try:
        fault = run.begin()
        if fault:
            why, *log = why_not_started(fault)
            told = f"{why}; it wrote: {' / '.join(line.strip() for line in log[-3:])}" if log else why
            hint = f"`canasta conformance check {shlex.quote(address)}` goes through it step by step"
            raise CanastaError([Diagnostic("CF0025", told, hint=hint)])
        lines = [json.dumps(_said(run.ask(item))) for item in run.items]
    except DeclarationError as error:
        raise declared_wrongly(error) from None
    finally:
        engine.kill()
    text = "".join(f"{line}\n" for line in lines)
    if output:
        replace_file(Path(output), text)
    else:
        write(text)
    return Code.CLEAN


def _said(result: Record) -> Record:
    kept = {key: result[key] for key in ("case", "form", "level", "status")}
    return {**kept, "exchange": result.get("exchange", [])} | {
        key: result[key] for key in ("fault", "log") if key in result
    }
