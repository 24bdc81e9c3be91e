"""The law book and the generated pages: nothing left out, nothing twice, no text that breaks the page."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from canasta.diagnostic_ids import all_ids
from canasta.language.naming import known
from canasta.language.types import BUILTIN, CONTEXT, Op, StatementOp
from canasta.prose import fill
from canasta.rooms import room
from canasta_tools.pages.codes import codes_page, diagnostics_page
from canasta_tools.pages.coverage import coverage_of, coverage_page
from canasta_tools.pages.language import language_page
from canasta_tools.pages.options import options_page
from canasta_tools.pages.resolved import resolved
from canasta_tools.pages.rulings import contradictions_page, rulings_page, sources_page
from canasta_tools.rulebook import lawbook
from canasta_tools.rulebook.markdown import block, code, plain, prose
from canasta_tools.rulebook.material import Material, material, register


@pytest.fixture(scope="module")
def classic() -> Material:
    return material("classic")


@pytest.mark.soon("classic", "bolivia/handbook", rest="deep")  # the making of a law book asks it of each
@pytest.mark.parametrize("name", known())
def test_every_executed_clause_stands_in_the_law_book_exactly_once_and_in_order(name: str) -> None:
    clauses = material(name).ruleset.clauses
    assert sorted(lawbook.anchors(lawbook.law_book(name))) == sorted(clauses)


def test_clauses_stand_in_reading_order(classic: Material) -> None:
    assert lawbook.anchors(lawbook.law_book("classic")) == list(classic.ruleset.clauses)


def test_a_book_that_leaves_a_clause_out_is_not_written(classic: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    short = replace(classic, chapters=classic.chapters[1:])
    monkeypatch.setattr(lawbook, "material", lambda *_: short)
    with pytest.raises(lawbook.BookError) as caught:
        lawbook.law_book("classic")
    assert {d.id for d in caught.value.diagnostics} == {"RS7005"}
    assert {d.clause for d in caught.value.diagnostics} == {e.clause.id for e in classic.chapters[0].clauses}


def test_a_book_that_prints_a_clause_twice_is_not_written(classic: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    double = replace(classic, chapters=(*classic.chapters, classic.chapters[-1]))
    monkeypatch.setattr(lawbook, "material", lambda *_: double)
    with pytest.raises(lawbook.BookError) as caught:
        lawbook.law_book("classic")
    assert {d.clause for d in caught.value.diagnostics} == {e.clause.id for e in classic.chapters[-1].clauses}


def page_of(book: str, clause_id: str) -> str:
    """The part of a law book that one clause fills."""
    return book.split(f'<a id="{clause_id}"></a>')[1].split("<a id=", maxsplit=1)[0]


def test_a_clause_is_printed_with_all_that_can_be_cited(classic: Material) -> None:
    book = lawbook.law_book("classic")
    for entry in classic.clauses:
        clause, page = entry.clause, page_of(book, entry.clause.id)
        assert prose(fill(classic.ruleset, clause)) in page, clause.id
        assert all(f"[{s.at}]" in page or f"[`{s.at}`]" in page for s in clause.sources), clause.id
        assert all(code(worked.example.id) in page for worked in entry.examples), clause.id
        assert all(code(one) in page for one in entry.codes), clause.id
        assert not clause.ruling or f"ruling/{clause.ruling}" in page, clause.id
        assert (entry.formal_digest in page) == (clause.kind != "custom"), clause.id


def test_a_source_that_was_not_read_is_printed_as_reported() -> None:
    page = page_of(lawbook.law_book("classic"), "take.frozen.natural-pair")
    assert "[`bicycle`](<#source/bicycle>) as reported by `i-rv` and others" in page
    assert "[`i-fc`](<#source/i-fc>)." in page


def test_examples_are_printed_with_their_verdict() -> None:
    page = page_of(lawbook.law_book("classic"), "take.frozen.natural-pair")
    row = next(line for line in page.splitlines() if line.startswith("| `natural-and-wild` |"))
    assert row.endswith("| `^KK2 -9` | **illegal**: `FROZEN_NEEDS_PAIR` |")


def test_every_declaration_stands_in_the_law_book(classic: Material) -> None:
    rules, (_, tables) = classic.ruleset, lawbook.law_book("classic").split("\n## Declarations\n")
    names = [*rules.classes, *rules.values, *rules.parameters, *rules.steps, *rules.shapes, *rules.zones, *rules.state]
    names += [*rules.marks, *rules.acts, *rules.phases, *rules.reasons]
    assert [name for name in names if f"\n| `{name}` | " not in tables] == []
    assert "| `natural` | `not c.rank in ($2, $3, $Jk)` | Any card from four up to ace. |" in tables


def test_every_option_stands_in_the_table_with_every_profile(classic: Material) -> None:
    page = options_page([classic])
    for option in classic.ruleset.options:
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{option}` |")]
        assert row.count(" | ") == 2 + len(classic.ruleset.profiles)
    assert "| `upcard_black_three` |" in page
    assert re.search(
        r"^\| `upcard_black_three` \|.*\| `cover` \| `cover` \| \*\*`keep`\*\* \| `cover` \|$", page, re.MULTILINE
    )
    assert "| `hand_size` | 11 |" in page
    assert "| `minimum` | 15 below 0, 50 from 0, 90 from 1,500 and 120 from 3,000 |" in page


def test_every_ruling_and_source_has_its_place() -> None:
    entries = register()
    rulings, contradictions, sources = rulings_page(entries, []), contradictions_page(entries), sources_page(entries)
    for ruling in entries.rulings.values():
        assert rulings.count(f"\n(ruling/{ruling.slug})=\n") == 1
        assert f"(<#ruling/{ruling.slug}>)" in contradictions, ruling.slug
        assert prose(ruling.decision) in rulings
    for source in entries.sources:
        assert sources.count(f"\n(source/{source})=\n") == 1


def test_every_seed_sentence_has_its_place_and_its_answer(classic: Material) -> None:
    entries = register()
    page, found = coverage_page(entries, [classic]), coverage_of(entries, [classic])
    for sentence in entries.sentences:
        (line,) = [x for x in page.splitlines() if x.startswith(f"`{sentence.id}` ")]
        assert line.endswith("**open**") == (sentence.id in found.open)
        assert ("no rule" in line) == bool(sentence.no_rule)
    assert [s for s in found.open if not s.startswith("s003")] == []


def test_every_code_and_every_diagnostic_is_listed(classic: Material) -> None:
    page = codes_page([classic])
    for entry in classic.clauses:
        for one in entry.codes:
            assert re.search(rf"^\| \[`{one}`\]\(<#code/{one}>\) \|.*`{entry.clause.id}`", page, re.MULTILINE), one
    listed = re.findall(r"^### ([A-Z]{2}\d{4}):", diagnostics_page(), re.MULTILINE)
    assert sorted(listed) == sorted(all_ids())


def test_the_language_reference_has_every_sign_of_the_code() -> None:
    page = language_page()
    for name in (*CONTEXT, "option"):
        assert f"\n| `{name}` | " in page, name
    for name in (*BUILTIN, "size", "possible", "possible_onto"):
        assert f"\n| `{name}(" in page, name
    signs = {Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE, Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.NOT, Op.IN, Op.WITHIN}
    assert [op for op in signs if f"| `{op.value}` | " not in page] == []
    statements = [op for op in StatementOp if "_" not in op]
    assert [op for op in statements if not re.search(rf"^\| `{op}\b", page, re.MULTILINE)] == []


def test_the_resolved_form_keeps_its_published_shape(classic: Material) -> None:
    schema = json.loads((room("spec") / "schema" / "resolved.schema.json").read_text(encoding="utf-8"))
    told = json.loads(resolved(classic))
    assert [e.message for e in Draft202012Validator(schema).iter_errors(told)] == []
    assert [c["id"] for c in told["clauses"]] == list(classic.ruleset.clauses)
    assert told["profiles"]["pagat"]["options"]["upcard_black_three"] == "keep"
    assert told["parameters"]["hand_size"] == 11


def test_a_variants_resolved_form_says_where_each_clause_comes_from(tmp_path: Path) -> None:
    home = tmp_path / "home.yaml"
    home.write_text(
        "ruleset: home\ntitle: At *home* <b>\nextends: classic\nset: {hand_size: 13}\nadd:\n  clauses:\n"
        "    - {id: home.music, kind: custom, title: No music, text: 'Play | in *silence*.'}\n",
        encoding="utf-8",
    )
    told = json.loads(resolved(material(str(home))))
    origin = {c["id"]: c["origin"] for c in told["clauses"]}
    assert origin["home.music"] == {"kind": "added", "ruleset": "home"}
    assert origin["melds.size"] == {"kind": "inherited", "ruleset": "classic"}
    book = lawbook.law_book(str(home))
    assert "# At \\*home\\* \\<b\\>: the law book" in book
    assert "Play \\| in \\*silence\\*." in book


def test_what_the_options_switch_off_is_marked() -> None:
    off = "**Not in force in this rule set: option `wilds_not_more_than_naturals` = `no`.**"
    assert off in page_of(lawbook.law_book("classic"), "melds.wilds.ratio")
    assert "Not in force" not in page_of(lawbook.law_book("classic:article"), "melds.wilds.ratio")
    marked = {e.clause.id for e in material("classic").clauses if e.off}
    assert marked >= {"canastas.natural.closed", "take.onto-canasta", "red-threes.dealt.first-turn"}
    assert marked & {"red-threes.dealt", "take.one-card", "stock.forced-take", "going-out.canasta"} == set()


def test_a_single_demand_that_is_switched_off_is_marked(tmp_path: Path) -> None:
    home = tmp_path / "home.yaml"
    home.write_text(
        "ruleset: home\ntitle: Ours\nextends: classic\nadd:\n  options:\n    sevens: {of: bool, is: yes, text: sevens}\n"
        "  clauses:\n    - id: home.cards\n      kind: requirement\n      on: [discard]\n      title: x\n      text: x\n"
        "      require:\n        - {code: NO_SEVEN, that: sevens or card.rank != $7}\n"
        "        - {code: NO_EIGHT, that: card.rank != $8}\n",
        encoding="utf-8",
    )
    (entry,) = (e for e in material(str(home)).clauses if e.clause.id == "home.cards")
    assert entry.off == ("`NO_SEVEN` is not demanded in this rule set: option `sevens` = `yes`.",)


def test_a_clause_that_sums_up_names_what_decides(classic: Material) -> None:
    page = page_of(lawbook.law_book("classic"), "take.unfrozen")
    assert "sums up what other clauses decide" in page
    assert "follows from: [`pile.frozen-for`](<#classic/pile.frozen-for>)" in page
    assert "for the people at the table" in page_of(lawbook.law_book("classic"), "take.show-first")
    assert classic.ruleset.clauses["take.unfrozen"].examples


def test_the_coverage_page_says_what_open_sentences_wait_for(classic: Material) -> None:
    page = coverage_page(register(), [classic])
    assert "The open sentences of `s003` wait for the rule set `bolivia/handbook`" in page


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a *b* _c_ [d](e) <f> g|h", r"a \*b\* \_c\_ \[d\](e) \<f\> g\|h"),
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("two\n  lines &amp; more", "two lines &amp;amp; more"),
        ("{role}`x`", r"\{role\}\`x\`"),
    ],
)
def test_text_of_a_rule_file_means_nothing_in_markdown(text: str, written: str) -> None:
    assert plain(text) == written


def test_code_holds_whatever_it_holds() -> None:
    assert code("a`b") == "``a`b``"
    assert code("`") == "`` ` ``"
    assert code("a|b") == r"`a\|b`"
    assert block("```\nx").startswith("````text\n")
    assert prose("set `a*b` and *c*") == r"set `a*b` and \*c\*"
    assert prose("150.") == r"150\."
    assert (
        prose("see [*how* it is](a_page.md), [not](<this>) `x`")
        == r"see [\*how\* it is](a_page.md), \[not\](\<this\>) `x`"
    )
