"""How far a variant is from the rule set it comes from: of all its changes, how many an example shows in play."""

from canasta.language.changes import Weight
from canasta.language.loading import load_document
from canasta.playing.distinguishing import distinguish
from canasta.playing.remembered import remembered


def changes_shown(ruleset: str) -> tuple[int, int]:
    """Count the changes that play can show, and those that an example does show, alone or with those that it takes along."""
    loaded = load_document(ruleset)
    if not loaded.lineage:
        return 0, 0
    found = distinguish(load_document(loaded.lineage[0]), loaded, remembered(ruleset))
    wanted = [shown for shown in found if shown.change.weight is Weight.EXECUTED]
    return len(wanted), sum(not shown.missing for shown in wanted)
