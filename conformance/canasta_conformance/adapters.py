"""The answering side in Python: an object with a method for each operation becomes an engine that speaks the protocol.

A method is named after its operation and takes the fields of the request as keyword arguments; what it returns is the
answer without its number. Operations without a method are answered by ``unsupported``.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TextIO

Message = dict[str, Any]

PROTOCOL: Final = 1
_NO_FIELDS: Final = ("seq", "op")


class UnsupportedError(Exception):
    """Raised by an adapter for what its engine does not have."""

    def __init__(self, needs: str) -> None:
        """Name what would be needed."""
        self.needs = needs
        super().__init__(needs)


class KnownBugError(Exception):
    """Raised by an adapter where its engine is known to be wrong."""

    def __init__(self, url: str) -> None:
        """Say where that is written down."""
        self.url = url
        super().__init__(url)


def answer(adapter: object, request: Mapping[str, Any]) -> Message:
    """Let an adapter answer one request; whatever it raises becomes one of the answers that every request may get."""
    op, seq = str(request["op"]), request["seq"]
    try:
        method = getattr(adapter, op, None)
    except Exception as fault:  # noqa: BLE001 - an adapter may look its methods up by code of its own
        return {"seq": seq, **_raised(fault, op, "")}
    if method is None or op.startswith("_"):
        if op in ("reset", "bye"):  # nothing to forget, nothing to close
            return {"seq": seq}
        return {"seq": seq, "unsupported": True, "needs": op}
    fields = {key: value for key, value in request.items() if key not in _NO_FIELDS}
    try:
        told = method(**fields)
    except Exception as fault:  # noqa: BLE001 - whatever goes wrong in an engine is told and not passed on
        return {"seq": seq, **_raised(fault, op, _called_otherwise(method, op, fields))}
    if told is not None and not isinstance(told, dict):
        return {"seq": seq, "error": True, "text": f"{op} gave {type(told).__name__}, and an answer is a mapping"}
    return {"seq": seq, **(told or {})}


def _raised(fault: Exception, op: str, more: str) -> Message:
    """Make an answer of what was raised; a harness that imports nothing of this package has words of its own for it."""
    name, text = type(fault).__name__, _text(fault)
    if isinstance(fault, UnsupportedError) or name == "Unsupported":
        return {"unsupported": True, "needs": text or op}
    if isinstance(fault, KnownBugError) or name == "KnownBug":
        return {"known_bug": True, "url": text}
    return {"error": True, "text": f"{name}: {text}{_where(fault)}{more}"}


def _text(fault: Exception) -> str:
    """Give what an exception says; one of an engine's own may be unable to say anything."""
    try:
        return str(fault)
    except Exception as worse:  # noqa: BLE001 - as said
        return f"its text cannot be told ({type(worse).__name__})"


def _where(fault: Exception) -> str:
    """Say in which file and line of an engine something was raised; nothing where it was called wrongly from here."""
    at = fault.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None or at.tb_frame.f_code.co_filename == __file__:
        return ""
    return f" ({Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno})"


def _called_otherwise(method: Callable[..., object], op: str, fields: Message) -> str:
    """Say how a method is called, where it cannot take what it was given."""
    try:
        inspect.signature(method).bind(**fields)
    except TypeError:
        given = f"the keyword arguments {', '.join(fields)}" if fields else "no arguments"
        return f"; {op} is called with {given}: `def {op}(self, {', '.join([*fields, '**_'])})` takes them"
    except ValueError:  # what is not written in Python does not show what it takes
        return ""
    return ""


def serve(adapter: object, requests: TextIO, answers: TextIO) -> None:
    """Answer every request of a stream, one line each, until ``bye`` or the end of the stream."""
    for line in requests:
        request = json.loads(line)
        answers.write(json.dumps(answer(adapter, request)) + "\n")
        answers.flush()
        if request["op"] == "bye":
            return
