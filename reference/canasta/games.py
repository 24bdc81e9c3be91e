"""Opening a game by its name: from `classic:hoyle` or the path of a rule file to something that can be played."""

import os
from functools import cache, partial
from typing import TYPE_CHECKING

from canasta.kernel.by_function import ByFunction
from canasta.kernel.cards import Deck
from canasta.kernel.game import Game
from canasta.kernel.machine import Backend, Function
from canasta.language.compiler import Compiler
from canasta.language.evaluator import Evaluator
from canasta.language.kinds import deck_of
from canasta.language.parsed import load_parsed
from canasta.language.ruleset import Ruleset
from canasta.language.types import Expr

if TYPE_CHECKING:
    from canasta.language.interval_compiler import IntervalCompiler


def load_ruleset(name: str) -> Ruleset:
    """Load a rule set by name or path, with its profile and options; a shipped one from its parsed form where that is fresh.

    Raises:
        CanastaError: with every fault of the name or the files.
    """
    return _loaded(name, _version(name))


@cache
def _loaded(name: str, _version_of_file: tuple[str, int]) -> Ruleset:
    return load_parsed(name) or read_ruleset(name)


def _version(name: str) -> tuple[str, int]:
    """Tell versions of a person's own file apart, so that an edited file, or one of another folder, is read again."""
    path = name.split(",", maxsplit=1)[0]
    try:
        return os.path.realpath(path), os.stat(path).st_mtime_ns  # noqa: PTH116 - pathlib takes longer to load than a deal to check
    except (OSError, ValueError):
        return "", 0


def read_ruleset(name: str) -> Ruleset:
    """Load a rule set from its rule files.

    Raises:
        CanastaError: with every fault of the name or the files.
    """
    from canasta.language.build import build  # noqa: PLC0415 - YAML and the parser of expressions are needed only here
    from canasta.language.loading import load_document  # noqa: PLC0415 - YAML and the parser of expressions are needed only here

    loaded = load_document(name)
    return build(loaded.document, loaded.name, loaded.profile, loaded.chosen, loaded.chapter_of)


def open_game(name: str, *, by_face: bool = False, evaluated: bool = False, reasons: bool = True) -> Game:
    """Open a game: with every printed card a kind of its own if ``by_face``, run by the slow evaluator if ``evaluated``.

    Without ``reasons`` a violation is not told with the values that decided it, which take longer to find than the violation.

    Raises:
        CanastaError: with every fault of the name or the files.
    """
    return _opened(name, _version(name), by_face=by_face, evaluated=evaluated, reasons=reasons)


@cache
def _opened(name: str, version: tuple[str, int], *, by_face: bool, evaluated: bool, reasons: bool) -> Game:
    game = game_of(_loaded(name, version), by_face=by_face, evaluated=evaluated)
    return game if reasons else game.without_reasons()


def game_of(ruleset: Ruleset, *, by_face: bool = False, evaluated: bool = False) -> Game:
    """Make a rule set that has been built ready to play."""
    deck = deck_of(ruleset, by_face=by_face)
    backend: Backend = _Evaluated(ruleset, deck) if evaluated else Compiler(ruleset, deck)
    return Game(
        ruleset, deck, backend, partial(_bounder, ruleset, deck), partial(Compiler, ruleset, deck, explain=True)
    )


class _Evaluated(ByFunction):
    """The evaluator as a backend."""

    def __init__(self, ruleset: Ruleset, deck: Deck) -> None:
        super().__init__()
        self._meaning = Evaluator(ruleset, deck)

    def function(self, expr: Expr) -> Function:
        """Make a function that walks over the tree."""
        return self._meaning.function(expr)


def _bounder(ruleset: Ruleset, deck: Deck) -> "IntervalCompiler":
    from canasta.language.interval_compiler import IntervalCompiler  # noqa: PLC0415 - needed only for what is not known

    return IntervalCompiler(ruleset, deck)
