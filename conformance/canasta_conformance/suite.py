"""The suite as a runner needs it: cases with their forms, and the rules that they speak of."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from canasta_conformance.defaults import completed
from canasta_conformance.places import folder
from canasta_conformance.writing import digest as digest_of

Data = Mapping[str, Any]


class SuiteError(Exception):
    """A suite that cannot be read."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request without its number, and what is expected of the answer."""

    send: dict[str, Any]
    expect: dict[str, Any]
    leads: bool = False
    """Whether it is a turn that only leads to the position that is asked about: it has to stand, and is not graded."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which a case is asked: at which level, and by which requests."""

    level: int
    exchanges: tuple[Exchange, ...]

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that an engine needs for it."""
        return tuple(dict.fromkeys(e.send["op"] for e in self.exchanges))


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the suite; ``data`` is the whole of it as it stands in the file."""

    id: str
    ruleset: str
    options: Mapping[str, str]
    kind: str
    level: str
    asserts: tuple[str, ...]
    forms: tuple[Form, ...]
    data: Data = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as reports show it."""

    id: str
    chapter: str
    title: str
    text: str
    formal: str
    file: str
    line: int
    codes: tuple[str, ...] = ()
    """The codes by which it refuses."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set as a runner needs it."""

    name: str
    title: str
    seats: tuple[str, ...]
    sides: tuple[str, ...]
    pack: tuple[str, ...]
    defaults: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]]
    profiles: Mapping[str, Mapping[str, str]]
    clauses: Mapping[str, Clause]
    zones: Mapping[str, str] = field(default_factory=dict)
    """Every kind of place in which cards can lie, and whose it is: `table`, `seat` or `side`. An older suite does not say it."""
    lines: tuple[str, ...] = ()
    """Every item of the ledger but the sum."""
    account: str = "total"
    """The item that is the sum of the others."""


@dataclass(frozen=True, slots=True)
class Suite:
    """All cases by their ids, in the order of the manifest, and the rule sets by name."""

    digest: str
    cases: Mapping[str, Case]
    rules: Mapping[str, Rules]
    aliases: Mapping[str, str | None] = field(default_factory=dict)
    """The ids that cases had before, each with the one it has now."""
    tiers: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    """The cases of each tier, each with the numbers of those forms that belong to it."""
    remark: str = ""
    """What whoever named the suite should know of it: that its cases are not those of its manifest."""

    def chosen(self, patterns: Sequence[str] = (), clauses: Sequence[str] = (), tier: str = "") -> list[Case]:
        """List the cases whose id fits one of the patterns and that assert one of the clauses; all where none is named.

        An id that a case had before names it as well.
        """
        wanted = self.tiers.get(tier, {}) if tier else self.cases.keys()
        patterns = [self.aliases.get(pattern) or pattern for pattern in patterns]
        return [
            case
            for case in self.cases.values()
            if case.id in wanted
            and (not patterns or any(fits(case.id, p) for p in patterns))
            and (not clauses or any(fnmatchcase(a, c) for a in case.asserts for c in clauses))
        ]


def fits(id_: str, pattern: str) -> bool:
    """Ask whether a pattern names a case: its whole id or the beginning of it up to a slash, either with ``*`` and ``?``."""
    return fnmatchcase(id_, pattern) or fnmatchcase(id_, f"{pattern.rstrip('/')}/*")


@cache
def read_suite(root: Path | None = None) -> Suite:
    """Read the suite, the shipped one unless another folder is named; a single file of cases speaks of the shipped rule sets.

    Raises:
        SuiteError: when a file cannot be read, or the files and the manifest do not agree.
    """
    if root is not None and root.is_file():
        return _of_one_file(root)
    base = root or folder("suite")
    manifest = _json(base / "manifest.json")
    with _read_as(base / "manifest.json", "manifest of a suite"):
        files = {path: _json(base / path) for path in manifest["files"]}
    found = {case.id: case for path, file in files.items() for case in _cases(base / path, file)}
    with _read_as(base, "suite"):
        told = {data["ruleset"]: data for data in (_json(p) for p in sorted(base.rglob("rules.json")))}
        rules = {name: _rules(data, told) for name, data in told.items()}
        listed = [entry["id"] for entry in manifest["cases"]]
        missing = [id_ for id_ in listed if id_ not in found]
        if missing:
            raise SuiteError(f"the manifest lists {missing[0]}, and no file holds it")
        asked = {id_: found[id_] for id_ in listed}
        # Whoever installs the package has what was checked when it was made; a folder may hold anything.
        digest, remark = (manifest["digest"], "") if root is None else _as_it_is(manifest, files.values())
        return Suite(digest, asked, rules, _aliases(base / "aliases.json"), _tiers(manifest["cases"], asked), remark)


@contextmanager
def _read_as(path: Path, what: str) -> Iterator[None]:
    """Tell what has not the shape of what is read with the name of the file.

    Raises:
        SuiteError: when it has not.
    """
    try:
        yield
    except KeyError as error:
        raise SuiteError(f"{path} is no {what}: {error} is missing") from None
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise SuiteError(f"{path} is no {what}: {type(error).__name__}: {error}") from None


def _as_it_is(manifest: Data, files: Iterable[Data]) -> tuple[str, str]:
    """Give the digest of the cases that were read, and say where it is not what the manifest says; an older one says it of no case."""
    listed = manifest["cases"]
    if not all("digest" in entry for entry in listed):
        return manifest["digest"], ""
    told = {case["id"]: case for file in files for case in file["cases"]}
    now = [{"id": entry["id"], "digest": digest_of(told[entry["id"]])} for entry in listed]
    found = digest_of(now)
    if found == manifest["digest"]:
        return found, ""
    changed = [entry["id"] for entry, is_ in zip(listed, now, strict=True) if entry["digest"] != is_["digest"]]
    others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    what = (
        f"{changed[0]}{others} not as its manifest says"
        if changed
        else "with another list of cases than its digest is of"
    )
    return found, f"this is not suite {manifest['digest']}, but one {what}; its digest is {found}"


def _tiers(listed: Iterable[Data], cases: Mapping[str, Case]) -> dict[str, dict[str, tuple[int, ...]]]:
    """Read which forms belong to which tier; an older suite names only their cases."""
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    for entry in listed:
        if "tier" in entry:
            all_of_them = range(len(cases[entry["id"]].forms))
            found.setdefault(entry["tier"], {})[entry["id"]] = tuple(entry.get("forms", all_of_them))
    return found


def _of_one_file(path: Path) -> Suite:
    """Read a file of cases by itself, as one that a fuzz campaign has written."""
    rules, file = read_suite().rules, _json(path)
    cases = {case.id: case for case in _cases(path, file)}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    strange = [case for case in cases.values() if case.ruleset not in rules]
    if strange:
        raise SuiteError(f"{path} has cases of {strange[0].ruleset}, and there is no such rule set")
    return Suite(digest, cases, rules)


def _aliases(path: Path) -> Mapping[str, str | None]:
    """Read the ids of former times; an older suite has none."""
    if not path.is_file():
        return {}
    with _read_as(path, "list of former ids"):
        found: Mapping[str, str | None] = _json(path)["aliases"]
    return found


def _cases(path: Path, file: Data) -> list[Case]:
    with _read_as(path, "file of cases"):
        return [_case(completed(told, file.get("ruleset", ""))) for told in file["cases"]]


def _case(data: Data) -> Case:
    return Case(
        data["id"],
        data["ruleset"]["name"],
        data["ruleset"]["options"],
        data["kind"],
        data["level"],
        tuple(data["asserts"]),
        tuple(_forms(data["forms"])),
        data,
    )


def _forms(listed: Iterable[Data]) -> Iterator[Form]:
    for form in listed:
        yield Form(form["level"], tuple(map(exchange_of, form["exchange"])))


def exchange_of(told: Data) -> Exchange:
    """Read a request and what is expected of its answer, as a case tells them."""
    return Exchange(told["send"], told.get("expect", {}), told.get("leads", False))


def _json(path: Path) -> Data:
    """Read a file of the suite.

    Raises:
        SuiteError: when it is not there, or no JSON.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SuiteError(f"{path} cannot be read: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise SuiteError(f"{path} is no JSON, from line {error.lineno} on: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{path} is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise SuiteError(f"{path} is JSON, but no mapping")
    return found


def _clause(name: str, data: Data, told: Mapping[str, Data]) -> Data:
    """Find a clause of a rule set; one that is only named stands in the parent."""
    entries = {c if isinstance(c, str) else c["id"]: c for c in data["clauses"]}
    here: Data | str = entries[name]
    return _clause(name, told[data["parent"]], told) if isinstance(here, str) else here


def _rules(data: Data, told: Mapping[str, Data]) -> Rules:
    listed = [_clause(c, data, told) if isinstance(c, str) else c for c in data["clauses"]]
    clauses = {
        c["id"]: Clause(
            c["id"], c["chapter"], c["title"], c["text"], c["formal"], c["file"], c["line"], tuple(c.get("codes", ()))
        )
        for c in listed
    }
    return Rules(
        data["ruleset"],
        data["title"],
        tuple(data["seats"]),
        tuple(data["sides"]),
        tuple(data["pack"]),
        {name: option["default"] for name, option in data["options"].items()},
        {name: tuple(option["values"]) for name, option in data["options"].items()},
        data["profiles"],
        clauses,
        data.get("zones", {}),
        tuple(data.get("lines", ())),
        data.get("account", "total"),
    )
