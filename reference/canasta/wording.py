"""How the texts of rules are said in one language: which words stand for an English text, and how things are counted.

The rule files are English. A translation is found by the English text itself and by the place it stands at, so that a
text that has changed no longer finds the old translation, and is said in English until somebody has read it again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

_NOTHING: Final[Mapping[tuple[str, str], str]] = MappingProxyType({})


def context_of(where: str, what: str) -> str:
    """Name the place of a text: what it belongs to, such as the id of a clause, and which of its texts it is."""
    return f"{where}: {what}"


@dataclass(frozen=True, slots=True)
class Wording:
    """A language: its texts, how its figures look, and which form of a noun goes with a number.

    ``tie`` stands between a number and its noun, ``thousands`` parts the thousands of a number that has at least
    ``parted_from``, and ``form`` gives, for a number, which of the ``forms`` of a noun it asks for, from 0.
    """

    language: str
    forms: tuple[str, ...]
    form: Callable[[int], int]
    thousands: str
    parted_from: int
    tie: str = " "
    texts: Mapping[tuple[str, str], str] = field(default_factory=lambda: _NOTHING, repr=False)

    def knows(self, context: str, text: str) -> bool:
        """Ask whether an English text is translated where it stands."""
        return (context, text) in self.texts

    def said(self, context: str, text: str) -> str:
        """Give a text that stands somewhere in this language, or in English if nobody has translated it."""
        return self.texts.get((context, text), text)

    def figures(self, number: int) -> str:
        """Write a number in figures, its thousands parted and with a true minus."""
        size = abs(number)
        text = f"{size:,}".replace(",", self.thousands) if size >= self.parted_from else str(size)
        return f"\N{MINUS SIGN}{text}" if number < 0 else text
