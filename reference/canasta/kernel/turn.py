"""Carrying out acts: parts are laid into a draft, a commit settles them, plain acts have their effects."""

from collections.abc import Callable, Sequence
from operator import attrgetter

from canasta.diagnostics import Diagnostic
from canasta.kernel.acts import NEW_GROUP, ImpossibleError, Move, RefusedError, Verdict, Violation
from canasta.kernel.effects import MOST_ROUNDS, Effects, RunawayError, every_groups, take
from canasta.kernel.judge import LEGAL, MOST_MODELS, Judge
from canasta.kernel.machine import Machine
from canasta.kernel.state import NOBODY, ZONE_SLOTS, Context, Group, Part, Stack, State
from canasta.language.ruleset import Act, Form, Lasts, Owner
from canasta.language.types import BAG


class Turn:
    """Carries out acts on copies of states."""

    def __init__(self, machine: Machine, judge: Judge) -> None:
        """Prepare the effects."""
        self.machine = machine
        self.judge = judge
        self._models: dict[tuple[int, ...], State] = {}
        self._hand: Callable[[State], list[list[int]]] = attrgetter(ZONE_SLOTS[machine.hand])
        self._bags: dict[tuple[int, ...], list[int]] = {}
        """Bags by their cards, as parts have them; they are shared and never changed."""
        self.effects = Effects(self.machine)
        self._commits = [bool(phase.auto) for phase in machine.phases]
        """For each phase whether something is done by itself in it."""

    # -- the beginning of a deal -------------------------------------------------------------------------------------

    def start(
        self, order: Sequence[int], dealer: int, deal_no: int = 1, carried: dict[str, list[int]] | None = None
    ) -> State:
        """Set a deal up from the whole pack in stated order, the first card drawn first.

        ``carried`` holds the variables that last a match, by name, as lists by their owner.
        """
        return self.unstick(self.dealt(order, dealer, deal_no, carried or {}))

    def dealt(self, order: Sequence[int], dealer: int, deal_no: int, carried: dict[str, list[int]]) -> State:
        """Set a deal up without asking whether the first seat can act."""
        state = self.blank(dealer, deal_no, carried)
        stock = state.zone(self.machine.ruleset.zones[self.machine.ruleset.table.order].index)
        stock.fill(list(reversed(order)))
        state.open = self.machine.deck.size in order
        self.effects.run("setup", state, Context(), NOBODY)
        if not state.over:
            self.effects.begin_turn(state, state.after[state.dealer])
        return state

    def blank(self, dealer: int, deal_no: int, carried: dict[str, list[int]]) -> State:
        """Make a state with nothing on the table."""
        playing = self.machine.ruleset.table.playing(deal_no)
        model = self._models.get(playing)
        if model is None:
            model = self._models[playing] = self._nothing(playing)
        state = model.copy()
        state.deal_no = deal_no
        state.dealer = dealer if dealer in playing else state.after[dealer]
        state.seat = state.turn_seat = state.after[state.dealer]
        for variable in self.machine.ruleset.state.values() if carried else ():
            if variable.lasts is Lasts.MATCH and variable.name in carried:
                values = carried[variable.name]
                setattr(state, f"v{variable.index}", values[0] if variable.of is Owner.TABLE else list(values))
        return state

    def _nothing(self, playing: tuple[int, ...]) -> State:
        """Make the state before any deal in which these seats play."""
        rules, deck = self.machine.ruleset, self.machine.deck
        state = self.machine.state_type()
        state.playing, state.after = playing, following(playing, rules.table.seats)
        state.dealer = state.seat = state.turn_seat = NOBODY
        state.phase, state.turn_no, state.deal_no = 0, 0, 0
        state.side_of = [
            next(i for i, side in enumerate(rules.table.sides) if s in side) for s in range(rules.table.seats)
        ]
        state.sides = list(range(len(rules.table.sides)))
        state.parts, state.stage, state.next_gid, state.parts_fine = [], 0, 1, None
        state.over, state.reason, state.open = False, "", True
        self.effects.clear_play(state)
        numbers = {Owner.SEAT: rules.table.seats, Owner.SIDE: len(rules.table.sides)}
        for zone in rules.zones.values():
            makers = {Form.STACK: lambda: Stack([], deck.empty()), Form.BAG: deck.empty, Form.GROUPS: list}
            make = makers[zone.form]
            content = make() if zone.of is Owner.TABLE else [make() for _ in range(numbers[zone.of])]
            setattr(state, f"z{zone.index}", content)
        for variable in rules.state.values():
            value = self.effects.fresh(variable.of, variable.start, bag=variable.type == BAG)
            setattr(state, f"v{variable.index}", value)
        return state

    # -- acts --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, move: Move) -> State:
        """Carry out a legal act.

        Raises:
            RefusedError: when the act breaks a rule; the state is as before.
        """
        verdict = self.judge.judge(state, move)
        if verdict.violations:
            raise RefusedError(verdict)
        return self.perform(state, move)

    def as_played(
        self, state: State, move: Move, *, own: bool = False, leave: frozenset[str] = frozenset()
    ) -> tuple[State, Verdict]:
        """Carry out what really happened at a table, and say what was wrong with it.

        A commit that should have happened by itself before this act, and could not legally, is forced first. With ``own``
        the state is given away: it may be changed, and what it was before a play is not kept, so that no draft can be dropped.
        ``leave`` names duties of the act that the table left undone.

        Raises:
            ImpossibleError: when the cards are not there; the state is as before.
        """
        forced, before = self.force_pending(state, move)
        act = self.machine.ruleset.acts.get(move.act)
        refused = self.judge.out_of_turn(forced, move)
        if act is None:
            raise ImpossibleError(Verdict(() if refused is None else (refused,)))
        missing = self.judge.missing(forced, move, act)
        if missing is not None:
            raise ImpossibleError(Verdict((missing,), possible=False))
        found: tuple[Violation, ...] = () if refused is None else (refused,)
        if act.lays:
            group = self.judge.grown(forced, move, act)
            if refused is None:
                found = tuple(self.judge.faults_of_part(move, act, group))
            after = forced if own else forced.copy()
            self._lay(None if own else forced, after, move, act, group)
            after = self._automatic(after)
        else:
            context = self.judge.context(forced, move)
            if refused is None:
                found = self.judge.faults(forced, move, act, context)
            elif move.seat == forced.seat:
                found = (refused, *self.judge.broken(forced, move, act))
            after = forced if own else forced.copy()
            self._do(after, move, act, context, leave)
            after = self.unstick(self._automatic(after))
        return after, Verdict((*before, *found)) if before or found else LEGAL

    def force_pending(self, state: State, move: Move) -> tuple[State, tuple[Violation, ...]]:
        """Carry out the commits that are still due by themselves, with their violations, when another act comes instead."""
        phase = self.machine.phases[state.phase]
        if not phase.auto or move.act in phase.acts or move.act in phase.auto or state.over:
            return state, ()
        acts = self.machine.ruleset.acts
        # Where the phase also offers an act that is no part, the commit is not due: the player may go on without it.
        if any(not acts[a].lays for a in phase.acts):
            return state, ()
        commit = Move(phase.auto[0], state.seat)
        verdict = self.judge.judge(state, commit)
        # Who has no way on after it has that from the play, not from the rules: see `perform`.
        return self.carry_out(state, commit), verdict.violations

    def perform(self, state: State, move: Move) -> State:
        """Carry out an act without judging it; the cards must be there. What the rules say of a seat that cannot act follows.

        Who has no way on after a part, as after a take that was let stand, has that from the play and not from the rules.
        """
        after = self.carry_out(state, move)
        return after if self.machine.ruleset.acts[move.act].lays else self.unstick(after)

    def carry_out(self, state: State, move: Move) -> State:
        """Carry out an act without judging it and without asking whether the next seat can act."""
        after = state.copy()
        act = self.machine.ruleset.acts[move.act]
        if act.lays:
            self._lay(state, after, move, act, self.judge.grown(state, move, act))
        else:
            self._do(after, move, act, self.judge.context(after, move))
        return self._automatic(after) if self._commits[after.phase] else after

    def laid(self, state: State, move: Move) -> State:
        """Lay a part without judging it and leave it there: a commit that is then due by itself has not happened yet."""
        after, act = state.copy(), self.machine.ruleset.acts[move.act]
        self._lay(state, after, move, act, self.judge.grown(state, move, act))
        return after

    def unstick(self, state: State) -> State:
        """Do what the rule set says when the seat to act has no legal act; else leave the state as it is."""
        if not self.machine.effects["stuck"] or self.judge.runtime is None or not self.judge.runtime.stuck(state):
            return state
        freed = state.copy()
        self.effects.run("stuck", freed, Context(), freed.seat)
        return freed

    def drop(self, state: State) -> State:
        """Take back everything laid since the last commit."""
        return state if state.base is None else state.base

    def _lay(self, before: State | None, after: State, move: Move, act: Act, group: Group) -> None:
        hand = self._hand(after)[move.seat]
        for card in move.cards:
            take(hand, card)
        if act.choose == "groups":
            self._unite(before, after, move, act, group)
            return
        top = self.judge.stack(after, act.top, move.seat).pop() if act.top else NOBODY
        groups = self.judge.groups(after, act, move.seat)
        if move.group == NEW_GROUP:
            groups.append(group)
            after.next_gid += 1
        else:
            for i, old in enumerate(groups):
                if old.gid == group.gid:
                    groups[i] = group
        bag = self._bags.get(move.cards)
        if bag is None:
            if len(self._bags) >= MOST_MODELS:
                self._bags.clear()
            bag = self._bags[move.cards] = self.machine.deck.bag(move.cards)
        zone = self.machine.ruleset.zones[act.into]
        owner = after.side_of[move.seat] if zone.of is Owner.SIDE else move.seat if zone.of is Owner.SEAT else NOBODY
        after.parts.append(Part(act.index, group.gid, zone.index, owner, bag, top, after.stage))
        for card in move.cards:
            after.laid[card] += 1
        if top >= 0:
            after.laid[top] += 1
        self._drafted(before, after, act)

    def _drafted(self, before: State | None, after: State, act: Act) -> None:
        after.draft += 1
        after.parts_fine = None
        if after.base is None:
            after.base = before
        if act.then:
            after.phase = self.machine.ruleset.phases[act.then].index

    def _unite(self, before: State | None, after: State, move: Move, act: Act, group: Group) -> None:
        """Put one group in the place of two; what was laid to the one that goes counts as laid to the one that stays."""
        groups = self.judge.groups(after, act, move.seat)
        gone = next(g for g in groups if g.gid == move.other)
        groups[:] = [group if g.gid == group.gid else g for g in groups if g.gid != move.other]
        after.parts = [p.gone_to(group.gid) if p.gid == move.other else p for p in after.parts]
        zone = self.machine.ruleset.zones[act.into]
        owner = after.side_of[move.seat] if zone.of is Owner.SIDE else move.seat if zone.of is Owner.SEAT else NOBODY
        lay = [n - a for n, a in zip(gone.cards, gone.added, strict=True)]
        after.parts.append(Part(act.index, group.gid, zone.index, owner, lay, NOBODY, after.stage, unites=True))
        self._drafted(before, after, act)

    def _do(self, after: State, move: Move, act: Act, context: Context, leave: frozenset[str] = frozenset()) -> None:
        laid = {p.gid for p in after.parts if p.stage == after.stage} if act.commit and after.parts else None
        turn = after.turn_no
        self.effects.run(move.act, after, context, move.seat, leave)
        after.parts_fine = None
        if laid:
            for groups in every_groups(self.machine, after):
                for i, group in enumerate(groups):
                    if group.gid in laid:
                        groups[i] = settled = group.copy()
                        settled.was, settled.added = group.size, self.machine.deck.empty()
        if act.commit and after.turn_no == turn:
            after.stage += 1
            self.effects.clear_play(after)

    def _automatic(self, state: State) -> State:
        """Carry out the commits that are due by themselves, on a state that nobody else holds.

        Raises:
            RunawayError: RS4020 when there is no end to them.
        """
        for _ in range(MOST_ROUNDS):
            if state.over:
                return state
            phase = self.machine.phases[state.phase]
            if not phase.auto:
                return state
            due = next((a for a in phase.auto if self.judge.legal(state, self.judge.plain[a][state.seat])), None)
            if due is None:
                return state
            move = self.judge.plain[due][state.seat]
            self._do(state, move, self.machine.ruleset.acts[due], self.judge.context(state, move))
        name = self.machine.phases[state.phase].name
        message = f"what is done by itself in the phase {name} is still due after {MOST_ROUNDS} rounds"
        hint = "an act under `auto` must lead to another phase, or bring about that it is no longer legal"
        raise RunawayError([Diagnostic("RS4020", message, hint=hint)])


def following(playing: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Find for each seat the one that plays after it; after one that sits out comes the next round the table that plays."""
    after: list[int] = []
    for seat in range(seats):
        if seat in playing:
            after.append(playing[(playing.index(seat) + 1) % len(playing)])
        else:
            after.append(next(s for i in range(1, seats + 1) if (s := (seat + i) % seats) in playing))
    return tuple(after)
