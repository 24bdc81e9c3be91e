"""`canasta conformance`: run the suite against an engine, check a harness, report, compare, and begin a harness."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from canasta_tools.commands.engines import engine_argument
from canasta_tools.output import Code, Colour, Format, write
from canasta_tools.parameters import RulesetName, rules_option, shape_of, shape_options

F = TypeVar("F", bound=Callable[..., Any])

REPORTS = ("text", "markdown", "md", "html", "junit", "badge", "github")
ONLY_RULES = "Only this rule set; may be given again."
LANGUAGES = ("python", "javascript", "go", "rust", "java", "cpp")


class RunShape(click.Choice[str]):
    """How a run is written; who wants a page or the like is told how to come by it."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the name of a format."""
        from canasta_tools.dispatch import UsageFault  # noqa: PLC0415 - the table of commands is made with this module

        if value in REPORTS and value not in self.choices:
            told = f"'--format': {value} is written from a run, and not while it runs"
            hint = f"`--output run.jsonl`, then `canasta conformance report run.jsonl --format {value}`"
            raise UsageFault("US0004", told, hint, ctx)
        return super().convert(value, param, ctx)


@click.group("conformance", short_help="Judge an implementation in any language by the suite.")
def command() -> None:
    """Judge an implementation in any language by the suite.

    ADDRESS is `exec:COMMAND`, `python:MODULE:CLASS`, or one of the engines that come along: `reference`, `second`,
    `miniature:NAME`.
    """


def selection(function: F) -> F:
    """Add the options by which cases are chosen."""
    function = click.option("--suite", "suite_path", type=click.Path(), help="The folder of another suite.")(function)
    function = click.option("--level", "levels", type=click.IntRange(0, 2), multiple=True, help="Only this level.")(
        function
    )
    function = click.option("--clause", "clauses", metavar="NAME", multiple=True, help="Only cases of this clause.")(
        function
    )
    return click.option("--rules", "rulesets", metavar="RULESET", multiple=True, help=ONLY_RULES)(function)


def tier_option(function: F) -> F:
    """Add the option by which only the core of the suite is asked."""
    help_ = "Only the core: the fewest forms of cases that notice all that the suite notices."
    return click.option("--tier", type=click.Choice(["core"]), help=help_)(function)


@command.command("run", short_help="Put the suite to an engine.")
@engine_argument(cases=True)
@selection
@shape_options([Format.TEXT, Format.JSONL, Format.GITHUB], RunShape)
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False), help="Write the stream of the run to this file as well."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Settles the order of the cases."
)
@click.option("--repeat", type=click.IntRange(1, 100), default=1, help="Ask everything so many times, in other orders.")
@click.option(
    "--timeout", type=click.FloatRange(0.01, 600), default=5.0, show_default=True, help="Seconds for an answer."
)
@click.option(
    "--start-timeout", type=click.FloatRange(0.01, 600), default=10.0, show_default=True, help="Seconds to start."
)
@click.option(
    "--restarts",
    type=click.IntRange(0, 10_000),
    default=20,
    show_default=True,
    help="How many restarts a run may cost; a case that crashes or hangs costs two, for it is asked once more alone.",
)
@click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=1,
    show_default=True,
    help="So many engines at once; 0: one a processor.",
)
@click.option("--isolated", is_flag=True, help="Start the engine afresh for each case.")
@click.option("--expect", "expected", type=click.Path(dir_okay=False), help="A list of failures that are expected.")
@click.option("--fix", is_flag=True, help="Bring that list up to date with the results.")
@click.option("--strict", is_flag=True, help="Wrong reason codes are findings, too.")
@click.option("--all", "everything", is_flag=True, help="Show every finding, not one of each kind.")
@tier_option
def run(**options: Any) -> int:  # noqa: ANN401 - one entry an option; the module that runs takes them apart
    """Put the cases of the suite to an engine, and tell where it departs from which rule.

    ADDRESS is `exec:` and the command that starts the engine, all in quotation marks; or `python:MODULE:CLASS`,
    `reference`, `second`, `miniature:NAME`. CASE is the id of a case, the beginning of one up to a slash, or a pattern with `*`.

    An engine at `python:` answers in this process. `--timeout` holds for it as well where the system has timers (not on
    Windows), but cannot stop what hangs in a library that is not Python; an `exec:` engine can always be ended.

    Exit codes: 0 nothing departs, or only what is listed; 1 departures, or nothing was judged; 2 a wrong call; 3 the
    engine crashed, hung or broke the protocol.
    """
    from canasta_tools.conformance.judging import judge  # noqa: PLC0415 - not all sub-commands need it

    return judge(**options)


@command.command("list", short_help="List the cases of the suite.")
@click.argument("patterns", metavar="[CASE…]", nargs=-1)
@selection
@tier_option
def list_cases(
    *, patterns: tuple[str, ...], clauses: tuple[str, ...], levels: tuple[int, ...], suite_path: str | None,
    tier: str | None, rulesets: tuple[str, ...],
) -> int:  # fmt: skip
    """List the cases of the suite with the levels at which they can be asked.

    CASE is the id of a case, the beginning of one up to a slash, or a pattern with `*`.
    """
    from canasta_tools.conformance.choosing import chosen, suite_at  # noqa: PLC0415 - not all sub-commands need it

    for case in chosen(suite_at(suite_path), patterns, clauses, levels, tier, rulesets):
        reach = "".join(str(n) for n in sorted({form.level for form in case.forms}))
        write(f"{reach:4}{case.id}")
    return Code.CLEAN


@command.command("miniatures", short_help="List the engines that are wrong on purpose.")
@click.argument("name", required=False)
def miniatures(*, name: str | None) -> int:
    """List the engines that are wrong in one known way each, by which suite and runner are tried; tell all about one.

    `miniature:NAME` is the address of one.
    """
    from canasta_tools.conformance.wrong_engines import tell  # noqa: PLC0415 - not all sub-commands need it

    return tell(name)


@command.command("report", short_help="Write a report of runs.")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option(
    "--format",
    "shape",
    type=click.Choice(REPORTS),
    help="What to write; without it as the file's name ends, else text.",
)
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Write it to this file.")
@click.option("--rules", "ruleset", default="classic", show_default=True, help="The rule set that a badge tells of.")
@click.option("--suite", "suite_path", type=click.Path(), help="The folder of the suite that was run.")
@click.option(
    "--color",
    "colour",
    type=click.Choice([str(c) for c in Colour]),
    default=str(Colour.AUTO),
    help="Whether to use colour.",
)
@click.option("--strict", is_flag=True, help="Wrong reason codes are findings, too.")
@click.option("--all", "everything", is_flag=True, help="Show every finding, not one of each kind.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever the run has found.")
def report(**options: Any) -> int:  # noqa: ANN401 - one entry an option
    """Write a report from the streams of runs: for a person, a page, a build server, a badge, a code host.

    HTML, text, Markdown and GitHub annotations may tell of several engines at once.
    """
    from canasta_tools.conformance.reporting import report as reported  # noqa: PLC0415 - not all sub-commands need it

    return reported(**options)


@command.command("diff", short_help="Compare two runs.")
@click.argument("before", type=click.Path())
@click.argument("after", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Write the differences as JSON.")
@click.option(
    "--fail-on", type=click.Choice(["regressions", "any", "nothing"]), default="regressions", show_default=True,
    help="Which differences give the exit code 1.",
)  # fmt: skip
def diff(*, before: str, after: str, as_json: bool, fail_on: str) -> int:
    """Compare two runs: what fails now, what passes now, what changed, what came and went."""
    from canasta_tools.conformance.reporting import diff as compared  # noqa: PLC0415 - not all sub-commands need it

    return compared(before=before, after=after, as_json=as_json, fail_on=fail_on)


@command.command("power", short_help="Measure how strong the suite is.")
@click.argument("rulesets", metavar="[RULESET…]", nargs=-1, type=RulesetName())
@click.option("--suite", "suite_path", type=click.Path(), help="The folder of another suite.")
@shape_options([Format.TEXT, Format.JSON])
@click.option("--jobs", type=click.IntRange(0, 256), default=0, help="How many processes; one for each processor.")
@click.option(
    "--quick", is_flag=True, help="Ask only the cases that assert a changed clause, and play nothing at random."
)
@click.option(
    "--acts", type=click.IntRange(0, 1_000_000), default=1000, show_default=True,
    help="Put each survivor to so many acts at random, to find a position that tells it apart.",
)  # fmt: skip
@click.option(
    "--deals", type=click.IntRange(0, 10_000), default=5, show_default=True,
    help="Play so many deals at random, to find rules that never come into play.",
)  # fmt: skip
@click.option("--every", type=click.IntRange(1, 1000), default=1, help="Try only each so-manieth mutant.")
@click.option(
    "--journal", type=click.Path(dir_okay=False),
    help="Keep what becomes of each mutant in this file as it comes, and do not try again what it knows already.",
)  # fmt: skip
@click.option(
    "--full",
    is_flag=True,
    help="Ask every case about each mutant, not only until enough have noticed it; it takes long.",
)
@click.option(
    "--core",
    type=click.Path(dir_okay=False),
    help="Write the smallest set of cases that notices as much; asks in full.",
)
@click.option("--all", "everything", is_flag=True, help="Show every survivor and everything that is one-sided.")
@click.option(
    "--require", is_flag=True, help="Exit with 1 and say what is missed, if this project's targets are not met."
)
def power(**options: Any) -> int:  # noqa: ANN401 - one entry an option
    """Measure how strong the suite is: put faults into the rules, one at a time, and see which cases notice.

    Without RULESET all rule sets are measured.
    """
    from canasta_tools.conformance.strength import power as measured  # noqa: PLC0415 - not all sub-commands need it

    return measured(**options)


@command.command("check", short_help="Check a harness step by step.")
@engine_argument(cases=False)
@click.option(
    "--timeout", type=click.FloatRange(0.01, 600), default=5.0, show_default=True, help="Seconds for an answer."
)
@click.option(
    "--start-timeout", type=click.FloatRange(0.01, 600), default=10.0, show_default=True, help="Seconds to start."
)
@click.option(
    "--color",
    "colour",
    type=click.Choice([str(c) for c in Colour]),
    default=str(Colour.AUTO),
    help="Whether to use colour.",
)
def check(*, address: str, timeout: float, start_timeout: float, colour: str) -> int:
    """Check a harness step by step, and tell what is broken in it from what is wrong in the engine.

    ADDRESS is `exec:` and the command that starts it, all in quotation marks, or `python:MODULE:CLASS`. For the latter
    `--timeout` holds only where the system has timers (not on Windows).

    Exit codes: 0 all is well, 1 the engine is wrong, 2 a wrong call, 3 the harness is broken.
    """
    from canasta_tools.conformance.harnesses import check as checked  # noqa: PLC0415 - not all sub-commands need it

    return checked(address=address, timeout=timeout, start_timeout=start_timeout, colour=colour)


@command.command("init", short_help="Begin a harness.")
@click.argument("target", metavar="FOLDER", type=click.Path())
@click.option("--lang", "language", type=click.Choice(LANGUAGES), help="The language of the harness; it must be named.")
@click.option(
    "--level", type=click.IntRange(0, 1), default=0,
    help="With 1, write the worked example of the tutorial instead: a tiny engine at which turns are played.",
)  # fmt: skip
def init(*, target: str, language: str | None, level: int) -> int:
    """Begin a harness: write one that runs into a new folder, with a README that says how to build and try it."""
    from canasta_tools.conformance.harnesses import init as begun  # noqa: PLC0415 - not all sub-commands need it

    return begun(language=language, level=level, target=target)


@command.command("record", short_help="Write down all that is said.")
@engine_argument(cases=True)
@selection
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Write to this file.")
@click.option(
    "--timeout", type=click.FloatRange(0.01, 600), default=5.0, show_default=True, help="Seconds for an answer."
)
def record(**options: Any) -> int:  # noqa: ANN401 - one entry an option
    """Write down what is said: every request and answer, one JSON line for each form, to look into or to send along.

    ADDRESS and CASE are as for `canasta conformance run`.
    """
    from canasta_tools.conformance.harnesses import record as recorded  # noqa: PLC0415 - not all sub-commands need it

    return recorded(**options)


@command.command("fuzz", short_help="Look for differences by random play.")
@engine_argument(cases=False)
@click.option("--rules", "rulesets", metavar="RULESET", multiple=True, help=ONLY_RULES)
@click.option("--examples", type=click.IntRange(1, 10**9), help="So many turns in all, in round shards.")
@click.option("--time", "seconds", type=click.FloatRange(0.1, 10**7), help="End so many seconds from now.")
@click.option("--seed", type=click.IntRange(0, 2**63), default=1, show_default=True, help="The seed of everything.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="So many processes; as many as there are processors without it."
)
@click.option("--cluster", "cluster_address", metavar="ADDRESS", help="The workers of a Dask cluster instead.")
@click.option(
    "--output",
    "-o",
    type=click.Path(file_okay=False),
    default="fuzz",
    show_default=True,
    help="The folder of the campaign.",
)
@click.option(
    "--timeout", type=click.FloatRange(0.01, 600), default=5.0, show_default=True, help="Seconds for an answer."
)
@click.option(
    "--start-timeout", type=click.FloatRange(0.01, 600), default=10.0, show_default=True, help="Seconds to start."
)
@shape_options([Format.TEXT, Format.JSON])
def fuzz(*, examples: int | None, seconds: float | None, jobs: int | None, colour: str, **options: Any) -> int:  # noqa: ANN401, ARG001 - one entry an option; nothing is coloured
    """Play deals at random on an engine and the reference, and make small whatever differs.

    ADDRESS is as for `canasta conformance run`. What is found stays in the folder; the same command goes on from there,
    after its time was up, after Ctrl-C, and also after it was killed.
    """
    import os  # noqa: PLC0415 - not all sub-commands need it

    from canasta_tools.conformance.fuzzing import fuzz as fuzzed  # noqa: PLC0415 - not all sub-commands need it

    wanted = 2000 if examples is None and seconds is None else examples
    return fuzzed(examples=wanted, seconds=seconds, jobs=jobs or os.cpu_count() or 1, **options)


@command.command("digest", short_help="Write the digest of each case.")
@click.argument("patterns", metavar="[CASE…]", nargs=-1)
@click.option("--suite", "suite_path", type=click.Path(), help="The folder of another suite.")
@click.option("--against", type=click.Path(), help="Digests that were written before; what differs is told.")
def digest(*, patterns: tuple[str, ...], suite_path: str | None, against: str | None) -> int:
    """Write the digest of each case, so that it can be seen later whether any has changed."""
    from canasta_tools.conformance.handing_on import digest as told  # noqa: PLC0415 - not all sub-commands need it

    return told(patterns=patterns, suite_path=suite_path, against=against)


@command.command("pack", short_help="Pack the suite into an archive.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), required=True, help="Write to this file.")
@click.option("--suite", "suite_path", type=click.Path(), help="The folder of another suite.")
def pack(*, output: str, suite_path: str | None) -> int:
    """Pack the suite with its schemas into one archive (.tar.gz) that needs no Python."""
    from canasta_tools.conformance.handing_on import pack as packed  # noqa: PLC0415 - not all sub-commands need it

    return packed(output=output, suite_path=suite_path)


@command.command("count", short_help="Count the plays of a position.")
@click.argument("position", metavar="POSITION")
@click.option("--depth", type=click.IntRange(0, 20), default=1, show_default=True, help="So many turns.")
@click.option("--divide", is_flag=True, help="Write the count after each first play, too.")
@shape_options([Format.TEXT, Format.JSON])
@rules_option("The rule set to play by.", "classic")
def count(*, position: str, depth: int, divide: bool, shape: str, as_json: bool, colour: str, rules: str) -> int:  # noqa: ARG001, PLR0913 - one parameter an option; nothing is coloured
    """Count the ways to play so many whole turns from a POSITION, as the reference does.

    Every card must be known, those of the stock as well.
    """
    from canasta_tools.conformance.counting import count as counted  # noqa: PLC0415 - not all sub-commands need it

    return counted(position=position, rules=rules, depth=depth, divide=divide, shape=shape_of(shape, as_json=as_json))
