"""Two rule sets, or the two sides of one, beside each other: as pages and as Markdown."""

from canasta_tools.rulebook.changed import compared
from canasta_tools.rulebook.markdown import Place, render
from canasta_tools.rulebook.page import Artist, Look, page
from canasta_tools.rulebook.playerpage import words
from canasta_tools.rulebook.review import review


def differences_page(new: str, old: str, language: str = "en", look: Look = Look.SMALL) -> str:
    """Write how a rule set differs from another as one HTML page.

    Raises:
        CanastaError: as `compared` does.
    """
    found = compared(old, new, language)
    return page("book/differences.html.j2", Artist(found.new.teller.wording, look), found=found, **words(found.new))


def differences_text(new: str, old: str, language: str = "en") -> str:
    """Write how a rule set differs from another as Markdown.

    Raises:
        CanastaError: as `compared` does.
    """
    found = compared(old, new, language)
    return render("book/differences.book.md.j2", Place.FILE, found=found, **words(found.new))


def review_page(name: str, language: str = "en", since: str = "", look: Look = Look.SMALL) -> str:
    """Write the texts of a rule set beside its formal parts as one HTML page.

    Raises:
        CanastaError: as `review` does.
    """
    found = review(name, language, since)
    artist = Artist(found.book.teller.wording, look)
    return page("book/review.html.j2", artist, found=found, compared=since, **words(found.book))


def review_text(name: str, language: str = "en", since: str = "") -> str:
    """Write the texts of a rule set beside its formal parts as Markdown.

    Raises:
        CanastaError: as `review` does.
    """
    found = review(name, language, since)
    return render("book/review.md.j2", Place.FILE, found=found, compared=since, **words(found.book))
