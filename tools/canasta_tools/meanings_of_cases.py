"""What the id of a case means: what the case asks, of which clause, and how it is put to an engine."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from canasta_conformance.suite import Case, Suite, read_suite
from canasta_tools.meanings import Meaning

LEAST_PARTS: Final = 3
"""An id of a case is RULESET/CLAUSE/EXAMPLE; the name of a rule set may have more parts."""


def meanings_of_case(name: str) -> Iterator[Meaning]:
    """Tell of the case with this id, also of one that has another id now or was withdrawn."""
    id_ = name.strip().partition("#")[0]
    if id_.count("/") < LEAST_PARTS - 1:
        return
    suite = read_suite()
    if id_ in suite.cases:
        yield _case(suite, suite.cases[id_])
    elif id_ in suite.aliases:
        now = suite.aliases[id_]
        if now is None or now not in suite.cases:
            text = "It is no longer asked of anybody; the id stays known and is not given again."
            yield Meaning("case of the suite", id_, "withdrawn", (text,))
        else:
            found = _case(suite, suite.cases[now])
            yield Meaning(found.kind, found.id, found.title, found.paragraphs, (("was called", id_), *found.facts))


def _case(suite: Suite, case: Case) -> Meaning:
    clauses = suite.rules[case.ruleset].clauses
    facts = [("rule set", case.ruleset)]
    facts += [("clause", f"{c}: {clauses[c].title}" if c in clauses else c) for c in case.asserts]
    facts += [("option", f"{option}={value}") for option, value in case.options.items()]
    given = case.data.get("given", {}).get("text", "")
    facts += [("given", given)] if given else []
    for step in case.data.get("steps", ()):
        facts += _step(step)
    facts.append(("levels", ", ".join(str(n) for n in sorted({form.level for form in case.forms}))))
    facts.append(("ask it", f"canasta conformance run ADDRESS {case.id}"))
    return Meaning("case of the suite", case.id, f"a case of kind {case.kind}, level {case.level}", (), tuple(facts))


def _step(step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "turn" in step:
        yield "turn", f"{step['turn']['seat']}: {step['turn']['text']}"
    elif "ask" in step:
        yield "ask", str(step["ask"])
    for what, value in step.get("expect", {}).items():
        if isinstance(value, str | int | bool | list) and value != []:
            yield "expected", f"{what} {_words(value)}"


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if isinstance(value, dict):
        return " ".join(map(_words, value.values()))
    return str(value)
