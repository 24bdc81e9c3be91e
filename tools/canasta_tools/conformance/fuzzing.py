"""`canasta conformance fuzz`: a campaign begun or gone on with, what was found, and the exit code."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from math import ceil
from pathlib import Path
from time import time
from typing import Any, Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import DeclarationError, declarations
from canasta_conformance.faults import AddressError, EngineFaultError, FaultKind
from canasta_conformance.fuzzing.campaign import LOST, Campaign, Limits
from canasta_conformance.fuzzing.cut_off import OUT_OF_TIME
from canasta_conformance.fuzzing.executors import ClusterError, cluster, local
from canasta_conformance.fuzzing.journal import Journal, OtherCampaignError
from canasta_conformance.fuzzing.shards import Plan
from canasta_conformance.messages import refusal
from canasta_conformance.reports.summary import COMMAND, limits
from canasta_conformance.serving import isolated
from canasta_conformance.stream import clean
from canasta_conformance.suite import read_suite
from canasta_tools.conformance.declaring import declared_wrongly
from canasta_tools.output import Code, Format, say, write, write_json
from canasta_tools.progress import Progress

Data = Mapping[str, Any]

SHARD: Final = 200
"""So many turns make a shard."""

BETWEEN: Final = 5.0
"""So many seconds lie between two lines of progress where there is no terminal."""

MET: Final = 8
"""So many codes are named in the report for a person; the file has all of them."""


def fuzz(  # noqa: PLR0913 - one parameter an option
    *, address: str, rulesets: tuple[str, ...], seed: int, examples: int | None, seconds: float | None, jobs: int,
    cluster_address: str | None, output: str, timeout: float, start_timeout: float, shape: str, as_json: bool,
) -> int:  # fmt: skip
    """Carry a campaign on, report what was found, and give the exit code."""
    until = None if seconds is None else time() + seconds
    suite = read_suite()
    names = _played(address, rulesets, timeout, start_timeout)
    plan = Plan(address, names, seed, SHARD, timeout, start_timeout)
    shards = None if examples is None else ceil(examples / SHARD)
    shown = Progress()
    try:
        journal = Journal(Path(output), plan, suite.digest)
        campaign = Campaign(journal, jobs, _progress(shown), shared=cluster_address is None)
        try:
            with _executors(cluster_address, jobs) as opening:
                campaign.run(opening, Limits(shards, until))
        except KeyboardInterrupt:
            shown.clear()
            found = len(journal.report()["findings"])
            say(f"broken off; {_kinds(found)} so far, all of it in {journal.folder / 'report.json'}")
            say("the same command goes on from there")
            raise
        report = journal.report()
    except OtherCampaignError as error:
        raise CanastaError([Diagnostic("CF0021", str(error), hint=error.hint)]) from None
    except ClusterError as error:
        raise CanastaError([Diagnostic("CF0023", str(error))]) from None
    finally:
        shown.clear()
    if as_json or shape == Format.JSON:
        write_json(report)
    else:
        write(told(report, Path(output)))
    return code(report)


def _progress(shown: Progress) -> Callable[[str], None]:
    """Show in a terminal how far it has come; elsewhere write a line to standard error now and then."""
    last = time()

    def step(what: str) -> None:
        nonlocal last
        shown.step(what)
        if not sys.stderr.isatty() and time() - last >= BETWEEN:
            last = time()
            say(what)

    return step


def _played(address: str, wanted: Sequence[str], timeout: float, start_timeout: float) -> tuple[str, ...]:
    """Ask the engine which rule sets it plays, and choose those that are wanted; all where none is named.

    Raises:
        CanastaError: CF0001, CF0005 or CF0022.
    """
    suite = read_suite()
    try:
        engine = Engine(isolated(address), suite.digest, start_timeout, timeout)
        hello = engine.greet()
        engine.end()
        if refusal(hello):
            raise CanastaError([Diagnostic("CF0022", f"hello was answered by {refusal(hello)}")])
        played = declarations(hello, suite.rules)
    except AddressError as error:
        raise CanastaError([Diagnostic("CF0001", error.message, hint=error.hint)]) from None
    except EngineFaultError as fault:
        raise CanastaError([Diagnostic("CF0022", clean(f"{fault.kind}: {fault.text} {fault.log}").strip())]) from None
    except DeclarationError as error:
        raise declared_wrongly(error) from None
    if not any(n in hello["levels"] and op in hello["operations"] for n, op in ((1, "load"), (2, "start"))):
        hint = 'put 2 in "levels" and "start" in "operations", or 1 and "load"'
        raise CanastaError([Diagnostic("CF0022", "it can neither be dealt to nor set up", hint=hint)])
    if "turn" not in hello["operations"]:
        raise CanastaError([Diagnostic("CF0022", 'turns cannot be played: "turn" is not among its "operations"')])
    lacking = [name for name in wanted if name not in played]
    if lacking or not played:
        told_ = f"it does not play {lacking[0]}" if lacking else "it plays no rule set of the suite"
        hint = f"it plays {', '.join(sorted(played))}" if played else ""
        raise CanastaError([Diagnostic("CF0022", told_, hint=hint)])
    return tuple(dict.fromkeys(wanted)) or tuple(sorted(played))


def _executors(address: str | None, jobs: int) -> AbstractContextManager[Callable[[], Any]]:
    """Give what opens executors: processes of this machine, or a cluster."""
    return nullcontext(partial(_local, jobs)) if address is None else nullcontext(partial(cluster, address))


def _local(jobs: int) -> Executor:
    return local(jobs)


def told(report: Data, folder: Path) -> str:
    """Tell a person what was played and what was found, and how to ask it again."""
    engine = clean(report["engine"] or report["plan"]["address"])
    lines = [f"{engine} and the reference, seed {report['plan']['seed']}", ""]
    for name, of in report["rulesets"].items():
        turns = ", ".join(f"{times} {kind}" for kind, times in of["turns"].items() if kind != "none")
        unsure = f"; {of['unsure']} left out, since the reference was not sure" if of["unsure"] else ""
        lines.append(f"{name}: {_number(of['deals'], 'deal')}, {turns or 'no turn'}{unsure}")
        met = sorted(of["codes"].items(), key=lambda item: (-item[1], item[0]))
        most = ", ".join(f"{code} {n}" for code, n in met[:MET]) + (" …" if len(met) > MET else "")
        lines += [f"  {_number(len(met), 'code')} met: {most}"] if met or turns else []
        listed = {what: ", ".join(f"{word} {n}" for word, n in of[what].items()) for what in ("ends", "relations")}
        lines += [f"  {what}: {words}" for what, words in listed.items() if words]
        lines += [f"  not asked: needs {clean(what)}, {_number(n, 'time')}" for what, n in of["unsupported"].items()]
    lines += [f"broken off: {clean(what)}, {_number(n, 'shard')}" for what, n in report["stopped"].items()]
    if not report["rulesets"]:
        lines.append("the time was up before anything was played")
    elif any(what.endswith(f": {OUT_OF_TIME}") for what in report["stopped"]):
        lines.append("  the same command plays these to their end, and makes small what is not")
    if report["rulesets"] and not judged(report):
        lines.append(f"nothing was judged: {NEEDED}")
    lines.append("")
    for finding in report["findings"]:
        lines += _finding(finding, report, folder)
    return "\n".join([*lines, f"{_kinds(len(report['findings']))}; all of it in {folder / 'report.json'}"])


NEEDED: Final = (
    "a deal needs `turn`, and `start` (level 2) or `load` of positions with all that is named under `not asked`"
)


def judged(report: Data) -> bool:
    """Ask whether the engine was asked for any turn."""
    return any(kind != "none" for of in report["rulesets"].values() for kind in of["turns"])


def _number(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def _kinds(number: int) -> str:
    return f"{_number(number, 'kind')} of finding"


def _finding(finding: Data, report: Data, folder: Path) -> list[str]:
    times = finding["times"]
    clause = f" [{finding['clause']}]" if finding.get("clause") else ""
    lines = [f"{finding['ruleset']}: {clean(finding['kind'])}{clause}, {times} time{'' if times == 1 else 's'}"]
    if "told" in finding:
        lines.append(f"  it answered: {clean(finding['told'])}")
    if finding.get("whole"):
        lines.append(
            "  as it was played, for other kinds of its shard were made small; with more examples this one may be, too"
        )
    if finding.get("cut"):
        lines.append("  not made small, or not to the end, for the time was up; the same command does it")
    if finding.get("steady") is False:
        lines.append("  asked the same once more it answered otherwise")
    if "case" in finding:
        at = folder / "findings" / finding["file"]
        plan = report["plan"]
        words = ["--engine", plan["address"], "--suite", f"{at}.json"]
        told = limits(plan["request_seconds"], plan["start_seconds"])
        words += [word for option, value in told.items() for word in (f"--{option}", value)]
        lines.append(f"  {COMMAND} {shlex.join(words)}")
    if finding.get("log"):
        lines.append(f"  its last words: {clean(finding['log'])}")
    return lines


def code(report: Data) -> int:
    """Give the exit code: 3 where the engine broke, 1 where anything else was found or nothing was judged, 0 where nothing was."""
    kinds = [finding["kind"].partition(" ")[0] for finding in report["findings"]]
    if any(kind in list(FaultKind) for kind in kinds) or any(f["kind"] == LOST for f in report["findings"]):
        return Code.BROKEN_ENGINE
    return Code.FINDINGS if kinds or not judged(report) else Code.CLEAN
