"""A rule file that loads can be played: whatever was changed in it, only a diagnostic ever comes out."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canasta.diagnostic_ids import explain
from canasta.diagnostics import CanastaError
from canasta.games import game_of
from canasta.kernel.game import Game
from canasta.language.build import build
from canasta.language.loading import load_document
from canasta.random_play import shuffled_pack
from canasta.shuffle import SplitMix64

HERE = Path(__file__).parent
PAGES = [
    (HERE / name).read_text(encoding="utf-8")
    for name in ("mini/runs.yaml", "mini/wild-runs.yaml", "bad/good/parent.yaml")
]
TOKEN = re.compile(r"\$?[A-Za-z_][\w.-]*|\d+|!=|<=|>=|[<>=+*-]")
LIKE = [
    re.compile(r"\d+"), re.compile(r"!=|<=|>=|[<>=]"), re.compile(r"[+*-]"), re.compile(r"yes|no|seat|side|table"),
    re.compile(r"and|or|not"), re.compile(r"count|any|all|sum|most"), re.compile(r"\$\w+"), re.compile(r"[a-z_]\w*"),
]  # fmt: skip
"""Sorts of word: a word is put in the place of one of its own sort, so that most changed files still load."""
NUMBERS = ["0", "1", "2", "7", "13", "40", "-3", "1000000"]
MOST_ACTS = 12
FEW, MANY = 70, 1500
"""So many changed files are tried, and so many by `make deep`."""

changes = st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 4000)), min_size=1, max_size=3)
outcomes: Counter[str] = Counter()


def sort_of(token: str) -> int:
    return next((i for i, sort in enumerate(LIKE) if sort.fullmatch(token)), len(LIKE))


def changed(page: str, at: list[tuple[int, int]]) -> str:
    """Put a word of the same sort in the place of another, or leave a line out."""
    for where, what in at:
        if what % 9 == 0:
            lines = page.splitlines(keepends=True)
            del lines[where % len(lines)]
            page = "".join(lines)
            continue
        tokens = list(TOKEN.finditer(page))
        old = tokens[where % len(tokens)]
        alike = sorted({t.group() for t in tokens if sort_of(t.group()) == sort_of(old.group())})
        alike += NUMBERS if sort_of(old.group()) == 0 else []
        page = page[: old.start()] + alike[what % len(alike)] + page[old.end() :]
    return page


def play(game: Game, seed: int) -> None:
    """Play some acts at random, and ask at every door on the way."""
    pick = SplitMix64(seed)
    state = game.start(shuffled_pack(game, seed), seed % game.ruleset.table.seats)
    for _ in range(MOST_ACTS):
        if state.over:
            break
        moves = game.legal(state).moves
        if not moves:
            break
        move = moves[pick.below(len(moves))]
        assert game.judge(state, move).violations == ()
        game.as_played(state, move)
        state = game.apply(state, move)
        game.observe(state, state.seat)
    game.ledger(state)
    game.match_over(state)
    outcomes["played"] += 1


@pytest.mark.parametrize("most", [FEW, pytest.param(MANY, marks=pytest.mark.deep)])
def test_a_changed_rule_file_that_loads_is_played_or_told_what_is_wrong(tmp_path: Path, most: int) -> None:
    outcomes.clear()
    path = tmp_path / "changed.yaml"

    @given(st.sampled_from(PAGES), changes, st.integers(0, 99))
    @settings(max_examples=most, deadline=None, derandomize=True, database=None)
    def one(page: str, at: list[tuple[int, int]], seed: int) -> None:
        path.write_text(changed(page, at), encoding="utf-8")
        try:
            loaded = load_document(str(path))
            ruleset = build(loaded.document, loaded.base, loaded.profile, loaded.chosen, loaded.chapter_of)
            play(game_of(ruleset), seed)
        except CanastaError as error:
            told = error.diagnostics
        else:
            return
        outcomes["told"] += 1
        assert told
        assert all(explain(d.id) is not None for d in told)

    one()
    assert outcomes["played"] > most // 6, outcomes
    assert outcomes["told"] > most // 6, outcomes
