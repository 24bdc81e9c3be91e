"""A time limit for an adapter in this process, as far as the system has one.

The adapter works in the thread that asks it, so only a signal of a timer can stop it. It stops whatever is Python. What never comes
back from a library in another language cannot be stopped, and on a system without such timers, or outside of the main thread, there
is no limit.
"""

import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from canasta_conformance.connecting import InProcess, Link
from canasta_conformance.faults import EngineFaultError, FaultKind
from canasta_conformance.stopping import stopped_after

Message = dict[str, Any]


class OutOfTime(BaseException):
    """The time for an answer is up."""


class Limited:
    """An adapter in this process that is stopped when its time is up."""

    def __init__(self, link: Link) -> None:
        """Know whom to ask."""
        self._link = link

    def ask(self, request: Message, seconds: float) -> Message:
        """Give the answer to a request, or raise that there was none in time."""
        try:
            with stopped_after(seconds, OutOfTime) if _can_be_stopped() else nullcontext():
                return self._link.ask(request, seconds)
        except OutOfTime:
            raise EngineFaultError(FaultKind.TIMEOUT, f"no answer to {request['op']} within {seconds:g} s") from None

    def end(self) -> None:
        """End it kindly."""
        self._link.end()

    def kill(self) -> None:
        """End it at once."""
        self._link.kill()


def limited(open_link: Callable[[], Link]) -> Callable[[], Link]:
    """Give what opens the same engine, with a time limit where it answers in this process."""

    def opened() -> Link:
        link = open_link()
        return Limited(link) if isinstance(link, InProcess) else link

    return opened


def _can_be_stopped() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
