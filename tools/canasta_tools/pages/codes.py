"""Pages of identifiers: the violation codes of the rule sets, and the diagnostics of the tools."""

from collections.abc import Sequence

from canasta.diagnostic_ids import register as diagnostic_register
from canasta.language.ruleset import Structure
from canasta_tools.rulebook.markdown import code, link, plain, render, table
from canasta_tools.rulebook.material import ClauseEntry, Material

FIELDS = (
    ("RS", "Rule files, and the register behind them"),
    ("CN", "Notation and position text"),
    ("PL", "Play"),
    ("US", "Usage of the command"),
    ("CF", "Conformance runs"),
    ("TR", "Books and their translations"),
)
"""What the first two letters of an id stand for, in the order of the page."""


def codes_page(books: Sequence[Material]) -> str:
    """Write every violation code with the clauses that give it."""
    rows = []
    for book in books:
        found: dict[str, list[ClauseEntry]] = {}
        for entry in book.clauses:
            for one in entry.codes:
                found.setdefault(one, []).append(entry)
        rows.append(
            (book, table(["code", "clause", "what is wrong"], [_row(book, c, found[c]) for c in sorted(found)]))
        )
    return render("codes.md.j2", books=rows)


def _row(book: Material, name: str, entries: list[ClauseEntry]) -> list[str]:
    base = book.loaded.base
    clauses = "<br>".join(link(code(e.clause.id), f"{base}/{e.clause.id}") for e in entries)
    titles = "<br>".join(f"{plain(e.clause.title)}{_refused(e)}" for e in entries)
    return [link(code(name), f"code/{name}"), clauses, titles]


def _refused(entry: ClauseEntry) -> str:
    return f" (refused by the interpreter: {entry.clause.refuses})" if isinstance(entry.clause, Structure) else ""


def diagnostics_page() -> str:
    """Write every diagnostic with its explanation and hint."""
    pages = diagnostic_register().values()
    groups = [(title, [p for p in pages if p.id.startswith(letters)]) for letters, title in FIELDS]
    return render("diagnostics.md.j2", groups=[(title, found) for title, found in groups if found])
