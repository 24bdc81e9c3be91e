"""How findings look: in a terminal, as JSON, as annotations."""

import json
import re
from pathlib import Path

import pytest

from canasta.diagnostic_ids import all_ids, close_ids, explain, register
from canasta.diagnostics import Diagnostic, Label, Severity, Span
from canasta.language.source import RuleFileError
from canasta.rendering import source_of, to_github, to_json, to_terminal

PAGE = "first\n  wild: [2, Jk]\nlast"
FOUND = Diagnostic(
    "RS1004",
    "`wild` cannot be `Jk`",
    Span("my.yaml", 2, 13, 2, 15),
    "write a rank",
    (Label(Span("my.yaml", 1, 1, 1, 6), "declared here"),),
    clause="a.b",
    code="X_Y",
)


def test_a_finding_in_a_terminal() -> None:
    assert to_terminal(FOUND, PAGE, colour=False) == (
        "my.yaml:2:13: RS1004 `wild` cannot be `Jk` [a.b]\n"
        "  2 |   wild: [2, Jk]\n"
        "    |             ^^\n"
        "  my.yaml:1:1: declared here\n"
        "  1 | first\n"
        "    | ^^^^^\n"
        "  hint: write a rank\n"
        "  see: canasta explain RS1004"
    )


def test_without_source_and_without_place() -> None:
    assert "|" not in to_terminal(FOUND, None, colour=False)
    bare = Diagnostic("US0001", "no such thing", severity=Severity.WARNING)
    own_page = (
        "US0001 warning: no such thing\n  hint: `canasta --help` lists the commands\n  see: canasta explain US0001"
    )
    assert to_terminal(bare, None, colour=False) == own_page


def test_a_finding_without_a_hint_has_that_of_its_page_in_every_form() -> None:
    for id_ in all_ids():
        bare, page = Diagnostic(id_, "m"), explain(id_)
        assert page is not None
        assert f"hint: {page.hint}" in to_terminal(bare, None, colour=False)
        assert to_json([bare])[0]["hint"] == page.hint
        assert "hint: " in to_github([bare])


def test_no_line_is_blamed_where_a_finding_is_about_a_whole_text() -> None:
    shown = to_terminal(Diagnostic("US0016", "m", Span("a.cgn", 1, 1, 1, 1), "h"), "; words\n", colour=False)
    assert shown == "a.cgn:1:1: US0016 m\n  hint: h\n  see: canasta explain US0016"


def test_labels_in_other_files_are_looked_up() -> None:
    other = Diagnostic("RS2021", "twice", FOUND.span, labels=(Label(Span("b.yaml", 1, 3, 1, 4), "here"),))
    shown = to_terminal(other, {"my.yaml": PAGE, "b.yaml": "abc"}.get, colour=False)
    assert "  1 | abc\n    |   ^\n" in shown
    assert "abc" not in to_terminal(other, PAGE, colour=False)


def test_colour_changes_nothing_but_colour() -> None:
    painted = to_terminal(FOUND, PAGE, colour=True)
    assert "\x1b[" in painted
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == to_terminal(FOUND, PAGE, colour=False)


def test_signs_that_move_the_cursor_are_shown_as_what_they_are() -> None:
    label = Label(Span("c", 1, 1, 1, 2), "\x9b")
    evil = Diagnostic("RS1001", "\x1b[2Jgone\u202e", Span("a\x07b", 1, 2, 1, 3), "\r", (label,))
    shown = to_terminal(evil, "\t\x1b]0;x\x07y", colour=False)
    assert not any(ord(c) < 32 and c != "\n" for c in shown)
    assert "\u202e" not in shown
    assert "\x9b" not in shown
    assert "<U+001B>" in shown


def test_the_caret_stands_below_what_is_meant_on_a_long_line() -> None:
    row = "x" * 3000 + "HERE" + "y" * 3000
    shown = to_terminal(Diagnostic("RS1001", "m", Span("f", 1, 3001, 1, 3005)), row, colour=False).splitlines()
    at = shown[2].index("^")
    assert shown[1][at : at + 4] == "HERE"
    assert shown[2].count("^") == 4
    assert len(shown[1]) < 200


def test_places_outside_the_text_do_no_harm() -> None:
    for span in (Span("f", 0, 0, 0, 0), Span("f", 99, 1, 99, 2), Span("f", 1, 99, 1, 120), Span("f", 1, 3, 7, 1)):
        assert to_terminal(Diagnostic("RS1001", "m", span), "short\n", colour=False).startswith("f:")


def test_json_has_all_fields() -> None:
    (found,) = to_json([FOUND])
    assert json.loads(json.dumps(found)) == {
        "id": "RS1004", "code": "X_Y", "clause": "a.b", "file": "my.yaml", "line": 2, "col": 13, "end_line": 2,
        "end_col": 15, "message": "`wild` cannot be `Jk`", "hint": "write a rank", "severity": "error",
        "labels": [{"file": "my.yaml", "line": 1, "col": 1, "end_line": 1, "end_col": 6, "text": "declared here"}],
    }  # fmt: skip
    assert to_json([Diagnostic("US0001", "m")])[0]["file"] is None


def test_annotations_are_escaped() -> None:
    found = Diagnostic("RS1001", "50% of\r\nall: ::x::, y", Span("a,b:c%.yaml", 2, 1, 2, 4), "h")
    shown = to_github([found, Diagnostic("US0001", "m", None, "h", severity=Severity.NOTE)])
    assert shown == (
        "::error file=a%2Cb%3Ac%25.yaml,line=2,endLine=2,col=1,endColumn=4,title=RS1001::50%25 of%0D%0Aall: ::x::, y"
        "%0Ahint: h\n"
        "::notice title=US0001::m%0Ahint: h\n"
    )
    over = Diagnostic("RS1001", "m", Span("f", 2, 5, 3, 1), "h")
    assert to_github([over]) == "::error file=f,line=2,endLine=3,title=RS1001::m%0Ahint: h\n"


def test_sources_are_found_by_the_names_in_places(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\xff")
    assert source_of(str(path)) == "a: 1\ufffd"
    assert (source_of("spec/diagnostics/rules.yaml") or "").startswith("# The register of diagnostics")
    assert source_of("spec/../pyproject.toml") != "secret"
    for name in ("spec/none.yaml", str(tmp_path), "a\0b", ""):
        assert source_of(name) is None


def test_every_id_has_a_page_that_a_newcomer_can_use() -> None:
    assert list(all_ids()) == sorted(register())
    for id_ in all_ids():
        page = explain(id_.lower())
        assert page is not None
        assert page.id == id_
        assert not page.title.endswith(".")
        sentences = len(re.findall(r"[.?!](?:\s|$)", page.explanation))
        assert (3 if re.match("RS[0-5]", id_) else 2) <= sentences <= 7, id_
        assert page.explanation.endswith("."), id_
        assert page.hint, id_
    assert explain("RS9999") is None
    assert "RS0004" in close_ids("rs00o4")


def test_a_faulty_register_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "diagnostics"
    folder.mkdir()
    entry = "- {id: RS0001, title: x, explanation: y, hint: z}\n"
    (folder / "a.yaml").write_text(entry + "- {id: RS0002, title: x}\n- text\n", encoding="utf-8")
    (folder / "b.yaml").write_text(entry, encoding="utf-8")
    (folder / "c.yaml").write_text("a: b\n", encoding="utf-8")
    monkeypatch.setattr("canasta.diagnostic_ids.room", lambda _: tmp_path)
    register.cache_clear()
    try:
        with pytest.raises(RuleFileError) as caught:
            register()
    finally:
        register.cache_clear()
    assert [d.id for d in caught.value.diagnostics] == ["RS1002", "RS1002", "RS2022", "RS0013"]
