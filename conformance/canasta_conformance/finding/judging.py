"""What comes of a sketch by the rules as they stand, told as an example tells what it expects."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from canasta.diagnostics import CanastaError
from canasta.kernel.acts import Move, Verdict, Violation
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, State
from canasta.language.ruleset import Form, Lasts
from canasta.language.types import StatementOp
from canasta.notation.position_text import parse_position
from canasta.playing.asking import ask
from canasta.playing.binding import play_turn
from canasta.playing.examples import UNSETTLED_SUIT
from canasta.playing.played import Played
from canasta.playing.positions import to_state
from canasta.playing.seats import seats_of
from canasta.playing.unfinished import stranded
from canasta_conformance.finding.plausible import melds_lie_right
from canasta_conformance.finding.reaching import SETUP
from canasta_conformance.finding.roles import roles
from canasta_conformance.finding.sketch import NO_CARDS, Sketch
from canasta_conformance.finding.watching import Watch
from canasta_conformance.inprocess.functions import ledger_lines
from canasta_conformance.inprocess.positions import observed

Expected = dict[str, Any]

COLOUR: Final = {"d": "r", "h": "r", "c": "b", "s": "b"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a sketch: what is to be expected, and every violation."""

    expected: Expected
    violations: tuple[Violation, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether nothing was wrong."""
        return not self.violations

    @property
    def faults(self) -> frozenset[tuple[str, str]]:
        """The clauses that were broken, each with its code."""
        return frozenset((v.clause, v.code) for v in self.violations)


def judged(game: Game, sketch: Sketch, watch: Watch | None = None) -> Outcome | None:
    """Carry a sketch out; nothing where that says nothing certain.

    A position that cannot be, a turn that is not ended and one on which the verdict is open are such.
    """
    try:
        return _Judging(game, sketch, watch).outcome()
    except (CanastaError, ValueError, KeyError, IndexError, StopIteration):
        return None


class _Judging:
    """The work of carrying one sketch out."""

    def __init__(self, game: Game, sketch: Sketch, watch: Watch | None) -> None:
        self.game, self.sketch, self.watch = game, sketch, watch
        self.loose = {card.rank for _, row in sketch.rows() for card in row if len(card.suit) == 0 or card.suit in "rb"}
        position, found = parse_position(sketch.given, "sketch")
        if position is None:
            raise CanastaError(found)
        self._look(on=sketch.phase == SETUP)
        self.before = to_state(game, position)
        self._look(on=False)
        if sketch.phase != SETUP and not melds_lie_right(game, self.before):
            raise ValueError(sketch.given)

    def outcome(self) -> Outcome | None:
        """Play, ask or score."""
        if self.sketch.acts:
            return self._turn()
        if self.sketch.phase == SETUP:
            return Outcome({"after": "; ".join(self._dealt())})
        self._look(on=True)
        try:
            if self.sketch.ask:
                return Outcome({"value": ask(self.game.ruleset, self.sketch.ask).answer(self.game, self.before)})
            return self._winner() if self.sketch.wins else self._ledger()
        finally:
            self._look(on=False)

    def _winner(self) -> Outcome | None:
        over = self.game.scoring.match_over(self.before)
        seats = seats_of(self.game.ruleset.table)
        names = seats.names if over and over.by_seat else seats.sides
        return Outcome({"winner": " ".join(names[w] for w in over.winners)}) if over else None

    def _ledger(self) -> Outcome | None:
        lines = ledger_lines(self.game, self.before)
        # Where a line comes to something for one side, it is told of the others as well.
        items = {name.partition(".")[2] for name, points in lines.items() if points}
        told = {name: str(points) for name, points in lines.items() if name.partition(".")[2] in items}
        return Outcome({"ledger": told}) if told else None

    def _dealt(self) -> Iterator[str]:
        """Tell how a deal begins."""
        found = observed(self.game, self.before)
        yield f"{found['seat']} at {found['phase']}"
        for name, cards in found["zones"].items():
            zone = name.partition(".")[0]
            if cards and zone != roles(self.game).stock[0] and "?" not in cards:
                yield f"{name} {self._row(cards, self.game.ruleset.zones[zone].form)}"

    def _look(self, *, on: bool) -> None:
        if self.watch is not None:
            self.watch.on = on

    def _turn(self) -> Outcome | None:
        game = self.game
        self._look(on=True)
        try:
            played = play_turn(game, self.before, self.sketch.acts)
            after, forced = played.state, tuple[Violation, ...]()
            if played.stopped is None and after.draft:
                after, forced = game.turn.force_pending(after, Move("", after.seat))
            self._see_bounds(played)
        finally:
            self._look(on=False)
        if any(d.id != UNSETTLED_SUIT for d in played.findings):
            return None
        found = (*played.violations, *forced)
        if not found and played.stopped is None:
            found = stranded(game, self.before, after)
        if any(not v.certain for v in found) or (after.draft and not found):
            return None
        if found:
            return Outcome({"illegal": sorted(set(Verdict(found).codes))}, found)
        if played.stopped is not None:
            return None
        if after.over and after.reason in self._standstills():
            return None  # the others hold nothing only because the position says nothing of them
        text = "; ".join(self._changes(after))
        return Outcome({"after": text} if text else {"legal": "yes"})

    def _standstills(self) -> set[str]:
        """Name the reasons for which a deal ends because nobody can act."""
        doings = self.game.machine.effects["stuck"]
        return {s.name for doing in doings for s in doing.do if s.op is StatementOp.END}

    def _see_bounds(self, played: Played) -> None:
        """Ask the bounds of every group that a commit settled: the judge has them ready in a table, which nobody could watch."""
        judge, acts = self.game.turn.judge, self.game.ruleset.acts
        for step in played.steps:
            if acts[step.move.act].commit and step.before.draft:
                for _, group in judge.laid_groups(step.before):
                    if group.shape != NOBODY:
                        self.game.machine.broken_bounds(group.shape, group.body, group.filler)

    # -- what has changed --------------------------------------------------------------------------------------------

    def _changes(self, after: State) -> Iterator[str]:
        """Tell what lies or holds otherwise than before, as a position tells it."""
        one, other = observed(self.game, self.before), observed(self.game, after)
        if not after.over:
            yield f"{other['seat']} at {other['phase']}"
        rules = self.game.ruleset
        for name, cards in other["zones"].items():
            if cards != one["zones"][name] and not self._unknown(cards):
                form = rules.zones[name.partition(".")[0]].form
                yield f"{name} {self._row(cards, form)}"
        kept = {v.name for v in rules.state.values() if v.lasts is not Lasts.TURN}
        for name, value in other["values"].items():
            if name.partition(".")[0] in kept and value != one["values"].get(name) and not isinstance(value, list):
                yield f"{name} {_word(value)}"
        if after.over:
            yield f"reason {after.reason}"

    def _unknown(self, cards: list[Any]) -> bool:
        return "?" in cards

    def _row(self, cards: list[Any], form: Form) -> str:
        if not cards:
            return NO_CARDS
        if form is Form.GROUPS:
            return " ".join("".join(group if _runs(group) else map(self._told, group)) for group in cards)
        return "".join(map(self._told, cards))

    def _told(self, name: str) -> str:
        """Name a card no more exactly than the position does: which of several suits is meant may be chosen."""
        if name[0] not in self.loose or name.startswith("Jk"):
            return name
        return f"3{COLOUR.get(name[1:], name[1:])}" if name[0] == "3" else name[0]


def _runs(group: list[str]) -> bool:
    """Ask whether the cards of a meld are of one suit and all of different ranks, so that their suit says what they are."""
    return len({card[1:] for card in group}) == 1 and len({card[0] for card in group}) == len(group)


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
