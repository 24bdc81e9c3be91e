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


def places(text: str) -> list[tuple[str, int]]:
    return sorted((d.id, d.span.line) for d in read_text(text, "t.cgn")[1] if d.span)


def test_a_line_that_cannot_be_read_does_not_hide_wrong_sums_in_others() -> None:
    pad = (
        "Deal 1", "NS: 300 200 = 510 total 500", "EW: 100 - total 100", "Deal 2", "NS: 100 total 620", "EW: 50 = 60 total 160",
        "Deal 3", "NS: 100 total 710", "EW: 50 total 220", "result NS 700 EW 210",
    )  # fmt: skip
    assert places("\n".join(pad)) == [
        ("CN2001", 3), ("CN2002", 2), ("CN2002", 6), ("CN2003", 5), ("CN2003", 8), ("CN2003", 9),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        # A side's own line cannot be read: what it had before the next one is not known, so no total of it is wrong.
        (("Deal 1", "NS: 100 -", "Deal 2", "NS: 50 total 400", "result NS 400"), [("CN2001", 2)]),
        (("Deal 1", "NS: 100", "Deal 2", "NS: 100 -", "result NS 400"), [("CN2001", 4)]),
        # Perhaps the line that cannot be read begins a deal.
        (("Deel 4", "NS: 100 total 2000"), [("CN0020", 1)]),
        (("Deal 1", "NS: 100", "Deel 2", "NS: 100 total 200", "result NS 200"), [("CN0020", 3), ("CN2006", 4)]),
        # A line about another side hides nothing.
        (("Deal 1", "NS: 100", "EW: 100 -", "Deal 2", "NS: 100 total 210"), [("CN2001", 3), ("CN2003", 5)]),
        # What stands before it is known as ever.
        (("Deal 1", "NS: 100 total 110", "EW: 100 -"), [("CN2001", 3), ("CN2003", 2)]),
    ],
)
def test_what_may_hang_on_a_line_that_cannot_be_read_is_left_alone(
    lines: tuple[str, ...], found: list[tuple[str, int]]
) -> None:
    assert places("\n".join(lines)) == found


def test_a_line_that_is_too_long_is_refused_and_the_next_record_read() -> None:
    data = b"Deal 1\nN 7c ;" + b"x" * (LONGEST_LINE * 9) + b'\n[A "2"]\nDeal 1\nN 7c\n'
    readings = list(read_stream(io.BytesIO(data), "t.cgn"))
    assert [[d.id for d in reading.diagnostics] for reading in readings] == [["CN0003"], []]
    assert [reading.record is None for reading in readings] == [True, False]


@pytest.mark.whole
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
