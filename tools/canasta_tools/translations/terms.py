"""The words of the game, each with the clause that says what it means."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from canasta.language.source import Mapping, Scalar, Sequence, read_file
from canasta.rooms import room
from canasta.wording import context_of

FILE: Final = "spec/terms.yaml"


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game, and the clause that explains it, as RULESET/CLAUSE."""

    word: str
    at: str

    @property
    def context(self) -> str:
        """The place at which it is translated."""
        return context_of("term", self.word)


@cache
def terms() -> tuple[Term, ...]:
    """Read the list of terms.

    Raises:
        RuleFileError: RS00xx when the file is not strict YAML.
    """
    page = read_file(room("spec") / "terms.yaml", FILE)
    listed = page.items.get("terms")
    nodes = [n for n in listed.items if isinstance(n, Mapping)] if isinstance(listed, Sequence) else []
    told = [{k: v.text for k, v in node.items.items() if isinstance(v, Scalar)} for node in nodes]
    return tuple(Term(words["term"], words["at"]) for words in told)
