"""The commonest call, `canasta check FILE…` with plain flags, understood without the parser of options."""

from collections.abc import Sequence
from typing import Final

from canasta_tools.checking import CheckOptions
from canasta_tools.output import Format

_FLAGS: Final = frozenset({"--exit-zero", "--strict", "--summary", "--quiet", "-q", "--json"})


def plain_check(arguments: Sequence[str]) -> CheckOptions | None:
    """Read the arguments of `canasta check` if they are only files and flags; None leaves them to the full parser.

    Both read a call alike (a test compares them). Click takes 25 ms to import, more than it takes to check a deal.
    """
    paths = tuple(a for a in arguments if a == "-" or not a.startswith("-"))
    flags = {a for a in arguments if a not in paths}
    if not paths or not flags <= _FLAGS:
        return None
    return CheckOptions(
        paths,
        shape=Format.JSON if "--json" in flags else Format.TEXT,
        exit_zero="--exit-zero" in flags,
        strict="--strict" in flags,
        summary="--summary" in flags,
        quiet=bool({"--quiet", "-q"} & flags),
    )
