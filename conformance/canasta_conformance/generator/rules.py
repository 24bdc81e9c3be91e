"""The rules that cases speak of, as data beside them: seats, pack, options, codes, and the text of every clause."""

from typing import Any

from canasta.formal import formal_text
from canasta.games import load_ruleset, open_game
from canasta.language.loading import load_document
from canasta.language.ruleset import Bound, Clause, Requirement, Ruleset, Score, Structure
from canasta.language.source import Mapping, Sequence
from canasta.playing.seats import seats_of
from canasta.prose import fill, option_word

Data = dict[str, Any]


def rules_of(name: str) -> Data:
    """Give what a harness, a runner or a report has to know of a rule set.

    Raises:
        CanastaError: with every fault of the rule set.
    """
    loaded, rules = load_document(name), load_ruleset(name)
    deck, seats = open_game(name, by_face=True).deck, seats_of(rules.table)
    nodes = {str(getattr(n.items.get("id"), "text", "")): n for n in _clauses(loaded.document)}
    options = {
        option.name: {
            "default": option_word(option, option.default),
            "values": [option_word(option, value) for value in option.allowed],
        }
        for option in rules.options.values()
    }
    return {
        "ruleset": name,
        "title": rules.title,
        **({"parent": loaded.lineage[0]} if loaded.lineage else {}),
        "seats": list(seats.names),
        "sides": list(seats.sides),
        "phases": list(rules.phases),
        "pack": [face for face, copies in zip(deck.names, deck.copies, strict=True) for _ in range(copies)],
        "zones": {zone.name: str(zone.of) for zone in rules.zones.values()},
        "lines": list(dict.fromkeys(score.item for score in rules.of_kind(Score))),
        "account": rules.table.account,
        "options": options,
        "profiles": _profiles(loaded.document),
        "clauses": [_clause(rules, c, formal_text(nodes[c.id])) for c in rules.clauses.values()],
    }


def _clauses(document: Mapping) -> list[Mapping]:
    listed = document.items.get("clauses")
    return [n for n in listed.items if isinstance(n, Mapping)] if isinstance(listed, Sequence) else []


def _profiles(document: Mapping) -> Data:
    """Give the options that each profile chooses."""
    found: Data = {}
    profiles = document.items.get("profiles")
    for name, profile in profiles.items.items() if isinstance(profiles, Mapping) else ():
        chosen = profile.items.get("options") if isinstance(profile, Mapping) else None
        items = chosen.items.items() if isinstance(chosen, Mapping) else ()
        found[name] = {option: str(getattr(value, "text", "")) for option, value in items}
    return found


def _clause(rules: Ruleset, clause: Clause, formal: str) -> Data:
    codes: tuple[str, ...] = (clause.code,) if isinstance(clause, Structure) else ()
    if isinstance(clause, Requirement | Bound):
        codes = tuple(dict.fromkeys(demand.code for demand in clause.require))
    told: Data = {"id": clause.id, "chapter": clause.chapter, "title": clause.title, "text": fill(rules, clause)}
    told |= {"codes": list(codes)} if codes else {}
    return told | {"formal": formal, "file": clause.span.file, "line": clause.span.line}
