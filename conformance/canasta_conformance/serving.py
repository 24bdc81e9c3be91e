"""An engine that would answer in this process, given a process of its own: `python -m canasta_conformance.serving ADDRESS`.

Where it hangs or dies it can then be ended without harm to whoever asks.
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Final

from canasta_conformance.connecting import Link, opener
from canasta_conformance.process import Process

IN_PROCESSES: Final = ("exec:", "second")
"""How addresses begin whose engines have a process of their own anyway."""

FOR_EVER: Final = 1e9


def isolated(address: str) -> Callable[[], Link]:
    """Read an address, and give what opens a fresh engine there in a process of its own.

    Raises:
        AddressError: when it names no engine.
    """
    open_link = opener(address)
    if address.startswith(IN_PROCESSES):
        return open_link
    return lambda: Process([sys.executable, "-m", "canasta_conformance.serving", address])


def main(arguments: Sequence[str]) -> int:
    """Answer the requests on standard input by the engine at an address."""
    link = opener(arguments[0])()
    for line in sys.stdin:
        request = json.loads(line)
        sys.stdout.write(json.dumps(link.ask(request, FOR_EVER)) + "\n")
        sys.stdout.flush()
        if request["op"] == "bye":
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
