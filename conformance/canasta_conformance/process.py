"""One process of an engine: started, asked line by line under a time limit, and ended with all that it has started.

Its output is read by threads of their own, so that a full pipe can never make both sides wait. After a fault nothing is
read from it any more; the next process has pipes of its own, and an answer that comes late has nowhere to arrive.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
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
_OPEN_ENDED: Final = "the line has no end"


class Process:
    """A running engine."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it in a group of its own.

        Raises:
            EngineFaultError: when it cannot be started.
        """
        self._lines: queue.Queue[bytes | FaultKind] = queue.Queue()
        self._log = bytearray()
        try:
            self._child = subprocess.Popen(  # noqa: S603 - running the engine that the person names is what this is for
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineFaultError(FaultKind.NO_START, str(error)) from None
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
                self._log = (self._log + chunk)[-LOG_BYTES:]

    def log(self) -> str:
        """Give the end of what it wrote to standard error."""
        return bytes(self._log).decode("utf-8", "replace").strip()

    # -- asking ------------------------------------------------------------------------------------------------------

    def ask(self, request: Message, seconds: float) -> Message:
        """Send a request and wait for its answer.

        Raises:
            EngineFaultError: for everything that is no answer to this request.
        """
        while not self._lines.empty():
            self._unasked(self._lines.get_nowait())
        until = time.monotonic() + seconds
        self._send(request, seconds)
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise self._fault(FaultKind.TIMEOUT, f"no answer to {request['op']} within {seconds:g} s") from None
        if isinstance(line, FaultKind):
            raise self._fault(line, _told(line, request["op"], self._code()))
        return self._answer(line, request)

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
        thread.join(seconds)

    def _unasked(self, line: bytes | FaultKind) -> None:
        if line is FaultKind.CRASH:
            raise self._fault(FaultKind.CRASH, f"it ended between two requests{self._code()}")
        text = "lines that nobody asked for" if isinstance(line, FaultKind) else f"nobody asked for {_shown(line)}"
        raise self._fault(FaultKind.FLOOD, text)

    def _answer(self, line: bytes, request: Message) -> Message:
        if _too_long(line):
            raise self._fault(FaultKind.FLOOD, f"a line of {len(line)} bytes; {LINE_BYTES} are allowed")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._fault(FaultKind.NOISE, f"{_shown(line)} is no JSON object")
        if found.get("seq") != request["seq"] or isinstance(found.get("seq"), bool):
            told = f"seq {str(found['seq'])[:_SHOWN]}" if "seq" in found else "an answer without seq"
            if self._more_follows():
                raise self._fault(FaultKind.FLOOD, f"{told} and more lines where {request['seq']} was asked")
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

    def _fault(self, kind: FaultKind, text: str) -> EngineFaultError:
        self._threads[1].join(_SETTLE_SECONDS if kind is FaultKind.CRASH else 0)
        return EngineFaultError(kind, text, self.log())

    # -- ending ------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """Close its input, give it a moment to end by itself, then end its whole group."""
        with contextlib.suppress(OSError, ValueError):
            self._pipe(self._child.stdin).close()
        self._ended(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
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


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _told(kind: FaultKind, op: str, code: str) -> str:
    return f"it ended instead of answering {op}{code}" if kind is FaultKind.CRASH else _OPEN_ENDED
