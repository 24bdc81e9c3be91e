"""What was written reads back as the same record, whatever the record: text, canonical text and JSON."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark

from canasta.diagnostics import Severity
from canasta.notation import record as r
from canasta.notation.driver import Stop, tables
from canasta.notation.json_form import from_json, read_json, to_json
from canasta.notation.position_text import Field, Position, Value, parse_position, position_to_json, write_position
from canasta.notation.reader import read_bytes, read_records, read_text
from canasta.notation.turns import parse_turn
from canasta.notation.writer import digest, write, write_actions, write_all
from canasta.rooms import room

sys.path.insert(0, str(Path(__file__).parent))
from notation_strategies import actions, records  # noqa: E402 the tests are no package

sys.path.pop(0)

EXAMPLES = sorted((path.name for path in (room("grammar") / "examples").iterdir() if path.name.endswith(".cgn")))
GRAMMAR = (room("grammar") / "notation.lark").read_text(encoding="utf-8")
SLOW = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


def example(name: str) -> str:
    return (room("grammar") / "examples" / name).read_text(encoding="utf-8")


def broken(record: r.Record) -> bool:
    """Whether a record would run into the one thing text cannot say: tags alone do not end a record."""
    return not (record.tags or record.deals or record.result or record.comments)


@SLOW
@given(records())
def test_a_written_record_reads_as_itself(record: r.Record) -> None:
    text = write(record)
    again, found = read_text(text, "t.cgn")
    assert again == ([] if broken(record) else [record])
    assert not [d for d in found if d.id[:3] == "CN0" and d.severity is Severity.ERROR]


@SLOW
@given(records())
def test_formatting_twice_changes_nothing(record: r.Record) -> None:
    text = write(record)
    again, _ = read_text(text, "t.cgn")
    assert write_all(again) == text


@SLOW
@given(records())
def test_json_gives_the_same_record(record: r.Record) -> None:
    if broken(record):
        return
    data = json.loads(json.dumps(to_json(record)))
    again, found = from_json(data, "t.json")
    assert again == record, found


@SLOW
@given(st.lists(records().filter(lambda record: bool(record.tags and record.deals)), max_size=3))
def test_many_records_in_one_file_stay_apart(many: list[r.Record]) -> None:
    assert read_text(write_all(many), "t.cgn")[0] == many


@SLOW
@given(st.lists(actions, min_size=1, max_size=6).map(tuple))
def test_a_turn_without_its_seat_reads_as_itself(acted: tuple[r.Action, ...]) -> None:
    assert parse_turn(write_actions(acted), "t") == (acted, ())


positions = st.builds(
    Position,
    st.just("N"),
    st.sampled_from(["start", "play", "reply"]),
    st.lists(
        st.builds(
            Field,
            st.from_regex(r"[a-z_][a-z0-9_]{1,6}", fullmatch=True),
            st.sampled_from(["", "N", "NS", "P1"]),
            st.lists(st.builds(Value, st.from_regex(r"[^\s;]{1,8}", fullmatch=True)), max_size=3).map(tuple),
        ),
        max_size=4,
        unique_by=lambda part: (part.place, part.owner),
    ).map(tuple),
)


@SLOW
@given(positions)
def test_a_position_reads_as_itself(position: Position) -> None:
    text = write_position(position)
    assert parse_position(text, "t") == (position, ())
    assert json.loads(json.dumps(position_to_json(position))) == position_to_json(position)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_canonical_and_clean(name: str) -> None:
    text = example(name)
    found_records, found = read_text(text, name)
    assert not found
    assert write_all(found_records) == text
    for record in found_records:
        assert from_json(to_json(record), name)[0] == record
        assert read_json(json.dumps(to_json(record)), name)[0] == record


def test_the_grammar_has_no_two_terminals_for_one_text() -> None:
    Lark(GRAMMAR, parser="lalr", lexer="contextual", start=["file", "line", "turn_text", "position"], strict=True)


@pytest.mark.parametrize("name", EXAMPLES)
def test_lark_itself_accepts_the_examples(name: str) -> None:
    Lark(GRAMMAR, parser="lalr", lexer="contextual", start="file").parse(example(name))


LINES = from_lark(Lark(GRAMMAR, parser="lalr", lexer="contextual", start="line"))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(LINES)
def test_what_the_grammar_makes_the_driver_reads_or_refuses_like_lark(line: str) -> None:
    reference = Lark_line.parses(line)
    assert (not isinstance(tables().read(line, "line"), Stop)) == reference
    read_text(line, "t.cgn")


class Lark_line:  # noqa: N801 a name for one fixture
    """Lark's own reading of one line."""

    parser = Lark(GRAMMAR, parser="lalr", lexer="contextual", start="line")

    @classmethod
    def parses(cls, line: str) -> bool:
        from lark.exceptions import UnexpectedInput  # noqa: PLC0415 beside its only use

        try:
            cls.parser.parse(line)
        except UnexpectedInput:
            return False
        return True


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_records_or_findings(data: bytes) -> None:
    _, found = read_bytes(data, "t.cgn")
    assert all(d.id.startswith("CN") for d in found)


CGN_SIGNS = st.text(st.sampled_from(list("NESW kKqQ2379xJtdhs+^-/?!=.:;{}[]\"'\\\n\t0ТК♥penoutDealhandstockupscore")), max_size=80)


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
    sign = data.draw(st.sampled_from(list("AKx27chd+-^/?!=.:;{}[]\" \n~é")) | st.just(""))
    changed = part[:at] + sign + part[at + 1 :]
    found_records, found = read_text(changed, "t.cgn")
    assert found_records or found
    count = changed.count("\n") + 1
    assert all(d.span is not None and 1 <= d.span.line <= count for d in found)


def test_reading_needs_memory_for_one_record_only() -> None:
    import tracemalloc  # noqa: PLC0415 slows everything that is imported after it

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
