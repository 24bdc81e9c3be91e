"""One turn of a record: what was done, what was taken back, and what was wrong with it by which clause."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from canasta.diagnostics import CanastaError, Diagnostic, Severity, Span
from canasta.kernel.acts import Violation
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Ruleset
from canasta.notation.record import Action, MarkKind, Turn, Written
from canasta.playing.binding import DRAW, LAY, play_turn
from canasta.playing.places import actions_of, foremost
from canasta.playing.played import UNWRITTEN, Played, Step
from canasta.playing.seats import Seats
from canasta.playing.signs import signs_of
from canasta.playing.spelling import ended_by, now_due, too_late
from canasta.playing.table import Table
from canasta.playing.words import word_and_discard

EXPLAINED: Final = "classic"
"""The rule set that `canasta explain` looks into unless told otherwise."""

MOST_VALUES: Final = 4


class Judged(NamedTuple):
    """A turn that was replayed: the position after it, what was found, and the acts it came to.

    ``goes_on`` says whether the deal can be replayed further, ``unfinished`` whether something was done and the turn was not
    brought to its end.
    """

    after: State
    findings: Sequence[Diagnostic]
    steps: tuple[Step, ...]
    goes_on: bool
    unfinished: bool


def judge_turn(table: Table, state: State, turn: Turn, *, own: bool = False) -> Judged:
    """Replay one turn as it was played, and find everything that was wrong with it; with ``own`` the state is given away.

    Of a state that was given away the findings have no exact places. They are PL0020 (against a clause), PL0021 (cannot
    have happened), those of the binding (PL0012 to PL0018) and of claims (PL0028, PL0029). What the table let stand or
    punished is a warning, what it took back a note.
    """
    kept: Sequence[int] = range(len(turn.actions))
    back: set[int] = set()
    severity = Severity.ERROR
    if turn.marks:
        back = taken_back(table, turn)
        kept = [] if -1 in back else [i for i in kept if i not in back]
        if any(m.kind is not MarkKind.BACK for m in turn.marks):
            severity = Severity.WARNING
    kept, actions = _to_bind(table, turn, kept)
    turn_no = state.turn_no
    # What is taken back, and what is claimed of a position within the turn, needs the state as it was.
    own = own and not back and not turn.claims
    played = play_turn(table.game, state, actions, table.seats.seat(turn.seat), own=own)
    found: list[Diagnostic] = []
    if played.findings or played.stopped is not None or any(step.verdict.violations for step in played.steps):
        found += _of_played(table, turn, played, kept, severity, exact=not own)
    if back:
        found += _taken_back(table, state, turn, {(d.clause, d.code) for d in found})
    if turn.claims:
        found += _claims(table, state, turn, played, kept)
    if -1 in back:
        return Judged(state, found, played.steps, goes_on=True, unfinished=False)
    changed = played.acted or played.state is not state
    unfinished = changed and played.state.turn_no == turn_no
    return Judged(played.state, found, played.steps, played.stopped is None, unfinished)


def taken_back(table: Table, turn: Turn) -> set[int]:
    """Find the actions that were taken back, -1 for the whole turn; a word that took the card of a discard goes back with it."""
    back = {m.after - 1 for m in turn.marks if m.kind is MarkKind.BACK}
    pair = word_and_discard(signs_of(table.game), turn.actions) if back else None
    return back | {pair[0]} if pair is not None and pair[1] in back else back


def to_bind(table: Table, turn: Turn) -> tuple[Sequence[int], Sequence[Action]]:
    """Find the actions that are carried out, without those taken back: their places in the turn, and they as they are usually written."""
    back = taken_back(table, turn)
    kept = [] if -1 in back else [i for i in range(len(turn.actions)) if i not in back]
    return _to_bind(table, turn, kept)


def _to_bind(table: Table, turn: Turn, kept: Sequence[int]) -> tuple[Sequence[int], Sequence[Action]]:
    """Bring two ways of writing into the usual one, in which most turns are written anyway.

    Several draws in a row (``+3h +As``) are one: the cards came one after another off the stock; so are draws with cards shown
    and replaced between them (``+3h 3h+9d +As``). Cards that belong to no meld and are written as laid (``3d/``) are
    shown, with nothing drawn for them.
    """
    if len(kept) == len(turn.actions) and _is_usual(table, turn.actions):
        return kept, turn.actions
    kept, written = _drawn_first(turn, kept)
    places: list[int] = []
    actions: list[Action] = []
    for place, told in zip(kept, written, strict=True):
        action = replace(told, kind=Written.SHOW) if _only_shown(table, told) else told
        if action.kind is Written.DRAW and actions and actions[-1].kind is Written.DRAW:
            actions[-1] = replace(actions[-1], cards=actions[-1].cards + action.cards)
        else:
            places.append(place)
            actions.append(action)
    return places, actions


def _drawn_first(turn: Turn, kept: Sequence[int]) -> tuple[Sequence[int], list[Action]]:
    """Where cards were shown and replaced between two draws, put the draws first; the cards come off the stock as they did."""
    actions = [turn.actions[place] for place in kept]
    until = next((i for i, a in enumerate(actions) if a.kind not in (DRAW, Written.SHOW)), len(actions))
    draws = [i for i in range(until) if actions[i].kind is DRAW]
    if len(draws) < 2 or draws[-1] - draws[0] == len(draws) - 1:  # noqa: PLR2004 - a second draw
        return kept, actions
    between = range(draws[0], draws[-1] + 1)
    order = [c for i in between for c in (actions[i].cards if i in draws else actions[i].replacement)]
    shows = [i for i in between if i not in draws]
    first = sum(len(actions[i].cards) for i in draws)
    rest = iter(order[first:])
    moved = [
        replace(actions[draws[0]], cards=tuple(order[:first])),
        *(replace(actions[i], replacement=tuple(islice(rest, len(actions[i].replacement)))) for i in shows),
    ]
    places = [*kept[: draws[0]], kept[draws[0]], *(kept[i] for i in shows), *kept[draws[-1] + 1 :]]
    return places, [*actions[: draws[0]], *moved, *actions[draws[-1] + 1 :]]


def _is_usual(table: Table, actions: Sequence[Action]) -> bool:
    drawn = False
    for action in actions:
        if action.kind is DRAW:
            if drawn:
                return False
            drawn = True
        elif action.kind is LAY and _only_shown(table, action):
            return False
    return True


def _only_shown(table: Table, action: Action) -> bool:
    return action.kind is LAY and action.target is None and not any(map(table.can_lie_in_a_group, action.cards))


def _of_played(
    table: Table, turn: Turn, played: Played, kept: Sequence[int], severity: Severity, *, exact: bool
) -> Iterator[Diagnostic]:
    """Turn what the judge and the binding found into findings; with exact places where the states of the steps were kept."""
    game = table.game
    yield from played.findings
    unseen = lays_unseen_cards(turn)
    placed = _placed(table, turn, played, kept) if exact else ((v, "", turn.span) for v in played.violations)
    for violation, hint, span in placed:
        told = replace(violation, certain=False) if unseen else violation
        yield against(game.ruleset, told, span, severity, hint=hint)
    if played.stopped is not None:
        span = _span(turn, kept, played.stopped_at)
        for violation in played.stopped.violations:
            title = _title(game.ruleset, violation.clause)
            values = "".join(f"; {name}: {value}" for name, value in violation.values)
            message = f"this cannot have happened as it is written: {title}{values}"
            hint = "the rest of this deal is not judged; compare the line with the hands and the lines before it"
            yield Diagnostic("PL0021", message, span, hint, clause=violation.clause, code=violation.code)


def _placed(
    table: Table, turn: Turn, played: Played, kept: Sequence[int]
) -> Iterator[tuple[Violation, str, Span | None]]:
    """Go through the violations of a turn, each once in its place, with a hint where the kernel itself refused."""
    said: set[tuple[str, str, Span | None]] = set()
    for at, step in enumerate(played.steps):
        first, follows = foremost(table.game, step.verdict.violations)
        times: dict[Violation, int] = {}
        for violation in first:
            nth = times[violation] = times.get(violation, -1) + 1
            span = _span_of(turn, kept, actions_of(table.game, played.steps, at, violation, nth))
            hint = due(table.game, table.seats, step, violation, played.steps[:at])
            whole_turn = (violation.clause, violation.code) == table.game.machine.refusals.get("turn")
            key = (violation.clause, violation.code, None if whole_turn else span)
            if key not in said:
                said.add(key)
                yield violation, hint or _following(violation, follows), span


def _following(violation: Violation, follows: Sequence[Violation]) -> str:
    """Name what else is wrong with a meld whose top card could not be taken anyway."""
    codes = ", ".join(dict.fromkeys(v.code for v in follows if v.act == violation.act))
    return f"nothing that is laid with it would help; so {codes} is not told by itself" if codes else ""


def due(game: Game, seats: Seats, step: Step, violation: Violation, earlier: Sequence[Step] = ()) -> str:
    """Say what comes now, and how it is written, where an act was refused because it did not come now; else nothing.

    ``earlier`` are the steps of the same turn: an act that one of them has left no room for is written too late.
    """
    named = (violation.clause, violation.code)
    state = game.turn.force_pending(step.before, step.move)[0]
    if named not in (game.machine.refusals.get("turn"), game.machine.refusals.get("phase")):
        return ""
    if state.over:
        return "the deal is over"
    ended = ended_by(game, step.move.seat, earlier)
    if ended is not None:
        return f"{too_late(ended)}; now it is {seats.names[state.seat]}'s turn"
    if named == game.machine.refusals.get("turn"):
        return f"it is {seats.names[state.seat]}'s turn"
    return now_due(game, seats, state)


def lays_unseen_cards(turn: Turn) -> bool:
    """Whether a meld was written with cards left open, so that nothing about the play is certain."""
    laid = (a for a in turn.actions if a.kind in (Written.LAY, Written.TAKE))
    return any(card.hidden for action in laid for card in action.cards)


def _taken_back(table: Table, state: State, turn: Turn, said: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Judge the turn with what was taken back, so that the record can say what would have been wrong with it."""
    places, actions = _to_bind(table, turn, range(len(turn.actions)))
    played = play_turn(table.game, state, actions, table.seats.seat(turn.seat))
    for violation, hint, span in _placed(table, turn, played, places):
        if (violation.clause, violation.code) not in said:
            yield against(table.game.ruleset, violation, span, Severity.NOTE, "taken back: ", hint)


def _span(turn: Turn, kept: Sequence[int], action: int) -> Span | None:
    """The place of an action, or of the whole turn."""
    if action == UNWRITTEN or not 0 <= action < len(kept):
        return turn.span
    return turn.actions[kept[action]].span or turn.span


def _span_of(turn: Turn, kept: Sequence[int], actions: Sequence[int]) -> Span | None:
    """The place of several actions: from the first to the last if they stand on one line."""
    first, last = _span(turn, kept, actions[0]), _span(turn, kept, actions[-1])
    if first is None or last is None or first.line != last.end_line or last.end_column < first.end_column:
        return first
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def against(
    ruleset: Ruleset, violation: Violation, span: Span | None, severity: Severity, before: str = "", hint: str = ""
) -> Diagnostic:
    """Write a violation as a finding: the clause's own words, and the values that decided it if there is no other hint."""
    clause = ruleset.clauses.get(violation.clause)
    if not violation.certain:
        message = f"{before}it cannot be known whether this keeps to: {_title(ruleset, violation.clause)}"
        unwritten = "some cards were not written; with them the rule could be checked"
        return Diagnostic(
            "PL0030", message, span, unwritten, severity=Severity.NOTE, clause=violation.clause, code=violation.code
        )
    text = _filled(ruleset, violation.clause)
    message = f"{before}{clause.title}: {text}" if clause else f"{before}{violation.code}"
    told = hint or _values(ruleset, violation)
    return Diagnostic("PL0020", message, span, told, severity=severity, clause=violation.clause, code=violation.code)


def _title(ruleset: Ruleset, clause: str) -> str:
    found = ruleset.clauses.get(clause)
    return f"{found.title[0].lower()}{found.title[1:]}" if found else clause or "no rule allows it"


def _filled(ruleset: Ruleset, clause: str) -> str:
    from canasta.prose import text_of  # noqa: PLC0415 - a record without departures needs no prose

    try:
        return text_of(ruleset, clause) or ""
    except CanastaError:
        return " ".join(ruleset.clauses[clause].text.split())


def _by(ruleset: Ruleset) -> str:
    """Write the option by which a code is looked up in a rule set other than the one that is looked into without it."""
    return (
        "" if ruleset.name.partition(":")[0].partition(",")[0] == EXPLAINED else f" --rules {shlex.quote(ruleset.name)}"
    )


def _values(ruleset: Ruleset, violation: Violation) -> str:
    """Tell the values that decided it by the names that players know, in the order they were read."""
    from canasta.deciding import deciding_values  # noqa: PLC0415 - a record without departures needs no prose

    told = [f"{name}: {value}" for name, value in deciding_values(ruleset, violation)]
    return "; ".join(told[:MOST_VALUES]) if told else f"`canasta explain {violation.code}{_by(ruleset)}` tells more"


def _claims(table: Table, state: State, turn: Turn, played: Played, kept: Sequence[int]) -> Iterator[Diagnostic]:
    """Check what the turn claims, each claim on the position after the actions that stand before it."""
    from canasta.playing.claims import check_claim  # noqa: PLC0415 - few records make claims, and most runs start anew

    seat = table.seats.seat(turn.seat)
    for claim in turn.claims:
        done = {place for place, original in enumerate(kept) if original < claim.after}
        at = state
        for step in played.steps:
            if step.action in done or (step.action == UNWRITTEN and claim.after > 0):
                at = step.after
        if played.stopped is None and claim.after >= len(turn.actions):
            at = played.state
        found = check_claim(table, at, seat if seat is not None else state.seat, claim)
        if found is not None:
            yield found
