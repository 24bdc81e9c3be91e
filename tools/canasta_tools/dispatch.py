"""The table of commands, and how a call that cannot be understood becomes a diagnostic."""

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import click

from canasta.diagnostics import Diagnostic
from canasta_tools.output import Code, fail, say

COMMANDS: Final = {
    "check": "Judge records, rule files and positions.",
    "fmt": "Write records in the one canonical form.",
    "replay": "Go through a record turn by turn.",
    "score": "Add up the score sheet of a record, or write a new one.",
    "show": "Draw the table, so that a person can see it.",
    "judge": "Say whether a turn is legal in a position.",
    "why": "Show step by step how a verdict came about.",
    "rules": "List, search, check, sign and compare rules.",
    "explain": "Tell what an id, clause, code, ruling or option means.",
    "rulebook": "Print a rule set as a book.",
    "random": "Play a match of random legal acts and print its record.",
    "convert": "Turn games of programs into records, and records into JSON.",
    "conformance": "Judge an implementation in any language by the suite.",
    "translations": "Bring the catalogues of translations up to date, and check them.",
    "generate": "Write the generated files of a checkout anew.",
}
"""Every command with what it does; its module in ``canasta_tools.commands`` is imported when it is called."""

_MODULES: Final = {"random": "random_match"}


class UsageFault(click.UsageError):
    """A call that cannot be carried out, with its diagnostic."""

    def __init__(self, id_: str, message: str, hint: str, ctx: click.Context | None = None) -> None:
        """Carry id, message and hint."""
        super().__init__(message, ctx)
        self.diagnostic = Diagnostic(id_, message, None, hint)


class Commands(click.Group):
    """The commands, found by name and imported only when one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """List the commands in the order of a person's work."""
        return [name for name in COMMANDS if _there(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        """Import one command."""
        if cmd_name not in COMMANDS or not _there(cmd_name):
            return None
        found: click.Command = import_module(_module(cmd_name)).command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was called, or say which one may have been meant."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            close = get_close_matches(name, COMMANDS, 1)
            hint = f"did you mean `canasta {close[0]}`?" if close else "`canasta --help` lists the commands"
            raise UsageFault("US0001", f"there is no command {name}", hint, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


def _module(name: str) -> str:
    return f"canasta_tools.commands.{_MODULES.get(name, name)}"


def _there(name: str) -> bool:
    return find_spec(_module(name)) is not None


def _versions(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - as click calls it
    if not value or ctx.resilient_parsing:
        return
    from canasta_tools.versions import versions  # noqa: PLC0415 - only here

    click.echo("\n".join(f"{what} {number}" for what, number in versions().items()))
    ctx.exit()


@click.command(
    "canasta",
    cls=Commands,
    invoke_without_command=False,
    epilog="Exit codes: 0 nothing wrong, 1 findings, 2 a wrong call or unreadable input, 101 a fault of the command.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_versions,
    help="Say the versions of package, notation and protocol.",
)  # fmt: skip
def canasta() -> None:
    """Records, rules and rulings of the card game Canasta."""


def dispatch(arguments: Sequence[str]) -> int:
    """Carry out a call, and give its exit code."""
    try:
        result: Any = canasta.main(list(arguments), prog_name="canasta", standalone_mode=False)
    except UsageFault as fault:
        return _refuse(fault, fault.diagnostic)
    except click.exceptions.NoArgsIsHelpError as fault:
        say(fault.format_message())
        return Code.USAGE
    except click.UsageError as fault:
        return _refuse(fault, _as_diagnostic(fault))
    except click.ClickException as fault:
        return fail([Diagnostic("US0005", fault.format_message(), None, "`canasta --help` tells more")])
    except (click.Abort, EOFError):
        say("")
        return Code.INTERRUPTED
    return result if isinstance(result, int) else Code.CLEAN


def _refuse(fault: click.UsageError, diagnostic: Diagnostic) -> int:
    code = fail([diagnostic])
    if fault.ctx is not None:
        say(fault.ctx.get_usage())
    return code


def _as_diagnostic(fault: click.UsageError) -> Diagnostic:
    """Say in our own words what click found."""
    path = fault.ctx.command_path if fault.ctx else "canasta"
    more = f"`{path} --help` lists what may be written"
    if isinstance(fault, click.NoSuchOption):
        near = f"did you mean {' or '.join(fault.possibilities)}?" if fault.possibilities else more
        return Diagnostic("US0002", f"`{path}` has no option {fault.option_name}", None, near)
    if isinstance(fault, click.MissingParameter):
        what = fault.param.make_metavar(fault.ctx) if fault.param and fault.ctx else "an argument"
        return Diagnostic("US0003", f"`{path}` needs {what}", None, more)
    if isinstance(fault, click.BadParameter):
        what = fault.param.get_error_hint(fault.ctx) if fault.param and fault.ctx else "a value"
        return Diagnostic("US0004", f"{what}: {_wrong_value(fault)}", None, more)
    return Diagnostic("US0005", fault.format_message().rstrip("."), None, more)


def _wrong_value(fault: click.BadParameter) -> str:
    """Say what a value must be; for numbers in words of our own."""
    kind = fault.param.type if fault.param else None
    if not isinstance(kind, click.IntRange | click.FloatRange):
        return fault.message.rstrip(".")
    bounds = [f"{word} {bound:.12g}" for word, bound in (("from", kind.min), ("to", kind.max)) if bound is not None]
    return " ".join(
        ["it must be a whole number" if isinstance(kind, click.IntRange) else "it must be a number", *bounds]
    )
