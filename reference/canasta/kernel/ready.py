"""What is made ready when it is first asked for: most of a rule set is never needed to judge one deal."""

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Ready(dict[K, V]):
    """Values by their keys, each made once, when it is first looked up by ``[]``.

    Nothing else makes any: going through it, and ``get`` and ``in``, show what has been made so far.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        """Know how a value is made."""
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        """Make the value of a key."""
        value = self[key] = self._make(key)
        return value
