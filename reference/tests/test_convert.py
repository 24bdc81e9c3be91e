"""Matches in neutral JSON become records, and nothing that happened is lost on the way."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from canasta.convert.neutral import card, convert
from canasta.diagnostic_ids import explain
from canasta.games import load_ruleset, open_game
from canasta.notation import record as r
from canasta.notation.reader import read_text
from canasta.notation.record import Written
from canasta.notation.writer import write
from canasta.playing.replay import replay

DATA = Path(__file__).parent / "data"
FILES = ("games-hub-03-deal-4.json", "canasta-openspiel-02-deal-2.json")
SEATS = "NESW"
Told = tuple[str, ...]


def record_of(name: str, **more: bool) -> r.Record:
    record, found = convert((DATA / name).read_text(encoding="utf-8"), name, **more)
    assert found == ()
    assert record is not None
    return record


def run(texts: list[str]) -> str:
    return " ".join(sorted(str(card(t)) for t in texts))


def written(cards: list[r.Card] | tuple[r.Card, ...]) -> str:
    return " ".join(sorted(map(str, cards)))


def turns_of_events(events: list[dict[str, Any]]) -> Iterator[list[Told]]:
    """Tell each turn of the program: what was drawn, laid out and replaced, taken, melded, asked, discarded."""
    turn: list[Told] = []
    melded: list[str] = []
    who = None
    for event in events:
        seat = SEATS[event["to"] if event["do"] == "answer" else event["seat"]]
        if who is not None and (seat != who or event["do"] in ("draw", "take", "turn")):
            yield [*turn, ("melded", run(melded))]
            turn, melded = [], []
        who = seat
        match event["do"]:
            case "turn":
                turn.append(("up", run(event["cards"])))
                yield turn
                turn, who = [], None
            case "draw":
                turn.append((seat, "drew", run(event["cards"])))
            case "lay" if event["replacement"]:
                turn.append((seat, "laid out", run(event["cards"]), run(event["replacement"])))
            case "take":
                turn.append((seat, "took", str(card(event["pile"][-1]))))
                if not event.get("top_to_hand"):
                    melded += [event["pile"][-1], *event["with"]]
            case "meld":
                melded += event["cards"]
            case "ask" | "answer":
                turn.append((seat, "asked", {None: "", True: "yes", False: "no"}[event.get("yes")]))
            case "discard":
                turn.append((seat, "discarded", run([event["card"]])))
    if who is not None:
        yield [*turn, ("melded", run(melded))]


def turns_of_lines(deal: r.Deal) -> Iterator[list[Told]]:
    """Tell each turn of the record in the same words."""
    for line in deal.lines:
        if isinstance(line, r.Upcards):
            yield [("up", written(line.cards))]
        if not isinstance(line, r.Turn):
            continue
        turn: list[Told] = []
        melded: list[r.Card] = []
        for action in line.actions:
            match action.kind:
                case Written.DRAW:
                    turn.append((line.seat, "drew", written(action.cards)))
                case Written.SHOW:
                    turn.append((line.seat, "laid out", written(action.cards), written(action.replacement)))
                case Written.TAKE:
                    turn.append((line.seat, "took", str(action.cards[0])))
                    melded += action.cards
                case Written.LAY:
                    melded += action.cards
                case Written.ASK | Written.ANSWER:
                    turn.append((line.seat, "asked", action.word))
                case Written.DISCARD:
                    turn.append((line.seat, "discarded", written(action.cards)))
                case _:
                    pass
        yield [*turn, ("melded", written(melded))]


@pytest.mark.parametrize("name", FILES)
def test_every_event_is_in_the_record(name: str) -> None:
    game = json.loads((DATA / name).read_text(encoding="utf-8"))
    record = record_of(name)
    for deal, told in zip(record.deals, game["deals"], strict=True):
        assert [t for t in turns_of_lines(deal) if t != [("melded", "")]] == [
            t for t in turns_of_events(told["events"]) if t != [("melded", "")]
        ]
        assert {s: written(c) for s, c in deal.hands.items()} == {
            s: run(h) for s, h in zip(SEATS, told["hands"], strict=True)
        }
        assert deal.stock is not None
        assert [str(c) for c in deal.stock.cards] == [str(card(t)) for t in told["stock"]]


@pytest.mark.parametrize("name", FILES)
def test_every_count_and_every_refusal_of_the_program_is_in_the_record(name: str) -> None:
    game = json.loads((DATA / name).read_text(encoding="utf-8"))
    for deal, told in zip(record_of(name).deals, game["deals"], strict=True):
        counts = [e["after"] for e in told["events"] if "after" in e]
        claims = [{c.place: c.value for c in t.claims if c.place != "minimum_needed"} for t in deal.turns if t.claims]
        assert [(c["stock"], c["pile"], c["frozen"]) for c in claims] == [
            (str(a["stock"]), str(a["pile"]), "yes" if a["frozen"] else "no") for a in counts
        ]
        comments = [c.text for t in deal.turns for c in t.comments]
        assert len([c for c in comments if "refused" in c]) == len(told["refused"])
        totals = [[i.points for i in s.items] for s in deal.scores]
        assert [sum(t) for t in totals] == [s["total"] for s in told["score"]]


@pytest.mark.parametrize("name", FILES)
def test_the_table_is_left_as_the_program_left_it(name: str) -> None:
    game = json.loads((DATA / name).read_text(encoding="utf-8"))
    deck = open_game("classic", by_face=True).deck
    (deal,) = replay(record_of(name)).deals
    told = game["deals"][0]
    assert deal.end is not None
    zones = load_ruleset("classic").zones
    for place, left in (("stock", told["stock_left"][::-1]), ("pile", told["pile_left"])):
        lying = deal.end.zone(zones[place].index).cards
        assert [deck.name(k) for k in lying] == [str(card(t)) for t in left], place
    for seat, left in enumerate(told["left"]):
        hand = deal.end.zone(zones["hand"].index)[seat]
        assert " ".join(sorted(deck.name(k) for k, n in enumerate(hand) for _ in range(n))) == run(left)


@pytest.mark.parametrize("name", FILES)
def test_the_text_of_the_record_reads_back(name: str) -> None:
    record = record_of(name)
    assert read_text(write(record), name) == ([record], [])
    assert not any(turn.claims for turn in record_of(name, claims=False).turns())


def test_a_take_to_the_hand_becomes_the_take_with_the_meld_that_followed() -> None:
    takes = [t.actions for t in record_of(FILES[1]).turns() if t.actions and t.actions[0].kind is Written.TAKE]
    first = takes[0]
    assert (str(first[0].cards[0]), written(first[0].cards)) == ("5c", "5c 5c 5s")
    assert sorted(str(c) for c in first[1].cards) == ["5d", "5h"]
    assert first[1].kind is Written.LAY


@pytest.mark.parametrize(
    ("sides", "rules"),
    [
        ([[0], [1]], "classic/two"), ([[0], [1], [2]], "classic/three"), ([[0, 2], [1, 3]], "classic"),
        ([[1, 3], [4, 0, 2]], "classic/five"), ([[0, 2, 4], [1, 3, 5]], "classic/six"), ([[0, 3], [1, 4], [2, 5]], "classic/six/pairs"),
        ([[0, 1], [2, 3]], ""), ([[0], [1], [2], [3]], ""),
    ],
)  # fmt: skip
def test_a_table_is_judged_by_the_rules_for_its_sides(sides: list[list[int]], rules: str) -> None:
    end: dict[str, object] = {"reason": "out"}
    players = sum(map(len, sides))
    deal = {"deal": 1, "dealer": 0, "hands": [[]] * players, "stock": [], "pile": [], "events": [], "end": end}
    record, found = convert(json.dumps({"source": "x", "players": players, "sides": sides, "deals": [deal]}), "x.json")
    assert found == ()
    assert record is not None
    assert record.tag("Rules") == rules


def changed(path: list[str | int], value: object) -> str:
    game = json.loads((DATA / FILES[0]).read_text(encoding="utf-8"))
    place = game
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(game, indent=1)


WRONG = {
    "no-json": ("{", "PL0040", 1),
    "a-list": ("[]", "PL0041", 1),
    "nothing-inside": ("{}", "PL0041", 1),
    "a-card": (changed(["deals", 0, "hands", 0, 3], "1H"), "PL0041", None),
    "an-act": (changed(["deals", 0, "events", 4, "do"], "dance"), "PL0041", None),
    "a-seat": (changed(["deals", 0, "events", 4, "seat"], 4), "PL0042", None),
    "a-dealer": (changed(["deals", 0, "dealer"], 5), "PL0042", None),
    "sides": (changed(["sides"], [[0, 1], [1, 2]]), "PL0042", None),
    "a-hand-missing": (changed(["deals", 0, "hands"], [[], []]), "PL0042", None),
    "deep": ("[" * 100_000, "PL0040", 1),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_with_its_place(name: str) -> None:
    text, id_, line = WRONG[name]
    record, found = convert(text, "game.json")
    assert record is None
    assert found
    for d in found:
        assert (d.id, explain(d.id) is not None) == (id_, True)
        assert d.span is not None
        assert d.hint
        row = text.split("\n")[d.span.line - 1]
        assert 1 <= d.span.column <= len(row) + 1
    if line is not None:
        assert found[0].span is not None
        assert found[0].span.line == line


def test_the_place_of_a_wrong_card_is_the_card() -> None:
    text = WRONG["a-card"][0]
    _, (found,) = convert(text, "game.json")
    assert found.span is not None
    assert text.split("\n")[found.span.line - 1][found.span.column - 1 :].startswith('"1H"')
