"""The core of the suite: as few forms of cases as notice all faults that the suite notices at all, found greedily."""

from collections.abc import Collection, Iterable

from canasta_conformance.power.measuring import Outcome
from canasta_conformance.tiers import Core


def core(outcomes: Iterable[Outcome], seldom_asked: Collection[str] = ()) -> Core:
    """Choose forms of cases, each time the one that notices most of what is left; among equals the first by name.

    Of a case the first form counts that notices a fault, which more engines can be asked than those after it. Cases that are
    ``seldom_asked``, for few engines can be asked them, are taken only for what nothing else notices.
    """
    killers: dict[tuple[str, int], set[int]] = {}
    for number, outcome in enumerate(outcomes):
        noticing = outcome.killers or outcome.elsewhere
        for notice in [n for n in noticing if n.case not in seldom_asked] or noticing:
            killers.setdefault((notice.case, notice.form), set()).add(number)
    left = set().union(*killers.values())
    chosen: dict[str, list[int]] = {}
    while left:
        best = min(killers, key=lambda asked: (-len(killers[asked] & left), asked))
        chosen.setdefault(best[0], []).append(best[1])
        left -= killers.pop(best)
    return {case: tuple(sorted(forms)) for case, forms in sorted(chosen.items())}
