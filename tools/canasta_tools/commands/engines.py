"""How a call names the engine that is judged: by the first word after the command, or by ``--engine``."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_OPTION: Final = "Names the engine, instead of the first word."


def engine_argument(*, cases: bool) -> Callable[[F], F]:
    """Let a command take the address of an engine, and after it the cases it is asked, if it takes any.

    The function gets ``address``, and ``patterns`` with ``cases``.
    """

    def add(function: F) -> F:
        @wraps(function)
        def called(*, words: tuple[str, ...], engine: str | None, **options: Any) -> Any:  # noqa: ANN401 - as click calls it
            address, rest = named(words, engine, cases=cases)
            return function(address=address, **({"patterns": rest} if cases else {}), **options)

        asked = click.option("--engine", metavar="ADDRESS", help=_OPTION)(called)
        # ``wraps`` keeps the function's own type, which a checker cannot see through click.
        return click.argument("words", metavar=f"ADDRESS{' [CASE…]' if cases else ''}", nargs=-1)(asked)  # type: ignore[return-value]

    return add


def named(words: Sequence[str], engine: str | None, *, cases: bool) -> tuple[str, tuple[str, ...]]:
    """Tell the engine from the cases.

    Raises:
        UsageFault: US0003 when no engine is named, US0005 when two are.
    """
    from canasta_conformance.connecting import KINDS, is_address  # noqa: PLC0415 - help is shown without it
    from canasta_tools.dispatch import UsageFault  # noqa: PLC0415 - the table of commands is made with this module

    ctx = click.get_current_context()
    if engine is None:
        if not words:
            raise UsageFault("US0003", f"`{ctx.command_path}` needs an engine", f"name one: {KINDS}", ctx)
        engine, *words = words
    elif words and (not cases or is_address(words[0])):
        hint = "name it once, by the first word or by --engine"
        raise UsageFault("US0005", f"two engines are named, {words[0]} and {engine}", hint, ctx)
    if words and (not cases or any(Path(word).is_file() for word in words)):
        whole = " ".join([engine.removeprefix("exec:"), *words])
        hint = f'if it belongs to the command, put all of it into quotation marks: "exec:{whole}"'
        told = f"{words[0]} is no case" if cases else f"one engine at a time: {words[0]} is too much"
        raise UsageFault("US0005", told, hint, ctx)
    return engine, tuple(words)
