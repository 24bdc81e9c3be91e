"""Writing files so that nobody ever finds half a file: beside it first, then in its place."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, text: str | bytes) -> None:
    """Put a text or bytes in the place of a file in one step; its permissions stay, and a link keeps pointing where it points.

    Raises:
        OSError: when the folder cannot be written; the file is as before.
    """
    target = path.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_mask()
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:  # it names the file beside it, which nobody has asked for
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode("utf-8"))
        os.chmod(beside, mode)  # noqa: PTH101 - the name comes from mkstemp
        os.replace(beside, target)  # noqa: PTH105 - the name comes from mkstemp
    except BaseException:
        os.unlink(beside)  # noqa: PTH108 - the name comes from mkstemp
        raise


def _mask() -> int:
    """Find the permissions that new files do not get."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
