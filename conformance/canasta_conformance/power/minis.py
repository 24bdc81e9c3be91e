"""Mini packs walked through: what comes of every single act, legal or not, in the positions that play from a counting table reaches.

The counting tables of the suite only say how many legal plays there are. Here beside that the codes of each refused act are kept, how
things lie after each legal one, and the ledger of each deal that it ends; so a mutant is told apart that changes no legal play. The
walk is made once by the rules as they are. A mutant only answers for the same acts: as long as it answers alike, it reaches the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from canasta.kernel.acts import NEW_GROUP, Move
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Act
from canasta.random_play import RandomPlayer, StuckError, play_deal
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.inprocess.plays import Key, lying
from canasta_conformance.inprocess.positions import to_state
from canasta_conformance.power.games import Tried, result_of
from canasta_conformance.suite import Case

COUNTING: Final = "count"
"""The kind of case that counts plays on a mini pack."""

TURNS: Final = 3
"""So many turns are walked through."""
STATES: Final = 8
"""So many positions of each turn are gone on from; of more, some that lie evenly among them."""
CARDS: Final = 3
"""So many cards are laid at once at most."""
ALIKE: Final = 2
"""So many acts of a position are kept that are refused for the same; of legal ones all."""
KEPT: Final = 300
"""So many acts are kept of a mini pack, evenly; with them all that end a deal."""
PLAYED_OUT: Final = 8
"""So many of the positions after the last turn are played on from at random, to the end of the deal."""


def walk(game: Game, case: Case) -> list[Tried]:
    """Walk through the mini pack of a case that counts plays, and note what comes of every act that is tried on the way."""
    return walk_from(game, case.forms[0].exchanges[0].send["position"])


def walk_from(game: Game, position: Mapping[str, Any]) -> list[Tried]:
    """Walk on from a position, and note what comes of every act that is tried on the way."""
    waiting, found, seen = [to_state(game, position)], list[Tried](), set[Key]()
    for _ in range(TURNS):
        following: list[State] = []
        for state in _some(waiting, STATES):
            following += _turn(game, state, found, seen)
        waiting = following
    step = max(1, -(-len(found) // KEPT))
    kept = [one for number, one in enumerate(found) if number % step == 0 or one.lines is not None]
    for number, state in enumerate(_some(waiting, PLAYED_OUT)):
        kept += _played_out(game, state, number)
    return kept


def _played_out(game: Game, state: State, number: int) -> Iterator[Tried]:
    try:
        for before, move, _ in play_deal(state, RandomPlayer(game, SplitMix64(derive(number, 0, 4)))):
            yield Tried(before, move, *result_of(game, before, move))
    except StuckError:
        return


def _some(states: Sequence[State], most: int) -> Iterator[State]:
    step = max(1, -(-len(states) // most))
    yield from states[::step]


def _turn(game: Game, first: State, found: list[Tried], seen: set[Key]) -> list[State]:
    """Go through one turn, until enough positions in it were met, and give those that begin the next one."""
    waiting, ends = [first], list[State]()
    met = 0
    while waiting and met < STATES:
        state = waiting.pop(0)
        met += 1
        refused = Counter[tuple[str, tuple[str, ...]]]()
        for move in moves(game, state):
            codes, after, lines = result_of(game, state, move)
            refused[move.act, codes] += 1
            if not codes or refused[move.act, codes] <= ALIKE:
                found.append(Tried(state, move, codes, after, lines))
            if codes:
                continue
            reached = game.turn.perform(state, move)
            key = lying(game, reached)
            if reached.over or key in seen:
                continue
            seen.add(key)
            (waiting if reached.turn_no == first.turn_no else ends).append(reached)
    return ends


def moves(game: Game, state: State) -> Iterator[Move]:
    """Go through the acts of the phase with whatever cards are there, whether they may be done or not."""
    for name in game.machine.phases[state.phase].acts:
        yield from _of_act(game, state, game.ruleset.acts[name])


def _of_act(game: Game, state: State, act: Act) -> Iterator[Move]:
    seat = state.seat
    hand = [card for card, n in enumerate(state.zone(game.machine.hand)[seat][:-1]) for _ in range(n)]
    if act.lays:
        gids = [group.gid for group in game.turn.judge.groups(state, act, seat)]
        if act.choose == "groups":
            yield from (Move(act.name, seat, (), one, other=other) for one, other in combinations(gids, 2))
            return
        least = 0 if act.top else 1
        chosen = sorted({cards for n in range(least, CARDS + 1) for cards in combinations(hand, n)})
        yield from (Move(act.name, seat, cards, gid) for cards in chosen for gid in (NEW_GROUP, *gids))
    elif act.choose == "card":
        yield from (Move(act.name, seat, (card,)) for card in sorted(set(hand)))
    elif act.choose == "none":
        yield Move(act.name, seat)
    else:
        words = act.option_type.words if act.option_type else ()
        yield from (Move(act.name, seat, option=words.index(word)) for word in act.options if word in words)


def packs_of(cases: Mapping[str, Case], ruleset: str) -> list[Case]:
    """List the mini packs of a rule set, each once: of the cases that count its plays the one with the fewest turns."""
    found: dict[str, Case] = {}
    for case in cases.values():
        if case.ruleset == ruleset and case.kind == COUNTING:
            found.setdefault(case.id.rpartition("-")[0], case)
    return list(found.values())
