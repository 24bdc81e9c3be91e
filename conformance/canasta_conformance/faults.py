"""What goes wrong with engines, each by its name. None of it is ever taken for an answer."""

from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of fault, as reports name them."""

    NO_START = "no-start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    NOISE = "noise"
    WRONG_SEQ = "wrong-seq"
    FLOOD = "flood"
    BAD_REPLY = "bad-reply"


class EngineFaultError(Exception):
    """An engine that did not answer as the protocol wants: what kind of fault, what was seen, and the end of its log.

    ``before`` says that it happened before the request at hand was sent, so that this request cannot have caused it.
    """

    def __init__(self, kind: FaultKind, text: str, log: str = "", *, before: bool = False) -> None:
        """Carry what is known."""
        self.kind, self.text, self.log, self.before = kind, text, log, before
        super().__init__(f"{kind}: {text}")


class AddressError(Exception):
    """An address that names no engine, with a hint how it may be written."""

    def __init__(self, message: str, hint: str) -> None:
        """Carry message and hint."""
        self.message, self.hint = message, hint
        super().__init__(message)
