"""The ways that lead to a rule, as `conformance/power/routes.yaml` tells them, and which of them a clause of a rule set can be reached by.

A way is an expression of the rule language. It is asked where the clause decides, of the same act and the same cards as the clause
itself; a way whose words the rule set does not have leads nowhere in it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from canasta.games import load_ruleset
from canasta.language.kinds import nodes
from canasta.language.loading import Loaded
from canasta.language.merging import OriginKind
from canasta.language.ruleset import Requirement, Ruleset
from canasta.language.scope import Scope, words_of_acts
from canasta.language.types import BOOL, Expr, Op
from canasta.playing.asking import QuestionError, expression
from canasta_conformance.places import folder

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a turn comes to a rule: the acts at which it is judged, and what is so then."""

    name: str
    at: tuple[str, ...]
    that: str
    phase: str = ""
    asks: str = ""
    """The way counts only for clauses that ask this definition."""
    asks_not: str = ""
    """The way counts only for clauses that do not ask this definition."""
    once: bool = False
    """Whether one question is enough for the sort: about its first clause, in the rule set where the way first leads to it."""


@dataclass(frozen=True, slots=True)
class Sort:
    """Rules that are reached by the same ways."""

    title: str
    about: str
    clauses: tuple[str, ...]
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """A way that does not lead to a clause though its words are there, and why."""

    clause: str
    ways: tuple[str, ...]
    rulesets: tuple[str, ...]
    because: str

    def holds(self, ruleset: str, clause: str, way: Way) -> bool:
        """Ask whether it speaks of this way to a clause of a rule set."""
        return clause == self.clause and way.name in self.ways and (not self.rulesets or ruleset in self.rulesets)


@dataclass(frozen=True, slots=True)
class Map:
    """All ways to all rules that have any, and the clauses of which no ways are told, each with the reason."""

    sorts: tuple[Sort, ...]
    closed: tuple[Closed, ...]
    apart: Mapping[str, str] = field(hash=False)

    def sort_of(self, clause: str) -> Sort | None:
        """Find the sort of rule that a clause is of."""
        return next((sort for sort in self.sorts if clause in sort.clauses), None)

    def ways_to(self, clause: str) -> tuple[Way, ...]:
        """List the ways of the sort that a clause is of."""
        sort = self.sort_of(clause)
        return sort.ways if sort else ()

    def is_further(self, clause: str) -> bool:
        """Ask whether other clauses of its sort are named before a clause."""
        sort = self.sort_of(clause)
        return sort is not None and sort.clauses[0] != clause

    def why_not(self, ruleset: str, clause: str, way: Way) -> str:
        """Say why a way does not lead to a clause; nothing where it does."""
        return next((one.because for one in self.closed if one.holds(ruleset, clause, way)), "")


@cache
def routes() -> Map:
    """Read the ways."""
    return map_of(yaml.safe_load((folder("power") / "routes.yaml").read_text(encoding="utf-8")))


def map_of(told: Data) -> Map:
    """Make the map of what stands in the file of ways."""
    sorts = tuple(
        Sort(one["rules"], _line(one["about"]), tuple(one["clauses"]), tuple(_way(way) for way in one["ways"]))
        for one in told["sorts"]
    )
    closed = tuple(
        Closed(one["clause"], tuple(one["ways"]), tuple(one.get("in", ())), _line(one["because"]))
        for one in told["closed"]
    )
    apart = {clause: _line(one["because"]) for one in told["apart"] for clause in one["clauses"]}
    return Map(sorts, closed, apart)


def _line(text: str) -> str:
    return " ".join(text.split())


def _way(told: Data) -> Way:
    return Way(
        told["way"], tuple(told["at"]), told["that"], told.get("phase", ""), told.get("asks", ""),
        told.get("asks_not", ""), told.get("once", False),
    )  # fmt: skip


def own_requirements(rules: Ruleset, loaded: Loaded) -> Iterator[Requirement]:
    """Go through the requirements that a rule set says itself, those that it says otherwise than its parent among them."""
    yield from (c for c in rules.of_kind(Requirement) if loaded.origin[c.id].kind is not OriginKind.INHERITED)


def acts_of(way: Way, clause: Requirement) -> tuple[str, ...]:
    """List the acts at which a clause is judged on a way."""
    return tuple(act for act in way.at if act in clause.on)


def condition(rules: Ruleset, clause: Requirement, way: Way) -> Expr | None:
    """Read what must be so on a way; nothing where the rule set has not the words, or the clause is not judged there."""
    acts = tuple(rules.acts[act] for act in acts_of(way, clause))
    if not acts or (way.phase and way.phase not in rules.phases):
        return None
    asked = definitions_asked(rules, clause)
    if (way.asks and way.asks not in asked) or (way.asks_not and way.asks_not in asked):
        return None
    try:
        return expression(rules, way.that, Scope(words_of_acts(acts), where="a way"), BOOL)
    except QuestionError:
        return None


def definitions_asked(rules: Ruleset, clause: Requirement) -> frozenset[str]:
    """List the definitions on which a clause rests, those within others among them."""
    found: set[str] = set()
    waiting = [x for x in (clause.when, *(d.that for d in clause.require)) if x is not None]
    while waiting:
        for node in nodes(waiting.pop()):
            if node.op is Op.DEFINE and node.ref not in found:
                found.add(node.ref)
                waiting.append(rules.definitions[node.ref].body)
    return frozenset(found)


def wanted(told: Map, rules: Ruleset, loaded: Loaded, clause: Requirement) -> Sequence[Way]:
    """List the ways by which a rule set must be asked for a clause that it says itself."""
    return [
        way
        for way in told.ways_to(clause.id)
        if condition(rules, clause, way) is not None
        and not told.why_not(loaded.base, clause.id, way)
        and not (way.once and (told.is_further(clause.id) or _leads_before(loaded, clause.id, way)))
    ]


def _leads_before(loaded: Loaded, clause: str, way: Way) -> bool:
    """Ask whether a way leads to a clause in the parent already."""
    rules = load_ruleset(loaded.lineage[0]) if loaded.lineage else None
    found = rules.clauses.get(clause) if rules else None
    return rules is not None and isinstance(found, Requirement) and condition(rules, found, way) is not None


def unknown(told: Map, rulesets: Iterable[tuple[Ruleset, Loaded]]) -> list[str]:
    """Complain of what the map and the rule sets do not know of each other: clauses, acts that no way goes by, ways that fit nowhere."""
    known = list(rulesets)
    requirements = {c.id for rules, _ in known for c in rules.of_kind(Requirement)}
    named = [clause for sort in told.sorts for clause in sort.clauses] + list(told.apart)
    found = [f"{clause}: no ways are told, and no reason why not" for clause in sorted(requirements - {*named})]
    found += [f"{clause}: there is no such requirement" for clause in sorted({*named} - requirements)]
    found += [f"{clause}: named twice" for clause in sorted({c for c in named if named.count(c) > 1})]
    fitting: set[tuple[str, str]] = set()
    for rules, loaded in known:
        for clause in own_requirements(rules, loaded):
            sort = told.sort_of(clause.id)
            ways = [way for way in (sort.ways if sort else ()) if condition(rules, clause, way) is not None]
            fitting |= {(sort.title, way.name) for way in ways if sort}
            gone = {act for way in ways for act in acts_of(way, clause)}
            found += [
                f"{loaded.base}/{clause.id}: no way goes by {act}" for act in clause.on if sort and act not in gone
            ]
    for sort in told.sorts:
        found += [
            f"{sort.title}: {way.name} fits no clause" for way in sort.ways if (sort.title, way.name) not in fitting
        ]
    return found
