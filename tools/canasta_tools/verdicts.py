"""The verdict on a turn in a position: carried out as it was played, with everything that is wrong with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.kernel.acts import Move, Ruling, Verdict, Violation, each_once
from canasta.kernel.explaining import Asked, Reason
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.types import Op
from canasta.notation.position_text import parse_position, write_position
from canasta.notation.turns import parse_turn
from canasta.playing.binding import play_turn
from canasta.playing.played import Played
from canasta.playing.positions import of_state
from canasta.playing.seats import seats_of
from canasta.playing.undone import left_undone
from canasta.playing.unfinished import Unfinished, unfinished
from canasta.prose import fill
from canasta_tools.output import keep_text
from canasta_tools.positions import COMMAND_LINE, read_position

UNFINISHED: Final = "unfinished"
TURN: Final = "<turn>"
"""What a turn from the command line is called in findings."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn that was judged: the game, how it went, and what the record and the cards disagreed about."""

    game: Game
    played: Played
    rest: Unfinished | None = None
    """What a turn lacks that was not brought to its end."""
    undone: tuple[Diagnostic, ...] = ()
    """What the position had left undone."""

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Everything that was wrong, each once; of an unfinished turn also what nothing laid later could mend."""
        beyond_repair = self.rest.verdict.violations if self.rest else ()
        return each_once((*self.played.violations, *beyond_repair))

    @property
    def ruling(self) -> str:
        """The verdict in a word: one of the judge's rulings, or that the turn has not come to its end."""
        ruling = Verdict(self.violations).ruling
        return UNFINISHED if self.rest and ruling is not Ruling.ILLEGAL else ruling.value

    @property
    def illegal(self) -> bool:
        """Whether the turn is certainly illegal."""
        return Verdict(self.violations).ruling is Ruling.ILLEGAL

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What cannot be right about the turn as it was written, or about its position."""
        return (*self.undone, *self.played.findings)


def judge_turn(position: str, turn: str, rules: str) -> Judged:
    """Judge a turn, written without its seat, in a position.

    Raises:
        CanastaError: with every fault of position, turn or rule set.
    """
    game, state = read_position(position, rules)
    keep_text(TURN, turn)
    actions, found = parse_turn(turn, TURN)
    if not actions:
        hint = "write what was done, such as `^KKK -9` or `7c`"
        raise CanastaError(found or [Diagnostic("US0015", "the turn says nothing", None, hint)])
    played = play_turn(game, state, actions)
    written, _ = parse_position(position, COMMAND_LINE)
    undone = left_undone(game, state, written) if written is not None else ()
    return Judged(game, played, unfinished(game, played), undone)


def rule_text(game: Game, clause: str) -> tuple[str, str]:
    """Find title and text of a clause, both empty where the rule set has none of that name."""
    found = game.ruleset.clauses.get(clause)
    return ("", "") if found is None else (found.title, fill(game.ruleset, found))


def violation_data(game: Game, violation: Violation) -> dict[str, object]:
    """Give a violation as plain data."""
    title, text = rule_text(game, violation.clause)
    return {
        "clause": violation.clause, "code": violation.code, "title": title, "text": text, "act": violation.act,
        "values": dict(violation.values), "certain": violation.certain,
    }  # fmt: skip


def after_text(judged: Judged) -> str:
    """Write the position after the turn on one line."""
    return write_position(of_state(judged.game, judged.played.state))


# -- why -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a turn with the demands that bear on it, and the verdict on it."""

    words: str
    move: Move
    asked: tuple[Asked, ...]
    verdict: Verdict


def steps(judged: Judged) -> Iterator[Step]:
    """Go through the acts of a turn; a commit that was forced comes before the act that forced it."""
    game = judged.game
    for step in judged.played.steps:
        forced, violations = game.turn.force_pending(step.before, step.move)
        rest = step.verdict
        if forced is not step.before:
            commit = Move(game.machine.phases[step.before.phase].auto[0], step.before.seat)
            due = Verdict(tuple(violations))
            yield Step(in_words(game, commit), commit, game.why(step.before, commit), due)
            rest = Verdict(tuple(v for v in rest.violations if v not in due.violations), step.verdict.possible)
        yield Step(in_words(game, step.move), step.move, _why(game, forced, step.move), rest)
        yield from _automatic(game, forced, step.move, step.after)
    if judged.rest is not None and judged.rest.verdict.violations:
        yield _still_due(judged, judged.rest.verdict)
    if judged.played.stopped is not None:
        yield Step("the act that cannot be done", Move("", judged.played.state.seat), (), judged.played.stopped)


def _still_due(judged: Judged, verdict: Verdict) -> Step:
    """Make a step of the commit that an unfinished turn could never reach."""
    game, state = judged.game, judged.played.state
    auto = game.machine.phases[state.phase].auto
    if not auto:
        return Step("the end of the turn, which nothing makes legal", Move("", state.seat), (), verdict)
    commit = Move(auto[0], state.seat)
    return Step(f"{in_words(game, commit)} (still due)", commit, game.why(state, commit), verdict)


def _why(game: Game, state: State, move: Move) -> tuple[Asked, ...]:
    """Ask for the demands on an act; a part is judged by the commit that follows it, with the play as it then lies."""
    part = game.ruleset.acts[move.act].lays
    return () if state.over or part else game.why(state, move)


def _automatic(game: Game, state: State, move: Move, after: State) -> Iterator[Step]:
    """Find the commit that happened by itself after a part was laid."""
    if not game.ruleset.acts[move.act].lays:
        return
    laid = game.turn.laid(state, move)
    if laid.stage == after.stage or not game.machine.phases[laid.phase].auto:
        return
    commit = Move(game.machine.phases[laid.phase].auto[0], laid.seat)
    yield Step(f"{in_words(game, commit)} (by itself)", commit, game.why(laid, commit), Verdict())


def in_words(game: Game, move: Move) -> str:
    """Name an act, its seat and its cards."""
    seat = seats_of(game.ruleset.table).names[move.seat]
    act = game.ruleset.acts.get(move.act)
    cards = " ".join(game.deck.name(c) for c in move.cards)
    word = act.option_type.words[move.option] if act is not None and act.option_type and move.option >= 0 else ""
    return " ".join(filter(None, [seat, move.act, cards, word]))


def tree(game: Game, reason: Reason) -> dict[str, object]:
    """Give a trace as plain data: the expression, its value, and what it rests on."""
    value = game.explainer.text(reason.expr.type, reason.value)
    parts = [tree(game, part) for part in reason.parts]
    return {"text": reason.expr.text, "value": value} | ({"parts": parts} if parts else {})


def branches(game: Game, reason: Reason, indent: str) -> Iterator[str]:
    """Write a trace as an indented tree, one node a line."""
    value = game.explainer.text(reason.expr.type, reason.value)
    yield f"{indent}{reason.expr.text} → {value}"
    plain = [
        part for part in reason.parts if part.parts or part.expr.op is not Op.CONST or part.expr.text != str(part.value)
    ]
    for part in plain:
        yield from branches(game, part, indent + "  ")
