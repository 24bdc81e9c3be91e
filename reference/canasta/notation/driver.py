"""The reader's engine: runs the LALR tables that Lark makes from ``grammar/notation.lark``, one line at a time.

Lark stays the definition; only its tables are used, because a loop that knows it reads one short line is several times
faster than a general parser, and because at an error it still knows exactly what was possible. The tables are stored
beside the grammar (``python -m canasta.notation.generate`` writes them), so that reading a record need not load Lark.
"""

import json
import re
from functools import cache
from typing import Final, NamedTuple, TypedDict
from zlib import crc32

from canasta.rooms import names_in, read_from

GRAMMAR_FILE = "notation.lark"
TABLES_FILE = "notation.tables.json"
END = "$END"
ANYWHERE: Final = frozenset({"WHY", "BRACED", "TRAILING"})
"""Words that begin with a sign which begins no other word of a turn, nor of a line of cards.

A scanner may look for them where none can stand: reading then stops at the same place. So all states of a turn share one scanner,
which takes longest to make, and so do those of cards.
"""


class ToldState(TypedDict):
    """One state as stored: where each terminal leads, which rule it completes, where each finished rule leads."""

    shift: dict[str, int]
    reduce: dict[str, int]
    jump: dict[str, int]


class Told(TypedDict):
    """The tables as stored: the check-sum of their grammar, its terminals in the order they are tried, rules and states."""

    grammar: str
    starts: dict[str, int]
    ends: dict[str, int]
    terminals: dict[str, str]
    rules: list[tuple[int, str]]
    states: list[ToldState]


class Word(NamedTuple):
    """One terminal of the grammar found in a line: its name, its text without blanks after it, its offset from 0."""

    kind: str
    text: str
    at: int


class Stop(NamedTuple):
    """Where a line stopped making sense: the words so far, the offset, the state, and what could have come."""

    words: tuple[Word, ...]
    at: int
    state: int
    expected: frozenset[str]


class Tables(NamedTuple):
    """The grammar as tables: shifts, reductions (rule length and name), jumps, and a scanner per state.

    A scanner is made when its state is first met: most records never meet half of them, and each costs a millisecond.
    """

    shifts: list[dict[str, int]]
    reductions: list[dict[str, tuple[int, str]]]
    jumps: list[dict[str, int]]
    scanners: list[re.Pattern[str] | None]
    choices: list[tuple[str, ...]]
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
            scanner = self.scanners[state] or self._scanner(state)
            found = scanner.match(text, at) if at < length else None
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

    def _scanner(self, state: int) -> re.Pattern[str]:
        """Make the scanner of a state, which finds the first of its terminals, and keep it for all states with the same ones."""
        choice = self.choices[state]
        regexes = "|".join(f"(?P<{name}>{self.terminals[name]})" for name in choice)
        made = re.compile(regexes or r"(?!)")
        for other, same in enumerate(self.choices):
            if same == choice:
                self.scanners[other] = made
        return made

    def _stop(self, words: list[Word], at: int, state: int) -> Stop:
        """Say where reading stopped."""
        expected = frozenset(self.shifts[state]) | frozenset(self.reductions[state])
        return Stop(tuple(words), at, state, expected)


def check_sum(grammar: bytes) -> str:
    """Tell versions of the grammar apart."""
    return f"{crc32(grammar):08x}"


@cache
def tables() -> Tables:
    """The tables of the shipped grammar, once a process: stored ones where they belong to the grammar, else fresh ones."""
    grammar = read_from("grammar", GRAMMAR_FILE)
    told: Told | None = json.loads(read_from("grammar", TABLES_FILE)) if TABLES_FILE in names_in("grammar") else None
    if told is None or told["grammar"] != check_sum(grammar):
        from canasta.notation.generate import tables_of  # noqa: PLC0415 it brings Lark, which only a new grammar needs

        told = tables_of(grammar.decode())
    return _prepare(told)


def _prepare(told: Told) -> Tables:
    """Make the stored tables ready to run."""
    terminals = told["terminals"]
    rules = [(size, name) for size, name in told["rules"]]
    reductions = [{name: rules[rule] for name, rule in state["reduce"].items()} for state in told["states"]]
    shifts = [state["shift"] for state in told["states"]]
    found = [shift.keys() | reduce.keys() for shift, reduce in zip(shifts, reductions, strict=True)]
    wanted = [kinds | ANYWHERE if kinds & {"LAY", "CARDS"} else kinds for kinds in found]
    choices = [tuple(name for name in terminals if name in kinds) for kinds in wanted]
    jumps = [state["jump"] for state in told["states"]]
    unmade: list[re.Pattern[str] | None] = [None] * len(choices)
    return Tables(shifts, reductions, jumps, unmade, choices, told["starts"], told["ends"], terminals)
