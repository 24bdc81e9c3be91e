"""The book of differences: the case that shows each, drawn with both results, and what is executed where no word differs."""

from pathlib import Path

import pytest

from canasta_tools.rulebook.changed import Comparison, Difference, compared
from canasta_tools.rulebook.comparing import differences_page, differences_text


@pytest.fixture(scope="module")
def samba() -> Comparison:
    return compared("classic", "samba")


def by_name(found: Comparison) -> dict[str, Difference]:
    return {one.name: one for section in found.sections for one in section.differences}


def test_a_difference_has_the_case_that_shows_it_with_both_results(samba: Comparison) -> None:
    case = by_name(samba)["parameters.most_wilds"].case
    assert case is not None
    assert (case.id, case.story is not None) == ("melds.wilds/c114-third-wild", True)
    assert [(str(r.words), r.code) for r in (*case.old, *case.new)] == [
        ("legal", ()),
        ("illegal", ("TOO_MANY_WILDS",)),
    ]


def test_a_case_that_several_share_is_drawn_once(samba: Comparison) -> None:
    drawn = [one.case.id for one in by_name(samba).values() if one.case is not None and not one.seen]
    assert len(drawn) == len(set(drawn)) > 50
    page = differences_page("samba", "classic")
    assert page.count("A case that shows it") == len(drawn)


def test_where_only_what_is_executed_differs_both_are_told(samba: Comparison) -> None:
    pack = by_name(samba)["pack"]
    assert pack.formal_only
    assert pack.old is not None
    assert pack.new is not None
    assert ("packs: 2" in pack.old.executed, "packs: 3" in pack.new.executed) == (True, True)
    assert not by_name(samba)["parameters.most_wilds"].formal_only


def test_a_clause_changed_at_home_is_shown_by_an_example_of_its_own(tmp_path: Path) -> None:
    home = tmp_path / "home.yaml"
    home.write_text("ruleset: home\ntitle: At home\nextends: classic\nset: {hand_size: 13}\n", encoding="utf-8")
    text = differences_text(str(home), "classic")
    assert "At home: **`13`**" in text
    siblings = by_name(compared("uruguay", "cuban"))
    changed = siblings["melds.one-a-rank"].case
    assert changed is not None
    assert changed.clause == "melds.one-a-rank"
    assert changed.old != changed.new
