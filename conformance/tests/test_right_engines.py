"""Engines that are right and show or answer less, or otherwise, as the page of the protocol lets them: nobody accuses them."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from canasta_conformance.asking import Asking
from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.grading import Status
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.messages import fault_of_reply, fault_of_request
from canasta_conformance.places import folder
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import Exchange, read_suite

Data = dict[str, Any]

FEW = (
    *("classic/melds.wilds", "classic/turn.discard", "classic/scoring.mixed-canastas", "classic/scoring.red-threes"),
    *("classic/deal.hands", "classic/opening.opened", "classic/turn.acts/seen*", "classic/turn.acts/whole-deal"),
    *(
        "classic/turn.acts/count*",
        "classic/cards.values",
        "classic/five/turn.acts",
        "gin/turn.acts",
        "classic/three/deal*",
    ),
)
ASIDE = (Status.PASS, Status.UNSUPPORTED)
"""What may come of asking a right engine that declares nothing."""


def judged(make: Callable[[], object], patterns: Sequence[str]) -> Report:
    suite = read_suite()
    engine = Engine(lambda: InProcess(make), suite.digest, 60.0, 60.0)
    return collect(Run(engine, "python:here:Engine", suite, suite.chosen(patterns), Settings()).records())


class ShowsLess(ReferenceEngine):
    """Right in all that it does; what it shows is changed before it is sent."""

    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        """Show what this engine has of it."""
        told = super().observe(seat, also)["observation"]
        return {"observation": self.less(told)}

    def less(self, told: Data) -> Data:
        """Leave something out."""
        return told


def only(*kinds: str) -> type[ShowsLess]:
    """Make an engine that shows only these zones."""

    class Shows(ShowsLess):
        def less(self, told: Data) -> Data:
            return told | {"zones": {n: c for n, c in told["zones"].items() if n.partition(".")[0] in kinds}}

    return Shows


def cards(change: Callable[[str, str], str]) -> type[ShowsLess]:
    """Make an engine that writes its cards otherwise, each by the zone in which it lies."""

    def changed(name: str, told: list[Any]) -> list[Any]:
        return [changed(name, c) if isinstance(c, list) else change(name, c) for c in told]

    class Shows(ShowsLess):
        def less(self, told: Data) -> Data:
            return told | {"zones": {n: changed(n, c) for n, c in told["zones"].items()}}

    return Shows


class NoValues(ShowsLess):
    """Keeps no values but how a deal has ended."""

    def less(self, told: Data) -> Data:
        return told | {"values": {n: v for n, v in told["values"].items() if n == "reason"}}


class NobodyToAct(ShowsLess):
    """Does not say who is to act."""

    def less(self, told: Data) -> Data:
        return {"zones": told["zones"], "values": told["values"]}


class NoEmptyZones(ShowsLess):
    """Shows no zone without a card."""

    def less(self, told: Data) -> Data:
        return told | {"zones": {n: c for n, c in told["zones"].items() if c}}


class Reordered(ShowsLess):
    """Names sides, and the seats of each, the other way round; hands and melds lie in another order each time."""

    def less(self, told: Data) -> Data:
        values = told["values"] | {"sides": [side[::-1] for side in reversed(told["values"]["sides"])]}
        zones = {n: c if n in ("stock", "pile") else c[::-1] for n, c in reversed(told["zones"].items())}
        return told | {"values": values, "zones": zones}


def ledger(keep: Callable[[str], bool]) -> type[ReferenceEngine]:
    """Make an engine whose ledger has only some lines."""

    class Keeps(ReferenceEngine):
        def ledger(self) -> Data:
            told = super().ledger()
            return told | {"lines": {n: p for n, p in told["lines"].items() if keep(n.partition(".")[2])}}

    return Keeps


class OwnLines(ReferenceEngine):
    """Adds lines of its own to the ledger, one of them a sum of others."""

    def ledger(self) -> Data:
        told = super().ledger()
        lines: Data = told["lines"]
        owners = {n.partition(".")[0] for n in lines}
        canastas = {
            f"{o}.canastas": sum(p for n, p in lines.items() if n.startswith(f"{o}.") and "canasta" in n)
            for o in owners
        }
        return told | {"lines": lines | canastas}


def pointed(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Write every whole number with a point."""
    if isinstance(value, dict):
        return {name: pointed(part) for name, part in value.items()}
    if isinstance(value, list):
        return [pointed(part) for part in value]
    return float(value) if type(value) is int else value


def with_points() -> object:
    """Make an engine that has no whole numbers, as one that is written in a language without them."""

    class Points:
        def __init__(self) -> None:
            self._right = ReferenceEngine()

        def __getattr__(self, op: str) -> Callable[..., Any]:
            method = getattr(self._right, op)
            return lambda **fields: pointed(method(**fields))

    return Points()


def without(*lacking: str) -> Callable[[], object]:
    """Make an engine that cannot be asked some things; asked all the same, it has no such method."""

    class Lacks:
        def __init__(self) -> None:
            self._right = ReferenceEngine()

        def hello(self, **fields: object) -> Data:
            told = self._right.hello(**fields)
            return told | {"operations": [op for op in told["operations"] if op not in lacking]}

        def __getattr__(self, op: str) -> Callable[..., Any]:
            if op in lacking:
                raise AttributeError(op)
            found: Callable[..., Any] = getattr(self._right, op)
            return found

    return Lacks


def suitless(_: str, card: str) -> str:
    return card if card == "Jk" else card[0] + ("r" if card[1] in "dh" else "b") if card[0] == "3" else card[0]


RIGHT: dict[str, Callable[[], object]] = {
    "everything": ReferenceEngine,
    "no shown cards": only("hand", "melds", "pile", "stock", "aside", "displayed"),
    "hands alone": only("hand"),
    "hands and melds": only("hand", "melds"),
    "hands, pile and stock": only("hand", "pile", "stock"),
    "stock and pile": only("stock", "pile"),
    "nothing that lies there": only(),
    "no empty zones": NoEmptyZones,
    "no values": NoValues,
    "nobody to act": NobodyToAct,
    "another order": Reordered,
    "no suits": cards(suitless),
    "a hidden stock": cards(lambda zone, card: "?" if zone == "stock" else card),
    "every card hidden": cards(lambda _, __: "?"),
    "no pile below its top": cards(lambda zone, card: card if zone != "pile" else "?"),
    "sums alone": ledger(lambda item: item == "total"),
    "a sum and one line": ledger(lambda item: item in ("total", "red_threes")),
    "lines without a sum": ledger(lambda item: item != "total"),
    "no lines": ledger(lambda _: False),
    "lines of its own": OwnLines,
    "numbers with a point": with_points,
    "cannot be looked at": without("observe"),
    "lists no legal acts": without("legal"),
}


@cache
def report(name: str) -> Report:
    return judged(RIGHT[name], FEW)


def accused(of: Report) -> dict[str, str]:
    """List what is held against an engine, by the case and level."""
    told = {(r["case"], r["level"]): r for r in of.results if r["status"] not in ASIDE}
    return {
        f"{case}@{level}": json.dumps(r.get("promises") or r.get("differences") or r)
        for (case, level), r in told.items()
    }


@pytest.mark.soon("no shown cards", "hands alone", "a sum and one line", "numbers with a point", "every card hidden")
@pytest.mark.parametrize("name", tuple(RIGHT))
def test_who_shows_less_or_writes_otherwise_is_not_accused(name: str) -> None:
    found = report(name)
    assert accused(found) == {}
    assert sum(r["status"] == Status.PASS for r in found.results) > len(found.results) / 4


@pytest.mark.deep
@pytest.mark.parametrize("name", tuple(RIGHT))
def test_nor_by_any_case_of_the_suite(name: str) -> None:
    assert accused(judged(RIGHT[name], ())) == {}


def test_a_card_that_is_not_shown_is_not_counted_as_right() -> None:
    found = [r for r in report("every card hidden").results if "state" in r.get("grades", {})]
    hidden = [r for r in report("every card hidden").results if any("hand" in place for place in r.get("unshown", ()))]
    assert hidden
    assert not [
        r for r in found if r["case"] == "classic/turn.discard/on-top-of-the-pile" and "pile" not in r["unshown"]
    ]


def test_a_deal_begins_from_a_whole_pack_for_who_shows_all_and_only_for_them() -> None:
    """Where every place is shown, a card that is gone is missed."""

    class Loses(ShowsLess):
        def less(self, told: Data) -> Data:
            return told | {"zones": told["zones"] | {"stock": told["zones"]["stock"][1:]}}

    class LosesUnseen(only("hand", "stock", "pile")):  # type: ignore[misc]  # a class that was made for it
        def less(self, told: Data) -> Data:
            told = super().less(told)
            return told | {"zones": told["zones"] | {"stock": told["zones"]["stock"][1:]}}

    patterns = ("classic/deal.hands", "classic/turn.discard")
    assert statuses(judged(Loses, patterns)) & {Status.BROKEN_PROMISE, Status.FAIL}
    assert Status.BROKEN_PROMISE not in statuses(judged(LosesUnseen, patterns))


def statuses(of: Report) -> set[str]:
    return {r["status"] for r in of.results}


def broken(of: Report) -> set[str]:
    return {text.partition(":")[0] for r in of.results for text in r.get("promises", ())}


def test_a_card_too_many_is_seen_wherever_it_lies() -> None:
    class Doubles(only("hand")):  # type: ignore[misc]  # a class that was made for it
        def less(self, told: Data) -> Data:
            zones = super().less(told)["zones"]
            return told | {"zones": {n: [*c, *["Jk"] * 5] for n, c in zones.items()}}

    assert "pack complete" in broken(judged(Doubles, ("classic/melds.wilds",)))


def test_a_sum_is_asked_of_who_gives_every_line() -> None:
    class Wrong(ReferenceEngine):
        def ledger(self) -> Data:
            told = super().ledger()
            return told | {"lines": {n: p + 5 * n.endswith(".going_out") for n, p in told["lines"].items()}}

    found = judged(Wrong, ("classic/scoring.mixed-canastas", "classic/scoring.red-threes"))
    assert "the sum is that of the lines" in broken(found)


class Passes(ReferenceEngine):
    """What it is asked goes well, and the turn passes on meanwhile."""

    def _pass(self) -> None:
        told = ReferenceEngine.observe(self)["observation"]
        told["zones"]["stock"] = told["zones"]["stock"][:-1]
        self.load("classic", {k: told[k] for k in ("seat", "phase", "zones")})


class Counts(Passes):
    def count(self, depth: int) -> Data:
        told = super().count(depth)
        self._pass()
        return told


class Lists(Passes):
    def legal(self, seat: str) -> Data:
        told = super().legal(seat)
        self._pass()
        return told


@pytest.mark.parametrize(
    ("make", "patterns"),
    [(Counts, ("classic/turn.acts/count*",)), (Lists, ("classic/turn.discard",))],
    ids=["count", "legal"],
)
def test_every_question_is_looked_after(make: type[Passes], patterns: tuple[str, ...]) -> None:
    assert "a question changes nothing" in broken(judged(make, patterns))


def test_who_is_asked_in_the_middle_is_looked_after_before_the_next_turn() -> None:
    """A turn would hide what a question did before it; who cannot list legal acts is asked nothing there."""
    found = judged(Lists, ("classic/turn.acts/whole-deal",))
    assert "a question changes nothing" in broken(found)


# ---- rules of the house -----------------------------------------------------------------------------------------------

THREE_PACKS = """
ruleset: home
title: With three packs
extends: classic
replace:
  - declaration: pack
    formal: 68068d95d2ee1d12
    with: {packs: 3}
"""


def at_home(rules: str) -> type[ReferenceEngine]:
    class AtHome(ReferenceEngine):
        def hello(self, **fields: object) -> Data:
            return super().hello(**fields) | {"rulesets": [{"id": "classic", "house_rules": rules}]}

    return AtHome


def test_a_case_that_there_is_not_by_rules_of_the_house_is_not_judged() -> None:
    found = judged(at_home(THREE_PACKS), ("classic/deal.hands", "classic/scoring.red-threes"))
    assert {r["status"] for r in found.results if r["level"] == 2} == {Status.OTHER_RULES}
    assert {r["status"] for r in found.results if r["level"] != 2} & {Status.PASS}


# ---- the page of the protocol -----------------------------------------------------------------------------------------


def examples() -> list[tuple[Data, Data]]:
    """List every request that the page shows, with its answers."""
    schema = json.loads((folder("protocol") / "messages.schema.json").read_text(encoding="utf-8"))["$defs"]
    return [
        (request, reply)
        for op in schema["op"]["enum"]
        for request in schema[f"request.{op}"].get("examples", ())
        for reply in schema[f"reply.{op}"].get("examples", ())
    ]


class Recites:
    """Answers what the page says, whatever it is asked."""

    def __init__(self, told: Sequence[tuple[Data, Data]]) -> None:
        self._told = {request["op"]: reply for request, reply in told}

    def __getattr__(self, op: str) -> Callable[..., Any]:
        told = self._told[op]
        return lambda **_: {key: value for key, value in told.items() if key != "seq"}


def test_its_own_examples_break_no_promise_and_are_right() -> None:
    """Whoever answers as the page does, to the requests of the page, is right: also a deal of which it shows one hand."""
    shown = [(request, reply) for request, reply in examples() if reply.get("committed") is not False]
    refused = next((request, reply) for request, reply in examples() if reply.get("committed") is False)
    by_name = {request["op"]: (request, reply) for request, reply in shown}
    for first in ("load", "start"):
        for last in by_name.keys() - {"hello", "load", "start", "turn", "reset", "bye"}:
            assert promises_of([by_name[first], by_name["turn"], by_name[last]], tuple(by_name)) == [], (first, last)
        assert promises_of([by_name[first], refused], ()) == []


def promises_of(said: Sequence[tuple[Data, Data]], operations: Sequence[str]) -> list[str]:
    """Ask what was asked, and let what was answered be answered; give the promises that are taken for broken."""
    engine = Engine(lambda: InProcess(lambda: Recites([*examples(), *said])), "0" * 16)
    asked = [Exchange({k: v for k, v in request.items() if k != "seq"}, {}) for request, _ in said]
    return Asking(engine, operations, read_suite().rules["classic"]).ask(asked).promises


def test_the_page_shows_every_operation_by_messages_that_have_the_published_shape() -> None:
    shown = examples()
    assert {request["op"] for request, _ in shown} == set(
        json.loads((folder("protocol") / "messages.schema.json").read_text(encoding="utf-8"))["$defs"]["op"]["enum"]
    )
    assert [fault_of_request(request) for request, _ in shown if fault_of_request(request)] == []
    assert [f for request, reply in shown if (f := fault_of_reply(request["op"], reply))] == []
