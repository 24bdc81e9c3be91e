"""The languages of the books: how each writes its figures, and how many forms its counted nouns have."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.source import Mapping, Scalar, read_file
from canasta.prose import english
from canasta.wording import Wording
from canasta_tools.translations.extras import babel

LOCALE: Final = files("canasta_tools") / "rulebook" / "locale"
"""Where the catalogues lie: a folder for each language."""

ENGLISH: Final = "en"
_CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
_ENOUGH: Final = 200
"""Among so many numbers every kind that whole numbers have comes up."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language as ``locale/languages.yaml`` describes it."""

    tag: str
    name: str
    english: str
    thousands: str
    parted_from: int
    tie: str
    quotes: str


@cache
def languages() -> dict[str, Language]:
    """Read which languages the books are translated into, by their tags.

    Raises:
        RuleFileError: RS00xx when the file is not strict YAML.
    """
    page = read_file(LOCALE / "languages.yaml", "tools/canasta_tools/rulebook/locale/languages.yaml")
    found = {}
    for tag, node in page.items.items():
        told = {k: v.text for k, v in node.items.items() if isinstance(v, Scalar)} if isinstance(node, Mapping) else {}
        found[tag] = Language(
            tag, told["name"], told["english"], told["thousands"], int(told["parted_from"]), told["tie"], told["quotes"]
        )
    return found


def language(tag: str) -> Language:
    """Find a language by its tag.

    Raises:
        CanastaError: TR0002 when the books are not translated into it.
    """
    known = languages()
    if tag not in known:
        hint = f"the books are in {', '.join((ENGLISH, *known))}"
        raise CanastaError([Diagnostic("TR0002", f"there is no translation into {tag!r}", hint=hint)])
    return known[tag]


def unfilled(tag: str) -> Wording:
    """Give a language with its figures and plurals, without any text.

    Raises:
        CanastaError: TR0001 without Babel, TR0002 when there is no such language.
    """
    if tag == ENGLISH:
        return english()
    chosen = language(tag)
    rule = babel().Locale.parse(tag).plural_form
    forms = tuple(c for c in _CATEGORIES if c in {rule(number) for number in range(_ENOUGH)})

    def form(number: int) -> int:
        return forms.index(rule(abs(number)))

    return Wording(tag, forms, form, chosen.thousands, chosen.parted_from, chosen.tie)
