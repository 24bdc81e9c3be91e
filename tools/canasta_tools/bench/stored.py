"""A run of the benchmarks that is kept: its ratios, and on what kind of machine, with which versions, from which seeds they came."""

import json
import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from canasta_tools.bench import growth, matches, report
from canasta_tools.bench.race import Result

STORED: Final = Path(__file__).with_name("measured.json")
PEERS: Final = ("canasta-spec", "chess", "open_spiel", "pokerkit", "rlcard")


def to_store(results: Iterable[Result]) -> str:
    """Write results down with what they depend on."""
    told: dict[str, Any] = report.to_json(results)
    told["machine"] = {"kind": _kind(), "processors": os.cpu_count(), "system": platform.system()}
    told["python"] = f"{platform.python_implementation()} {platform.python_version()}"
    told["versions"] = {name: found for name in PEERS if (found := _version(name))}
    told["seeds"] = {
        "games": f"{matches.SEEDS.start} to {matches.SEEDS.stop - 1}",
        "positions": f"{growth.SEEDS.start} to {growth.SEEDS.stop - 1}",
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def stored() -> dict[str, Any]:
    """Read the run that is kept."""
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _kind() -> str:
    """Name the kind of processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or platform.machine()
