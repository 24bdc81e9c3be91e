"""What `canasta rules check` says of rulings: those that are misnamed, and those that a rule set does not fit."""

import shutil
from pathlib import Path

import pytest

from canasta.diagnostics import Diagnostic
from canasta.games import load_ruleset
from canasta.language.loading import load_document, read_files
from canasta.language.naming import known, parse_name
from canasta.register import read_rulings
from canasta.rooms import room
from canasta_tools.rule_checks import check_rules
from canasta_tools.ruling_checks import check_rulings
from canasta_tools.ruling_claims import check_claims

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


@pytest.mark.soon("classic", "samba")
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


# -- what a variant inherits and contradicts --------------------------------------------------------------------------


def claims(folder: Path, parent: str, changes: str) -> list[Diagnostic]:
    """Check a variant as if it were shipped: whether it bears out the rulings that it was given."""
    own = folder / "own.yaml"
    own.write_text(f"ruleset: own\ntitle: Own\nextends: {parent}\n{changes}", encoding="utf-8")
    main, _ = read_files(parse_name(str(own)).home)
    return list(check_claims(load_ruleset(str(own)), load_document(str(own)), main, read_rulings()))


def test_a_variant_without_changes_bears_out_what_it_inherits(tmp_path: Path) -> None:
    assert claims(tmp_path, "samba", "") == []


def test_a_variant_that_sets_an_option_against_an_inherited_ruling_is_told(tmp_path: Path) -> None:
    (told,) = claims(tmp_path, "classic", "set: {take_onto_canasta: no}\n")
    assert told.id == "RS6015"
    assert "has take_onto_canasta = no, and K28, which it prints, decides on yes" in told.message
    assert told.span is not None
    assert (told.span.line, told.span.column) == (4, 7)


def test_a_variant_in_which_the_example_of_an_inherited_ruling_comes_out_otherwise_is_told(tmp_path: Path) -> None:
    (told,) = claims(tmp_path, "classic", "set: {most_wilds: 2}\n")
    assert told.id == "RS6015"
    assert "does not bear out K03: k03-wild-limit-sentence/three-wild-cards: a legal turn is expected" in told.message
    assert "melds.wilds names it" in told.hint


CUT = """replace:
  - clause: deal.cut
    formal: c50b41016997b83b
    with: {text: The player at the dealer's right cuts the pack.%s}
"""


def test_a_variant_that_words_a_clause_anew_reads_the_inherited_ruling_again(tmp_path: Path) -> None:
    (told,) = claims(tmp_path, "classic", CUT % "")
    assert (told.id, told.clause) == ("RS6016", "deal.cut")
    assert "K05" in told.message
    assert claims(tmp_path, "classic", CUT % " , ruling: k05-who-cuts") == []
    assert claims(tmp_path, "classic", (CUT % "") + "    without: [ruling]\n") == []


def test_an_inherited_ruling_is_replayed_at_another_table(tmp_path: Path) -> None:
    """Its examples name the seats of four; at three tables they are other seats."""
    for parent in ("classic/two", "classic/three", "classic/six"):
        (told,) = claims(tmp_path, parent, "set: {most_wilds: 2}\n")
        assert told.id == "RS6015"
        assert "three-wild-cards: a legal turn is expected" in told.message


def test_a_ruling_that_decides_on_what_is_no_value_is_told(spec: Path) -> None:
    change(spec, LIMIT, "decided: yes", "decided: perhaps")
    assert found(spec) == [("RS6013", f"the option of the ruling {LIMIT}.yaml has no value perhaps")]


def test_an_example_of_a_ruling_has_the_shape_of_an_example(spec: Path) -> None:
    change(spec, "k17-freeze-before-opening", "    ask: frozen_for", "    asks: frozen_for")
    assert {id_[:3] for id_, _ in found(spec)} == {"RS1"}
