"""Alpha-renaming: the interpreter knows no game, so a game with all names exchanged is played in the same way."""

import re
import sys
from functools import cache
from pathlib import Path

import pytest

from canasta.games import game_of, read_ruleset
from canasta.kernel.acts import Move, Verdict
from canasta.kernel.game import Game
from canasta.kernel.ledger import Ledger
from canasta.language.build import build
from canasta.language.loading import load_document
from canasta.random_play import RandomPlayer, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64

sys.path.insert(0, str(Path(__file__).parent))
from random_positions import plain
from renaming import Renaming

sys.path.pop(0)

MINI = Path(__file__).parent / "mini"
GAMES = [
    ("classic", False, 4),
    ("classic:pagat", True, 2),
    ("classic:article,concealed_canasta=yes,failed_asking=fined", False, 2),
    ("gin:openspiel", True, 6),
    (str(MINI / "runs.yaml"), True, 12),
    (str(MINI / "wild-runs.yaml"), True, 12),
]


@cache
def both(name: str, *, by_face: bool) -> tuple[Game, Game, Renaming]:
    loaded = load_document(name)
    renaming = Renaming()
    document = renaming.document(loaded.document)
    chosen = {renaming.known("name", o): renaming.known("word", v) for o, v in loaded.chosen.items()}
    renamed = build(document, "renamed", "", chosen, {})
    return game_of(read_ruleset(name), by_face=by_face), game_of(renamed, by_face=by_face), renaming


def verdict_under(verdict: Verdict, renaming: Renaming) -> object:
    return [
        (
            renaming.known("clause", v.clause),
            renaming.known("code", v.code),
            v.certain,
            v.act and renaming.known("act", v.act),
        )
        for v in verdict.violations
    ]


def told(verdict: Verdict) -> object:
    return [(v.clause, v.code, v.certain, v.act) for v in verdict.violations]


def ledger_under(ledger: Ledger, renaming: Renaming) -> object:
    return [
        (renaming.known("clause", x.clause), renaming.known("item", x.item), x.side, x.points, x.seat)
        for x in ledger.lines
    ]


@pytest.mark.parametrize(("name", "by_face", "seeds"), GAMES)
def test_every_name_is_exchanged(name: str, by_face: bool, seeds: int) -> None:  # noqa: ARG001, FBT001 - parameters of the test
    game, other, renaming = both(name, by_face=by_face)
    assert len(set(renaming.names.values())) == len(renaming.names)
    for key in (
        "classes",
        "values",
        "parameters",
        "options",
        "steps",
        "zones",
        "state",
        "shapes",
        "acts",
        "phases",
        "clauses",
    ):
        mine, theirs = list(getattr(game.ruleset, key)), list(getattr(other.ruleset, key))
        assert len(mine) == len(theirs)
        assert not set(mine) & set(theirs), key
        assert all(n.startswith("zz") for n in theirs), key
    assert all(n.startswith("zz") for n in (*other.ruleset.marks, *other.ruleset.reasons, *other.ruleset.pack.ranks))


@pytest.mark.parametrize(("name", "by_face", "seeds"), GAMES)
def test_a_renamed_game_is_played_in_the_same_way(name: str, by_face: bool, seeds: int) -> None:  # noqa: FBT001 - parameters of the test
    game, other, renaming = both(name, by_face=by_face)
    assert shuffled_pack(game, 3) == shuffled_pack(other, 3)
    for seed in range(seeds):
        state, twin = game.start(shuffled_pack(game, seed), 0), other.start(shuffled_pack(other, seed), 0)
        first = play_deal(state, RandomPlayer(game, SplitMix64(seed)))
        second = play_deal(twin, RandomPlayer(other, SplitMix64(seed)))
        for (_, move, after), (before, same, mirrored) in zip(first, second, strict=True):
            assert under(move, renaming) == same
            assert [plain(getattr(after, n)) for n in after.places] == [
                plain(getattr(mirrored, n)) for n in mirrored.places
            ]
            assert (after.seat, after.phase, after.turn_no, after.stage) == (
                mirrored.seat,
                mirrored.phase,
                mirrored.turn_no,
                mirrored.stage,
            )
            assert other.judge(before, same).violations == ()
            state, twin = after, mirrored
        assert renaming.known("reason", state.reason) == twin.reason
        assert ledger_under(game.ledger(state), renaming) == [
            (x.clause, x.item, x.side, x.points, x.seat) for x in other.ledger(twin).lines
        ]


@pytest.mark.parametrize(("name", "by_face", "seeds"), GAMES)
def test_a_renamed_game_is_judged_in_the_same_way(name: str, by_face: bool, seeds: int) -> None:  # noqa: FBT001 - parameters of the test
    game, other, renaming = both(name, by_face=by_face)
    violations = 0
    for seed in range(min(seeds, 4)):
        state, twin = game.start(shuffled_pack(game, seed), 0), other.start(shuffled_pack(other, seed), 0)
        player, pick = RandomPlayer(game, SplitMix64(seed)), SplitMix64(seed)
        while not state.over:
            for junk in some_moves(game, state.seat, pick):
                found = game.judge(state, junk)
                assert verdict_under(found, renaming) == told(other.judge(twin, under(junk, renaming)))
                violations += len(found.violations)
            move = player.choose(state)
            state, twin = game.turn.perform(state, move), other.turn.perform(twin, under(move, renaming))
    assert violations > 100


def under(move: Move, renaming: Renaming) -> Move:
    return Move(renaming.known("act", move.act), move.seat, move.cards, move.group, move.option)


def some_moves(game: Game, seat: int, pick: SplitMix64) -> list[Move]:
    found = []
    for name, act in game.ruleset.acts.items():
        if not act.safe:
            cards = tuple(
                pick.below(game.deck.size) for _ in range(0 if act.choose in ("none", "option") else 1 + pick.below(3))
            )
            found.append(Move(name, seat, cards[: 1 if act.choose == "card" else 3]))
    return found


# -- words -------------------------------------------------------------------------------------------------------------

OF_THE_GAME = (
    "wild", "joker", "canasta", "frozen", "freeze", "samba", "bolivia", "red_three", "red three", "black three", "opening", "minimum",
    "concealed", "meld", "deuce", "knock", "discard", "going out",
)  # fmt: skip
NOT_MEANT = re.compile(r"\bcanasta(\.\w+)+|frozen=True|\.discard\(")
"""The package, and two words of Python."""


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "canasta" / "kernel").glob("*.py")), ids=lambda p: p.name
)
def test_the_kernel_has_no_word_of_any_game(path: Path) -> None:
    text = NOT_MEANT.sub("", path.read_text(encoding="utf-8")).lower()
    assert [w for w in OF_THE_GAME if re.search(rf"(?<![a-z]){w}s?(?![a-z])", text)] == []
