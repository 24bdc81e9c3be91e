"""The suite as one archive that needs no Python: cases, schemas, the pages that tell of them, and the licence.

The same suite gives the same bytes.
"""

import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from canasta_conformance.pages import ALONG, RECORD, page, record_schema
from canasta_conformance.places import folder
from canasta_conformance.suite import read_suite

NAME: Final = "canasta-suite"
"""The folder that the archive unpacks to."""

LICENCE: Final = (
    "Everything in this archive is in the public domain (CC0 1.0): https://creativecommons.org/publicdomain/zero/1.0/\n"
)

README: Final = """# The conformance suite of canasta-spec

Cases by which an implementation of Canasta, in any language, finds out where it departs from which rule. The digest of this suite
is `{digest}`.

- `suite/`: the cases as JSON; begin with `suite/README.md`, which tells what stands in a case.
- `protocol/`: the schemas of cases, manifest, messages and records.
- `protocol.md`: how requests are answered, each shown with an example.
- `options.md`: the rule sets, and what may be chosen otherwise in them.
- `violation-codes.md`: the reasons why a turn is illegal.
- `counting.md`: how plays are counted.
- `LICENSE`: whoever wants may copy all of it.

A runner needs no more than a JSON reader: for each of the `forms` of a case send its requests to the engine, one a line, and
compare each answer with what is expected. `suite/README.md` shows a form with its `send`, `expect` and `leads`.
"""


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
        if path.is_file() and not path.name.startswith("."):
            data = path.read_bytes()
            own = path.name == "README.md"  # it tells where things lie, and here they lie elsewhere
            yield (
                f"suite/{path.relative_to(root).as_posix()}",
                data.replace(b"`docs/reference/", b"`../") if own else data,
            )
    for path in folder("protocol").glob("*.schema.json"):
        yield f"protocol/{path.name}", path.read_bytes()
    yield f"protocol/{RECORD}", record_schema()
    for name in ALONG:
        yield name, page(name, ALONG).replace("`conformance/protocol/", "`protocol/").encode()
    yield "README.md", README.format(digest=digest).encode()
    yield "LICENSE", LICENCE.encode()
