"""Bringing the catalogues up to date with what the files of rules say, and asking whether they can be relied on."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from canasta.diagnostics import Diagnostic
from canasta.games import load_ruleset
from canasta.language.naming import known
from canasta.prose import ProseError, fill_text
from canasta_tools.translations.agreement import disagreements
from canasta_tools.translations.catalogues import (
    Catalogue,
    brought_up_to_date,
    catalogues,
    read_catalogue,
    write_catalogue,
)
from canasta_tools.translations.languages import languages, unfilled
from canasta_tools.translations.messages import Message, domain_of, domains

FOLDER: Final = "tools/canasta_tools/rulebook/locale"
"""The folder of all catalogues, from the root of a checkout."""


@dataclass(frozen=True, slots=True)
class State:
    """How far one catalogue has come."""

    language: str
    domain: str
    entries: int
    done: int
    faults: int


def updated(tags: frozenset[str] = frozenset(), parts: frozenset[str] = frozenset()) -> dict[str, str]:
    """Make the catalogues anew that are not up to date: their texts by their paths, from the root of the checkout.

    A file that already says what it should is left as its translator's program wrote it.

    Raises:
        CanastaError: TR0001 without Babel, TR0003 when a catalogue cannot be read; with every fault of the rule files.
    """
    wanted, made = domains(), {}
    for tag in tags or languages():
        there = {catalogue.domain: catalogue for catalogue in catalogues(tag)}
        for domain, messages in wanted.items():
            if parts and domain not in parts:
                continue
            old = there.get(domain, Catalogue(tag, domain))
            new = brought_up_to_date(old, messages)
            if domain not in there or new != old:
                made[new.path] = write_catalogue(new, messages, _shown())
    return made


def superfluous() -> Iterator[str]:
    """Go through the catalogues that belong to nothing any more."""
    wanted = domains()
    for tag in languages():
        yield from (catalogue.path for catalogue in catalogues(tag) if catalogue.domain not in wanted)


def faults(
    changed: dict[str, str], tags: frozenset[str] = frozenset(), parts: frozenset[str] = frozenset()
) -> tuple[tuple[State, ...], tuple[Diagnostic, ...]]:
    """Check the catalogues, those of ``changed`` as they are there: how far each has come, and what is wrong."""
    wanted = domains()
    states, found = [], []
    for tag in tags or languages():
        words = unfilled(tag)
        there = {catalogue.domain: catalogue for catalogue in catalogues(tag)}
        for domain, messages in wanted.items():
            if parts and domain not in parts:
                continue
            catalogue = there.get(domain, Catalogue(tag, domain))
            if catalogue.path in changed:
                catalogue = read_catalogue(tag, domain, changed[catalogue.path])
            wrong = list(disagreements(catalogue, messages, words))
            found += wrong
            done = sum(entry.holds for entry in catalogue.entries)
            states.append(State(tag, domain, len(messages), done, len(wrong)))
    return tuple(states), tuple(found)


@cache
def _shown() -> dict[tuple[str, str], str]:
    """Give the texts with figures as the books of their rule sets print them in English."""
    names = {domain_of(name): name for name in known()}
    found: dict[tuple[str, str], str] = {}
    for domain, messages in domains().items():
        if domain in names:
            found |= {m.key: text for m in messages if "{" in m.text and (text := _filled(names[domain], m))}
    return found


def _filled(name: str, message: Message) -> str:
    try:
        return fill_text(load_ruleset(name), message.text)
    except ProseError:
        return ""  # the text of a rule set that another one fills; the check of rule files tells its faults
