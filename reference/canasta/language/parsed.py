"""The parsed form of a shipped rule set: everything the interpreter needs, as JSON, so that starting parses no YAML.

It is generated from the rule files, committed beside them and compared by `make check`. It names the digest of the files it was
made from; where a file has changed since, it is not used and the files themselves are read.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Final
from zlib import crc32

from canasta.diagnostics import Span
from canasta.language import ruleset as values
from canasta.language.ruleset import Option, Ruleset
from canasta.language.types import Expr, Op, Place, Statement, StatementOp, Type
from canasta.rooms import names_in, read_from

CLASSES: Final[tuple[type[Any], ...]] = (
    values.Pack, values.Zone, values.Variable, values.Shape, values.Act, values.Phase, values.Option, values.StepTable,
    values.Source, values.Example, values.Demand, values.Requirement, values.Bound, values.Structure, values.Effect,
    values.Duty, values.Definition, values.Score, values.Ending, values.Custom, values.Table, values.Ruleset,
    Expr, Place, Statement, Span,
)  # fmt: skip
ENUMS: Final[tuple[type[Enum], ...]] = (values.Owner, values.Form, values.Seen, values.Lasts, Op, StatementOp)
TUPLE: Final = 0
"""The sign of a tuple; a larger number is the sign of the class before it in the list of classes."""
LIST: Final = -1
SHARED: Final = -2
"""The sign of a word of a closed list, or of a type: they are few and stand in a table."""


def _fields(of: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(of)) if is_dataclass(of) else getattr(of, "_fields", ())


_SIGNS: Final = {c: i for i, c in enumerate(CLASSES, 1)}
_FIELDS: Final = {c: _fields(c) for c in CLASSES}
_POSITIONAL: Final = frozenset(c for c in CLASSES if not issubclass(c, values.Clause))
_REF: Final = _FIELDS[Expr].index("ref")
_VALUE: Final = _FIELDS[Expr].index("value")
_TEXT: Final = _FIELDS[Expr].index("text")
_SHAPE: Final = [("uses", "options"), *((c.__name__, f) for c, f in _FIELDS.items())]
FORMAT: Final = f"{crc32(repr(_SHAPE).encode()):08x}"
"""Changes with the classes that are written, so that a form of other classes is never read."""


def write(ruleset: Ruleset, sources: str, lineage: tuple[str, ...] = ()) -> str:
    """Write the parsed form of a rule set that was built from files with this digest; one line a clause.

    ``lineage`` names the rule sets it extends.
    """
    shared: dict[Any, int] = {}
    packed = _pack(ruleset, shared)
    at = 1 + _FIELDS[Ruleset].index("clauses")
    told = {
        "clauses": _uses(packed[at], ruleset),
        "fields": _uses(dict(zip(_FIELDS[Ruleset], packed[1:], strict=True)), ruleset),
    }
    head = json.dumps({"format": FORMAT, "sources": sources, "lineage": lineage, "uses": told})[:-1]
    rows = ",\n".join(f"{json.dumps(k)}:{_dumps(v)}" for k, v in packed[at].items())
    packed[at] = None
    table = _dumps([[ENUMS.index(type(x)), x.value] if isinstance(x, Enum) else [x.name, x.words] for _, x in shared])
    return f'{head}, "shared":{table},\n"clauses":{{\n{rows}\n}},\n"ruleset":{_dumps(packed)}}}\n'


def _uses(packed: Mapping[str, Any], ruleset: Ruleset) -> dict[str, list[str]]:
    """List for each option what is packed otherwise when it is chosen otherwise; what holds all clauses is not listed."""
    found: dict[str, list[str]] = {}
    for name, value in packed.items():
        if name != "clauses":
            for option in sorted(set(_options_in(value)) & ruleset.options.keys()):
                found.setdefault(option, []).append(name)
    return dict(sorted(found.items()))


def _options_in(value: Any) -> Iterator[str]:  # noqa: ANN401 - any packed value
    """Find the expressions that are only an option: the kinds of card of such a name are met as well, and do no harm."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _options_in(inner)
    elif isinstance(value, list) and value:
        if value[0] == _SIGNS[Expr] and value[1 + _REF] == value[1 + _TEXT]:
            yield value[1 + _REF]
        for inner in value[1:]:
            yield from _options_in(inner)


def _dumps(value: Any) -> str:  # noqa: ANN401 - JSON
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _pack(value: Any, shared: dict[Any, int]) -> Any:  # noqa: ANN401 - any value of a rule set
    kind = type(value)
    if kind is Type or isinstance(value, Enum):
        return [SHARED, shared.setdefault((kind, value), len(shared))]
    if kind in _SIGNS:
        return [_SIGNS[kind], *(_pack(getattr(value, f), shared) for f in _FIELDS[kind])]
    if isinstance(value, (tuple, list)):
        return [TUPLE if isinstance(value, tuple) else LIST, *(_pack(x, shared) for x in value)]
    if isinstance(value, dict):
        return {k: _pack(v, shared) for k, v in value.items()}
    return value


class _Unpacker:
    """Rebuilds values; equal types are shared."""

    def __init__(self, shared: list[Any], choices: dict[str, int]) -> None:
        """Take the table of what is shared, and the options chosen otherwise than when the form was written."""
        self.shared = [Type(a, tuple(b)) if isinstance(a, str) else ENUMS[a](b) for a, b in shared]
        self.choices = choices
        self.makers = [tuple, *(self._maker(c) for c in CLASSES)]

    def _maker(self, made: type[Any]) -> Callable[[list[Any]], Any]:
        if made is Expr and self.choices:
            return self._chosen
        if made in _POSITIONAL:
            return lambda parts: made(*parts)
        given = _FIELDS[made]
        return lambda parts: made(**dict(zip(given, parts, strict=True)))

    def _chosen(self, parts: list[Any]) -> Expr:
        """Make an expression; one that is only an option has the value that is chosen now."""
        ref = parts[_REF]
        if parts[0] is Op.CONST and ref in self.choices and ref == parts[_TEXT]:
            parts[_VALUE] = self.choices[ref]
        return Expr(*parts)

    def unpack(self, value: Any) -> Any:  # noqa: ANN401 - any value of a rule set
        """Rebuild one value."""
        if type(value) is dict:
            return {k: self.unpack(v) for k, v in value.items()}
        if type(value) is not list:
            return value
        sign = value[0]
        if sign == SHARED:
            return self.shared[value[1]]
        # Most parts are texts and numbers, and stay as they are.
        parts = [self.unpack(x) if type(x) is list or type(x) is dict else x for x in value[1:]]
        return parts if sign == LIST else self.makers[sign](parts)


def digest_of_sources(base: str, lineage: tuple[str, ...] = ()) -> str:
    """Check-sum the rule files of a shipped rule set and of those it extends, in the order of their names."""
    digest = 0
    for name in (base, *lineage):
        folder = ("rules", *name.split("/"))
        for entry in names_in("spec", *folder):
            if entry.endswith(".yaml"):
                digest = crc32(read_from("spec", *folder, entry), crc32(entry.encode(), digest))
    return f"{digest:08x}"


@cache
def _read(base: str) -> dict[str, Any] | None:
    try:
        data: dict[str, Any] = json.loads(read_from("spec", "parsed", f"{base.replace('/', '.')}.json"))
        lineage = tuple(data.get("lineage", ()))
        fresh = data.get("format") == FORMAT and data["sources"] == digest_of_sources(base, lineage)
    except (OSError, ValueError, KeyError):
        return None
    return data if fresh else None


@cache
def _plain(base: str) -> Ruleset | None:
    """Load a rule set as it is when nothing is chosen."""
    data = _read(base)
    if data is None:
        return None
    packed = list(data["ruleset"])
    packed[1 + _FIELDS[Ruleset].index("clauses")] = data["clauses"]
    ruleset: Ruleset = _Unpacker(data["shared"], {}).unpack(packed)
    return ruleset


def _otherwise(base: str, plain: Ruleset, choices: dict[str, int]) -> Ruleset:
    """Rebuild what is otherwise when options are chosen otherwise; all else is the very same."""
    data = _read(base) or {}
    unpack = _Unpacker(data["shared"], choices).unpack

    def named(of: str) -> set[str]:
        return {name for option in choices for name in data["uses"][of].get(option, ())}

    clauses = dict(plain.clauses)
    clauses |= {name: unpack(data["clauses"][name]) for name in named("clauses")}
    packed = dict(zip(_FIELDS[Ruleset], data["ruleset"][1:], strict=True))
    return replace(plain, clauses=clauses, **{name: unpack(packed[name]) for name in named("fields")})


def load_parsed(name: str) -> Ruleset | None:
    """Load a shipped rule set, profile and options from its parsed form; nothing when the rule files must be read."""
    first, *chosen = (part.strip() for part in name.split(","))
    base, _, profile = first.partition(":")
    plain = _plain(base) if all(c.isalnum() or c in "/_-" for c in base) and base else None
    if plain is None or (profile and profile not in plain.profiles):
        return None
    choices = dict(plain.profiles.get(profile, {}))
    for choice in chosen:
        option, _, word = (x.strip() for x in choice.partition("="))
        value = _value(plain.options.get(option), word)
        if value is None:
            return None
        choices[option] = value
    chosen_options = {n: o._replace(value=choices.get(n, o.value)) for n, o in plain.options.items()}
    new = {n: value for n, value in choices.items() if value != plain.options[n].value}
    ruleset = _otherwise(base, plain, new) if new else plain
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
