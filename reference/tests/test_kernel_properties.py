"""What must hold of every game whatever its rules: cards, states, order of parts, ledgers, observations, seeds."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from canasta.games import open_game
from canasta.kernel.acts import NEW_GROUP, ImpossibleError, Move, RefusedError, Verdict
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.random_play import play_match, shuffled_pack
from canasta.shuffle import SplitMix64, derive

sys.path.insert(0, str(Path(__file__).parent))
from brute_tree import Tree, every_move, starts
from hidden_cards import Slot, completed, hide, places_of
from random_positions import moments, plain

sys.path.pop(0)

RUNS = str(Path(__file__).parent / "mini" / "runs.yaml")
GIN = str(Path(__file__).parent / "mini" / "loose-gin.yaml")
GAMES = ["classic", GIN, "classic:pagat,failed_asking=fined", "classic:article,concealed_canasta=yes", RUNS]
SHORT = (RUNS, GIN)
SEEDS = 6

games = st.sampled_from(GAMES)
seeds = st.integers(0, SEEDS - 1)
SHORT_DEALS = 60
"""A deal of the small games has few acts, or few that lay anything, so that more of them are needed."""

PROPERTY = settings(deadline=None, max_examples=60, derandomize=True)


@cache
def played(name: str, seed: int) -> list[tuple[State, Move, State]]:
    game = open_game(name, by_face=seed % 2 == 1)
    return moments(game, seed, late=name not in SHORT and seed % 3 == 0)


def opened(name: str, seed: int) -> Game:
    return open_game(name, by_face=seed % 2 == 1)


def snapshot(state: State) -> object:
    """Copy everything a state holds, however deep, but for what it only remembers of an answer given before."""
    names = (*type(state).__mro__[1].__slots__, *state.places)  # type: ignore[attr-defined]
    return [plain(getattr(state, n)) for n in names if n not in ("base", "parts_fine")] + [
        None if state.base is None else snapshot(state.base)
    ]


def cards_of(game: Game, state: State) -> list[int]:
    """Count the cards of all zones."""
    total = game.deck.empty()
    bags = [c.counts if isinstance(c, Stack) else c for _, _, c in places_of(game, state)]
    for bag in [*bags, *(g.cards for g in groups_of(game, state))]:
        total = [a + b for a, b in zip(total, bag, strict=True)]
    return total


def groups_of(game: Game, state: State) -> list[Group]:
    found: list[Group] = []
    for zone in game.ruleset.zones.values():
        if zone.form.value == "groups":
            content = state.zone(zone.index)
            found += content if zone.of.value == "table" else [g for groups in content for g in groups]
    return found


def lying(game: Game, state: State) -> object:
    """Say how the table lies, whatever the numbers of its groups and the order in which they were begun."""
    parts = [(n, plain(getattr(state, n))) for n in state.places if not has_groups(game, n)]
    groups = [
        sorted(map(str, map(shown, of)))
        for n in state.places
        if has_groups(game, n)
        for of in listed(getattr(state, n))
    ]
    plays = (state.seat, state.phase, state.turn_no, state.stage, state.draft, state.laid, state.over, state.reason)
    return [parts, groups, plays]


def has_groups(game: Game, place: str) -> bool:
    return place[0] == "z" and list(game.ruleset.zones.values())[int(place[1:])].form.value == "groups"


def listed(content: list[list[Group]] | list[Group]) -> list[list[Group]]:
    return [of for of in content if isinstance(of, list)] if content and isinstance(content[0], list) else [content]  # type: ignore[list-item]


def shown(group: Group) -> object:
    return [plain(getattr(group, name)) for name in Group.__slots__ if name != "gid"]


# -- cards and states --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_no_card_is_ever_lost_or_made(name: str) -> None:
    for seed in range(SEEDS):
        game = opened(name, seed)
        for before, move, after in played(name, seed):
            assert cards_of(game, after) == cards_of(game, before) == game.deck.full(), move
            for _, _, content in places_of(game, after):
                if isinstance(content, Stack):
                    assert content.counts == game.deck.bag(content.cards), move
            assert all(g.size == sum(g.cards) for g in groups_of(game, after))


@pytest.mark.parametrize("name", GAMES)
def test_every_act_that_was_listed_is_accepted_and_leaves_its_state_alone(name: str) -> None:
    for seed in range(SEEDS):
        game = opened(name, seed)
        for before, move, after in played(name, seed)[seed % 4 :: 4]:
            kept = snapshot(before)
            assert game.judge(before, move).violations == ()
            assert snapshot(game.apply(before, move)) == snapshot(after)
            stated, verdict = game.as_played(before, move)
            assert (snapshot(stated), verdict.violations) == (snapshot(after), ())
            assert snapshot(before) == kept


@given(games, seeds, st.data())
@PROPERTY
def test_a_refused_act_changes_nothing_and_no_door_changes_its_state(name: str, seed: int, data: st.DataObject) -> None:
    game = opened(name, seed)
    states = [s for s, _, _ in played(name, seed)] + [played(name, seed)[-1][2]]
    state = states[data.draw(st.integers(0, len(states) - 1))]
    kept = snapshot(state)
    move = data.draw(any_move(game, state))
    verdict = game.judge(state, move)
    after = verdict_of = None
    try:
        after = game.apply(state, move)
    except RefusedError as refused:
        verdict_of = refused.verdict
    if after is None:
        assert verdict_of is not None
        assert verdict_of.violations == verdict.violations != ()
    else:
        assert verdict.violations == ()
        assert cards_of(game, after) == game.deck.full()
    stated = stated_as(game, state, move)
    if stated is not None:
        after, said = stated
        assert cards_of(game, after) == game.deck.full()
        assert bool(said.violations) >= bool(verdict.violations)
        if not game.machine.phases[state.phase].auto:
            assert {v.code for v in verdict.violations} <= {v.code for v in said.violations}
    game.drop(state)
    game.ledger(state)
    game.completions(state)
    for seat in (*range(len(state.side_of)), None):
        game.observe(state, seat)
    assert snapshot(state) == kept


def stated_as(game: Game, state: State, move: Move) -> tuple[State, Verdict] | None:
    """Let an act stand; nothing where the cards are not there, which is then said."""
    try:
        return game.as_played(state, move)
    except ImpossibleError as impossible:
        said = impossible.verdict
    assert said.violations
    return None


@st.composite
def any_move(draw: st.DrawFn, game: Game, state: State) -> Move:
    """Draw any act at all, most of them wrong: by the wrong seat, with cards not held, onto groups that do not lie."""
    act = draw(st.sampled_from([*game.ruleset.acts, "nonsense"]))
    others = st.integers(0, len(state.side_of) - 1)
    seat = draw(st.one_of(st.just(state.seat), st.just(state.seat), others))
    hand = [k for k, n in enumerate(state.zone(game.machine.hand)[seat][:-1]) for _ in range(n)] or [0]
    held = st.lists(st.sampled_from(hand), max_size=4)
    cards = draw(st.one_of(held, held, st.lists(st.integers(0, game.deck.size - 1), max_size=4)))
    gids = [g.gid for g in groups_of(game, state)]
    group = draw(st.sampled_from([NEW_GROUP, 99_999, *gids]))
    return Move(act, seat, tuple(cards), group, draw(st.integers(-1, 3)))


@pytest.mark.parametrize("name", GAMES)
def test_dropping_a_draft_gives_the_state_before_it(name: str) -> None:
    dropped = 0
    for seed in range(SHORT_DEALS if name in SHORT else SEEDS):
        game = opened(name, seed)
        last = None
        for before, _, after in played(name, seed):
            if not before.draft:
                last = snapshot(before)
            if after.draft and not after.over:
                assert snapshot(game.drop(after)) == last
                dropped += 1
    assert dropped > 10


# -- plays -------------------------------------------------------------------------------------------------------------


def plays(name: str, seed: int) -> list[tuple[State, list[Move], Move]]:
    """List plays of two parts or more: the state before, the parts, and the act that ends the play."""
    found: list[tuple[State, list[Move], Move]] = []
    first, parts = None, list[Move]()
    acts = opened(name, seed).ruleset.acts
    for before, move, _ in played(name, seed):
        if acts[move.act].choose == "part":
            first = before if before.draft == 0 else first
            parts = [move] if before.draft == 0 else [*parts, move]
        else:
            if before.draft > 1 and first is not None and len(parts) == before.draft:
                found.append((first, parts, move))
            parts = []
    return found


def orders(game: Game, first: State, parts: list[Move]) -> list[list[tuple[int, Move]]]:
    """List orders of parts in which every group is begun before it is joined; a part that takes a top card stays first."""
    numbers: dict[int, int] = {}
    state = first
    for i, part in enumerate(parts):
        if part.group == NEW_GROUP:
            numbers[state.next_gid] = i
        state = game.turn.carry_out(state, part)
    found = []
    for order in permutations(range(len(parts))):
        begun: set[int] = set()
        for i in order:
            needs = numbers.get(parts[i].group)
            if (needs is not None and needs not in begun) or (
                i and game.ruleset.acts[parts[0].act].top and 0 not in begun
            ):
                break
            begun.add(i)
        else:
            found.append(
                [
                    (numbers.get(parts[i].group, -1), parts[i]) if parts[i].group in numbers else (-1, parts[i])
                    for i in order
                ]
            )
    return found


def spread(found: list[list[tuple[int, Move]]], most: int = 12) -> list[list[tuple[int, Move]]]:
    return found[:: max(1, len(found) // most)]


def tried_out(game: Game, first: State, parts: list[Move], seen: set[str]) -> Iterator[tuple[list[Move], Move]]:
    """Find plays by trying every act that nothing is said against when it is done: their parts, and what ends them."""
    state = first
    for part in parts:
        state = game.turn.carry_out(state, part)
    if (key := str(lying(game, state))) in seen:
        return
    seen.add(key)
    for move in every_move(game, state):
        after, verdict = game.as_played(state, move)
        if verdict.violations:
            continue
        if game.ruleset.acts[move.act].choose != "part":
            if len(parts) > 1:
                yield parts, move
        elif after.draft == len(parts) + 1:
            yield from tried_out(game, first, [*parts, move], seen)


def in_other_orders(game: Game, first: State, parts: list[Move], end: Move) -> int:
    """Lay the parts of a play in other orders: nothing is ever said against them, and the table lies the same.

    Left out are orders in which a group would lie with a gap that a later card closes: the cards form no group then.
    """
    expected, tried, no_group = None, 0, game.machine.refusals["shape"][1]
    for order in spread(orders(game, first, parts[:5])):
        state, gids = first, dict[int, int]()
        original = {id(p): i for i, p in enumerate(parts)}
        for maker, part in [*order, *((-1, p) for p in parts[5:])]:
            group = gids.get(maker, part.group) if maker >= 0 else renumbered(parts, part, gids, first, game)
            move = Move(part.act, part.seat, part.cards, group)
            after, verdict = game.as_played(state, move)
            if verdict.codes == (no_group,):
                break
            assert verdict.violations == ()
            if group == NEW_GROUP:
                gids[original[id(part)]] = state.next_gid
            state = after
        else:
            assert state.draft == len(parts)
            after, verdict = game.as_played(state, end)
            found = (verdict, lying(game, state), lying(game, after))
            expected = expected or found
            assert found == expected
            tried += 1
    return tried


@pytest.mark.parametrize("name", GAMES)
def test_the_order_of_the_parts_of_a_random_play_never_matters(name: str) -> None:
    tried = 0
    for seed in range(SHORT_DEALS if name in SHORT else SEEDS):
        for first, parts, end in plays(name, seed):
            tried += in_other_orders(opened(name, seed), first, parts, end)
    assert tried > 20, tried


@pytest.mark.parametrize(("name", "every"), [("classic", 9), ("classic:article,concealed_canasta=yes", 6), (RUNS, 5)])
def test_the_order_of_parts_never_matters_in_plays_that_no_lister_has_found(name: str, every: int) -> None:
    tried = found = 0
    for number, (game, first) in enumerate(
        starts(name, range(SHORT_DEALS // 2 if name == RUNS else 3), by_face=False, most=5)
    ):
        if number % every == 0:
            for parts, end in tried_out(game, first, [], set()):
                tried += in_other_orders(game, first, parts, end)
                found += 1
    assert found > 10, found
    assert tried > found, tried


def renumbered(parts: list[Move], part: Move, gids: dict[int, int], first: State, game: Game) -> int:
    """Find the number that a group begun in this play has now."""
    state = first
    for i, before in enumerate(parts):
        if before is part:
            break
        if before.group == NEW_GROUP and state.next_gid == part.group:
            return gids[i]
        state = game.turn.carry_out(state, before)
    return part.group


STRAND = [
    ("classic", 11),
    ("classic:pagat,failed_asking=fined", 17),
    ("classic:article,last_red_three=may_meld", 17),
    (RUNS, 5),
]


@pytest.mark.parametrize(("name", "every"), STRAND)
def test_no_accepted_act_strands_its_player(name: str, every: int) -> None:
    """Follow what is listed through whole turns; after each act some way to end the turn is found by trying everything."""
    asked = parts = 0
    for number, (game, start) in enumerate(
        starts(name, range(SHORT_DEALS // 2 if name == RUNS else 3), by_face=False, most=4)
    ):
        if number % every:
            continue
        tree = Tree(game, start.turn_no, start.seat, brute=True)
        pick, state = SplitMix64(number), start
        while not state.over and state.turn_no == start.turn_no:
            moves = game.legal(state).moves
            assert moves, f"state {number}: {state.phase}"
            for move in moves:
                assert tree.ends(game.turn.perform(state, move)), f"state {number}: {move}"
                parts += game.ruleset.acts[move.act].choose == "part"
            asked += len(moves)
            state = game.apply(state, moves[pick.below(len(moves))])
    assert asked > 50, asked
    assert parts > 5, parts


@pytest.mark.parametrize("name", GAMES)
def test_every_deal_of_listed_acts_comes_to_an_end(name: str) -> None:
    for seed in range(SEEDS):
        assert played(name, seed)[-1][2].over


# -- what is seen, counted and repeated --------------------------------------------------------------------------------


def unseen_by(game: Game, state: State, seat: int) -> list[Slot]:
    """List the places of all cards that a seat does not see."""
    slots: list[Slot] = []
    for index, owner, content in places_of(game, state):
        zone = list(game.ruleset.zones.values())[index]
        mine = owner == (seat if zone.of.value == "seat" else state.side_of[seat])
        if zone.seen.value == "all" or (zone.seen.value == "owner" and mine):
            continue
        if isinstance(content, Stack):
            below = 1 if zone.seen.value == "top" else 0
            slots += [(index, owner, i) for i in range(len(content.cards) - below)]
        else:
            slots += [(index, owner, -1)] * sum(content)
    return slots


def hidden_from(game: Game, state: State, slots: list[Slot]) -> State:
    partial = state.copy()
    partial.open = True
    unknown = game.deck.size
    for index, owner, at in slots:
        content = partial.zone(index) if owner < 0 else partial.zone(index)[owner]
        if isinstance(content, Stack):
            content.counts[content.cards[at]] -= 1
            content.cards[at] = unknown
            content.counts[unknown] += 1
        else:
            content[:] = [*([0] * unknown), sum(content)]
    return partial


@given(games, seeds, st.integers(0, 10_000), st.integers(0, 3))
@PROPERTY
def test_states_that_differ_only_in_what_a_seat_cannot_see_look_the_same_to_it(
    name: str, seed: int, at: int, seat: int
) -> None:
    game = opened(name, seed)
    history = played(name, seed)
    state = history[at % len(history)][0]
    seat %= len(state.side_of)
    slots = unseen_by(game, state, seat)
    partial = hidden_from(game, state, slots)
    other = completed(game, partial, slots, SplitMix64(at))
    assume(lying(game, other) != lying(game, state))
    assert game.observe(other, seat) == game.observe(state, seat) == game.observe(partial, seat)
    rest = {game.observe(s, None) for s in (state, other, partial)}
    assert len(rest) == 1


@given(games, seeds, st.integers(0, 10_000))
@PROPERTY
def test_what_a_seat_sees_tells_its_own_cards(name: str, seed: int, at: int) -> None:
    game = opened(name, seed)
    history = played(name, seed)
    state = history[at % len(history)][0]
    seat = state.seat
    hand = state.zone(game.machine.hand)[seat]
    assume(sum(hand[:-1]) > 1)
    changed = state.copy()
    mine = changed.zone(game.machine.hand)[seat]
    held = next(k for k, n in enumerate(mine) if n)
    mine[held] -= 1
    mine[(held + 1) % game.deck.size] += 1
    assert game.observe(changed, seat) != game.observe(state, seat)
    assert game.observe(changed, (seat + 1) % len(state.side_of)) == game.observe(
        state, (seat + 1) % len(state.side_of)
    )


@pytest.mark.parametrize("name", GAMES)
def test_ledgers_add_up_and_are_carried_on(name: str) -> None:
    game = open_game(name)
    account = game.ruleset.state[game.ruleset.table.account]
    for seed in range(2):
        before: list[int] | None = None
        for deal, _, first, moves, last in play_match(game, derive(seed, 9, 9), most_deals=4):
            ledger = game.ledger(last)
            owners = range(len(last.variable(account.index)))
            if before is not None:
                assert first.variable(account.index) == before, f"deal {deal} after {len(moves)} acts"
            for side in last.sides:
                assert ledger.total(side) == sum(ledger.items(side).values())
                assert ledger.total(side) == sum(line.points for line in ledger.lines if line.side == side)
            assert all(line.points and line.clause in game.ruleset.clauses for line in ledger.lines)
            before = [last.variable(account.index)[o] + ledger.total(o) for o in owners]
            assert game.scoring.carried(last)[account.name] == before


TRACE = """
import sys
from canasta.games import open_game
from canasta.random_play import play_match
for deal, pack, first, moves, last in play_match(open_game("classic"), 77, most_deals=2):
    print(deal, pack, moves, last.reason)
"""


def test_the_same_seed_gives_the_same_bytes() -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", TRACE], capture_output=True, check=True, env=environment)  # noqa: S603 - our own text
        assert len(done.stdout) > 1000
        digests.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(digests) == 1


def test_a_pack_in_another_order_gives_another_deal() -> None:
    game = open_game("classic")
    assert len({str(snapshot(game.start(shuffled_pack(game, seed), 0))) for seed in range(5)}) == 5


def test_hiding_and_completing_lose_no_card() -> None:
    game = open_game("classic")
    pick = SplitMix64(1)
    for state, _, _ in played("classic", 0)[::20]:
        partial, slots = hide(game, state, pick, set(), share=2)
        assert sum(cards_of(game, partial)) == game.deck.total
        assert cards_of(game, completed(game, partial, slots, pick)) == game.deck.full()
