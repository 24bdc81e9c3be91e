"""The comparator: whether what an engine shows is what a case expects.

Cards are as exact as they are told: ``K`` stands for any king, ``3r`` for a red three, ``?`` for any card, on either side. Hands are
bags, the melds of a side a bag of bags; stock and pile are compared in order. A ``?`` that is answered where a card is expected is
no card that was shown: such a place can be wrong, but counts as right only where nobody who was asked may see more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Data = Mapping[str, Any]

STOCK: Final = "stock"
STACKS: Final = (STOCK, "pile")
"""Zones in which the order of cards matters."""

SIDES: Final = "sides"
"""Who plays with whom: in which order sides and their seats are named has no meaning."""

ORDERED_VALUES: Final = (SIDES,)
"""Values that are lists in order; other lists are bags of cards."""

NO_REASON: Final = "no values.reason, by which an observation says that the deal is over"
"""What is found where the deal should be over: whether it goes on, or only this was left out, nobody can tell."""

_COLOURS: Final = {"d": "r", "h": "r", "c": "b", "s": "b"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected: what it is about, and both sides as they were told."""

    grade: str
    place: str
    expected: object
    found: object


def same_card(one: str, other: str) -> bool:
    """Ask whether two cards, each as far as it is told, can be the same."""
    if "?" in (one, other):
        return True
    if one.startswith("Jk") or other.startswith("Jk"):
        return one[:2] == other[:2]
    if one[0] != other[0]:
        return False
    suits = one[1:], other[1:]
    if "" in suits or suits[0] == suits[1]:
        return True
    return _COLOURS.get(suits[0]) == suits[1] or _COLOURS.get(suits[1]) == suits[0]


def shown_card(expected: str, found: str) -> bool:
    """Ask whether a card was shown, and can be the one that is expected: ``?`` shows only that some card lies there."""
    return expected == "?" or (found != "?" and same_card(expected, found))


def same_bag(expected: Sequence[Any], found: Sequence[Any], same: Callable[[Any, Any], bool] = same_card) -> bool:
    """Ask whether two bags can hold the same: each of one side finds a partner of its own on the other."""
    if len(expected) != len(found):
        return False
    partner: dict[int, int] = {}

    def place(one: int, tried: set[int]) -> bool:
        for other, card in enumerate(found):
            if other not in tried and same(expected[one], card):
                tried.add(other)
                if other not in partner or place(partner[other], tried):
                    partner[other] = one
                    return True
        return False

    return all(place(one, set()) for one in range(len(expected)))


def same_zone(
    name: str, expected: Sequence[Any], found: Sequence[Any], same: Callable[[str, str], bool] = same_card
) -> bool:
    """Ask whether a zone holds what is expected."""
    if name.partition(".")[0] in STACKS:
        return len(expected) == len(found) and all(map(same, expected, found))
    if any(isinstance(part, list) for part in (*expected, *found)):
        groups = all(isinstance(part, list) for part in (*expected, *found))
        return groups and same_bag(expected, found, lambda one, other: same_bag(one, other, same))
    return same_bag(expected, found, same)


def _parties(sides: Sequence[object]) -> list[list[str]]:
    return sorted(sorted(str(side)) for side in sides)


def same_value(name: str, expected: object, found: object) -> bool:
    """Ask whether a value is as expected; truth and numbers are not the same thing."""
    if name == SIDES and isinstance(expected, list) and isinstance(found, list):
        return _parties(expected) == _parties(found)
    if isinstance(expected, list) and isinstance(found, list) and name not in ORDERED_VALUES:
        return same_bag(expected, found)
    return same_figure(expected, found)


def same_figure(expected: object, found: object) -> bool:
    """Ask whether two truths, numbers or words are the same: `85.0` is `85`, and `1` is not `true`."""
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    return expected == found


def _is_shown(name: str, expected: Sequence[Any], found: Sequence[Any], hidden: Data, seat: str) -> bool:
    """Ask whether the cards that are expected were shown, as far as whoever was asked may see them."""
    kind, _, owner = name.partition(".")
    unseen = kind == "stock" or name in hidden or (kind == "hand" and bool(seat) and owner != seat)
    return unseen or same_zone(name, expected, found, shown_card)


def _holds_unshown(name: str, expected: object, found: object) -> bool:
    """Ask whether a value is a list of cards, and one that is expected was answered by `?`."""
    lists = isinstance(expected, list) and isinstance(found, list) and name not in ORDERED_VALUES
    return lists and not same_bag(expected, found, shown_card)  # type: ignore[arg-type]  # lists, as was asked


def of_observation(expect: Data, observation: Data, seat: str = "") -> tuple[list[Difference], list[str]]:
    """Compare what is expected with an observation: the differences, and the places that are not shown.

    ``seat`` is the one that was asked what it sees; without it everything was asked for.
    """
    differences: list[Difference] = []
    unshown: list[str] = []
    zones, values = observation.get("zones", {}), observation.get("values", {})
    if "seat" in expect:
        _to_act(expect, observation, differences, unshown)
    for name, cards in expect.get("zones", {}).items():
        if name not in zones:
            unshown.append(name)
        elif not same_zone(name, cards, zones[name]):
            differences.append(Difference("state", name, cards, zones[name]))
        elif not _is_shown(name, cards, zones[name], expect.get("hidden", {}), seat):
            unshown.append(name)
    for name, value in expect.get("values", {}).items():
        if name == "reason" and name not in values:
            differences.append(Difference("state", name, value, NO_REASON))
        elif name not in values:
            unshown.append(name)
        elif not same_value(name, value, values[name]):
            differences.append(Difference("state", name, value, values[name]))
        elif _holds_unshown(name, value, values[name]):
            unshown.append(name)
    return differences, unshown


def shown_too_much(hidden: Mapping[str, int], observation: Data) -> list[Difference]:
    """Find the places of which a seat is shown more than it may see; a place that is not shown at all hides everything."""
    zones = observation.get("zones", {})
    found: list[Difference] = []
    for name, number in hidden.items():
        cards = zones.get(name, ["?"] * number)
        shown = [card for card in cards if card != "?"]
        if len(cards) - len(shown) < number:
            found.append(Difference("state", name, f"{number} cards hidden", shown))
    return found


def _to_act(expect: Data, observation: Data, differences: list[Difference], unshown: list[str]) -> None:
    wanted = f"{expect['seat']} at {expect['phase']}"
    reason = observation.get("values", {}).get("reason")
    if reason:
        differences.append(Difference("state", "to act", wanted, f"the deal is over: {reason}"))
    elif "seat" not in observation or "phase" not in observation:
        unshown.append("to act")
    elif (expect["seat"], expect["phase"]) != (observation["seat"], observation["phase"]):
        differences.append(Difference("state", "to act", wanted, f"{observation['seat']} at {observation['phase']}"))


def canonical(observation: Data) -> Data:
    """Give an observation in a form that is equal for all that lies alike."""
    zones = {name: _sorted_zone(name, cards) for name, cards in sorted(observation.get("zones", {}).items())}
    values = {
        name: sorted(value) if isinstance(value, list) and name not in ORDERED_VALUES else value
        for name, value in sorted(observation.get("values", {}).items())
    }
    return {"seat": observation.get("seat"), "phase": observation.get("phase"), "zones": zones, "values": values}


def _sorted_zone(name: str, cards: Sequence[Any]) -> list[Any]:
    if name.partition(".")[0] in STACKS:
        return list(cards)
    return sorted(sorted(part) if isinstance(part, list) else part for part in cards)


def cards_in(zones: Mapping[str, Sequence[Any]]) -> list[str]:
    """List every card of some zones."""
    found: list[str] = []
    for cards in zones.values():
        for part in cards:
            found += part if isinstance(part, list) else [part]
    return found
