"""The commonest call, `canasta check FILE…` with plain flags, understood without the parser of options."""

from collections.abc import Sequence
from typing import Final

from canasta_tools.checking import CheckOptions
from canasta_tools.output import Format

_FLAGS: Final = {
    "--exit-zero": "exit_zero",
    "--strict": "strict",
    "--summary": "summary",
    "--quiet": "quiet",
    "-q": "quiet",
}


def plain_check(arguments: Sequence[str]) -> CheckOptions | None:
    """Read the arguments of `canasta check` if they are only files and flags; None leaves them to the full parser.

    Both read a call alike (a test compares them). Click takes 25 ms to import, more than it takes to check a deal.
    """
    paths: list[str] = []
    flags: dict[str, bool] = {}
    shape = Format.TEXT
    for argument in arguments:
        if argument == "--json":
            shape = Format.JSON
        elif argument in _FLAGS:
            flags[_FLAGS[argument]] = True
        elif argument.startswith("-") and argument != "-":
            return None
        else:
            paths.append(argument)
    return CheckOptions(tuple(paths), shape=shape, **flags) if paths else None
