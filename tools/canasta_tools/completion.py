"""What the tab key offers beside commands and options: names of rule sets and of their profiles."""

from canasta.diagnostics import CanastaError
from canasta.language.naming import known


def ruleset_names(begun: str) -> list[str]:
    """List names of rule sets, and of a rule set's profiles once its name is written, that begin like this."""
    base, colon, _ = begun.partition(":")
    names = list(known())
    if colon and base in names:
        from canasta.games import load_ruleset  # noqa: PLC0415 - only once a rule set is named

        try:
            names = [f"{base}:{profile}" for profile in load_ruleset(base).profiles]
        except CanastaError:
            return []
    return [name for name in names if name.startswith(begun)]
