"""The catalogues of translations: what is to be translated, what is kept when a text changes, and what must agree."""

from dataclasses import replace

import pytest

from canasta.games import load_ruleset
from canasta.language.ruleset import Definition, Duty, Effect, Requirement
from canasta.mechanical import mechanical, mechanical_statement
from canasta.prose import english, fill, fill_values
from canasta_tools.pages.glossary import glossary_page
from canasta_tools.translations import catalogues as module
from canasta_tools.translations.agreement import disagreements
from canasta_tools.translations.catalogues import (
    Catalogue,
    Entry,
    brought_up_to_date,
    read_catalogue,
    write_catalogue,
)
from canasta_tools.translations.languages import languages, unfilled
from canasta_tools.translations.messages import Message, domains, messages
from canasta_tools.translations.strings import in_python, in_template
from canasta_tools.translations.terms import terms
from canasta_tools.translations.updating import faults, updated

from .conftest import Caller  # isort: skip


def of(text: str, context: str = "turn.draw: text") -> Message:
    return Message("classic", context, text, "spec/rules/classic/turn.yaml")


def found_in(english: str, translation: str, tag: str = "ru", domain: str = "classic") -> list[str]:
    message = Message(domain, "turn.draw: text", english, "")
    catalogue = Catalogue(tag, domain, (Entry(message.context, english, translation),), unfinished=False)
    return [d.id for d in disagreements(catalogue, [message], unfilled(tag))]


def test_every_text_of_a_rule_set_is_there_to_translate() -> None:
    by_key = {message.key: message for message in messages()}
    rules = load_ruleset("samba")
    texts = [
        (f"{c.id}: {what}", t) for c in rules.clauses.values() for what, t in (("title", c.title), ("text", c.text))
    ]
    assert all((context, " ".join(text.split())) in by_key for context, text in texts if text)


@pytest.mark.parametrize("name", ["gin", "modern-american"])
def test_every_word_of_a_formal_part_is_there_to_translate(name: str) -> None:
    """The sign of a rank and the letter that stands for one thing after another are the same in all languages."""
    asked: set[tuple[str, str]] = set()

    class Listening(dict[tuple[str, str], str]):
        def get(self, key: tuple[str, str], default: str) -> str:  # type: ignore[override]
            asked.add(key)
            return default

    rules, words = load_ruleset(name), replace(english(), texts=Listening())
    for clause in rules.clauses.values():
        if isinstance(clause, Requirement):
            _ = [mechanical(rules, demand.that, words) for demand in clause.require]
        elif isinstance(clause, Effect):
            _ = [mechanical_statement(rules, statement, words) for statement in clause.do]
        elif isinstance(clause, Definition):
            mechanical(rules, clause.body, words)
    there = {message.key for message in messages()}
    assert {text for context, text in asked - there if len(text) > len("Jk")} == set()
    assert len(asked) > len(rules.clauses) / 2


def test_the_moments_and_facts_that_no_rule_set_declares_are_there_to_translate() -> None:
    there = {message.text for message in messages() if message.context.startswith("name: ")}
    on = {act for c in load_ruleset("classic").clauses.values() if isinstance(c, Duty | Effect) for act in c.on}
    assert {act for act in on if act.replace("_", " ") not in there} == set()
    assert {"setup", "stuck"} <= on
    assert {"dealer", "turn no", "reason"} <= there


def test_a_name_that_two_games_use_is_said_as_its_own_game_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def saying(domain: str, word: str) -> Catalogue:
        return Catalogue("ru", domain, (Entry("name: pick", "pick", word),))

    monkeypatch.setattr(module, "catalogues", lambda _: (saying("a", "один"), saying("b", "два"), saying("c", "три")))
    module.wording.cache_clear()
    said = [module.wording("ru", line).said("name: pick", "pick") for line in (("a",), ("b", "a"), ("d", "b", "c"))]
    module.wording.cache_clear()
    assert said == ["один", "два", "два"]


def test_a_rule_set_has_only_what_it_says_itself() -> None:
    own = {message.key for message in domains()["samba"]}
    assert ("turn.draw: title", load_ruleset("samba").clauses["turn.draw"].title) not in own
    assert any(context == "turn.draw: text" for context, _ in own)
    assert not own & {message.key for message in domains()["classic"]}


def test_every_term_names_a_clause_and_stands_in_the_glossary() -> None:
    page = glossary_page()
    for term in terms():
        name, _, clause = term.at.rpartition("/")
        assert clause in load_ruleset(name).clauses, term
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {term.word} |")]
        assert "|  |" not in row
        assert f"(<#{term.at}>)" in row


def test_no_two_texts_have_the_same_place() -> None:
    for domain, found in domains().items():
        if domain != "book":
            places = [m.context for m in found]
            assert [p for p in places if places.count(p) > 1] == [], domain


def test_strings_of_code_and_templates_are_found() -> None:
    assert list(in_python('x = book.say("one") + say_in("head", "two", n=3) + say(name)')) == [
        ("book: text", "one"),
        ("book head: text", "two"),
    ]
    assert list(in_template('{{ say("one  \n more", n=figure) }}{% if x %}{{ say_in("head", "two") }}{% endif %}')) == [
        ("book: text", "one more"),
        ("book head: text", "two"),
    ]


def test_a_catalogue_is_written_and_read_back() -> None:
    entries = (
        Entry("a: text", "One “quoted” \\ text", "Один «текст» \\", notes=("mine",)),
        Entry("b: text", "Two", "Два", fuzzy=True, previous="Zwei"),
        Entry("c: text", "Three"),
    )
    catalogue = Catalogue("ru", "classic", entries)
    text = write_catalogue(catalogue, [of("Two", "b: text")], {("c: text", "Three"): "three!"})
    assert read_catalogue("ru", "classic", text) == catalogue
    assert "#. In a book: three!" in text
    assert "#: spec/rules/classic/turn.yaml" in text
    assert "Unfinished" in text
    assert "Unfinished" not in write_catalogue(replace(catalogue, unfinished=False), [], {})


def test_a_changed_text_makes_its_translation_fuzzy() -> None:
    old = Catalogue("ru", "classic", (Entry("a: text", "Draw one.", "Возьмите одну."),))
    new = brought_up_to_date(old, [of("Draw two.", "a: text")])
    assert new.entries == (Entry("a: text", "Draw two.", "Возьмите одну.", fuzzy=True, previous="Draw one."),)
    again = brought_up_to_date(new, [of("Draw three.", "a: text")])
    assert (again.entries[0].previous, again.entries[0].fuzzy) == ("Draw one.", True)
    assert [d.id for d in disagreements(new, [of("Draw two.", "a: text")], unfilled("ru"))] == ["TR0011"]


def test_a_new_word_of_the_books_takes_no_translation_of_another() -> None:
    old = Catalogue("ru", "book", (Entry("book: text", "Sources", "Источники"),))
    new = brought_up_to_date(old, [of("Sources", "book: text"), of("On one page", "book: text")])
    assert new.entries[1] == Entry("book: text", "On one page")


def test_a_renamed_place_keeps_its_translation_and_a_gone_text_is_dropped() -> None:
    old = Catalogue("ru", "classic", (Entry("a: text", "Draw.", "Берёт."), Entry("gone: text", "Old.", "Старое.")))
    new = brought_up_to_date(old, [of("Draw.", "b: text")])
    assert new.entries == (Entry("b: text", "Draw.", "Берёт."),)
    assert not new.unfinished


def test_a_new_place_takes_no_words_from_a_place_that_is_still_there() -> None:
    old = Catalogue("ru", "classic", (Entry("many: text", "sides", "сторон"),))
    new = brought_up_to_date(old, [of("sides", "many: text"), of("sides", "name: text"), of("seats", "many: text")])
    assert [entry.translation for entry in new.entries] == ["сторон", "", ""]
    assert not any(entry.fuzzy for entry in new.entries)


def test_a_gap_is_a_fault_once_the_catalogue_was_complete() -> None:
    message = of("Draw.", "a: text")
    empty = (Entry("a: text", "Draw."),)
    words = unfilled("ru")
    assert list(disagreements(Catalogue("ru", "classic", empty), [message], words)) == []
    (found,) = disagreements(Catalogue("ru", "classic", empty, unfinished=False), [message], words)
    assert found.id == "TR0010"
    full = Catalogue("ru", "classic", (Entry("a: text", "Draw.", "Берёт."),))
    assert [d.id for d in disagreements(full, [message], words)] == ["TR0018"]
    assert [d.id for d in disagreements(Catalogue("ru", "classic"), [message], words)] == ["TR0013"]
    strange = replace(full, unfinished=False, entries=(*full.entries, Entry("b: text", "What?", "Что?")))
    assert [d.id for d in disagreements(strange, [message], words)] == ["TR0012"]


@pytest.mark.parametrize(
    ("english", "translation", "ids"),
    [
        ("Draw {n card}.", "Берёт {n: карту | карты | карт}.", []),
        ("Draw {n card}.", "{~n: Взята | Взяты | Взято} {n: карта | карты | карт}.", []),
        ("Draw {n card}.", "Берёт {n}.", []),
        ("Draw {n card}.", "Берёт карту.", ["TR0014"]),
        ("Draw {n card}.", "Берёт {m: карту | карты | карт}.", ["TR0014"]),
        ("Draw {n card}.", "Берёт {~n: карту | карты | карт}.", ["TR0014"]),
        ("Draw {n card}.", "Берёт {n card}.", ["TR0014"]),
        ("Draw {n card}.", "Берёт {n.", ["TR0014", "TR0014"]),
        ("Draw {n card}.", "Берёт {n: карту | карты}.", ["RS7007"]),
        ("Draw {n card}.", "Берёт {n: карту | | карт}.", ["RS7007"]),
        ("From 5,000 on.", "От 5000 и выше.", []),
        ("From 10,000 on.", "От 10\u00a0000 и выше.", []),
        ("From 5,000 on.", "От 500 и выше.", ["TR0015"]),
        ("Write `^KKK`.", "Пишут `^KKK`.", []),
        ("Write `^KKK`.", "Пишут `^\u041a\u041a\u041a`.", ["TR0016"]),
        ("See [it](a.md#b).", "См. [это](a.md#b).", []),
        ("See [it](a.md#b).", "См. [это](b.md#a).", ["TR0016"]),
        ("A card.", "Щиbт.", ["TR0017"]),
        ("A “card”.", 'Одна "карта".', ["TR0017"]),
        ("A card.", "Карта", ["TR0017"]),
        ("A card", "Карта.", ["TR0017"]),
    ],
)
def test_a_translation_agrees_with_the_english_text(english: str, translation: str, ids: list[str]) -> None:
    assert found_in(english, translation) == ids


@pytest.mark.parametrize(
    ("translation", "ids"),
    [("из {0}: {name}, и снова {0}", []), ("{name}", ["TR0014"]), ("{0} {name} {1}", ["TR0014"])],
)
def test_a_phrase_keeps_its_slots(translation: str, ids: list[str]) -> None:
    assert found_in("the {name} of {0}", translation, domain="sentences") == ids


def test_a_counted_word_has_the_form_of_its_number() -> None:
    ru = "{n: карта | карты | карт}"
    counts = [fill_values(ru, {"n": n}, unfilled("ru")) for n in (1, 2, 5, 11, 21, 108, 5000, 12000)]
    tied = [c.replace("\u00a0", " ") for c in counts]
    assert tied == ["1 карта", "2 карты", "5 карт", "11 карт", "21 карта", "108 карт", "5000 карт", "12 000 карт"]
    lt = [fill_values("{n: korta | kortos | kortų}", {"n": n}, unfilled("lt")) for n in (1, 9, 10, 11, 21, 22, 30)]
    assert [c.split("\u00a0")[1] for c in lt] == ["korta", "kortos", "kortų", "kortų", "korta", "kortos", "kortų"]
    sk = [fill_values("{~n: karta | karty | kariet}", {"n": n}, unfilled("sk")) for n in (0, 1, 4, 5, 21)]
    assert [c.lower() for c in sk] == ["kariet", "karta", "karty", "kariet", "kariet"]


def test_a_translated_text_is_found_by_its_clause_and_filled() -> None:
    rules = load_ruleset("classic")
    clause = rules.clauses["melds.size"]
    text = " ".join(clause.text.split())
    words = replace(unfilled("sk"), texts={("melds.size: text", text): "Aspoň {meld_size: karta | karty | kariet}."})
    assert fill(rules, clause, words) == "Aspoň 3\u00a0karty."
    assert fill(rules, rules.clauses["turn.draw"], words).startswith("Draw one card")


@pytest.mark.parametrize("tag", languages())
def test_a_language_has_forms_and_marks(tag: str) -> None:
    assert len(unfilled(tag).forms) == 3
    assert len(languages()[tag].quotes) == 2


def test_the_catalogues_are_up_to_date() -> None:
    assert updated() == {}
    states, found = faults({})
    assert {state.language for state in states} == set(languages())
    assert found == ()


def test_the_command_says_what_is_wrong(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    real = module.catalogues

    def damaged(tag: str) -> tuple[Catalogue, ...]:
        return tuple(replace(c, entries=c.entries[1:]) if c.domain == "cuban" else c for c in real(tag))

    monkeypatch.setattr("canasta_tools.translations.updating.catalogues", damaged)
    answer = call("translations", "--check", "--lang", "lt", "cuban")
    assert answer.code == 1
    assert "lt/LC_MESSAGES/cuban.po: not up to date" in answer.out


def test_a_language_or_catalogue_that_is_not_there(call: Caller) -> None:
    assert "TR0002" in call("translations", "--check", "--lang", "xx").err
    answer = call("translations", "--check", "whist")
    assert (answer.code, "US0004" in answer.err) == (2, True)


def test_without_babel_the_command_names_what_installs_it(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "babel", None)
    answer = call("translations", "--check", "--lang", "ru", "cuban")
    assert "TR0001" in answer.err
    assert "pip install 'canasta-spec[book]'" in answer.err
