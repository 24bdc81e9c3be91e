"""A rule set is named by its name or by the path of a rule file; no other file is ever opened for it."""

from pathlib import Path

import pytest

from canasta.diagnostics import CanastaError, Severity
from canasta.games import load_ruleset
from canasta.language.naming import find
from canasta.notation.reader import read_text
from canasta.playing.replay import replay

HOUSE = "ruleset: house\ntitle: Ours\nextends: classic\n"


@pytest.mark.parametrize("name", ["house.yaml", "house.yml"])
def test_a_rule_file_is_found_by_its_path(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(HOUSE, encoding="utf-8")
    assert load_ruleset(str(tmp_path / name)).title == "Ours"
    assert load_ruleset(f"{tmp_path / name},tie=drawn").options["tie"].value == 1


def test_a_folder_with_a_main_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(HOUSE, encoding="utf-8")
    assert find(str(tmp_path)).main == tmp_path / "ruleset.yaml"


@pytest.mark.parametrize("name", ["secret", "secret.txt", "secret.yaml.bak", "secret.json"])
def test_a_file_of_another_kind_is_not_opened_whoever_names_it(name: str, tmp_path: Path) -> None:
    secret = tmp_path / name
    secret.write_text("password: swordfish\n", encoding="utf-8")
    with pytest.raises(CanastaError) as caught:
        load_ruleset(str(secret))
    assert [d.id for d in caught.value.diagnostics] == ["RS2001"]
    record, _ = read_text(f'[Rules "{secret}"]\nDeal 1 dealer W\nup 6c\nN 7c\n', "it.cgn")
    found = replay(record[0]).findings
    assert any(d.severity is Severity.ERROR for d in found)
    told = (*caught.value.diagnostics, *found)
    assert not any("swordfish" in f"{d.message}{d.hint}" for d in told)
    assert {d.span.file for d in told if d.span is not None} <= {"it.cgn"}


def test_a_file_that_a_variant_extends_is_a_rule_file_too(tmp_path: Path) -> None:
    (tmp_path / "parent.txt").write_text(HOUSE, encoding="utf-8")
    child = tmp_path / "child.yaml"
    child.write_text("ruleset: child\ntitle: Child\nextends: parent.txt\n", encoding="utf-8")
    with pytest.raises(CanastaError) as caught:
        load_ruleset(str(child))
    assert [d.id for d in caught.value.diagnostics] == ["RS2001"]
