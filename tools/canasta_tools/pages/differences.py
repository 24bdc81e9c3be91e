"""The pages that show how a rule set differs from the one it extends: every change, both texts, and a case that shows it."""

from collections import Counter
from typing import Final

from canasta.language.changes import Change, How, Weight
from canasta.playing.distinguishing import Case, Shown, Strength
from canasta.playing.outcomes import Outcome
from canasta_tools.differences import (
    NO_CASE_NEEDED,
    Differences,
    between,
    code_of_case,
    formal_of,
    in_order,
    partly,
    value_of,
    valued,
    words_of,
)  # fmt: skip
from canasta_tools.rulebook.markdown import block, code, link, plain, prose, render, table

MOST: Final = 5
"""So many aspects in which two results differ are shown."""

SECTIONS: Final = {
    "Set": "Figures, choices and tables that have another value.",
    "Added": "What there was not.",
    "Replaced": "What says something else, and is executed otherwise.",
    "Said otherwise": "What is worded, sourced or exemplified otherwise, and executed as before.",
    "Removed": "What does not hold any more.",
}
"""The sections of a page in reading order, and what each holds."""


def differences_page(found: Differences) -> str:
    """Write the page of one pair."""
    return render(
        "differences.md.j2",
        old=found.old,
        new=found.new,
        summary=_summary(found),
        sections=[(name, about, [_Change(s, found) for s in _of(found, name)]) for name, about in SECTIONS.items()],
    )


def _of(found: Differences, section: str) -> list[Shown]:
    said = (Weight.SAID, Weight.ORDER)
    match section:
        case "Set":
            return in_order(found.shown, How.SET)
        case "Added":
            return in_order(found.shown, How.ADDED)
        case "Removed":
            return in_order(found.shown, How.REMOVED)
    replaced = in_order(found.shown, How.REPLACED)
    return [s for s in replaced if (s.change.weight in said) is (section == "Said otherwise")]


def _summary(found: Differences) -> str:
    """Count the changes by what was done, and by how each is shown."""
    heads = [
        "",
        "changes",
        "decided by the change alone",
        "by it with others",
        "in part",
        "said in one only",
        "no case needed",
    ]
    rows = []
    for how in How:
        own = [s for s in found.shown if s.change.how is how]
        strength = Counter(s.case.strength for s in own if s.case is not None)
        needed = sum(s.change.weight is not Weight.EXECUTED for s in own)
        rows.append([str(how), str(len(own)), *(str(strength[s]) for s in Strength), str(needed)])
    return table(heads, rows)


class _Change:
    """One change as the page shows it."""

    def __init__(self, shown: Shown, found: Differences) -> None:
        self.shown, self.change, self.found = shown, shown.change, found
        self.old_entry, self.new_entry = found.entries(shown.change)

    @property
    def heading(self) -> str:
        """The title of the clause; of a declaration its name, with both values if it has any."""
        entry = self.new_entry or self.old_entry
        if entry is not None:
            return plain(entry.clause.title)
        if self.change.how is How.SET and "is" in (self.change.new or self.change.old or _NOTHING).items:
            values = (code(value_of(n, self.change)) for n in (self.change.old, self.change.new))
            return f"{code(self.change.word)}: {' → '.join(values)}"
        return code(self.change.name)

    @property
    def name(self) -> str:
        """The clause as a link into the book that has it, or what kind of declaration it is."""
        if self.change.clause:
            book = self.found.new if self.new_entry is not None else self.found.old
            return link(code(self.change.name), f"{book.loaded.base}/{self.change.name}")
        kind = self.change.name.partition(".")[0]
        return f"declaration under {code(kind)}" if "." in self.change.name else "declaration"

    @property
    def fields(self) -> str:
        """The fields that a replacement changes."""
        if self.change.how is not How.REPLACED:
            return ""
        return ", ".join(code(f) for f in self.change.fields)

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Both texts, each with the rule set whose it is; one where both say the same."""
        if self.change.clause:
            told = [(e.clause.title, e.text) if e else ("", "") for e in (self.old_entry, self.new_entry)]
        else:
            told = [("", words_of(n)) for n in (self.change.old, self.change.new)]
        names = [b.loaded.base for b in (self.found.old, self.found.new)]
        if told[0] == told[1]:
            return [("", prose(told[1][1]))] if told[1][1] else []
        titled = told[0][0] != told[1][0] and all(t for t, _ in told)
        return [
            (code(name), f"*{plain(title)}.* {prose(text)}" if titled else prose(text))
            for name, (title, text) in zip(names, told, strict=True)
            if text
        ]

    @property
    def values(self) -> str:
        """Both values of a step table or of whatever else is no single figure."""
        if not valued(self.change) or "is" in (self.change.new or self.change.old or _NOTHING).items:
            return ""
        rows = [
            [code(book.loaded.base), code(value_of(node, self.change))]
            for book, node in ((self.found.old, self.change.old), (self.found.new, self.change.new))
            if node is not None
        ]
        return table(["", "table"], rows)

    @property
    def formal(self) -> str:
        """Both formal parts, folded; nothing where there is none or nothing in them differs."""
        if self.change.how is How.SET or self.change.weight in (Weight.SAID, Weight.BINDING):
            return ""
        parts = [
            f"{code(book.loaded.base)}\n\n{block(formal_of(node, self.change))}"
            for book, node in ((self.found.old, self.change.old), (self.found.new, self.change.new))
            if node is not None
        ]
        return "\n\n".join(parts)

    @property
    def because(self) -> str:
        """The reason that the variant gives."""
        return prose(self.change.because)

    @property
    def no_case(self) -> str:
        """Why there is no case; empty if there is one."""
        if self.shown.case is not None:
            return ""
        if self.shown.carried:
            told = ", ".join(code(name) for name in self.shown.carried)
            return f"It has no case of its own: it goes with changes whose cases show it: {told}."
        return NO_CASE_NEEDED.get(self.change.weight, "**No example shows this change.**")

    @property
    def case(self) -> str:
        """The case: position, turn or question, and what both make of it."""
        case = self.shown.case
        if case is None:
            return ""
        books = ((self.found.old, case.old), (self.found.new, case.new))
        rows = [
            [code(book.loaded.base), _position(outcome), _asked(case, at, self.change), _results(case, at)]
            for at, (book, outcome) in enumerate(books)
        ]
        if case.apart:
            rows.insert(0 if case.new.said else 1, self._apart(case))
        if case.strength is Strength.PART:
            rows[1:1] = self._ways(case)
        return table(["", "position", "turn or question", "result"], rows)

    def _apart(self, case: Case) -> list[str]:
        """The row of the one rule set that can say the position, with the change made or taken back."""
        back = case.new.said is None
        book, outcome = (self.found.new, case.new) if back else (self.found.old, case.old)
        told = [d.one if back else d.other for d in case.apart[:MOST]]
        which = "these changes" if case.others else "this change"
        name = f"{code(book.loaded.base)} {'without' if back else 'with'} {which}"
        asked = _asked(case, int(back), self.change)
        return [name, _position(outcome), asked, "<br>".join(_result(t) for t in told)]

    def _ways(self, case: Case) -> list[list[str]]:
        """The rows between the two rule sets: the earlier with the change, the later without it."""
        told = [between(case, d) for d in case.differs[:MOST]]
        which = "these changes" if case.others else "this change"
        sides = ((self.found.old, case.made, "with"), (self.found.new, case.without, "without"))
        return [
            [
                f"{code(book.loaded.base)} {how} {which}",
                _position(outcome) if outcome is not None else "",
                _asked(case, at, self.change),
                "<br>".join(dict.fromkeys(_result(t[at]) for t in told)),
            ]
            for at, (book, outcome, how) in enumerate(sides)
        ]

    @property
    def about_case(self) -> str:
        """Where the case comes from, what had to be left out, and how it is known that this change decides it."""
        case = self.shown.case
        if case is None:
            return ""
        book = self.found.new if case.of_new else self.found.old
        parts = [f"Example {code(case.example.id)} of {link(code(case.clause), f'{book.loaded.base}/{case.clause}')}."]
        for side, outcome in ((self.found.old, case.old), (self.found.new, case.new)):
            if outcome.left_out:
                told = ", ".join(code(w) for w in outcome.left_out)
                parts.append(f"{code(side.loaded.base)} has no word for {told}, which is left out there.")
        parts.append(self._decided(case))
        return " ".join(parts)

    def _decided(self, case: Case) -> str:
        """Say how it is known that the change decides the case."""
        others = ", ".join(code(name) for name in case.others)
        what = f"whether {code(only)} is broken" if (only := code_of_case(case)) else "it"
        match case.strength:
            case Strength.ALONE:
                return f"This change alone decides {what}."
            case Strength.TOGETHER:
                return f"Together with {others} it decides {what}; none of them can be left out."
            case Strength.PART:
                names = [code(book.loaded.base) for book in (self.found.old, self.found.new)]
                along = f" It goes together with {others}." if others else ""
                told = partly(case, *names, they="them" if others else "it")
                return f"The change has a part in it: {told}.{along}"
        told = "Only one of the two can say the position"
        if not case.apart:
            return f"{told}, and that follows from this change{f' with {others}' if others else ''}."
        return f"{told}; there this change{f', with {others},' if others else ''} decides the result."


class _Nothing:
    items: Final[dict[str, object]] = {}


_NOTHING: Final = _Nothing()


def _position(outcome: Outcome) -> str:
    return " ".join(code(part) for part in outcome.position.split(";")) if outcome.position else ""


def _asked(case: Case, at: int, change: Change) -> str:
    example = case.example
    outcome = (case.old, case.new)[at]
    told = [code(example.do)] if example.do else [f"asked: {code(example.ask)}"] if example.ask else []
    chosen = [f"{n}={v}" for n, v in example.options if f"{n}={v}" not in outcome.left_out]
    if chosen:
        told.append(f"with {' '.join(code(c) for c in chosen)}")
    elif change.name.startswith("options.") and change.old is not None and change.new is not None:
        told.append(f"with {code(f'{change.word}={value_of((change.old, change.new)[at], change)}')}")
    return "<br>".join(told)


def _results(case: Case, at: int) -> str:
    """Write what came of it; of a position that only one can say, there what the change decides."""
    sayable = (case.old, case.new)[at].said is None
    shown = case.apart if case.apart and sayable else case.differs
    side = at if shown is case.differs else int(case.new.said is None)
    texts = [(d.one, d.other)[side] for d in shown[:MOST]]
    more = len(shown) - MOST
    return "<br>".join([*(_result(t) for t in texts), *([f"and {more} more"] if more > 0 else [])])


def _result(text: str) -> str:
    word, colon, rest = text.partition(": ")
    if word == "illegal" and colon:
        return f"**{word}**: {' '.join(code(c) for c in rest.split(', '))}"
    if text in ("legal", "cannot be known"):
        return f"**{text}**"
    spoken = ("cannot be done", "cannot be said", "can be said", "the deal is over", "not looked at")
    return plain(text) if word in spoken or text.startswith("no rule set") else code(text)
