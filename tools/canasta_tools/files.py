"""Writing files so that nobody ever finds half a file: beside it first, then in its place."""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from canasta.diagnostics import CanastaError, Diagnostic


class FileBeside:
    """A file that is written beside another and put in its place when it is whole; what is no file, such as a pipe, is written at once."""

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            OSError: when the folder cannot be written.
        """
        self._target = path.resolve()
        self.replaces = self._target.is_file()
        """Whether a file is there already."""
        if self._target.exists() and not self.replaces:
            self._beside = ""
            self.out: IO[bytes] = self._target.open("wb")
            return
        try:
            handle, self._beside = tempfile.mkstemp(prefix=f".{self._target.name}.", dir=self._target.parent)
        except OSError as error:  # it names the file beside it, which nobody has asked for
            raise type(error)(error.errno, error.strerror, str(path)) from None
        self.out = os.fdopen(handle, "wb")

    @property
    def waits(self) -> bool:
        """Whether it stands beside its place, so that it can still be written anew or be put elsewhere."""
        return bool(self._beside)

    def put(self, instead: Path | None = None) -> None:
        """Put it in its place, or in another; the permissions of what was there stay, and a link keeps pointing where it points."""
        target = self._target if instead is None else instead.resolve()
        self.out.close()
        if self._beside:
            mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_mask()
            os.chmod(self._beside, mode)  # noqa: PTH101 - the name comes from mkstemp
            os.replace(self._beside, target)  # noqa: PTH105 - the name comes from mkstemp
            self._beside = ""

    def drop(self) -> None:
        """Take it away, if it was not put in its place; what was there is as before."""
        with contextlib.suppress(OSError):
            self.out.close()
        if self._beside:
            os.unlink(self._beside)  # noqa: PTH108 - the name comes from mkstemp
            self._beside = ""


def replace_file(path: Path, text: str | bytes) -> None:
    """Put a text or bytes in the place of a file in one step; its permissions stay, and a link keeps pointing where it points.

    Raises:
        OSError: when the folder cannot be written; the file is as before.
    """
    beside = FileBeside(path)
    try:
        beside.out.write(text if isinstance(text, bytes) else text.encode("utf-8"))
        beside.put()
    finally:
        beside.drop()


def keep_inputs(output: str | None, inputs: Iterable[str | None]) -> None:
    """See that what is to be written is none of the files that are read, nor a file in a folder that is read.

    Raises:
        CanastaError: US0017 when it is.
    """
    if output is None:
        return
    for path in inputs:
        if path and path != "-" and _holds(Path(path), Path(output)):
            told = f"{output} is read by this call, and would be written over"
            where = f"{told}: it lies in {path}" if Path(path).is_dir() else told
            raise CanastaError([Diagnostic("US0017", where, None, "name another file to write")])


def _holds(read: Path, written: Path) -> bool:
    """Ask whether a path that is read is the file that is to be written, under whatever name, or a folder that has it."""
    if not (read.exists() and written.exists()):
        return False
    if read.is_dir():
        return written.resolve().is_relative_to(read.resolve())
    return read.samefile(written)


def _mask() -> int:
    """Find the permissions that new files do not get."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
