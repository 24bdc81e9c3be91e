"""The parsed form of a shipped rule set: everything the interpreter needs, as JSON, so that starting parses no YAML.

It is generated from the rule files, committed beside them and compared by `make check`. It names the digest of the files it was
made from; where a file has changed since, it is not used and the files themselves are read.
"""

import json
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from canasta.diagnostics import Span
from canasta.language import ruleset as values
from canasta.language.ruleset import Option, Ruleset
from canasta.language.types import Expr, Op, Place, Statement, StatementOp, Type
from canasta.rooms import room

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # 20 ms, and only its name is needed

CLASSES: Final = {
    c.__name__: c for c in (
        values.Pack, values.Zone, values.Variable, values.Shape, values.Act, values.Phase, values.Option, values.StepTable,
        values.Source, values.Example, values.Demand, values.Requirement, values.Bound, values.Structure, values.Effect,
        values.Duty, values.Definition, values.Score, values.Ending, values.Custom, values.Table, values.Ruleset,
        Type, Expr, Place, Statement, Span,
    )
}  # fmt: skip
ENUMS: Final = {e.__name__: e for e in (values.Owner, values.Form, values.Seen, values.Lasts, Op, StatementOp)}
_NAMES: Final = {name: [f.name for f in fields(c)] for name, c in CLASSES.items()}
FORMAT: Final = f"{crc32(repr(sorted(_NAMES.items())).encode()):08x}"
"""Changes with the classes that are written, so that a form of other classes is never read."""


def write(ruleset: Ruleset, sources: str, lineage: tuple[str, ...] = ()) -> str:
    """Write the parsed form of a rule set that was built from files with this digest; one line a clause.

    ``lineage`` names the rule sets it extends.
    """
    shared: dict[str, int] = {}
    packed = _pack(ruleset, shared)
    head = json.dumps({"format": FORMAT, "sources": sources, "lineage": lineage})[:-1]
    clauses = packed[1 + _NAMES["Ruleset"].index("clauses")]
    rows = ",\n".join(f"{json.dumps(k)}:{_dumps(v)}" for k, v in clauses[1].items())
    packed[1 + _NAMES["Ruleset"].index("clauses")] = None
    table = _dumps(list(shared))
    return f'{head}, "strings":{table},\n"clauses":{{\n{rows}\n}},\n"ruleset":{_dumps(packed)}}}\n'


def _dumps(value: Any) -> str:  # noqa: ANN401 - JSON
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _pack(value: Any, shared: dict[str, int]) -> Any:  # noqa: ANN401 - any value of a rule set
    if isinstance(value, Enum):
        return ["#", type(value).__name__, value.value]
    if is_dataclass(value):
        name = type(value).__name__
        return [f"@{name}", *(_pack(getattr(value, f), shared) for f in _NAMES[name])]
    if isinstance(value, tuple):
        return ["(", *(_pack(x, shared) for x in value)]
    if isinstance(value, list):
        return ["[", *(_pack(x, shared) for x in value)]
    if isinstance(value, dict):
        return ["{", {k: _pack(v, shared) for k, v in value.items()}]
    if isinstance(value, str):
        return ["$", shared.setdefault(value, len(shared))] if len(value) > 3 else value  # noqa: PLR2004 - shorter ones cost less as they are
    return value


class _Unpacker:
    """Rebuilds values; equal strings, types and spans are shared."""

    def __init__(self, strings: list[str], choices: dict[str, int]) -> None:
        """Take the shared strings, and the options chosen otherwise than when the form was written."""
        self.strings, self.choices = strings, choices

    def unpack(self, value: Any) -> Any:  # noqa: ANN401 - any value of a rule set
        """Rebuild one value."""
        if type(value) is not list:
            return value
        sign = value[0]
        if sign == "$":
            return self.strings[value[1]]
        if sign == "(":
            return tuple([self.unpack(x) for x in value[1:]])
        if sign == "{":
            return {k: self.unpack(v) for k, v in value[1].items()}
        if sign == "#":
            return ENUMS[value[1]](value[2])
        if sign == "[":
            return [self.unpack(x) for x in value[1:]]
        made = CLASSES[sign[1:]]
        parts = [self.unpack(x) for x in value[1:]]
        if made is Expr and self.choices and parts[0] is Op.CONST and parts[3] in self.choices and parts[3] == parts[7]:
            parts[4] = self.choices[parts[3]]
        return made(**dict(zip(_NAMES[sign[1:]], parts, strict=True)))


def file_of(base: str) -> "Traversable":
    """Find where the parsed form of a shipped rule set lies."""
    return room("spec") / "parsed" / f"{base.replace('/', '.')}.json"


def digest_of_sources(base: str, lineage: tuple[str, ...] = ()) -> str:
    """Check-sum the rule files of a shipped rule set and of those it extends, in the order of their names."""
    digest = 0
    for name in (base, *lineage):
        folder = room("spec") / "rules"
        for part in name.split("/"):
            folder = folder / part
        for entry in sorted(folder.iterdir(), key=lambda e: e.name):
            if entry.name.endswith(".yaml"):
                digest = crc32(entry.read_bytes(), crc32(entry.name.encode(), digest))
    return f"{digest:08x}"


@cache
def _read(base: str) -> dict[str, Any] | None:
    try:
        data: dict[str, Any] = json.loads(file_of(base).read_text(encoding="utf-8"))
        lineage = tuple(data.get("lineage", ()))
        fresh = data.get("format") == FORMAT and data["sources"] == digest_of_sources(base, lineage)
    except (OSError, ValueError, KeyError):
        return None
    return data if fresh else None


def load_parsed(name: str) -> Ruleset | None:
    """Load a shipped rule set, profile and options from its parsed form; nothing when the rule files must be read."""
    first, *chosen = (part.strip() for part in name.split(","))
    base, _, profile = first.partition(":")
    data = _read(base) if all(c.isalnum() or c in "/_-" for c in base) and base else None
    if data is None:
        return None
    plain = _Unpacker(data["strings"], {})
    index = {n: i + 1 for i, n in enumerate(_NAMES["Ruleset"])}
    options: dict[str, Option] = plain.unpack(data["ruleset"][index["options"]])
    profiles: dict[str, dict[str, int]] = plain.unpack(data["ruleset"][index["profiles"]])
    if profile and profile not in profiles:
        return None
    choices = dict(profiles.get(profile, {}))
    for choice in chosen:
        option, _, word = (x.strip() for x in choice.partition("="))
        value = _value(options.get(option), word)
        if value is None:
            return None
        choices[option] = value
    unpacker = _Unpacker(data["strings"], choices)
    packed = list(data["ruleset"])
    packed[index["clauses"]] = ["{", data["clauses"]]
    ruleset: Ruleset = unpacker.unpack(packed)
    chosen_options = {n: replace(o, value=choices.get(n, o.value)) for n, o in ruleset.options.items()}
    canonical = first.replace(" ", "") + "".join(f",{c.replace(' ', '')}" for c in sorted(chosen))
    return replace(ruleset, name=canonical, profile=profile, options=chosen_options)


def _value(option: Option | None, word: str) -> int | None:
    if option is None:
        return None
    if option.type.words:
        return option.type.words.index(word) if word in option.type.words else None
    if option.type.name == "bool":
        return {"yes": 1, "no": 0}.get(word)
    number = int(word) if word.lstrip("+-").isdecimal() else None
    return number if not option.allowed or number in option.allowed else None
