"""`python -m canasta_tools.bench.peak COMMAND…`: run a command and print the most memory it held.

It imports next to nothing, so that what it prints is the command's own peak.
"""

import os
import subprocess
import sys


def main() -> int:
    """Run the command that is named, without its output."""
    child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)  # noqa: S603 - the caller's own command
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    sys.stdout.write(f"{used.ru_maxrss}\n")
    return child.returncode


if __name__ == "__main__":
    sys.exit(main())
