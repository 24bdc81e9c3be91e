"""The schemas are valid, say the same as the code, and each departure is told once with its place."""

import json
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator

from canasta.language.digests import FORMAL, SPOKEN
from canasta.language.merging import HEAD, SINGLES, TABLES
from canasta.language.schema_check import _PART, check, check_clause, check_declaration, check_rule_file
from canasta.language.source import read_text
from canasta.rooms import room

SCHEMAS = sorted(p.name for p in (room("spec") / "schema").iterdir() if p.name.endswith(".schema.json"))
UNEXECUTED = {"id", *SPOKEN, "level", "sources", "ruling", "examples", "follows_from", "aliases"}


def schema(name: str) -> dict[str, dict[str, dict[str, object]]]:
    loaded = json.loads((room("spec") / "schema" / name).read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid_and_refer_to_what_exists(name: str) -> None:
    loaded = schema(name)
    Draft202012Validator.check_schema(loaded)
    used = {r.removeprefix("#/$defs/").partition("/")[0] for r in references(loaded) if r.startswith("#/$defs/")}
    assert used <= set(loaded.get("$defs", {}))


def test_the_schema_has_the_keys_that_the_code_reads() -> None:
    defs = schema("ruleset.schema.json")["$defs"]
    whole = set(defs["whole-ruleset"]["properties"])
    assert set(_PART) == {*TABLES, *SINGLES}
    assert {*TABLES, *SINGLES} <= whole
    assert whole - {*TABLES, *SINGLES, *HEAD} == {"chapters", "clauses", "set", "add", "replace", "remove"}


def test_every_field_of_a_clause_is_digested_or_known_not_to_count() -> None:
    defs = schema("ruleset.schema.json")["$defs"]
    kinds = defs["kind"]["enum"]
    assert isinstance(kinds, list)
    fields: set[str] = set()
    for kind in kinds:
        fields |= set(defs[kind]["properties"])
    assert fields - UNEXECUTED == set(FORMAL)


def test_findings_come_in_the_order_of_their_places() -> None:
    page = "ruleset: X\ntitle: y\nzones:\n  a: {of: no, as: no, seen: no}\nparameters:\n  b: {is: c}\nwhat: x\n"
    found = check_rule_file(read_text(page, "f"))
    assert [d.span for d in found] == sorted(d.span for d in found if d.span)
    assert [d.id for d in found] == ["RS1005", "RS1004", "RS1004", "RS1004", "RS1005", "RS1001"]


def test_parts_are_checked_alone() -> None:
    clause = "id: a.b\nkind: custom\ntitle: x\ntext: y\n"
    assert check_clause(read_text(clause, "f")) == []
    assert [d.id for d in check_clause(read_text(clause + "do: [x]\n", "f"))] == ["RS1001"]
    assert check_declaration(read_text("of: table\nas: bag\nseen: all\n", "f"), "zones.pile") == []
    assert [d.id for d in check_declaration(read_text("packs: two\n", "f"), "pack")] == ["RS1002", "RS1002", "RS1005"]


@pytest.mark.parametrize(
    ("value", "fits"),
    [("5", True), ("-5", True), ("5_000", True), ("1" * 9, True), ("1" * 10, False), ("5.0", False), ("'٣'", False)],
)
def test_whole_numbers(value: str, *, fits: bool) -> None:
    found = check(read_text(f"is: {value}\n", "f"), "ruleset", "parameter")
    assert (found == []) is fits
