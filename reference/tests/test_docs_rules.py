"""The rule sets printed in the documentation are real: they load, keep their own examples, play, and their rules bite."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from canasta.diagnostics import CanastaError
from canasta.games import load_ruleset, open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.loading import load_document
from canasta.language.signing import sign
from canasta.notation.position_text import parse_position
from canasta.playing.examples import ExampleResult, run_examples
from canasta.playing.positions import to_state
from canasta.random_play import RandomPlayer, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64, derive

DOCS = Path(__file__).parents[2] / "docs"
TWELVE = "explanation/twelve-things.md"
PAGES = (TWELVE, "tutorials/house-rule.md", "how-to/write-a-variant.md")
BLOCK = re.compile(
    r"(?:<!-- wrong: (?P<wrong>[A-Z0-9 ]+) -->\n)?<!-- file: (?P<name>[\w-]+)\.yaml -->\n```yaml\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
NO_EXAMPLES = {"sitting-out": "a position does not say which line of the rota plays"}


@dataclass(frozen=True)
class RuleFile:
    """A rule file printed on a page; ``wrong`` are the ids of the findings that the page shows it for."""

    page: str
    at: int
    name: str
    text: str
    wrong: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{Path(self.page).stem}-{self.at}-{self.name}"


def rule_files(page: str) -> Iterator[RuleFile]:
    text = (DOCS / page).read_text(encoding="utf-8")
    for at, found in enumerate(BLOCK.finditer(text)):
        yield RuleFile(page, at, found["name"], found["text"], tuple((found["wrong"] or "").split()))


FILES = tuple(f for page in PAGES for f in rule_files(page))
GOOD = tuple(f for f in FILES if not f.wrong)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("docs-rules")


def saved(folder: Path, file: RuleFile) -> str:
    """Write a rule file as its reader would and sign it."""
    path = folder / str(file) / f"{file.name}.yaml"
    if not path.exists():
        path.parent.mkdir()
        path.write_text(file.text, encoding="utf-8")
        if "\nextends:" in file.text:
            path.write_text(sign(str(path)), encoding="utf-8")
    return str(path)


def of_twelve(folder: Path, name: str) -> str:
    return saved(folder, next(f for f in FILES if f.page == TWELVE and f.name == name))


def own_examples(name: str) -> list[ExampleResult]:
    """Carry out the examples that stand in a rule file itself, not those it inherits."""
    shown = load_document(name).files[0]
    clauses = load_ruleset(name).clauses.values()
    own = [c.id for c in clauses if any(e.span.file == shown for e in c.examples)]
    return [r for id_ in own for r in run_examples(name, of=id_) if r.example.span.file == shown]


@dataclass(frozen=True)
class Deal:
    """A deal played at random: every state with the act chosen in it and the state after it."""

    game: Game
    steps: tuple[tuple[State, Move, State], ...]

    @property
    def last(self) -> State:
        return self.steps[-1][2]

    def zone(self, state: State, name: str) -> object:
        return state.zone(self.game.ruleset.zones[name].index)

    def count(self, state: State, stack: str) -> int:
        return len(state.zone(self.game.ruleset.zones[stack].index).cards)

    def value(self, state: State, name: str) -> int:
        return int(state.variable(self.game.ruleset.state[name].index))


@cache
def played(name: str, deals: int) -> tuple[Deal, ...]:
    """Play deals of one match, whether or not its end has come."""
    game, state = open_game(name), None
    found: list[Deal] = []
    for number in range(1, deals + 1):
        pack = shuffled_pack(game, derive(11, number, 0))
        state = game.start(pack, game.ruleset.table.seats - 1) if state is None else game.next_deal(state, pack)
        player = RandomPlayer(game, SplitMix64(derive(11, number, 1)))
        found.append(Deal(game, tuple(play_deal(state, player))))
        state = found[-1].last
    return tuple(found)


# -- every rule file on the pages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", GOOD, ids=str)
def test_a_printed_rule_set_keeps_its_own_examples(file: RuleFile, folder: Path) -> None:
    results = own_examples(saved(folder, file))
    assert [d.message for r in results for d in r.findings] == []
    assert bool(results) != (file.name in NO_EXAMPLES) or file.page != TWELVE


@pytest.mark.parametrize("file", GOOD, ids=str)
def test_a_printed_rule_set_plays_to_the_end_of_a_deal(file: RuleFile, folder: Path) -> None:
    deal = played(saved(folder, file), 1)[0]
    assert deal.last.reason in deal.game.ruleset.reasons
    everything = [c for z in deal.game.ruleset.zones.values() for c in cards_in(deal.last.zone(z.index))]
    assert len(everything) == deal.game.deck.total


def cards_in(content: object) -> Iterator[int]:
    """Go through all cards of a zone, whatever its form and whosever it is."""
    if hasattr(content, "cards"):
        cards = content.cards
        yield from [k for k, n in enumerate(cards) for _ in range(n)] if hasattr(content, "gid") else cards
    elif isinstance(content, list) and content and isinstance(content[0], int):
        yield from (k for k, n in enumerate(content) for _ in range(n))
    elif isinstance(content, list):
        for inner in content:
            yield from cards_in(inner)


@pytest.mark.parametrize("file", [f for f in FILES if f.wrong], ids=str)
def test_a_printed_mistake_is_found(file: RuleFile, folder: Path) -> None:
    with pytest.raises(CanastaError) as caught:
        load_ruleset(saved(folder, file))
    assert tuple(d.id for d in caught.value.diagnostics) == file.wrong


def test_each_of_the_twelve_is_there() -> None:
    sections = re.split(r"^## ", (DOCS / TWELVE).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    numbered = [s for s in sections if s[0].isdigit()]
    assert [int(s.split(".")[0]) for s in numbered] == list(range(1, 13))
    assert all(len(list(BLOCK.finditer(s))) == 1 for s in numbered)


def test_an_example_that_does_not_hold_would_be_seen(folder: Path) -> None:
    good = next(f for f in FILES if f.name == "must-ask")
    wrong = RuleFile(TWELVE, 99, good.name, good.text.replace("{illegal: [ASK_FIRST]}", "legal"))
    assert [r.name for r in own_examples(saved(folder, wrong)) if not r.passed] == ["asking.needed/not-asked"]


# -- the rules bite ----------------------------------------------------------------------------------------------------


def test_the_first_to_take_the_pile_plays_alone_against_the_other_two(folder: Path) -> None:
    formed = 0
    for deal in played(of_twelve(folder, "lone-hand"), 8):
        for before, move, after in deal.steps:
            if len(before.sides) == 3 and len(after.sides) == 2:
                formed += 1
                assert move.act in ("take", "lay", "discard", "out"), "a lay after the top card completes the take"
                lone = after.side_of[move.seat]
                assert [s for s in range(3) if after.side_of[s] == lone] == [move.seat]
        assert len(deal.last.sides) == (2 if deal.value(deal.last, "formed") else 3)
    assert formed


def test_partners_of_the_moment_get_the_same_and_their_own_red_threes(folder: Path) -> None:
    deal = next(d for d in played(of_twelve(folder, "lone-hand"), 8) if len(d.last.sides) == 2)
    before = deal.steps[0][0].variable(deal.game.ruleset.state["total"].index)
    got = [b - a for a, b in zip(before, deal.game.scoring.carried(deal.last)["total"], strict=True)]
    reds = [0, 0, 0]
    for line in deal.game.ledger(deal.last).lines:
        if line.item == "red_threes":
            reds[line.seat] += line.points
    one, other = (s for s in range(3) if deal.last.side_of.count(deal.last.side_of[s]) == 2)
    assert got[one] - reds[one] == got[other] - reds[other]


def test_the_first_canasta_draws_one_prize_a_deal(folder: Path) -> None:
    drawn = 0
    for deal in played(of_twelve(folder, "prize-draw"), 12):
        prizes = [
            (deal.count(b, "stock") - deal.count(a, "stock"), deal.count(a, "stock"))
            for b, m, a in deal.steps
            if deal.value(a, "prize_taken") > deal.value(b, "prize_taken")
        ]
        assert len(prizes) <= 1
        drawn += len(prizes)
        assert all(n >= 11 or not left for n, left in prizes)
    assert drawn


def test_nobody_goes_out_unasked(folder: Path) -> None:
    out = [d for d in played(of_twelve(folder, "must-ask"), 8) if d.last.reason == "out"]
    assert out
    assert all(d.value(d.steps[-1][0], "permission") != 0 for d in out)


def test_who_sits_out_holds_no_card_and_sides_alternate(folder: Path) -> None:
    resting = []
    for deal in played(of_twelve(folder, "sitting-out"), 4):
        first = deal.steps[0][0]
        hands = first.zone(deal.game.machine.hand)
        resting.append(next(s for s in range(5) if not sum(hands[s])))
        acting = [m.seat for _, m, _ in deal.steps if m.act == "discard"]
        assert resting[-1] not in acting
        assert all(a % 2 != b % 2 for a, b in pairwise(acting)), "0 2 4 play against 1 3"
        assert first.dealer != resting[-1]
    assert resting == [4, 0, 2, 4]


def test_no_canasta_grows(folder: Path) -> None:
    deal = played(of_twelve(folder, "closed-canastas"), 1)[0]
    sizes = [
        g.size
        for _, _, state in deal.steps
        for side in state.zone(deal.game.ruleset.zones["melds"].index)
        for g in side
    ]
    assert max(sizes) <= 7


def test_a_run_takes_the_top_card_alone_and_only_from_an_unfrozen_pile(folder: Path) -> None:
    game = open_game(of_twelve(folder, "run-from-the-pile"))
    for pile, taking in (("6c Th", ["extend"]), ("2c Th", []), ("6c Jh", []), ("6c Td", ["take"])):
        text = f"N at start; hand.N KcTcTs4c4d; melds.NS 7h8h9h TsTdTh; opened.NS; pile {pile}; stock ?30"
        text = text.replace(" TsTdTh", "") if taking != ["take"] else text
        position, findings = parse_position(text, "here")
        assert position is not None, findings
        state = to_state(game, position)
        legal = [
            m for m in game.legal(state).moves if m.act in ("extend", "take") and (m.act == "extend" or not m.cards)
        ]
        assert [m.act for m in legal] == taking, pile
        if taking == ["extend"]:
            after = game.apply(state, legal[0])
            zone = game.ruleset.zones["pile"].index
            assert [game.deck.name(k) for k in after.zone(zone).cards] == ["6c"]
            assert game.ruleset.phases["play"].index == after.phase


def test_the_packet_is_taken_with_an_empty_hand_by_one_player_of_a_side(folder: Path) -> None:
    ways: set[str] = set()
    for deal in played(of_twelve(folder, "packet"), 10):
        index = deal.game.ruleset.zones["packet"].index
        for before, move, after in deal.steps:
            side = before.side_of[move.seat]
            if before.zone(index)[side].cards and not after.zone(index)[side].cards:
                ways.add(move.act)
                assert sum(before.zone(deal.game.machine.hand)[move.seat]) == len(move.cards)
    assert ways


def test_the_first_opening_draws_four_and_the_second_three(folder: Path) -> None:
    drawn: list[tuple[int, int]] = []
    for deal in played(of_twelve(folder, "talon"), 6):
        opened, play = deal.game.ruleset.state["opened"].index, deal.game.ruleset.phases["play"].index
        for before, move, after in deal.steps:
            if move.act == "lay" and before.phase == play and after.stage > before.stage:
                shown = [sum(map(sum, s.zone(deal.game.ruleset.zones["shown"].index))) for s in (before, after)]
                new = deal.count(before, "stock") - deal.count(after, "stock") - (shown[1] - shown[0])
                drawn.append((sum(before.variable(opened)), new))
    assert {(0, 4)} <= set(drawn) <= {(0, 4), (1, 3)}


def test_four_deals_make_a_match(folder: Path) -> None:
    deals = played(of_twelve(folder, "four-deals"), 4)
    ends = [d.game.match_over(d.last) for d in deals]
    assert [e is not None for e in ends] == [False, False, False, True]
    totals = deals[-1].game.scoring.carried(deals[-1].last)["total"]
    assert ends[-1] is not None
    assert ends[-1].winners == tuple(s for s in (0, 1) if totals[s] == max(totals))


def test_every_player_opens_for_himself(folder: Path) -> None:
    openings = set()
    for deal in played(of_twelve(folder, "minimum-per-seat"), 4):
        opened, values = deal.game.ruleset.state["opened"].index, {"A": 20, "2": 20, "Jk": 50}
        for before, move, after in deal.steps:
            if after.variable(opened)[move.seat] > before.variable(opened)[move.seat] and move.act == "discard":
                laid = [deal.game.deck.name(k) for k, n in enumerate(before.laid[:-1]) for _ in range(n)]
                points = sum(values.get(c, 5 if c in ("4", "5", "6", "7") or c[0] == "3" else 10) for c in laid)
                assert points >= 50 or not sum(after.zone(deal.game.machine.hand)[move.seat])
                openings.add(move.seat)
    assert len(openings) > 2, "partners open one after the other"


def test_gin_is_knocked_laid_off_and_scored(folder: Path) -> None:
    game = open_game(of_twelve(folder, "gin"))
    find = {game.deck.name(k): k for k in range(game.deck.size)}
    first = ["As", "Ac", "Ad", "2s", "2c", "2d", "5h", "6h", "7h", "Ks"]
    second = ["3s", "3c", "3d", "8h", "4s", "9c", "9d", "Kd", "Qd", "Jh"]
    order = [find[c] for pair in zip(first, second, strict=True) for c in pair]
    order += [k for k in find.values() if k not in order]
    state = game.start(order, 1)

    def do(act: str, cards: str = "", group: int = -1) -> None:
        nonlocal state
        state = game.apply(state, Move(act, state.seat, tuple(find[c] for c in cards.split()), group))

    for act in ("refuse", "refuse", "draw"):
        do(act)
    for cards in ("As Ac Ad", "2s 2c 2d", "5h 6h 7h"):
        do("meld", cards)
    hand = state.zone(game.machine.hand)[0]
    low = next(game.deck.name(k) for k, n in enumerate(hand) if n and game.deck.name(k) != "Ks")
    assert game.judge(state, Move("discard", 0, (find["Ks"],))).codes == ("MELDS_ONLY_WHEN_KNOCKING",)
    kept = 10 if low[0] in "TJQ" else int(low[0]) if low[0].isdigit() else 1
    do("knock", "Ks")
    assert (state.seat, state.phase) == (1, game.ruleset.phases["layoff"].index)
    do("meld", "3s 3c 3d")
    added = [m for m in game.legal(state).moves if m.act == "add"]
    assert [game.deck.name(k) for m in added for k in m.cards] == ["8h"], "five to seven of hearts takes the eight"
    state = game.apply(state, added[0])
    do("show")
    deadwood = 4 + 9 + 9 + 10 + 10 + 10
    assert game.ledger(state).items(0) == {"knock": deadwood - kept}
    assert game.ledger(state).items(1) == {}
