"""Random deals against engines that are right and engines that are not: what is found is small, and can be asked again."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from canasta.games import open_game
from canasta.language.naming import known
from canasta.notation.reader import read_text
from canasta.random_play import shuffled_pack
from canasta.shuffle import SplitMix64
from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.declared import declarations
from canasta_conformance.fuzzing.findings import Origin, case_of, clause_at_stake
from canasta_conformance.fuzzing.journal import Journal
from canasta_conformance.fuzzing.legal_play import Habits, one_move
from canasta_conformance.fuzzing.probing import Departure, Kind, Probe
from canasta_conformance.fuzzing.recording import recorded
from canasta_conformance.fuzzing.referee import Referee, UnaskableError
from canasta_conformance.fuzzing.relations import RELATIONS, Base
from canasta_conformance.fuzzing.scripts import Script, script
from canasta_conformance.fuzzing.shards import SMALL, Plan, run_shard
from canasta_conformance.fuzzing.shrinking import Small, shrink
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.places import folder
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import collect
from canasta_conformance.suite import read_suite

Data = dict[str, Any]

FEW = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))


class ShortMelds(ReferenceEngine):
    """Lets two cards lie as a meld."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        told = super().turn(seat, acts)
        return {"committed": True} if told.get("codes") == ["MELD_TOO_SHORT"] else told


class NeverFrozen(ReferenceEngine):
    """Refuses each take of the pile, as if it were frozen."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        if any(act["act"] == "take" for act in acts):
            return {"committed": False, "codes": ["FROZEN_NEEDS_PAIR"]}
        return super().turn(seat, acts)


class NoBonus(ReferenceEngine):
    """Gives nothing for going out."""

    def ledger(self) -> Data:
        told = super().ledger()
        lost = {name: 0 for name in told["lines"] if name.endswith(".going_out")}
        return {**told, "lines": {**told["lines"], **lost}}


class LosesACard(ReferenceEngine):
    """Shows the pile without its lowest card, once three lie there."""

    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        told = super().observe(seat, also)
        zones = told["observation"]["zones"]
        return {"observation": {**told["observation"], "zones": {**zones, "pile": zones["pile"][-2:]}}}


class WrongReason(ReferenceEngine):
    """Refuses rightly, and says it is for the minimum."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        told = super().turn(seat, acts)
        return told | ({"codes": ["BELOW_MINIMUM"]} if "codes" in told else {})


def probe_of(make: Callable[[], object], ruleset: str = "classic", without: Sequence[str] = ()) -> Probe:
    suite = read_suite()
    engine = Engine(lambda: InProcess(make), suite.digest)
    hello = engine.greet()
    declared = declarations(hello, suite.rules)[ruleset]
    operations = [op for op in hello["operations"] if op not in without]
    return Probe(engine, operations, suite.rules[ruleset], declared)


def departures(probe: Probe, wanted: Kind, seeds: Sequence[int]) -> Iterator[tuple[Script, Departure]]:
    for seed in seeds:
        made = script("classic", {}, seed)
        for departure in probe(made.exchanges)[:1]:
            if departure.kind == wanted:
                yield made, departure


# The wrong engine, what kind of departure it is, the clause at stake, and a seed whose deal soon shows it.
WRONG: dict[str, tuple[type, Kind, str, int]] = {
    "a meld of two cards": (ShortMelds, Kind("accepted", "", ("MELD_TOO_SHORT",)), "melds.size", 19),
    "a take that is refused": (NeverFrozen, Kind("refused", "", ("FROZEN_NEEDS_PAIR",)), "take.frozen.natural-pair", 3),
    "a line of the score": (NoBonus, Kind("score", "going_out"), "scoring.going-out", 1),
    "a card that vanishes": (LosesACard, Kind("promise", "pack complete"), "", 0),
}


def small(wrong: str, without: Sequence[str] = ()) -> tuple[Script, Departure, Small]:
    make, kind, _, seed = WRONG[wrong]
    probe = probe_of(make, without=without)
    made, departure = next(departures(probe, kind, [seed]))
    return made, departure, shrink(probe, made.exchanges, departure, fault=False)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_an_engine_gets_wrong_becomes_a_small_case_that_can_be_asked_again(wrong: str, tmp_path: Path) -> None:
    make, kind, clause, _ = WRONG[wrong]
    made, departure, found = small(wrong)
    assert (found.departure.kind, found.steady) == (kind, True)
    assert found.exchanges[0].send["op"] == "load"
    assert len(found.exchanges) <= 3
    assert len(json.dumps([e.send for e in found.exchanges])) < 700
    at_stake = clause_at_stake("classic", found.exchanges, found.departure)
    assert at_stake == clause or not clause
    case = case_of(found.exchanges, found.departure, at_stake, Origin(1, 2, 3, "wrong 1"))
    shape = json.loads((folder("protocol") / "case.schema.json").read_text(encoding="utf-8"))
    written: Data = {"format": 1, "ruleset": "classic", "chapter": "fuzz", "cases": [case]}
    assert list(Draft202012Validator(shape).iter_errors(written)) == []
    path = tmp_path / "found.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    departed = {"broken-promise" if kind.what == "promise" else "fail": 1}
    assert [asked(make, path), asked(ReferenceEngine, path)] == [departed, {"pass": 1}]
    records, faults = read_text(recorded(made.begun, made.exchanges, departure, "wrong 1"), "found")
    assert len(records) == 1
    assert faults == []


def test_every_kind_of_finding_of_a_shard_is_kept_so_that_it_can_be_asked_again(tmp_path: Path) -> None:
    """Only the first few are made small, for that takes long; the others are kept as they were played."""
    result = run_shard(Plan("miniature:accepts-all", ("classic",), seed=3, examples=40), 0)
    journal = Journal(tmp_path / "fuzz", Plan("miniature:accepts-all", ("classic",), seed=3, examples=40), "digest")
    journal.keep(result)
    findings = journal.report()["findings"]
    assert len(findings) > SMALL
    assert [finding for finding in findings if not finding.get("clause") or "case" not in finding] == []
    assert 0 < sum(finding.get("whole", False) for finding in findings) == len(findings) - SMALL
    for finding in findings:
        path = tmp_path / "fuzz" / "findings" / finding["file"]
        assert asked(ReferenceEngine, path.with_suffix(".json")) == {"pass": 1}, finding["kind"]
        assert path.with_suffix(".cgn").is_file(), finding["kind"]


def asked(make: Callable[[], object], path: Path) -> Counter[str]:
    suite = read_suite(path)
    engine = Engine(lambda: InProcess(make), suite.digest)
    return collect(Run(engine, "python:here:Engine", suite, suite.chosen(), Settings()).records()).counts


def test_where_no_position_can_be_set_up_the_deal_has_fewer_turns() -> None:
    made, departure, found = small("a meld of two cards", without=("load",))
    assert found.exchanges[0].send["op"] == "start"
    assert found.departure.kind == departure.kind
    assert len(found.exchanges) < len(made.exchanges[: departure.at + 1]) / 2


def test_a_wrong_reason_is_told_only_where_one_requirement_is_broken() -> None:
    found = [
        departure
        for seed in range(2)
        for departure in probe_of(WrongReason)(script("classic", {}, seed, most=60).exchanges)
    ]
    assert found
    assert {departure.kind.what for departure in found} == {"code"}
    named = {code for departure in found for code in departure.kind.codes}
    assert not named & {"CARD_NOT_HELD", "NOT_YOUR_TURN", "NO_WAY_TO_END_THE_TURN"}


@pytest.mark.parametrize("level", [1, 2])
def test_a_script_depends_on_nothing_but_its_seed(level: int) -> None:
    one, other, third = (script("classic/two", {}, seed, level, most=30) for seed in (5, 5, 6))
    assert one.exchanges == other.exchanges
    assert one.exchanges != third.exchanges
    assert {"legal", "near-miss"} <= set(one.turns)
    assert one.faults == []
    assert {e.send["op"] for e in one.exchanges} >= ({"load"} if level == 1 else {"start"}) | {
        "turn",
        "observe",
        "ledger",
    }


@pytest.mark.parametrize("name", known())
def test_every_rule_set_can_be_fuzzed_and_the_reference_agrees_with_itself(name: str) -> None:
    made = script(name, {}, seed=3, most=20)
    assert made.faults == []
    assert made.turns["legal"] > 0
    probe = probe_of(ReferenceEngine, name)
    assert probe(made.exchanges) == []


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.name)
@FEW
@given(seed=st.integers(0, 2**32), name=st.sampled_from(["classic", "classic/two", "gin"]))
def test_the_reference_keeps_every_relation(relation: Any, seed: int, name: str) -> None:  # noqa: ANN401 - a relation
    rules = read_suite().rules[name]
    made = script(name, {}, seed)
    related = relation(Base(made.exchanges, rules, SplitMix64(seed)))
    assert related is None or related.broken == ()
    assert relation.clause(rules) in rules.clauses


def test_every_relation_can_be_made_of_some_deal() -> None:
    rules = read_suite().rules["classic"]
    made = [script("classic", {}, seed) for seed in range(9)]
    for relation in RELATIONS:
        assert any(relation(Base(one.exchanges, rules, SplitMix64(1))) for one in made), relation.name


def test_a_relation_that_the_reference_broke_would_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lowest card of the stock counts: then its order, and whether it is there, is not what no rule asks for."""
    usual = ReferenceEngine.ledger

    def ledger(self: ReferenceEngine) -> Data:
        told = usual(self)
        stock = self.observe()["observation"]["zones"]["stock"]
        return {**told, "totals": {name: sum(map(ord, stock[0])) if stock else 0 for name in told["totals"]}}

    monkeypatch.setattr(ReferenceEngine, "ledger", ledger)
    rules = read_suite().rules["classic"]
    stock = next(relation for relation in RELATIONS if relation.name == "stock")
    found = (stock(Base(script("classic", {}, seed).exchanges, rules, SplitMix64(1))) for seed in range(5))
    assert any(related is not None and related.broken for related in found)


def test_the_second_engine_agrees_through_the_protocol() -> None:
    result = run_shard(Plan("second", ("classic",), seed=20261130, examples=120), 0)
    assert (result["kinds"], result["stopped"]) == ({}, "")
    assert sum(result["turns"].values()) >= 120
    assert result["engine"] == "second 1"


def test_the_whole_hand_is_laid_down_without_a_canasta_before_long() -> None:
    """Who begins many melds and finishes none comes to it; players at random hardly ever do."""
    tried = [
        exchange.expect.get("codes")
        for seed in range(100, 106)
        for exchange in script("classic", {}, seed).exchanges
        if exchange.send["op"] == "turn" and exchange.send["acts"][-1]["act"] == "out"
    ]
    assert ["NO_CANASTA"] in tried


def test_players_do_what_they_avoid_where_nothing_else_is_legal() -> None:
    game = open_game("classic", by_face=True)
    state = game.start(shuffled_pack(game, 1), 3)
    avoids = Habits(10, frozenset(game.ruleset.acts))
    move, after = one_move(game, state, avoids, SplitMix64(1))
    assert move.act in game.machine.phases[state.phase].acts
    assert after is not state


# ---- what is not asked -----------------------------------------------------------------------------------------------


def test_of_a_turn_left_in_the_middle_nothing_is_expected() -> None:
    referee = Referee()
    position = {
        "seat": "N",
        "phase": "play",
        "zones": {"hand.N": ["Kc", "Kd", "Kh", "9c"], "stock": ["4c"], "pile": ["6c"]},
    }
    referee.expecting({"op": "load", "ruleset": "classic", "position": position})
    with pytest.raises(UnaskableError):
        referee.expecting({"op": "turn", "seat": "N", "acts": [{"act": "meld", "cards": ["Kc", "Kd", "Kh"]}]})


# ---- what fuzzing has shown about the reference as an engine ---------------------------------------------------------


def played(ruleset: str, position: Data, *acts: Data) -> Data:
    engine = ReferenceEngine()
    engine.load(ruleset, position)
    return engine.turn(position["seat"], acts)


def test_an_act_that_was_not_sent_has_not_been_done() -> None:
    position = {"seat": "N", "phase": "start", "zones": {"hand.N": ["9c", "Td"], "stock": ["4c", "5c"], "pile": ["6c"]}}
    assert played("classic", position, {"act": "discard", "cards": ["9c"]}) == {
        "committed": False,
        "codes": ["NOT_NOW"],
    }
    drawn = {"act": "draw"}, {"act": "discard", "cards": ["9c"]}
    assert played("classic", position, *drawn) == {"committed": True}
    assert not played("classic", position, *drawn, {"act": "out"})["committed"]


def test_a_card_that_lies_elsewhere_is_not_added_to_a_meld() -> None:
    zones = {
        "hand.N": ["9c", "Td"],
        "stock": ["4c", "5c"],
        "pile": ["6c"],
        "shown.NS": ["3d"],
        "melds.NS": [["5c", "5d", "5h"]],
    }
    position = {"seat": "N", "phase": "start", "zones": zones, "values": {"opened.NS": True}}
    added = {"act": "draw"}, {"act": "add", "cards": ["3d"], "to": "5c"}, {"act": "discard", "cards": ["9c"]}
    assert not played("classic", position, *added)["committed"]


@pytest.mark.parametrize("cards", [["Kd"], ["9s", "Kd"], ["Kd", "9s"]])
def test_only_the_card_that_lies_on_top_is_taken(cards: list[str]) -> None:
    zones = {"hand.N": ["Kd", "Td"], "stock": ["4c", "5c"], "pile": ["6c", "9s"]}
    position = {"seat": "N", "phase": "start", "zones": zones, "values": {"upcard": "settled"}}
    assert played("gin", position, {"act": "take", "cards": ["9s"]}) == {"committed": True}
    assert played("gin", position, {"act": "take", "cards": cards}) == {"committed": False, "codes": ["CARD_NOT_HELD"]}


def test_nobody_has_knocked_before_anybody_has() -> None:
    engine = ReferenceEngine()
    seen = engine.load("gin", {"seat": "N", "phase": "start", "zones": {"hand.N": ["Kd"], "stock": ["4c"]}})
    assert seen["observation"]["values"]["knocker"] == "nobody"


def test_partners_who_were_found_in_mid_deal_are_called_by_the_first_seat() -> None:
    for told in ("SN", "NS"):
        engine = ReferenceEngine()
        zones = {"hand.E": ["Kd"], "hand.N": ["9c"], "stock": ["4c"], f"melds.{told[0]}": [["5c", "5d", "5h"]]}
        values = {"formed": True, "sides": [told, "E"]}
        seen = engine.load("classic/three", {"seat": "E", "phase": "start", "zones": zones, "values": values})[
            "observation"
        ]
        assert seen["values"]["sides"] in (["NS", "E"], ["E", "NS"])
        assert seen["zones"]["melds.N"] == [["5c", "5d", "5h"]]
        assert "melds.S" not in seen["zones"]
