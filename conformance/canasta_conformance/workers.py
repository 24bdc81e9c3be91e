"""Processes of this machine that each talk to an engine of its own, and end with the one that began them, however it ends."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from threading import Lock
from typing import Final

from canasta_conformance.connecting import Engine

RUNNING: Final[list[Engine]] = []
"""The engine that is asked in this process, so that it can be ended with it."""

WRITING: Final = Lock()
"""Held while something is written, and for good by whoever ends this process: what comes of an ended engine is no finding."""


class Processes(ProcessPoolExecutor):
    """Processes of this machine; they end with this one, however it ends."""

    def end(self) -> None:
        """End them in the middle of whatever they do, each with its engine."""
        for process in list((self._processes or {}).values()):
            process.terminate()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let processes that are started meanwhile not hear of Ctrl-C, which their parent hears and acts upon."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Watch the process that began this one: a worker whose parent was killed would wait for work for ever.

    Whether its parent has ended or it is ended itself, it ends its engine first. That waits for locks, so it is done in a thread and
    not by the handler of the signal, which comes in the middle of whatever holds them.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    told, tell = os.pipe()

    def watch() -> None:
        wait([parent.sentinel, told])
        WRITING.acquire()
        for engine in RUNNING:
            engine.kill()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os.write(tell, b"."))
    threading.Thread(target=watch, daemon=True).start()
