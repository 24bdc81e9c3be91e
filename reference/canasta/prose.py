"""The texts of rules as people read them: the figures of the rule set put in, nouns in the right number.

A text holds no figure that a rule set can change. It says ``{hand_size card}``, and a rule set in which the parameter
``hand_size`` is 11 prints "eleven cards". A step table is printed in words as a whole. A translation writes the forms of the
noun itself, as many as its language has, in the case that its sentence asks for: ``{hand_size: карту | карты | карт}``, and
``{~hand_size: взята | взяты | взято}`` for a word that only goes with the number.
"""

import re
from collections.abc import Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Span
from canasta.language.ruleset import Clause, Option, Ruleset, StepTable
from canasta.language.source import Mapping, Scalar, Sequence, read_file
from canasta.language.types import BOOL
from canasta.rooms import room
from canasta.wording import Wording, context_of

BRACES: Final = re.compile(r"\{([^{}]*)\}|[{}]")
"""A pair of braces in a text, or one that stands alone."""

_PLACEHOLDER: Final = re.compile(r"(~)?([a-z][a-z0-9_]*)(?:\s+([a-z]+(?:[ -][a-z]+)*)|\s*:\s*(\S.*?))?\s*")
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


@cache
def english() -> Wording:
    """Give the wording of the rule files themselves, which translates nothing."""
    return Wording("en", ("one", "other"), lambda number: int(abs(number) != 1), vocabulary().thousands, _THOUSAND)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What stands in a pair of braces: a name, perhaps the noun that it counts, or its forms where it is translated.

    ``bare`` is a word whose form follows a number that is not said again.
    """

    name: str
    noun: str = ""
    forms: tuple[str, ...] = ()
    bare: bool = False


def placeholder(inner: str) -> Placeholder | None:
    """Read what stands between braces; nothing if it cannot be read."""
    found = _PLACEHOLDER.fullmatch(inner.strip())
    if found is None or (found[1] and not found[4]):
        return None
    forms = tuple(" ".join(form.split()) for form in (found[4] or "").split("|")) if found[4] else ()
    return Placeholder(found[2], found[3] or "", forms, bool(found[1]))


def fill(ruleset: Ruleset, clause: Clause, wording: Wording | None = None) -> str:
    """Give the text of a clause as the rule set fills it, on one line.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    return fill_message(ruleset, context_of(clause.id, "text"), clause.text, wording, clause)


def fill_message(
    ruleset: Ruleset, context: str, text: str, wording: Wording | None = None, clause: Clause | None = None
) -> str:
    """Give a text that stands at a place of a rule set, translated if it is, and filled.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    flat = " ".join(text.split())
    told = wording or english()
    if not told.knows(context, flat):
        told = english()
    span, id_ = (clause.span, clause.id) if clause is not None else (None, "")
    return fill_text(ruleset, told.said(context, flat), told, span, id_)


def text_of(ruleset: Ruleset, clause_id: str, wording: Wording | None = None) -> str:
    """Give the text of a clause by its name or an earlier name of it, filled; nothing if there is no such clause.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    clause = ruleset.clauses.get(clause_id)
    if clause is None:
        clause = next((c for c in ruleset.clauses.values() if clause_id in c.aliases), None)
    return "" if clause is None else fill(ruleset, clause, wording)


def fill_text(
    ruleset: Ruleset,
    text: str,
    wording: Wording | None = None,
    span: Span | None = None,
    clause_id: str = "",
) -> str:
    """Fill any text of a rule set, as it stands: a clause's, an option's, the introduction of a chapter.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    return _filled(_Filler(_Declared(ruleset), wording or english(), span, clause_id, Findings()), text)


def fill_values(text: str, values: Table[str, int | str], wording: Wording | None = None) -> str:
    """Fill a text that no rule set knows, such as a heading of a book, with values of its own.

    Raises:
        ProseError: with every fault of its braces (RS70xx).
    """
    return _filled(_Filler(values, wording or english(), None, "", Findings()), text)


def _filled(filler: "_Filler", text: str) -> str:
    flat = re.sub(r"[ \t\r\n]+", " ", text).strip()
    filled = BRACES.sub(filler.value, flat)
    filler.findings.raise_errors(ProseError)
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


def counted(number: int, noun: str) -> str:
    """Say a number of things, such as "one card", "eleven cards" or "5,000 points"; the noun must be a listed one."""
    form = vocabulary().nouns[noun]
    said = figures(number) if form.figures else number_word(number)
    return f"{said} {form.one if number == 1 else form.other}"


def number_word(number: int) -> str:
    """Say a small number as a word, any other in figures."""
    small = vocabulary().numbers
    return small[number] if 0 <= number < len(small) else figures(number)


def figures(number: int) -> str:
    """Write a number in figures as the rule files do, its thousands parted and with a true minus."""
    return english().figures(number)


def step_words(table: StepTable, place: Placeholder | None = None, wording: Wording | None = None) -> str:
    """Say a step table in words: "15 below 0, 50 from 0, 90 from 1,500 and 120 from 3,000"."""
    words = wording or english()
    counts = place or Placeholder(table.name)
    if not table.rows:
        return _number(table.below, counts, words)
    below, reached = words.said(STEPS, "{value} below {start}"), words.said(STEPS, "{value} from {start}")
    rows = [(below, table.below, table.rows[0][0]), *((reached, step, start) for start, step in table.rows)]
    parts = [t.format(value=_number(step, counts, words), start=words.figures(start)) for t, step, start in rows]
    return words.said(STEPS, "{all} and {last}").format(all=", ".join(parts[:-1]), last=parts[-1])


STEPS: Final = context_of("steps", "text")
"""The place of the words by which a step table is told."""


def option_word(option: Option, value: int) -> str:
    """Write a value of an option as a rule set's name would: a word, a number, yes or no."""
    if option.type == BOOL:
        return "yes" if value else "no"
    return option.type.words[value] if option.type.words else str(value)


def _number(number: int, place: Placeholder, wording: Wording) -> str:
    """Say a number, with what it counts if anything."""
    if place.forms:
        form = place.forms[wording.form(number)]
        return form if place.bare else f"{wording.figures(number)}{wording.tie}{form}"
    return counted(number, place.noun) if place.noun else wording.figures(number)


@dataclass(frozen=True, slots=True)
class _Declared:
    """The named figures of a rule set: parameters, step tables and options."""

    ruleset: Ruleset

    def get(self, name: str) -> "int | str | StepTable | None":
        """Find what a name stands for."""
        rules = self.ruleset
        option = rules.options.get(name)
        if name in rules.steps:
            return rules.steps[name]
        if name in rules.parameters:
            return rules.parameters[name]
        if option is None:
            return None
        return option_word(option, option.value) if option.type == BOOL or option.type.words else option.value

    def __iter__(self) -> Iterator[str]:
        """Go through all names."""
        return iter([*self.ruleset.parameters, *self.ruleset.steps, *self.ruleset.options])


@dataclass(slots=True)
class _Filler:
    """What is put in the place of each pair of braces."""

    values: _Declared | Table[str, int | str]
    wording: Wording
    span: Span | None
    clause_id: str
    findings: Findings

    def value(self, found: re.Match[str]) -> str:
        """Give what stands for one pair of braces; a fault is written down, and the braces stay."""
        place = placeholder(found[1] or "")
        if place is None:
            return self._fault(
                "RS7003", f"{found.group()} cannot be read in a text", "write {name} or {name noun}", found
            )
        said = self._said(place, found)
        before = found.string[: found.start()].rstrip()
        begins = not before or before.endswith(_SENTENCE_ENDS)
        return said[:1].upper() + said[1:] if begins else said

    def _said(self, place: Placeholder, found: re.Match[str]) -> str:
        name, noun, nouns = place.name, place.noun, vocabulary().nouns
        if noun and noun not in nouns:
            hint = _nearest(noun, list(nouns), "write the noun after the closing brace")
            return self._fault("RS7002", f"the noun {noun!r} is not listed", hint, found)
        wanted = self.wording.forms
        if place.forms and len(place.forms) != len(wanted):
            message = f"{found.group()} has {len(place.forms)} forms, and {len(wanted)} are needed"
            return self._fault("RS7007", message, f"write the forms for {', '.join(wanted)}, parted by |", found)
        value = self.values.get(name)
        if isinstance(value, StepTable):
            return step_words(value, place, self.wording)
        if isinstance(value, str):
            if noun or place.forms:
                message = f"the option {name} is no number of {noun or place.forms[-1]}"
                return self._fault("RS7004", message, "leave the noun out", found)
            return value
        if value is None:
            hint = _nearest(name, list(self.values), "declare it under `parameters:`, or leave the braces out")
            return self._fault("RS7001", f"no parameter, option or step table is named {name}", hint, found)
        return _number(value, place, self.wording)

    def _fault(self, id_: str, message: str, hint: str, found: re.Match[str]) -> str:
        where = f" in the text of {self.clause_id}" if self.clause_id else ""
        self.findings.add(Diagnostic(id_, f"{message}{where}", self.span, hint, clause=self.clause_id))
        return found.group()


def _nearest(word: str, known: list[str], otherwise: str) -> str:
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else otherwise
