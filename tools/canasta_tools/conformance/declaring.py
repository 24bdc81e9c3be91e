"""What is wrong with the rules that an engine declares, as diagnostics."""

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.declared import DeclarationError


def declared_wrongly(error: DeclarationError) -> CanastaError:
    """Make a diagnostic of everything that is wrong with a declaration; what has no hint has that of the register."""
    return CanastaError([Diagnostic("CF0005", told, hint=hint) for told, hint in error.faults])
