"""Stopping Python in the middle of its work when a time is up, by a signal of a timer, which only the main thread gets."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopped_after(seconds: float, error: type[BaseException], *, of_processor: bool = False) -> Iterator[None]:
    """Raise an error in the midst of what is done within when it takes more seconds, by the clock or ``of_processor`` time."""
    timer, sign = (signal.ITIMER_VIRTUAL, signal.SIGVTALRM) if of_processor else (signal.ITIMER_REAL, signal.SIGALRM)

    def over(*_: object) -> None:
        raise error

    before = signal.signal(sign, over)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        # A signal that was on its way already must not end the process, which is what it does by default.
        signal.signal(sign, signal.SIG_IGN if before is signal.SIG_DFL else before)
