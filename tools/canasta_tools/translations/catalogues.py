"""The catalogues of translations: gettext's .po files, one for each language and each part of the texts.

They are the source, written by people, and are read as they are; nothing compiled lies beside them. What the files of rules
say is compared with them: an entry is found by its place and its English text, so a text that has changed makes its entry
fuzzy, and no book prints it until somebody has looked at it.
"""

import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources.abc import Traversable
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.wording import Wording
from canasta_tools.translations.extras import babel
from canasta_tools.translations.languages import ENGLISH, LOCALE, language, unfilled
from canasta_tools.translations.messages import Message

MESSAGES: Final = "LC_MESSAGES"
UNFINISHED: Final = "Unfinished: entries may still be empty."
"""Stands at the head of a catalogue until its last gap is closed; from then on a gap is a fault."""

_BEFORE: Final = "|"
"""Begins a comment that holds the earlier English text."""

_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """One translated text: its place, the English, the translation, and whether somebody must look at it again."""

    context: str
    text: str
    translation: str = ""
    fuzzy: bool = False
    previous: str = ""
    """The English text that the translation was made from, where it is another one now."""
    notes: tuple[str, ...] = ()
    """What the translator wrote down."""
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What the entry is found by."""
        return self.context, self.text

    @property
    def holds(self) -> bool:
        """Whether a book may print it."""
        return bool(self.translation) and not self.fuzzy


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One .po file: its language, the part of the texts, its entries in order, and whether it may have gaps."""

    language: str
    domain: str
    entries: tuple[Entry, ...] = ()
    unfinished: bool = True

    @property
    def path(self) -> str:
        """The file, from the root of the checkout."""
        return f"tools/canasta_tools/rulebook/locale/{self.language}/{MESSAGES}/{self.domain}.po"

    @property
    def gaps(self) -> tuple[Entry, ...]:
        """The entries that no book may print."""
        return tuple(entry for entry in self.entries if not entry.holds)


def read_catalogue(tag: str, domain: str, text: str) -> Catalogue:
    """Read the text of a .po file.

    Raises:
        CanastaError: TR0001 without Babel, TR0003 when the file cannot be read.
    """
    path = Catalogue(tag, domain).path
    reader = babel("babel.messages.pofile")
    try:
        found = reader.read_po(io.BytesIO(text.encode("utf-8")), locale=tag, charset="utf-8", abort_invalid=True)
    except (reader.PoFileError, ValueError) as error:
        message = f"{path} is no catalogue of texts: {error}"
        hint = "mend the file, or edit it with a program for .po files"
        raise CanastaError([Diagnostic("TR0003", message, hint=hint)]) from None
    entries = []
    for m in found:
        if isinstance(m.id, str) and m.id:
            notes = [note for note in m.user_comments if not note.startswith(_BEFORE)]
            # Babel writes the earlier text of an entry, and reads it as a note.
            earlier = [note.removeprefix(_BEFORE).strip() for note in m.user_comments if note.startswith(_BEFORE)]
            before = reader.denormalize("\n".join(earlier).removeprefix("msgid ")) if earlier else ""
            entry = Entry(m.context or "", m.id, m.string or "", m.fuzzy, before, tuple(notes), m.lineno or 0)
            entries.append(entry)
    return Catalogue(tag, domain, tuple(entries), UNFINISHED in found.header_comment)


def write_catalogue(catalogue: Catalogue, messages: Iterable[Message], shown: dict[tuple[str, str], str]) -> str:
    """Write the text of a .po file, each entry with the file that its English stands in and with it as a book shows it."""
    files = {message.key: message.file for message in messages}
    made = babel("babel.messages.catalog").Catalog(locale=catalogue.language)
    for entry in catalogue.entries:
        as_printed = shown.get(entry.key, "")
        made.add(
            entry.text, entry.translation, [(files[entry.key], 0)] if entry.key in files else (),
            flags=("fuzzy",) if entry.fuzzy else (), context=entry.context, user_comments=entry.notes,
            auto_comments=(f"In a book: {as_printed}",) if as_printed else (),
            previous_id=entry.previous or (),
        )  # fmt: skip
    written = io.BytesIO()
    babel("babel.messages.pofile").write_po(
        written, made, width=_WIDTH, omit_header=True, include_lineno=False, include_previous=True
    )
    return _head(catalogue) + written.getvalue().decode("utf-8").rstrip() + "\n"


def _head(catalogue: Catalogue) -> str:
    chosen = language(catalogue.language)
    forms = babel("babel.messages.plurals").get_plural(catalogue.language)
    lines = [f"# {catalogue.domain} in {chosen.english}. How to translate: docs/how-to/translate.md"]
    lines += [f"# {UNFINISHED}"] * catalogue.unfinished
    lines += ['msgid ""', 'msgstr ""', rf'"Language: {catalogue.language}\n"']
    lines += [r'"MIME-Version: 1.0\n"', r'"Content-Type: text/plain; charset=utf-8\n"']
    lines += [r'"Content-Transfer-Encoding: 8bit\n"', rf'"Plural-Forms: {forms}\n"']
    return "\n".join(lines) + "\n\n"


def folder_of(tag: str) -> Traversable:
    """Find the folder of a language's catalogues."""
    return LOCALE / tag / MESSAGES


def catalogues(tag: str) -> tuple[Catalogue, ...]:
    """Read all catalogues of a language that there are, in the order of their names.

    Raises:
        CanastaError: TR0001 without Babel, TR0002 when there is no such language, TR0003 when a file cannot be read.
    """
    language(tag)
    folder = folder_of(tag)
    paths = [p for p in folder.iterdir() if p.name.endswith(".po")] if folder.is_dir() else []
    return tuple(
        read_catalogue(tag, path.name.removesuffix(".po"), path.read_text(encoding="utf-8"))
        for path in sorted(paths, key=lambda p: p.name)
    )


@cache
def wording(tag: str, line: tuple[str, ...] = ()) -> Wording:
    """Give a language with all its texts that may be printed.

    Two games may use one name for two things. ``line`` names catalogues, the nearest first, that have the say before others.

    Raises:
        CanastaError: TR0001 without Babel, TR0002 when there is no such language, TR0003 when a file cannot be read.
    """
    empty = unfilled(tag)
    if tag == ENGLISH:
        return empty
    near = {domain: place for place, domain in enumerate(reversed(line))}
    read = sorted(catalogues(tag), key=lambda catalogue: near.get(catalogue.domain, -1))
    texts = {e.key: e.translation for catalogue in read for e in catalogue.entries if e.holds}
    return replace(empty, texts=texts)


def brought_up_to_date(old: Catalogue, messages: Iterable[Message]) -> Catalogue:
    """Give a catalogue the entries that the texts ask for, keeping every translation that can be kept.

    A translation whose English text has changed stays and becomes fuzzy. One whose place has another name now, with the
    same English text, stays as it is. Entries of texts that are gone are dropped. What stands elsewhere still lends its
    words to nothing: the same English word may need another form there.
    """
    wanted = list(messages)
    still = {message.key for message in wanted}
    by_key = {entry.key: entry for entry in old.entries}
    alone = _once(entry.context for entry in old.entries) & _once(message.context for message in wanted)
    free = [entry for entry in old.entries if entry.translation and entry.key not in still]
    by_place = {entry.context: entry for entry in free if entry.context in alone}
    by_text = {entry.text: entry for entry in free}
    made = []
    for message in wanted:
        entry = by_key.get(message.key)
        if entry is None and message.context in by_place:
            before = by_place[message.context]
            entry = replace(before, text=message.text, fuzzy=True, previous=before.previous or before.text)
        elif entry is None and message.text in by_text:
            entry = replace(by_text[message.text], context=message.context)
        made.append(entry or Entry(message.context, message.text))
    new = replace(old, entries=tuple(made))
    return replace(new, unfinished=old.unfinished and bool(new.gaps))


def _once(places: Iterable[str]) -> set[str]:
    """Give the places at which a single text stands; the words of a book all stand at one."""
    return {place for place, times in Counter(places).items() if times == 1}
