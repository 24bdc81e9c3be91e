"""The law book: every clause of a rule set exactly once, in reading order, with all that can be cited about it."""

import re
from collections import Counter

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.ruleset import Clause, Custom, Source
from canasta.prose import option_word
from canasta.register import Grade, Register
from canasta_tools.rulebook.declared import declarations
from canasta_tools.rulebook.markdown import code, link, prose, render, table
from canasta_tools.rulebook.material import Material, Worked, material

SAYS = {"supports": "Supported by", "differs": "Differently", "silent": "Silent"}
"""How the citations of a clause are introduced, in this order."""


class BookError(CanastaError):
    """A book that would leave a clause out, or print it twice."""


def law_book(name: str) -> str:
    """Write the law book of a rule set as Markdown.

    Raises:
        BookError: RS7005 when a clause is missing or stands twice.
        CanastaError: with every fault of the rule set, of its texts or of the register.
    """
    book = material(name)
    text = render(
        "lawbook.md.j2",
        book=book,
        base=book.loaded.base,
        options=options_table(book),
        declared=declarations(book),
        citations=_Citer(book.register),
        example_table=_example_table,
        ruling=book.register.rulings.get,
        figure=len(book.clauses),
        label=_label,
        follows=_follows,
    )
    _complete(book, text)
    return text


def anchors(text: str) -> list[str]:
    """List the ids of the clauses that a law book prints, in order."""
    return re.findall(r'^<a id="([^"]+)"></a>$', text, re.MULTILINE)


def _complete(book: Material, text: str) -> None:
    printed = Counter(anchors(text))
    wrong = [c for c in book.ruleset.clauses.values() if printed[c.id] != 1]
    if wrong:
        raise BookError(_misprint(c, printed[c.id]) for c in wrong)


def _misprint(clause: Clause, times: int) -> Diagnostic:
    message = f"the law book prints the clause {clause.id} {times} times"
    hint = "a clause belongs to one chapter that the rule set names in `chapters`"
    return Diagnostic("RS7005", message, clause.span, hint, clause=clause.id)


def _label(book: Material, clause_id: str) -> str:
    return f"{book.loaded.base}/{clause_id}"


def _follows(book: Material, clause: Custom) -> str:
    """List what decides a clause that is not executed: clauses as links, declarations as code."""
    clauses = book.ruleset.clauses
    return ", ".join(
        link(code(name), _label(book, name)) if name in clauses else code(name) for name in clause.follows_from
    )


def options_table(book: Material) -> str:
    """Write the table of every option in every profile; what a profile chooses otherwise than the default is bold."""
    rules = book.ruleset
    head = ["option", "what it decides", "default", *(code(f"{book.loaded.base}:{p}") for p in rules.profiles)]
    rows = []
    for option in rules.options.values():
        asked = prose(option.text)
        if option.ruling:
            asked += f" ({link('ruling', f'ruling/{option.ruling}')})"
        cells = [code(option.name), asked, code(option_word(option, option.default))]
        for chosen in rules.profiles.values():
            value = code(option_word(option, chosen.get(option.name, option.default)))
            cells.append(f"**{value}**" if chosen.get(option.name, option.default) != option.default else value)
        rows.append(cells)
    return table(head, rows)


class _Citer:
    """Writes the citations of a clause: by what they say, each source with how well it is known."""

    def __init__(self, register: Register) -> None:
        self.register = register

    def __call__(self, clause: Clause) -> list[str]:
        lines = []
        for says, heading in SAYS.items():
            cited = [self._one(s) for s in clause.sources if s.says == says]
            if cited:
                lines.append(f"{heading}: {', '.join(cited)}.")
        return lines

    def _one(self, source: Source) -> str:
        return cited(source.at, self.register) + (f" ({prose(source.note)})" if source.note else "")


def cited(at: str, register: Register) -> str:
    """Write one citation: a sentence by its number, a source with how well it is known."""
    if "." in at:
        return link(at, f"seed/{at}")
    entry = register.sources.get(at)
    text = link(code(at), f"source/{at}")
    if entry is None or entry.grade is Grade.READ:
        return text
    if entry.grade is Grade.REPORTED:
        others = " and others" if len(entry.reported_by) > 1 else ""
        return f"{text} as reported by {code(entry.reported_by[0])}{others}"
    return f"{text} in fragments"


def _example_table(examples: tuple[Worked, ...]) -> str:
    return table(["example", "position", "turn", "verdict"], [_example_row(w) for w in examples])


def _example_row(worked: Worked) -> list[str]:
    example = worked.example
    name = code(example.id)
    if example.text:
        name += f"<br>{prose(example.text)}"
    if example.options:
        name += f"<br>with {' '.join(code(f'{option}={value}') for option, value in example.options)}"
    asked = code(example.do) if example.do else f"asked: {code(example.ask)}" if example.ask else ""
    verdict = "<br>".join(_verdict(line) for line in worked.expectation)
    return [name, " ".join(code(part) for part in example.given.split(";")), asked, verdict]


def _verdict(line: str) -> str:
    word, colon, rest = line.partition(": ")
    if colon:
        return f"**{word}**: {' '.join(code(c) for c in rest.split(', '))}"
    return f"**{line}**" if line == "legal" else code(line)
