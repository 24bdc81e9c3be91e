"""Engines that play by changed rules and do not say so: the truest form of most faults of real programs."""

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.signing import sign
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.inprocess.functions import Options, game_of
from canasta_conformance.inprocess.positions import to_state

Data = dict[str, Any]

PLAYED: Final = "classic"
"""The rule set whose rules are changed."""


class Ruled(ReferenceEngine):
    """Says that it plays one rule set, and plays classic with changes."""

    def __init__(self, name: str, changes: str, declares: str) -> None:
        """Know the changes: ``set``, ``replace`` and so on, as a variant says them."""
        super().__init__()
        self._name, self._declares = name, declares
        self._rules = _file(name, changes) if changes else PLAYED

    def hello(self, **fields: object) -> Data:
        """Declare a rule set, no option of which can be chosen."""
        told = super().hello(**fields)
        engine = told["engine"] | {"name": f"miniature {self._name}"}
        return told | {"engine": engine, "rulesets": [{"id": self._declares}]}

    def _game(self, ruleset: str, options: Options | None) -> Game:  # noqa: ARG002 - whatever is asked for
        return game_of(self._rules, None)

    def _set_up(self, game: Game, position: Mapping[str, Any]) -> State:
        """Lay a position out as it is told: a meld that these rules do not know lies there all the same."""
        return to_state(game, position, as_it_lies=True)


@cache
def _file(name: str, changes: str) -> str:
    """Write the changed rules where they can be loaded from, signed against the clauses as they are now."""
    path = Path(_folder().name) / f"{name}.yaml"
    path.write_text(f"ruleset: {name}\ntitle: Miniature\nextends: {PLAYED}\n{changes}", encoding="utf-8")
    path.write_text(sign(str(path)), encoding="utf-8")
    return str(path)


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """Keep a folder for changed rules until the process ends."""
    return tempfile.TemporaryDirectory(prefix="miniatures-")
