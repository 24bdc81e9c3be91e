"""A case told shortly: cards that nobody knows are counted, as in the text of a position, and not listed one by one."""

from itertools import groupby
from typing import Any, Final

Data = dict[str, Any]

UNKNOWN: Final = "?"


def shortly(case: Data) -> Data:
    """Count the unknown cards of the positions that a case tells; its requests name every card and stay as they are."""
    steps = [step | {"expect": _expected(step["expect"])} for step in case["steps"]]
    return case | {"given": _position(case["given"]), "steps": steps}


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
