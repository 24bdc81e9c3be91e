"""Cases from positions that a search has found: what examples do not show of the conditions and bounds of a clause, and legal twins.

Only the input is kept. What is expected is what the rules say of it, worked out each time the suite is made, so that a rule that
is put right puts its cases right, and their ids stay.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from canasta.games import load_ruleset, open_game
from canasta.language.ruleset import Clause, Example
from canasta.playing.examples import with_options
from canasta_conformance.adapters import answer
from canasta_conformance.finding.judging import judged
from canasta_conformance.finding.remembering import Input
from canasta_conformance.finding.sketch import Sketch, SketchError, distance, read
from canasta_conformance.grading import Graded, Status
from canasta_conformance.inprocess.engine import ReferenceEngine

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


def holding(forms: list[Data]) -> list[Data]:
    """Keep the forms that the reference answers as they expect; none where the turn itself comes out otherwise in them.

    A single function may know less than a whole turn; and once every card has its suit, a turn may be played in another way.
    """
    kept = [form for form in forms if _passes(form["exchange"])]
    return kept if any(form["level"] for form in kept) else []


def _passes(exchange: list[Data]) -> bool:
    engine, graded = ReferenceEngine(), Graded()
    for number, one in enumerate(exchange):
        graded.exchange(one.get("expect", {}), answer(engine, {"seq": number + 1, **one["send"]}))
    return graded.status() is Status.PASS


def twinned(cases: list[tuple[Data, str]], twins: dict[str, str], name: str) -> Iterator[tuple[Data, str]]:
    """Give every illegal case the name of its legal twin: the one that is remembered, else the nearest that there is."""
    there = {case["id"]: case for case, _ in cases if case["steps"][0]["expect"].get("verdict") == "legal"}
    for case, chapter in cases:
        if case["steps"][0]["expect"].get("verdict") != "illegal":
            yield case, chapter
            continue
        twin = f"{name}/{twins.get(case['id'].removeprefix(f'{name}/'), '')}"
        if twin not in there:
            twin = _nearest(case, there.values())
        yield (_after(case, "origin", {"twin": twin}) if twin else case), chapter


def _nearest(case: Data, among: Iterable[Data]) -> str:
    """Find the legal case that differs least from an illegal one; an option that is chosen otherwise is a difference as well."""
    mine = _sketched(case)
    alike = [(other, _sketched(other)) for other in among]
    apart = [
        (distance(mine, told) + len(mine.options.items() ^ told.options.items()), other["id"])
        for other, told in alike
        if mine is not None and told is not None
    ]
    return min((found for found in apart if found[0]), default=(0, ""))[1]


def _sketched(case: Data) -> Sketch | None:
    rules, step = load_ruleset(case["ruleset"]["name"]), case["steps"][0]
    try:
        return read(rules, case["given"]["text"], step["turn"]["text"], "", case["ruleset"]["options"])
    except SketchError:
        return None


def _after(case: Data, key: str, more: Data) -> Data:
    """Put more into a case, behind one of its fields."""
    told: Data = {}
    for name, value in case.items():
        told[name] = value
        if name == key:
            told |= more
    return told
