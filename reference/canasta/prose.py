"""The texts of rules as people read them: the figures of the rule set put in, nouns in the right number.

A text holds no figure that a rule set can change. It says ``{hand_size card}``, and a rule set in which the parameter
``hand_size`` is 11 prints "eleven cards". A step table is printed in words as a whole. Plurals go through the standard
library's gettext, so that a translation has as many forms as its language needs.
"""

import gettext
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Span
from canasta.language.ruleset import Clause, Option, Ruleset, StepTable
from canasta.language.source import Mapping, Scalar, Sequence, read_file
from canasta.language.types import BOOL
from canasta.rooms import room

ENGLISH: Final = gettext.NullTranslations()
"""Translates nothing: the texts of the rule sets are English."""

_BRACES: Final = re.compile(r"\{([^{}]*)\}|[{}]")
_PLACEHOLDER: Final = re.compile(r"([a-z][a-z0-9_]*)(?:\s+([a-z]+(?:[ -][a-z]+)*))?")
_SENTENCE_ENDS: Final = (".", "!", "?", ":\n")
_THOUSAND: Final = 1000


class ProseError(CanastaError):
    """A text that cannot be filled, with everything that is wrong with it."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A counted noun: its forms for one and for other numbers, and whether its number is always in figures."""

    one: str
    other: str
    figures: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The counted nouns, the small numbers that are written as words, and what parts the thousands of a large one."""

    nouns: dict[str, Noun]
    numbers: tuple[str, ...]
    thousands: str


@cache
def vocabulary() -> Vocabulary:
    """Read ``spec/nouns.yaml``.

    Raises:
        RuleFileError: RS00xx when the file is not strict YAML.
    """
    page = read_file(room("spec") / "nouns.yaml", "spec/nouns.yaml")
    nouns: dict[str, Noun] = {}
    listed = page.items.get("nouns")
    for one, node in listed.items.items() if isinstance(listed, Mapping) else ():
        forms = {k: v.text for k, v in node.items.items() if isinstance(v, Scalar)} if isinstance(node, Mapping) else {}
        nouns[one] = Noun(one, forms.get("other", one), forms.get("figures") == "yes")
    numbers, thousands = page.items.get("numbers"), page.items.get("thousands")
    words = numbers.items if isinstance(numbers, Sequence) else ()
    small = tuple(n.text for n in words if isinstance(n, Scalar))
    return Vocabulary(nouns, small, thousands.text if isinstance(thousands, Scalar) else "")


def fill(ruleset: Ruleset, clause: Clause, words: gettext.NullTranslations = ENGLISH) -> str:
    """Give the text of a clause as the rule set fills it, on one line.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    text = words.pgettext(clause.id, clause.text) if clause.text else ""
    return fill_text(ruleset, text, words, clause.span, clause.id)


def text_of(ruleset: Ruleset, clause_id: str, words: gettext.NullTranslations = ENGLISH) -> str:
    """Give the text of a clause by its name or an earlier name of it, filled; nothing if there is no such clause.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    clause = ruleset.clauses.get(clause_id)
    if clause is None:
        clause = next((c for c in ruleset.clauses.values() if clause_id in c.aliases), None)
    return "" if clause is None else fill(ruleset, clause, words)


def fill_text(
    ruleset: Ruleset,
    text: str,
    words: gettext.NullTranslations = ENGLISH,
    span: Span | None = None,
    clause_id: str = "",
) -> str:
    """Fill any text of a rule set: a clause's, an option's, the introduction of a chapter.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    findings = Findings()
    filler = _Filler(ruleset, words, span, clause_id, findings)
    flat = re.sub(r"\s+", " ", text).strip()
    filled = _BRACES.sub(filler.value, flat)
    findings.raise_errors(ProseError)
    return filled


def faults(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    """List everything that is wrong with the braces in the texts of a rule set."""
    findings = Findings()
    texts: list[tuple[str, Span | None, str]] = [(c.text, c.span, c.id) for c in ruleset.clauses.values()]
    texts += [(about, None, "") for _, _, about in ruleset.chapters]
    for text, span, clause_id in texts:
        try:
            fill_text(ruleset, text, span=span, clause_id=clause_id)
        except ProseError as error:
            findings.extend(error.diagnostics)
    return tuple(findings)


def counted(number: int, noun: str, words: gettext.NullTranslations = ENGLISH) -> str:
    """Say a number of things, such as "one card", "eleven cards" or "5,000 points"; the noun must be a listed one."""
    form = vocabulary().nouns[noun]
    said = figures(number) if form.figures else number_word(number, words)
    return f"{said} {words.ngettext(form.one, form.other, number)}"


def number_word(number: int, words: gettext.NullTranslations = ENGLISH) -> str:
    """Say a small number as a word, any other in figures."""
    small = vocabulary().numbers
    return words.gettext(small[number]) if 0 <= number < len(small) else figures(number)


def figures(number: int) -> str:
    """Write a number in figures, its thousands parted and with a true minus."""
    text = f"{abs(number):,}".replace(",", vocabulary().thousands) if abs(number) >= _THOUSAND else str(abs(number))
    return f"\N{MINUS SIGN}{text}" if number < 0 else text


def step_words(table: StepTable, noun: str = "", words: gettext.NullTranslations = ENGLISH) -> str:
    """Say a step table in words: "15 below 0, 50 from 0, 90 from 1,500 and 120 from 3,000"."""

    def value(number: int) -> str:
        return counted(number, noun, words) if noun else figures(number)

    if not table.rows:
        return value(table.below)
    below, reached = words.gettext("{value} below {start}"), words.gettext("{value} from {start}")
    parts = [below.format(value=value(table.below), start=figures(table.rows[0][0]))]
    parts += [reached.format(value=value(step), start=figures(start)) for start, step in table.rows]
    return words.gettext("{all} and {last}").format(all=", ".join(parts[:-1]), last=parts[-1])


def option_word(option: Option, value: int) -> str:
    """Write a value of an option as a rule set's name would: a word, a number, yes or no."""
    if option.type == BOOL:
        return "yes" if value else "no"
    return option.type.words[value] if option.type.words else str(value)


@dataclass(slots=True)
class _Filler:
    """What is put in the place of each pair of braces."""

    ruleset: Ruleset
    words: gettext.NullTranslations
    span: Span | None
    clause_id: str
    findings: Findings

    def value(self, found: re.Match[str]) -> str:
        """Give what stands for one pair of braces; a fault is written down, and the braces stay."""
        inner = _PLACEHOLDER.fullmatch((found[1] or "").strip())
        if inner is None:
            return self._fault(
                "RS7003", f"{found.group()} cannot be read in a text", "write {name} or {name noun}", found
            )
        name, noun = inner[1], inner[2] or ""
        said = self._said(name, noun, found)
        before = found.string[: found.start()].rstrip()
        begins = not before or before.endswith(_SENTENCE_ENDS)
        return said[:1].upper() + said[1:] if begins else said

    def _said(self, name: str, noun: str, found: re.Match[str]) -> str:
        rules, nouns = self.ruleset, vocabulary().nouns
        if noun and noun not in nouns:
            hint = _nearest(noun, list(nouns), "write the noun after the closing brace")
            return self._fault("RS7002", f"the noun {noun!r} is not listed", hint, found)
        if name in rules.steps:
            return step_words(rules.steps[name], noun, self.words)
        option = rules.options.get(name)
        if name in rules.parameters:
            number = rules.parameters[name]
        elif option is not None and (option.type == BOOL or option.type.words):
            if noun:
                return self._fault("RS7004", f"the option {name} is no number of {noun}", "leave the noun out", found)
            return option_word(option, option.value)
        elif option is not None:
            number = option.value
        else:
            known = [*rules.parameters, *rules.steps, *rules.options]
            hint = _nearest(name, known, "declare it under `parameters:`, or leave the braces out")
            return self._fault("RS7001", f"no parameter, option or step table is named {name}", hint, found)
        return counted(number, noun, self.words) if noun else figures(number)

    def _fault(self, id_: str, message: str, hint: str, found: re.Match[str]) -> str:
        where = f" in the text of {self.clause_id}" if self.clause_id else ""
        self.findings.add(Diagnostic(id_, f"{message}{where}", self.span, hint, clause=self.clause_id))
        return found.group()


def _nearest(word: str, known: list[str], otherwise: str) -> str:
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else otherwise
