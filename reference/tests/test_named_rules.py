"""The rule set that a record names: a rule file lies beside the record, wherever we are; nothing else is opened."""

import os
from pathlib import Path

import pytest

from canasta.notation.reader import read_text
from canasta.playing.replay import replay

RULES = "ruleset: mine\ntitle: Mine\nextends: classic\nset: {hand_size: 13}\n"
DEAL = "Deal 1 dealer W\nup 6c\nN 7c\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a record's own folder in it, and go there."""
    (tmp_path / "sunday").mkdir()
    (tmp_path / "sunday" / "mine.yaml").write_text(RULES, encoding="utf-8")
    (tmp_path / "other.yaml").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ids(folder: Path, rules: str, chosen: str | None = None) -> list[str]:
    file = folder / "sunday" / "a.cgn"
    file.write_text(f'[Rules "{rules}"]\n{DEAL}', encoding="utf-8")
    (record,), found = read_text(file.read_text(encoding="utf-8"), os.path.relpath(file))
    assert found == []
    report = replay(record, chosen)
    assert all(d.hint and d.span is not None for d in report.findings)
    return [d.id for d in report.findings]


def test_a_rule_file_lies_beside_the_record(folder: Path) -> None:
    assert ids(folder, "mine.yaml") == []
    assert ids(folder, "./mine.yaml,tie=drawn") == []
    # It is found from no other folder, and the finding says where it was looked for.
    assert ids(folder, "other.yaml") == ["RS2001"]


def test_a_missing_rule_file_is_told_with_the_place_where_it_was_looked_for(folder: Path) -> None:
    file = folder / "sunday" / "a.cgn"
    file.write_text("", encoding="utf-8")
    (record,), _ = read_text(f'[Rules "nope.yaml"]\n{DEAL}', str(file))
    (finding,) = replay(record).findings
    assert (finding.id, finding.span.line if finding.span else 0) == ("RS2001", 1)
    assert (folder / "sunday" / "nope.yaml").as_posix() in finding.message


@pytest.mark.parametrize(
    "away", ["../other.yaml", "x/../../other.yaml", "{}/other.yaml", "C:/x.yaml", "..\\\\other.yaml"]
)
def test_a_record_opens_no_rule_file_outside_its_folder(folder: Path, away: str) -> None:
    assert ids(folder, away.format(folder)) == ["PL0046"]
    assert ids(folder, away.format(folder), "other.yaml") == []


def test_a_record_opens_no_other_file(folder: Path) -> None:
    (folder / "secret").write_text("a: b\n", encoding="utf-8")
    (folder / "ours").mkdir()
    (folder / "ours" / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    assert ids(folder, "secret") == ["PL0046"]
    assert ids(folder, "ours,tie=drawn") == ["PL0046"]
    assert ids(folder, "classic:pagat,tie=drawn") == []
    assert ids(folder, "clasic") == ["RS2001"]


def test_a_record_that_is_no_file_counts_from_where_we_are(folder: Path) -> None:
    (record,), _ = read_text(f'[Rules "other.yaml"]\n{DEAL}', "<stdin>")
    assert replay(record).findings == ()
    assert folder.is_dir()
