"""What became of mutants, kept as it comes, so that a measurement that is broken off goes on where it stopped.

One line for each mutant. It counts only as long as all is as it was that it rests on: the rules of the family, the cases asked, and
the programs of the reference and of this measurement. So after a new case only the mutants of its clauses are tried again.
"""

import hashlib
import json
from collections import abc
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

import canasta
from canasta.language.digests import declaration_digest, formal_digest
from canasta.language.loading import Loaded
from canasta.language.source import Mapping, Node
from canasta_conformance.power.nodes import UNSPOKEN, clauses
from canasta_conformance.power.trials import Fate, Notice
from canasta_conformance.suite import Case
from canasta_conformance.writing import digest

HEAD: Final = {"journal": "power", "format": 1}
"""The first line of the file."""


class OtherFileError(Exception):
    """A file that is there already and holds something else."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of one mutant, and what that rests on."""

    key: str
    fate: Fate
    killers: tuple[Notice, ...] = ()
    elsewhere: tuple[Notice, ...] = ()

    def line(self, mutant: str) -> str:
        """Write it as one line, with the name of the mutant for whoever reads it."""
        told = {
            "key": self.key,
            "mutant": mutant,
            "fate": self.fate,
            "killers": self.killers,
            "elsewhere": self.elsewhere,
        }
        return json.dumps(told, separators=(",", ":")) + "\n"


class Journal:
    """A file to which the outcomes are added, each as soon as it is known."""

    def __init__(self, path: Path) -> None:
        """Open it, or begin it; a last line that was not finished is taken away.

        Raises:
            OtherFileError: when something else is in it.
            OSError: when it cannot be read or written.
        """
        before = path.read_bytes() if path.exists() else b""
        whole = before[: before.rfind(b"\n") + 1]
        if before and not _is_head(whole.partition(b"\n")[0]):
            raise OtherFileError(f"{path} is there already, and is no journal of such a measurement")
        self._file: IO[bytes] = path.open("r+b" if before else "w+b")
        self._file.truncate(len(whole))
        self._file.seek(len(whole))
        if not whole:
            self._add(json.dumps(HEAD) + "\n")

    def keep(self, mutant: str, kept: Kept) -> None:
        """Add what became of a mutant."""
        self._add(kept.line(mutant))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _add(self, line: str) -> None:
        self._file.write(line.encode())
        self._file.flush()


def _is_head(line: bytes) -> bool:
    try:
        return bool(json.loads(line) == HEAD)
    except ValueError:
        return False


def kept_in(path: Path) -> abc.Mapping[str, Kept]:
    """Read what became of mutants, by what it rests on.

    Raises:
        OSError: when the file cannot be read.
        ValueError: when a line of it is not one of a journal.
    """
    found: dict[str, Kept] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        told = json.loads(line)
        notices = [tuple(Notice(*notice) for notice in told[of]) for of in ("killers", "elsewhere")]
        found[told["key"]] = Kept(told["key"], Fate(told["fate"]), *notices)
    return found


def key_of(mutant: str, rules: str, cases: list[Case], *, thorough: bool, full: bool) -> str:
    """Give the digest of everything that the fate of a mutant rests on; ``rules`` is the digest of its family."""
    return digest([mutant, rules, program(), thorough, full, *(digest(case.data) for case in cases)])


def rules_digest(family: abc.Mapping[str, Loaded]) -> str:
    """Give the digest of all that the rule sets of a family say to the interpreter; words for people do not count."""
    told: list[Any] = []
    for name, loaded in family.items():
        formal = [formal_digest(clause) for clause in clauses(loaded.document)]
        kept = {key: node for key, node in loaded.document.items.items() if key not in ("clauses", *UNSPOKEN)}
        tables = [(key, _table(node)) for key, node in kept.items()]
        told.append([name, formal, tables, loaded.chosen])
    return digest(told)


def _table(node: Node) -> object:
    if isinstance(node, Mapping) and all(isinstance(item, Mapping) for item in node.items.values()):
        return [(name, declaration_digest(item)) for name, item in node.items.items()]
    return declaration_digest(node)


@cache
def program() -> str:
    """Give the digest of the programs that decide: the reference, and all that grades what it answers."""
    summed = hashlib.sha256()
    for root in (Path(canasta.__file__).parent, Path(__file__).parents[1]):
        for path in sorted(root.rglob("*.py")):
            summed.update(path.read_bytes())
    return summed.hexdigest()
