"""The player's books: every clause told or left out with a reason, and no paragraph that a variant does not bear out."""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from canasta.diagnostics import Span
from canasta.language.naming import known
from canasta_tools.rulebook import player
from canasta_tools.rulebook.material import material
from canasta_tools.rulebook.narrative import Chapter, Narrative, Part, figures_in, narratives, whole
from canasta_tools.rulebook.player import PlayerBook, check, player_book
from canasta_tools.rulebook.playerpage import player_text, sheet
from canasta_tools.rulebook.tables import heads, table
from canasta_tools.translations.strings import strings

FEW = ("classic", "samba", "gin")
HERE = Span("spec/books/test.yaml", 1, 1, 1, 1)


def part(id_: str, text: str = "", covers: str = "", rules: str = "", example: str = "") -> Part:
    return Part(id_, "", text, tuple(covers.split()), tuple(rules.split()), example, "", begins=True, span=HERE)


def told_by(*parts: Part, not_here: dict[str, str] | None = None) -> Narrative:
    return Narrative("classic", "A lead.", (Chapter("one", "One", parts),), (), not_here or {}, HERE)


def clauses_of(book: PlayerBook) -> list[str]:
    return [clause for chapter in book.chapters for clause in chapter.clauses]


@pytest.mark.parametrize("name", [n if n in FEW else pytest.param(n, marks=pytest.mark.deep) for n in known()])
def test_every_clause_is_told_or_left_out_with_a_reason(name: str) -> None:
    book = player_book(name)
    left_out = {entry.clause.id: reason for entry, reason in book.left_out}
    told = clauses_of(book)
    assert len(told) == len(set(told))
    assert sorted({*told, *left_out}) == sorted(book.book.ruleset.clauses)
    assert all(left_out.values())


@pytest.mark.parametrize("name", narratives())
def test_a_narrative_names_what_there_is(name: str) -> None:
    assert list(check(whole(narratives(), name), material(name))) == []


def test_a_forgotten_clause_a_wrong_name_and_a_text_about_nothing_are_told() -> None:
    everything = " ".join(c for c in material("classic").ruleset.clauses if c != "turn.draw")
    wrong = told_by(
        part("a", "Text.", "turn.draw no.such"),
        part("b", rules=everything),
        part("c", "Text."),
        part("d", example="turn.draw/no-such"),
        not_here={"melds.size": "told all the same"},
    )
    found = [(d.id, d.message) for d in check(wrong, material("classic"))]
    assert found == [
        ("RS7008", "there is no clause no.such"),
        ("RS7009", "the text c tells no clause"),
        ("RS7008", "there is no example turn.draw/no-such"),
        ("RS7008", "melds.size is said not to be here: and yet it is told"),
    ]
    tabled = told_by(replace(part("t"), table="values.no_such"), part("b", rules=f"{everything} turn.draw"))
    assert [d.message for d in check(tabled, material("classic"))] == ["there is no table values.no_such"]
    forgetful = told_by(part("b", rules=everything))
    assert [(d.id, d.clause) for d in check(forgetful, material("classic"))] == [("RS7009", "turn.draw")]


def with_narrative(monkeypatch: pytest.MonkeyPatch, told: Narrative) -> None:
    rest = [c for c in material("classic").ruleset.clauses if c not in told.told]
    complete = replace(told, not_here={**told.not_here, **dict.fromkeys(rest, "a test")})
    monkeypatch.setattr(player, "narratives", lambda: {"classic": complete})


def test_a_paragraph_gives_way_where_a_variant_changes_its_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    with_narrative(monkeypatch, told_by(part("a", "You draw.", "turn.draw"), part("b", "You discard.", "turn.discard")))
    classic, samba = (player_book(name) for name in ("classic", "samba"))
    assert [str(p.texts[0]) for p in classic.chapters[0].pieces] == ["You draw.", "You discard."]
    first, second = samba.chapters[0].pieces[:2]
    assert first.entry is not None
    assert str(first.texts[0]).startswith("Draw two cards from the top of the stock")
    assert str(second.texts[0]) == "You discard."
    assert "sequences.size" in clauses_of(samba)


def test_a_paragraph_gives_way_where_an_option_is_chosen_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    with_narrative(monkeypatch, told_by(part("a", "Black threes never freeze.", "pile.frozen")))
    assert str(player_book("classic").chapters[0].pieces[0].texts[0]) == "Black threes never freeze."
    other = player_book("classic,black_three_freezes=yes").chapters[0].pieces[0]
    assert other.entry is not None


def over_classic(*parts: Part, after: str = "", chapter: str = "one") -> Narrative:
    return Narrative("samba", "Runs.", (Chapter(chapter, "", parts, after),), (), {}, HERE, over="classic")


def test_a_narrative_over_another_tells_anew_what_differs_and_adds_what_is_new() -> None:
    below = told_by(part("a", "You draw.", "turn.draw"), part("b", "You discard.", "turn.discard"))
    own = over_classic(
        part("a", "You draw more.", "turn.draw"), replace(part("c", "Runs.", "sequences.size"), after="a")
    )
    (chapter,) = whole({"classic": below, "samba": own}, "samba").chapters
    assert [(p.id, p.home) for p in chapter.parts] == [("a", ""), ("c", ""), ("b", "classic")]
    assert (chapter.title, chapter.parts[0].text) == ("One", "You draw more.")
    other = whole({"classic": below, "samba": over_classic(part("c"), after="one", chapter="two")}, "samba")
    assert [c.id for c in other.chapters] == ["one", "two"]


def test_a_part_of_a_narrative_below_tells_only_what_still_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    below = told_by(part("a", "You draw.", "turn.draw"), part("b", "You discard.", "turn.discard"))
    own = over_classic(part("c", "Runs.", "sequences.size"))
    found = {d.clause for d in check(whole({"classic": below, "samba": own}, "samba"), material("samba"))}
    assert "turn.draw" in found  # Samba draws otherwise, so the sentence of the classic game is not there
    assert not {"turn.discard", "sequences.size"} & found
    mended = replace(own, chapters=(Chapter("one", "", (*own.chapters[0].parts, part("a", "More.", "turn.draw"))),))
    monkeypatch.setattr(player, "check", lambda *_: ())
    monkeypatch.setattr(player, "narratives", lambda: {"classic": below, "samba": mended})
    texts = [str(t) for piece in player_book("samba").chapters[0].pieces for t in piece.texts]
    assert texts[:3] == ["More.", "You discard.", "Runs."]


def test_parts_that_a_narrative_puts_in_keep_their_order() -> None:
    below = told_by(part("a", "You draw.", "turn.draw"), part("b", "You discard.", "turn.discard"))
    shown = [part("", example=f"sequences.size/{name}") for name in ("three-cards", "two-cards")]
    own = over_classic(
        replace(part("c", "Runs.", "sequences.size"), after="a"), *shown, part("d", "More.", "turn.acts")
    )
    (chapter,) = whole({"classic": below, "samba": own}, "samba").chapters
    assert [p.id or p.example for p in chapter.parts] == [
        "a", "c", "sequences.size/three-cards", "sequences.size/two-cards", "d", "b",
    ]  # fmt: skip


def test_what_a_narrative_tells_is_not_left_out_with_the_reason_of_the_one_below() -> None:
    below = replace(told_by(part("a", "You draw.", "turn.draw")), not_here={"turn.acts": "why", "turn.begins": "why"})
    own = over_classic(part("c", "A turn.", "turn.acts"))
    assert whole({"classic": below, "samba": own}, "samba").not_here == {"turn.begins": "why"}


def test_a_clause_is_not_left_out_where_the_option_is_chosen_that_it_waits_for() -> None:
    left_out = {entry.clause.id for entry, _ in player_book("samba").left_out}
    assert {"dutch.pass", "dutch.show", "pile.top-card-alone"} <= left_out
    assert "dutch.pass" in clauses_of(player_book("samba,pass_with_last_card=yes"))


def test_an_example_of_a_clause_that_is_not_in_force_is_not_shown() -> None:
    pieces = [piece for chapter in player_book("brazilian").chapters for piece in chapter.pieces]
    assert "bolivia.out" not in {name.partition("/")[0] for piece in pieces for name, _ in piece.examples}


@pytest.mark.parametrize("name", [name for name in narratives() if name != "classic"])
def test_a_game_with_its_own_narrative_is_told_in_few_words_of_the_law(name: str) -> None:
    pieces = [piece for chapter in player_book(name).chapters for piece in chapter.pieces]
    law = [piece.entry.clause.id for piece in pieces if piece.entry is not None]
    assert len(law) < sum(piece.entry is None for piece in pieces) / 3


def test_texts_run_on_until_a_paragraph_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = part("a", "You draw.", "turn.draw"), part("b", "You discard.", "turn.discard")
    with_narrative(monkeypatch, told_by(first, replace(second, begins=False)))
    (piece,) = player_book("classic").chapters[0].pieces
    assert ([str(t) for t in piece.texts], piece.covers) == (
        ["You draw.", "You discard."],
        ("turn.draw", "turn.discard"),
    )


def test_a_figure_of_the_rule_set_is_put_into_a_paragraph(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_narrative(monkeypatch, told_by(part("a", "You get {hand_size card}.", "deal.hands")))
    home = tmp_path / "home.yaml"
    home.write_text("ruleset: home\ntitle: At home\nextends: classic\nset: {hand_size: 13}\n", encoding="utf-8")
    assert str(player_book(str(home)).chapters[0].pieces[0].texts[0]) == "You get 13 cards."


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("You get {hand_size card} and `^KK2 -9` is legal.", []),
        ("You get eleven cards.", ["eleven cards"]),
        ("You need 5,000 points.", ["5,000"]),
        ("Two natural cards do it.", ["Two natural cards"]),
        ("Two partners, and one card.", []),
    ],
)
def test_figures_in_a_narrative_are_found(text: str, figures: list[str]) -> None:
    assert figures_in(text) == figures


def test_a_clause_out_of_force_is_left_out() -> None:
    left_out = {entry.clause.id: str(reason) for entry, reason in player_book("classic").left_out}
    assert "melds.wilds.ratio" in left_out
    assert "melds.wilds.ratio" not in {e.clause.id for e, _ in player_book("classic:article").left_out}


def test_tables_are_made_of_what_is_declared() -> None:
    book = material("classic")
    values = table(book, "values.value")
    assert [str(line.value) for line in values] == ["50", "20", "10", "5", "0"]
    assert [[f.rank for f in line.cards] for line in values][:2] == [["Jk"], ["2", "A"]]
    steps = table(book, "steps.minimum")
    assert [(str(line.words), str(line.value)) for line in steps][:2] == [("below 0", "15"), ("from 0", "50")]
    assert table(book, "values.none") == ()
    assert heads(book, "values.value") == ("card", "points")
    assert heads(book, "steps.minimum") == ("total", "minimum")
    assert len(table(book, "scores")) == len(sheet(book).lines)


def test_a_score_sheet_has_room_for_all_parties() -> None:
    assert sheet(material("classic")).parties == ("NS", "EW")
    assert len(sheet(material("classic")).deals) == 4
    three = sheet(material("classic/three"))
    assert len(three.parties) * len(three.deals) <= 8


def test_an_example_without_a_turn_says_nothing_between_two_full_stops() -> None:
    assert "`. : " not in player_text("classic")
    assert "`: score: " in player_text("classic")


def test_the_book_in_markdown_links_its_clauses() -> None:
    text = player_text("classic")
    assert text.count('<a id="canastas.canasta"></a>') == 1
    assert "[canastas](#canastas.canasta)" in text


def visible(template: str) -> str:
    """Give what a template writes by itself: without code, tags and the contents of attributes."""
    return re.sub(r"<[^>]*>|&\w+;", " ", re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", template, flags=re.DOTALL))


def own_words() -> list[tuple[str, str]]:
    """List what the books add of their own: words that are translated, and what stands in templates besides."""
    found = [(file, text) for _, text, file in strings()]
    templates = sorted((files("canasta_tools") / "templates" / "book").iterdir(), key=lambda p: p.name)
    found += [(p.name, visible(p.read_text(encoding="utf-8"))) for p in templates if p.name.endswith(".j2")]
    return found


def test_the_books_own_words_say_no_figure_that_a_rule_set_can_change() -> None:
    words = own_words()
    assert len(words) > 100
    assert [(file, figures_in(text)) for file, text in words if figures_in(text)] == []


def test_a_figure_in_a_template_is_seen() -> None:
    assert figures_in(visible('<p class="c9">Deal 11 cards</p> {{ say("x", n=3) }}{# 5 #}')) == ["11"]
    assert figures_in(visible("<li>Draw two cards.</li>")) == ["two cards"]
