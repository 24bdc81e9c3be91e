"""Showing how far long work has come: on standard error, only in a terminal, and only when it takes a while."""

import sys
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE: Final = 0.7
"""Seconds after which a person wants to know that something is going on."""


class Progress:
    """A line that names what is being worked on; it is taken away before anything is printed."""

    def __init__(self) -> None:
        """Begin to count the time; nothing is shown yet."""
        self._began = monotonic()
        self._shown: Status | None = None
        self._seen = sys.stderr.isatty()

    def step(self, what: str) -> None:
        """Name what comes next."""
        if not self._seen or monotonic() - self._began < PATIENCE:
            return
        if self._shown is None:
            from rich.console import Console  # noqa: PLC0415 - only for a person who has to wait
            from rich.status import Status  # noqa: PLC0415 - only for a person who has to wait

            self._shown = Status(what, console=Console(stderr=True))
        self._shown.update(what)
        self._shown.start()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown is not None:
            self._shown.stop()
