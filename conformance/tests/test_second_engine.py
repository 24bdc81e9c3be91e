"""The second engine by itself: cases worked out from the sources, asked by the protocol, and that it stands alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ENGINES = Path(__file__).parents[1] / "engines"
sys.path.insert(0, str(ENGINES))

from second.server import Server  # noqa: E402 - the engine is no part of an installed package, so its folder is named first

Json = dict[str, Any]


def cards(text: str) -> list[str]:
    """`KK2` with suits given in turn, so that no text has to name them."""
    names = text.replace("Jk", "*").split() if " " in text else list(text.replace("Jk", "*"))
    suits = "cdhs"
    return ["Jk" if name == "*" else name if len(name) > 1 else name + suits[at % 4] for at, name in enumerate(names)]


def position(hand: str, *, pile: str = "6", melds: str = "", stock: int = 30, **more: object) -> Json:
    zones = {
        "hand.N": cards(hand),
        "pile": cards(pile),
        "melds.NS": [cards(meld) for meld in melds.split()],
        "stock": ["?"] * stock,
    }
    values: Json = {"opened.NS": bool(melds), **dict(more.pop("values", {}))}  # type: ignore[call-overload]  # a mapping by contract
    return {"seat": "N", "phase": more.get("phase", "start"), "zones": zones, "values": values}


def ask(op: str, **fields: object) -> Json:
    return Server().answer({"seq": 1, "op": op, "ruleset": "classic", **fields})


def turn(at: Json, *acts: Json, options: Json | None = None) -> Json:
    server = Server()
    server.answer({"seq": 1, "op": "load", "ruleset": "classic", "options": options or {}, "position": at})
    return server.answer({"seq": 2, "op": "turn", "seat": "N", "acts": list(acts)})


def act(name: str, text: str = "", **more: str) -> Json:
    return {"act": name, **({"cards": cards(text)} if text else {}), **more}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("552", []),
        ("522", ["TOO_FEW_NATURALS"]),
        ("99922Jk", []),
        ("55222", []),
        ("99922JkJk", ["TOO_MANY_WILDS"]),
        ("22Jk", ["NO_MELD"]),
        ("QKA", ["NO_MELD"]),
        ("56", ["NO_MELD"]),
        ("55", ["MELD_TOO_SHORT"]),
    ],
)
def test_melds_are_told_from_what_is_none(text: str, codes: list[str]) -> None:
    assert ask("meld_check", cards=cards(text)).get("codes", []) == codes


def test_the_article_lets_no_wild_cards_outnumber_the_natural_ones() -> None:
    choice = {"wilds_not_more_than_naturals": "yes"}
    assert ask("meld_check", cards=cards("55222"), options=choice)["codes"] == ["WILDS_OUTNUMBER_NATURALS"]


@pytest.mark.parametrize(
    ("total", "minimum"), [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120), (4995, 120)]
)
def test_the_minimum_goes_by_the_total(total: int, minimum: int) -> None:
    assert ask("opening_minimum", total=total)["value"] == minimum


@pytest.mark.parametrize(
    ("melds", "total", "enough"),
    [
        ("QQQ 4444", 0, True),
        ("QQQ 555", 0, False),
        ("JJJ 66Jk", 1500, True),
        ("4444444", 3000, False),
        ("444", -300, True),
    ],
)
def test_an_opening_counts_the_cards_alone(melds: str, total: int, *, enough: bool) -> None:
    assert ask("opening_check", total=total, melds=[cards(meld) for meld in melds.split()])["legal"] is enough


@pytest.mark.parametrize(
    ("at", "take", "legal"),
    [
        (position("7749", pile="2 7", melds="777"), {"cards": ["7d", "7c", "7d"], "to": "7c"}, True),
        (position("7Jk49", pile="2 7", melds="777"), {"cards": ["7d", "7c", "Jk"], "to": "7c"}, False),
        (position("459", pile="57", melds="777"), {"cards": ["7d"], "to": "7c"}, True),
        (position("459", pile="57", melds="7777777"), {"cards": ["7d"], "to": "7c"}, True),
        (position("92469", pile="59", melds="QQQ"), {"cards": ["9d", "9c", "2d"]}, True),
        (position("92469", pile="59"), {"cards": ["9d", "9c", "2d"]}, False),
        (position("Q", pile="Q", melds="QQQ KKKKKKK"), {"cards": ["Qc"], "to": "Qc"}, False),
        (position("Q", pile="5678Q", melds="QQQ KKKKKKK"), {"cards": ["Qc"], "to": "Qc"}, True),
        (position("2Jk49", pile="57", melds="QQQ"), {"cards": ["7d", "2c", "Jk"]}, False),
    ],
)
def test_the_pile_is_taken_by_these_ways_and_no_others(at: Json, take: Json, *, legal: bool) -> None:
    assert ask("pile_check", position=at, take={"act": "take", **take})["legal"] is legal


def test_nobody_melds_down_to_a_last_card_without_a_canasta() -> None:
    at = position("5559", melds="QQQ", phase="play")
    assert turn(at, act("meld", "555"), {"act": "discard", "cards": ["9s"]})["committed"] is False


def test_the_canasta_that_permits_it_may_be_finished_in_the_same_turn() -> None:
    at = position("5559", melds="5555", phase="play")
    assert turn(at, {"act": "add", "cards": ["5c", "5d", "5h"], "to": "5s"}, {"act": "discard", "cards": ["9s"]})[
        "committed"
    ]


def test_a_whole_hand_from_the_stock_needs_no_minimum() -> None:
    at = position("4444444QQQQ9", phase="play", values={"total.NS": 3000, "source": "from_stock"})
    acts = [
        act("meld", "4444444"),
        {"act": "meld", "cards": ["Qs", "Qc", "Qd", "Qh"]},
        {"act": "discard", "cards": ["9s"]},
    ]
    assert turn(at, *acts)["committed"]
    assert turn(at, *acts, options={"concealed_needs_minimum": "yes"})["codes"] == ["BELOW_MINIMUM"]


def test_a_side_without_a_meld_loses_its_red_threes() -> None:
    at = position("AAK72")
    for held, score in (("3h", -175), ("3h 3d 3h 3d", -875)):
        at["zones"]["shown.NS"] = held.split()
        assert ask("score_deal", position=at)["value"]["NS"] == score


def test_it_passes_the_suite() -> None:
    address = f"exec:{sys.executable} {ENGINES / 'second'}"
    run = subprocess.run(  # noqa: S603 - our own command, by the interpreter that runs this test
        [sys.executable, "-m", "canasta_tools.cli", "conformance", "run", "--strict", "--json", address],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    records = [json.loads(line) for line in run.stdout.splitlines()]
    passed = [record for record in records if record.get("status") == "pass"]
    assert len(passed) > 350


def test_it_needs_nothing_but_python() -> None:
    requests = [
        {"seq": 1, "op": "hello"},
        {"seq": 2, "op": "card_value", "ruleset": "classic", "cards": ["Jk", "3s"]},
        {"seq": 3, "op": "bye"},
    ]
    run = subprocess.run(  # noqa: S603 - our own program, by the interpreter that runs this test
        [sys.executable, "-I", "-S", str(ENGINES / "second")],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["seq"] for answer in answers] == [1, 2, 3]
    assert answers[1]["value"] == 55
