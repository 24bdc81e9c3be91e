"""The resolved form of a rule set: one flat JSON file with everything that holds in it, for people without Python."""

import json
from typing import Final

from canasta.language.merging import SINGLES, TABLES
from canasta.language.ruleset import Option
from canasta.language.source import plain
from canasta.prose import option_word
from canasta_tools.rulebook.material import ClauseEntry, Material

SCHEMA: Final = "canasta-resolved/1"
"""The name of the form, whose shape is published as ``spec/schema/resolved.schema.json``."""


def resolved(book: Material) -> str:
    """Write a rule set in its resolved form: declarations merged, every clause with digests, origin and filled text."""
    loaded = book.loaded
    listed = loaded.document.items
    told: dict[str, object] = {
        "schema": SCHEMA,
        "ruleset": loaded.base,
        "title": book.ruleset.title,
        "about": " ".join(book.about.split()),
        "extends": list(loaded.lineage),
        "options": {o.name: _option(o) for o in book.ruleset.options.values()},
        "profiles": {name: _profile(book, name) for name in book.ruleset.profiles},
        "parameters": dict(book.ruleset.parameters),
        "declarations": {
            key: plain(listed[key])
            for key in (*SINGLES, *TABLES)
            if key in listed and key not in ("options", "profiles", "parameters")
        },
        "chapters": [
            {"chapter": c.name, "title": c.title, "about": c.about, "clauses": [e.clause.id for e in c.clauses]}
            for c in book.chapters
        ],
        "clauses": [_clause(book, entry) for entry in book.clauses],
    }
    if loaded.removed:
        told["removed"] = [{"id": id_, "by": r.ruleset, "because": r.because} for id_, r in loaded.removed.items()]
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _option(option: Option) -> dict[str, object]:
    told: dict[str, object] = {"default": option_word(option, option.default), "text": option.text}
    if option.allowed:
        told["values"] = [option_word(option, value) for value in option.allowed]
    if option.ruling:
        told["ruling"] = option.ruling
    return told


def _profile(book: Material, name: str) -> dict[str, object]:
    """Say what a profile chooses: every option, also where it takes the default."""
    rules = book.ruleset
    chosen = rules.profiles[name]
    words = {o.name: option_word(o, chosen.get(o.name, o.default)) for o in rules.options.values()}
    return {"title": book.profile_titles.get(name, ""), "options": words}


def _clause(book: Material, entry: ClauseEntry) -> dict[str, object]:
    clause, origin = entry.clause, book.loaded.origin.get(entry.clause.id)
    told: dict[str, object] = {
        "id": clause.id,
        "chapter": clause.chapter,
        "title": clause.title,
        "level": clause.level,
        "text": entry.text,
        "formal": entry.data,
        "digests": {"formal": entry.formal_digest, "text": entry.text_digest},
        "sources": [{"at": s.at, "says": s.says} | ({"note": s.note} if s.note else {}) for s in clause.sources],
    }
    if entry.codes:
        told["codes"] = list(entry.codes)
    if clause.ruling:
        told["ruling"] = clause.ruling
    if clause.aliases:
        told["aliases"] = list(clause.aliases)
    if origin is not None:
        told["origin"] = {"kind": str(origin.kind), "ruleset": origin.ruleset} | (
            {"because": origin.because} if origin.because else {}
        )
    return told
