"""What is told where no case of the suite fits what was asked for."""

from collections.abc import Sequence
from difflib import get_close_matches

from canasta_conformance.suite import Suite


def nothing_fits(
    suite: Suite, patterns: Sequence[str], clauses: Sequence[str] = (), levels: Sequence[int] = (), tier: str = "",
    rulesets: Sequence[str] = (),
) -> tuple[str, str]:  # fmt: skip
    """Say what was asked for and fits nothing, and guess what was meant; an empty guess where nothing is near."""
    asked = [*patterns, *(f"clause {c}" for c in clauses), *(f"level {n}" for n in levels)]
    asked += [f"tier {tier}"] if tier else []
    asked += [f"rule set {name}" for name in rulesets]
    told = f"no case of the suite fits {', '.join(asked) or 'no pattern at no level'}"
    strange = next((name for name in rulesets if name not in suite.rules), "")
    return told, _ruleset_near(suite, strange) if strange else _near(suite, patterns, clauses)


def _ruleset_near(suite: Suite, name: str) -> str:
    near = get_close_matches(name.lower(), suite.rules, 1, 0.6)
    return f"did you mean --rules {near[0]}?" if near else f"the suite knows {', '.join(suite.rules)}"


def _near(suite: Suite, patterns: Sequence[str], clauses: Sequence[str]) -> str:
    """Guess what was meant by patterns and clauses that fit nothing; an empty text leaves the hint of the register."""
    asserted = dict.fromkeys(clause for case in suite.cases.values() for clause in case.asserts)
    beginnings = dict.fromkeys(case.id.rpartition("/")[0] for case in suite.cases.values())
    for words, known, written in ((patterns, [*suite.cases, *beginnings], ""), (clauses, [*asserted], "--clause ")):
        for word in words:
            if word not in known and any(name.startswith(word) for name in known):
                return f"a name is meant as far as a slash; for all that begins so write {written}'{word}*'"
            near = get_close_matches(word, known, 1, 0.8)
            if near and near[0] != word:
                return f"did you mean {written}{near[0]}?"
    return ""
