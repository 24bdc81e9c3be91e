"""What the project says about bad input: one frozen value with a permanent id, a place and a hint.

Ids are never changed and never reused. Their first two letters name the field:
``RS`` rule files, ``CN`` notation and position text, ``PL`` play, ``US`` usage of the command, ``TR`` books and translations.
Every id is registered in :mod:`canasta.diagnostic_ids` and has a page and a fixture.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How bad a finding is: an error stops the use of the input, a warning does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A place in a text: file name, then line and column from 1, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """Give the place as editors expect it, ``file:line:column``."""
        return f"{self.file}:{self.line}:{self.column}"


class Label(NamedTuple):
    """A second place that helps to understand a finding, with a few words on why."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about an input: what is wrong, where, and what to do about it."""

    id: str
    message: str
    span: Span | None = None
    hint: str = ""
    labels: tuple[Label, ...] = ()
    severity: Severity = Severity.ERROR
    clause: str = ""
    code: str = ""


class DiagnosedError(Exception):
    """The base of all errors the project raises on bad input; it carries every finding."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Carry the findings, in the order they were made."""
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.id} {d.message}" for d in self.diagnostics))

    def __reduce__(self) -> tuple[type["DiagnosedError"], tuple[tuple[Diagnostic, ...]]]:
        """Keep the findings where an error goes from one process to another."""
        return type(self), (self.diagnostics,)


CanastaError = DiagnosedError
"""The name by which everything but the kernel, which knows no game, raises and catches it."""


class Findings:
    """A notebook in which a stage of reading collects all its findings instead of stopping at the first."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        """Open the notebook with nothing in it."""
        self.found: list[Diagnostic] = []

    def add(self, diagnostic: Diagnostic) -> None:
        """Write one finding down."""
        self.found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Write several findings down."""
        self.found.extend(diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        """Go through the findings in the order they were made."""
        return iter(self.found)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that stop the use of the input."""
        return tuple(d for d in self.found if d.severity is Severity.ERROR)

    def raise_errors(self, error: type[CanastaError] = CanastaError) -> None:
        """Raise all findings together when at least one of them is an error."""
        if self.errors:
            raise error(self.found)
