"""The messages of the protocol, checked against their published shapes in both directions."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from canasta_conformance.places import folder

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Message = dict[str, Any]

PROTOCOL: Final = 1
LINE_BYTES: Final = 1 << 20
_TO_ANYTHING: Final = ("unsupported", "known_bug", "error")
_LONGEST: Final = 160


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

    found: Callable[[Message], object] = compiled(_inlined(_parts()[part]), use_default=False)
    return found


def is_quickly_right(part: str, message: Message) -> bool:
    """Ask the compiled shape whether a message has it; what is wrong with one that has not is told by the other library."""
    from fastjsonschema import JsonSchemaValueException  # noqa: PLC0415 - as above

    try:
        _quick(part)(message)
    except JsonSchemaValueException:
        return False
    return True


def _fault(part: str, message: Message) -> str:
    if is_quickly_right(part, message):
        return ""
    shape = _shape(part)
    if shape.is_valid(message):
        return ""
    error = max(shape.iter_errors(message), key=lambda e: len(e.absolute_path))
    at = error.json_path.removeprefix("$").removeprefix(".")
    told = error.message if len(error.message) <= _LONGEST else error.message[: _LONGEST - 1] + "…"
    return f"{at}: {told}" if at else told


def hello(suite: str, start_seconds: float, request_seconds: float) -> Message:
    """Make the first message of a process, without its number."""
    limits = {"line_bytes": LINE_BYTES, "start_seconds": start_seconds, "request_seconds": request_seconds}
    return {"op": "hello", "protocol": [PROTOCOL], "suite": suite, "limits": limits}


def refusal(reply: Mapping[str, Any]) -> str:
    """Name which of the answers to anything a reply is, if it is one."""
    return next((word for word in _TO_ANYTHING if word in reply), "")
