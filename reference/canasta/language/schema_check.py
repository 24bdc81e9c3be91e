"""The shape of rule files: every departure from the JSON Schema, said in words and with its place."""

import json
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from canasta.diagnostics import Diagnostic, Span
from canasta.language.source import Mapping, Node, Scalar, Sequence, plain
from canasta.rooms import room

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

_MOST_LISTED: Final = 14
_FEW: Final = 3


def check_rule_file(top: Mapping, *, chapter: bool = False) -> list[Diagnostic]:
    """Find everything in a rule file that has not the shape of a rule set or variant, or of a chapter if wanted."""
    if chapter != ("chapter" in top.items):
        wanted, kind = ("chapter", "a chapter") if chapter else ("ruleset", "a rule set")
        place = next(iter(top.keys.values()), top.span)
        hint = "this is the file of a chapter; name the rule set that it belongs to" if not chapter else ""
        hint = hint or "a chapter file begins with `chapter: NAME`"
        return [Diagnostic("RS1002", f"this file is not {kind}: `{wanted}` is missing", place, hint)]
    return check(top, "ruleset")


def check_clause(clause: Mapping) -> list[Diagnostic]:
    """Find everything in a single clause that does not have the shape of its kind."""
    return check(clause, "ruleset", "clause")


_PART: Final = {
    "pack": "pack", "table": "table", "classes": "named", "values": "named", "parameters": "parameter",
    "options": "option", "profiles": "profile", "steps": "stepTable", "zones": "zone", "state": "variable",
    "marks": "mark", "shapes": "shape", "phases": "phase", "acts": "act", "reasons": "reason",
}  # fmt: skip


def check_declaration(node: Mapping, path: str) -> list[Diagnostic]:
    """Find everything in a declaration, given as ``zones.pile`` or ``pack``, that does not have its shape."""
    return check(node, "ruleset", _PART[path.partition(".")[0]])


def check(top: Node, schema: str, part: str = "") -> list[Diagnostic]:
    """Find all departures of a document from ``spec/schema/SCHEMA.schema.json``, or from one definition in it.

    Findings (RS1xxx) come in the order of their places.
    """
    document = plain(top)
    if has_shape(document, schema, part):
        return []
    found: list[Diagnostic] = []
    for error in _validator(schema, part).iter_errors(document):
        found.extend(_told(error, top))
    unique = {(d.id, d.span, d.message): d for d in found}
    return sorted(unique.values(), key=lambda d: (d.span or _NOWHERE, d.id, d.message))


_NOWHERE: Final = Span("", 0, 0, 0, 0)


def has_shape(document: object, schema: str, part: str = "") -> bool:
    """Ask the compiled schema whether a document has its shape; what is wrong with one that has not is told by the other library."""
    from fastjsonschema import JsonSchemaValueException  # noqa: PLC0415 - slow to load, and shipped rule sets need none of it

    try:
        _quick(schema, part)(document)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _quick(schema: str, part: str) -> Callable[[object], object]:
    """Compile a schema: a variant has hundreds of changes, nearly all of which are right."""
    from fastjsonschema import compile as compiled  # noqa: PLC0415 - as above

    found: Callable[[object], object] = compiled(_loaded(schema, part), use_default=False)
    return found


@cache
def _validator(schema: str, part: str) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - costs 80 ms, and shipped rule sets need none of it

    return Draft202012Validator(_loaded(schema, part))


@cache
def _loaded(schema: str, part: str) -> dict[str, Any]:
    text = (room("spec") / "schema" / f"{schema}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return {"$schema": loaded["$schema"], "$ref": f"#/$defs/{part}", "$defs": loaded["$defs"]} if part else loaded


class _Where(NamedTuple):
    """The node that an error is about, the name it goes by, and the clause it stands in."""

    node: Node
    key: Span
    name: str
    clause: str


def _locate(error: "ValidationError", top: Node) -> _Where:
    """Walk from the top to the node that an error is about."""
    node, key, name, clause = top, top.span, "", ""
    for step in error.absolute_path:
        if isinstance(node, Mapping) and isinstance(step, str) and step in node.items:
            key, name, node = node.keys[step], step, node.items[step]
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            key = node.span
        if isinstance(node, Mapping) and "kind" in node.items:
            id_ = node.items.get("id")
            clause = id_.text if isinstance(id_, Scalar) else clause
    return _Where(node, key, name, clause)


def _told(error: "ValidationError", top: Node) -> Iterator[Diagnostic]:
    where = _locate(error, top)
    schema = error.schema if isinstance(error.schema, dict) else {}
    title = str(schema.get("title", "something else"))
    name = f"`{where.name}`" if where.name else "this"
    match str(error.validator):
        case "additionalProperties":
            yield from _unknown_keys(schema, where)
        case "required" | "dependentRequired":
            yield _missing(error, where, title)
        case "type":
            message = f"{name} must be {title}, not {_kind(where.node)}"
            yield _diagnostic("RS1003", message, where, _type_hint(where.node, schema))
        case "enum" | "const":
            yield _not_among(error, where, name)
        case "pattern":
            yield _misshapen(error, where, name, title, top)
        case "minItems" | "minProperties" | "minLength" | "maxItems" | "maxProperties":
            few = str(error.validator).startswith("min")
            bound = error.validator_value
            message = f"{name} has too {'few' if few else 'many'} entries: at {'least' if few else 'most'} {bound}"
            yield _diagnostic("RS1006", message, where, "")
        case "uniqueItems":
            yield _repeated(where, name)
        case "not":
            message = f"{name} cannot stand here: {title}"
            yield _diagnostic("RS1009", message, where._replace(node=Scalar("", where.key)), "")
        case _:
            yield _diagnostic("RS1003", f"{name} does not fit: {error.message}", where, "")


def _diagnostic(id_: str, message: str, where: _Where, hint: str) -> Diagnostic:
    return Diagnostic(id_, message, where.node.span, hint, clause=where.clause)


def _unknown_keys(schema: dict[str, object], where: _Where) -> Iterator[Diagnostic]:
    properties = schema.get("properties")
    known = list(properties) if isinstance(properties, dict) else []
    if not isinstance(where.node, Mapping):
        return
    for key, span in where.node.keys.items():
        if key in known:
            continue
        free = [k for k in known if k not in where.node.items]
        close = get_close_matches(key, free, 1, 0.6)
        listed = ", ".join(free[:_MOST_LISTED]) + (", …" if len(free) > _MOST_LISTED else "")
        hint = f"did you mean `{close[0]}`?" if close else f"known keys that are not used yet: {listed}"
        title = str(schema.get("title", "")).partition(":")[0]
        of = f" in {title}" if title else ""
        yield Diagnostic("RS1001", f"the key `{key}` is not known{of}", span, hint, clause=where.clause)


def _missing(error: "ValidationError", where: _Where, title: str) -> Diagnostic:
    required = error.validator_value if isinstance(error.validator_value, list) else []
    absent = re.match(r"'([^']+)'", error.message)
    key = absent.group(1) if absent else str(required)
    place = where.node.span
    if isinstance(where.node, Mapping) and where.node.keys:
        id_ = where.node.items.get("id")
        place = id_.span if id_ is not None else next(iter(where.node.keys.values()))
    what = title.partition(":")[0] if title != "something else" else "this"
    hint = _near_miss(key, where.node, error.schema) or f"write `{key}:`"
    return Diagnostic("RS1002", f"`{key}` is missing in {what}", place, hint, clause=where.clause)


def _near_miss(key: str, node: Node, schema: object) -> str:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    known = set(properties) if isinstance(properties, dict) else set()
    strange = [k for k in node.items if k not in known] if isinstance(node, Mapping) else []
    close = get_close_matches(key, strange, 1, 0.75)
    return f"is `{close[0]}` meant to be `{key}`?" if close else ""


def _kind(node: Node) -> str:
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "keys with values"
    return "text"


def _type_hint(node: Node, schema: dict[str, object]) -> str:
    allowed = schema.get("type")
    if isinstance(node, Mapping) and allowed != "object":
        return "text that begins with { needs quotation marks"
    if isinstance(node, Scalar) and allowed == "array":
        return f"write [{node.text.strip()}]" if len(node.text) < 30 else "write a list"  # noqa: PLR2004 - a short value
    return ""


def _not_among(error: "ValidationError", where: _Where, name: str) -> Diagnostic:
    allowed = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    words = [str(v) for v in allowed if isinstance(v, str)]
    given = where.node.text if isinstance(where.node, Scalar) else _kind(where.node)
    close = get_close_matches(given, words, 1)
    listed = f"one of: {', '.join(words)}" if len(words) > 1 else f"write {words[0] if words else allowed[0]}"
    hint = f"did you mean `{close[0]}`? {listed}" if close and len(words) > _FEW else listed
    return _diagnostic("RS1004", f"{name} cannot be `{given}`", where, hint)


def _misshapen(error: "ValidationError", where: _Where, name: str, title: str, top: Node) -> Diagnostic:
    """Tell that a text, or the name of a key, is not written as it should be."""
    if "propertyNames" in error.absolute_schema_path and isinstance(where.node, Mapping):
        key = str(error.instance)
        span = where.node.keys.get(key, top.span)
        return Diagnostic("RS1008", f"`{key}` cannot be a key here: it must be {title}", span, clause=where.clause)
    given = where.node.text if isinstance(where.node, Scalar) else _kind(where.node)
    if not given.strip():
        return _diagnostic("RS1005", f"{name} is empty: it must be {title}", where, "write it, or delete the key")
    shown = given if len(given) <= 40 else given[:39] + "…"  # noqa: PLR2004 - keeps the message on one line
    return _diagnostic("RS1005", f"{name} must be {title}, not `{shown}`", where, _pattern_hint(given, title))


def _pattern_hint(given: str, title: str) -> str:
    if title.startswith(("a name", "a word with -", "a clause id")) and given != given.lower():
        return f"write it in small letters: {given.lower()}"
    if title.startswith("a code") and given != given.upper():
        return f"write it in capital letters: {given.upper().replace('-', '_')}"
    if "whole number" in title and re.fullmatch(r"-?[0-9]{1,3}([ ,.'][0-9]{3})+", given):
        return f"write it without separators: {re.sub('[^0-9-]', '', given)}"
    return _rewritten(given, title)


def _rewritten(given: str, title: str) -> str:
    """Write what was given in the form that is asked for, as far as that can be guessed."""
    words = re.findall(r"[a-z0-9]+", given.lower())
    if words and title.startswith("a name:"):
        name = "_".join(words)
        return f"for instance {name}" if name[0].isalpha() else f"for instance x_{name}"
    if words and title.startswith(("a word with -", "a rule set name")):
        return f"for instance {'-'.join(words)}"
    if words and title.startswith("a clause id"):
        return f"for instance {'.'.join(words) if len(words) > 1 else f'{words[0]}.first'}"
    return ""


def _repeated(where: _Where, name: str) -> Diagnostic:
    seen: set[str] = set()
    for item in where.node.items if isinstance(where.node, Sequence) else ():
        text = json.dumps(plain(item), sort_keys=True)
        if text in seen:
            shown = item.text if isinstance(item, Scalar) else "an entry"
            return Diagnostic("RS1007", f"{name} lists `{shown}` twice", item.span, "delete one", clause=where.clause)
        seen.add(text)
    return _diagnostic("RS1007", f"{name} lists an entry twice", where, "delete one")
