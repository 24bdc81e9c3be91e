"""The law book: every clause of a rule set exactly once, in reading order, with all that can be cited about it."""

import re
from collections import Counter
from dataclasses import dataclass

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.ruleset import Clause, Option
from canasta.prose import option_word
from canasta.register import Register
from canasta.wording import context_of
from canasta_tools.rulebook.citing import known
from canasta_tools.rulebook.declared import declarations
from canasta_tools.rulebook.markdown import Place, code, link, prose, render, table
from canasta_tools.rulebook.material import Material, Worked, material
from canasta_tools.rulebook.telling import Said, teller
from canasta_tools.rulebook.verdicts import Result


class BookError(CanastaError):
    """A book that would leave a clause out, or print it twice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One option as a book shows it: what it decides, the default, and what each profile takes."""

    option: Option
    asked: Said
    default: str
    taken: tuple[tuple[str, bool], ...]
    """For each profile its word, and whether that is another one than the default."""


def law_book(name: str, language: str = "en", place: Place = Place.SITE) -> str:
    """Write the law book of a rule set as Markdown, for the site or as a file by itself.

    Raises:
        BookError: RS7005 when a clause is missing or stands twice.
        CanastaError: with every fault of the rule set, of its texts or of the register.
    """
    book = material(name, language)
    text = render(
        "book/law.md.j2",
        place,
        book=book,
        base=book.loaded.base,
        say=book.teller.say,
        options=options_table(book, place),
        declared=declarations(book),
        example_table=lambda examples: _example_table(book, examples),
        ruling=book.register.rulings.get,
        label=lambda name: f"{book.loaded.base}/{name}",
        **ruling_words(book),
    )
    complete(book, anchors(text))
    return text


def ruling_words(book: Material) -> dict[str, object]:
    """Give the functions by which a template tells a ruling."""
    told = book.teller
    return {
        "question": lambda ruling: told.as_it_is(context_of(f"ruling {ruling.slug}", "question"), ruling.question),
        "decision": lambda ruling: told.as_it_is(context_of(f"ruling {ruling.slug}", "decision"), ruling.decision),
    }


def anchors(text: str) -> list[str]:
    """List the ids of the clauses that a law book in Markdown prints, in order."""
    return re.findall(r'^<a id="([^"]+)"></a>$', text, re.MULTILINE)


def complete(book: Material, printed: list[str]) -> None:
    """See that every clause was printed once.

    Raises:
        BookError: RS7005 for every clause that is missing or stands twice.
    """
    times = Counter(printed)
    wrong = [c for c in book.ruleset.clauses.values() if times[c.id] != 1]
    if wrong:
        raise BookError(_misprint(c, times[c.id]) for c in wrong)


def _misprint(clause: Clause, times: int) -> Diagnostic:
    message = f"the law book prints the clause {clause.id} {times} times"
    hint = "a clause belongs to one chapter that the rule set names in `chapters`"
    return Diagnostic("RS7005", message, clause.span, hint, clause=clause.id)


def choices(book: Material) -> list[Choice]:
    """List every option with what each profile takes."""
    rules, found = book.ruleset, []
    for option in rules.options.values():
        asked = book.teller.told(rules, context_of(f"options.{option.name}", "text"), option.text)
        values = [chosen.get(option.name, option.default) for chosen in rules.profiles.values()]
        taken = tuple((option_word(option, v), v != option.default) for v in values)
        found.append(Choice(option, asked, option_word(option, option.default), taken))
    return found


def options_table(book: Material, place: Place = Place.SITE) -> str:
    """Write the table of every option in every profile; what a profile chooses otherwise than the default is bold."""
    told, base = book.teller, book.loaded.base
    head = [told.say_in("table", "option"), told.say_in("table", "what it decides"), told.say_in("table", "default")]
    rows = []
    for choice in choices(book):
        asked = prose(choice.asked)
        if choice.option.ruling:
            asked += f" ({link(told.say_in('link', 'ruling'), f'ruling/{choice.option.ruling}', place)})"
        taken = [f"**{code(word)}**" if bold else code(word) for word, bold in choice.taken]
        rows.append([code(choice.option.name), asked, code(choice.default), *taken])
    return table([*head, *(code(f"{base}:{profile}") for profile in book.ruleset.profiles)], rows)


def cited(at: str, register: Register) -> str:
    """Write one citation in English: a sentence by its number, a source with how well it is known."""
    shown = link(at if "." in at else code(at), f"seed/{at}" if "." in at else f"source/{at}")
    grade = known(at, register, teller())
    return f"{shown} {prose(grade)}" if grade else shown


def _example_table(book: Material, examples: tuple[Worked, ...]) -> str:
    told = book.teller
    head = [told.say_in("table", "example"), told.say_in("table", "position"), told.say_in("table", "turn")]
    return table([*head, told.say_in("table", "verdict")], [_example_row(book, w) for w in examples])


def _example_row(book: Material, worked: Worked) -> list[str]:
    example, told = worked.example, book.teller
    name = code(example.id)
    if worked.text:
        name += f"<br>{prose(worked.text)}"
    if example.options:
        chosen = " ".join(f"`{option}={value}`" for option, value in example.options)
        name += f"<br>{prose(told.say('with {options}', options=chosen))}"
    asked = code(example.do)
    if example.ask:
        asked = prose(told.say("asked: {question}", question=f"`{example.ask}`"))
    verdict = [verdict_of(result) for result in worked.results]
    return [name, " ".join(code(part) for part in example.given.split(";")), asked, "<br>".join(verdict)]


def verdict_of(result: Result) -> str:
    """Write one finding of an example: its words, and what stands as code behind them."""
    words = result.words if result.good is None else f"**{result.words}**"
    return ": ".join(x for x in (words, " ".join(code(c) for c in result.code)) if x)
