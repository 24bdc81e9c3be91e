"""The core of the suite: as few cases as notice all faults that the suite notices at all, found greedily."""

from collections.abc import Collection, Iterable

from canasta_conformance.power.measuring import Outcome


def core(outcomes: Iterable[Outcome], seldom_asked: Collection[str] = ()) -> list[str]:
    """Choose cases, each time the one that notices most of what is left; among equals the first by name.

    Those that are ``seldom_asked``, for few engines can be asked them, are taken only for what nothing else notices.
    """
    killers: dict[str, set[int]] = {}
    for number, outcome in enumerate(outcomes):
        noticing = outcome.killers or outcome.elsewhere
        for notice in [n for n in noticing if n.case not in seldom_asked] or noticing:
            killers.setdefault(notice.case, set()).add(number)
    left = set().union(*killers.values())
    chosen: list[str] = []
    while left:
        best = min(killers, key=lambda case: (-len(killers[case] & left), case))
        chosen.append(best)
        left -= killers.pop(best)
    return sorted(chosen)
