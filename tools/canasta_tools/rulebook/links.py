"""Names as code on a page, linked to where they are told if they are."""

from collections.abc import Container

from markupsafe import Markup


def code_link(name: str, clauses: Container[str], codes: Container[str] = ()) -> Markup:
    """Write a name as code: linked where it is a clause that the page has, or a code that it lists."""
    shown = Markup("<code>{}</code>").format(name)
    if name in clauses:
        return Markup('<a href="#{}">{}</a>').format(name, shown)
    if name in codes:
        return Markup('<a href="#code-{}">{}</a>').format(name, shown)
    return shown
