"""What `canasta rules check` says of rulings: those that are misnamed, and those that a rule set does not fit."""

import shutil
from pathlib import Path

import pytest

from canasta.language.naming import known
from canasta.rooms import room
from canasta_tools.rule_checks import check_rules
from canasta_tools.ruling_checks import check_rulings

FIRST = "k78-cuban-first-round"
LIMIT = "k76-cuban-meld-after-a-canasta"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    whole = Path(str(room("spec")))
    for name in ("sources.yaml", "seeds.yaml"):
        shutil.copy(whole / name, tmp_path / name)
    shutil.copytree(whole / "rulings", tmp_path / "rulings")
    return tmp_path


def change(spec: Path, slug: str, old: str, new: str, to: str = "") -> None:
    path = spec / "rulings" / f"{slug}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    path.rename(path.with_name(f"{to or slug}.yaml"))


def found(spec: Path, name: str = "cuban") -> list[tuple[str, str]]:
    return [(d.id, d.message) for d in check_rulings(name, spec)]


@pytest.mark.parametrize("name", known())
def test_shipped_rule_sets_and_the_rulings_go_together(name: str) -> None:
    assert list(check_rulings(name)) == []


def test_a_slug_of_no_known_form_is_told(spec: Path) -> None:
    change(spec, FIRST, f"ruling: {FIRST}", "ruling: first-round", "first-round")
    assert ("RS6005", "ruling of the ruling first-round.yaml is ill-formed: first-round") in found(spec)


def test_an_empty_label_is_told_once(spec: Path) -> None:
    for slug, label in ((FIRST, "K78"), (LIMIT, "K76")):
        change(spec, slug, f"label: {label}", 'label: ""')
    assert [id_ for id_, _ in found(spec)] == ["RS6003", "RS6003"]


def test_a_label_of_another_ruling_and_a_file_of_another_name_are_told(spec: Path) -> None:
    change(spec, FIRST, "label: K78", "label: K76", "k78-first-round")
    assert sorted(id_ for id_, _ in found(spec)) == ["RS6006", "RS6012", "RS6012"]


def test_a_ruling_that_is_not_there_is_told_with_the_place_that_names_it(spec: Path) -> None:
    (spec / "rulings" / f"{FIRST}.yaml").unlink()
    (told,) = check_rulings("cuban", spec)
    assert (told.id, told.message) == ("RS6014", f"there is no ruling {FIRST}")
    assert told.span is not None
    assert told.span.file == "spec/rules/cuban/black-threes.yaml"


def test_an_option_without_its_ruling_and_with_other_words_is_told(spec: Path) -> None:
    change(spec, LIMIT, "applies: [cuban]", "applies: [uruguay]")
    assert found(spec) == [("RS6014", "no ruling settles the option meld_after_canasta of cuban")]
    change(spec, LIMIT, "applies: [uruguay]", "applies: [cuban]")
    change(spec, LIMIT, "    no:", "    never:")
    message = f"{LIMIT} tells of other words than the option meld_after_canasta of cuban has"
    assert found(spec) == [("RS6014", message)]


def test_a_ruling_settles_only_an_option_that_the_game_itself_declares(spec: Path) -> None:
    change(spec, LIMIT, "applies: [cuban]", "applies: [cuban, gin]")
    message = f"the option meld_after_canasta, which {LIMIT} settles for gin, is not declared by gin itself"
    assert found(spec, "gin") == [("RS6014", message)]


def test_a_persons_own_rule_set_is_asked_for_no_ruling(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("ruleset: own\ntitle: Own\nextends: cuban\nset: {hand_size: 12}\n", encoding="utf-8")
    assert list(check_rulings(str(own))) == []
    assert [d.id for d in check_rules(str(own), examples=False) if d.id.startswith("RS6")] == []
