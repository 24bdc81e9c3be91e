"""Bad records, positions and JSON: each wrong file gives exactly the findings that its .expected file shows."""

import io
import os
import re
from pathlib import Path

import pytest

from canasta.diagnostic_ids import all_ids
from canasta.diagnostics import Diagnostic
from canasta.notation.json_form import read_json
from canasta.notation.position_text import parse_position
from canasta.notation.reader import LONGEST_LINE, MOST_FINDINGS, MOST_LINES, read_bytes, read_stream, read_text
from canasta.rendering import to_terminal

FOLDER = Path(__file__).parent / "bad_records"
CASES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".expected")
UPDATE = os.environ.get("CANASTA_UPDATE_BAD") == "1"
# Too large to keep as files; made by the tests below.
MADE_HERE = {"CN0003", "CN0004", "CN0005"}


def findings(path: Path) -> tuple[Diagnostic, ...]:
    data = path.read_bytes()
    if path.suffix == ".cgn":
        return tuple(read_bytes(data, path.name)[1])
    text = data.decode()
    if path.suffix == ".json":
        return read_json(text, path.name)[1]
    return parse_position(text, path.name)[1]


def shown(path: Path) -> str:
    source = path.read_bytes().decode("utf-8", "replace")
    return "\n\n".join(to_terminal(found, source, colour=False) for found in findings(path)) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_a_wrong_file_gives_the_expected_findings(path: Path) -> None:
    expected = path.with_name(path.name + ".expected")
    if UPDATE:
        expected.write_text(shown(path), encoding="utf-8")
    assert shown(path) == expected.read_text(encoding="utf-8")
    assert findings(path), "a file in this folder must be wrong"


def test_every_expectation_has_its_file() -> None:
    assert {p.name.removesuffix(".expected") for p in FOLDER.glob("*.expected")} == {p.name for p in CASES}


def test_every_id_of_the_notation_has_a_fixture() -> None:
    seen = {found.id for path in CASES for found in findings(path)}
    registered = {name for name in all_ids() if name.startswith("CN")}
    assert seen | MADE_HERE == registered
    assert not seen & MADE_HERE


def test_every_finding_has_a_place_on_its_line_and_a_hint() -> None:
    for path in CASES:
        lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        for found in findings(path):
            assert found.hint, (path.name, found)
            assert re.fullmatch(r"CN\d{4}", found.id)
            assert found.span is not None, (path.name, found)
            if path.suffix == ".json" and found.span[1:] == (1, 1, 1, 1):
                continue  # about the file as a whole
            assert 1 <= found.span.column <= len(lines[found.span.line - 1]) + 1, (path.name, found)
            assert found.span.end_column > found.span.column, (path.name, found)


def test_a_record_with_a_line_that_cannot_be_read_is_not_given_back_in_part() -> None:
    text = '[A "1"]\nDeal 1\nN 7c\nE G\n\n[A "2"]\nDeal 1\nN 7c\n'
    records, found = read_text(text, "t.cgn")
    assert [record.tag("A") for record in records] == ["2"]
    assert [(d.id, d.span and d.span.line) for d in found] == [("CN0041", 4)]


def test_a_line_that_is_too_long_is_refused_and_the_next_record_read() -> None:
    data = b"Deal 1\nN 7c ;" + b"x" * (LONGEST_LINE * 9) + b'\n[A "2"]\nDeal 1\nN 7c\n'
    readings = list(read_stream(io.BytesIO(data), "t.cgn"))
    assert [[d.id for d in reading.diagnostics] for reading in readings] == [["CN0003"], []]
    assert [reading.record is None for reading in readings] == [True, False]


def test_a_record_that_is_too_long_is_refused_once() -> None:
    text = "Deal 1\n" + "N 7c\n" * (MOST_LINES + 5) + '[A "2"]\nDeal 1\nN 7c\n'
    records, found = read_text(text, "t.cgn")
    assert [d.id for d in found] == ["CN0004"]
    assert [record.tag("A") for record in records] == ["2"]


def test_only_so_many_findings_of_a_record_are_kept() -> None:
    _, found = read_text("Deal 1\n" + "N G\n" * (MOST_FINDINGS + 50), "t.cgn")
    assert len(found) == MOST_FINDINGS + 1
    assert found[-1].id == "CN0005"
    assert "50 further findings" in found[-1].message
