"""The suite as one archive that needs no Python: cases, schemas, a README and the licence. The same suite gives the same bytes."""

import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from canasta_conformance.places import folder
from canasta_conformance.suite import read_suite

NAME: Final = "canasta-suite"
"""The folder that the archive unpacks to."""

LICENCE: Final = (
    "Everything in this archive is in the public domain (CC0 1.0): https://creativecommons.org/publicdomain/zero/1.0/\n"
)


def packed(root: Path | None = None) -> bytes:
    """Pack a suite, the shipped one unless another folder is named.

    Raises:
        SuiteError: when it cannot be read.
    """
    digest = read_suite(root).digest
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(_files(root or folder("suite"), digest)):
            # Who packed it, when and where must not show: the same suite is the same archive.
            member = tarfile.TarInfo(f"{NAME}/{name}")
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    return gzip.compress(made.getvalue(), mtime=0)


def _files(root: Path, digest: str) -> Iterator[tuple[str, bytes]]:
    for path in root.rglob("*"):
        if path.is_file() and path.name != "README.md":
            yield f"suite/{path.relative_to(root).as_posix()}", path.read_bytes()
    for path in folder("protocol").glob("*.schema.json"):
        yield f"protocol/{path.name}", path.read_bytes()
    told = (root / "README.md").read_bytes() if (root / "README.md").is_file() else b""
    yield "README.md", told + f"\nThe digest of this suite is `{digest}`.\n".encode()
    yield "LICENSE", LICENCE.encode()
