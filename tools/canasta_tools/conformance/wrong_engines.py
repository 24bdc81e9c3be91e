"""`canasta conformance miniatures`: which wrong engines there are, and what the suite says of one."""

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.faults import AddressError
from canasta_conformance.miniatures.catalogue import miniature, miniatures
from canasta_conformance.miniatures.reports import stored
from canasta_tools.output import Code, write


def tell(name: str | None) -> int:
    """List all miniatures, or show one with its report."""
    if name is None:
        widest = max(map(len, miniatures()))
        for found in miniatures().values():
            write(f"{found.name:{widest}}  {found.fault}")
        return Code.CLEAN
    try:
        of = miniature(name)
    except AddressError as error:
        raise CanastaError([Diagnostic("CF0001", error.message, hint=error.hint)]) from None
    write(of.fault)
    write(f"Caught by {of.by}, as {of.status}. Of the cases that are asked, these are held against it:")
    for line in stored(of).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            write(f"  {line}")
    if of.rules:
        write("plays classic with these changes:")
        write("".join(f"  {line}\n" for line in of.rules.splitlines()))
    return Code.CLEAN
