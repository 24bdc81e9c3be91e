"""How a clause cites its sources: what they say of it, and how well each is known."""

from dataclasses import dataclass

from canasta.language.ruleset import Clause, Source
from canasta.register import Grade, Register
from canasta.wording import context_of
from canasta_tools.rulebook.telling import Said, Teller


@dataclass(frozen=True, slots=True)
class Citation:
    """One source, or one sentence of a seed text, with what is noted about it.

    ``known`` says how well the source is known, where it was not read.
    """

    at: str
    known: Said
    note: Said

    @property
    def sentence(self) -> bool:
        """Whether it is one numbered sentence."""
        return "." in self.at


@dataclass(frozen=True, slots=True)
class Cited:
    """The citations that say the same about a clause."""

    heading: Said
    citations: tuple[Citation, ...]


def cited_by(clause: Clause, register: Register, told: Teller) -> tuple[Cited, ...]:
    """Sort the citations of a clause by what they say."""
    headings = {
        "supports": told.say("Supported by"),
        "differs": told.say("Differently"),
        "silent": told.say("Silent"),
    }
    found = []
    for says, heading in headings.items():
        these = tuple(_citation(clause, s, register, told) for s in clause.sources if s.says == says)
        if these:
            found.append(Cited(heading, these))
    return tuple(found)


def _citation(clause: Clause, source: Source, register: Register, told: Teller) -> Citation:
    note = told.as_it_is(context_of(clause.id, f"note on {source.at}"), source.note)
    return Citation(source.at, known(source.at, register, told), note)


def known(at: str, register: Register, told: Teller) -> Said:
    """Say how well a source is known; nothing of one that was read, or of a sentence."""
    entry = register.sources.get(at)
    if entry is None or entry.grade is Grade.READ:
        return Said("")
    if entry.grade is Grade.FRAGMENT:
        return told.say("in fragments")
    if len(entry.reported_by) > 1:
        return told.say("as reported by `{source}` and others", source=entry.reported_by[0])
    return told.say("as reported by `{source}`", source=entry.reported_by[0])
