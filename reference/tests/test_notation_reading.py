"""The reader against real files, the grammar itself, damaged files and any bytes at all."""

import json
import re
import subprocess
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark
from lark.exceptions import UnexpectedInput

from canasta.diagnostics import Severity
from canasta.notation import record as r
from canasta.notation.driver import ANYWHERE, TABLES_FILE, Stop, tables
from canasta.notation.generate import tables_text
from canasta.notation.json_form import from_json, read_json, to_json
from canasta.notation.reader import read_bytes, read_records, read_text
from canasta.notation.writer import digest, write, write_all
from canasta.rooms import room

EXAMPLES = sorted(path.name for path in (room("grammar") / "examples").iterdir() if path.name.endswith(".cgn"))
GRAMMAR = (room("grammar") / "notation.lark").read_text(encoding="utf-8")


def example(name: str) -> str:
    return (room("grammar") / "examples" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_canonical_and_clean(name: str) -> None:
    text = example(name)
    found_records, found = read_text(text, name)
    assert not found
    assert write_all(found_records) == text
    for record in found_records:
        assert from_json(to_json(record), name)[0] == record
        assert read_json(json.dumps(to_json(record)), name)[0] == record


@pytest.mark.whole
def test_the_grammar_has_no_two_terminals_for_one_text() -> None:
    pytest.importorskip(
        "interegular", reason="Lark compares terminals only by this library, which `make check` installs"
    )
    Lark(GRAMMAR, parser="lalr", lexer="contextual", start=["file", "line", "turn_text", "position"], strict=True)


@pytest.mark.parametrize("name", EXAMPLES)
def test_lark_itself_accepts_the_examples(name: str) -> None:
    Lark(GRAMMAR, parser="lalr", lexer="contextual", start="file").parse(example(name))


LARK = Lark(GRAMMAR, parser="lalr", lexer="contextual", start="line")
LINES = from_lark(LARK)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(LINES)
def test_what_the_grammar_makes_the_driver_reads_or_refuses_like_lark(line: str) -> None:
    try:
        LARK.parse(line)
        accepted = True
    except UnexpectedInput:
        accepted = False
    assert (not isinstance(tables().read(line, "line"), Stop)) == accepted
    read_text(line, "t.cgn")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_records_or_findings(data: bytes) -> None:
    _, found = read_bytes(data, "t.cgn")
    assert all(d.id.startswith("CN") for d in found)


CGN_SIGNS = st.text(
    st.sampled_from(
        list("NESW kKqQ2379xJtdhs+^-/?!=.:;{}[]\"'\\\n\t0\N{CYRILLIC CAPITAL LETTER TE}♥penoutDealhandstockupscore")
    ),
    max_size=80,
)


@settings(max_examples=400, deadline=None)
@given(CGN_SIGNS)
def test_any_signs_of_the_notation_give_records_that_survive_or_findings(text: str) -> None:
    found_records, found = read_text(text, "t.cgn")
    refused = any(d.severity is Severity.ERROR for d in found)
    if text.strip() and not found_records:
        assert refused
    assert read_text(write_all(found_records), "t.cgn")[0] == found_records or len(found_records) > 1


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_mutated_example_gives_a_record_or_findings_with_places(data: st.DataObject) -> None:
    text = example(data.draw(st.sampled_from(EXAMPLES)))
    lines = text.split("\n")
    begin = data.draw(st.integers(0, max(len(lines) - 12, 0)))
    part = "\n".join(lines[:4] + lines[begin : begin + 12])
    at = data.draw(st.integers(0, len(part) - 1))
    sign = data.draw(st.sampled_from(list('AKx27chd+-^/?!=.:;{}[]" \n~é')) | st.just(""))
    changed = part[:at] + sign + part[at + 1 :]
    found_records, found = read_text(changed, "t.cgn")
    assert found_records or found
    count = changed.count("\n") + 1
    assert all(d.span is not None and 1 <= d.span.line <= count for d in found)


def test_reading_needs_memory_for_one_record_only() -> None:
    record = '[Rules "classic"]\n\nDeal 1\n' + "N 7c\nE KKK 992 -4s ; a comment\n" * 50

    def lines(times: int) -> Iterator[str]:
        for _ in range(times):
            yield from record.split("\n")

    peaks = []
    for times in (5, 60):
        tables()
        tracemalloc.start()
        assert sum(1 for _ in read_records(lines(times), "t.cgn")) == times
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5


def test_a_digest_notices_a_mistyping_that_is_another_legal_game() -> None:
    record = read_text('[Rules "classic"]\nDeal 1\nN 7c\nE 8d\n', "t.cgn")[0][0]
    signed = write(r.Record((*record.tags, r.Tag("Digest", digest(record))), record.deals))
    assert read_text(signed, "t.cgn")[1] == []
    assert [d.id for d in read_text(signed.replace("8d", "8h"), "t.cgn")[1]] == ["CN0015"]


@pytest.mark.parametrize(
    "text",
    [
        "N " + "Jk" * 20_000,
        "N " + "?9" * 20_000,
        "N ?" + "2" * 40_000,
        'N "' + '\\"' * 20_000,
        "N {" + "\\}" * 20_000,
        "NESW" * 10_000 + ":",
        "hand N " + "10," * 20_000,
        "N =" + "a." * 20_000,
        '[A "' + "\\" * 50_001,
    ],
    ids=lambda text: text[:8],
)
def test_a_malicious_line_is_settled_at_once(text: str) -> None:
    began = time.process_time()
    read_text(text, "t.cgn")
    assert time.process_time() - began < 2


def test_the_stored_tables_belong_to_the_grammar() -> None:
    stored = (room("grammar") / TABLES_FILE).read_text(encoding="utf-8")
    assert stored == tables_text(), "the grammar was changed: run python -m canasta.notation.generate"


def test_a_word_that_a_scanner_seeks_anywhere_begins_with_a_sign_of_its_own() -> None:
    made = tables()
    beside = {name for choice in made.choices if ANYWHERE.issubset(choice) for name in choice} - ANYWHERE
    assert {"LAY", "SHOW", "CARDS", "HOWMANY"} <= beside
    for name in beside:
        for sign in '"{;':
            for tail in ("", '"', "}", "x", "KK", 'x"', "x}", " ", "7", ":5", "+K"):
                assert not re.match(made.terminals[name], sign + tail), (name, sign, tail)


def test_reading_a_record_loads_neither_lark_nor_jsonschema() -> None:
    code = (
        "import sys; from canasta.notation.reader import read_text; read_text('N 7c', 't');"
        "print([m for m in ('lark', 'jsonschema', 'yaml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 our own words
    assert done.stdout.strip() == "[]"


def test_every_record_in_the_documentation_can_be_read() -> None:
    docs = Path(__file__).parents[2] / "docs"
    blocks = 0
    for page in sorted(docs.rglob("*.md")):
        for block in re.findall(r"^ *```cgn\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            blocks += 1
            _, found = read_text(textwrap.dedent(block), page.name)
            assert not found, (page.name, found)
    assert blocks >= 12


def places(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths to all parts of JSON data."""
    if path:
        yield path
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


JSON_BASE = to_json(read_text(example("kitchen-table.cgn"), "t.cgn")[0][0])
STRANGE = st.sampled_from([None, True, -1, 10**12, 1.5, "", "N", "Kd\n", "}", " x", "\ud800", "ß", "new", [], {}, [[]]])


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(places(JSON_BASE))), STRANGE)
def test_json_with_one_strange_part_gives_a_record_or_findings(path: tuple[str | int, ...], strange: object) -> None:
    data = json.loads(json.dumps(JSON_BASE))
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = strange
    record, found = from_json(data, "t.json")
    if record is None:
        assert found
    else:
        assert read_text(write(record), "t.cgn")[0] == [record]


def test_json_of_any_depth_or_length_is_refused_with_a_finding() -> None:
    for text in ("[" * 100_000, "1" * 9_999, '{"a": NaN}', "", "\x00"):
        record, found = read_json(text, "t.json")
        assert record is None
        assert [d.id[:4] for d in found] == ["CN00"] * len(found) != []
