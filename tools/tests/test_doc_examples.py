"""Games that the pages show are typed by readers: each must be one that `canasta check` has nothing against."""

import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"^(?P<indent> *)```cgn\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    if "```cgn" in path.read_text(encoding="utf-8")
)


def games(page: str) -> Iterator[str]:
    """Put the blocks of a page together: one that begins a deal or a record where there is a deal already begins a new game."""
    game = ""
    for found in EXAMPLE.finditer(page):
        block = textwrap.dedent(found["text"])
        if game and (block.startswith("[") or (block.startswith("Deal") and "Deal" in game)):
            yield game
            game = ""
        game += block
    yield game


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_can_be_typed(call: Callable[..., Any], page: str) -> None:
    for game in games((ROOT / page).read_text(encoding="utf-8")):
        answer = call("check", "--summary", "--stdin-filename", "game.cgn", "-", stdin=game)
        assert answer.code == 0, game + "\n" + answer.out + answer.err
        assert re.search(r"game\.cgn: [1-9]\d* deals?, ", answer.out), game + "\n" + answer.out


def test_pages_with_games_are_found() -> None:
    assert {"docs/explanation/notation.md", "docs/how-to/record-moves.md"} <= set(PAGES)
    page = "```cgn\nDeal 1\n```\n   ```cgn\n   N 7c\n   ```\n\n```cgn\nDeal 1\n```\n"
    assert list(games(page)) == ["Deal 1\nN 7c\n", "Deal 1\n"]
