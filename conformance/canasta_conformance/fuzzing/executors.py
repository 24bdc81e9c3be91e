"""What carries shards out: processes of this machine, or the workers of a Dask cluster."""

import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait

from canasta_conformance.fuzzing.shards import RUNNING, WRITING

Opening = Callable[[], Executor]


class ClusterError(Exception):
    """A cluster that cannot be reached."""


class Processes(ProcessPoolExecutor):
    """Processes of this machine; they end with this one, however it ends."""

    def end(self) -> None:
        """End them in the middle of whatever they do, each with its engine."""
        for process in list((self._processes or {}).values()):
            process.terminate()


def local(jobs: int) -> Executor:
    """Open so many processes."""
    return Processes(jobs, multiprocessing.get_context("spawn"), end_with_parent)


def end_workers(executor: Executor) -> None:
    """End what carries shards out, where it is of this machine; the workers of a cluster come to the end of their shard."""
    if isinstance(executor, Processes):
        executor.end()


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


@contextmanager
def cluster(address: str, seconds: float = 10.0) -> Iterator[Executor]:
    """Reach the workers of a Dask cluster.

    Raises:
        ClusterError: when `distributed` is not installed, or nobody answers at the address.
    """
    try:
        dask = importlib.import_module("distributed")  # an extra, and only for campaigns on clusters
    except ImportError:
        raise ClusterError("Dask is not installed: pip install 'canasta-spec[cluster]'") from None
    try:
        client = dask.Client(address, timeout=seconds)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no cluster answers at {address}: {error or type(error).__name__}") from None
    with client:
        yield client.get_executor()
