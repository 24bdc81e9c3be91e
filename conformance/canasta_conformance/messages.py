"""The messages of the protocol, checked against their published shapes in both directions."""

import json
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from canasta_conformance.places import folder

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

Message = dict[str, Any]

PROTOCOL: Final = 1
LINE_BYTES: Final = 1 << 20
START_SECONDS: Final = 10.0
"""So long an engine may take to start, unless another limit is named."""
REQUEST_SECONDS: Final = 5.0
"""So long it may take for an answer, unless another limit is named."""
_OF_ACTS: Final = ("request.turn", "reply.legal")
"""The messages that list acts."""
_TO_ANYTHING: Final = ("unsupported", "known_bug", "error")
_LONGEST: Final = 160
_OF_A_RULE_SET: Final = re.compile(r"\$\.rulesets\[\d+\]\.id")


@cache
def _parts() -> Message:
    text = (folder("protocol") / "messages.schema.json").read_text(encoding="utf-8")
    parts: Message = json.loads(text)["$defs"]
    return parts


@cache
def _shape(part: str) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to load, and a report needs none

    return Draft202012Validator(_inlined(_parts()[part]))


def _inlined(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """Put parts in the place of references to them: looking references up costs most of the time of a check."""
    if isinstance(schema, list):
        return [_inlined(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: _inlined(value) for key, value in schema.items() if key not in ("$ref", "examples", "description")}
    if "$ref" not in schema:
        return own
    part = schema["$ref"].removeprefix("#/$defs/")
    return {**_inlined(_parts()[part]), **own}


def operations() -> tuple[str, ...]:
    """List every operation of the protocol."""
    return tuple(_parts()["op"]["enum"])


def fault_of_request(request: Message) -> str:
    """Say what is wrong with the shape of a request; empty when nothing is."""
    return _fault(f"request.{request['op']}", request)


def fault_of_reply(op: str, reply: Message) -> str:
    """Say what is wrong with the shape of an answer; empty when nothing is."""
    kind = next((word for word in _TO_ANYTHING if word in reply), op)
    return _fault(f"reply.{kind}", reply)


@cache
def _quick(part: str) -> Callable[[Message], object]:
    """Compile a shape: thousands of messages are right, and each is checked in both directions."""
    from fastjsonschema import compile as compiled  # noqa: PLC0415 - slow to load, and a report needs none

    shape = _inlined(_parts()[part])
    if "acts" in shape.get("properties", ()):
        del shape["properties"]["acts"]["items"]
    found: Callable[[Message], object] = compiled(shape, use_default=False)
    return found


@cache
def _shapes_of_acts() -> Mapping[str, str]:
    """Give by the name of an act the shape it has: it can have no other, and trying all of them takes long."""
    found: dict[str, str] = {}
    for part, shape in _parts().items():
        if part.startswith("act."):
            names = shape["properties"]["act"]
            found |= dict.fromkeys(names.get("enum", [names.get("const")]), part)
    return found


def is_quickly_right(part: str, message: Message) -> bool:
    """Ask the compiled shape whether a message has it; what is wrong with one that has not is told by the other library."""
    from fastjsonschema import JsonSchemaValueException  # noqa: PLC0415 - as above

    try:
        _quick(part)(message)
        if part in _OF_ACTS:
            for act in message["acts"]:
                _quick(_shapes_of_acts()[act["act"]])(act)
    except (JsonSchemaValueException, KeyError, TypeError):
        return False
    return True


def _fault(part: str, message: Message) -> str:
    if is_quickly_right(part, message):
        return ""
    shape = _shape(part)
    if shape.is_valid(message):
        return ""
    error = max(map(_nearer, shape.iter_errors(message)), key=lambda e: len(e.absolute_path))
    at = error.json_path.removeprefix("$").removeprefix(".")
    told = _said(error)
    told = told if len(told) <= _LONGEST else told[: _LONGEST - 1] + "…"
    return f"{at}: {told}" if at else told


def _nearer(error: "ValidationError") -> "ValidationError":
    """Look into an act for what is wrong with it: its name tells which of the shapes is meant."""
    found: Any = error.instance
    if error.validator != "oneOf" or not isinstance(found, dict) or not isinstance(found.get("act"), str):
        return error
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to load, and a report needs none

    shapes = _shapes_of_acts()
    part = shapes.get(found["act"])
    named = Draft202012Validator({"properties": {"act": {"enum": list(shapes)}}})
    inner: list[ValidationError] = list((named if part is None else _shape(part)).iter_errors(found))
    for one in inner:
        one.parent = error
    return max(inner, key=lambda e: len(e.absolute_path), default=error)


def _said(error: "ValidationError") -> str:
    """Say what is wrong in words, and what may have been meant."""
    found: Any = error.instance
    wanted: Any = error.validator_value
    known: Any = error.schema
    shown = json.dumps(found, ensure_ascii=False)
    match error.validator:
        case "required":
            missing = next(name for name in wanted if name not in found)
            near = get_close_matches(missing, [name for name in found if name not in known["properties"]], 1, 0.6)
            return f"{missing} is missing" + (f"; is {near[0]} meant for it?" if near else "")
        case "enum":
            near = get_close_matches(str(found), map(str, wanted), 1, 0.6)
            meant = f"did you mean {next(json.dumps(w) for w in wanted if str(w) == near[0])}? " if near else ""
            return f"{shown} is none of them: {meant}{', '.join(map(json.dumps, wanted))}"
        case "pattern" if wanted in _cards():
            ten = f'; did you mean "T{found[2:]}"?' if found[:2] == "10" and re.search(wanted, f"T{found[2:]}") else ""
            shape, unseen = ("c d h s r b", ", one that is not shown ?") if re.search(wanted, "?") else ("c d h s", "")
            return f"{shown} is no card{ten or f': a rank 2 to 9 T J Q K A and a suit {shape}, such as Td; a joker is Jk{unseen}'}"
        case "pattern":
            if _OF_A_RULE_SET.fullmatch(error.json_path):
                known_ones = _rule_sets()
                wanted = f"the suite knows {', '.join(known_ones)}"
                lower = json.dumps(found.lower()) if found.lower() in known_ones else ""
            else:
                lower = json.dumps(found.lower()) if re.search(wanted, found.lower()) else ""
            return f"{shown} is not written so" + (f"; did you mean {lower}?" if lower else f": {wanted}")
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            return f"{shown} is no {' or '.join(_TYPES.get(name, name) for name in names)}"
        case "const":
            return f"{shown} stands where {json.dumps(wanted)} must"
        case "anyOf" | "oneOf":
            ways = [json.dumps(w["const"]) if "const" in w else _TYPES.get(w.get("type"), "") for w in wanted]
            return f"{shown} is neither {' nor '.join(ways)}" if all(ways) else error.message
    return error.message


_TYPES: Final = {
    "integer": "whole number", "object": "mapping", "array": "list", "boolean": "truth value (true, false)", "string": "text",
}  # fmt: skip


@cache
def _cards() -> tuple[str, ...]:
    """Give the patterns by which cards are written: what is sent, and what is shown."""
    return tuple(_parts()[part]["pattern"] for part in ("card", "card.seen"))


def _rule_sets() -> list[str]:
    """List the names that a rule set can be declared by so that it is asked anything."""
    root = folder("suite")
    return sorted(path.parent.relative_to(root).as_posix() for path in root.rglob("rules.json"))


def hello(suite: str, start_seconds: float, request_seconds: float) -> Message:
    """Make the first message of a process, without its number."""
    limits = {"line_bytes": LINE_BYTES, "start_seconds": start_seconds, "request_seconds": request_seconds}
    return {"op": "hello", "protocol": [PROTOCOL], "suite": suite, "limits": limits}


def refusal(reply: Mapping[str, Any]) -> str:
    """Name which of the answers to anything a reply is, if it is one."""
    return next((word for word in _TO_ANYTHING if word in reply), "")
