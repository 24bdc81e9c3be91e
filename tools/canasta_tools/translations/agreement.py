"""What must hold between an English text and its translation: the same figures, the same places, the same notation.

A translation is free in its words and their order. It is not free to say another number, to lose a figure that a rule set puts
in, or to change what stands as code: cards, turns, names of clauses.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from canasta.diagnostics import Diagnostic, Span
from canasta.prose import BRACES, Placeholder, placeholder
from canasta.wording import Wording
from canasta_tools.translations.catalogues import Catalogue, Entry
from canasta_tools.translations.languages import language
from canasta_tools.translations.messages import SENTENCES, Message

_CODE: Final = re.compile(r"`[^`]*`")
_TARGET: Final = re.compile(r"\]\(([^)]*)\)")
_NUMBER: Final = re.compile(r"\d+(?:[,\u00a0\u202f ](?=\d{3}(?!\d))\d{3})*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_ENDS: Final = ".?!:"


def disagreements(catalogue: Catalogue, messages: Iterable[Message], wording: Wording) -> Iterator[Diagnostic]:
    """Go through everything that is wrong with a catalogue, in the order of its entries."""
    wanted = {message.key: message for message in messages}
    entries = {entry.key: entry for entry in catalogue.entries}
    update = "run `canasta translations`, which brings the catalogues up to date"
    for entry in catalogue.entries:
        if entry.key not in wanted:
            yield _at(catalogue, entry, "TR0012", f"no rule file says this at {entry.context!r} (any more)", update)
        elif entry.fuzzy:
            hint = "read both again, correct the translation, and take the mark `fuzzy` away"
            yield _at(catalogue, entry, "TR0011", f"the English text has changed at {entry.context!r}", hint)
        elif entry.translation:
            yield from (_at(catalogue, entry, *told) for told in _compared(catalogue, entry, wording))
        elif not catalogue.unfinished:
            yield _at(catalogue, entry, "TR0010", f"nothing is written for {entry.context!r}", "translate it")
    for key, message in wanted.items():
        if key not in entries:
            span = Span(catalogue.path, 1, 1, 1, 1)
            yield Diagnostic("TR0013", f"the catalogue has no entry for {message.context!r}", span, update)
    if catalogue.unfinished and catalogue.entries and not catalogue.gaps:
        yield Diagnostic("TR0018", "the catalogue is complete", Span(catalogue.path, 2, 1, 2, 1), update)


def _at(catalogue: Catalogue, entry: Entry, id_: str, message: str, hint: str) -> Diagnostic:
    line = max(entry.line, 1)
    return Diagnostic(id_, message, Span(catalogue.path, line, 1, line, 1), hint)


def _compared(catalogue: Catalogue, entry: Entry, wording: Wording) -> Iterator[tuple[str, str, str]]:
    if catalogue.domain == SENTENCES:
        yield from _slots(entry)
    else:
        yield from _places(entry, wording)
    yield from _same("TR0016", "code", _CODE.findall, entry)
    yield from _same("TR0016", "links", _TARGET.findall, entry)
    yield from _same("TR0015", "figures", _numbers, entry)
    yield from _written(entry, catalogue.language)


def _slots(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Compare the slots of a phrase; a translation may say one of them twice."""
    source, told = (set(re.findall(r"\{(\w*)\}", text)) for text in (entry.text, entry.translation))
    if source != told or BRACES.sub("", entry.translation).strip("{}") != BRACES.sub("", entry.translation):
        yield "TR0014", f"the places in braces differ: {_listed(source)} here, {_listed(told)} there", _PUT_ALL


def _places(entry: Entry, wording: Wording) -> Iterator[tuple[str, str, str]]:
    source, told = (list(_read(text)) for text in (entry.text, entry.translation))
    for inner, place in told:
        shown = f"{{{inner}}}"
        if place is None:
            yield "TR0014", f"{shown} cannot be read", "write {name}, or {name: form | form | form}"
        elif place.noun:
            hint = f"write {{{place.name}: …}} with the forms for {', '.join(wording.forms)}, parted by |"
            yield "TR0014", f"{shown} names an English noun", hint
        elif place.forms and (len(place.forms) != len(wording.forms) or not all(place.forms)):
            message = f"{shown} has not one form for each kind of number"
            yield "RS7007", message, f"write the forms for {', '.join(wording.forms)}, parted by |"
    here = Counter(place.name for _, place in source if place is not None and not place.bare)
    there = Counter(place.name for _, place in told if place is not None and not place.bare)
    bare = {place.name for _, place in told if place is not None and place.bare}
    if here != there or not bare <= set(here):
        yield "TR0014", f"the places in braces differ: {_listed(here)} here, {_listed(there)} there", _PUT_ALL


_PUT_ALL: Final = "every place in braces of the English text stands in the translation, as often, and no other"


def _read(text: str) -> Iterator[tuple[str, Placeholder | None]]:
    for found in BRACES.finditer(text):
        yield found[1] or "", placeholder(found[1] or "")


def _same(id_: str, what: str, find: Callable[[str], list[str]], entry: Entry) -> Iterator[tuple[str, str, str]]:
    here, there = Counter(find(entry.text)), Counter(find(entry.translation))
    if here != there:
        hint = f"what the English text has and the translation has not: {_listed((here - there).elements())}"
        yield id_, f"the {what} differ: {_listed(here.elements())} here, {_listed(there.elements())} there", hint


def _written(entry: Entry, tag: str) -> Iterator[tuple[str, str, str]]:
    """Find slips of writing that the eye overlooks."""
    plain = _CODE.sub(" ", BRACES.sub(" ", entry.translation))
    mixed = [word for word in _WORD.findall(plain) if _CYRILLIC.search(word) and _LATIN.search(word)]
    if mixed:
        message = f"letters of two alphabets stand in one word: {_listed(mixed)}"
        yield "TR0017", message, "type the word again with one keyboard layout"
    if '"' in plain:
        yield "TR0017", "a quotation mark is that of a typewriter", f"write {' '.join(language(tag).quotes)}"
    ends, should = (text.rstrip()[-1:] in _ENDS for text in (entry.translation, entry.text))
    if ends is not should:
        message = "one text ends like a sentence, and the other does not"
        yield "TR0017", message, "end the translation as the English text ends"


def _numbers(text: str) -> list[str]:
    plain = _CODE.sub(" ", BRACES.sub(" ", text))
    return [re.sub(r"\D", "", number) for number in _NUMBER.findall(plain)]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
