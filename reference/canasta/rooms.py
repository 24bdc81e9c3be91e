"""Where the rooms of the project lie: beside each other in a checkout, or inside the installed package."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def room(name: str) -> Traversable:
    """Find a data room such as ``spec`` or ``grammar``, the only place that knows both layouts.

    Raises:
        FileNotFoundError: when neither the installed package nor a checkout has that room.
    """
    shipped = files("canasta") / "rooms"
    root: Traversable = shipped if shipped.is_dir() else Path(__file__).parents[2]
    found = root / name
    if not found.is_dir():
        raise FileNotFoundError(
            f"the data room {name!r} is neither in the installed package nor in a checkout at {root}"
        )
    return found
