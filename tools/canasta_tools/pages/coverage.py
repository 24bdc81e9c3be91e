"""The page that shows for every sentence of the seed texts which clause or ruling answers for it."""

from collections.abc import Sequence

from canasta.register import Coverage, Register, SeedRow, Sentence, coverage
from canasta_tools.rulebook.markdown import code, link, plain, render, table, target
from canasta_tools.rulebook.material import Material


def coverage_of(register: Register, books: Sequence[Material]) -> Coverage:
    """Say how far the clauses of these rule sets and the rulings cover the seed texts."""
    claims: dict[str, list[str]] = {}
    for book in books:
        for entry in book.clauses:
            name = f"{book.loaded.base}/{entry.clause.id}"
            claims[name] = [s.at for s in entry.clause.sources]
    return coverage(claims, register)


def coverage_page(register: Register, books: Sequence[Material]) -> str:
    """Write the table of the seed texts, and each sentence with what answers for it."""
    found = coverage_of(register, books)
    seeds = list(dict.fromkeys(s.seed for s in register.sentences))
    return render(
        "coverage.md.j2",
        totals=table(["seed", "sentences", "claimed", "no rule", "open"], [_row(r) for r in found.table]),
        found=found,
        seeds=[(seed, _sentences(seed, register, found)) for seed in seeds],
    )


def _row(row: SeedRow) -> list[str]:
    return [code(row.seed), str(row.sentences), str(row.claimed), str(row.not_rules), str(row.open)]


def _sentences(seed: str, register: Register, found: Coverage) -> str:
    own = [s for s in register.sentences if s.seed == seed]
    return "\n\n".join(
        f"{target(f'seed/{s.id}')}\n\n{code(s.id)} {plain(s.gist)}: {_answer(s, register, found)}" for s in own
    )


def _answer(sentence: Sentence, register: Register, found: Coverage) -> str:
    if sentence.no_rule:
        return f"no rule ({plain(sentence.no_rule)})"
    who = found.claimed.get(sentence.id, ())
    if not who:
        return "**open**"
    return ", ".join(
        link(code(name), f"ruling/{name}" if name in register.rulings else name) for name in dict.fromkeys(who)
    )
