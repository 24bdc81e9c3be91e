"""Sides as a record names them: by their seats, also where sides come about in the deal, and a diagnostic where there is none.

A line such as ``melds ES`` says that East and South were one side when the deal ended. Of a deal of which only the end was
written nobody can see how that came about; but what it means besides is said by the effect that puts sides together.
"""

from collections.abc import Iterable, Iterator

from canasta.diagnostics import Diagnostic, Span
from canasta.kernel.game import Game
from canasta.kernel.state import Context, State
from canasta.language.ruleset import Effect, Owner
from canasta.language.types import StatementOp
from canasta.notation import record as r
from canasta.playing.claims import members_of
from canasta.playing.seats import Seats
from canasta.playing.table import Table


def party(seats: Seats, state: State, name: str) -> int | None:
    """Find the side that a name means: that of these seats and no others, or the one that a single seat belongs to."""
    wanted = seats.members(name)
    if not wanted:
        return None
    side = state.side_of[wanted[0]]
    return side if len(wanted) == 1 or sorted(wanted) == members_of(state, side) else None


def with_parties(table: Table, state: State, lines: Iterable[r.Line]) -> State:
    """Put sides together as the lines name them, if the rules know how; else the state is given back as it is."""
    names = {line.side for line in lines if isinstance(line, r.Melds | r.RedThrees)}
    if all(party(table.seats, state, name) is not None for name in names):
        return state
    for joined in _joined(table.game, state):
        if all(party(table.seats, joined, name) is not None for name in names):
            return joined
    return state


def _joined(game: Game, state: State) -> Iterator[State]:
    """Try every way in which the effects of the rule set make other sides of those that there are."""
    for effect in game.ruleset.of_kind(Effect):
        if any(statement.op is StatementOp.MERGE for statement in effect.do):
            for seat in state.playing:
                twin = state.copy()
                game.turn.effects.only(effect.id, effect.on[0], twin, Context(), seat)
                yield twin


def unknown_parties(table: Table, state: State, lines: Iterable[r.Line]) -> Iterator[Diagnostic]:
    """Name the lines about the end of a deal whose side there is not (PL0048)."""
    for line in lines:
        if isinstance(line, r.Melds | r.RedThrees) and party(table.seats, state, line.side) is None:
            there = ", ".join(table.seats.party(members_of(state, side)) for side in state.sides)
            message = f"{line.side} was no side when the deal ended"
            yield Diagnostic("PL0048", message, line.span, f"the sides were {there}")


def unknown_accounts(table: Table, scores: Iterable[r.Score]) -> Iterator[Diagnostic]:
    """Name the lines of the pad that belong to nobody who has a score (PL0048)."""
    of = table.game.ruleset.state[table.game.ruleset.table.account].of
    for score in scores:
        if table.seats.owner(of, score.side) is None:
            yield no_account(table.seats, of, score.side, score.span)


def no_account(seats: Seats, of: Owner, name: str, span: Span | None) -> Diagnostic:
    """Say that a name stands for nobody who has a score."""
    hint = f"scores are kept for {', '.join(seats.owners(of))}"
    return Diagnostic("PL0048", f"no score is kept for {name}", span, hint)
