"""Where the rooms of the project lie: beside each other in a checkout, or inside the installed package."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def room(name: str) -> "Traversable":
    """Find a data room such as ``spec`` or ``grammar``, the only place that knows both layouts.

    Raises:
        FileNotFoundError: when neither the installed package nor a checkout has that room.
    """
    here = Path(__file__).parent
    root: Traversable = here / "rooms" if (here / "rooms").is_dir() else here.parents[1]
    if not here.is_dir():
        from importlib.resources import files  # noqa: PLC0415 - 20 ms, and only a package in an archive needs it

        root = files("canasta") / "rooms"
    found = root / name
    if not found.is_dir():
        raise FileNotFoundError(
            f"the data room {name!r} is neither in the installed package nor in a checkout at {root}"
        )
    return found
