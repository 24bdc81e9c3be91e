"""One written turn on a state: which acts of the rule set the written signs are, carried out one after another.

An act is found by the way it is ``written`` among the acts of the present phase, never by its name. What is not written
but must have happened (a draw that everybody makes, the pile picked up at last) is put in; what the order of writing
leaves open (cards laid that come from the pile) is put in order. What is written makes unknown cards known.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Severity, Span
from canasta.kernel.acts import NEW_GROUP, ImpossibleError, Move, Verdict
from canasta.kernel.game import Game
from canasta.kernel.listing import Answer
from canasta.kernel.state import State
from canasta.language.ruleset import Act
from canasta.notation.cards import Card, write_cards
from canasta.notation.record import Action, Written
from canasta.playing.cards import CardNames
from canasta.playing.kept import laying_clause, left_undone
from canasta.playing.played import UNWRITTEN, Door, Played, Step
from canasta.playing.revealing import Reveals
from canasta.playing.signs import Signs, signs_of
from canasta.playing.words import with_its_card

# Enum members are slow to look up, and every act of every record is asked for its kind.
DRAW: Final = Written.DRAW
TAKE: Final = Written.TAKE
LAY: Final = Written.LAY
SHOW: Final = Written.SHOW
NONE: Final[frozenset[str]] = frozenset()
DISCARD: Final = Written.DISCARD
SAID_ALREADY: Final = frozenset({Written.PICK, Written.OUT})
AFTER_A_DRAW: Final = frozenset(
    {Written.LAY, Written.SHOW, Written.UNITE, Written.DISCARD, Written.OUT, Written.ASK, Written.KNOCK}
)


class StopTurnError(Exception):
    """The turn cannot go on."""

    def __init__(self, verdict: Verdict, action: int) -> None:
        """Carry what the judge said, and of which action."""
        self.verdict, self.action = verdict, action
        super().__init__()


def play_turn(
    game: Game,
    state: State,
    actions: Sequence[Action],
    seat: int | None = None,
    door: Door = Door.AS_PLAYED,
    *,
    own: bool = False,
) -> Played:
    """Carry out what a seat wrote it did in its turn; without ``seat`` it is the seat to act.

    It stops at the first act that is physically impossible; through the strict door at the first that is not legal. A
    turn that ends in the middle (after a take, say) is left there. With ``own`` the state is given away and becomes the one
    after the turn, which is quicker; what it was before is not kept.
    """
    run = TurnRun(game, state, state.seat if seat is None else seat, door, own)
    return carried_out(run, run.all, actions)


def carried_out(run: "TurnRun", carry_out: Callable[[Sequence[Action]], None], actions: Sequence[Action]) -> Played:
    """Carry actions out in one way, and tell what came of it and where it stopped."""
    stopped, at = None, UNWRITTEN
    try:
        carry_out(actions)
    except StopTurnError as stop:
        stopped, at = stop.verdict, stop.action
    return Played(run.state, tuple(run.steps), stopped, at, tuple(dict.fromkeys(run.findings.found)), run.acted)


@dataclass(slots=True, eq=False, repr=False)
class TurnRun:
    """One turn while it is carried out."""

    game: Game
    state: State
    actor: int
    door: Door
    own: bool
    signs: Signs = field(init=False)
    names: CardNames = field(init=False)
    steps: list[Step] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    acted: bool = False
    went_well: str = ""
    """The act that was carried out last, if nothing was wrong with it."""
    taken: bool = False
    actions: Sequence[Action] = ()
    stock_before: int = 0
    hand_before: Sequence[int] = ()
    """The actor's hand and the size of the stock before the turn, noted where cards are shown in it."""

    def __post_init__(self) -> None:
        """Take the signs and names of the game."""
        self.signs = signs_of(self.game)
        self.names = self.signs.names

    @property
    def reveals(self) -> Reveals:
        """What makes cards known, of which a record that tells everything needs nothing."""
        return Reveals(self.game, self.signs, self.actor, self.findings, self.own)

    def all(self, actions: Sequence[Action]) -> None:
        """Carry everything out: the pile first if it is taken, cards that are not there yet as soon as they are."""
        if any(action.kind is SHOW for action in actions):
            self.actions, self.hand_before, self.stock_before = actions, self._hand()[:], self._stock_size()
        todo = self._in_order(list(enumerate(actions)))
        waiting: list[tuple[int, Action]] = []
        while todo:
            index, action = todo.pop(0)
            kind = action.kind
            if kind is LAY:
                if self._lies_already(action):
                    continue
                if not self.ready(action):
                    waiting.append((index, action))
                    continue
            elif waiting and kind not in (DRAW, TAKE, SHOW):
                self.late(waiting)
            if kind is DRAW:
                self._draw(index, action, self._shows(todo))
            elif kind is LAY and todo and todo[0][1].kind is DRAW:
                self._lay_and_draw(index, action, todo)
            else:
                self.do(index, action)
            if waiting:
                ready = [w for w in waiting if self.ready(w[1])]
                waiting[:] = [w for w in waiting if w not in ready]
                todo[:0] = ready
        if waiting:
            self.late(waiting)

    def _in_order(self, todo: list[tuple[int, Action]]) -> list[tuple[int, Action]]:
        """Give a word its card, put a take before what is laid, and put in the draw that was not written."""
        todo = with_its_card(self.signs, todo)
        kinds = [a.kind for _, a in todo]
        if not kinds or DRAW in (kinds[: kinds.index(LAY)] if LAY in kinds and self.signs.draws_by_itself else kinds):
            return todo
        first = self.signs.shown_first(self.state.phase, kinds)
        then = (*kinds, SHOW)[first]
        if TAKE in kinds and self._possible(TAKE):
            at = kinds.index(TAKE)
            todo = [*todo[:first], self._with_its_meld(todo, at), *todo[first:at], *todo[at + 1 :]]
            todo = [x for x in todo if x[1].cards or x[1].kind is not LAY]
        elif then in AFTER_A_DRAW and not self._possible(then) and self._possible(DRAW):
            held = self.names.known_in([a.cards for _, a in todo[:first]], self._hand())
            todo.insert(held, (UNWRITTEN, Action(DRAW)))
        return todo

    def _with_its_meld(self, todo: list[tuple[int, Action]], at: int) -> tuple[int, Action]:
        """Give a take that names no cards the first meld written after it that holds the top card."""
        index, take = todo[at]
        act = next((a for a in self.signs.acts(self.state.phase, TAKE) if a.top), None)
        if take.cards or act is None:
            return index, take
        stack = self.game.turn.judge.stack(self.state, act.top, self.actor)
        for place in range(at + 1, len(todo)):
            number, lay = todo[place]
            fits = [c for c in lay.cards if stack.cards and not c.hidden and self.names.fits(c, stack.cards[-1])]
            if lay.kind is LAY and fits:
                cards = list(lay.cards)
                cards.remove(fits[0])
                todo[place] = (number, Action(LAY))
                return index, Action(TAKE, (fits[0], *cards), lay.target, span=take.span)
        return index, take

    def late(self, waiting: list[tuple[int, Action]]) -> None:
        """Carry out the parts whose cards have not come: the pile is picked up whether it may be or not."""
        phase = self.game.machine.phases[self.state.phase]
        if phase.auto and self.state.draft:
            if self.door is Door.STRICT:
                self._carry(Move(phase.auto[0], self.state.seat), UNWRITTEN)
            else:
                before = self.state
                self.state, violations = self.game.turn.force_pending(before, Move("", self.actor))
                if self.state is not before:
                    move = Move(phase.auto[0], before.seat)
                    self._note(Step(move, before, self.state, Verdict(tuple(violations)), UNWRITTEN))
        for index, action in waiting:
            self.do(index, action)
        waiting.clear()

    def _possible(self, kind: Written) -> bool:
        """Ask whether the present phase knows an act that is written so."""
        return not self.state.over and bool(self.signs.here(self.state.phase, kind))

    def do(self, index: int, action: Action) -> None:
        """Carry one action out as an act of the present phase."""
        kind = action.kind
        if kind is SHOW:
            self._show(index, action)
            return
        if kind in SAID_ALREADY and self._said_already(action):
            return
        acts = self.signs.acts(self.state.phase, kind)
        if not acts:
            from canasta.playing.spelling import SIGNS, known_signs  # noqa: PLC0415 - seldom needed, and it knows the notation's words

            what = f"{self.game.ruleset.name} knows nothing that is written {SIGNS[kind]} ({kind})"
            self._say("PL0012", what, action.span, f"its turns are made of: {known_signs(self.game)}")
            raise StopTurnError(Verdict((self.game.turn.judge.refusal("phase", kind),), possible=False), index)
        if self.state.over:
            raise StopTurnError(Verdict((self.game.turn.judge.refusal("phase", acts[0].name),)), index)
        moves = [self._move(act, action) for act in acts]
        chosen = moves[0] if len(moves) == 1 else self._fitting(moves)
        self.taken = self.taken or kind is TAKE
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
        return action.kind is Written.OUT and self.state.over and self.acted

    def _move(self, act: Act, action: Action) -> Move:
        """Make the move that a written action is, if it is this act."""
        match act.choose:
            case "part":
                return self._part(act, action)
            case "groups":
                groups = self.game.turn.judge.groups(self.state, act, self.actor)
                return Move(act.name, self.actor, (), *self.signs.targets.pair(groups, action))
            case "card":
                return Move(act.name, self.actor, tuple(self._kinds(action.cards, action.span)))
            case "option":
                place = {"yes": 0, "no": 1}.get(action.word, -1)
                known = act.option_type is not None and 0 <= place < len(act.options)
                option = act.option_type.words.index(act.options[place]) if known and act.option_type else -1
                return Move(act.name, self.state.seat, option=option)
            case _:
                if action.kind is TAKE:
                    self.state = self.reveals.stack(self.state, self.signs.source(act), action.cards, action.span)
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
        kinds = self._kinds(cards, action.span)
        groups = self.game.turn.judge.groups(self.state, act, self.actor)
        targets = self.signs.targets
        group = targets.find(groups, action, [*top, *kinds], self.findings)
        if group == NEW_GROUP and act.target == "old" and action.target is None:
            group = targets.only(groups, [*top, *kinds])
        return Move(act.name, self.actor, tuple(kinds), group)

    def _carry(self, move: Move, index: int, leave: frozenset[str] = NONE) -> None:
        """Carry an act out through the chosen door; duties in ``leave`` are left undone."""
        before = self.state
        if self.door is Door.STRICT:
            verdict = self.game.judge(before, move)
            if verdict.violations:
                raise StopTurnError(verdict, index)
            after = self.game.turn.perform(before, move)
        else:
            try:
                after, verdict = self.game.turn.as_played(before, move, own=self.own, leave=leave)
            except ImpossibleError as error:
                raise StopTurnError(error.verdict, index) from None
        self.state, self.acted = after, True
        if verdict.violations or not self.own:
            self._note(Step(move, before, after, verdict, index))
        self.went_well = "" if verdict.violations else move.act

    def _note(self, step: Step) -> None:
        self.acted = True
        self.steps.append(step)

    # -- drawing and showing -----------------------------------------------------------------------------------------

    def _shows(self, todo: list[tuple[int, Action]]) -> list[Action]:
        """Take the cards shown right after a draw, which the draw brought, off the list of what is to be done."""
        shows: list[Action] = []
        while todo and todo[0][1].kind is SHOW:
            shows.append(todo.pop(0)[1])
        return shows

    def _lay_and_draw(self, index: int, action: Action, todo: list[tuple[int, Action]]) -> None:
        """Lay what makes a draw happen by itself, if it does; the cards written after it were on top of the stock then."""
        due = next((a for a in self.signs.here(self.state.phase, DRAW) if a.auto), None)
        if due is None:
            self.do(index, action)
            return
        source, (_, draw), shows = self.signs.source(due), todo[0], [a for _, a in todo[1:] if a.kind is SHOW]
        order, _ = self.reveals.order_drawn(self.state, draw.cards, shows)
        self.state = self.reveals.stack(self.state, source, order, draw.span)
        before, stage = self._lying(source), self.state.stage
        self.do(index, action)
        if self.state.stage != stage and self._lying(source) < before:
            todo.pop(0)
            self._count_drawn(source, order, before - self._lying(source), draw)
            self._shows(todo)

    def _lying(self, source: str) -> int:
        return len(self.game.turn.judge.stack(self.state, source, self.actor).cards)

    def _draw(self, index: int, action: Action, shows: list[Action]) -> None:
        """Draw: what was drawn, shown and drawn for it came off the stock in that order."""
        acts = self.signs.chosen(self.state.phase, DRAW)
        if not acts or self.state.over:
            self.do(index, action)
            return
        source, order = self.signs.source(acts[0]), list(action.cards)
        leave = self._left_undone(acts[0])
        from_hand: list[Action] = []
        if shows and not leave:
            order, from_hand = self.reveals.order_drawn(self.state, action.cards, shows)
            if self.signs.acts(self.state.phase, SHOW):
                from_hand = []  # where the player chooses when to show a card, it is after the draw
            for show in from_hand:
                self._show(index, show)
        before = self._lying(source)
        if not self.names.lie_so(self.game.turn.judge.stack(self.state, source, self.actor).cards, order):
            self.state = self.reveals.stack(self.state, source, order, action.span)
        self._carry(Move(acts[0].name, self.actor), index, leave)
        well = self.went_well == acts[0].name
        for show in shows:
            if leave:
                self.state = self.reveals.laid_out(self.state, show)
            elif show not in from_hand and self._chosen(show):
                self._show(index, show)
        if well:
            self._count_drawn(source, order, before - self._lying(source), action)

    def _count_drawn(self, source: str, order: list[Card], drawn: int, action: Action) -> None:
        """See that no more cards are written as drawn than left the stack."""
        while order and order[-1].hidden:
            order.pop()
        if len(order) > drawn:
            what = f"{len(order)} cards are written as drawn, and {drawn} left the {source}"
            hint = "after + stand the drawn cards; what replaces a shown card stands after its +"
            self._say("PL0013", what, action.span, hint)

    def _chosen(self, action: Action) -> bool:
        """Ask whether cards are shown by an act of the player, and have not been laid by the rules."""
        return self._possible(SHOW) and not self._lies_already(action)

    def _left_undone(self, act: Act) -> frozenset[str]:
        """Find what was due before this act already, since cards were kept that should have been laid out."""
        duties = self.signs.duties_that_lay(act.name)
        return left_undone(duties, self.state, self.actor) if duties and self.door is Door.AS_PLAYED else NONE

    def _show(self, index: int, action: Action) -> None:
        """Lay shown cards by an act of the player, or those that were kept, or that no duty has laid because nobody knew of them."""
        if self._lies_already(action):
            if self.acted and action.replacement and self.door is Door.AS_PLAYED:
                self._drawn_for(index, action)
        elif self.shown_by_an_act(index, action):
            return
        elif self.door is Door.AS_PLAYED and self.reveals.holds_to_lay_out(self.state, action):
            self.state = self.reveals.laid_out(self.state, action)
        else:
            self.state = self.reveals.shown(self.state, action)

    def shown_by_an_act(self, index: int, action: Action) -> bool:
        """Show cards by an act that the phase offers for it, if the hand holds them or may; say whether that was done."""
        for act in self.signs.here(self.state.phase, SHOW) if not self.state.over else ():
            moves = [Move(act.name, self.actor, (kind,)) for kind in self._kinds(action.cards, action.span)]
            held = all(self._hand()[move.cards[0]] for move in moves)
            if held or self.signs.by_choice or not self.game.judge(self.state, moves[0]).violations:
                source = self.signs.source(act)
                for nth, move in enumerate(moves):
                    self.state = self.reveals.stack(self.state, source, action.replacement[nth : nth + 1], action.span)
                    self._carry(move, index)
                return True
        return False

    def _drawn_for(self, index: int, action: Action) -> None:
        """Draw what was drawn for cards that lie there, if the rules have not: for cards kept until now, or against a rule."""
        written = sum(len(a.cards) if a.kind is DRAW else len(a.replacement) for a in self.actions[:index])
        missing = written + len(action.replacement) - (self.stock_before - self._stock_size())
        if missing <= 0:
            return
        self.state = self.reveals.drawn(self.state, action.replacement[-missing:], action.span)
        kinds = [k for card in action.cards for k in self.names.kinds(card)]
        shown = sum(a.kind is SHOW and any(c in action.cards for c in a.cards) for a in self.actions[:index])
        if sum(self.hand_before[k] for k in kinds) <= shown:
            cards = write_cards(action.cards)
            what = f"a card is written as drawn for {cards}, and by the rules none is"
            self._say("PL0013", what, action.span, "it was played on as it lay", clause=laying_clause(self.game))

    def _stock_size(self) -> int:
        return len(self.game.turn.judge.stack(self.state, self.game.ruleset.table.order, self.actor).cards)

    # -- cards -------------------------------------------------------------------------------------------------------

    def _hand(self) -> list[int]:
        hand: list[int] = self.state.zone(self.game.machine.hand)[self.actor]
        return hand

    def _kinds(self, cards: Sequence[Card], span: Span | None) -> list[int]:
        """Settle which kinds the written cards are, each taken from what is held."""
        kinds: list[int] = []
        held = self._hand()[:]
        doubtful: list[tuple[Card, int]] = []
        for card in cards:
            kind, sure = self.names.pick(card, held)
            if not sure:
                kind = self._likeliest(card, cards, held, kinds)
                doubtful.append((card, kind))
            if kind < 0:
                self._say("PL0004", f"there is no card {card} in this pack", span)
                raise StopTurnError(Verdict((self.game.turn.judge.refusal("held", ""),), possible=False), UNWRITTEN)
            if held[kind]:
                held[kind] -= 1
            kinds.append(kind)
        if doubtful:
            told, taken = zip(*((str(c), self.game.deck.name(k)) for c, k in doubtful), strict=True)
            one = len(doubtful) == 1
            what = f"{' '.join(told)} {'does not settle which card is' if one else 'do not settle which cards are'} meant; "
            what += f"{' '.join(taken)} {'is' if one else 'are'} taken"
            self._say("PL0015", what, span, "say its suit" if one else "say their suits", Severity.WARNING)
        return kinds

    def _likeliest(self, card: Card, beside: Sequence[Card], held: Sequence[int], taken: Sequence[int]) -> int:
        """Choose a card written without its suit: one that is held, of the suit of the cards beside it, or of which most are unseen."""
        from canasta.kernel.outlook import Outlook  # noqa: PLC0415 - a record that says every suit needs no bounds

        choice = [k for k in self.names.kinds(card) if held[k]] or list(self.names.kinds(card))
        suits = {c.suit for c in beside if c.suit}
        alike = [k for k in choice if suits == {self.names.card(k).suit}]
        unseen = Outlook(self.game.machine, self.state).unseen()
        return max(alike or choice, key=lambda k: 0 if held[k] else unseen[k] - taken.count(k))

    def ready(self, action: Action) -> bool:
        """Ask whether the cards of a part are in hand, known or not, and the group that it names lies there."""
        held = self._hand()[:]
        short = 0
        for card in action.cards:
            for kind in self.names.kinds(card):
                if held[kind]:
                    held[kind] -= 1
                    break
            else:
                short += 1
        if short > held[-1]:
            return False
        if action.target is None or action.target.card is None:
            return True
        return any(
            self.signs.targets.named(self.game.turn.judge.groups(self.state, act, self.actor), action.target)
            for act in self.signs.acts(self.state.phase, LAY)
            if act.choose == "part"
        )

    def _lies_already(self, action: Action) -> bool:
        """Ask whether cards that the hand does not hold lie openly before the player, because a duty laid them."""
        held = self._hand()
        for card in action.cards:
            for kind in self.names.kinds(card):
                if held[kind]:
                    return False
        return bool(action.cards) and self.reveals.lie_open(self.state, action.cards)

    def _say(
        self,
        id_: str,
        message: str,
        span: Span | None,
        hint: str = "",
        severity: Severity = Severity.ERROR,
        clause: str = "",
    ) -> None:
        self.findings.add(Diagnostic(id_, message, span, hint, severity=severity, clause=clause))
