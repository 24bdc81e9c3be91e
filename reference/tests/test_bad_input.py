"""Every wrong rule file gets exactly the words it deserves; `CANASTA_UPDATE_BAD=1` rewrites them for review."""

import os
import re
from pathlib import Path

import pytest

from canasta.diagnostic_ids import all_ids, explain
from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.build import build
from canasta.language.loading import load_document
from canasta.rendering import source_of, to_github, to_json, to_terminal

BAD = Path(__file__).parent / "bad"
ELSEWHERE = {
    "RS0018": "test_source.py: a file that may not be read",
    "RS0019": "test_source.py: a file of two million characters",
    "RS2033": "test_signing.py: a file that extends nothing",
    **dict.fromkeys(("RS4005", "RS4006", "RS4007", "RS4008", "RS4009"), "test_semantics.py: a warning"),
    **dict.fromkeys(("RS4018", "RS4019", "RS4020"), "test_runaway.py: found in play"),
    **dict.fromkeys(("RS4012", "RS4014", "RS4017", "RS4026"), "test_semantics.py: a warning"),
}
"""Ids of rule files that no file in the folder can show, and the test that shows them."""


def fixtures() -> list[str]:
    """List what is to be loaded: files, folders with a main file, and names such as a person types."""
    files = [p.name for p in BAD.iterdir() if p.suffix in (".yaml", ".name")]
    folders = [p.name for p in BAD.iterdir() if (p / "ruleset.yaml").is_file()]
    return sorted(files + folders)


def findings_of(fixture: str) -> tuple[Diagnostic, ...]:
    """Load and build what a fixture names, and say all that is found; places are relative to the folder."""
    name = (BAD / fixture).read_text(encoding="utf-8").strip() if fixture.endswith(".name") else fixture
    try:
        loaded = load_document(name)
        build(loaded.document, loaded.base, loaded.profile, loaded.chosen, loaded.chapter_of)
    except CanastaError as error:
        return error.diagnostics
    return loaded.findings


def expected_path(fixture: str) -> Path:
    return BAD / f"{fixture.removesuffix('.yaml').removesuffix('.name')}.expected"


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    monkeypatch.setattr("canasta.language.naming.known", lambda: ("classic", "classic/two", "samba"))


@pytest.mark.parametrize("fixture", fixtures())
def test_wrong_file_gets_its_words(fixture: str) -> None:
    found = findings_of(fixture)
    assert found, f"{fixture} is wrong, and nothing was said"
    told = "\n\n".join(to_terminal(d, source_of, colour=False) for d in found) + "\n"
    path = expected_path(fixture)
    if os.environ.get("CANASTA_UPDATE_BAD"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("fixture", fixtures())
def test_every_finding_is_registered_and_points_into_a_file(fixture: str) -> None:
    for d in findings_of(fixture):
        assert explain(d.id) is not None, d.id
        assert d.hint or d.labels or d.span, f"{d.id} helps nobody"
        if d.span is not None:
            text = source_of(d.span.file)
            assert text is not None, d.span
            rows = re.split(r"\r\n|\r|\n", text)
            assert 1 <= d.span.line <= len(rows), d.span
            assert 1 <= d.span.column <= len(rows[d.span.line - 1]) + 1, d.span
            assert (d.span.line, d.span.column) <= (d.span.end_line, d.span.end_column), d.span
    assert len(to_json(findings_of(fixture))) == to_github(findings_of(fixture)).count("\n")


def test_every_id_of_rule_files_has_a_fixture() -> None:
    shown = {d.id for fixture in fixtures() for d in findings_of(fixture)}
    rule_ids = {id_ for id_ in all_ids() if re.match("RS[0-4]", id_)}  # test_examples.py shows RS5xxx
    assert sorted(rule_ids - shown - set(ELSEWHERE)) == []
    assert sorted(set(ELSEWHERE) & shown) == []


def test_no_expectation_is_left_over() -> None:
    assert {p.name for p in BAD.glob("*.expected")} == {expected_path(f).name for f in fixtures()}


def test_every_id_in_the_code_is_registered() -> None:
    used: set[str] = set()
    for path in (Path(__file__).parents[1] / "canasta").rglob("*.py"):
        used |= set(re.findall(r'"((?:RS|CN|PL|US)\d{4})"', path.read_text(encoding="utf-8")))
    assert sorted(used - set(all_ids())) == []


def test_the_parent_of_the_fixtures_is_right() -> None:
    loaded = load_document("good/parent.yaml:strict")
    build(loaded.document, loaded.base, loaded.profile, loaded.chosen, loaded.chapter_of)
    assert loaded.chosen == {"may_throw_wild": "no"}
