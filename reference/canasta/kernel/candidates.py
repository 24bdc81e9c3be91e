"""Candidates: the acts that the judge would accept as they stand; of parts the smallest, from which all others are built.

For each act a function that lists its candidates is made once, so that nothing which the rules settle is looked up in play.
"""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Final

from canasta.kernel.acts import Move
from canasta.kernel.cards import listed
from canasta.kernel.judge import Bounds, Judge
from canasta.kernel.ready import Ready
from canasta.kernel.shapes import Form
from canasta.kernel.state import NOBODY, ZONE_SLOTS, Group, State
from canasta.language.ruleset import Act

Lister = Callable[[State, int, int, list[Move]], None]
"""Adds the candidates of one act for a seat and its side to a list."""

Way = tuple[tuple[tuple[int, int], ...], Move]
"""A way to begin a group: how many cards of each kind a hand needs for it, and the part that begins it."""

Stock = tuple[int, int, tuple[Way, ...]]
"""A kind, how many cards of it a hand must have, and ways to begin a group all of which need that many at least."""

Beginnings = tuple[Form | None, tuple[Stock, ...]]
"""The ways in which groups of a shape can begin, or the shape alone, to be searched for in the hand where they are too many."""


class Candidates:
    """Lists the candidates of each act."""

    def __init__(self, judge: Judge, bounds: Bounds | None) -> None:
        """Know for what functions are made when they are first needed; ``bounds`` may bar a top card whatever is laid with it."""
        self.judge: Final = judge
        self.machine: Final = judge.machine
        self._bounds = bounds
        self._hand: Callable[[State], list[list[int]]] = attrgetter(ZONE_SLOTS[self.machine.hand])
        acts = self.machine.ruleset.acts
        phases = self.machine.phases
        self._listers = Ready[str, Lister](lambda name: self._lister(acts[name]))
        self._by_phase = Ready[int, list[Lister]](lambda p: [self._listers[name] for name in phases[p].acts])
        self._parts_by_phase = Ready[int, list[Lister]](
            lambda p: [self._listers[name] for name in phases[p].acts if acts[name].lays]
        )

    def of(self, state: State) -> list[Move]:
        """List the candidates of the seat to act, in the order of the rule set."""
        found: list[Move] = []
        if not state.over:
            seat = state.seat
            side = state.side_of[seat]
            for lister in self._by_phase[state.phase]:
                lister(state, seat, side, found)
        return found

    def parts_of(self, state: State) -> list[Move]:
        """List those candidates that are parts."""
        found: list[Move] = []
        seat = state.seat
        for lister in self._parts_by_phase[state.phase]:
            lister(state, seat, state.side_of[seat], found)
        return found

    def of_act(self, state: State, act: str) -> list[Move]:
        """List the candidates of one act."""
        found: list[Move] = []
        self._listers[act](state, state.seat, state.side_of[state.seat], found)
        return found

    def _lister(self, act: Act) -> Lister:
        match act.choose:
            case "groups":
                return self._unions(act)
            case "card":
                return self._of_cards(act)
            case "none":
                return self._plain(act)
            case "option":
                return self._answers(act)
            case _:
                return self._parts(act)

    def _plain(self, act: Act) -> Lister:
        moves, commit = self.judge.plain[act.name], act.commit
        judge, keeps = self.judge, self.machine.keeps[act.name]

        def plain(state: State, seat: int, side: int, found: list[Move]) -> None:
            if commit and state.draft and not judge.parts_fine(state, seat):
                return
            if keeps(state, judge.nothing_chosen(), seat, side):
                found.append(moves[seat])

        return plain

    def _answers(self, act: Act) -> Lister:
        words = act.option_type.words if act.option_type else ()
        options = [words.index(word) if words else -1 for word in act.options]
        seats = range(self.machine.ruleset.table.seats)
        moves = [[Move(act.name, seat, option=option) for option in options] for seat in seats]
        judge = self.judge

        def answers(state: State, seat: int, _side: int, found: list[Move]) -> None:
            found += [move for move in moves[seat] if judge.legal(state, move)]

        return answers

    def _of_cards(self, act: Act) -> Lister:
        seats, name = range(self.machine.ruleset.table.seats), act.name
        moves = [[Move(name, seat, (card,)) for card in range(self.machine.deck.size)] for seat in seats]
        mask = self.machine.card_masks[name]
        kinds = [kind for kind in range(self.machine.deck.size) if mask[kind]]
        judge, hand_of, commit = self.judge, self._hand, act.commit
        keeps, keeps_chosen = self.machine.keeps_fixed[name], self.machine.keeps_chosen[name]

        def of_cards(state: State, seat: int, side: int, found: list[Move]) -> None:
            if commit and state.draft and not judge.parts_fine(state, seat):
                return
            context = judge.nothing_chosen()
            if not keeps(state, context, seat, side):
                return
            hand, mine = hand_of(state)[seat], moves[seat]
            if keeps_chosen is None:
                found += [mine[kind] for kind in kinds if hand[kind]]
                return
            for kind in kinds:
                if hand[kind]:
                    context.card = kind
                    if keeps_chosen(state, context, seat, side):
                        found.append(mine[kind])

        return of_cards

    # -- parts -------------------------------------------------------------------------------------------------------

    def _parts(self, act: Act) -> Lister:
        """List the smallest parts: a new group of least size, or one card joining a group."""
        beginning = None if act.target == "old" else self._beginning(act)
        joining = None if act.target == "new" else self._joining(act)
        bounds, size, hand_of, stack_of = (
            self._bounds,
            self.machine.deck.size,
            self._hand,
            self.judge.stack_of.get(act.name),
        )

        def parts(state: State, seat: int, _side: int, found: list[Move]) -> None:
            top, before = NOBODY, len(found)
            if stack_of is not None:
                cards = stack_of(state, seat).cards
                if not cards or cards[-1] >= size:
                    return
                top = cards[-1]
            hand = hand_of(state)[seat]
            if beginning is not None:
                beginning(hand, seat, top, found)
            if joining is not None:
                joining(state, hand, seat, top, found)
            # Whether the top card can be taken at all is a question for bounds, which take longer than to look for a way.
            if (
                top >= 0
                and len(found) > before
                and bounds is not None
                and not state.open
                and bounds.barred(state, act, top)
            ):
                del found[before:]

        return parts

    def _beginning(self, act: Act) -> Callable[[list[int], int, int, list[Move]], None]:
        """List the parts that begin a group, with a top card (-1 for none) in it."""
        ready: dict[tuple[int, int], tuple[Beginnings, ...]] = {}
        name, shapes = act.name, self.machine.shapes

        def prepare(seat: int, top: int) -> tuple[Beginnings, ...]:
            return tuple(self._ways(name, seat, form, top) for form in shapes.forms)

        def beginning(hand: list[int], seat: int, top: int, found: list[Move]) -> None:
            known = ready.get((seat, top))
            if known is None:
                known = ready[seat, top] = prepare(seat, top)
            for form, stocks in known:
                if form is not None:
                    found += [Move(name, seat, tuple(listed(bag))) for bag in shapes.smallest(form, hand, top)]
                for first, least, ways in stocks:
                    if hand[first] >= least:
                        for needs, move in ways:
                            for kind, n in needs:
                                if hand[kind] < n:
                                    break
                            else:
                                found.append(move)

        return beginning

    def _ways(self, act: str, seat: int, form: Form, top: int) -> Beginnings:
        prepared = self.machine.shapes.prepared(form, top)
        if prepared is None:
            return form, ()
        stocks = [
            (k, least, tuple((needs, Move(act, seat, cards)) for needs, cards in ways)) for k, least, ways in prepared
        ]
        return None, tuple(stocks)

    def _joining(self, act: Act) -> Callable[[State, list[int], int, int, list[Move]], None]:
        """List the parts by which a card, or the top card (-1 for none), joins a group that lies."""
        shapes, name = self.machine.shapes, act.name
        size = self.machine.deck.size + 1
        made: list[dict[int, Move]] = [{} for _ in range(self.machine.ruleset.table.seats)]
        groups_of = self.judge.groups_of[act.name]

        def joining(state: State, hand: list[int], seat: int, top: int, found: list[Move]) -> None:
            mine = made[seat]
            for group in groups_of(state, seat):
                takes = group.takes
                if takes is None:
                    takes = group.takes = shapes.takes(group)
                if top >= 0:
                    if top in takes:
                        found.append(Move(name, seat, (), group.gid))
                    continue
                for kind in takes:
                    if hand[kind]:
                        key = group.gid * size + kind
                        move = mine.get(key)
                        if move is None:
                            move = mine[key] = Move(name, seat, (kind,), group.gid)
                        found.append(move)

        return joining

    def _unions(self, act: Act) -> Lister:
        """List the pairs of groups that share a form and what its bodies share, and are right or can become right as one."""
        groups_of, judge = self.judge.groups_of[act.name], self.judge

        def pairs(state: State, seat: int) -> Iterator[tuple[Group, Group]]:
            groups = groups_of(state, seat)
            for i, stays in enumerate(groups):
                for goes in groups[i + 1 :]:
                    if stays.shape >= 0 and (stays.shape, stays.key) == (goes.shape, goes.key):
                        yield stays, goes

        def unions(state: State, seat: int, _side: int, found: list[Move]) -> None:
            for stays, goes in pairs(state, seat):
                move = Move(act.name, seat, (), stays.gid, other=goes.gid)
                group = judge.grown(state, move, act)
                if next(judge.faults_of_part(move, act, group), None) is None:
                    found.append(move)

        return unions
