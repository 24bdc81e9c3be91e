"""The published shapes of messages: their own examples fit, every operation has both directions, and nonsense does not fit."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from canasta_conformance.adapters import answer
from canasta_conformance.defaults import completed
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.messages import fault_of_reply, fault_of_request, is_quickly_right
from canasta_conformance.suite import read_suite

Data = dict[str, Any]

SCHEMA: Data = json.loads((Path(__file__).parents[1] / "protocol" / "messages.schema.json").read_text(encoding="utf-8"))
PARTS: Data = SCHEMA["$defs"]
OF_NO_SUIT: Data = {"seat": "N", "phase": "play", "zones": {"hand.N": ["K"]}}


def fits(part: str, message: Data) -> bool:
    found = Draft202012Validator({"$defs": PARTS, "$ref": f"#/$defs/{part}"}).is_valid(message)
    if part.startswith(("request.", "reply.")):
        assert is_quickly_right(part, message) is found, "the two libraries differ"
    return found


def examples(prefix: str) -> Iterator[tuple[str, Data]]:
    for name, part in PARTS.items():
        if name.startswith(prefix):
            yield from ((name, example) for example in part.get("examples", ()))


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_operation_has_a_request_and_a_reply_with_examples() -> None:
    for name in PARTS["op"]["enum"]:
        for direction in ("request", "reply"):
            assert PARTS[f"{direction}.{name}"]["examples"], f"{direction}.{name}"


@pytest.mark.parametrize(("name", "example"), [*examples("request."), *examples("reply."), *examples("act.")])
def test_an_example_fits_its_message(name: str, example: Data) -> None:
    assert fits(name, example)
    if name.startswith("request."):
        assert fits("request", example)
        assert not fits("request", example | {"op": "guess"})
        assert not fits("request", {key: value for key, value in example.items() if key != "seq"})
    if name.startswith("act."):
        assert fits("act", example)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("reply.turn", {"seq": 1}),
        ("reply.turn", {"seq": 1, "committed": "yes"}),
        ("reply.turn", {"seq": 1, "committed": False, "codes": ["too low"]}),
        ("reply.hello", {"seq": 1, "protocol": 2}),
        ("reply.load", {"seq": 1, "observation": {"zones": {"hand.N": ["10c"]}}}),
        ("reply.known_bug", {"seq": 1, "known_bug": True}),
        ("request.load", {"seq": 1, "op": "load", "ruleset": "classic", "position": {"zones": {}}}),
        ("request.load", {"seq": 1, "op": "load", "ruleset": "classic", "position": OF_NO_SUIT}),
        ("act", {"act": "lay", "cards": ["Kc"]}),
        ("act", {"act": "discard", "cards": ["Kc", "Kd"]}),
        ("act", {"act": "add", "cards": ["Kc"]}),
    ],
)  # fmt: skip
def test_what_is_no_such_message_does_not_fit(name: str, message: Data) -> None:
    assert not fits(name, message)


HELLO = {
    "seq": 1, "protocol": 1, "engine": {"name": "mine", "version": "1", "language": "Go"}, "rulesets": [{"id": "classic"}],
    "levels": [0], "operations": ["hello"],
}  # fmt: skip


def shows(card: object) -> Data:
    return {"seq": 1, "observation": {"zones": {"hand.N": [card]}}}


def lists(**act: object) -> Data:
    return {"seq": 1, "acts": [act], "complete": True}


@pytest.mark.parametrize(
    ("op", "message", "told"),
    [
        (
            "hello",
            {**HELLO, "rulesets": [{"id": "Classic"}]},
            'rulesets[0].id: "Classic" is not written so; did you mean "classic"?',
        ),
        (
            "hello",
            {**HELLO, "rulesets": [{"id": "Canasta"}]},  # written small it would be no name of a rule set, either
            'rulesets[0].id: "Canasta" is not written so: the suite knows bolivia, ',
        ),
        (
            "hello",
            {**HELLO, "operations": ["cardvalue"]},
            'operations[0]: "cardvalue" is none of them: did you mean "card_value"?',
        ),
        ("hello", {**HELLO, "levels": ["0"]}, 'levels[0]: "0" is none of them: did you mean 0? 0, 1, 2'),
        ("hello", {**HELLO, "protocol": 2}, "protocol: 2 stands where 1 must"),
        (
            "hello",
            {**HELLO, "rulesets": [{"id": "classic", "selectable": "some"}]},
            'rulesets[0].selectable: "some" is neither "all" nor list',
        ),
        (
            "load",
            shows("12c"),
            "observation.zones['hand.N'][0]: \"12c\" is no card: a rank 2 to 9 T J Q K A and a suit c d h s r b, such as Td",
        ),
        ("load", shows("10c"), 'observation.zones[\'hand.N\'][0]: "10c" is no card; did you mean "Tc"?'),
        ("load", shows(["10c"]), 'observation.zones[\'hand.N\'][0][0]: "10c" is no card; did you mean "Tc"?'),
        ("legal", lists(act="discard", cards=["10c"]), 'acts[0].cards[0]: "10c" is no card; did you mean "Tc"?'),
        (
            "legal",
            lists(act="discard", cards=["1c"]),
            'acts[0].cards[0]: "1c" is no card: a rank 2 to 9 T J Q K A and a suit c d h s, such as Td; a joker is Jk',
        ),
        ("legal", lists(act="discrd", cards=["2c"]), 'acts[0].act: "discrd" is none of them: did you mean "discard"?'),
        ("legal", lists(act="add", cards=["2c"]), "acts[0]: to is missing"),
        ("card_value", {"seq": 1, "valu": 5}, "value is missing; is valu meant for it?"),
        ("card_value", {"seq": 1, "value": "5"}, 'value: "5" is no whole number'),
        ("turn", {"seq": 1, "committed": "yes"}, 'committed: "yes" is no truth value (true, false)'),
    ],
)
def test_what_is_wrong_with_an_answer_is_said_in_words(op: str, message: Data, told: str) -> None:
    assert fault_of_reply(op, message).startswith(told)


def test_every_request_of_the_suite_is_a_message() -> None:
    sent = 0
    suite = Path(__file__).parents[1] / "suite"
    for path in sorted(path for path in suite.rglob("*.json") if path.name != "manifest.json"):
        for case in json.loads(path.read_text(encoding="utf-8")).get("cases", []):
            for form in case.get("forms", []):
                for exchange in form["exchange"]:
                    assert fault_of_request({"seq": 1, **exchange["send"]}) == "", case["id"]
                    sent += 1
    assert sent > 800


def test_what_the_reference_answers_is_right_by_both_libraries() -> None:
    engine, checked = ReferenceEngine(), 0
    for case in list(read_suite().cases.values())[::40]:
        for form in case.forms:
            for number, exchange in enumerate(form.exchanges):
                reply = answer(engine, {"seq": number, **exchange.send})
                assert fits(f"reply.{exchange.send['op']}", reply), case.id
                checked += 1
    assert checked > 200


def test_a_stacked_pack_is_a_whole_pack_and_some_turns_are_asked_from_one() -> None:
    suite = Path(__file__).parents[1] / "suite"
    packs = {path.parent: sorted(json.loads(path.read_text("utf-8"))["pack"]) for path in suite.rglob("rules.json")}
    turns = 0
    for folder, pack in packs.items():
        for path in sorted(folder.glob("*.json")):
            for case in json.loads(path.read_text("utf-8")).get("cases", []):
                for form in case.get("forms", []):
                    first = form["exchange"][0]["send"]
                    if first["op"] == "start":
                        assert sorted(first["stock"]) == pack, case["id"]
                        turns += completed(case, "of the file")["kind"] == "turn"
    assert turns >= 8
