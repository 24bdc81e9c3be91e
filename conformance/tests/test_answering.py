"""A form put to the reference: how far it is put, and what is told of it, for all who ask in the same way."""

from typing import Any

from canasta_conformance.inprocess.answering import UNREACHED, Answered, answered
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.suite import Exchange

Data = dict[str, Any]

ASKED = {"op": "card_value", "ruleset": "classic", "cards": ["Kc", "Kd"]}


def came(*exchanges: Exchange, **how: bool) -> Answered:
    return answered(ReferenceEngine(), exchanges, **how)


def test_it_ends_with_the_first_wrong_answer_unless_the_whole_is_asked_for() -> None:
    asked = [Exchange(ASKED, {"value": 20}), Exchange(ASKED, {"value": 21}), Exchange(ASKED, {"value": 20})]
    found = came(*asked)
    assert (len(found.replies), found.holds, found.wrong) == (2, False, "verdict")
    assert found.told() == "value: expected 21, found 20"
    assert len(came(*asked, whole=True).replies) == 3
    assert came(*asked[::2]).holds


def test_what_has_no_answer_ends_it_and_never_holds() -> None:
    strange: Data = {"op": "card_value", "ruleset": "no-such-game", "cards": ["Kc"]}
    found = came(Exchange(strange, {}), Exchange(ASKED, {"value": 20}))
    assert (len(found.replies), found.stopped, found.holds) == (1, "error", False)
    assert found.told().startswith("error: ")


def test_a_turn_on_the_way_that_is_refused_is_no_wrong_answer() -> None:
    zones = {"hand.N": ["4c", "9c"], "pile": ["6c"], "stock": ["Ad", "Ac", "Ks"]}
    position = {"seat": "N", "phase": "start", "zones": zones}
    load = Exchange({"op": "load", "ruleset": "classic", "position": position}, {})
    turn: Data = {"op": "turn", "seat": "N", "acts": [{"act": "discard", "cards": ["4c"]}]}
    found = came(load, Exchange(turn, {}, leads=True), Exchange({"op": "observe"}, {"zones": {"pile": ["2c"]}}))
    assert (found.stopped, found.wrong, len(found.replies)) == (UNREACHED, "", 2)


def test_what_is_left_out_is_wrong_only_where_all_must_be_named() -> None:
    class Terse(ReferenceEngine):
        def ledger(self) -> Data:
            return {"lines": {"NS.melds": 0}}

    load = {
        "op": "load",
        "ruleset": "classic",
        "position": {"seat": "N", "phase": "start", "zones": {"hand.N": ["4c"]}},
    }
    asked = [Exchange(load, {}), Exchange({"op": "ledger"}, {"lines": {"NS.melds": 0, "NS.hand": -5}})]
    assert answered(Terse(), asked).holds
    assert answered(Terse(), asked, complete=True).wrong == "score"
