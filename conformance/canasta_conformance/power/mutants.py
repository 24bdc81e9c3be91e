"""Every mutant of a rule set, in reading order, each once."""

from collections.abc import Sequence

from canasta.language.loading import Loaded
from canasta_conformance.power.borrowing import borrowed
from canasta_conformance.power.clauses import of_clauses
from canasta_conformance.power.declared import of_declarations
from canasta_conformance.power.making import Mutant, Source


def mutants(source: Source, relatives: Sequence[Loaded] = ()) -> list[Mutant]:
    """List the mutants of what a rule set says; ``relatives`` are those from which a clause may be borrowed."""
    found: dict[tuple[str, str], Mutant] = {}
    for mutant in (*of_clauses(source), *of_declarations(source), *borrowed(source, relatives)):
        found.setdefault((mutant.place, mutant.fault.after), mutant)
    return list(found.values())
