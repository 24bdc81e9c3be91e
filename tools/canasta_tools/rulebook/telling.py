"""The voice of a book: the texts of a rule set and the book's own words, in one language.

A text that nobody has translated yet is told in English and known as such, so that a page can mark it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Self

from canasta.language.ruleset import Clause, Ruleset
from canasta.mechanical import name_in_words
from canasta.prose import STEPS, english, fill_message, fill_values
from canasta.wording import Wording
from canasta_tools.translations.catalogues import wording
from canasta_tools.translations.languages import ENGLISH
from canasta_tools.translations.strings import context


class Said(str):
    """A text that knows its language; ``foreign`` if that is not the language of the book."""

    __slots__ = ("foreign", "language")

    language: str
    foreign: bool

    def __new__(cls, text: str, language: str = ENGLISH, *, foreign: bool = False) -> Self:
        """Note the language of a text."""
        made = super().__new__(cls, text)
        made.language, made.foreign = language, foreign
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the language where a text goes from one process to another."""
        return _again, (str(self), self.language, self.foreign)


def _again(text: str, language: str, foreign: bool) -> Said:  # noqa: FBT001 - as it was pickled
    return Said(text, language, foreign=foreign)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what a book says."""

    wording: Wording

    @property
    def language(self) -> str:
        """The language of the book."""
        return self.wording.language

    def say(self, text: str, **values: int | str) -> Said:
        """Tell words of the book itself, with values put in."""
        return self._own(context(), text, values)

    def say_in(self, place: str, text: str, **values: int | str) -> Said:
        """Tell words of the book that another language says differently in different places."""
        return self._own(context(place), text, values)

    def _own(self, place: str, text: str, values: dict[str, int | str]) -> Said:
        flat = " ".join(text.split())
        told = self.wording if self.wording.knows(place, flat) else english()
        return self._said(fill_values(told.said(place, flat), values, told), told)

    def told(self, rules: Ruleset, place: str, text: str, clause: Clause | None = None) -> Said:
        """Tell a text of a rule set, its figures put in."""
        known = self.wording.knows(place, " ".join(text.split()))
        words = self.wording if known else english()
        return self._said(fill_message(rules, place, text, words, clause) if text else "", words)

    def as_it_is(self, place: str, text: str) -> Said:
        """Tell a text that has no figures to put in, such as that of a ruling."""
        flat = " ".join(text.split())
        words = self.wording if self.wording.knows(place, flat) else english()
        return self._said(words.said(place, flat), words)

    def name(self, name: str) -> str:
        """Tell a declared name in words."""
        return name_in_words(name, self.wording)

    def listed(self, words: Iterable[str]) -> str:
        """Tell several things one after the other."""
        found = list(words)
        if len(found) <= 1:
            return "".join(found)
        joined = self.wording.said(STEPS, "{all} and {last}")
        return joined.format(all=", ".join(found[:-1]), last=found[-1])

    def _said(self, text: str, words: Wording) -> Said:
        return Said(text, words.language, foreign=words.language != self.language and bool(text))


@cache
def teller(tag: str = ENGLISH, line: tuple[str, ...] = ()) -> Teller:
    """Give the voice of a language; the catalogues of a ``line``, the nearest first, have the say before others.

    Raises:
        CanastaError: TR0001 without Babel, TR0002 when there is no such language, TR0003 when a catalogue cannot be read.
    """
    return Teller(wording(tag, line))
