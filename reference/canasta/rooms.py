"""Where the rooms of the project lie: beside each other in a checkout, or inside the installed package."""

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_HERE: Final = os.path.dirname(__file__)  # noqa: PTH120 - pathlib takes longer to load than a deal to check


def room(name: str) -> "Traversable":
    """Find a data room such as ``spec`` or ``grammar``; this module alone knows both layouts.

    Raises:
        FileNotFoundError: when neither the installed package nor a checkout has that room.
    """
    root: Traversable
    if os.path.isdir(_HERE):  # noqa: PTH112 - pathlib takes longer to load than a deal to check
        from pathlib import Path  # noqa: PLC0415 - pathlib takes longer to load than a deal to check

        root = Path(_root())
    else:
        from importlib.resources import files  # noqa: PLC0415 - 20 ms, and only a package in an archive needs it

        root = files("canasta") / "rooms"
    found = root / name
    if not found.is_dir():
        raise FileNotFoundError(
            f"the data room {name!r} is neither in the installed package nor in a checkout at {root}"
        )
    return found


def read_from(name: str, *path: str) -> bytes:
    """Read a file of a room, the quick way for what every start reads.

    Raises:
        FileNotFoundError: when there is no such file.
    """
    if not os.path.isdir(_HERE):  # noqa: PTH112 - pathlib takes longer to load than a deal to check
        return room(name).joinpath(*path).read_bytes()
    with open(os.path.join(_root(), name, *path), "rb") as file:  # noqa: PTH118, PTH123 - pathlib takes longer to load than a deal to check
        return file.read()


def names_in(name: str, *path: str) -> list[str]:
    """List what lies in a folder of a room, in alphabetical order, the quick way.

    Raises:
        FileNotFoundError: when there is no such folder.
    """
    if not os.path.isdir(_HERE):  # noqa: PTH112 - pathlib takes longer to load than a deal to check
        return sorted(entry.name for entry in room(name).joinpath(*path).iterdir())
    return sorted(os.listdir(os.path.join(_root(), name, *path)))  # noqa: PTH118, PTH208 - pathlib takes longer to load than a deal to check


def _root() -> str:
    inside = os.path.join(_HERE, "rooms")  # noqa: PTH118 - pathlib takes longer to load than a deal to check
    return inside if os.path.isdir(inside) else os.path.dirname(os.path.dirname(_HERE))  # noqa: PTH112, PTH120 - pathlib takes longer to load than a deal to check
