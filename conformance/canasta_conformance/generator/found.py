"""Cases from positions that a search has found: what examples do not show of the conditions and bounds of a clause, and legal twins.

Only the input is kept. What is expected is what the rules say of it, worked out each time the suite is made, so that a rule that
is put right puts its cases right, and their ids stay.
"""

from collections.abc import Iterator
from typing import Any

from canasta.games import open_game
from canasta.language.ruleset import Clause, Example
from canasta.playing.examples import with_options
from canasta_conformance.finding.judging import judged
from canasta_conformance.finding.remembering import Found, Input
from canasta_conformance.finding.sketch import SketchError, read
from canasta_conformance.inprocess.answering import answered
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.suite import exchange_of

Data = dict[str, Any]


def example_of(name: str, clause: Clause, one: Input) -> Example | None:
    """Make an example of what was found; nothing where the rules, as they stand now, leave open what comes of it."""
    game = open_game(with_options(name, dict(one.options)))
    try:
        found = read(game.ruleset, one.given, one.do, one.ask, dict(one.options))
    except SketchError:
        return None
    outcome = judged(game, found)
    if outcome is None:
        return None
    return Example(one.id, one.given, one.do, outcome.expected, clause.span, one.ask, options=one.options)


def holding(forms: list[Data]) -> tuple[list[Data], list[str]]:
    """Keep the forms that the reference answers as they expect, and say of the others what it answers; keep none without a turn that holds.

    A single function may know less than a whole turn; and once every card has its suit, a turn may be played in another way.
    """
    kept, dropped = list[Data](), list[str]()
    for form in forms:
        came = answered(ReferenceEngine(), map(exchange_of, form["exchange"]), whole=True)
        if came.holds:
            kept.append(form)
        else:
            dropped.append(f"level {form['level']}, {form['exchange'][0]['send']['op']}: {came.told()}")
    return kept if any(form["level"] for form in kept) else [], dropped


def twinned(cases: list[tuple[Data, str]], memory: Found, name: str) -> Iterator[tuple[Data, str]]:
    """Give every illegal case the name of its twin, or the reason why it has none; the twin is about the same clause."""
    there = {case["id"]: case for case, _ in cases}
    of = {
        f"{name}/{case}": f"{name}/{twin}"
        for case, twin in sorted(memory.twins.items())
        if _verdict(there.get(f"{name}/{case}")) == "illegal" and _verdict(there.get(f"{name}/{twin}")) == "legal"
    }
    also: dict[str, list[str]] = {}
    for case, twin in of.items():
        also.setdefault(twin, []).append(there[case]["asserts"][0])
    for one, chapter in cases:
        id_ = one["id"]
        told = one | {"asserts": list(dict.fromkeys([*one["asserts"], *also.get(id_, ())]))}
        reason = memory.twinless.get(id_.removeprefix(f"{name}/"), "")
        more = {"twin": of[id_]} if id_ in of else {"twinless": reason} if reason else {}
        yield _after(told, "origin", more), chapter


def _verdict(case: Data | None) -> str:
    return str(case["steps"][0]["expect"].get("verdict", "")) if case is not None else ""


def _after(case: Data, key: str, more: Data) -> Data:
    """Put more into a case, behind one of its fields."""
    told: Data = {}
    for name, value in case.items():
        told[name] = value
        if name == key:
            told |= more
    return told
