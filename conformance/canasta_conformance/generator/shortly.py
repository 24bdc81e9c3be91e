"""A case told shortly: what its file says of all is left out, and cards that nobody knows are counted, as in the text of a position."""

from itertools import groupby
from typing import Any, Final

from canasta_conformance.defaults import shortened

Data = dict[str, Any]

UNKNOWN: Final = "?"


def shortly(case: Data, ruleset: str) -> Data:
    """Tell a case shortly in a file of a rule set; its requests name every card and stay as they are."""
    steps = [step | {"expect": _expected(step["expect"])} for step in case["steps"]]
    return shortened(case | {"given": _position(case["given"]), "steps": steps}, ruleset)


def _expected(expect: Data) -> Data:
    return expect | {"after": _position(expect["after"])} if "after" in expect else expect


def _position(told: Data) -> Data:
    if "zones" not in told:
        return told
    return told | {"zones": {name: _counted(cards) for name, cards in told["zones"].items()}}


def _counted(cards: list[Any]) -> list[Any]:
    """Write ``?30`` for thirty cards that nobody knows."""
    if any(isinstance(card, list) for card in cards):
        return [_counted(card) for card in cards]
    found: list[Any] = []
    for card, same in groupby(cards):
        number = len(list(same))
        found += [f"{UNKNOWN}{number}"] if card == UNKNOWN and number > 1 else [card] * number
    return found
