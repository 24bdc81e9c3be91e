"""Which acts are legal: candidates one part at a time, and a look ahead that no accepted part strands its player."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from canasta.kernel.acts import NEW_GROUP, Move, Ruling
from canasta.kernel.candidates import Candidates
from canasta.kernel.judge import Bounds, Judge
from canasta.kernel.state import Group, Stack, State
from canasta.kernel.turn import Turn
from canasta.language.ruleset import Act, Form, Owner

DEFAULT_BUDGET: Final = 3000
"""How many positions a look ahead may visit before it answers that it does not know."""

MOST_PLAIN: Final = 40
"""How many acts that are no parts a look ahead does one after the other before it answers that it does not know."""

FEW: Final = 3
"""With no more cards than these left, a look ahead lays one at a time: some must often be kept to end the turn with."""


class Answer(IntEnum):
    """What a look ahead found; a spent budget is never a silent no."""

    NO = 0
    YES = 1
    UNKNOWN = 2


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal acts of the seat to act, in the order of the rule set; and those whose look ahead spent its budget."""

    moves: tuple[Move, ...]
    unknown: tuple[Move, ...] = ()


@dataclass(slots=True)
class _Search:
    """One look ahead: what it may still spend, the positions that led nowhere, and whether none has done so yet."""

    budget: int
    seen: set[tuple[object, ...]] = field(default_factory=set)
    first: bool = True
    descending: bool = True
    plain: int = 0
    """How many acts that are no parts lie on the way to the position that is looked at."""
    disturbed: bool = False
    """Whether there was any such act, so that positions may differ in more than what parts change."""
    tried: frozenset[Move] = frozenset()
    """Parts that were tried where the way branched off and led nowhere: as the order of parts never matters, they need not come later."""
    signs: dict[int, tuple[Group, int]] = field(default_factory=dict)
    """For each group that was met, by its identity, a number that it shares with all that lie alike."""
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    nowhere: set[tuple[object, ...]] = field(default_factory=set)
    """Positions of which earlier look aheads from the same position have shown that they lead nowhere."""


def _cards(content: Any) -> Any:  # noqa: ANN401 - a stack, a bag, or a list of them
    """Give the cards of a zone as plain lists, those of stacks in their order."""
    if isinstance(content, Stack):
        return content.cards
    return [_cards(one) for one in content] if content and not isinstance(content[0], int) else content


def _worst(answers: list[Answer]) -> Answer:
    """Join what follows from answers each of which must lead on: no if one does not, open if one is open."""
    return Answer.NO if Answer.NO in answers else max(answers, default=Answer.YES)


def _best(answers: list[Answer]) -> Answer:
    """Join what follows from answers of which one is enough; nobody answers where there is nothing to answer."""
    return Answer.YES if Answer.YES in answers or not answers else max(answers)


@dataclass(slots=True)
class Listing:
    """Lists legal acts by the judge's own verdicts."""

    turn: Turn
    judge: Judge
    bounds: Bounds | None = None
    budget: int = DEFAULT_BUDGET
    unsettled: int = 0
    """How often a question whether something is possible stayed open because a budget was spent; the judge then is not certain."""
    _candidates: Candidates = field(init=False)
    _from: tuple[State, tuple[object, ...], _Search] | None = None
    """The position from which was looked ahead last; what has led nowhere from it, the next look ahead need not try again."""

    def __post_init__(self) -> None:
        """Make ready what lists candidates."""
        self._candidates = Candidates(self.judge, self.bounds)

    def legal(self, state: State) -> Legal:
        """List every legal act; a part is legal when some way to end the turn follows it."""
        moves: list[Move] = []
        unknown: list[Move] = []
        for move in self.candidates(state):
            answer = self.settles(state, move)
            if answer is Answer.YES:
                moves.append(move)
            elif answer is Answer.UNKNOWN:
                unknown.append(move)
        return Legal(tuple(moves), tuple(unknown))

    def candidates(self, state: State) -> list[Move]:
        """List the acts that the judge would accept as they stand; of parts the smallest, from which all others are built."""
        return self._candidates.of(state)

    # -- looking ahead -----------------------------------------------------------------------------------------------

    def settles(self, state: State, move: Move) -> Answer:
        """Ask whether a candidate is legal: a part if the turn can still be ended, a safe act whatever the answer."""
        act = self.turn.machine.ruleset.acts[move.act]
        if act.lays:
            return self.leads_on(state, self.turn.carry_out(state, move))
        return self._safe(state, move) if act.safe else Answer.YES

    def leads_on(self, before: State, after: State) -> Answer:
        """Ask whether a part is legal that led from one state to another: the turn can be ended, or unseen cards were drawn."""
        if self._revealed(before, after):
            return Answer.YES
        search = self._searching_from(before)
        found = self._finish(after, after.turn_no, after.seat, search)
        if found is Answer.NO and not search.disturbed:
            search.nowhere |= search.seen
        return found

    def _searching_from(self, state: State) -> _Search:
        """Begin a look ahead that knows what others from the same position have found to lead nowhere."""
        last, hand = self._from, state.zone(self.turn.machine.hand)[state.seat]
        here = (state.turn_no, state.phase, state.stage, len(state.parts), tuple(hand))
        if last is None or last[0] is not state or last[1] != here:
            last = self._from = (state, here, _Search(self.budget))
        known = last[2]
        return _Search(self.budget, signs=known.signs, numbers=known.numbers, nowhere=known.nowhere)

    def _safe(self, state: State, move: Move) -> Answer:
        asked = self.turn.carry_out(state, move)
        if asked.seat == state.seat:
            return self.can_finish(asked)
        worst = Answer.YES
        for answer in self.candidates(asked):
            after = self.turn.carry_out(asked, answer)
            found = self.can_finish(after)
            if found is Answer.NO:
                return Answer.NO
            worst = max(worst, found)
        return worst

    def can_finish(self, state: State, budget: int | None = None) -> Answer:
        """Ask whether the seat to act can end its turn, or has ended it."""
        return self._finish(state, state.turn_no, state.seat, _Search(budget or self.budget))

    def _finish(self, state: State, turn_no: int, seat: int, search: _Search) -> Answer:
        if state.over or state.turn_no != turn_no or state.seat != seat:
            return Answer.YES
        if self._can_close(state):
            return Answer.YES
        if search.nowhere and not search.disturbed and self._key(state, search) in search.nowhere:
            return Answer.NO
        if not search.descending and self._met(state, search):
            return Answer.NO
        search.budget -= 1
        if search.budget < 0:
            return Answer.UNKNOWN
        if search.descending:
            return self._descend(state, turn_no, seat, search)
        return Answer.NO if self._hopeless(state) else self._try(state, turn_no, seat, search)

    def _descend(self, state: State, turn_no: int, seat: int, search: _Search) -> Answer:
        """Go down the first way, which often leads on, before asking for a proof that there is none; at the first position ask."""
        first, search.first = search.first, False
        if first and self._hopeless(state):
            return Answer.NO
        easiest, found = self._easiest(state), Answer.NO
        if easiest is not None:
            after = self.turn.carry_out(state, self._widened(state, easiest))
            found = Answer.YES if self._revealed(state, after) else self._finish(after, turn_no, seat, search)
            if found is Answer.YES:
                return found
        search.descending = False
        if self._met(state, search) or (not first and self._hopeless(state)):
            return found
        # What the first way left open stays open, unless another way leads on.
        return Answer(self._try(state, turn_no, seat, search) or found)

    def _try(self, state: State, turn_no: int, seat: int, search: _Search) -> Answer:
        worst = Answer.NO
        tried, search.tried = set(search.tried), frozenset()
        for move in self._later(state):
            if move in tried:
                continue
            after = self.turn.carry_out(state, move)
            if self._revealed(state, after):
                return Answer.YES
            in_line = (after.stage, after.phase) == (state.stage, state.phase)
            search.tried = frozenset(tried) if in_line else frozenset()
            found = self._finish(after, turn_no, seat, search)
            search.tried = frozenset()
            if found is Answer.YES:
                return found
            worst = max(worst, found)
            if in_line and move.other == NEW_GROUP:
                tried.add(move)
        for name in self.turn.machine.phases[state.phase].acts:
            act = self.turn.machine.ruleset.acts[name]
            for move in () if act.lays else self._candidates.of_act(state, act.name):
                found = self._do(state, move, act, seat, search)
                if found is Answer.YES:
                    return found
                worst = max(worst, found)
        return worst

    def _do(self, state: State, move: Move, act: Act, seat: int, search: _Search) -> Answer:
        """Ask whether an act that is no part leads on; where another seat is asked, by any answer, or by each if the act is safe.

        Nobody may count on a card that he has not seen yet.
        """
        after = self.turn.carry_out(state, move)
        if after.over or after.turn_no != state.turn_no:
            return Answer.YES
        if self._drew(state, after):
            return Answer.NO
        if search.plain >= MOST_PLAIN:
            return Answer.UNKNOWN
        search.plain += 1
        search.disturbed = True
        if after.seat == seat:
            found = self._finish(after, state.turn_no, seat, search)
        else:
            answered = (self.turn.carry_out(after, answer) for answer in self.candidates(after))
            answers = [self._finish(one, state.turn_no, seat, search) for one in answered]
            found = (_worst if act.safe else _best)(answers)
        search.plain -= 1
        return found

    def _met(self, state: State, search: _Search) -> bool:
        """Ask whether such a position was met before, and remember it."""
        key = self._key(state, search)
        met = key in search.seen
        search.seen.add(key)
        return met

    def _widened(self, state: State, move: Move) -> Move:
        """Let a part take all cards of its kind from a hand of many, where its group stays right or can become right."""
        cards = move.cards
        hand = state.zone(self.turn.machine.hand)[state.seat]
        act = self.turn.machine.ruleset.acts[move.act]
        if act.top or not cards or cards.count(cards[0]) < len(cards) or sum(hand) - hand[cards[0]] < FEW:
            return move
        wide = move._replace(cards=cards[:1] * hand[cards[0]])
        return (
            wide
            if next(self.judge.faults_of_part(wide, act, self.judge.grown(state, wide, act)), None) is None
            else move
        )

    def _hopeless(self, state: State) -> bool:
        return self.bounds is not None and self.bounds.hopeless(state)

    def _later(self, state: State) -> list[Move]:
        """List the parts that may come next, those first that most often lead to an end of the turn.

        A group that is wrong as it lies must be mended whatever else is laid, so what can mend it comes first.
        """
        fills = self.turn.machine.only_fills
        touched = {part.gid for part in state.parts if part.stage == state.stage}
        wrong: set[int] = set()
        if state.draft and not state.parts_fine:
            wrong = {group.gid for _, group in self.judge.wrong_groups(state, state.seat)}

        def rank(move: Move) -> tuple[bool, bool, int, int]:
            spent = sum([fills[card] for card in move.cards])
            return move.group not in wrong, move.group not in touched, len(move.cards), spent

        return sorted(self._parts(state), key=rank)

    def _easiest(self, state: State) -> Move | None:
        """Find the part with which to empty a hand: fillers go where cards need them, and those that are left over go last."""
        fills = self.turn.machine.only_fills

        def cost(move: Move) -> tuple[bool, int, int]:
            spent = sum([fills[card] for card in move.cards])
            return (spent > 0 and len(move.cards) == 1, spent, len(move.cards))

        return min(self._parts(state), key=cost, default=None)

    def _parts(self, state: State) -> list[Move]:
        """List the parts that may come next; of those that no rule can tell apart the first."""
        found = self._candidates.parts_of(state)
        deck = self.turn.machine.deck
        if not deck.by_face:
            return found
        first: dict[tuple[object, ...], Move] = {}
        for move in found:
            first.setdefault((move.act, move.group, move.other, *sorted([deck.alike[k] for k in move.cards])), move)
        return list(first.values())

    def _can_close(self, state: State) -> bool:
        machine = self.turn.machine
        for name in machine.phases[state.phase].acts:
            if name in machine.closing:
                act = machine.ruleset.acts[name]
                if act.choose in ("none", "card") and self.judge.closing(state, act) is not None:
                    return True
                if name in machine.nested_closers and any(
                    self._closed(state, m) for m in self._candidates.of_act(state, act.name)
                ):
                    return True
        return False

    def _closed(self, state: State, move: Move) -> bool:
        after = self.turn.carry_out(state, move)
        return after.over or after.turn_no != state.turn_no

    def _revealed(self, before: State, after: State) -> bool:
        """Ask whether a play drew cards that nobody had seen: what follows from them is not the player's to foresee."""
        return after.stage != before.stage and self._drew(before, after)

    def _drew(self, before: State, after: State) -> bool:
        hidden = self.turn.machine.hidden
        return any(len(before.zone(i).cards) != len(after.zone(i).cards) for i in hidden)

    def _key(self, state: State, search: _Search) -> tuple[object, ...]:
        """Describe a position so that two with the same description have the same future; the numbers of new groups do not count."""
        machine = self.turn.machine
        # A group is judged by the act that laid cards there, and by the one that united two.
        laid: dict[int, int] = {}
        united: dict[int, int] = {}
        for part in state.parts:
            if part.stage == state.stage:
                by = united if part.unites else laid
                if part.gid not in by or part.top >= 0:
                    by[part.gid] = part.act
        groups = sorted(
            (self._sign(g, search), laid.get(g.gid, -1), united.get(g.gid, -1))
            for index, _ in machine.part_zones
            for groups in self._lists(state, index)
            for g in groups
        )
        hand = state.zone(machine.hand)[state.seat]
        found: tuple[object, ...] = (state.phase, state.stage, self._told_apart(hand), tuple(groups))
        if search.disturbed:
            found += (*(repr(_cards(state.zone(z.index))) for z in machine.zones if z.form is not Form.GROUPS),)
        if state.stage or search.disturbed:
            found += (*(repr(state.variable(v.index)) for v in machine.ruleset.state.values()),)
        return found

    def _sign(self, group: Group, search: _Search) -> int:
        """Number a group so that two with the same number lie alike; the numbers of those that are new do not count."""
        known = search.signs.get(id(group))
        if known is None:
            g = group
            cards, added = self._told_apart(g.cards), self._told_apart(g.added)
            facts = (g.gid if g.was else 0, g.shape, g.was, g.turn, cards, added, g.marks)
            known = search.signs[id(group)] = (group, search.numbers.setdefault(facts, len(search.numbers)))
        return known[1]

    def _told_apart(self, bag: list[int]) -> tuple[int, ...]:
        """Count cards by what the rules can tell of them."""
        deck = self.turn.machine.deck
        if not deck.by_face:
            return tuple(bag)
        counts = [0] * len(bag)
        for kind, n in enumerate(bag):
            if n:
                counts[deck.alike[kind]] += n
        return tuple(counts)

    def _lists(self, state: State, index: int) -> list[list[Group]]:
        content = state.zone(index)
        return [content] if self.turn.machine.zones[index].of is Owner.TABLE else content

    def strands(self, state: State, move: Move) -> Ruling:
        """Judge an act by what can follow it: illegal if it surely leaves its player without a way to end the turn.

        A part that settles nothing strands nobody: it can be taken back.
        """
        if self.turn.machine.ruleset.acts[move.act].lays:
            after = self.turn.carry_out(state, move)
            answer = Answer.YES if after.stage == state.stage else self.leads_on(state, after)
        else:
            answer = self._safe(state, move)
        if answer is Answer.YES:
            return Ruling.LEGAL
        hand = state.zone(self.turn.machine.hand)[state.seat]
        return Ruling.UNKNOWN if hand[-1] or answer is Answer.UNKNOWN else Ruling.ILLEGAL

    def stuck(self, state: State) -> bool:
        """Say whether the seat to act, whose cards are known, has no legal act at all; cheap questions are asked first."""
        hand = state.zone(self.turn.machine.hand)[state.seat]
        if state.over or state.draft or hand[-1]:
            return False
        for act in self.turn.machine.easy_first[state.phase]:
            if act.choose == "option":
                return False
            if act.lays or act.safe:
                if any(self.settles(state, m) is not Answer.NO for m in self._candidates.of_act(state, act.name)):
                    return False
            elif self._closes(state, act) or self._candidates.of_act(state, act.name):
                return False
        return True

    def _closes(self, state: State, act: Act) -> bool:
        return bool(self.turn.machine.closers[act.name]) and self.judge.closing(state, act) is not None

    # -- possibilities that expressions ask for ----------------------------------------------------------------------

    def possible(self, state: State, act: str, *, onto: bool) -> bool:
        """Say whether the seat to act has a legal act of that name, with ``onto`` one that joins a group that lies already."""
        rule = self.turn.machine.ruleset.acts[act]
        if act not in self.turn.machine.phases[state.phase].acts:
            return False
        wanted = [m for m in self._candidates.of_act(state, act) if not (onto and rule.lays) or m.group != NEW_GROUP]
        doubt = False
        for move in wanted:
            answer = self.settles(state, move)
            if answer is Answer.YES:
                return True
            doubt = doubt or answer is Answer.UNKNOWN
        self.unsettled += doubt
        return doubt
