"""What must be so after every answer, whatever the case is about: no card lost or doubled, nothing changed by asking."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from canasta_conformance.comparing import SIDES, STOCK, canonical, cards_in, same_bag, same_zone
from canasta_conformance.suite import Rules

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


def shows_every_zone(observation: Data, rules: Rules) -> bool:
    """Ask whether an observation has every place in which cards can lie by the rules, so that no card can lie out of sight."""
    zones = observation["zones"]
    parties = observation.get("values", {}).get(SIDES, rules.sides)
    owners = {"table": [""], "seat": rules.seats, "side": [str(party) for party in parties]}
    return bool(rules.zones) and all(
        any(_is_place(name, kind, owner) for name in zones) for kind, of in rules.zones.items() for owner in owners[of]
    )


def _is_place(name: str, kind: str, owner: str) -> bool:
    """Ask whether a place is that of an owner; a side is named by its seats in any order, or by the first that it has."""
    place, _, told = name.partition(".")
    return place == kind and (set(told) == set(owner) or (len(told) == 1 and told in owner))


def unchanged(before: Data, after: Data) -> list[str]:
    """List the places that differ between two observations, where nothing should have changed."""
    one, other = canonical(before), canonical(after)
    # What only one of the two shows says nothing about a change; who is to act means nothing once the deal is over.
    acting = () if is_over(before) and is_over(after) else ("seat", "phase")
    found = [name for name in acting if None not in (one[name], other[name]) and one[name] != other[name]]
    for part in ("zones", "values"):
        both = [n for n in one[part] if n in other[part] and one[part][n] != other[part][n]]
        found += [n for n in both if part == "values" or not same_zone(n, one[part][n], other[part][n])]
    return found


def left_alone(before: Data, after: Data, actor: str, rules: Rules) -> list[str]:
    """List the places that changed in a turn although they are nobody's who did anything in it.

    That is who acted, and who is next if his hand changed, for a turn may begin with something. What is left of the stock lies as it
    lay. Where partners may have been found in the turn, nobody can tell what of a side is whose.
    """
    one, other = before["zones"], after["zones"]
    following = str(after.get("seat", actor))
    hands = [name for name in one if name in other and _owned(name, rules) == ("seat", following)]
    moved = any(not same_zone(name, one[name], other[name]) for name in hands)
    active = {actor, following} if moved else {actor}
    parties = _lasting_parties(before, after, rules)
    found: list[str] = []
    for name in sorted(one.keys() & other.keys()):
        of, owner = _owned(name, rules)
        party = next((p for p in parties if _is_place(name, name.partition(".")[0], p)), "")
        members = {owner} if of == "seat" else set(party)
        if of != "table" and members and not active & members and not same_zone(name, one[name], other[name]):
            found.append(name)
    stirred = STOCK in rules.zones and STOCK in one and STOCK in other and not _lies_within(other[STOCK], one[STOCK])
    return [*found, *([STOCK] if stirred else [])]


def _lasting_parties(before: Data, after: Data, rules: Rules) -> list[str]:
    """List the sides that are the same before and after; none where this is not known."""
    told = [observation.get("values", {}).get(SIDES) for observation in (before, after)]
    if None in told:
        return [] if all(len(side) == 1 for side in rules.sides) else list(rules.sides)
    one, other = ({frozenset(map(str, party)) for party in parties} for parties in told)
    return ["".join(sorted(party)) for party in one] if one == other else []


def _owned(name: str, rules: Rules) -> tuple[str, str]:
    """Say whose a place is: of the table, of a seat or of a side, and of which."""
    kind, _, owner = name.partition(".")
    return rules.zones.get(kind, "table"), owner


def _lies_within(rest: Sequence[str], whole: Sequence[str]) -> bool:
    """Ask whether cards lie one upon the other as they lay in a stack, from whichever end the others were taken."""
    return any(same_zone(STOCK, whole[at : at + len(rest)], rest) for at in range(len(whole) - len(rest) + 1))


def sums_right(lines: Mapping[str, float], items: Sequence[str], account: str) -> str:
    """Say which sum of a ledger is not the sum of its lines, where these are all that the rules know and no others."""
    for name, total in lines.items():
        owner, _, item = name.partition(".")
        own = {other.removeprefix(f"{owner}."): p for other, p in lines.items() if other.startswith(f"{owner}.")}
        own.pop(account, None)
        if item == account and items and own.keys() == set(items) and sum(own.values()) != total:
            return f"{name} is {total}, and its lines make {sum(own.values())}"
    return ""


def is_over(observation: Data) -> bool:
    """Ask whether a deal has ended."""
    return bool(observation.get("values", {}).get("reason"))


def reversed_melds(position: Data) -> dict[str, Any] | None:
    """Give a position with the melds of every side in the other order; nothing where that is the same."""
    zones = {n: c[::-1] if c and isinstance(c[0], list) else c for n, c in position["zones"].items()}
    return {**position, "zones": zones} if zones != position["zones"] else None
