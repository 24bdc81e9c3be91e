"""What must be so after every answer, whatever the case is about: no card lost or doubled, nothing changed by asking."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from canasta_conformance.comparing import canonical, cards_in, same_bag

Data = Mapping[str, Any]


def pack_kept(loaded: Sequence[str], zones: Mapping[str, Sequence[Any]], *, whole: bool) -> str:
    """Say what is wrong with the cards that are shown, of those that were loaded; ``whole`` if every zone is shown."""
    shown = cards_in(zones)
    if whole and len(shown) != len(loaded):
        return f"{len(shown)} cards lie there, and {len(loaded)} were loaded"
    known = [card for card in shown if card != "?"]
    if all(len(card) > 1 and card[-1] not in "rb" for card in known):
        surplus = Counter(known) - Counter(loaded)
        lost = Counter(loaded) - Counter(known) if whole and len(known) == len(shown) else Counter[str]()
        told = [
            f"{card} lies there {'once' if n == 1 else f'{n} times'} too often" for card, n in sorted(surplus.items())
        ]
        told += [f"{card} is missing" + (f" {n} times" if n > 1 else "") for card, n in sorted(lost.items())]
        return "; ".join(told)
    if whole and not same_bag(shown, list(loaded)):
        return "the cards that lie there are not those that were loaded"
    return ""


def unchanged(before: Data, after: Data) -> list[str]:
    """List the places that differ between two observations, where nothing should have changed."""
    one, other = canonical(before), canonical(after)
    found = [name for name in ("seat", "phase") if one[name] != other[name]]
    for part in ("zones", "values"):
        names = dict.fromkeys((*one[part], *other[part]))
        # What only one of the two observations shows was asked for by the case; it says nothing about a change.
        found += [n for n in names if n in one[part] and n in other[part] and one[part][n] != other[part][n]]
    return found


def sums_right(lines: Mapping[str, int]) -> str:
    """Say which sum of a ledger is not the sum of its lines, where an engine itemises."""
    for name, total in lines.items():
        owner, _, item = name.partition(".")
        if item == "total":
            own = [points for other, points in lines.items() if other.startswith(f"{owner}.") and other != name]
            if own and sum(own) != total:
                return f"{name} is {total}, and its lines make {sum(own)}"
    return ""


def is_over(observation: Data) -> bool:
    """Ask whether a deal has ended."""
    return bool(observation.get("values", {}).get("reason"))


def reversed_melds(position: Data) -> dict[str, Any] | None:
    """Give a position with the melds of every side in the other order; nothing where that is the same."""
    zones = {n: c[::-1] if c and isinstance(c[0], list) else c for n, c in position["zones"].items()}
    return {**position, "zones": zones} if zones != position["zones"] else None
