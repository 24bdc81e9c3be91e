"""The glossary: the words of the game in all languages, each with the clause that says what it means."""

from canasta_tools.rulebook.markdown import code, link, plain, render, table
from canasta_tools.translations.catalogues import wording
from canasta_tools.translations.languages import languages
from canasta_tools.translations.terms import terms


def glossary_page() -> str:
    """Write the words of the game in all languages beside each other.

    Raises:
        CanastaError: TR0001 without Babel, TR0003 when a catalogue cannot be read.
    """
    tongues = {tag: wording(tag) for tag in languages()}
    head = ["English", *(language.english for language in languages().values()), "clause"]
    rows = []
    for term in sorted(terms(), key=lambda t: t.word.removeprefix("to ").removeprefix("the ").lower()):
        words = [w.said(term.context, term.word) if w.knows(term.context, term.word) else "" for w in tongues.values()]
        clause = term.at.rpartition("/")[2]
        rows.append([plain(term.word), *(plain(word) for word in words), link(code(clause), term.at)])
    return render("glossary.md.j2", rows=table(head, rows), figure=len(rows))
