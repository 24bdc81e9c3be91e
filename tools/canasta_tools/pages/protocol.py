"""The page of the protocol: every message with its fields and examples, from the schema; every place, from the rule sets."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from canasta.language.ruleset import Owner, Score, Variable
from canasta.language.types import BOOL
from canasta.rooms import room
from canasta_tools.rulebook.markdown import code, prose, render, table
from canasta_tools.rulebook.material import Material

Schema = Mapping[str, Any]

COMMON: Final = ("unsupported", "known_bug", "error")
"""The answers that every request may get."""

_MANY: Final = {"array": "list", "object": "mapping", "integer": "whole number", "boolean": "true or false"}


def protocol_page(books: Sequence[Material]) -> str:
    """Write every message of the protocol, and what a position can hold in each rule set."""
    schema = json.loads((room("conformance") / "protocol" / "messages.schema.json").read_text(encoding="utf-8"))
    parts: Schema = schema["$defs"]
    operations = [
        {
            "name": name, "request": parts[f"request.{name}"], "told": _resolved(parts, f"reply.{name}").get("description", ""),
            "asked": _fields(parts, f"request.{name}"), "answered": _fields(parts, f"reply.{name}"),
            "exchange": _examples(parts, f"request.{name}", f"reply.{name}"),
        }
        for name in parts["op"]["enum"]
    ]  # fmt: skip
    acts = [parts[name] for name in parts if name.startswith("act.")]
    return render(
        "protocol.md.j2",
        operations=operations,
        acts=[(act, "\n".join(json.dumps(example) for example in act["examples"])) for act in acts],
        common=[(parts[f"reply.{name}"], _examples(parts, f"reply.{name}")) for name in COMMON],
        books=[(book, _zones(book), _values(book), _words(book), _items(book)) for book in books],
    )


def _examples(parts: Schema, *names: str) -> str:
    return "\n".join(json.dumps(example) for name in names for example in parts[name].get("examples", ()))


def _resolved(parts: Schema, name: str) -> Schema:
    part: Schema = parts[name]
    if "$ref" not in part:
        return part
    base: Schema = parts[part["$ref"].removeprefix("#/$defs/")]
    return {**base, **part}


def _fields(parts: Schema, name: str) -> str:
    """Write the fields of a message but for its number and name."""
    part = _resolved(parts, name)
    required = part.get("required", ())
    shown = [(key, of) for key, of in part.get("properties", {}).items() if key != "op"]
    rows = [[code(key), _kind(of), "" if key in required else "may be left out"] for key, of in shown]
    return table(["field", "what stands there", ""], rows) if rows else ""


def _kind(of: Schema) -> str:
    """Say in a few words what a field holds."""
    if "$ref" in of:
        return code(of["$ref"].removeprefix("#/$defs/"))
    if "const" in of:
        return code(json.dumps(of["const"]))
    if "enum" in of:
        return "one of " + ", ".join(code(word) for word in of["enum"])
    if of.get("type") == "array" and "items" in of:
        return f"list of {_kind(of['items'])}"
    if of.get("type") == "object" and "properties" in of:
        return "mapping with " + ", ".join(
            code(key) + ("" if key in of.get("required", ()) else "?") for key in of["properties"]
        )
    kind = of.get("type", "value")
    return _MANY.get(kind, kind) if isinstance(kind, str) else " or ".join(_MANY.get(k, k) for k in kind)


# ---- what a position can hold -----------------------------------------------------------------------------------------


def _zones(book: Material) -> str:
    rows = [[code(_named(z.name, z.of)), _holds(str(z.form)), prose(z.text)] for z in book.ruleset.zones.values()]
    return table(["zone", "holds", "what it is"], rows)


def _holds(form: str) -> str:
    return {
        "stack": "cards in order, the top card last",
        "bag": "cards in any order",
        "groups": "a list of cards for each meld",
    }[form]


def _named(name: str, of: Owner) -> str:
    return {Owner.SEAT: f"{name}.SEAT", Owner.SIDE: f"{name}.SIDE"}.get(of, name)


def _values(book: Material) -> str:
    """Write the state variables of a rule set, then what every game has."""
    texts = book.texts("state")
    rows = [
        [code(_named(v.name, v.of)), _type(v), prose(texts.get(v.name, v.text))] for v in book.ruleset.state.values()
    ]
    reasons = ", ".join(code(reason) for reason in book.ruleset.reasons)
    rows += [
        [code("dealer"), "seat", "Who dealt; the last seat in order where nothing is said."],
        [code("deal_no"), "whole number", "The number of the deal in the match, from 1."],
        [code("sides"), "list of sides", "The sides as they are now, where they are not as at the beginning."],
        [code("reason"), reasons, "How the deal has ended; it stands only when it has."],
    ]
    return table(["value", "of which kind", "what it says"], rows)


def _type(variable: Variable) -> str:
    if variable.type.words:
        return ", ".join(code(word) for word in variable.type.words)
    if variable.type == BOOL:
        return "true or false"
    return {"int": "whole number", "bag": "cards"}.get(variable.type.name, str(variable.type.name))


def _words(book: Material) -> str:
    """Name seats, sides and phases."""
    from canasta.playing.seats import seats_of  # noqa: PLC0415 - only this page names seats

    seats = seats_of(book.ruleset.table)
    phases = ", ".join(code(name) for name in book.ruleset.phases)
    names = ", ".join(code(name) for name in seats.names)
    sides = ", ".join(code(name) for name in seats.sides)
    return prose(f"Seats {names}; sides {sides}; phases {phases}.")


def _items(book: Material) -> str:
    """Name the lines of the ledger."""
    items = dict.fromkeys(score.item for score in book.ruleset.of_kind(Score))
    return ", ".join(code(item) for item in (*items, book.ruleset.table.account))
