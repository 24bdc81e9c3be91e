"""What carries shards out: processes of this machine, or the workers of a Dask cluster."""

import importlib
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from canasta_conformance.workers import Processes, end_with_parent


class ClusterError(Exception):
    """A cluster that cannot be reached."""


def local(jobs: int) -> Executor:
    """Open so many processes."""
    return Processes(jobs, multiprocessing.get_context("spawn"), end_with_parent)


def end_workers(executor: Executor) -> None:
    """End what carries shards out, where it is of this machine; the workers of a cluster come to the end of their shard."""
    if isinstance(executor, Processes):
        executor.end()


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
