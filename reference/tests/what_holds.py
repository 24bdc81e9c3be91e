"""What must hold of every game whatever its rules, asked of one game and of the moments of one of its deals."""

import sys
from itertools import permutations
from pathlib import Path

from hypothesis import strategies as st

from canasta.kernel.acts import NEW_GROUP, ImpossibleError, Move, RefusedError, Verdict
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.shuffle import SplitMix64

sys.path.insert(0, str(Path(__file__).parent))
from hidden_cards import Slot, completed, places_of
from random_positions import plain

sys.path.pop(0)

Deal = list[tuple[State, Move, State]]
"""The moments of a deal: each state, the move made there, the state after it."""


# -- how a state lies --------------------------------------------------------------------------------------------------


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
    return [plain(getattr(group, name)) for name in Group.__slots__ if name not in ("gid", "takes")]


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


# -- what is asked -----------------------------------------------------------------------------------------------------


def no_card_is_lost(game: Game, deal: Deal) -> None:
    for before, move, after in deal:
        assert cards_of(game, after) == cards_of(game, before) == game.deck.full(), move
        for _, _, content in places_of(game, after):
            if isinstance(content, Stack):
                assert content.counts == game.deck.bag(content.cards), move
        assert all(g.size == sum(g.cards) for g in groups_of(game, after))


def what_was_listed_is_accepted(game: Game, deal: Deal) -> None:
    for before, move, after in deal:
        kept = snapshot(before)
        assert game.judge(before, move).violations == ()
        assert snapshot(game.apply(before, move)) == snapshot(after)
        stated, verdict = game.as_played(before, move)
        assert (snapshot(stated), verdict.violations) == (snapshot(after), ())
        assert snapshot(before) == kept


def a_refusal_changes_nothing(game: Game, state: State, move: Move) -> None:
    """Try an act, right or wrong, at every door: none changes the state it was given, and all say the same."""
    kept = snapshot(state)
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


def dropping_gives_the_state_before(game: Game, deal: Deal) -> int:
    """Drop every draft of a deal; say how many there were."""
    dropped, last = 0, None
    for before, _, after in deal:
        if not before.draft:
            last = snapshot(before)
        if after.draft and not after.over:
            assert snapshot(game.drop(after)) == last
            dropped += 1
    return dropped


def plays(game: Game, deal: Deal) -> list[tuple[State, list[Move], Move]]:
    """List plays of two parts or more, none of which unites groups: the state before, the parts, and the act that ends the play."""
    found: list[tuple[State, list[Move], Move]] = []
    first, parts = None, list[Move]()
    for before, move, _ in deal:
        choose = game.ruleset.acts[move.act].choose
        if choose == "part":
            first = before if before.draft == 0 else first
            parts = [move] if before.draft == 0 else [*parts, move]
        else:
            if choose != "groups" and before.draft > 1 and first is not None and len(parts) == before.draft:
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


def in_other_orders(game: Game, first: State, parts: list[Move], end: Move) -> int:
    """Lay the parts of a play in other orders: nothing is ever said against them, and the table lies the same.

    Left out are orders in which a group would lie with a gap that a later card closes, for the cards form no group then, and
    orders in which what happens by itself happens before the last part.
    """
    expected, tried, no_group = None, 0, game.machine.refusals["shape"][1]
    for order in spread(orders(game, first, parts[:5])):
        state, gids = first, dict[int, int]()
        original = {id(p): i for i, p in enumerate(parts)}
        for maker, part in [*order, *((-1, p) for p in parts[5:])]:
            group = gids.get(maker, part.group) if maker >= 0 else renumbered(parts, part, gids, first, game)
            move = Move(part.act, part.seat, part.cards, group)
            after, verdict = game.as_played(state, move)
            if verdict.codes == (no_group,) or after.draft != state.draft + 1:
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


def what_is_not_seen_makes_no_difference(game: Game, state: State, seat: int, pick: SplitMix64) -> bool:
    """Compare what a seat sees of states that differ in what it cannot see; say whether there was such another state."""
    slots = unseen_by(game, state, seat)
    partial = hidden_from(game, state, slots)
    other = completed(game, partial, slots, pick)
    if lying(game, other) == lying(game, state):
        return False
    assert game.observe(other, seat) == game.observe(state, seat) == game.observe(partial, seat)
    assert len({game.observe(s, None) for s in (state, other, partial)}) == 1
    return True


def own_cards_are_seen(game: Game, state: State) -> bool:
    """Exchange a card of the acting hand: its player sees it and the next seat does not; say whether there was one to exchange."""
    seat = state.seat
    if sum(state.zone(game.machine.hand)[seat][:-1]) <= 1:
        return False
    changed = state.copy()
    mine = changed.zone(game.machine.hand)[seat]
    held = next(k for k, n in enumerate(mine) if n)
    mine[held] -= 1
    mine[(held + 1) % game.deck.size] += 1
    following = (seat + 1) % len(state.side_of)
    assert game.observe(changed, seat) != game.observe(state, seat)
    assert game.observe(changed, following) == game.observe(state, following)
    return True


def ledger_adds_up(game: Game, last: State) -> None:
    ledger = game.ledger(last)
    for side in last.sides:
        assert ledger.total(side) == sum(ledger.items(side).values())
        assert ledger.total(side) == sum(line.points for line in ledger.lines if line.side == side)
    assert all(line.points and line.clause in game.ruleset.clauses for line in ledger.lines)
