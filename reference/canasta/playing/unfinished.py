"""A turn that was written only in part: judged as far as it is laid, and what it still lacks."""

from dataclasses import dataclass
from typing import Final

from canasta.kernel.acts import Move, Verdict, Violation
from canasta.kernel.game import Game
from canasta.kernel.listing import Answer
from canasta.kernel.state import State
from canasta.playing.played import Played

NAMELESS: Final = ""
"""An act that is none: what is due by itself before any other act is due before it, too."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A turn that stopped before its end.

    ``verdict`` holds the violations when no way of going on makes the turn legal, and is empty as long as one may.
    ``lacking`` is what is not in order yet, and may still be mended. ``acts`` are the acts that may come now.
    """

    verdict: Verdict
    lacking: tuple[Violation, ...]
    acts: tuple[str, ...]


def unfinished(game: Game, played: Played) -> Unfinished | None:
    """Judge a turn that was not brought to its end; nothing when it was, or stopped at what cannot be done."""
    state = played.state
    if played.stopped is not None or not played.steps or state.over:
        return None
    first = played.steps[0].before
    if (state.turn_no, state.seat) != (first.turn_no, first.seat):
        return None
    lacking = _lacking(game, state)
    acts = game.machine.phases[state.phase].acts
    if not state.draft or not lacking:
        return Unfinished(Verdict(stranded(game, first, state)), lacking, acts)
    return Unfinished(Verdict(lacking if _hopeless(game, state) else ()), lacking, acts)


def stranded(game: Game, before: State, after: State) -> tuple[Violation, ...]:
    """Say what is wrong with a turn that was begun, with nothing left to be settled, and leaves its player no way to end it.

    A pile that was taken is such a case: each act was in order, and nothing can follow.
    """
    same_turn = (before.turn_no, before.seat) == (after.turn_no, after.seat)
    if after is before or not same_turn or after.draft or not game.listing.stuck(after) or game.listing.stuck(before):
        return ()
    return (game.turn.judge.refusal("stranded", ""),)


def _lacking(game: Game, state: State) -> tuple[Violation, ...]:
    """Find what the play breaks as it lies: by the commit that is due by itself, else by every commit there is."""
    if not state.draft:
        return ()
    forced, violations = game.turn.force_pending(state, Move(NAMELESS, state.seat))
    if forced is not state:
        return tuple(violations)
    phase = game.machine.phases[state.phase]
    moves = [m for name in phase.acts if game.ruleset.acts[name].commit for m in _moves(game, state, name)]
    found = [game.judge(state, move).violations for move in moves]
    if not found:
        return ()
    named = [{(v.clause, v.code) for v in violations} for violations in found]
    common = set.intersection(*named)
    # Where each way of ending the turn breaks another rule, the one that breaks fewest is told.
    fewest = min(found, key=len)
    return tuple(v for v in fewest if not common or (v.clause, v.code) in common)


def _moves(game: Game, state: State, name: str) -> list[Move]:
    if game.ruleset.acts[name].choose != "card":
        return [Move(name, state.seat)]
    hand = state.zone(game.machine.hand)[state.seat]
    return [Move(name, state.seat, (card,)) for card, n in enumerate(hand) if n]


def _hopeless(game: Game, state: State) -> bool:
    """Ask whether nothing that the player may still lay can make the play legal."""
    hand = state.zone(game.machine.hand)[state.seat]
    if _may_change_form(game, state):
        return False
    if not hand[game.deck.size] and not _open_groups(game, state):
        return game.completions(state) is Answer.NO
    return any(_barred(game, state, part.act, part.top) for part in state.parts if part.stage == state.stage)


def _open_groups(game: Game, state: State) -> bool:
    return any(group.cards[game.deck.size] for _, group in game.turn.judge.laid_groups(state))


def _barred(game: Game, state: State, act: int, top: int) -> bool:
    """Ask whether a taken top card could not be taken whatever the hand holds: each unknown card may be any."""
    rule = game.ruleset.acts[game.machine.act_names[act]]
    if not 0 <= top < game.deck.size or state.base is None:
        return False
    before = state.base.copy()
    hand = before.zone(game.machine.hand)[state.seat]
    unknown = hand[game.deck.size]
    hand[:] = [*(n + unknown for n in hand[: game.deck.size]), 0]
    return game.bounds.barred(before, rule, top)


def _may_change_form(game: Game, state: State) -> bool:
    """Ask whether a group that the play began could yet be of another form, by which the look ahead does not search."""
    shapes = game.machine.shapes
    return any(
        not group.was and sum(shapes.facts(form, group.cards) is not None for form in shapes.forms) > 1
        for _, group in game.turn.judge.laid_groups(state)
    )
