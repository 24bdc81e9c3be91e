"""The options that several commands share, so that they are called and mean the same everywhere."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from canasta_tools.output import Colour, Format

F = TypeVar("F", bound=Callable[..., Any])


def json_of(shapes: Sequence[str]) -> str:
    """Name the format that ``--json`` stands for: the one of those given that is written as JSON."""
    return next(shape for shape in (str(Format.JSON), str(Format.JSONL)) if shape in shapes)


def shape_options(
    shapes: Sequence[Format], choice: Callable[[Sequence[str]], click.ParamType[str]] = click.Choice
) -> Callable[[F], F]:
    """Add ``--format`` with the given formats, ``--json`` short for one of them, and ``--color``."""

    def add(function: F) -> F:
        listed = [str(shape) for shape in shapes]
        function = click.option(
            "--color", "colour", type=click.Choice([str(c) for c in Colour]), default=str(Colour.AUTO),
            help="Whether to use colour. Without it NO_COLOR and FORCE_COLOR count.",
        )(function)  # fmt: skip
        function = click.option("--json", "as_json", is_flag=True, help=f"Short for --format {json_of(listed)}.")(
            function
        )
        return click.option(
            "--format", "shape", type=choice(listed), default=listed[0], show_default=True,
            help="How to write the results.",
        )(function)  # fmt: skip

    return add


def shape_of(shape: str, *, as_json: bool) -> Format:
    """Work out the format that was asked for."""
    return Format.JSON if as_json else Format(shape)


class RulesetName(click.ParamType[str]):
    """The name of a rule set, ``RULESET[:PROFILE][,option=value…]``, or the path of a rule file."""

    name = "ruleset"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 - as click calls it
        """Offer the shipped rule sets, and after a colon the profiles of one."""
        from canasta_tools.completion import ruleset_names  # noqa: PLC0415 - only while somebody presses the tab key

        names = [CompletionItem(name) for name in ruleset_names(incomplete)]
        return names or [CompletionItem(incomplete, type="file")]


class TurnCommand(click.Command):
    """A command that takes a turn, which may begin like an option (`-9`, `-Kh`).

    It has no short options at all, not even `-h`: only what begins with two hyphens is an option.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as click makes its commands
        """Take single hyphens for what a turn begins with, unless an option has been given a short name by mistake."""
        settings = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
        super().__init__(*args, **{**kwargs, "context_settings": settings | (kwargs.get("context_settings") or {})})
        short = [name for param in self.params for name in param.opts if re.fullmatch("-[^-].*", name)]
        if short:
            raise ValueError(f"{self.name} takes a turn and can have no option {', '.join(short)}")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse options that there are not, which the parser would take for arguments."""
        known = [name for param in self.get_params(ctx) for name in param.opts if name.startswith("--")]
        for arg in args[: args.index("--")] if "--" in args else args:
            name = arg.partition("=")[0]
            if name.startswith("--") and name not in known:
                raise click.NoSuchOption(name, possibilities=get_close_matches(name, known), ctx=ctx)
        return super().parse_args(ctx, args)


def rules_option(help_: str, default: str | None = None) -> Callable[[F], F]:
    """Add ``--rules`` with the name of a rule set."""
    return click.option(
        "--rules", type=RulesetName(), default=default, show_default=default is not None, metavar="NAME", help=help_
    )
