"""Cases that rest on no single clause: plays counted, what one seat may see, whole deals, and the notation.

They name the clause that says which acts a phase offers, for a case names at least one.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.language.digests import formal_digest
from canasta.language.loading import load_document
from canasta.language.ruleset import Clause, Example
from canasta_conformance.generator.dealing import dealt
from canasta_conformance.generator.examples import Maker, nodes_of, text_of

Data = dict[str, Any]


@dataclass(slots=True)
class General:
    """Makes cases of one rule set that are about play as a whole."""

    name: str
    game: Game
    clause: Clause
    maker: Maker
    formal: str

    def position(self, text: str) -> tuple[Data, Data]:
        """Give a position as a case tells it, and with every card named as a request does."""
        example = Example("general", text, "", {}, self.clause.span)
        given = self.maker.given(self.maker.position(text, example), text, example)
        loaded = {"seat": given["seat"], "phase": given["phase"], "zones": dealt(given["zones"], [], self.game.deck)}
        return given, loaded | ({"values": given["values"]} if "values" in given else {})

    def case(self, slug: str, kind: str, given: Data, step: Data, form: Data) -> Data:
        """Make a case of one step and one form."""
        return {
            "id": f"{self.name}/{self.clause.id}/{slug}",
            "ruleset": {"name": self.name, "options": {}},
            "kind": kind,
            "level": "must",
            "asserts": [self.clause.id],
            "formal": self.formal,
            "given": given,
            "steps": [step],
            "origin": {"from": "rules"},
            "forms": [form],
        }


def told_of(what: str, name: str) -> Data:
    """Read what is counted, seen or dealt of a rule set, from `conformance/positions.json`, which is written by hand."""
    found: Data = _written()[what].get(name, {})
    return found


def left_out(what: str, name: str) -> str:
    """Read why nothing is counted, seen or dealt of a rule set; nothing where something is."""
    return str(_written()["left_out"].get(what, {}).get(name, ""))


@cache
def _written() -> Data:
    path = Path(__file__).resolve().parents[2] / "positions.json"
    found: Data = json.loads(path.read_text(encoding="utf-8"))
    return found


def general(name: str) -> General:
    """Prepare the making of general cases of a rule set."""
    loaded, game = load_document(name), open_game(name, by_face=True)
    clause = game.ruleset.clauses[game.machine.refusals["phase"][0]]
    node = next(n for n in nodes_of(loaded.document, "clauses") if text_of(n, "id") == clause.id)
    return General(name, game, clause, Maker(loaded, game.ruleset, clause, node), formal_digest(node))
