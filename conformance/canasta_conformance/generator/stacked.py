"""The same case from a stacked pack, for engines whose positions cannot be set: where its position is one that a deal leads to.

That is so when the first player is to act, holds as many cards as are dealt, and nothing lies on the table but the upcard. The
others then hold quiet cards. A form is made only if dealing really leads to that position, and if what the case expects does
not depend on what the others hold, as the reference plays it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from canasta.kernel.game import Game
from canasta.playing.seats import seats_of
from canasta_conformance.comparing import of_observation
from canasta_conformance.generator.dealing import UNKNOWN, dealt
from canasta_conformance.inprocess.answering import answered
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.suite import exchange_of

Data = dict[str, Any]

PLENTY: Final = 20
"""With fewer cards in the stock their number is part of the case."""

_CARRIED: Final = ("total", "dealer", "deal_no")


def stacked(game: Game, rules: Data, position: Data, asked: Sequence[Data]) -> Data | None:
    """Make the form of level 2 of a case that has one: ``asked`` are the exchanges after the position is there."""
    zones, values, seat = position["zones"], position.get("values", {}), position["seat"]
    allowed = {f"hand.{seat}", "pile", "stock"}
    if set(zones) != allowed or len(zones["pile"]) != 1 or len(zones["stock"]) < PLENTY:
        return None
    if any(name.partition(".")[0] not in _CARRIED for name in values) or not any(
        e["send"]["op"] == "turn" for e in asked
    ):
        return None
    send = _start(game, rules, zones, values, seat)
    if send is None:
        return None
    exchange = [{"send": send}, *asked]
    return {"level": 2, "exchange": exchange} if _holds(exchange, position) else None


def _start(game: Game, rules: Data, zones: Mapping[str, list[str]], values: Data, seat: str) -> Data | None:
    """Stack the pack: dealt card by card from the dealer's left, then the upcard, then the stock as it lies in the case."""
    names = seats_of(game.ruleset.table).names
    size = len(zones[f"hand.{seat}"])
    rest = dealt({**zones, "stock": [UNKNOWN] * (game.deck.total - size - 1)}, [], game.deck)["stock"]
    for card in zones["stock"]:
        rest.remove(card)
    # What is left lies with the quietest cards on top: they go to the others, the rest to the bottom of the stock.
    others = {name: [rest.pop() for _ in range(size)] for name in names if name != seat and len(rest) >= size}
    if len(others) != len(names) - 1:
        return None
    hands = others | {seat: list(zones[f"hand.{seat}"])}
    dealer = values.get("dealer", names[-1])
    order = [names[(names.index(dealer) + 1 + i) % len(names)] for i in range(len(names))]
    first = [hands[name][i] for i in range(size) for name in order]
    totals = {name.partition(".")[2]: v for name, v in values.items() if name.startswith("total.")}
    send: Data = {
        "op": "start",
        **rules,
        "dealer": dealer,
        "stock": [*rest, *zones["stock"], *zones["pile"], *first[::-1]],
    }
    return send | {k: values[k] for k in ("deal_no",) if k in values} | ({"totals": totals} if totals else {})


def _holds(exchange: Sequence[Data], position: Data) -> bool:
    """Ask whether dealing leads to the position, and the reference answers there as the case expects."""
    came = answered(ReferenceEngine(), map(exchange_of, exchange))
    if not came.holds:
        return False
    wanted = {key: position[key] for key in ("seat", "phase")}
    wanted["zones"] = {name: cards for name, cards in position["zones"].items() if name != "stock"}
    return not any(of_observation(wanted, came.replies[0]["observation"]))
