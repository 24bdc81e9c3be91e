"""The register of sources, seed sentences and rulings holds together, and says so when it does not."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from canasta import register as registers
from canasta.diagnostic_ids import all_ids, explain
from canasta.diagnostics import CanastaError, Diagnostic
from canasta.games import load_ruleset
from canasta.language import source as written
from canasta.language.naming import known
from canasta.register import (
    LONGEST_GIST,
    Grade,
    Register,
    coverage,
    read_register,
    read_rulings,
    read_seeds,
    read_sources,
)
from canasta.rooms import room

SENTENCES_BY_SEED = {"s000": 99, "s001": 46, "s002": 46, "s003": 32, "s004": 46}


@pytest.fixture(scope="module")
def register() -> Register:
    return read_register()


def test_every_sentence_of_the_five_seeds_is_registered_once_and_in_order(register: Register) -> None:
    expected = [f"{seed}.{n:03d}" for seed, total in SENTENCES_BY_SEED.items() for n in range(1, total + 1)]
    assert [sentence.id for sentence in register.sentences] == expected
    assert len(expected) == 269


def test_no_seed_says_the_same_sentence_twice(register: Register) -> None:
    for seed, total in SENTENCES_BY_SEED.items():
        assert len({sentence.digest for sentence in register.sentences if sentence.seed == seed}) == total


def test_gists_are_short_and_in_plain_english(register: Register) -> None:
    for sentence in register.sentences:
        assert 1 <= len(sentence.gist.split()) <= LONGEST_GIST, sentence.id
        assert sentence.gist.isascii(), sentence.id


def test_parallel_sentences_of_the_article_are_no_rule_together(register: Register) -> None:
    no_rule = {sentence.id: bool(sentence.no_rule) for sentence in register.sentences}
    for number in range(1, 47):
        assert no_rule[f"s001.{number:03d}"] == no_rule[f"s002.{number:03d}"], number


def test_every_contradiction_has_its_ruling(register: Register) -> None:
    labels = {ruling.label for ruling in register.rulings.values()}
    assert {f"K{number:02d}" for number in range(1, 53)} <= labels


def test_readings_are_held_by_somebody_and_differ(register: Register) -> None:
    for ruling in register.rulings.values():
        assert all(reading.by for reading in ruling.readings), ruling.slug
        assert len({reading.says for reading in ruling.readings}) == len(ruling.readings), ruling.slug
        assert bool(ruling.sole) == (len(ruling.readings) == 1), ruling.slug


def test_questions_and_decisions_are_sentences(register: Register) -> None:
    for ruling in register.rulings.values():
        assert ruling.question.endswith("?"), ruling.slug
        assert ruling.decision.endswith("."), ruling.slug
        assert ruling.reason.endswith("."), ruling.slug


def test_a_case_is_settled_by_one_ruling_only(register: Register) -> None:
    settled: dict[str, str] = {}
    for ruling in register.rulings.values():
        for case in ruling.cases:
            assert settled.setdefault(case, ruling.slug) == ruling.slug, case


CASES = (
    1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29, 30, 31, 32, 34, 35, 36, 37, 39, 40, 41, 42,
    44, 45, 46, 47, 49, 50, 51, 52, 54, 55, 56, 57, 59, 60, 61, 62, 64, 65, 66, 67, 69, 70, 71, 72, 74, 75, 76, 77, 79, 80, 81, 82,
    84, 85, 86, 87, 89, 90, 91, 92, 94, 95, 96, 97, 99, 100, 101, 102, 104, 105,
)  # fmt: skip
"""The disputed cases of classic Canasta with two to six players; some numbers are left out."""


def test_every_case_of_the_classic_game_is_executed() -> None:
    """Each has an example in a rule set that carries its number; a ruling alone would decide it and not execute it."""
    ids: set[int] = set()
    for name in known():
        if name.split("/")[0] == "classic":
            examples = (e for clause in load_ruleset(name).clauses.values() for e in clause.examples)
            ids |= {int(found[1]) for e in examples if (found := re.match(r"c(\d+)-", e.id))}
    assert sorted(set(CASES) - ids) == []


def test_every_source_is_dated_and_reported_ones_name_their_reporter(register: Register) -> None:
    for source in register.sources.values():
        assert source.when in ("2026-11-29", "2026-11-30"), source.id
        if source.grade is Grade.REPORTED:
            assert source.reported_by, source.id
        assert source.id not in source.reported_by, source.id


def test_rulings_and_rule_sets_agree_on_options(register: Register) -> None:
    games = {game for ruling in register.rulings.values() for game in ruling.applies}
    for game, declared in ((game, _options(game)) for game in sorted(games)):
        settled = {r.option.name: r for r in register.rulings.values() if r.option and game in r.applies}
        if declared:
            assert set(settled) <= set(load_ruleset(game).options), game
        for name, (words, slug) in declared.items():
            assert name in settled, f"no ruling settles the option {name} of {game}"
            option = settled[name].option
            assert slug == settled[name].slug, f"{name} of {game} is not the option of {slug}"
            assert option is not None
            assert not words or {word for word, _ in option.values} == words, slug


def test_the_classic_rules_leave_no_sentence_of_their_sources_open(register: Register) -> None:
    cited = _citations("classic")
    assert cited, "the classic rule set cites nothing"
    found = coverage(cited, register)
    assert [d.message for d in found.findings] == []
    assert [id_ for id_ in found.open if not id_.startswith("s003")] == []


def test_rule_sets_name_only_rulings_that_exist(register: Register) -> None:
    named = {
        (slug, file.name)
        for file in (Path(str(room("spec"))) / "rules").rglob("*.yaml")
        for slug in re.findall(r"^\s*(?:- )?\{?ruling: ([a-z0-9-]+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert {(slug, where) for slug, where in named if slug not in register.rulings} == set()


def _pages(game: str) -> list[written.Mapping]:
    folder = Path(str(room("spec"))) / "rules" / game
    return [written.read_file(file) for file in sorted(folder.glob("*.yaml"))]


def _options(game: str) -> dict[str, tuple[set[str], str]]:
    """Collect the options that a rule set declares: the words of each (none: any number) and its ruling."""
    found: dict[str, tuple[set[str], str]] = {}
    for page in _pages(game):
        declared = page.items.get("options")
        for name, entry in declared.items.items() if isinstance(declared, written.Mapping) else ():
            fields = written.plain(entry)
            assert isinstance(fields, dict)
            domain = fields["of"]
            words = {str(word) for word in domain} if isinstance(domain, list) else set[str]()
            found[name] = ({"yes", "no"} if domain == "bool" else words, str(fields.get("ruling")))
    return found


def _citations(game: str) -> dict[str, list[str]]:
    """Collect what each clause of a rule set cites."""
    found: dict[str, list[str]] = {}
    for page in _pages(game):
        clauses = written.plain(page.items["clauses"]) if "clauses" in page.items else []
        assert isinstance(clauses, list)
        for clause in clauses:
            found[clause["id"]] = [source["at"] for source in clause.get("sources", [])]
    return found


def test_coverage_counts_claims_of_clauses_and_rulings(register: Register) -> None:
    bare = coverage({}, register)
    claimed = coverage({"draw.stock": ["s000.044", "pagat"], "draw.again": ["s000.044"]}, register)
    assert bare.sentences == claimed.sentences == 269
    assert "s000.044" in bare.open
    assert claimed.claimed["s000.044"] == ("draw.stock", "draw.again")
    assert len(claimed.open) == len(bare.open) - 1
    assert claimed.findings == ()


def test_coverage_accounts_for_every_sentence_once(register: Register) -> None:
    found = coverage({"wilds": ["s000.007"]}, register)
    parts = [set(found.claimed), set(found.not_rules), set(found.open)]
    assert sum(map(len, parts)) == len(set().union(*parts)) == found.sentences
    for row in found.table:
        assert row.sentences == SENTENCES_BY_SEED[row.seed] == row.claimed + row.not_rules + row.open


def test_coverage_names_citations_that_cannot_be_right(register: Register) -> None:
    found = coverage({"wilds": ["s000.700", "pagatt"], "title": ["s000.001"]}, register)
    assert [(d.id, d.message.split(",")[0]) for d in found.findings] == [
        ("RS6009", "wilds cites s000.700"),
        ("RS6009", "wilds cites pagatt"),
        ("RS6011", "title claims s000.001"),
    ]
    assert found.findings[1].hint == "did you mean pagat?"


SOURCE = """sources:
  pagat: {title: Canasta, by: a collector, language: en, grade: read, when: 2026-11-29, of: [classic]}
"""
SEEDS = """sentences:
  - {id: s000.001, digest: "0123456789abcdef", gist: a heading, no_rule: heading}
  - {id: s000.002, digest: "0123456789abcdee", gist: jokers are wild}
"""
RULING = """ruling: k01-jokers
label: K01
question: Are jokers wild?
applies: [classic]
readings:
  - {says: they are, by: [pagat, s000.002]}
  - {says: they are not, by: [pagat]}
decision: They are.
reason: Everybody says so.
basis: source
option: {name: jokers, decided: wild, values: {wild: they are, dull: they are not}}
claims: [s000.002]
"""


def _written(room_: Path, sources: str = SOURCE, seeds: str = SEEDS, ruling: str = RULING) -> Path:
    (room_ / "rulings").mkdir()
    (room_ / "sources.yaml").write_text(sources, encoding="utf-8")
    (room_ / "seeds.yaml").write_text(seeds, encoding="utf-8")
    (room_ / "rulings" / "k01-jokers.yaml").write_text(ruling, encoding="utf-8")
    return room_


def _faults(read: Callable[[Path], object], room_: Path) -> list[Diagnostic]:
    with pytest.raises(CanastaError) as caught:
        read(room_)
    return list(caught.value.diagnostics)


def test_a_small_register_is_read(tmp_path: Path) -> None:
    found = read_register(_written(tmp_path))
    assert found.rulings["k01-jokers"].readings[0].by == ("pagat", "s000.002")
    assert found.rulings["k01-jokers"].option == registers.OpenChoice(
        "jokers", "wild", (("wild", "they are"), ("dull", "they are not"))
    )
    assert coverage({}, found).open == ()


@pytest.mark.parametrize(
    ("wrong", "right", "fault", "line", "word"),
    [
        ("", "by: a collector, ", "RS6001", 2, "pagat lacks by"),
        ("bye: a collector, ", "by: a collector, ", "RS6002", 2, "no field bye"),
        ("by: [a, b], ", "by: a collector, ", "RS6003", 2, "must be a text"),
        ("grade: heard", "grade: read", "RS6004", 2, "cannot be heard"),
        ("grade: reported", "grade: read", "RS6001", 2, "lacks reported_by"),
        ("when: yesterday", "when: 2026-11-29", "RS6005", 2, "ill-formed"),
        ("Pa gat:", "pagat:", "RS6005", 2, "no slug"),
    ],
)
def test_faults_in_sources_have_an_id_and_a_place(
    tmp_path: Path, wrong: str, right: str, fault: str, line: int, word: str
) -> None:
    found = _faults(read_sources, _written(tmp_path, sources=SOURCE.replace(right, wrong)))
    assert fault in [d.id for d in found]
    diagnostic = next(d for d in found if d.id == fault)
    assert diagnostic.span is not None
    assert diagnostic.span.line == line
    assert word in diagnostic.message


@pytest.mark.parametrize(
    ("wrong", "right", "fault"),
    [
        ("s000.003", "s000.002", "RS6007"),
        ("s000.001", "s000.002", "RS6007"),
        ("0:12", "s000.002", "RS6005"),
        ("gist: one two three four five six seven eight nine ten eleven twelve 13", "gist: jokers are wild", "RS6008"),
        ('digest: "XYZ"', 'digest: "0123456789abcdee"', "RS6005"),
    ],
)
def test_faults_in_seeds_are_named(tmp_path: Path, wrong: str, right: str, fault: str) -> None:
    found = _faults(read_seeds, _written(tmp_path, seeds=SEEDS.replace(right, wrong)))
    assert [d.id for d in found] == [fault]
    assert found[0].span is not None
    assert found[0].span.line == 3


@pytest.mark.parametrize(
    ("wrong", "right", "fault"),
    [
        ("k01-knaves", "k01-jokers", "RS6012"),
        ("label: K02", "label: K01", "RS6012"),
        ("basis: hearsay", "basis: source", "RS6004"),
        ("", "  - {says: they are not, by: [pagat]}\n", "RS6010"),
        ("values: {wild: they are}", "values: {wild: they are, dull: they are not}", "RS6013"),
        (
            "option: jokers",
            "option: {name: jokers, decided: wild, values: {wild: they are, dull: they are not}}",
            "RS6003",
        ),
        ("decision: ' '", "decision: They are.", "RS6003"),
        ("claims: [s0.2]", "claims: [s000.002]", "RS6005"),
    ],
)
def test_faults_in_rulings_are_named(tmp_path: Path, wrong: str, right: str, fault: str) -> None:
    found = _faults(read_rulings, _written(tmp_path, ruling=RULING.replace(right, wrong)))
    assert [d.id for d in found] == [fault]
    assert found[0].hint or found[0].id == "RS6003"


@pytest.mark.parametrize(
    ("wrong", "right", "fault"),
    [
        ("by: [pagat, s000.009]", "by: [pagat, s000.002]", "RS6009"),
        ("by: [hoyle]", "by: [pagat]", "RS6009"),
        ("claims: [s000.009]", "claims: [s000.002]", "RS6009"),
        ("claims: [s000.001]", "claims: [s000.002]", "RS6011"),
    ],
)
def test_names_that_nobody_knows_are_found(tmp_path: Path, wrong: str, right: str, fault: str) -> None:
    found = _faults(read_register, _written(tmp_path, ruling=RULING.replace(right, wrong)))
    assert [d.id for d in found] == [fault]
    assert found[0].span is not None


def test_two_rulings_on_one_point_are_refused(tmp_path: Path) -> None:
    room_ = _written(tmp_path)
    again = RULING.replace("k01-jokers", "k01-knaves")
    (room_ / "rulings" / "k01-knaves.yaml").write_text(again, encoding="utf-8")
    assert [d.id for d in _faults(read_rulings, room_)] == ["RS6006"]


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    room_ = _written(tmp_path, ruling=RULING.replace("basis: source", "basis: hearsay").replace("K01", "K09"))
    (room_ / "rulings" / "k02-broken.yaml").write_text("ruling: [", encoding="utf-8")
    ids = [d.id for d in _faults(read_rulings, room_)]
    assert {"RS6012", "RS6004"} < set(ids)
    assert any(id_.startswith("RS00") for id_ in ids)


def test_every_fault_of_the_register_is_explained() -> None:
    folder = Path(registers.__file__).parent
    code = "".join((folder / name).read_text(encoding="utf-8") for name in ("register.py", "register_entries.py"))
    raised = sorted(set(re.findall(r'"(RS6\d{3})"', code)))
    of_rule_sets = ["RS6014", "RS6015", "RS6016"]  # raised by `canasta rules check`, and shown in test_ruling_checks.py
    assert [*raised, *of_rule_sets] == [id_ for id_ in all_ids() if id_.startswith("RS6")]
    for id_ in raised:
        page = explain(id_)
        assert page is not None
        assert 3 <= page.explanation.count(". ") + 1 <= 6, id_
