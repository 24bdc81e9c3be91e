"""Putting a file into place whole, so that whoever is killed at any moment leaves the old one or the new."""

import os
from pathlib import Path


def put(path: Path, text: str) -> None:
    """Write a file beside its place, see it safe on the disk, and put it into its place.

    Raises:
        OSError: when it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
