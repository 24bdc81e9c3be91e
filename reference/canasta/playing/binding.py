"""One written turn on a state: which acts of the rule set the written signs are, carried out one after another.

An act is found by the way it is ``written`` among the acts of the present phase, never by its name. What is not written
but must have happened (a draw that everybody makes, the pile picked up at last) is put in; what the order of writing
leaves open (cards laid that come from the pile) is put in order. What is written makes unknown cards known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Severity, Span
from canasta.kernel.acts import NEW_GROUP, ImpossibleError, Move, Ruling, Verdict, Violation
from canasta.kernel.game import Game
from canasta.kernel.listing import Answer
from canasta.kernel.state import State
from canasta.language.ruleset import Act
from canasta.notation.record import Action, Written
from canasta.playing.cards import CardNames, card_names
from canasta.playing.revealing import Reveals, source_of
from canasta.playing.targets import Targets

UNWRITTEN: Final = -1
"""The place of an act that nobody wrote down."""

AFTER_A_DRAW: Final = frozenset({Written.LAY, Written.SHOW, Written.DISCARD, Written.OUT, Written.ASK, Written.KNOCK})


class Door(Enum):
    """How acts are carried out: only legal ones, or whatever really happened."""

    STRICT = "strict"
    AS_PLAYED = "as played"


@dataclass(frozen=True, slots=True)
class Step:
    """One act that was carried out: the states around it, what the judge said, and which written action it was.

    ``action`` counts from 0; -1 stands for what was not written. The verdict holds what was wrong with a commit that had
    to be forced before the act, too.
    """

    move: Move
    before: State
    after: State
    verdict: Verdict
    action: int


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was carried out, as far as it went.

    ``stopped`` is what was wrong with the act that could not be done (or, through the strict door, may not be done), and
    ``stopped_at`` its action. ``findings`` say where the record and the cards on the table differ.
    """

    state: State
    steps: tuple[Step, ...] = ()
    stopped: Verdict | None = None
    stopped_at: int = UNWRITTEN
    findings: tuple[Diagnostic, ...] = ()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """List everything that was wrong, in the order it happened."""
        stopped = self.stopped.violations if self.stopped else ()
        return (*(v for s in self.steps for v in s.verdict.violations), *stopped)

    @property
    def codes(self) -> tuple[str, ...]:
        """List the codes of what was certainly wrong, each once."""
        return Verdict(self.violations).codes

    @property
    def ruling(self) -> Ruling:
        """Say in one word whether the turn was legal."""
        return Verdict(self.violations).ruling


class _StopError(Exception):
    """The turn cannot go on."""

    def __init__(self, verdict: Verdict, action: int) -> None:
        self.verdict, self.action = verdict, action
        super().__init__()


def play_turn(
    game: Game, state: State, actions: Sequence[Action], seat: int | None = None, door: Door = Door.AS_PLAYED
) -> Played:
    """Carry out what a seat wrote it did in its turn; without ``seat`` it is the seat to act.

    It stops at the first act that is physically impossible; through the strict door at the first that is not legal. A
    turn that ends in the middle (after a take, say) is left there.
    """
    run = _Run(game, state, state.seat if seat is None else seat, door)
    try:
        run.all(list(enumerate(actions)))
    except _StopError as stop:
        return Played(run.state, tuple(run.steps), stop.verdict, stop.action, tuple(run.findings))
    return Played(run.state, tuple(run.steps), findings=tuple(run.findings))


@dataclass(slots=True)
class _Run:
    """One turn while it is carried out."""

    game: Game
    state: State
    actor: int
    door: Door
    steps: list[Step] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    names: CardNames = field(init=False)
    reveals: Reveals = field(init=False)
    targets: Targets = field(init=False)
    taken: bool = field(default=False)

    def __post_init__(self) -> None:
        self.names = card_names(self.game.ruleset, self.game.deck)
        self.reveals = Reveals(self.game, self.names, self.actor, self.findings)
        self.targets = Targets(self.game, self.names)

    # -- the turn ----------------------------------------------------------------------------------------------------

    def all(self, todo: list[tuple[int, Action]]) -> None:
        """Carry everything out: the pile first if it is taken, cards that are not there yet as soon as they are."""
        todo = self._in_order(todo)
        waiting: list[tuple[int, Action]] = []
        while todo:
            index, action = todo.pop(0)
            if action.kind is Written.LAY:
                if self._lies_already(action):
                    continue
                if not self._ready(action):
                    waiting.append((index, action))
                    continue
            elif action.kind not in (Written.DRAW, Written.TAKE, Written.SHOW):
                self._late(waiting)
            if action.kind is Written.DRAW:
                shows = self._shows(todo)
                self._draw(index, action, shows)
            else:
                self._do(index, action)
            ready = [w for w in waiting if self._ready(w[1])]
            waiting[:] = [w for w in waiting if w not in ready]
            todo[:0] = ready
        self._late(waiting)

    def _in_order(self, todo: list[tuple[int, Action]]) -> list[tuple[int, Action]]:
        """Put a take before what is laid, and put in the draw that was not written."""
        kinds = [a.kind for _, a in todo]
        if not kinds:
            return todo
        if Written.TAKE in kinds and Written.DRAW not in kinds and self._possible(Written.TAKE):
            at = kinds.index(Written.TAKE)
            todo = [self._with_its_meld(todo, at), *todo[:at], *todo[at + 1 :]]
            todo = [x for x in todo if x[1].cards or x[1].kind is not Written.LAY]
        elif (
            kinds[0] in AFTER_A_DRAW
            and Written.DRAW not in kinds
            and not self._possible(kinds[0])
            and self._possible(Written.DRAW)
        ):
            todo = [(UNWRITTEN, Action(Written.DRAW)), *todo]
        return todo

    def _with_its_meld(self, todo: list[tuple[int, Action]], at: int) -> tuple[int, Action]:
        """Give a take that names no cards the first meld written after it that holds the top card."""
        index, take = todo[at]
        act = next((a for a in self._acts(Written.TAKE) if a.top), None)
        if take.cards or act is None:
            return index, take
        stack = self.game.turn.judge.stack(self.state, act.top, self.actor)
        for place in range(at + 1, len(todo)):
            number, lay = todo[place]
            fits = [c for c in lay.cards if stack.cards and not c.hidden and self.names.fits(c, stack.cards[-1])]
            if lay.kind is Written.LAY and fits:
                cards = list(lay.cards)
                cards.remove(fits[0])
                todo[place] = (number, Action(Written.LAY))
                return index, Action(Written.TAKE, (fits[0], *cards), lay.target, span=take.span)
        return index, take

    def _late(self, waiting: list[tuple[int, Action]]) -> None:
        """Carry out the parts whose cards have not come: the pile is picked up whether it may be or not."""
        if not waiting:
            return
        phase = self.game.machine.phases[self.state.phase]
        if phase.auto and self.state.draft:
            if self.door is Door.STRICT:
                self._carry(Move(phase.auto[0], self.state.seat), UNWRITTEN)
            else:
                before = self.state
                self.state, violations = self.game.turn.force_pending(before, Move("", self.actor))
                if self.state is not before:
                    move = Move(phase.auto[0], before.seat)
                    self.steps.append(Step(move, before, self.state, Verdict(tuple(violations)), UNWRITTEN))
        for index, action in waiting:
            self._do(index, action)
        waiting.clear()

    # -- acts --------------------------------------------------------------------------------------------------------

    def _possible(self, kind: Written) -> bool:
        """Ask whether the present phase knows an act that is written so."""
        if self.state.over:
            return False
        phase = self.game.machine.phases[self.state.phase]
        acts = self.game.ruleset.acts
        return any(acts[n].written == kind for n in (*phase.acts, *phase.auto))

    def _acts(self, kind: Written) -> list[Act]:
        """List the acts that are written so: those of the present phase, else all."""
        written = [a for a in self.game.ruleset.acts.values() if a.written == kind]
        phase = self.game.machine.phases[self.state.phase]
        return [a for a in written if a.name in phase.acts or a.name in phase.auto] or written

    def _do(self, index: int, action: Action) -> None:
        if action.kind is Written.SHOW:
            self._show(action)
            return
        if self._said_already(action):
            return
        acts = self._acts(action.kind)
        if not acts:
            self._say("PL0012", f"{self.game.ruleset.name} knows nothing that is written {action.kind}", action.span)
            raise _StopError(Verdict((self.game.turn.judge.refusal("phase", action.kind),), possible=False), index)
        if self.state.over:
            raise _StopError(Verdict((self.game.turn.judge.refusal("phase", acts[0].name),)), index)
        moves = [self._move(act, action) for act in acts]
        chosen = moves[0] if len(moves) == 1 else self._fitting(moves)
        self.taken = self.taken or action.kind is Written.TAKE
        self._carry(chosen, index)

    def _fitting(self, moves: list[Move]) -> Move:
        """Choose the act that was meant where several are written alike: one that is legal, else one that could be laid."""
        fine = [m for m in moves if not self.game.judge(self.state, m).violations]
        legal = (m for m in fine if self.game.listing.settles(self.state, m) is Answer.YES)
        return next(legal, next(iter(fine), moves[0]))

    def _said_already(self, action: Action) -> bool:
        """See whether something only says what has happened by itself: the pile picked up, the last card discarded."""
        if action.kind is Written.PICK:
            return self.taken and not self._possible(Written.PICK)
        return action.kind is Written.OUT and self.state.over and bool(self.steps)

    def _move(self, act: Act, action: Action) -> Move:
        """Make the move that a written action is, if it is this act."""
        match act.choose:
            case "part":
                return self._part(act, action)
            case "card":
                return Move(act.name, self.actor, tuple(self._kinds(action, self._hand())))
            case "option":
                place = {"yes": 0, "no": 1}.get(action.word, -1)
                known = act.option_type is not None and 0 <= place < len(act.options)
                option = act.option_type.words.index(act.options[place]) if known and act.option_type else -1
                return Move(act.name, self.state.seat, option=option)
            case _:
                if action.kind is Written.TAKE:
                    self.state = self.reveals.stack(self.state, source_of(self.game, act), action.cards, action.span)
                return Move(act.name, self.actor)

    def _part(self, act: Act, action: Action) -> Move:
        """Make the move of a part: which card is the top one, which come from the hand, and where they go."""
        cards, top = list(action.cards), []
        if act.top:
            stack = self.game.turn.judge.stack(self.state, act.top, self.actor)
            if stack.cards and cards:
                fitting = [c for c in cards if self.names.fits(c, stack.cards[-1])]
                first = fitting[0] if fitting else cards[0]
                self.state = self.reveals.stack(self.state, act.top, (first,), action.span)
                cards.remove(first)
                stack = self.game.turn.judge.stack(self.state, act.top, self.actor)
            top = stack.cards[-1:]
        kinds = self._kinds(Action(action.kind, tuple(cards), span=action.span), self._hand())
        groups = self.game.turn.judge.groups(self.state, act, self.actor)
        group = self.targets.find(groups, action, [*top, *kinds], self.findings)
        if group == NEW_GROUP and act.target == "old" and action.target is None:
            group = self.targets.only(groups, [*top, *kinds])
        return Move(act.name, self.actor, tuple(kinds), group)

    def _carry(self, move: Move, index: int) -> None:
        """Carry an act out through the chosen door."""
        before = self.state
        if self.door is Door.STRICT:
            verdict = self.game.judge(before, move)
            if verdict.violations:
                raise _StopError(verdict, index)
            after = self.game.turn.perform(before, move)
        else:
            try:
                after, verdict = self.game.as_played(before, move)
            except ImpossibleError as error:
                raise _StopError(error.verdict, index) from None
        self.state = after
        self.steps.append(Step(move, before, after, verdict, index))

    # -- drawing and showing -----------------------------------------------------------------------------------------

    def _shows(self, todo: list[tuple[int, Action]]) -> list[Action]:
        """Take the cards shown right after a draw, which the draw brought, off the list of what is to be done."""
        shows: list[Action] = []
        while todo and todo[0][1].kind is Written.SHOW:
            shows.append(todo.pop(0)[1])
        return shows

    def _draw(self, index: int, action: Action, shows: list[Action]) -> None:
        """Draw: what was drawn, shown and drawn for it came off the stock in that order."""
        if not self._acts(Written.DRAW) or self.state.over:
            self._do(index, action)
            return
        acts = self._acts(Written.DRAW)
        source = source_of(self.game, acts[0])
        order, from_hand = self.reveals.order_drawn(self.state, action.cards, shows)
        for show in from_hand:
            self._show(show)
        before = self.reveals.size(self.state, source)
        self.state = self.reveals.stack(self.state, source, order, action.span)
        self._carry(Move(acts[0].name, self.actor), index)
        drawn = before - self.reveals.size(self.state, source)
        while order and order[-1].hidden:
            order.pop()
        if len(order) > drawn and self._drew(acts[0]):
            what = f"{len(order)} cards are written as drawn, and {drawn} left the {source}"
            self._say(
                "PL0013",
                what,
                action.span,
                "after + stand the drawn cards; what replaces a shown card stands after its +",
            )

    def _drew(self, act: Act) -> bool:
        return bool(self.steps) and self.steps[-1].move.act == act.name and not self.steps[-1].verdict.violations

    def _show(self, action: Action) -> None:
        """Lay shown cards that a duty has not laid yet, because nobody knew that they were held."""
        if not self._lies_already(action):
            self.state = self.reveals.shown(self.state, action)

    # -- cards -------------------------------------------------------------------------------------------------------

    def _hand(self) -> list[int]:
        hand: list[int] = self.state.zone(self.game.machine.hand)[self.actor]
        return hand[:]

    def _kinds(self, action: Action, held: list[int]) -> list[int]:
        """Settle which kinds the written cards are, each taken from what is held."""
        kinds: list[int] = []
        for card in action.cards:
            kind, sure = self.names.pick(card, held)
            if kind < 0:
                self._say("PL0004", f"there is no card {card} in this pack", action.span)
                raise _StopError(Verdict((self.game.turn.judge.refusal("held", ""),), possible=False), UNWRITTEN)
            if not sure:
                what = f"{card} does not settle which card is meant; {self.game.deck.name(kind)} is taken"
                self._say("PL0015", what, action.span, "say its suit", Severity.WARNING)
            if held[kind]:
                held[kind] -= 1
            kinds.append(kind)
        return kinds

    def _ready(self, action: Action) -> bool:
        """Ask whether the cards of a part are in hand, known or not, and the group that it names lies there."""
        held = self._hand()
        short = 0
        for card in action.cards:
            kind = next((k for k in self.names.kinds(card) if held[k]), -1)
            if kind >= 0:
                held[kind] -= 1
            else:
                short += 1
        if short > held[self.game.deck.size]:
            return False
        if action.target is None or action.target.card is None:
            return True
        acts = self._acts(Written.LAY)
        return any(
            self.targets.named(self.game.turn.judge.groups(self.state, act, self.actor), action.target) for act in acts
        )

    def _lies_already(self, action: Action) -> bool:
        """Ask whether cards that the hand does not hold lie openly before the player, because a duty laid them."""
        held = self._hand()
        if not action.cards or any(held[k] for c in action.cards for k in self.names.kinds(c)):
            return False
        return self.reveals.lie_open(self.state, action.cards)

    def _say(
        self, id_: str, message: str, span: Span | None, hint: str = "", severity: Severity = Severity.ERROR
    ) -> None:
        self.findings.add(Diagnostic(id_, message, span, hint, severity=severity))
