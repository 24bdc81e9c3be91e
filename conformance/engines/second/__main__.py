"""Serves the protocol: `python conformance/engines/second`, or `python -m second` beside it."""

import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from second.server import serve

serve(sys.stdin, sys.stdout)
