"""The page that shows for every sentence of the seed texts which clause or ruling answers for it."""

from collections import Counter
from collections.abc import Sequence

from canasta.register import Coverage, Register, SeedRow, Sentence, coverage
from canasta_tools.rulebook.markdown import code, link, prose, render, table, target
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
        waiting=[_waits(row, register, {b.loaded.base for b in books}) for row in found.table if row.open],
        seeds=[(seed, _sentences(seed, register, found)) for seed in seeds],
    )


def _waits(row: SeedRow, register: Register, written: set[str]) -> str:
    """Say which rule set will answer for the open sentences of a text: the one that the rulings about the text are made for."""
    about = [r for r in register.rulings.values() if any(c.startswith(f"{row.seed}.") for c in r.claims)]
    games = Counter(game for r in about for game in r.applies if game not in written)
    if not games:
        return f"Nothing says yet what will answer for the open sentences of {code(row.seed)}."
    (game, times) = games.most_common(1)[0]
    made = "1 ruling about that text is" if times == 1 else f"{times} rulings about that text are"
    return f"The open sentences of {code(row.seed)} wait for the rule set {code(game)}, which is not written yet; {made} made for it."


def _row(row: SeedRow) -> list[str]:
    return [code(row.seed), str(row.sentences), str(row.claimed), str(row.not_rules), str(row.open)]


def _sentences(seed: str, register: Register, found: Coverage) -> str:
    own = [s for s in register.sentences if s.seed == seed]
    return "\n\n".join(
        f"{target(f'seed/{s.id}')}\n\n{code(s.id)} {prose(s.gist)}: {_answer(s, register, found)}" for s in own
    )


def _answer(sentence: Sentence, register: Register, found: Coverage) -> str:
    if sentence.no_rule:
        return f"no rule ({prose(sentence.no_rule)})"
    who = found.claimed.get(sentence.id, ())
    if not who:
        return "**open**"
    return ", ".join(
        link(code(name), f"ruling/{name}" if name in register.rulings else name) for name in dict.fromkeys(who)
    )
