"""One process of an engine: started, asked line by line under a time limit, and ended with the group of processes that it has started.

What has left that group, by beginning a session of its own (`setsid`, as services do), is not known here, and lives on.
Its output is read by threads of their own, so that a full pipe can never make both sides wait. After a fault nothing is
read from it any more; the next process has pipes of its own, and an answer that comes late has nowhere to arrive.
"""

import contextlib
import errno
import json
import os
import queue
import select
import signal
import subprocess
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import IO, Any, Final

from canasta_conformance.faults import EngineFaultError, FaultKind
from canasta_conformance.messages import LINE_BYTES

Message = dict[str, Any]

LOG_BYTES: Final = 4096
"""So much of the end of standard error is kept."""

MOST_WAITING: Final = 64
"""More lines than this that nobody has asked for are a flood."""

_CHUNK: Final = 1 << 16
_SHOWN: Final = 120
_END_SECONDS: Final = 2.0
_SETTLE_SECONDS: Final = 0.2
_LOOK_SECONDS: Final = 0.005
_GLANCE_SECONDS: Final = 0.05
"""So often it is looked, while an answer is waited for, whether there is still somebody who could give it."""
_MOMENT_SECONDS: Final = 0.0005
_OPEN_ENDED: Final = "the line has no end"

HELD_BACK: Final = "the answer lay in a buffer, and came when its input was closed"
"""What is told of a program that does not flush its standard output."""


class Process:
    """A running engine."""

    def __init__(self, command: Sequence[str], without: Collection[str] = ()) -> None:
        """Start it in a group of its own; variables of the environment that are named in ``without`` it does not get.

        Raises:
            EngineFaultError: when it cannot be started.
        """
        self._lines: queue.Queue[bytes | FaultKind] = queue.Queue()
        self._log = bytearray()
        self._logged = 0
        try:
            self._child = subprocess.Popen(  # noqa: S603 - running the engine that the person names is what this is for
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={name: value for name, value in os.environ.items() if name not in without},
            )
        except (OSError, ValueError) as error:
            raise EngineFaultError(FaultKind.NO_START, _why_not(command[0], error)) from None
        self._threads = [
            threading.Thread(target=self._read_answers, args=(self._pipe(self._child.stdout),), daemon=True),
            threading.Thread(target=self._read_log, args=(self._pipe(self._child.stderr),), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        if pipe is None:
            raise EngineFaultError(FaultKind.NO_START, "no pipe")
        return pipe

    # -- reading, in threads of their own ----------------------------------------------------------------------------

    def _read_answers(self, pipe: IO[bytes]) -> None:
        """Cut the output into lines; a line without end, or too many of them, end the reading."""
        rest = b""
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(pipe.fileno(), _CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._lines.put(line)
                if len(rest) > LINE_BYTES or self._lines.qsize() > MOST_WAITING or any(map(_too_long, lines)):
                    self._lines.put(FaultKind.FLOOD)
                    return
        if rest.strip():
            self._lines.put(rest)
        self._lines.put(FaultKind.CRASH)

    def _read_log(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(pipe.fileno(), _CHUNK):
                self._logged += len(chunk)
                self._log = (self._log + chunk)[-LOG_BYTES:]

    @property
    def logged(self) -> int:
        """How many bytes it has written to standard error."""
        return self._logged

    def log(self, since: int = 0) -> str:
        """Give the end of what it wrote to standard error, after so many bytes."""
        told, written = self._log, self._logged
        return bytes(told[max(0, len(told) - max(0, written - since)) :]).decode("utf-8", "replace").strip()

    def settle_log(self) -> None:
        """Wait until what it has written to standard error is read, which is done by a thread of its own and may come late."""
        pipe, until = self._pipe(self._child.stderr), time.monotonic() + _SETTLE_SECONDS
        with contextlib.suppress(OSError, ValueError):  # where one cannot look into a pipe a moment must do
            while self._threads[1].is_alive() and select.select([pipe], [], [], 0)[0] and time.monotonic() < until:
                time.sleep(_MOMENT_SECONDS)
        time.sleep(_MOMENT_SECONDS)

    # -- asking ------------------------------------------------------------------------------------------------------

    def ask(self, request: Message, seconds: float) -> Message:
        """Send a request and wait for its answer.

        Raises:
            EngineFaultError: for everything that is no answer to this request.
        """
        while not self._lines.empty():
            self._unasked(self._lines.get_nowait(), request["op"])
        if self._has_ended():
            self._unasked(self._last_line(), request["op"])
        until = time.monotonic() + seconds
        self._send(request, seconds)
        try:
            line = self._next_line(until)
        except queue.Empty:
            text = f"no answer to {request['op']} within {seconds:g} s"
            if request["op"] == "hello" and self._held_back():
                text += f"; {HELD_BACK}"
            raise self._fault(FaultKind.TIMEOUT, text) from None
        if isinstance(line, FaultKind):
            raise self._fault(line, _told(line, request["op"], self._code()))
        return self._answer(line, request)

    def _next_line(self, until: float) -> bytes | FaultKind:
        """Wait for a line; a program that ends is noticed also where something that it has started keeps its output open.

        Raises:
            queue.Empty: when there is none in time.
        """
        while (left := until - time.monotonic()) > _GLANCE_SECONDS:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=_GLANCE_SECONDS)
            if self._has_ended():
                return self._last_line()
        return self._lines.get(timeout=max(0.0, left))

    def _last_line(self) -> bytes | FaultKind:
        """Give what a program that has ended wrote before: it may lie in the pipe, or be on its way through the thread that reads."""
        with contextlib.suppress(queue.Empty):
            return self._lines.get(timeout=_SETTLE_SECONDS)
        return FaultKind.CRASH

    def _send(self, request: Message, seconds: float) -> None:
        """Write in a thread: an engine that does not read must not hold the runner up."""
        data = json.dumps(request).encode("ascii") + b"\n"
        pipe = self._pipe(self._child.stdin)

        def write() -> None:
            with contextlib.suppress(OSError, ValueError):
                pipe.write(data)
                pipe.flush()

        if len(data) <= _PIPE_HOLDS:
            write()
            return
        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        until = time.monotonic() + seconds
        while thread.is_alive() and time.monotonic() < until and not self._has_ended():
            thread.join(_GLANCE_SECONDS)

    def _held_back(self) -> bool:
        """Ask whether a first answer is there after all, in a buffer of the program that it empties when it ends."""
        with contextlib.suppress(queue.Empty):
            self._lines.get(timeout=_SETTLE_SECONDS)
            return False  # it was only late
        with contextlib.suppress(OSError, ValueError):
            self._pipe(self._child.stdin).close()
        with contextlib.suppress(queue.Empty):
            line = self._lines.get(timeout=_END_SECONDS)
            return not isinstance(line, FaultKind) and _object(line) is not None
        return False

    def _unasked(self, line: bytes | FaultKind, op: str) -> None:
        """Tell what came before the request at hand was sent, by the same names as what comes after it."""
        if line is FaultKind.CRASH:
            code = self._code()
            told = _told(line, op, code) if op == "hello" else f"it ended between two requests{code}"
            raise self._fault(FaultKind.CRASH, told, before=True)
        if isinstance(line, FaultKind):
            raise self._fault(FaultKind.FLOOD, "lines that nobody asked for", before=True)
        if _object(line) is None:
            raise self._fault(FaultKind.NOISE, _no_object(line), before=True)
        raise self._fault(FaultKind.FLOOD, f"nobody asked for {_shown(line)}", before=True)

    def _answer(self, line: bytes, request: Message) -> Message:
        if _too_long(line):
            raise self._fault(FaultKind.FLOOD, f"a line of {len(line)} bytes; {LINE_BYTES} are allowed")
        found = _object(line)
        if found is None:
            raise self._fault(FaultKind.NOISE, _no_object(line))
        if found.get("seq") != request["seq"] or isinstance(found.get("seq"), bool):
            told = f"seq {json.dumps(found['seq'])[:_SHOWN]}" if "seq" in found else "an answer without seq"
            told += "" if type(found.get("seq", 0)) is int else ", which is no whole number,"
            if self._more_follows():
                # With the number of an earlier request, and the right answer after it, it was on its way already.
                late = type(found.get("seq")) is int and found["seq"] < request["seq"]
                text = f"{told} and more lines where {request['seq']} was asked"
                raise self._fault(FaultKind.FLOOD, text, before=late)
            raise self._fault(FaultKind.WRONG_SEQ, f"{told} where {request['seq']} was asked")
        return found

    def _more_follows(self) -> bool:
        """Ask whether another line comes after a wrong one: then more was answered than was asked."""
        with contextlib.suppress(queue.Empty):
            return self._lines.get(timeout=_SETTLE_SECONDS) is not FaultKind.CRASH
        return False

    def _code(self) -> str:
        if not self._ended(_SETTLE_SECONDS):
            return ""
        self._kill_group()
        code = self._child.wait()
        return f", by signal {-code}" if code < 0 else f", with exit code {code}"

    def _fault(self, kind: FaultKind, text: str, *, before: bool = False) -> EngineFaultError:
        self._threads[1].join(_SETTLE_SECONDS if kind is FaultKind.CRASH else 0)
        return EngineFaultError(kind, text, self.log(), before=before)

    # -- ending ------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """Close its input, give it a moment to end by itself, then end its whole group."""
        with contextlib.suppress(OSError, ValueError):
            self._pipe(self._child.stdin).close()
        self._ended(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process and all of its group, at once; what has begun a session of its own is not waited for and lives on."""
        self._kill_group()
        with contextlib.suppress(OSError):
            self._child.kill()
        self._child.wait()
        for thread in self._threads:
            thread.join(_SETTLE_SECONDS)
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            with contextlib.suppress(OSError, ValueError):
                self._pipe(pipe).close()

    def _kill_group(self) -> None:
        """End the group. Once its leader is fetched its number is free, and may be that of somebody else's group."""
        if self._child.returncode is None and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._child.pid, signal.SIGKILL)

    def _has_ended(self) -> bool:
        """Ask whether the process has ended, as far as the system tells it at once; it is left to be fetched."""
        if self._child.returncode is not None or not hasattr(os, "killpg"):
            return self._child.poll() is not None
        return hasattr(os, "waitid") and _waiting_to_be_fetched(self._child.pid)

    def _ended(self, seconds: float) -> bool:
        """Wait until the process has ended, and leave it to be fetched, so that its number stays its own."""
        if self._child.returncode is not None:
            return True
        if not hasattr(os, "killpg"):  # no groups, so nothing can be hit by a number
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(seconds)
            return self._child.returncode is not None
        if not hasattr(os, "waitid"):  # its output ends with it; then a moment for the rest of its ending
            self._threads[0].join(seconds)
            time.sleep(_SETTLE_SECONDS)
            return not self._threads[0].is_alive()
        until = time.monotonic() + seconds
        while not (ended := _waiting_to_be_fetched(self._child.pid)) and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
        return ended


def _waiting_to_be_fetched(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


_PIPE_HOLDS: Final = 4096
"""So much fits into any pipe without waiting."""


def _too_long(line: bytes) -> bool:
    return len(line) > LINE_BYTES


def _object(line: bytes) -> Message | None:
    """Read a line as a JSON object; None where it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _no_object(line: bytes) -> str:
    """Say that a line is no JSON object, and where it goes wrong if it was meant for one."""
    told = f"{_shown(line)} is no JSON object"
    if line.lstrip().startswith(b"{"):
        try:
            json.loads(line)
        except json.JSONDecodeError as error:
            return f"{told}: {error.msg[:1].lower()}{error.msg[1:]} at sign {error.colno}"
        except (ValueError, RecursionError):
            return told
    return told


def _why_not(program: str, error: OSError | ValueError) -> str:
    """Say why a program could not be started, and how it may be meant."""
    here = Path(program)
    if isinstance(error, FileNotFoundError):
        if here.is_file() and "/" not in program:
            return f"there is no program {program}; for the file in this folder write ./{program}, or what runs it before it"
        if here.is_file():
            return f"what {program} names in its first line, after #!, is not there"
        return f"there is no program {program}{'' if '/' in program else ' on the path'}"
    if isinstance(error, PermissionError):
        if here.is_dir():
            return f"{program} is a folder, and no program"
        return f"{program} may not be run: write what runs it before it, or make it executable"
    if isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        return f"{program} is nothing that this system can run: write what runs it before it"
    told = error.strerror if isinstance(error, OSError) and error.strerror else error
    return f"{program} cannot be started: {told}"


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    if not text.strip():
        return "an empty line"
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _told(kind: FaultKind, op: str, code: str) -> str:
    return f"it ended instead of answering {op}{code}" if kind is FaultKind.CRASH else _OPEN_ENDED
