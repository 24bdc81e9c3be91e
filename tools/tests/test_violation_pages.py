"""The pages of violation codes: each code has one, and what it shows is what the judge says."""

import pytest

from canasta_tools.catalogue import page_of_code
from canasta_tools.meanings import meanings
from canasta_tools.pages.violations import by_code, violation_pages
from canasta_tools.rulebook.material import material

FEW = ("classic", "bolivia/handbook")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return violation_pages([material(name) for name in FEW])


def test_every_code_has_a_page_and_stands_in_the_index(pages: dict[str, str]) -> None:
    codes = by_code([material(name) for name in FEW])
    assert {page_of_code(code) for code in codes} | {"docs/reference/violations/index.md"} == set(pages)
    assert all(f"[`{code}`](<#code/{code}>)" in pages["docs/reference/violations/index.md"] for code in codes)


def test_a_page_shows_the_clause_a_refused_turn_and_one_that_stands(pages: dict[str, str]) -> None:
    page = pages[page_of_code("FROZEN_NEEDS_PAIR")]
    assert "(code/FROZEN_NEEDS_PAIR)=\n" in page
    assert "[`classic`](<#classic/take.frozen.natural-pair>)" in page
    assert "│ pile 3, top K" in page
    assert "The turn `^KK2 -9` (take K♥︎ K♦︎ 2♦︎; discard 9♥︎) is **illegal**, for this alone." in page
    assert "In the same position the turn `^KKK -9` (take K♥︎ K♦︎ K♣︎; discard 9♥︎) stands." in page


def test_a_code_that_no_turn_of_a_player_gets_says_why(pages: dict[str, str]) -> None:
    assert "a fault of a record" in pages[page_of_code("NOT_YOUR_DEAL")]
    assert "carried out by the game itself" in pages[page_of_code("PRIZE_GIVEN_ALREADY")]
    assert "What would have been right" not in pages[page_of_code("NOT_YOUR_DEAL")]


def test_what_explains_a_code_names_its_page() -> None:
    (meant,) = meanings("frozen_needs_pair")
    assert ("shown in", "docs/reference/violations/frozen-needs-pair.md") in meant.facts
    (clause,) = meanings("take.frozen.natural-pair")
    assert "shown in" not in dict(clause.facts)
