"""The measurement itself: mutants are what they say, a weak suite is found to be weak, and nothing is counted that should not be."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from canasta.games import load_ruleset
from canasta.language.expressions import parse_expression, parse_statement, write
from canasta.language.naming import known
from canasta_conformance.connecting import Engine, opener
from canasta_conformance.places import folder
from canasta_conformance.power.equivalents import Equivalent, judged, listed, outdated, unknown
from canasta_conformance.power.measuring import Outcome, family_ready, measure, mutants_of, try_out
from canasta_conformance.power.measuring import Task as Work
from canasta_conformance.power.names import names_of
from canasta_conformance.power.nodes import Places
from canasta_conformance.power.operators import faults, faults_of_statement, settled
from canasta_conformance.power.report import Power, figures
from canasta_conformance.power.tiers import core
from canasta_conformance.power.trials import Fate
from canasta_conformance.power.views import killed_as_seen
from canasta_conformance.running import Run, Settings
from canasta_conformance.suite import read_suite
from canasta_conformance.tiers import core_cases, written

SMALL = "classic/six/two-packs"


def ruleset_of(mutant: str) -> str:
    return max((name for name in known() if mutant.startswith(f"{name}/")), key=len, default="")


def found(text: str) -> set[tuple[str, str]]:
    rules = load_ruleset("classic")
    return {(op, write(tree)) for op, tree, _ in faults(parse_expression(text), names_of(rules), condition=True)}


def test_operators_make_the_slips_that_they_are_named_after() -> None:
    assert found("left >= 1 and opened") >= {
        ("relation", "left > 1 and opened"),
        ("constant", "left >= 2 and opened"),
        ("drop a condition", "opened"),
        ("and, or", "left >= 1 or opened"),
        ("negate", "left >= 1 and not opened"),
        ("player, side", "left >= 1 and melded"),
        ("self, opponent", "left >= 1 and opened(side_of(next(seat)))"),
    }
    assert ("all, any", "all(c in hand have c is wild)") in found("any(c in hand where c is wild)")
    assert ("hand, meld, pile", "size(stock) = 0") in found("size(pile) = 0")
    assert ("sign or bonus", "left") in found("left - 1 > 0") or ("sign or bonus", "left > 0") in found("left - 1 > 0")


def test_operators_change_what_is_done() -> None:
    rules = load_ruleset("classic")
    told = {
        (op, write(tree))
        for op, tree, _ in faults_of_statement(parse_statement("move all from pile to hand"), names_of(rules))
    }
    assert ("top, whole pile", "move 1 from pile to hand") in told
    assert ("self, opponent", "move all from pile to hand(next(seat))") in told


def test_what_the_kernel_promises_is_seen_from_the_text() -> None:
    def same(one: str, other: str) -> bool:
        return write(settled(parse_expression(one))) == write(settled(parse_expression(other)))

    assert same("size(stock) = 0", "size(stock) <= 0")
    assert same("left > 0", "left != 0")
    assert not same("left > 0", "left >= 0")
    assert not same("size(pile) - 1 = 0", "size(pile) - 1 <= 0")


def test_only_what_a_rule_set_says_itself_is_changed_in_it() -> None:
    loaded = family_ready(SMALL).loaded
    parent = loaded["classic/six"].document
    for mutant in mutants_of(SMALL):
        assert mutant.applied(parent) is parent, mutant.id
        assert mutant.applied(loaded[SMALL].document) is not loaded[SMALL].document, mutant.id


def test_a_fault_put_in_at_its_place_is_the_fault_found_by_going_through_all() -> None:
    family = family_ready("classic/three")
    for name, loaded in family.loaded.items():
        places = Places(loaded.document)
        for mutant in [*mutants_of("classic")[::9], *mutants_of("classic/three")[::3]]:
            found, whole = mutant.applied(loaded.document, places), mutant.applied(loaded.document)
            assert found == whole, (name, mutant.id)
            assert (found is loaded.document) == (whole is loaded.document), (name, mutant.id)


def test_every_mutant_has_a_name_of_its_own_and_a_place() -> None:
    for name in ("classic", "samba", "gin"):
        listed = mutants_of(name)
        assert len({m.id for m in listed}) == len(listed)
        assert all(m.file.startswith("spec/rules/") and m.line > 0 for m in listed)
    operators = Counter(m.operator for name in ("classic", "samba", "gin") for m in mutants_of(name))
    assert len(operators) > 18, operators


def test_an_edit_leaves_all_else_the_very_same() -> None:
    document = family_ready("classic").loaded["classic"].document
    mutant = mutants_of("classic")[0]
    changed = mutant.applied(document)
    assert [key for key in document.items if changed.items[key] is not document.items[key]] == ["clauses"]


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite without the cases that show the lower bounds of melds: two cards, one natural card."""
    root = tmp_path_factory.mktemp("weak")
    shutil.copytree(folder("suite") / "classic", root / "classic")
    manifest = json.loads((folder("suite") / "manifest.json").read_text(encoding="utf-8"))
    kept = [c for c in manifest["cases"] if c["id"].startswith("classic/") and c["id"] not in LEFT_OUT]
    files = [path for path in manifest["files"] if path.startswith("classic/")]
    (root / "manifest.json").write_text(json.dumps({**manifest, "files": files, "cases": kept}), encoding="utf-8")
    return root


LEFT_OUT = ("classic/melds.size/two-cards",)


def bound_mutants() -> list[int]:
    listed = mutants_of("classic")
    return [at for at, m in enumerate(listed) if m.place.startswith(("melds.size", "melds.naturals/require"))]


def test_a_bound_is_what_its_table_says() -> None:
    family = family_ready("classic")
    fates = {
        m.place: family.opened(m).kind()
        for m in mutants_of("classic")
        if m.id.endswith("hand, meld, pile: body >= meld_size") and m.place.startswith("melds.")
    }
    # A meld of black threes has no other cards; one of a rank may have wild ones.
    assert fates == {"melds.black-threes.size/require/0/that": Fate.SAME, "melds.size/require/0/that": None}


def tried(suite: str) -> dict[str, Outcome]:
    work = Work("classic", tuple(bound_mutants()), suite, thorough=False, full=True)
    return {outcome.mutant.id: outcome for outcome in try_out(work, {})}


def test_a_weak_suite_lets_exactly_those_faults_live_that_it_does_not_show(weak: Path) -> None:
    whole, weaker = tried(""), tried(str(weak))
    dropped = "classic/melds.size · drop a clause: nothing"
    assert whole[dropped].fate is Fate.KILLED
    assert [n.case for n in whole[dropped].killers] == ["classic/melds.size/two-cards"]
    assert weaker[dropped].fate is Fate.SURVIVED
    other = "classic/melds.naturals/require/0/that · relation: body > least_naturals"
    assert whole[other].fate is weaker[other].fate is Fate.KILLED
    worse = [id_ for id_ in whole if whole[id_].fate is not weaker[id_].fate]
    assert worse
    assert all(id_.startswith("classic/melds.size") for id_ in worse)


def test_kills_by_cases_of_other_clauses_are_counted_apart(weak: Path) -> None:
    listed = mutants_of("classic")
    at = next(i for i, m in enumerate(listed) if m.id == "classic/melds.size · drop a clause: nothing")
    suite = str(weak)
    touched = {
        case: frozenset({"melds.size"})
        for case in ("classic/take.onto-canasta/no-pair", "classic/melds.naturals/one-natural")
    }
    outcome = try_out(Work("classic", (at,), suite, thorough=True), touched)[0]
    assert outcome.fate in (Fate.ELSEWHERE, Fate.SURVIVED)
    assert not outcome.killers


def test_asking_until_every_view_has_noticed_finds_the_same_as_asking_all() -> None:
    listed = range(0, len(mutants_of("classic/three")), 12)
    work = Work("classic/three", tuple(listed), "", thorough=False, full=True)
    full, enough = try_out(work, {}), try_out(replace(work, full=False), {})
    assert [o.fate for o in enough] == [o.fate for o in full]
    assert killed_as_seen(enough, read_suite()) == killed_as_seen(full, read_suite())
    assert sum(len(o.killers) for o in enough) < sum(len(o.killers) for o in full)


def test_core_notices_all_that_is_noticed() -> None:
    outcomes = list(tried("").values())
    chosen = {(case, form) for case, forms in core(outcomes).items() for form in forms}
    killed = [o for o in outcomes if o.fate is Fate.KILLED]
    assert killed
    assert all(chosen & {(n.case, n.form) for n in o.killers} for o in killed)
    assert len(chosen) <= len({(n.case, n.form) for o in killed for n in o.killers})


def test_the_core_is_a_tier_that_leaves_the_digest_alone(weak: Path, tmp_path: Path) -> None:
    shutil.copytree(weak, tmp_path / "suite")
    path = tmp_path / "suite" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for case in manifest["cases"]:
        case.pop("tier", None)
    chosen = manifest["cases"][3]["id"]
    forms = range(len(read_suite(weak).cases[chosen].forms))
    manifest["cases"][3] |= {"tier": "core", "forms": [forms[-1]]}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    suite = read_suite(tmp_path / "suite")
    assert [case.id for case in suite.chosen(tier="core")] == [chosen]
    run = Run(Engine(opener("reference"), suite.digest), "reference", suite, suite.chosen(), Settings(tier="core"))
    assert [item.id for item in run.items] == [f"{chosen}#{forms[-1]}"]
    assert len(suite.chosen()) == len(manifest["cases"])
    assert suite.chosen(("classic/none/*",), tier="core") == []


def test_what_was_measured_is_written_and_read_again() -> None:
    told = json.loads(written({"b": (1,), "a": (0, 2)}, "0" * 16))
    assert told == {"tier": "core", "measured": "0" * 16, "forms": {"a": [0, 2], "b": [1]}}
    cases = read_suite().cases
    assert all(form < len(cases[case].forms) for case, forms in core_cases().items() for form in forms)
    assert read_suite().tiers["core"] == core_cases()


def test_every_equivalent_names_a_mutant_and_rests_on_what_is_said() -> None:
    assert all(ruleset_of(e.mutant) for e in listed())
    check_equivalents("gin")


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", sorted({ruleset_of(e.mutant) for e in listed()} - {"gin"}))
def test_every_equivalent_of_every_rule_set_names_a_mutant_and_rests_on_what_is_said(ruleset: str) -> None:
    check_equivalents(ruleset)


def check_equivalents(ruleset: str) -> None:
    """Look an entry's mutant up and compare all digests; nothing is measured."""
    mutants = {m.id: m for m in mutants_of(ruleset)}
    entries = [e for e in listed() if ruleset_of(e.mutant) == ruleset]
    assert entries
    assert unknown(entries, mutants) == []
    assert [told for e in entries if (told := outdated(e, mutants[e.mutant]))] == []
    assert all(e.reason.endswith(".") for e in entries)


def test_an_equivalent_expires_with_its_clause_and_falls_with_a_case() -> None:
    outcomes = tried("")
    alive = next(o for o in outcomes.values() if o.fate is Fate.KILLED)
    entry = Equivalent(alive.mutant.id, alive.mutant.formal, {}, "it seems to change nothing")
    assert "a case notices it" in judged([entry], outcomes, {}).complaints[0]
    survivor = Outcome(alive.mutant, Fate.SURVIVED)
    many = {**outcomes, **{f"x{n}": survivor for n in range(40)}}
    many[alive.mutant.id] = survivor
    assert judged([entry], many, {}).holding == {alive.mutant.id}
    old = Equivalent(alive.mutant.id, "0" * 16, {}, "it seems to change nothing")
    assert "read it again" in judged([old], many, {}).complaints[0]
    assert "tells it apart" in judged([entry], many, {alive.mutant.id: "a position"}).complaints[0]


def test_sides_codes_and_conditions_are_measured() -> None:
    measured = measure(SMALL)
    assert not measured.failing
    told = figures(Power("x" * 16, [measured], []))
    assert told["clauses"] == len(measured.sides)
    assert told["clauses_both_sides"] <= told["clauses"]
    assert 0 < told["conditions_alone"] <= told["conditions"]
