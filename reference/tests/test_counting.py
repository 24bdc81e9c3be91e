"""No pack gives more of a card than it has: a surplus is found over all places together, and only where there is one."""

import pytest

from canasta.notation.reader import read_text
from canasta.playing.replay import replay

START = "Deal 1 dealer W\nup 6c\n"
END = "left E 7\nleft S 7\nleft W 7\nend stock N\n"

SURPLUS = {
    "three of a printed card in one meld": (f"{START}N AcAcAc -4\n", (3, 3), "3 cards Ac, and the pack has 2"),
    "the same where every suit is written": (f"{START}N AcAcAc -4c\n", (3, 3), "3 cards Ac, and the pack has 2"),
    "a ninth of a rank": (f"{START}N AAAA -4\nE AAAA -4\nS A\n", (5, 3), "9 cards A, and the pack has 8"),
    "a fifth joker": (f"{START}N xxAAA -4\nE xxAAA -4\nS 7 KKKx\n", (5, 5), "5 cards Jk, and the pack has 4"),
    "three of a printed card on the pile": (f"{START}N Ac\nE Ac\nS Ac\nW 7\n", (5, 3), "3 cards Ac"),
    "on the pile below the upcard": ("Deal 1 dealer W\nup Ac\nN Ac\nE 7\nS Ac\n", (5, 3), "3 cards Ac"),
    "in melds of which only the end was written": (
        f"Deal 1 dealer W\nmelds NS AcAcAc\nmelds EW KKKK\nleft N 4\n{END}", (2, 1), "3 cards Ac",
    ),
    "in hands of which only the end was written": (
        f"Deal 1 dealer W\nmelds NS AAAA\nmelds EW AAAA\nleft N A\n{END}", (4, 1), "9 cards A",
    ),
    "in a hand that the end makes known": (
        f"{START}N AAAA -4\nE AAAA -4\nS 7\nW 7\nleft S AQQQQQJJJJJ\n", (7, 1), "9 cards A",
    ),
}  # fmt: skip


@pytest.mark.parametrize("positions", [True, False])
@pytest.mark.parametrize("name", SURPLUS)
def test_a_surplus_is_told_once_where_it_is_first_written(name: str, *, positions: bool) -> None:
    text, place, words = SURPLUS[name]
    (record,), _ = read_text(text, "it.cgn")
    found = [d for d in replay(record, positions=positions).findings if d.id == "PL0045"]
    assert len(found) == 1
    assert words in found[0].message
    assert found[0].span is not None
    assert (found[0].span.line, found[0].span.column) == place


@pytest.mark.parametrize(
    "turns",
    [
        "N Ac\nE Ac\nS 7c\nW 7\n",
        "N Ac\nE ^AcAAA 5555 -Ac\nS ^AcAAA JJJJJ -6\nW 7\n",
        # The same card is discarded, taken with the pile and discarded again.
        "N Ac\nE 5c\nS ^5c555 KKKK -Ac\nW Ac\n",
        "N AAAA -4\nE AAAA -4\nS 7\n",
        "N xxAAA -4\nE xxAAA -4\nS 7\n",
    ],
)
def test_a_card_that_comes_back_is_the_same_card(turns: str) -> None:
    (record,), _ = read_text(f"{START}{turns}", "it.cgn")
    assert [d.message for d in replay(record).findings if d.id == "PL0045"] == []
