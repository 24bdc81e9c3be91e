"""What the names of a rule set may be taken for: other zones of the same form, the same of the opponents, of the player, of the side."""

from dataclasses import dataclass

from canasta.language.expressions import Tree
from canasta.language.ruleset import Owner, Ruleset

SEAT, SIDE = Owner.SEAT.value, Owner.SIDE.value


def name(word: str) -> Tree:
    """Make the tree of a name."""
    return Tree("name", (word,), (), 0, 0)


def call(word: str, *parts: Tree) -> Tree:
    """Make the tree of a call."""
    return Tree("call", (word,), parts, 0, 0)


NEXT = call("next", name(SEAT))
"""The opponent who comes next, and below the side of that player."""
THEIRS = call("side_of", NEXT)
OPPONENT = {SEAT: NEXT, SIDE: THEIRS}


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one rule set, each with those that a confused reader might put in its place."""

    owners: dict[str, tuple[str, ...]]
    """Whose a zone, a variable or a definition is: of the seat, of the side, of both in this order; the table's are missing."""
    alike: dict[str, tuple[str, ...]]
    """Zones of the same form."""
    partners: dict[str, tuple[str, ...]]
    """Variables of the same type that belong to the side instead of the player, or the other way round."""
    words: dict[str, str]
    """The word, rank, suit or colour that comes after another in its list."""
    reasons: tuple[str, ...]


def names_of(rules: Ruleset) -> Names:
    """Look the names of a rule set up."""
    owners: dict[str, tuple[str, ...]] = {zone.name: (zone.of.value,) for zone in rules.zones.values()}
    owners |= {variable.name: (variable.of.value,) for variable in rules.state.values()}
    owners |= {d.name: tuple(w for w in d.of if w in (SEAT, SIDE)) for d in rules.definitions.values()}
    owners = {n: of for n, of in owners.items() if of and of != (Owner.TABLE.value,)}
    zones, state = rules.zones.values(), rules.state.values()
    alike = {z.name: tuple(o.name for o in zones if o.form is z.form and o is not z) for z in zones}
    partners = {
        v.name: tuple(o.name for o in state if o.type == v.type and {o.of, v.of} == {Owner.SEAT, Owner.SIDE})
        for v in state
    }
    return Names(owners, alike, partners, _next_words(rules), rules.reasons)


def _next_words(rules: Ruleset) -> dict[str, str]:
    pack = rules.pack
    lists = [(*pack.ranks, *(r for r, _ in pack.extra)), pack.suits, pack.colours]
    lists += [v.type.words for v in rules.state.values()]
    lists += [o.type.words for o in rules.options.values()]
    lists += [a.option_type.words for a in rules.acts.values() if a.option_type is not None]
    found: dict[str, str] = {}
    for words in lists:
        for at, word in enumerate(words):
            if len(words) > 1:
                found.setdefault(word, words[(at + 1) % len(words)])
    return found
