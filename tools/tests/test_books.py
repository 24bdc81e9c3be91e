"""The books as pages: whole, well-formed, with anchors that are there once, and nothing fetched from anywhere."""

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from canasta.games import load_ruleset
from canasta.language.loading import load_document
from canasta.language.naming import known
from canasta.notation.cards import Card
from canasta.rooms import room
from canasta_tools.rulebook import cards, lawpage
from canasta_tools.rulebook.cards import Face, address, faces, large, small, spoken, written
from canasta_tools.rulebook.dealing import Dealer
from canasta_tools.rulebook.editions import Edition, Form, Order, book
from canasta_tools.rulebook.lawbook import BookError
from canasta_tools.rulebook.lawpage import law_page
from canasta_tools.rulebook.material import material, register
from canasta_tools.rulebook.page import Artist, ids, outside, prose
from canasta_tools.rulebook.scenes import Story, story
from canasta_tools.rulebook.telling import Said, teller
from canasta_tools.translations.languages import languages

from .conftest import Caller  # isort: skip

EMPTY = {"meta", "input", "br", "hr", "img", "link"}
EDITIONS = list(Edition)


class Reader(HTMLParser):
    """Reads a page and notes every element that is not closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.labels: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY:
            self.open.append(tag)
        found = dict(attrs)
        if found.get("role") == "img":
            self.labels.append(found.get("aria-label") or "")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{self.getpos()} {tag}")


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def check(page: str) -> None:
    reader = read(page)
    assert reader.faults == []
    assert reader.open == []
    assert all(reader.labels)
    anchors = ids(page)
    assert [name for name, times in Counter(anchors).items() if times > 1] == []
    targets = re.findall(r'href="#([^"]+)"', page)
    assert sorted(set(targets) - set(anchors)) == []
    assert list(outside(page)) == []
    assert page.startswith("<!doctype html>")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_page_is_whole(edition: Edition) -> None:
    check(book(Order("cuban"), edition, Form.HTML).decode())


@pytest.mark.deep
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", *languages()])
@pytest.mark.parametrize("name", known())
def test_every_page_is_whole(name: str, language: str, edition: Edition) -> None:
    order = Order(
        name, language, "" if load_document(name).extends else f"{name}:{next(iter(load_ruleset(name).profiles))}"
    )
    check(book(order, edition, Form.HTML).decode())
    assert book(order, edition, Form.MD).decode().startswith("# ")


def test_what_would_be_fetched_is_seen() -> None:
    page = '<img src="https://a/b.png"><a href="#c"> url(data:x) url(other.png) <link href="style.css">'
    assert sorted(outside(page)) == ["https://a/b.png", "other.png", "style.css"]


def test_the_law_page_prints_every_clause_once_with_its_examples() -> None:
    page = lawpage.law_page("classic")
    for entry in material("classic").clauses:
        assert page.count(f'id="{entry.clause.id}"') == 1
        assert all(page.count(f'id="{entry.clause.id}/{w.example.id}"') == 1 for w in entry.examples)


def test_a_law_page_that_leaves_a_clause_out_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = material("cuban")
    short = replace(whole, chapters=whole.chapters[1:])
    monkeypatch.setattr(lawpage, "material", lambda *_: short)
    with pytest.raises(BookError) as caught:
        lawpage.law_page("cuban")
    assert {d.clause for d in caught.value.diagnostics} == {e.clause.id for e in whole.chapters[0].clauses}


def test_a_text_without_translation_is_marked_as_english() -> None:
    assert prose(Said("A card", "en", foreign=True)) == '<span lang="en">A card</span>'
    assert prose(Said("A `card` & [it](a.md)")) == "A <code>card</code> &amp; it"
    assert prose("an odd ` sign <b>") == "an odd ` sign &lt;b&gt;"


# -- cards -------------------------------------------------------------------------------------------------------------


def all_faces() -> list[Face]:
    pack = load_ruleset("classic").pack
    colour = dict(zip(pack.suits, (pack.colours[i] for i in pack.colour_of), strict=True))
    found = [Face(rank, suit, colour[suit]) for rank in faces().ranks for suit in faces().suits]
    return [*found, *(Face(rank, "", c) for rank in faces().extra for c in pack.colours)]


def test_all_faces_are_drawn_and_differ() -> None:
    assert len(all_faces()) == 54
    for draw in (small, large):
        drawings = {draw(face) for face in (*all_faces(), cards.DOWN)}
        assert len(drawings) == 55
        assert all(re.fullmatch(r"<svg xmlns='[^']+' viewBox='[\d ]+'>.*</svg>", d) for d in drawings)
        assert all(read(d).open == [] or "/>" in d for d in drawings)
        assert not any('"' in address(d) or "#" in address(d) or "<" in address(d) for d in drawings)


def test_suits_differ_without_their_colour() -> None:
    drawings = {re.sub("%23[0-9a-f]{6}|#[0-9a-f]{6}", "", small(Face("K", suit, "black"))) for suit in faces().suits}
    assert len(drawings) == 4


def test_a_large_face_shows_as_many_pips_as_its_rank() -> None:
    for rank, index in faces().ranks.items():
        shapes = large(Face(rank, "H", "red")).count(faces().suits["H"].drawing)
        assert shapes == 2 + (index.pips or 2), rank


def test_cards_are_named_aloud() -> None:
    assert spoken(Face("K", "H", "red"), teller().wording) == "king of hearts"
    assert spoken(Face("Jk", "", "red"), teller().wording) == "joker"
    assert spoken(cards.DOWN, teller().wording) == "a card face down"
    assert written(Face("T", "S", "black")) == "10♠\ufe0e"


def test_a_group_is_drawn_with_its_names() -> None:
    artist = Artist(teller().wording)
    drawn = artist.draw((Face("K", "H", "red"), Face("2", "S", "black")))
    assert 'aria-label="king of hearts, two of spades"' in drawn
    assert ".cKh{" in artist.style()
    assert ".cQh{" not in artist.style()
    crossed = artist.draw((Face("2", "S", "black"), Face("5", "D", "red")), across=(0,))
    assert 'aria-label="two of spades, laid crosswise, five of diamonds"' in crossed
    assert crossed.count(" across") == 1


# -- stories -----------------------------------------------------------------------------------------------------------


def story_of(name: str, clause: str, example: str) -> Story:
    found = next(e for e in load_ruleset(name).clauses[clause].examples if e.id == example)
    told = story(name, found, teller())
    assert told is not None
    return told


def test_a_story_shows_what_was_executed() -> None:
    told = story_of("classic", "take.frozen.natural-pair", "c44-pair-joins-the-own-meld")
    hand, pile, melds, stock = told.before.rows
    assert [(f.rank, f.suit) for f in pile.groups[0]][-1] == (told.deeds[0].cards[0].rank, told.deeds[0].cards[0].suit)
    assert pile.badges == ("frozen",)
    assert (stock.unknown, stock.groups) == (30, ())
    assert set(told.deeds[0].cards[1:]) <= set(hand.groups[0])
    assert told.after is not None
    after = {row.label: row for row in told.after.rows}
    assert Counter(after["melds NS"].groups[0]) == Counter((*melds.groups[0], *told.deeds[0].cards))
    assert {f.rank for f in after["hand N"].groups[0]} == set("46925")


def test_what_freezes_a_pile_lies_crosswise() -> None:
    told = story_of("classic", "take.frozen.natural-pair", "c44-pair-joins-the-own-meld").before
    pile = next(row for row in told.rows if row.badges)
    assert [pile.groups[0][at].rank for at in pile.across] == ["2"]
    free = story_of("classic", "take.unfrozen", first_example("classic", "take.unfrozen")).before
    assert [row.across for row in free.rows] == [()] * len(free.rows)


def first_example(name: str, clause: str) -> str:
    return next(e.id for e in load_ruleset(name).clauses[clause].examples if e.given and not e.options)


def test_a_card_that_freezes_nothing_by_itself_lies_straight() -> None:
    always = story_of("uruguay", "pile.frozen", first_example("uruguay", "pile.frozen")).before
    assert all(not row.across for row in always.rows)


def test_players_sit_around_the_table_in_their_order() -> None:
    table = story_of("classic", "take.frozen.natural-pair", "c44-pair-joins-the-own-meld").before.seating
    assert (table.near.seat, table.near.acts) == ("N", True)
    assert table.left is not None
    assert table.right is not None
    assert (table.left.seat, [c.seat for c in table.far], table.right.seat) == ("E", ["S"], "W")
    assert [row.name for row in table.near.rows] == [""]
    assert [row.label for row in table.own] == ["melds NS"]
    assert [row.name for row in table.middle] == ["pile", "stock"]
    assert not table.others


def test_two_players_sit_opposite_each_other() -> None:
    table = story_of("gin", "layoff.target", first_example("gin", "layoff.target")).before.seating
    assert (table.near.seat, table.left, [c.seat for c in table.far], table.right) == ("S", None, ["N"], None)


def test_a_ruling_with_a_position_is_drawn_in_the_law_book() -> None:
    page = law_page("classic")
    ruled = [r for r in register().rulings.values() if r.examples and f'id="ruling-{r.slug}"' in page]
    assert ruled
    for ruling in ruled:
        shown = [f'<figure id="ruling-{ruling.slug}/{example.id}">' in page for example in ruling.examples]
        assert shown == [True] * len(ruling.examples)
    assert 'class="cloth"' in page


def test_suits_that_were_written_are_shown() -> None:
    told = story_of("samba", "melds.form", "three-of-a-suit")
    assert {(f.rank, f.suit) for f in told.deeds[0].cards} == {("Q", "H"), ("K", "H"), ("A", "H")}


def test_a_dealer_never_shows_more_of_a_face_than_there_are() -> None:
    pack = load_ruleset("classic").pack
    dealer = Dealer(pack)
    kings = Counter(dealer.face(Card("K")) for _ in range(8))
    assert set(kings.values()) == {2}
    threes = Counter(dealer.face(Card("3", "r")) for _ in range(4))
    assert {f.colour for f in threes} == {"red"}
    assert set(threes.values()) == {2}
    assert dealer.face(Card("?")) == cards.DOWN


@pytest.mark.parametrize("name", ["classic", "gin"])
def test_every_example_of_a_book_can_be_drawn(name: str) -> None:
    for entry in material(name).clauses:
        for worked in entry.examples:
            assert (story(name, worked.example, teller()) is None) is not bool(worked.example.given)


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_writes_a_book(call: Caller, tmp_path: Path) -> None:
    for name, begins in (("law.html", "<!doctype html>"), ("law.md", "# ")):
        answer = call("rulebook", "classic/two", "--edition", "law", "-o", str(tmp_path / name))
        assert (answer.code, answer.out) == (0, ""), answer.err
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_a_house_rule_file_has_its_book(call: Caller, tmp_path: Path) -> None:
    home = tmp_path / "home.yaml"
    home.write_text("ruleset: home\ntitle: At home\nextends: classic\nset: {hand_size: 13}\n", encoding="utf-8")
    answer = call("rulebook", str(home), "--edition", "law")
    assert answer.code == 0, answer.err
    check(answer.out)
    assert "gives 13\N{NO-BREAK SPACE}cards to each player" in answer.out


def test_a_figure_stays_on_the_line_of_what_it_counts() -> None:
    assert prose("Deal 13 cards, `13 x`, to 15\N{NO-BREAK SPACE}000 points") == (
        "Deal 13\N{NO-BREAK SPACE}cards, <code>13 x</code>, to 15\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}points"
    )


def test_a_review_marks_what_has_changed_on_one_side_only(call: Caller, tmp_path: Path) -> None:
    told = json.loads((room("spec") / "resolved" / "cuban.json").read_text(encoding="utf-8"))
    digests = {c["id"]: c["digests"] for c in told["clauses"]}
    digests["turn.draw"]["formal"] = digests["melds.size"]["text"] = "0" * 16
    (tmp_path / "before.json").write_text(json.dumps(told), encoding="utf-8")
    answer = call(
        "rulebook", "cuban", "--edition", "review", "--format", "md", "--since", str(tmp_path / "before.json")
    )
    assert answer.code == 0, answer.err
    assert "- `turn.draw`: only the formal part has changed" in answer.out
    assert "- `melds.size`: only the text has changed" in answer.out
    assert answer.out.count("has changed") == 2 + 1
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert "US0007" in call("rulebook", "cuban", "--edition", "review", "--since", str(tmp_path / "other.json")).err


def test_differences_are_told_with_both_values_and_texts(call: Caller) -> None:
    answer = call("rulebook", "samba", "--edition", "differences", "--format", "md")
    assert answer.code == 0, answer.err
    assert "Classic Canasta for four: `11`; Samba: **`15`**" in answer.out
    assert "- Samba: Draw from the stock. Draw two cards from the top of the stock" in answer.out
    other = call("rulebook", "gin", "--edition", "differences")
    assert (other.code, "US0003" in other.err) == (2, True)
    assert call("rulebook", "gin", "--edition", "differences", "--beside", "gin:openspiel").code == 0


def test_what_is_wrong_in_a_call_is_told(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "TR0002" in call("rulebook", "classic", "--lang", "xx").err
    assert call("rulebook", "clasic").code == 2
    monkeypatch.setitem(__import__("sys").modules, "weasyprint", None)
    answer = call("rulebook", "classic/two", "--format", "pdf")
    assert "TR0004" in answer.err
    assert "pip install 'canasta-spec[pdf]'" in answer.err


@pytest.mark.deep
def test_a_book_is_printed(call: Caller, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint")
    answer = call("rulebook", "cuban", "--edition", "law", "-o", str(tmp_path / "cuban.pdf"))
    assert answer.code == 0, answer.err
    assert (tmp_path / "cuban.pdf").read_bytes().startswith(b"%PDF-")
