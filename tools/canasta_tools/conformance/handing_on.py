"""`canasta conformance digest` and `pack`: what is done with the suite itself, to guard it and to hand it on."""

import re
from pathlib import Path
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.packing import packed
from canasta_conformance.writing import digest as digest_of
from canasta_tools.conformance.choosing import chosen, suite_at
from canasta_tools.files import keep_inputs, replace_file
from canasta_tools.output import Code, say, write

_DIGEST: Final = re.compile("[0-9a-f]{16}")


def digest(*, patterns: tuple[str, ...], suite_path: str | None, against: str | None) -> int:
    """Write the digest of each case, or say what differs from digests that were written before."""
    suite = suite_at(suite_path)
    now = {case.id: digest_of(case.data) for case in chosen(suite, patterns, (), ())}
    if against is None:
        for id_, sign in now.items():
            write(f"{sign}  {id_}")
        say(f"{len(now)} cases, suite {suite.digest}")
        return Code.CLEAN
    before = _read(Path(against))
    told = [f"changed  {id_}" for id_ in now if id_ in before and before[id_] != now[id_]]
    told += [f"gone     {id_}" for id_ in before if id_ not in suite.cases]
    told += [f"new      {id_}" for id_ in now if id_ not in before]
    for line in told:
        write(line)
    say(f"{len(told)} of {len(now)} cases differ")
    return Code.FINDINGS if told else Code.CLEAN


def _read(path: Path) -> dict[str, str]:
    """Read digests as they were written.

    Raises:
        CanastaError: CF0020 when the file holds none.
    """
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise CanastaError([Diagnostic("CF0020", f"{path} cannot be read: {error}")]) from None
    wrong = next((at for at, line in enumerate(lines, start=1) if len(line) != 2 or not _DIGEST.fullmatch(line[0])), 0)  # noqa: PLR2004 - a digest and an id
    if wrong:
        raise CanastaError([Diagnostic("CF0020", f"{path} holds no digest and id in line {wrong}")])
    return {id_: sign for sign, id_ in lines}


def pack(*, output: str, suite_path: str | None) -> int:
    """Write the suite as one archive."""
    keep_inputs(output, (suite_path,))
    suite_at(suite_path)  # which says what is wrong with it
    data = packed(Path(suite_path) if suite_path else None)
    replace_file(Path(output), data)
    say(f"{output} is written: {len(data)} bytes")
    return Code.CLEAN
