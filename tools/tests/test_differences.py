"""The differences between two rule sets, as pages and on the command line."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from canasta.language.changes import How
from canasta.language.loading import load_document
from canasta.language.naming import known
from canasta.language.signing import sign
from canasta.rooms import room
from canasta_tools.differences import of_shipped, pairs
from canasta_tools.pages.differences import differences_page

Call = Callable[..., Any]

HOUSE = """\
ruleset: ours
title: How we play
extends: classic:pagat
set: {draw_count: 2}
add:
  clauses:
    - id: draw.always
      kind: requirement
      on: [draw]
      title: You may always draw
      text: You may always draw.
      require: [{code: NO_DRAW, that: size(hand) >= 0}]
remove:
  - {clause: partners.draw, because: we know our partners}
"""


@pytest.fixture
def house(tmp_path: Path) -> str:
    path = tmp_path / "ours.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    path.write_text(sign(str(path)), encoding="utf-8")
    return str(path)


def test_every_shipped_rule_set_that_extends_another_has_a_pair() -> None:
    found = {child: parent for parent, child in pairs()}
    assert found == {name: line[0] for name in known() if (line := load_document(name).lineage)}
    assert found["classic/six/pairs"] == "classic/six"


def test_a_page_names_every_change_with_its_reason_and_both_results() -> None:
    found = of_shipped("classic", "classic/two")
    page = differences_page(found)
    for one in found.shown:
        change = one.change
        name = change.word if change.how is How.SET else change.name
        assert f"`{name}`" in page
        assert change.because in page
        if one.case is not None:
            for told in one.case.differs[:3]:
                words = {*re.findall(r"[A-Z_]{4,}|[\w.]+", f"{told.one} {told.other}")}
                assert all(word in page for word in words), (change.name, words)
    assert page.count("\n### ") == len(found.shown)
    assert "No example shows this change" not in page


@pytest.mark.whole
def test_a_page_shows_both_texts_and_both_formal_parts() -> None:
    page = differences_page(of_shipped("classic", "classic/six"))
    section = page[page.index("### What red threes count") if "### What red threes count" in page else 0 :]
    assert "`classic`: " in section
    assert "`classic/six`: " in section
    assert page.count("<details>") == page.count("</details>") > 3
    assert "points: " in page


def test_links_of_a_page_lead_to_the_book_that_has_the_clause() -> None:
    page = differences_page(of_shipped("classic", "classic/two"))
    assert "[`asking.when`](<#classic/asking.when>)" in page
    assert "[`deal.hands`](<#classic/two/deal.hands>)" in page


# -- the command -------------------------------------------------------------------------------------------------------


def test_one_name_is_compared_with_what_it_extends(call: Call) -> None:
    one, both = call("rules", "diff", "classic/six/pairs"), call("rules", "diff", "classic/six", "classic/six/pairs")
    assert (one.code, one.out) == (0, both.out)
    assert "parameters.match_target  10000 → 7500" in one.out
    assert "shown by a case" in one.err


@pytest.mark.whole
def test_what_scripts_rely_on_is_published(call: Call) -> None:
    schema = json.loads((room("spec") / "schema" / "differences-output.schema.json").read_text(encoding="utf-8"))
    for arguments in (("classic/three",), ("classic", "classic/two", "--no-cases"), ("classic:pagat", "classic:hoyle")):
        data = call("rules", "diff", *arguments, "--json").json
        assert list(Draft202012Validator(schema).iter_errors(data)) == []
        assert data["findings"] == []
        assert data["changes"]
        assert any(c["case"] for c in data["changes"]) is data["cases"]


@pytest.mark.whole
def test_a_change_of_ones_own_that_nothing_shows_is_told(call: Call, house: str) -> None:
    answer = call("rules", "diff", house)
    assert answer.code == 0
    assert "RS5014" in answer.err
    assert "draw.always" in answer.err
    assert "options.upcard_black_three  cover → keep" in answer.out
    assert "because we know our partners" in answer.out
    assert call("rules", "diff", "--strict", house).code == 1
    data = call("rules", "diff", "--json", house).json
    assert [(f["id"], f["clause"]) for f in data["findings"]] == [("RS5014", "draw.always")]
    quiet = call("rules", "diff", "--no-cases", "--strict", house)
    assert (quiet.code, "RS5014" in quiet.err) == (0, False)


@pytest.mark.whole
def test_a_file_that_extends_a_file_is_compared_with_that_file(call: Call, house: str) -> None:
    child = Path(house).with_name("sundays.yaml")
    child.write_text("ruleset: sundays\ntitle: Sundays\nextends: ours.yaml\nset: {hand_size: 9}\n", encoding="utf-8")
    answer = call("rules", "diff", "--no-cases", str(child))
    assert answer.code == 0, answer.err
    assert answer.out == "set\n  parameters.hand_size  11 → 9\n"
    assert f"1 change from {house}" in answer.err


def test_texts_and_formal_parts_are_shown_when_asked_for(call: Call) -> None:
    told = call("rules", "diff", "--long", "--no-cases", "classic/six").out
    assert "points: " in told
    assert "table:" in told


def test_a_rule_set_does_not_differ_from_itself(call: Call) -> None:
    answer = call("rules", "diff", "classic", "classic,tie=extra_deal")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err.startswith("0 changes from classic to classic,tie=extra_deal")


@pytest.mark.parametrize(
    ("arguments", "id_", "hint"),
    [
        (["classic"], "US0003", "name the one to compare it with"),
        (["classic", "classic/two", "classic/six"], "US0005", "rules diff OTHER NAME"),
        ([], "US0003", "--help"),
        (["clasic"], "RS2001", "did you mean classic"),
        (["classic", "classic/twoo"], "RS2001", "did you mean classic/two"),
        (["classic:nobody"], "RS2002", ""),
        (["--cases", "classic/two"], "US0002", "did you mean"),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_told(call: Call, arguments: list[str], id_: str, hint: str) -> None:
    answer = call("rules", "diff", *arguments)
    assert answer.code == 2
    assert answer.err.startswith(id_)
    assert hint in answer.err
    assert answer.out == ""


def test_a_variant_that_is_not_signed_is_told_so(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    answer = call("rules", "diff", str(path))
    assert answer.code == 2
    assert "RS2030" in answer.err
