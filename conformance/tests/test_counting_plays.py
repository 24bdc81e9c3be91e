"""Plays counted by the reference are those that the second engine lets stand, of everything that could be tried."""

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from canasta.games import load_ruleset, open_game
from canasta.language.naming import known
from canasta.notation.position_text import parse_position
from canasta_conformance.generator.general import general, left_out
from canasta_conformance.generator.small import FEWEST, HELD, LYING, MOST, STACKED, cut, small_position
from canasta_conformance.inprocess.plays import Plays
from canasta_conformance.inprocess.positions import to_state
from canasta_conformance.suite import read_suite

sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))
from second.server import Server

Json = dict[str, Any]
RANKS, SUITS = "23456789TJQKA", "cdhs"


def loaded(name: str) -> tuple[str, Json]:
    case = next(c for c in read_suite().cases.values() if f"/{c.id}".endswith(f"/{name}"))
    send = case.forms[0].exchanges[0].send
    return send["ruleset"], send["position"]


def subsets(cards: list[str]) -> list[tuple[str, ...]]:
    return sorted({tuple(sorted(c)) for n in range(1, len(cards) + 1) for c in combinations(cards, n)})


def less(cards: list[str], taken: tuple[str, ...]) -> list[str]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def begun(position: Json, drawn: int) -> Iterator[tuple[list[Json], list[str], list[str]]]:
    """Begin a turn in every way: its acts, the hand then, and a card of each meld that can be named."""
    zones, seat = position["zones"], position["seat"]
    hand = zones[f"hand.{seat}"]
    own: list[list[str]] = next(
        (melds for name, melds in zones.items() if name.startswith("melds.") and seat in name[6:]), []
    )
    named = [meld[0] for meld in own]
    yield [{"act": "draw"}], hand + zones["stock"][-drawn:], named
    top, rest = zones["pile"][-1], zones["pile"][:-1]
    for cards in subsets(hand):
        yield [{"act": "take", "cards": [top, *cards]}], less(hand, cards) + rest, [*named, top]
    for aim in named:
        for cards in [(), *subsets(hand)]:
            yield [{"act": "take", "cards": [top, *cards], "to": aim}], less(hand, cards) + rest, named


def laid(hand: list[str], named: list[str], most: int) -> Iterator[tuple[list[Json], list[str]]]:
    yield [], hand
    if not most:
        return
    for cards in subsets(hand):
        acts: list[Json] = [{"act": "add", "cards": list(cards), "to": aim} for aim in named]
        acts += [{"act": "meld", "cards": list(cards)}] if len(cards) > 2 else []
        for act in acts:
            for more, left in laid(less(hand, cards), named, most - 1):
                yield [act, *more], left


def tried(position: Json, drawn: int) -> Iterator[list[Json]]:
    for first, hand, named in begun(position, drawn):
        for lays, left in laid(hand, named, 2):
            yield from ([*first, *lays, {"act": "discard", "cards": [card]}] for card in sorted(set(left)))
            if not left:
                yield [*first, *lays, {"act": "out"}]


def sort_key(card: str) -> tuple[int, int]:
    return (13, 0) if card == "Jk" else (RANKS.index(card[0]), SUITS.index(card[1]))


def told(position: Json, observation: Json) -> str:
    """Write a play as the page about counting says."""
    zones, seat = observation["zones"], position["seat"]
    melds: list[list[str]] = next(
        (m for name, m in zones.items() if name.startswith("melds.") and seat in name[6:]), []
    )
    ordered = sorted((sorted(meld, key=sort_key) for meld in melds), key=lambda meld: [sort_key(c) for c in meld])
    hand = "".join(sorted(zones[f"hand.{seat}"], key=sort_key))
    return f"{hand or '-'} | {' '.join(map(''.join, ordered)) or '-'} | {''.join(zones['pile']) or '-'}"


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("count-four-small-hands-1", 1),
        ("count-frozen-pile-1", 1),
        ("count-three-small-hands-1", 2),
        ("classic/two/turn.acts/count-two-small-hands-1", 2),
        ("bolivia/turn.acts/count-small-2", 2),
    ],
)
def test_the_second_engine_lets_the_same_plays_stand(name: str, drawn: int) -> None:
    ruleset, position = loaded(name)
    server, found = Server(), set[str]()
    for acts in tried(position, drawn):
        server.answer({"seq": 1, "op": "load", "ruleset": ruleset, "position": position})
        if server.answer({"seq": 2, "op": "turn", "seat": position["seat"], "acts": acts}).get("committed"):
            found.add(told(position, server.answer({"seq": 3, "op": "observe"})["observation"]))
    game = open_game(ruleset, by_face=True)
    assert found == set(Plays(game).divide(to_state(game, position), 1))


def test_deeper_counts_are_the_sums_of_the_shallower() -> None:
    ruleset, position = loaded("classic/two/turn.acts/count-two-small-hands-1")
    game = open_game(ruleset, by_face=True)
    plays, state = Plays(game), to_state(game, position)
    assert [plays.count(state, depth) for depth in (0, 1, 2)] == [1, 9, 203]
    assert sum(plays.divide(state, 2).values()) == 203
    assert plays.divide(state, 2) == {play: len(plays.plays(after)) for play, after in plays.plays(state).items()}


def test_a_deal_that_is_over_has_no_plays() -> None:
    ruleset, position = loaded("count-four-small-hands-1")
    game = open_game(ruleset, by_face=True)
    state = to_state(game, position).copy()
    state.over, state.reason = True, "out"
    assert Plays(game).divide(state, 1) == {}
    assert Plays(game).count(state, 1) == 0


def test_the_page_tells_the_figures() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "counting.md").read_text(encoding="utf-8")
    counts = {c.id: c.data["steps"][0]["expect"]["value"] for c in read_suite().cases.values() if c.kind == "count"}
    for depth in (1, 2, 3):
        assert f"| {depth} | {counts[f'classic/two/turn.acts/count-two-small-hands-{depth}']} |" in page


# ---- every rule set --------------------------------------------------------------------------------------------------


KINDS = {"count": "counting", "observation": "seeing", "deal": "deals"}


@pytest.mark.parametrize("name", known())
@pytest.mark.parametrize("kind", KINDS)
def test_of_every_rule_set_plays_are_counted_seats_look_and_a_deal_is_played(name: str, kind: str) -> None:
    there = [case.id for case in read_suite().cases.values() if (case.ruleset, case.kind) == (name, kind)]
    assert bool(there) is not bool(left_out(KINDS[kind], name)), left_out(KINDS[kind], name)


def test_nothing_is_left_out_of_a_rule_set_that_there_is_not() -> None:
    written = json.loads((Path(__file__).parents[1] / "positions.json").read_text(encoding="utf-8"))
    assert set(written["left_out"]) <= set(KINDS.values())
    assert {name for what in written.values() for name in what} <= {*known(), *KINDS.values()}
    assert {name for reasons in written["left_out"].values() for name in reasons} <= set(known())


@pytest.mark.parametrize("name", ["classic", "brazilian", "gin"])
def test_a_small_position_is_small_and_offers_something(name: str) -> None:
    of = general(name)
    given, position = of.position(small_position(of))
    zones = given["zones"]
    assert all(len(cards) <= HELD for place, cards in zones.items() if place.startswith("hand."))
    assert all(len(cards) == LYING for place, cards in zones.items() if place.startswith("melds"))
    assert 1 <= len(zones["stock"]) <= STACKED
    state = to_state(of.game, position)
    assert len({move.act for move in of.game.legal(state).moves}) > 1
    assert FEWEST <= len(Plays(of.game).divide(state, 1)) <= MOST


def test_the_number_of_a_turn_is_told_where_the_rules_write_it_down() -> None:
    for name, told in (("classic", False), ("modern-american", True)):
        position, _ = parse_position("N at start; hand.N 49; turn_no 12", "position")
        assert position is not None
        assert (cut(load_ruleset(name), position).find("turn_no") is not None) is told
