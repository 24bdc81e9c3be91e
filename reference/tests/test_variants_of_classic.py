"""Canasta for two, three, five and six: whole matches end and replay, what differs from four is there, and nothing is stale."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from canasta.games import load_ruleset, open_game
from canasta.kernel.game import Game
from canasta.kernel.ledger import MatchEnd
from canasta.kernel.state import NOBODY
from canasta.language.loading import load_document
from canasta.language.merging import OriginKind
from canasta.language.source import RuleFileError
from canasta.notation import record as r
from canasta.notation.reader import read_text
from canasta.notation.writer import write
from canasta.playing.recording import PlayedDeal, record_match
from canasta.playing.replay import replay
from canasta.random_play import play_match, shuffled_pack
from canasta.rooms import room

CLASSIC = Path(str(room("spec"))) / "rules" / "classic"
VARIANTS = (
    "classic/two", "classic/three", "classic/five", "classic/six", "classic/six/pairs", "classic/six/two-packs", "uruguay", "cuban",
)  # fmt: skip
GAMES = (*VARIANTS, "classic/three:alone", "classic/three:pagat", "classic/two,last_red_three=may_meld")


@cache
def match(name: str, seed: int) -> tuple[Game, tuple[PlayedDeal, ...], MatchEnd | None]:
    game = open_game(name, by_face=True)
    deals: list[PlayedDeal] = []
    end: MatchEnd | None = None
    for number, pack, first, moves, last in play_match(game, seed, 60):
        deals.append(PlayedDeal(number, pack, first, moves))
        end = game.match_over(last)
    return game, tuple(deals), end


@pytest.mark.soon("1-classic/three", "1-classic/two")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep)])
def test_a_whole_random_match_ends_and_replays_without_a_finding(name: str, seed: int) -> None:
    game, deals, end = match(name, seed)
    assert end is not None
    record = record_match(game, deals, [r.Tag("Rules", name)])
    (again,), found = read_text(write(record), "match.cgn")
    assert found == []
    report = replay(again)
    assert [(d.id, d.message) for d in report.findings] == []
    assert report.ending == "match.winner"
    table = game.ruleset.table
    owners = table.seats if end.by_seat else len(table.sides)
    assert len(report.totals) == owners
    assert max(report.totals.values()) in [report.totals[w] for w in report.winners]


# -- figures -----------------------------------------------------------------------------------------------------------

DEALT = {
    "classic": (4, 11, 63),
    "classic/two": (2, 15, 77),
    "classic/three": (3, 13, 68),
    "classic/five": (4, 11, 63),
    "classic/six": (6, 13, 83),
    "classic/six/pairs": (6, 13, 83),
    "classic/six/two-packs": (6, 11, 41),
    "uruguay": (4, 11, 63),
    "cuban": (4, 13, 55),
    "brazilian": (4, 15, 101),
    "modern-american": (4, 13, 56),
}
"""Players who hold cards, cards of each, and the stock after a deal in which no red three and no wild card came."""


@pytest.mark.parametrize("name", DEALT)
def test_so_many_cards_are_dealt(name: str) -> None:
    game = open_game(name, by_face=True)
    players, cards, stock = DEALT[name]
    pack = shuffled_pack(game, 1)
    quiet = [k for k in pack if game.deck.name(k)[0] not in "23" and game.deck.name(k) != "Jk"]
    rest = [k for k in pack if k not in set(quiet)]
    state = game.start([*quiet, *rest], 0)
    hands = [sum(h) for h in state.zone(game.machine.hand) if sum(h)]
    assert hands == [cards] * players
    assert sum(state.zone(game.ruleset.zones["stock"].index).counts) == stock


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("classic/two", {"draw_count": 2, "canastas_to_go_out": 2, "match_target": 5000}),
        ("classic/six", {"canastas_to_go_out": 2, "match_target": 10000, "red_three_set": 5}),
        ("classic/six/pairs", {"canastas_to_go_out": 2, "match_target": 7500, "red_three_set": 5}),
        ("classic/six/two-packs", {"canastas_to_go_out": 1, "match_target": 5000, "red_three_set": 4, "hand_size": 11}),
    ],
)
def test_parameters_of_a_variant(name: str, figures: dict[str, int]) -> None:
    parameters = load_ruleset(name).parameters
    assert {k: parameters[k] for k in figures} == figures


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        (
            "classic/three",
            {"lone_hand": 1, "draw_count": 2, "canastas_to_go_out": 2, "match_target": 7500, "stock_end": 0},
        ),
        ("classic/three:pagat", {"lone_hand": 1, "draw_count": 2, "canastas_to_go_out": 1, "stock_end": 1}),
        ("classic/three:alone", {"lone_hand": 0, "draw_count": 1, "canastas_to_go_out": 1, "match_target": 5000}),
        ("classic/six", {"draw_count": 1}),
    ],
)
def test_choices_of_a_variant(name: str, figures: dict[str, int]) -> None:
    options = load_ruleset(name).options
    assert {k: options[k].value for k in figures} == figures


# -- how sides and seats come about in play ----------------------------------------------------------------------------


def test_a_lone_hand_forms_with_the_first_take_or_with_going_out() -> None:
    """In every deal of a match: partners if and only if somebody took the pile or went out; two against one then."""
    formed = 0
    for seed in (1, 2):
        game, deals, _ = match("classic/three", seed)
        for deal in deals:
            state, taken, lone = deal.first, False, NOBODY
            for move in deal.moves:
                seat = state.seat
                state = game.turn.perform(state, move)
                if move.act == "take" and not taken:
                    taken, lone = True, seat
            assert len(state.sides) == (2 if taken or state.reason == "out" else 3)
            if taken:
                formed += 1
                sizes = [state.side_of.count(state.side_of[s]) for s in range(3)]
                assert sizes == [1 if s == lone else 2 for s in range(3)]
    assert formed > 3


def test_nobody_becomes_a_partner_where_everyone_plays_alone() -> None:
    game, deals, _ = match("classic/three:alone", 1)
    for deal in deals:
        state = deal.first
        for move in deal.moves:
            state = game.turn.perform(state, move)
        assert state.sides == [0, 1, 2]


def test_of_five_one_of_the_three_sits_out_in_turn() -> None:
    _, deals, _ = match("classic/five", 1)
    idle = [({0, 1, 2, 3, 4} - set(d.first.playing)).pop() for d in deals]
    assert idle == [[4, 0, 2][i % 3] for i in range(len(deals))]
    for deal in deals:
        order = deal.first.playing
        assert [seat in (1, 3) for seat in order] in ([False, True] * 2, [True, False] * 2)
        assert deal.first.dealer in order


# -- parent and child --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*VARIANTS, "brazilian"])
def test_a_variant_states_only_what_differs(name: str) -> None:
    """Every clause that is replaced says something else than its parent's; most clauses are the parent's own."""
    child = load_document(name)
    theirs, ours = load_ruleset(child.lineage[0]).clauses, load_ruleset(name).clauses
    replaced = [i for i, o in child.origin.items() if o.kind is OriginKind.REPLACED and o.ruleset == child.base]
    assert 0 < len(replaced) < len(ours) / 4
    for id_ in replaced:
        mine, parents = ours[id_], theirs[id_]
        assert (mine.formal, mine.text, mine.title, mine.sources) != (
            parents.formal,
            parents.text,
            parents.title,
            parents.sources,
        ) or mine.examples != parents.examples


EDITS = {
    "two": ("scoring.yaml", "points: -sum(s in seats", "points: -2 * sum(s in seats", "scoring.cards-left"),
    "three": (
        "match.yaml",
        "any(x in sides where total(x) >= match_target)",
        "any(x in sides where total(x) > match_target)",
        "match.over",
    ),
    "five": ("scoring.yaml", "points: -sum(s in seats", "points: -2 * sum(s in seats", "scoring.cards-left"),
    "six": (
        "going-out.yaml",
        "that: canastas >= canastas_to_go_out",
        "that: canastas > canastas_to_go_out",
        "going-out.canasta",
    ),
}


@pytest.mark.parametrize("child", EDITS)
def test_a_changed_parent_makes_a_variant_stale(child: str, tmp_path: Path) -> None:
    shutil.copytree(CLASSIC, tmp_path / "classic")
    own = tmp_path / "classic" / child / "ruleset.yaml"
    text = own.read_text(encoding="utf-8")
    own.write_text(text.replace("\nextends: classic\n", "\nextends: ../ruleset.yaml\n"), encoding="utf-8")
    load_document(str(own))
    chapter, old, new, clause = EDITS[child]
    path = tmp_path / "classic" / chapter
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RuleFileError) as caught:
        load_document(str(own))
    (stale,) = caught.value.diagnostics
    assert (stale.id, stale.clause) == ("RS2031", clause)
    assert "stale override: read it again" in stale.message
