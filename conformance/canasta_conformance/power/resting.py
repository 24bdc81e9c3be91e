"""What the reason of an equivalent rests on: clauses and declarations besides the clause that was changed, each with its digest.

A thing is named by its word in the rule files: a clause by its id, a declaration as `KIND.NAME`, all declarations of a kind by the
kind. `uses WORD` is everything whose formal part has a word, for reasons of the form "nothing else asks for it"; `kind WORD` is every
clause of a kind. An heir that inherits the mutant and says such a thing otherwise is named before it, as `RULESET: THING`.
"""

from collections.abc import Iterable, Iterator, Mapping

from canasta.language.digests import FORMAL, canonical, declaration_digest, formal_digest
from canasta.language.source import Mapping as Document
from canasta.language.source import Node
from canasta_conformance.power.making import Mutant, words_of
from canasta_conformance.power.nodes import clauses, text
from canasta_conformance.power.trials import Family
from canasta_conformance.writing import digest

DECLARED = (
    "table", "pack", "classes", "values", "zones", "state", "marks", "shapes", "acts", "phases", "steps", "parameters", "options",
)  # fmt: skip
"""The kinds of declarations; what else stands in a document is for people."""

NOTHING = ""
"""The digest of what is not there."""


def digest_of(document: Document, thing: str) -> str:
    """Give the digest of what a thing of a rule set comes to in play; nothing where there is no such thing."""
    head, _, word = thing.partition(" ")
    if word and head == "uses":
        return digest(sorted(_using(document, word)))
    if word and head == "kind":
        return digest(sorted([text(n, "id"), formal_digest(n)] for n in clauses(document) if text(n, "kind") == word))
    clause = next((n for n in clauses(document) if text(n, "id") == thing), None)
    if clause is not None:
        return formal_digest(clause)
    kind, _, name = thing.partition(".")
    if kind not in DECLARED or kind not in document.items:
        return NOTHING
    node = document.items[kind]
    if not name:
        return _of_all(node)
    found = node.items.get(name) if isinstance(node, Document) else None
    return declaration_digest(found) if found is not None else NOTHING


def _of_all(node: Node) -> str:
    """Give the digest of all declarations of a kind; their order counts, for of phases the first is where a turn begins."""
    if isinstance(node, Document):
        return digest([[name, declaration_digest(item)] for name, item in node.items.items()])
    return declaration_digest(node)


def _using(document: Document, word: str) -> Iterator[list[str]]:
    """Go through the clauses and declarations that have a word in what is executed of them, or are named by it."""
    for node in clauses(document):
        formal = Document({key: n for key, n in node.items.items() if key in FORMAL}, {}, node.span)
        if word in words_of(repr(canonical(formal, ""))):
            yield [text(node, "id"), formal_digest(node)]
    for kind in DECLARED:
        listed = document.items.get(kind)
        for name, item in listed.items.items() if isinstance(listed, Document) else ():
            told = canonical(item, "") if not isinstance(item, Document) else _unspoken(item)
            if name == word or word in words_of(repr(told)):
                yield [f"{kind}.{name}", declaration_digest(item)]


def _unspoken(item: Document) -> object:
    kept = {key: node for key, node in item.items.items() if key not in ("text", "title", "about", "ruling")}
    return canonical(Document(kept, {}, item.span), "")


def things_of(rests: Iterable[str]) -> list[str]:
    """Name the things of a list without the heirs that say them otherwise, each once."""
    return list(dict.fromkeys(one.rpartition(": ")[2] for one in rests))


def now(family: Family, mutant: Mutant, things: Iterable[str]) -> dict[str, str]:
    """Give the digests of things in the rule set of a mutant, and in those heirs that inherit it and say them otherwise."""
    changed = family.opened(mutant)
    heirs = [name for name in family.loaded if name != mutant.ruleset and changed.touches(name)]
    found: dict[str, str] = {}
    for thing in things:
        found[thing] = here = _in(family, mutant.ruleset, thing)
        for heir in heirs:
            there = _in(family, heir, thing)
            if there != here:
                found[f"{heir}: {thing}"] = there
    return found


def _in(family: Family, ruleset: str, thing: str) -> str:
    if (ruleset, thing) not in family.digests:
        family.digests[ruleset, thing] = digest_of(family.loaded[ruleset].document, thing)
    return family.digests[ruleset, thing]


def moved(rests: Mapping[str, str], family: Family, mutant: Mutant) -> list[str]:
    """Say of everything on which a reason rests what is not as it was when the reason was written."""
    present = now(family, mutant, things_of(rests))
    told: list[str] = []
    for thing in dict.fromkeys((*present, *rests)):
        was, is_ = rests.get(thing), present.get(thing)
        if was is None:
            told.append(
                f"{thing} ({is_ or 'not there'}) is said otherwise there than in {mutant.ruleset}, and is not in the list"
            )
        elif is_ is None:
            told.append(f"{thing} is in the list, and is no other than in {mutant.ruleset}, or no heir")
        elif NOTHING == is_ == was and ": " not in thing:
            told.append(f"{thing} is nothing that {mutant.ruleset} says")
        elif was != is_:
            told.append(f"{thing} was {was or 'not there'} then and is {is_ or 'not there'} now")
    return told
