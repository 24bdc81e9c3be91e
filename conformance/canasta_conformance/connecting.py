"""Addresses of engines, and the one way in which a runner talks to them, whatever they are.

``exec:COMMAND`` runs a program, ``python:MODULE:CLASS`` makes an adapter in this process. ``reference`` and ``second`` are the two
engines that come along, ``miniature:NAME`` is one that is wrong in a known way.
"""

import importlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import redirect_stdout
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Protocol

from canasta_conformance.adapters import answer
from canasta_conformance.faults import AddressError, EngineFaultError, FaultKind
from canasta_conformance.messages import REQUEST_SECONDS, START_SECONDS, fault_of_reply, fault_of_request, hello
from canasta_conformance.places import folder
from canasta_conformance.process import Process

Message = dict[str, Any]

REFERENCE: Final = "python:canasta_conformance.inprocess.engine:ReferenceEngine"
KINDS: Final = "exec:COMMAND, python:MODULE:CLASS, reference, second or miniature:NAME"
_SCHEMES: Final = ("exec", "python", "miniature")
_OWN: Final = ("reference", "second")


class Link(Protocol):
    """Something that answers requests until it is ended."""

    def ask(self, request: Message, seconds: float) -> Message:
        """Give the answer to a request, or raise what went wrong."""

    def end(self) -> None:
        """End it kindly."""

    def kill(self) -> None:
        """End it at once."""


class InProcess:
    """An adapter in this process. By itself it cannot be stopped in the middle, so there is no time limit; `limiting` has one."""

    def __init__(self, make: Callable[[], object]) -> None:
        """Make the adapter.

        Raises:
            EngineFaultError: when it cannot be made.
        """
        try:
            with redirect_stdout(sys.stderr):
                self._adapter = make()
        except Exception as error:  # noqa: BLE001 - whatever an engine does when it is made is told by its name
            raise EngineFaultError(FaultKind.NO_START, f"{type(error).__name__}: {error}") from None
        except BaseException as end:  # noqa: BLE001 - what is not meant to end a program is raised again
            raise _fault_of(end, FaultKind.NO_START, "it ended when it was made") from None

    def ask(self, request: Message, seconds: float) -> Message:  # noqa: ARG002 - as every link is asked
        """Let the adapter answer, as JSON: what could not be sent over a line is no answer."""
        try:
            # What it prints would stand among the lines of a report.
            with redirect_stdout(sys.stderr):
                found: Message = json.loads(json.dumps(answer(self._adapter, request)))
        except Exception as error:  # noqa: BLE001 - what an adapter gives may be of a class of its own, and raise anything
            raise EngineFaultError(FaultKind.BAD_REPLY, f"answer to {request['op']} is no JSON: {error}") from None
        except BaseException as end:  # noqa: BLE001 - what is not meant to end a program is raised again
            raise _fault_of(end, FaultKind.CRASH, f"it ended instead of answering {request['op']}") from None
        return found

    def end(self) -> None:
        """There is nothing to end."""

    def kill(self) -> None:
        """There is nothing to end."""


def _ends(raised: BaseException) -> bool:
    """Ask whether code that is not ours wants to end its program.

    Everything else that is no common exception belongs to somebody else: Ctrl-C, a time limit, a test that is to be skipped.
    """
    return isinstance(raised, SystemExit | GeneratorExit) or type(raised).__name__ == "CancelledError"


def _fault_of(raised: BaseException, kind: FaultKind, told: str) -> BaseException:
    """Make a fault of the engine of what would have ended its program, in the words that are used of programs; else give it back."""
    if not _ends(raised):
        return raised
    return EngineFaultError(kind, f"{told}{_ended_by(raised)}")


def _ended_by(raised: BaseException) -> str:
    """Say by what a program would have ended."""
    code = raised.code if isinstance(raised, SystemExit) else type(raised).__name__
    if not isinstance(raised, SystemExit):
        return f", by {code}"
    if code is None or isinstance(code, int):
        return f", with exit code {int(code or 0)}"
    return f", with exit code 1: {code}"  # Python writes such a one to standard error


def is_address(text: str) -> bool:
    """Ask whether a text is meant as the address of an engine, right or wrong."""
    kind, colon, _ = text.partition(":")
    return text in _OWN or (bool(colon) and kind in _SCHEMES)


def opener(address: str, without: Collection[str] = ()) -> Callable[[], Link]:
    """Read an address, and give what opens a fresh engine there.

    A program does not get the variables of the environment that are named in ``without``.

    Raises:
        AddressError: when it names no engine.
    """
    kind, _, rest = address.partition(":")
    if address == "reference":
        return opener(REFERENCE)
    if address == "second":
        return lambda: Process([sys.executable, str(folder("engines") / "second")])
    if kind == "exec" and rest.strip():
        return _program(rest, without)
    if kind == "python" and rest.count(":") == 1 and all(rest.split(":")):
        make = _maker(*rest.split(":"))
        return lambda: InProcess(make)
    if kind == "miniature":
        return _miniature(rest)
    raise AddressError(f"{address or 'an empty text'} is no address of an engine", _meant(address))


def _program(text: str, without: Collection[str]) -> Callable[[], Link]:
    try:
        command = shlex.split(text)
    except ValueError as error:
        told = str(error)[:1].lower() + str(error)[1:]
        raise AddressError(f"{text} cannot be read as a command: {told}", "close every quotation mark") from None
    return lambda: Process(command, without)


_RUNNERS: Final = {
    ".py": "python3 ",
    ".mjs": "node ",
    ".js": "node ",
    ".cjs": "node ",
    ".jar": "java -jar ",
    ".rb": "ruby ",
}


def _meant(address: str) -> str:
    """Guess what was meant by a text that is no address."""
    kind, colon, rest = address.partition(":")
    near = get_close_matches(kind if colon else address, [*_SCHEMES, *_OWN], 1)
    if near and near[0] != kind and (bool(colon) == (near[0] in _SCHEMES)):
        return f'did you mean "{near[0]}{colon}{rest}"?'
    if kind == "python" and rest:
        return f"write the class as well: python:{rest.strip(':') or 'MODULE'}:CLASS"
    word, blank, _ = address.partition(" ")
    if blank or shutil.which(word) or Path(word).is_file():
        path = Path(word)
        runner = "" if blank or os.access(path, os.X_OK) else _RUNNERS.get(path.suffix, "")
        place = "./" if not (blank or runner) and path.is_file() and path.name == word else ""
        return f'a command follows exec: "exec:{runner}{place}{address}"'
    return f"write {KINDS}"


def _miniature(name: str) -> Callable[[], Link]:
    from canasta_conformance.miniatures.catalogue import miniature  # noqa: PLC0415 - it needs the reference, which others do not

    found = miniature(name)
    make = found.make
    return (lambda: Process(found.command)) if make is None else (lambda: InProcess(make))


def _maker(module: str, name: str) -> Callable[[], object]:
    sys.path.insert(0, "")  # as for a program that is started here
    try:
        found = importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - a module that fails to load may raise anything
        raise AddressError(
            f"{module} cannot be imported: {type(error).__name__}: {error}", "check the name and the path"
        ) from None
    except BaseException as end:
        if not _ends(end):
            raise
        told = f"{module} cannot be imported: it ended{_ended_by(end)}"
        raise AddressError(told, 'what runs it stands under `if __name__ == "__main__":`') from None
    finally:
        sys.path.remove("")
    make = getattr(found, name, None)
    if not callable(make):
        near = get_close_matches(name, [word for word in dir(found) if callable(getattr(found, word))], 1)
        hint = f"did you mean python:{module}:{near[0]}?" if near else "write python:MODULE:CLASS"
        raise AddressError(f"{module} has no class {name}", hint)
    return make  # type: ignore[no-any-return]  # whatever can be called there makes the adapter


class Engine:
    """An engine under test: opened when first asked, numbered requests, both directions checked."""

    def __init__(
        self,
        open_link: Callable[[], Link],
        suite: str,
        start_seconds: float = START_SECONDS,
        request_seconds: float = REQUEST_SECONDS,
    ) -> None:
        """Know how to open it; nothing is started yet."""
        self._open, self._suite = open_link, suite
        self.start_seconds, self.request_seconds = start_seconds, request_seconds
        self._link: Link | None = None
        self._seq = 0
        self.starts = 0
        """How often it was started."""
        self.asked = 0
        """How many requests the running process has been sent after its hello."""

    def greet(self) -> Message:
        """Start it afresh and let it say who it is.

        Raises:
            EngineFaultError: when it cannot be started or does not answer.
        """
        self.kill()
        self.starts += 1
        self.asked = 0
        try:
            self._link = self._open()
            return self._ask(hello(self._suite, self.start_seconds, self.request_seconds), self.start_seconds)
        except EngineFaultError as fault:
            self.kill()
            if fault.kind is FaultKind.CRASH:
                raise EngineFaultError(FaultKind.NO_START, fault.text, fault.log) from None
            raise

    def ask(self, send: Message) -> Message:
        """Send a request without its number and give the answer; after a fault the engine is ended.

        Raises:
            EngineFaultError: for everything that is no answer.
        """
        if self._link is None:
            self.greet()
        self.asked += 1
        try:
            return self._ask(send, self.request_seconds)
        except EngineFaultError:
            self.kill()
            raise

    def _ask(self, send: Message, seconds: float) -> Message:
        if self._link is None:
            raise EngineFaultError(FaultKind.NO_START, "it is not running")
        self._seq += 1
        request = {"seq": self._seq, **send}
        wrong = fault_of_request(request)
        if wrong:
            raise ValueError(f"the runner would send what is no request: {wrong}")
        reply = self._link.ask(request, seconds)
        wrong = fault_of_reply(send["op"], reply)
        if wrong:
            raise EngineFaultError(FaultKind.BAD_REPLY, f"answer to {send['op']}: {wrong}", self.log())
        return {key: value for key, value in reply.items() if key != "seq"}

    def log(self, since: int = 0) -> str:
        """Give the end of what a program wrote to standard error, after so many bytes; what is no program writes to that of the runner."""
        link = self._link
        if not isinstance(link, Process):
            return ""
        link.settle_log()
        return link.log(since)

    @property
    def logged(self) -> int:
        """How many bytes the running program has written to standard error."""
        return self._link.logged if isinstance(self._link, Process) else 0

    @property
    def running(self) -> bool:
        """Whether it has been started and not ended."""
        return self._link is not None

    def end(self) -> EngineFaultError | None:
        """Say goodbye, and end it; give what was wrong with its answer, if anything was."""
        if self._link is None:
            return None
        try:
            self._ask({"op": "bye"}, self.request_seconds)
        except EngineFaultError as fault:
            self.kill()
            return fault
        self._link.end()
        self._link = None
        return None

    def kill(self) -> None:
        """End it at once; a program with all of its group of processes."""
        if self._link is not None:
            self._link.kill()
            self._link = None


def commands(words: Sequence[str]) -> str:
    """Write a command as an address."""
    return f"exec:{shlex.join(words)}"
