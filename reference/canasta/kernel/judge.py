"""The judge: what is wrong with an act on a state, every violation with its clause and code."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final, Protocol

from canasta.kernel.acts import NEW_GROUP, Move, Ruling, Verdict, Violation
from canasta.kernel.cards import listed
from canasta.kernel.machine import Check, Machine
from canasta.kernel.state import NOBODY, ZONE_SLOTS, Context, Group, Part, Possibilities, Stack, State, lying
from canasta.language.ruleset import Act, Form, Owner

LEGAL = Verdict()

MOST_MODELS: Final = 10_000
"""So many new groups are remembered, by their cards."""


class Bounds(Protocol):
    """A judge of states with unknown cards."""

    def broken(self, state: State, move: Move) -> Iterator[Violation]:
        """Find every demand that an act surely or perhaps breaks."""
        ...

    def hopeless(self, state: State) -> bool:
        """Prove, if possible, that nothing the acting seat may still lay makes the current play legal."""
        ...

    def barred(self, state: State, act: Act, top: int) -> bool:
        """Prove, if possible, that no part of an act with this top card is legal."""
        ...


class Explaining(Protocol):
    """Finds the values that decided violations."""

    def with_values(self, state: State, move: Move, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """Give each violation the values that decided it."""
        ...


class Judge:
    """Judges acts by the clauses of one machine."""

    def __init__(self, machine: Machine) -> None:
        """Take the rule set that has been made ready; what it asks beside it is wired up by the game."""
        self.machine = machine
        self.runtime: Possibilities | None = None
        self.bounds: Bounds | None = None
        self.explainer: Explaining | None = None
        self._hand: Callable[[State], list[list[int]]] = attrgetter(ZONE_SLOTS[machine.hand])
        self._places = {name: self._place(name) for name in machine.ruleset.zones}
        self.groups_of = {name: self._places[act.into] for name, act in machine.ruleset.acts.items() if act.into}
        """For each act that lays parts what finds the groups which they can join, those of the acting side or of the table."""
        self.stack_of = {name: self._places[act.top] for name, act in machine.ruleset.acts.items() if act.top}
        """For each act that takes the top card of a stack what finds the stack."""
        self._begun: dict[tuple[int, ...], Group] = {}
        seats = range(machine.ruleset.table.seats)
        self.plain = {name: tuple(Move(name, seat) for seat in seats) for name in machine.ruleset.acts}
        """For each act the move of each seat in which nothing is chosen."""

    def judge(self, state: State, move: Move, *, foresee: bool = True) -> Verdict:
        """Say everything that is wrong with an act.

        A part is refused only for what no later part can mend; its clauses are judged with the commit, on the groups as they will lie.
        With ``foresee`` a part is also refused that would settle a play by itself and leave its player without a way to end the turn.
        """
        refused = self.out_of_turn(state, move)
        if refused is not None:
            return Verdict((refused,))
        act = self.machine.ruleset.acts[move.act]
        missing = self.missing(state, move, act)
        if missing is not None:
            return Verdict((missing,), possible=False)
        if act.lays:
            found = tuple(self.faults_of_part(move, act, self.grown(state, move, act)))
            if not found and foresee:
                found = self._stranded(state, move)
        else:
            found = self.faults(state, move, act, self.context(state, move))
        return Verdict(found) if found else LEGAL

    def faults(self, state: State, move: Move, act: Act, context: Context) -> tuple[Violation, ...]:
        """Find what is wrong with a commit or plain act in its phase, with what it gives to expressions; its cards are there.

        Most often nothing is, which is asked first because it is quickly seen.
        """
        found: tuple[Violation, ...] = ()
        open_before = 0 if self.runtime is None else self.runtime.unsettled
        if self.bounds is not None and self.has_unknown(state):
            found = tuple(self.bounds.broken(state, move))
        elif not self._holds(state, act, context):
            found = tuple(self.broken(state, move, act))
        if found and self.runtime is not None and self.runtime.unsettled != open_before:
            found = tuple(replace(v, certain=False) for v in found)
        if not found and act.safe:
            found = self._stranded(state, move)
        return found if not found or self.explainer is None else self.explainer.with_values(state, move, found)

    def _stranded(self, state: State, move: Move) -> tuple[Violation, ...]:
        after = Ruling.LEGAL if self.runtime is None else self.runtime.strands(state, move)
        if after is Ruling.LEGAL:
            return ()
        return (replace(self.refusal("stranded", move.act), certain=after is Ruling.ILLEGAL),)

    def has_unknown(self, state: State) -> bool:
        """Ask whether any card on the table or in a hand is unknown."""
        if not state.open:
            return False
        for zone in self.machine.zones:
            if zone.form is not Form.GROUPS:
                content = state.zone(zone.index)
                for place in [content] if zone.of is Owner.TABLE else content:
                    if (place.counts if type(place) is Stack else place)[-1]:
                        return True
        return False

    def legal(self, state: State, move: Move) -> bool:
        """Ask only whether a commit or plain act of the seat to act breaks no rule; its cards are known to be there."""
        return self._holds(state, self.machine.ruleset.acts[move.act], self.context(state, move))

    def _holds(self, state: State, act: Act, context: Context) -> bool:
        seat = state.seat
        if act.commit and state.draft and not self.parts_fine(state, seat):
            return False
        return bool(self.machine.keeps[act.name](state, context, seat, state.side_of[seat]))

    def closing(self, state: State, act: Act) -> Move | None:
        """Find a legal move of an act, with whatever card, by which its effects end the turn or the deal."""
        seat, side = state.seat, state.side_of[state.seat]
        if act.commit and state.draft and not self.parts_fine(state, seat):
            return None
        context = self.nothing_chosen()
        if act.choose != "card":
            keeps = self.machine.keeps[act.name](state, context, seat, side)
            return self.plain[act.name][seat] if keeps and self._ends(state, act, context, seat, side) else None
        if not self.machine.keeps_fixed[act.name](state, context, seat, side):
            return None
        mask, keeps_chosen = self.machine.card_masks[act.name], self.machine.keeps_chosen[act.name]
        for card, n in enumerate(state.zone(self.machine.hand)[seat][:-1]):
            if n and mask[card]:
                context.card = card
                kept = keeps_chosen is None or keeps_chosen(state, context, seat, side)
                if kept and self._ends(state, act, context, seat, side):
                    return Move(act.name, seat, (card,))
        return None

    def _ends(self, state: State, act: Act, context: Context, seat: int, side: int) -> bool:
        for doing in self.machine.closers[act.name]:
            when = doing.when
            if when is None or when(state, context, seat, side):
                return True
        return False

    def parts_fine(self, state: State, seat: int) -> bool:
        """Ask whether the parts of the current play break no rule, once a state."""
        if state.parts_fine is None:
            state.parts_fine = next(self.wrong_groups(state, seat), None) is None
        return state.parts_fine

    def wrong_groups(self, state: State, seat: int) -> Iterator[tuple[Part, Group]]:
        """Find the groups of the current play that break a rule as they lie, each with the part that stands for it."""
        side, forms = state.side_of[seat], self.machine.shapes.forms
        for part, group in self.laid_groups(state):
            act = self.machine.act_names[part.act]
            fits = group.shape != NOBODY and forms[group.shape].allows(group)
            if not fits and next(self.misshapen(group, act), None) is not None:
                yield part, group
                continue
            context = self.nothing_chosen()
            context.group, context.top_card = group, part.top
            if not self.machine.keeps[act](state, context, seat, side):
                yield part, group

    def refusal(self, kind: str, act: str, values: tuple[tuple[str, str], ...] = ()) -> Violation:
        """Name the clause and code for what the kernel itself refuses, and the values that decided it under names in words."""
        clause, code = self.machine.refusals.get(kind, ("", kind.upper()))
        return Violation(clause, code, values, act=act)

    def out_of_turn(self, state: State, move: Move) -> Violation | None:
        """Say why an act does not come now at all: the deal is over, another seat acts, the phase does not know it."""
        if move.act not in self.machine.ruleset.acts or state.over:
            return self.refusal("phase", move.act)
        if move.seat != state.seat:
            return self.refusal("turn", move.act)
        phase = self.machine.phases[state.phase]
        if move.act not in phase.acts and move.act not in phase.auto:
            return self.refusal("phase", move.act)
        return None

    # -- what is physically there ------------------------------------------------------------------------------------

    def missing(self, state: State, move: Move, act: Act) -> Violation | None:
        """Say what is not there: a card that is not held, a group that does not lie, a stack without a top card."""
        if move.cards:
            hand = state.zone(self.machine.hand)[move.seat]
            short = 0
            for card in set(move.cards):
                short += max(0, move.cards.count(card) - hand[card])
            if short > hand[-1]:
                return self.refusal("held", move.act, (("not held", self._beyond(hand, move.cards)),))
        if act.choose == "card" and len(move.cards) != 1:
            return self.refusal("held", move.act, (("not named", "the card"),))
        if act.choose == "option" and not self._answers(act, move.option):
            return self.refusal("target", move.act)
        if act.choose == "part":
            if act.top and not self.stack(state, act.top, move.seat).cards:
                return self.refusal("target", move.act)
            if move.group != NEW_GROUP and self.find(state, move, act) is None:
                return self.refusal("target", move.act)
            if not move.cards and not act.top:
                return self.refusal("held", move.act)
        if act.choose == "groups":
            lie = [g.gid for g in self.groups(state, act, move.seat) if g.gid in (move.group, move.other)]
            if lie != [move.group, move.other]:
                return self.refusal("target", move.act)
        return None

    def _beyond(self, hand: Sequence[int], cards: Sequence[int]) -> str:
        """Write the cards of which a hand does not hold so many."""
        deck = self.machine.deck
        lacking = [max(0, n - h) for n, h in zip(deck.bag(cards), hand, strict=True)]
        return " ".join(map(deck.name, listed(lacking)))

    def _answers(self, act: Act, option: int) -> bool:
        return act.option_type is not None and option in [act.option_type.words.index(w) for w in act.options]

    def _place(self, name: str) -> Callable[[State, int], Any]:
        """Make a function of a state and a seat that finds the content of a zone: the seat's, its side's or the table's."""
        zone = self.machine.ruleset.zones[name]
        content: Callable[[State], Any] = attrgetter(ZONE_SLOTS[zone.index])
        if zone.of is Owner.TABLE:
            return lambda state, _seat: content(state)
        if zone.of is Owner.SEAT:
            return lambda state, seat: content(state)[seat]
        return lambda state, seat: content(state)[state.side_of[seat]]

    def stack(self, state: State, name: str, seat: int) -> Stack:
        """Find a stack by the name of its zone."""
        found: Stack = self._places[name](state, seat)
        return found

    def groups(self, state: State, act: Act, seat: int) -> list[Group]:
        """Find the groups that a part of this act can join: those of the acting side, or of the table."""
        found: list[Group] = self.groups_of[act.name](state, seat)
        return found

    def find(self, state: State, move: Move, act: Act) -> Group | None:
        """Find the group that a part joins."""
        return next((g for g in self.groups(state, act, move.seat) if g.gid == move.group), None)

    # -- parts -------------------------------------------------------------------------------------------------------

    def grown(self, state: State, move: Move, act: Act) -> Group:
        """Make the group as it would lie after a part."""
        if act.choose == "groups":
            return self._united(state, move, act)
        came = move.cards
        if act.top:
            came = (*came, self.stack(state, act.top, move.seat).cards[-1])
        old = self.find(state, move, act) if move.group != NEW_GROUP else None
        if old is None:
            return self._new_group(state, came)
        group = old.copy()
        group.cards, group.added = cards, added = old.cards[:], old.added[:]
        for card in came:
            cards[card] += 1
            added[card] += 1
        group.size += len(came)
        return self.machine.shapes.enlarge(group, came)

    def _new_group(self, state: State, cards: tuple[int, ...]) -> Group:
        """Make a new group; its shape, and what may join it, follow from its cards, and are found once."""
        model = self._begun.get(cards)
        if model is None:
            if len(self._begun) >= MOST_MODELS:
                self._begun.clear()
            model = self._begun[cards] = self.machine.shapes.settle(Group(0, NOBODY, 0, self.machine.deck.bag(cards)))
            model.takes = self.machine.shapes.takes(model)
        group = model.copy()
        group.gid, group.turn, group.takes = state.next_gid, state.turn_no, model.takes
        return group

    def _united(self, state: State, move: Move, act: Act) -> Group:
        """Make one group of two: it keeps the turn and the marks of the one that stays, and has the form that both have, or none."""
        stays, goes = [g for g in self.groups(state, act, move.seat) if g.gid in (move.group, move.other)]
        group = stays.copy()
        group.cards = [a + b for a, b in zip(stays.cards, goes.cards, strict=True)]
        group.added = [a + b for a, b in zip(stays.added, goes.added, strict=True)]
        group.size, group.was = stays.size + goes.size, max(stays.was, goes.was)
        return self.machine.shapes.settle(group) if stays.shape == goes.shape else self.machine.shapes.unshaped(group)

    def faults_of_part(self, move: Move, act: Act, group: Group) -> Iterator[Violation]:
        """Find what no later part can mend in a group as it would lie: no shape, more of a kind than any bound allows."""
        if (move.group == NEW_GROUP and act.target == "old") or (move.group != NEW_GROUP and act.target == "new"):
            yield self.refusal("target", move.act)
        if group.shape == NOBODY:
            yield self.refusal("shape", move.act)
            return
        form = self.machine.shapes.forms[group.shape]
        if group.was and not form.grows:
            yield self.refusal("target", move.act)
        if not form.may_grow_right(group):
            for check in self.machine.broken_bounds(group.shape, group.body, group.filler):
                yield Violation(check.clause, check.code, act=move.act)

    # -- commits and plain acts --------------------------------------------------------------------------------------

    def answering(self, state: State, move: Move) -> Iterator[tuple[str, Part | None, Group | None]]:
        """List what an act answers for: a commit for every group of the play, with the part that stands for it; then for itself."""
        if self.machine.ruleset.acts[move.act].commit and state.draft:
            for part, group in self.laid_groups(state):
                yield self.machine.act_names[part.act], part, group
        yield move.act, None, None

    def broken(self, state: State, move: Move, act: Act) -> Iterator[Violation]:
        """Find every demand that an act breaks; a commit answers for all parts laid since the last one."""
        if act.commit and state.draft:
            yield from self._broken_by_parts(state, move.seat)
        context = self.context(state, move)
        yield from self._failed(self.machine.checks[move.act], state, context, move.seat, move.act)

    def misshapen(self, group: Group, act: str) -> Iterator[Violation]:
        """Find what is wrong with the form of a group as it lies."""
        if group.shape == NOBODY:
            yield self.refusal("shape", act)
        elif not self.machine.shapes.forms[group.shape].allows(group):
            for check in self.machine.broken_bounds(group.shape, group.body, group.filler):
                yield Violation(check.clause, check.code, act=act)

    def nothing_chosen(self) -> Context:
        """Make a context of an act in which nothing is chosen."""
        context = Context()
        context.runtime = self.runtime
        return context

    def context(self, state: State, move: Move) -> Context:
        """Make what an act gives to the expressions that judge it."""
        context = Context()
        context.runtime = self.runtime
        if move.cards:
            context.card = move.cards[0]
        if move.option >= 0:
            context.option = move.option
        left = self.machine.lefts[move.act]
        if left is not None:
            context.left = left(state, context, move.seat, state.side_of[move.seat])
        return context

    def _broken_by_parts(self, state: State, seat: int) -> Iterator[Violation]:
        for part, group in self.laid_groups(state):
            act = self.machine.act_names[part.act]
            if self.formed(state, part):
                yield from self.misshapen(group, act)
            context = self.context_of_part(part, group)
            yield from self._failed(self.machine.checks[act], state, context, seat, act)

    def laid_groups(self, state: State) -> list[tuple[Part, Group]]:
        """List the groups of the current play, each with the part that took a top card there, else with its first part.

        A group that cards were laid to and that was made of two is listed with a part of either sort.
        """
        found: dict[tuple[int, bool], Part] = {}
        for part in state.parts:
            if part.stage == state.stage:
                key = (part.gid, part.unites)
                if key not in found or part.top >= 0:
                    found[key] = part
        return [(part, group) for part in found.values() if (group := self.lying(state, part)) is not None]

    def formed(self, state: State, part: Part) -> bool:
        """Ask whether a part answers for the form of its group: one that laid cards there does, before one that united two."""
        return not part.unites or not any(
            p.gid == part.gid and p.stage == part.stage and not p.unites for p in state.parts
        )

    def lying(self, state: State, part: Part) -> Group | None:
        """Find the group that a part went to."""
        return lying(state, part)

    def context_of_part(self, part: Part, group: Group) -> Context:
        """Make what a part gives to the expressions that judge it: the final group and what came to it from the hand."""
        context = Context()
        context.runtime = self.runtime
        context.group = group
        context.top_card = part.top
        from_hand = group.added[:]
        if part.top >= 0:
            from_hand[part.top] -= 1
        context.from_hand = from_hand
        return context

    def _failed(
        self, checks: tuple[Check, ...], state: State, context: Context, seat: int, act: str
    ) -> Iterator[Violation]:
        side = state.side_of[seat]
        for check in checks:
            if (check.when is None or check.when(state, context, seat, side)) and not check.that(
                state, context, seat, side
            ):
                yield Violation(check.clause, check.code, act=act)
