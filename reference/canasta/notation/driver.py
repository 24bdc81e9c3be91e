"""The reader's engine: runs the LALR tables that Lark makes from ``grammar/notation.lark``, one line at a time.

Lark stays the definition; only its tables are used, because a loop that knows it reads one short line is several times
faster than a general parser, and because at an error it still knows exactly what was possible.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from canasta.rooms import room

STARTS = ("line", "turn_text", "position")
END = "$END"


class Word(NamedTuple):
    """One terminal of the grammar found in a line: its name, its text without blanks after it, its offset from 0."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a line stopped making sense: the words so far, the offset, the state, and what could have come."""

    words: tuple[Word, ...]
    at: int
    state: int
    expected: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tables:
    """The grammar as tables: shifts, reductions (rule length and name), jumps, and a scanner per state."""

    shifts: list[dict[str, int]]
    reductions: list[dict[str, tuple[int, str]]]
    jumps: list[dict[str, int]]
    scanners: list[re.Pattern[str]]
    starts: dict[str, int]
    ends: dict[str, int]
    terminals: dict[str, str]

    def read(self, text: str, start: str, begin: int = 0) -> list[Word] | Stop:
        """Split a text into the words of the grammar, in an order that the grammar allows."""
        state = self.starts[start]
        stack = [state]
        words: list[Word] = []
        at, length = begin, len(text)
        while True:
            found = self.scanners[state].match(text, at) if at < length else None
            if found is not None:
                kind = found.lastgroup or ""
            elif at < length:
                return self._stop(words, at, state)
            else:
                kind = END
            while (step := self.shifts[state].get(kind)) is None:
                if found is None and state == self.ends[start]:
                    return words
                reduction = self.reductions[state].get(kind)
                if reduction is None:
                    return self._stop(words, at, state)
                size, name = reduction
                if size:
                    del stack[-size:]
                state = self.jumps[stack[-1]][name]
                stack.append(state)
            state = step
            stack.append(state)
            if found is not None:
                words.append(Word(kind, found.group().rstrip(" \t"), at))
                at = found.end()

    def _stop(self, words: list[Word], at: int, state: int) -> Stop:
        """Say where reading stopped."""
        expected = frozenset(self.shifts[state]) | frozenset(self.reductions[state])
        return Stop(tuple(words), at, state, expected)


@cache
def tables() -> Tables:
    """Make the tables from the grammar, once a process; Lark is imported only here."""
    from lark import Lark  # noqa: PLC0415 sixty milliseconds that only readers of notation should pay

    grammar = (room("grammar") / "notation.lark").read_text(encoding="utf-8")
    made = Lark(grammar, parser="lalr", lexer="contextual", start=list(STARTS), maybe_placeholders=False)
    table = made.parser.parser._parse_table  # noqa: SLF001 Lark offers its tables by no public name
    patterns = {t.name: t for t in made.terminals}
    order = sorted(
        patterns,
        key=lambda n: (-patterns[n].priority, -patterns[n].pattern.max_width, -len(patterns[n].pattern.value), n),
    )
    regexes = {name: patterns[name].pattern.to_regexp() for name in order}
    size = max(table.states) + 1
    shifts: list[dict[str, int]] = [{} for _ in range(size)]
    reductions: list[dict[str, tuple[int, str]]] = [{} for _ in range(size)]
    jumps: list[dict[str, int]] = [{} for _ in range(size)]
    for state, actions in table.states.items():
        for name, (action, argument) in actions.items():
            if action.name == "Reduce":
                reductions[state][name] = (len(argument.expansion), argument.origin.name)
            elif name in patterns or name == END:
                shifts[state][name] = argument
            else:
                jumps[state][name] = argument
    scanner = cache(_scanner)
    scanners = [
        scanner(tuple((n, regexes[n]) for n in order if n in shifts[state] or n in reductions[state]))
        for state in range(size)
    ]
    return Tables(shifts, reductions, jumps, scanners, dict(table.start_states), dict(table.end_states), regexes)


def _scanner(terminals: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Make one pattern that finds the first of these terminals."""
    return re.compile("|".join(f"(?P<{name}>{regex})" for name, regex in terminals) or r"(?!)")
