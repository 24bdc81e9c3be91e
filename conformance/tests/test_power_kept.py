"""The measurement goes on where it was broken off, and what it calls no mutant, equivalent or an area is what it says."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from canasta.diagnostics import CanastaError
from canasta.games import game_of
from canasta.language.build import Earlier
from canasta.language.loading import Loaded, load_document
from canasta.language.naming import known
from canasta.language.source import Mapping
from canasta_conformance.places import folder
from canasta_conformance.power import measuring
from canasta_conformance.power.compiled import print_of
from canasta_conformance.power.equivalents import MOST, too_many
from canasta_conformance.power.games import tells_apart
from canasta_conformance.power.journal import Journal, Kept, OtherFileError, kept_in, key_of
from canasta_conformance.power.measuring import Outcome, family_ready, mutants_of
from canasta_conformance.power.minis import packs_of, walk
from canasta_conformance.power.telling import on_mini_packs, position_of
from canasta_conformance.power.trials import Changed, Fate, Notice, built
from canasta_conformance.power.views import Views
from canasta_conformance.power.whole import Settings, try_mutants
from canasta_conformance.suite import Case, read_suite

SMALL = "classic/six/two-packs"


@pytest.mark.whole
def test_a_measurement_goes_on_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "journal"
    settings = Settings((SMALL,), jobs=1, thorough=False, journal=str(journal))
    began = tried_of(settings)
    text = journal.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    assert len(lines) == len(began) + 1
    journal.write_text("".join(lines[:4]) + lines[4][:30], encoding="utf-8")
    plain = measuring._tried

    def watched(changed: Changed, asserting: Sequence[Case], others: Iterable[Case], enough: Views | None) -> Outcome:
        with (tmp_path / "tried").open("a", encoding="utf-8") as file:  # in another process
            file.write(changed.mutant.id + "\n")
        return plain(changed, asserting, others, enough)

    monkeypatch.setattr(measuring, "_tried", watched)
    assert tried_of(settings) == began
    assert len((tmp_path / "tried").read_text(encoding="utf-8").splitlines()) == len(began) - 3
    assert sorted(journal.read_text(encoding="utf-8").splitlines()) == sorted(text.splitlines())


def tried_of(settings: Settings) -> list[Outcome]:
    Journal(Path(settings.journal)).close()
    return try_mutants(settings.rulesets, {}, settings)


def test_what_is_kept_counts_only_while_its_cases_say_the_same() -> None:
    family, cases = family_ready("gin"), [c for c in read_suite().cases.values() if c.ruleset == "gin"][:3]
    key = key_of("m", family.digest, cases, thorough=False, full=False)
    assert key == key_of("m", family.digest, cases, thorough=False, full=False)
    assert key != key_of("m", family.digest, cases[:2], thorough=False, full=False)
    assert key != key_of("m", "0" * 16, cases, thorough=False, full=False)
    assert key != key_of("n", family.digest, cases, thorough=False, full=False)
    assert key != key_of("m", family.digest, cases, thorough=False, full=True)


def test_a_journal_is_read_as_it_was_written_and_nothing_else_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept = Kept("k", Fate.KILLED, (Notice("gin/a/b", "code", whole_game=False),), ())
    journal = Journal(path)
    journal.keep("a mutant", kept)
    journal.close()
    assert kept_in(path) == {"k": kept}
    other = tmp_path / "other"
    other.write_text("of mine", encoding="utf-8")
    with pytest.raises(OtherFileError):
        Journal(other)
    assert other.read_text(encoding="utf-8") == "of mine"


def test_a_mutant_that_matters_only_where_something_else_is_chosen_is_one() -> None:
    family = family_ready("classic")
    fates = {
        m.id: family.opened(m).kind()
        for m in mutants_of("classic")
        if m.place in ("melds.wilds.ratio/require/0/that", "parameters.undeclared_red_three_penalty/is")
    }
    assert fates["classic/melds.wilds.ratio/require/0/that · relation: filler < body"] is None
    assert fates["classic/parameters.undeclared_red_three_penalty/is · constant: 499"] is Fate.SAME


def test_a_mutant_that_changes_play_is_found_on_a_mini_pack() -> None:
    dropped = next(m for m in mutants_of("classic") if m.id == "classic/melds.size · drop a clause: nothing")
    assert "/count-" in on_mini_packs(dropped, "")


def test_only_so_many_of_all_mutants_may_be_called_equivalent() -> None:
    survivors = [Outcome(m, Fate.SURVIVED) for m in mutants_of("classic")[:100]]
    most = int(MOST * len(survivors))
    ids = [o.mutant.id for o in survivors]
    assert too_many(ids[:most], survivors) == []
    assert too_many(ids[: most + 1], survivors)


def test_every_chapter_is_in_one_area_or_in_none_by_intention() -> None:
    told = json.loads((folder("power") / "areas.json").read_text(encoding="utf-8"))
    listed = [chapter for chapters in (*told["areas"].values(), told["others"]) for chapter in chapters]
    chapters = {chapter for name in known() for chapter in load_document(name).chapter_of.values()}
    assert len(listed) == len(set(listed))
    assert set(listed) == chapters


@pytest.mark.soon("gin")
@pytest.mark.parametrize("name", ["classic", "bolivia", "gin"])
def test_what_is_taken_over_from_an_earlier_building_is_what_would_be_built(name: str) -> None:
    family = family_ready(name)
    loaded = family.loaded[name]
    for mutant in mutants_of(name)[:: 60 if name == "classic" else 25]:
        document = mutant.applied(loaded.document)
        assert printed(loaded, document, None) == printed(loaded, document, family.built(name, {})), mutant.id


def printed(loaded: Loaded, document: Mapping, earlier: Earlier | None) -> tuple[str, ...]:
    try:
        return print_of(game_of(built(loaded, document, {}, earlier)))
    except CanastaError as error:
        return tuple(sorted({found.id for found in error.diagnostics}))


@pytest.mark.parametrize(
    ("place", "operator", "told"),
    [
        (
            "knock.big-gin/require/1",
            "drop a requirement",
            "illegal (CARDS_LEFT, NO_BIG_GIN",
        ),
        ("score.difference/points", "self, opponent", "it scores otherwise"),
        ("score.difference/when", "drop an exception", "it scores otherwise"),
    ],
)
def test_a_mutant_that_changes_no_legal_play_is_told_apart_on_a_mini_pack(place: str, operator: str, told: str) -> None:
    found = next(m for m in mutants_of("gin") if m.place == place and m.operator == operator)
    assert told in on_mini_packs(found, "")
    assert on_mini_packs(found, "").startswith("an act on the mini pack of gin/")


def test_a_mini_pack_is_walked_to_refused_acts_and_to_ended_deals_and_is_no_other_by_the_same_rules() -> None:
    game = family_ready("gin").opened_as_it_is("gin", {})
    tried = walk(game, packs_of(read_suite().cases, "gin")[0])
    assert len({one.codes for one in tried}) > 5
    assert any(one.lines for one in tried)
    assert tells_apart(game, tried, game) == ""


def test_deals_at_random_are_played_by_other_choices_too() -> None:
    walled = next(m for m in mutants_of("gin") if m.place == "upcard.offer/do/2" and m.operator == "drop an effect")
    assert position_of(walled, 600).startswith("gin,wall=may_knock: ")
