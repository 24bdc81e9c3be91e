"""Whether a mutant is one at all: two rule sets that compile to the same do the same, whatever their texts say."""

import re
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import combinations
from typing import Any, Final

from canasta.diagnostics import Span
from canasta.kernel.game import Game
from canasta.language.compiler import Compiler
from canasta.language.effect_order import touched_by
from canasta.language.kinds import every_root
from canasta.language.ruleset import Effect
from canasta.language.types import Expr

VARIABLE: Final = re.compile(r"q(\d+)\b|~(\d+)")
"""A variable of a quantifier, in the text of a function or in the name of a rule; it is numbered through the whole rule set."""

UNEXECUTED: Final = frozenset({
    "text", "title", "span", "sources", "examples", "ruling", "aliases", "formal", "path", "chapter", "level", "kind",
    "after", "before",
})  # fmt: skip
IN_THE_TEXT: Final = frozenset(
    {"name", "profile", "parameters", "options", "profiles", "steps", "chapters", "classes", "values"}
)
"""Fields of a rule set that stand in the text of the functions, or in the tables of its deck."""

Print = tuple[str, ...]


def print_of(game: Game) -> Print:
    """Give everything that a game is executed by; it is the same for two games exactly if they are compiled to the same."""
    # A compiler of its own: what that of a game has compiled so far depends on what has been played.
    compiler = Compiler(game.ruleset, game.deck)
    texts = [compiler.text(expr) for expr in every_root(game.ruleset)]
    constants = {name: _plain(value) for name, value in compiler.constants().items()}
    parts = [_skeleton(getattr(game.ruleset, f.name)) for f in fields(game.ruleset) if f.name not in IN_THE_TEXT]
    order = _order(game)
    deck = (game.deck.names, game.deck.copies, game.deck.classes, game.deck.values)
    return tuple(
        _numbered(text)
        for text in (repr(texts), compiler.definitions_text(), repr(constants), repr(parts), repr(order), repr(deck))
    )


def tables_of(game: Game) -> list[list[list[list[tuple[str, str]]]]]:
    """Give what the bounds come to: for each shape and each number of its cards, what is wrong with so many.

    Bounds are made into these tables before play and are not asked otherwise.
    """
    machine = game.machine
    return [
        [
            [
                [(check.clause, check.code) for check in machine.broken_bounds(at, body, filler)]
                for filler in range(len(row))
            ]
            for body, row in enumerate(form.allowed)
        ]
        for at, form in enumerate(machine.shapes.forms)
    ]


def _order(game: Game) -> list[tuple[str, str, str]]:
    """List which effect comes before which on each act, where it matters: where one touches what the other touches."""
    touched = {clause.id: touched_by(game.ruleset, clause) for clause in game.ruleset.of_kind(Effect)}
    return sorted(
        (act, one.clause, other.clause)
        for act, found in game.machine.effects.items()
        for one, other in combinations(found, 2)
        if touched[one.clause].clash(touched[other.clause])
    )


def _numbered(text: str) -> str:
    """Number variables in the order in which they appear, so that one less somewhere else changes nothing."""
    seen: dict[str, str] = {}

    def again(found: "re.Match[str]") -> str:
        return seen.setdefault(found[1] or found[2], f"q{len(seen)}")

    return VARIABLE.sub(again, text)


def _plain(value: object) -> object:
    """Give a constant without addresses: a table of steps for the method that looks up in it."""
    return getattr(value, "__self__", value)


def _skeleton(value: Any) -> object:  # noqa: ANN401 - any value of a rule set
    """Give what is executed of a value, without expressions, which are compared as compiled, and without words for people."""
    if isinstance(value, Expr):
        return "expression"
    if isinstance(value, Span):
        return ""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return [(key, _skeleton(item)) for key, item in value.items()]
    if is_dataclass(value) and not isinstance(value, type):
        own = [f.name for f in fields(value) if f.name not in UNEXECUTED]
        return [type(value).__name__, *((name, _skeleton(getattr(value, name))) for name in own)]
    if isinstance(value, tuple | list):
        named = getattr(value, "_fields", ())
        return [_skeleton(item) for at, item in enumerate(value) if not named or named[at] not in UNEXECUTED]
    return value
