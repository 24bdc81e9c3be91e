"""Two pages made from the rulings: "may I …?" to look a question up, and the contradictions side by side."""

from collections.abc import Sequence

from canasta.language.ruleset import Example
from canasta.register import Basis, Grade, Reading, Register, Ruling, Source
from canasta_tools.rulebook.lawbook import cited
from canasta_tools.rulebook.markdown import code, link, plain, prose, render, table
from canasta_tools.rulebook.material import Material, expectation

BASIS = {
    Basis.SOURCE: "a source says so",
    Basis.INFERENCE: "concluded from the sources",
    Basis.PROJECT: "decided by this project",
}
"""What a decision rests on, as the page says it."""


def rulings_page(register: Register, books: Sequence[Material]) -> str:
    """Write every ruling: the question, who reads it how, the decision and how to choose otherwise."""
    return render(
        "rulings.md.j2",
        rulings=register.rulings.values(),
        basis=BASIS,
        by=lambda reading: _by(reading, register),
        clauses=lambda ruling: _clauses(ruling, books),
        examples=lambda ruling: "; ".join(_shown(example) for example in ruling.examples),
    )


def _by(reading: Reading, register: Register) -> str:
    return ", ".join(cited(at, register) for at in reading.by)


def _clauses(ruling: Ruling, books: Sequence[Material]) -> str:
    found = [
        link(code(f"{book.loaded.base}/{entry.clause.id}"), f"{book.loaded.base}/{entry.clause.id}")
        for book in books
        for entry in book.clauses
        if entry.clause.ruling == ruling.slug
    ]
    return ", ".join(found)


def _shown(example: Example) -> str:
    done = code(example.do or example.ask) if example.do or example.ask else "the score"
    return f"{done} in {code(example.given)} ({', '.join(code(line) for line in expectation(example.expect))})"


def contradictions_page(register: Register) -> str:
    """Write the points on which the sources part ways, one reading beside the other."""
    rows = [
        [
            link(plain(ruling.label), f"ruling/{ruling.slug}"),
            prose(ruling.question),
            "<br>".join(_side(reading, register) for reading in ruling.readings),
            prose(ruling.decision),
        ]
        for ruling in register.rulings.values()
        if len(ruling.readings) > 1
    ]
    return render(
        "contradictions.md.j2",
        table_text=table(["ruling", "question", "readings", "here"], rows),
        figure=len(rows),
        sole=[r for r in register.rulings.values() if r.sole],
    )


def _side(reading: Reading, register: Register) -> str:
    return f"{prose(reading.says)}: {_by(reading, register)}"


def sources_page(register: Register) -> str:
    """Write the list of sources with how well each is known."""
    return render("sources.md.j2", sources=register.sources.values(), grade=_grade)


def _grade(source: Source) -> str:
    match source.grade:
        case Grade.READ:
            return "read"
        case Grade.REPORTED:
            others = ", ".join(link(code(by), f"source/{by}") for by in source.reported_by)
            return f"not read; as reported by {others}"
        case _:
            return "known in fragments only; the wording is not to be trusted"
