"""A page as PDF: laid out by WeasyPrint, from the same HTML that a browser shows."""

import logging

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_tools.translations.extras import needed


def pdf(page: str) -> bytes:
    """Lay a page out for print.

    Raises:
        CanastaError: TR0004 when WeasyPrint, or Pango, which it draws text with, is not installed.
    """
    try:
        weasyprint = needed("weasyprint", "TR0004", "pdf", "a book as PDF")
    except OSError as error:
        message = f"WeasyPrint finds no Pango: {str(error).splitlines()[0]}"
        hint = "install Pango, on Debian and Ubuntu with `apt-get install libpango-1.0-0 libpangoft2-1.0-0`"
        raise CanastaError([Diagnostic("TR0004", message, hint=hint)]) from None
    # What it cannot do, such as to fold a part away, it says on every page; nothing of that is a fault of the book.
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    made: bytes = weasyprint.HTML(string=page).write_pdf()
    return made
