"""What carries shards out: processes of this machine, or the workers of a Dask cluster."""

import importlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

from canasta_conformance.fuzzing.shards import RUNNING

Opening = Callable[[], Executor]


class ClusterError(Exception):
    """A cluster that cannot be reached."""


def local(jobs: int) -> Executor:
    """Open so many processes; they end with this one, however it ends."""
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), end_with_parent)


def end_with_parent() -> None:
    """Watch the process that began this one: a worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        for engine in RUNNING:
            engine.kill()
        os._exit(1)

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
