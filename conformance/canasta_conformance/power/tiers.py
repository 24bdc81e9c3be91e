"""The core of the suite: as few cases as notice all faults that the suite notices at all, found greedily."""

from collections.abc import Iterable

from canasta_conformance.power.measuring import Outcome


def core(outcomes: Iterable[Outcome]) -> list[str]:
    """Choose cases, each time the one that notices most of what is left; among equals the first by name."""
    killers: dict[str, set[int]] = {}
    for number, outcome in enumerate(outcomes):
        for notice in outcome.killers or outcome.elsewhere:
            killers.setdefault(notice.case, set()).add(number)
    left = set().union(*killers.values())
    chosen: list[str] = []
    while left:
        best = min(killers, key=lambda case: (-len(killers[case] & left), case))
        chosen.append(best)
        left -= killers.pop(best)
    return sorted(chosen)
