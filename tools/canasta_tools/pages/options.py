"""The page with every option of every rule set in every profile, and the figures that a variant may set."""

from collections.abc import Sequence

from canasta.prose import figures, step_words
from canasta_tools.rulebook.lawbook import options_table
from canasta_tools.rulebook.markdown import code, plain, prose, render, table
from canasta_tools.rulebook.material import Material


def options_page(books: Sequence[Material]) -> str:
    """Write the options, parameters and step tables of these rule sets."""
    return render(
        "options.md.j2",
        books=[(book, options_table(book) if book.ruleset.options else "", _figures(book)) for book in books],
    )


def _figures(book: Material) -> str:
    rules = book.ruleset
    texts = book.texts("parameters")
    rows = [[code(name), figures(value), prose(texts.get(name, ""))] for name, value in rules.parameters.items()]
    rows += [[code(s.name), plain(step_words(s)), prose(s.text)] for s in rules.steps.values()]
    return table(["name", "value", "what it is"], rows)
