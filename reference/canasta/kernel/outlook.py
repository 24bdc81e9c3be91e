"""What is not known exactly: cards that nobody has shown, or parts that a player may still lay.

An outlook answers, for the functions of the interval back end, within which bounds each zone, group and part lies.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from canasta.kernel.bounded_groups import AnyGroup, Begun, Lying, raised
from canasta.kernel.machine import Machine
from canasta.kernel.shapes import Form, Layable
from canasta.kernel.state import NOBODY, Group, Part, Possibilities, Stack, State
from canasta.language.intervals import FAR, OPEN, Bag, Many, Range, exactly, truth
from canasta.language.ruleset import Form as ZoneForm
from canasta.language.ruleset import Owner
from canasta.language.types import Op


class Choice:
    """What an act gives to bounded expressions: the same words as a context, each known or within bounds."""

    __slots__ = ("bound", "card", "from_hand", "group", "left", "option", "top_card")

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self.card: int | None = None
        self.option: int | None = None
        self.left: Range = (0, 0)
        self.top_card: int | None = NOBODY
        self.from_hand: Bag | None = None
        self.group: Lying | AnyGroup | None = None
        self.bound: dict[str, Any] = {}


class Outlook:
    """The base of both outlooks: everything exactly as the state has it, as far as its cards are known."""

    exact = True
    """Whether all variables are as the state has them."""

    def __init__(self, machine: Machine, state: State, runtime: Possibilities | None = None) -> None:
        """Look at a state; with ``runtime`` what is possible is asked for, without it stays open."""
        self.machine = machine
        self.state = state
        self.runtime = runtime
        self._unseen: list[int] | None = None
        self._bags: dict[tuple[int, int | None], Bag] = {}
        self._groups: dict[tuple[int, int], Many] = {}
        self._by_number: dict[int, Lying] = {}

    def zone(self, index: int, owner: int | None) -> Bag | Many:
        """Show a zone within bounds."""
        key = (index, owner)
        bag = self._bags.get(key)
        if bag is not None:
            return bag
        if self.machine.zones[index].form is ZoneForm.GROUPS:
            return Many([], FAR) if owner is None else self.groups(index, owner)
        if owner is None:
            return self._any_bag()
        content = self.state.zone(index)
        bag = self._bags[key] = self.bag(index, content if owner < 0 else content[owner], owner)
        return bag

    def _any_bag(self) -> Bag:
        total = self.machine.deck.full()
        return Bag(self.machine.deck.empty(), total, 0, sum(total), None)

    def bag(self, index: int, content: Any, owner: int) -> Bag:  # noqa: ANN401, ARG002 - a stack or a bag; the look ahead asks whose
        """Show a bag or stack within bounds: its known cards, and what its unknown ones can be."""
        counts = content.counts if isinstance(content, Stack) else content
        unknown = counts[-1]
        top: int | None = NOBODY
        if isinstance(content, Stack) and content.cards:
            top = None if content.cards[-1] == self.machine.deck.size else content.cards[-1]
        n = sum(counts)
        if not unknown:
            return Bag(counts, counts, n, n, top)
        low = [*counts[:-1], 0]
        return Bag(low, [c + min(unknown, u) for c, u in zip(low, self.unseen(), strict=True)], n, n, top)

    def unseen(self) -> list[int]:
        """Count the cards of the pack that lie nowhere face up to the recorder."""
        if self._unseen is None:
            rest = self.machine.deck.full()
            for zone in self.machine.ruleset.zones.values():
                content = self.state.zone(zone.index)
                for place in [content] if zone.of is Owner.TABLE else content:
                    bags = (
                        [g.cards for g in place]
                        if zone.form is ZoneForm.GROUPS
                        else [place.counts if isinstance(place, Stack) else place]
                    )
                    for counts in bags:
                        rest = [max(0, r - c) for r, c in zip(rest, counts, strict=True)]
            rest[-1] = 0
            self._unseen = rest
        return self._unseen

    def groups(self, index: int, owner: int) -> Many:
        """Show the groups of a zone."""
        key = (index, owner)
        if key not in self._groups:
            content = self.state.zone(index)
            self._groups[key] = Many([self.lying(g) for g in (content if owner < 0 else content[owner])])
        return self._groups[key]

    def lying(self, group: Group) -> Lying:
        """Show a group."""
        return Lying(group, self)

    def room(self, group: Group) -> tuple[list[int], int, int]:  # noqa: ARG002 - the look ahead asks which group
        """Say what may still come to a group: nothing."""
        return self.machine.deck.empty(), 0, 0

    def coming(self, group: Group) -> tuple[list[int], int]:  # noqa: ARG002 - the look ahead asks which group
        """Say what of each kind the play may still add to a group, and how much in all: nothing."""
        return self.machine.deck.empty(), 0

    def joining(self, group: Group) -> int:  # noqa: ARG002 - the look ahead asks which group
        """Say how many cards that lay before the play may still join a group with a group of their own: none."""
        return 0

    def variable(self, index: int, owner: int | None, numeric: bool) -> Any:  # noqa: ANN401, FBT001 - called by generated code by place
        """Show a variable: within bounds if it is a number, else known or not."""
        content = self.state.variable(index)
        if owner is None:
            if isinstance(content[0], list):
                return self._any_bag()
            return (min(content), max(content)) if numeric else None
        value = content if owner < 0 else content[owner]
        if isinstance(value, list):
            return exactly(value)
        return (int(value), int(value)) if numeric else value

    def laid(self) -> Bag:
        """Show what the current play has laid."""
        return exactly(self.state.laid)

    def parts(self) -> Many:
        """Show the parts of the turn."""
        return Many(self.state.parts)

    def any_group(self) -> AnyGroup:
        """Show a group where it is open which one is meant."""
        return AnyGroup(self.machine.deck.full())

    def group_of(self, part: Part) -> "Lying | AnyGroup":
        """Show the group of a part, wherever its side has moved since."""
        if part.gid not in self._by_number:
            of_table = self.machine.zones[part.zone].of is Owner.TABLE
            for owner in [NOBODY] if of_table else range(len(self.state.zone(part.zone))):
                self._by_number.update((lying.gid, lying) for lying in self.groups(part.zone, owner).known)
        return self._by_number[part.gid]

    def possible(self, act: str, onto: bool) -> Range:  # noqa: FBT001 - called by generated code by place
        """Say whether an act is possible: for sure if the known cards allow it, else open while cards are unknown.

        An unknown card that a demand might look at, as in a stack that may be barred, leaves it open either way.
        """
        if self._obscured():
            return OPEN
        before = 0 if self.runtime is None else self.runtime.unsettled
        if self.runtime is not None and self.runtime.possible(self.state, act, onto=onto):
            return truth(value=True) if self.runtime.unsettled == before else OPEN
        hand = self.state.zone(self.machine.hand)[self.state.seat]
        return OPEN if hand[-1] else truth(value=False)

    def _obscured(self) -> bool:
        for index in looked_at(self.machine):
            content = self.state.zone(index)
            for place in (
                content if isinstance(content, list) and content and isinstance(content[0], Stack | list) else [content]
            ):
                if (place.counts if isinstance(place, Stack) else place)[-1]:
                    return True
        return False


def looked_at(machine: Machine) -> set[int]:
    """Find the zones of which some demand reads the cards and not only how many there are."""
    rules = machine.ruleset
    definitions = rules.definitions
    waiting = [
        e for checks in machine.checks.values() for c in checks for e in (c.when_expr, c.that_expr) if e is not None
    ]
    found = {rules.zones[a.top].index for a in rules.acts.values() if a.top}
    entered: set[str] = set()
    while waiting:
        expr = waiting.pop()
        if expr.op is Op.ZONE and rules.zones[expr.ref].form is not ZoneForm.GROUPS:
            found.add(rules.zones[expr.ref].index)
        if expr.op is Op.DEFINE and expr.ref not in entered:
            entered.add(expr.ref)
            waiting.append(definitions[expr.ref].body)
        sized = expr.op is Op.CALL and expr.ref == "size" and expr.args[0].op is Op.ZONE
        waiting += expr.args[0].args if sized else expr.args
    return found


class Ahead(Outlook):
    """The outlook of a player in mid-play: which cards of the hand may still go down, and where."""

    def __init__(self, machine: Machine, state: State, uniting: frozenset[int]) -> None:
        """Work out once which cards could be in any further part; groups may be united in the zones that are ``uniting``."""
        super().__init__(machine, state)
        self._uniting = uniting
        hand = state.zone(machine.hand)[state.seat]
        held = [(k, n) for k, n in enumerate(hand[:-1]) if n]
        self._held = hand
        zones = machine.own_zones(state)
        self._own = frozenset(zones)
        own = [g for index, owner in zones for g in self._at(index, owner)]
        self._alike = self._could_unite(zones)
        self.placeable = machine.deck.empty()
        self.begun: list[tuple[Form, int, list[tuple[int, int]], int]] = []
        """What groups may be begun: the form, what the body shares, the cards held for it, and how many such groups at most."""
        self._wanting: list[tuple[Form, int, int, list[int]]] = []
        """What bodies need fillers, since no group of them lies: the form, the fillers held, how many body cards, and their kinds."""
        self._placed_by: dict[int, set[int]] = {}
        for form in machine.shapes.forms:
            if form.order and not any(form.filler):
                self._place_in_runs(form, held, [g for g in own if g.shape == form.index and (form.grows or not g.was)])
                continue
            self._place(form, held, {g.key for g in own if g.shape == form.index and (form.grows or not g.was)})
        self.least_left = self._short()
        self._down = [(k, n) for k, n in enumerate(self.placeable) if n]
        self._any: AnyGroup | None = None
        self._laid: Bag | None = None
        self._unions = len(own) + sum([n for *_, n in self.begun]) if uniting else 0

    def _place(self, form: Form, held: list[tuple[int, int]], lying: set[int]) -> None:
        """See which cards of the hand could go to groups of one form, that lie or that could be begun."""
        column, in_body, begins = form.column, form.body, form.begins
        bodies: dict[int, int] = {}
        fillers = 0
        for k, n in held:
            if in_body[k]:
                bodies[column[k]] = bodies.get(column[k], 0) + n
            elif form.filler[k]:
                fillers += n
        most, enough = len(begins) - 1, min(fillers, len(begins[0]) - 1)
        placed = set(lying)
        for key, n in bodies.items():
            if begins[min(n, most)][enough]:
                placed.add(key)
                mine = [(k, m) for k, m in held if (column[k] == key if in_body[k] else form.filler[k])]
                self.begun.append((form, key, mine, (n + fillers) // form.least))
                if key not in lying and n < len(form.layable) and form.layable[n][0] != (0, n):
                    kinds = [k for k, _ in held if in_body[k] and column[k] == key]
                    self._wanting.append((form, fillers, n, kinds))
        for k, n in held:
            if column[k] in placed if in_body[k] else form.filler[k] and placed:
                self._put(form, k, n)

    def _put(self, form: Form, kind: int, n: int) -> None:
        """Note that so many cards of a kind may go down in a form, whatever may go down elsewhere."""
        self.placeable[kind] = min(self._held[kind], self.placeable[kind] + n)
        self._placed_by.setdefault(kind, set()).add(form.index)

    def _short(self) -> int:
        """Find how many cards must stay because too few fillers are held; a card that may go down in another form wants none."""
        stay = 0
        for form, fillers in {(form.index, fillers): (form, fillers) for form, fillers, *_ in self._wanting}.values():
            wanting = [
                (n, form.layable[n])
                for other, _, n, kinds in self._wanting
                if other is form and all(self._placed_by[kind] == {form.index} for kind in kinds)
            ]
            stay += cards_short(wanting, fillers)
        return stay

    def _place_in_runs(self, form: Form, held: list[tuple[int, int]], lying: list[Group]) -> None:
        """See which cards of the hand could go to runs that nothing fills: those of a stretch that is long enough, or next to a run."""
        rank, column = self.machine.deck.rank, form.column
        for key in dict.fromkeys(column[k] for k, _ in held if form.body[k]):
            at = {
                form.order.index(rank[k]): (k, n)
                for k, n in held
                if form.body[k] and column[k] == key and rank[k] in form.order
            }
            for stretch in stretches(sorted(at), form.least):
                for place in stretch:
                    self._put(form, *at[place])
                mine = [at[place] for place in stretch]
                self.begun.append((form, key, [(k, 1) for k, _ in mine], sum([n for _, n in mine]) // form.least))
            runs = [g for g in lying if g.key == key]
            bridges = self._places(form, runs) if runs and self._uniting else set()
            for group in runs:
                for place in beside(self._places(form, [group]), at.keys() | bridges):
                    if place in at:
                        self._put(form, at[place][0], 1)

    def _places(self, form: Form, groups: Iterable[Group]) -> set[int]:
        """Find the places in the order of a form at which groups have cards."""
        rank = self.machine.deck.rank
        return {form.order.index(rank[k]) for g in groups for k, n in enumerate(g.cards) if n}

    def _at(self, index: int, owner: int) -> list[Group]:
        content = self.state.zone(index)
        found: list[Group] = content if owner < 0 else content[owner]
        return found

    def bag(self, index: int, content: Any, owner: int) -> Bag:  # noqa: ANN401 - a stack or a bag
        """Show the acting hand as what would be left if every card that can go down did."""
        exact = Outlook.bag(self, index, content, owner)
        if index != self.machine.hand or owner != self.state.seat:
            return exact
        low = [n - p for n, p in zip(exact.low, self.placeable, strict=True)]
        least = exact.size_low - sum(self.placeable) + self.least_left
        return Bag(low, exact.high, least, exact.size_high)

    def _could_unite(self, zones: list[tuple[int, int]]) -> dict[int, tuple[Group, ...]]:
        """Find for each group that may become part of another, or another part of it, the others that share its form and key."""
        found: dict[int, tuple[Group, ...]] = {}
        for index, owner in zones:
            if index in self._uniting:
                groups = self._at(index, owner)
                for group in groups:
                    alike = [g for g in groups if g is not group and (g.shape, g.key) == (group.shape, group.key)]
                    if alike and group.shape >= 0:
                        found[group.gid] = tuple(alike)
        return found

    def groups(self, index: int, owner: int) -> Many:
        """Show the groups of a zone, with those that may still be begun; one that may become part of another is perhaps not there."""
        found = Outlook.groups(self, index, owner)
        if (index, owner) in self._own and not found.maybe:
            maybe: list[tuple[object, int]] = [
                (Begun(form, key, held, self.state.turn_no), n) for form, key, held, n in self.begun if n
            ]
            if self._alike:
                first: set[tuple[int, int]] = set()
                goes: set[int] = set()
                for group in self._at(index, owner):
                    if group.gid in self._alike:
                        if (group.shape, group.key) in first:
                            goes.add(group.gid)
                        first.add((group.shape, group.key))
                maybe += [(lying, 1) for lying in found.known if lying.gid in goes]
                found.known = [lying for lying in found.known if lying.gid not in goes]
            found.maybe = maybe
        return found

    def group_of(self, part: Part) -> "Lying | AnyGroup":
        """Show the group of a part; one that may become part of another may yet be any."""
        if self._any is None and part.gid in self._alike:
            self._any = AnyGroup(self.machine.deck.full())
        return self._any if self._any is not None and part.gid in self._alike else Outlook.group_of(self, part)

    def coming(self, group: Group) -> tuple[list[int], int]:
        """Say what of each kind the play may still add to a group, and how much in all."""
        more, bodies, fillers = self._room_for_cards(group)
        for other in self._alike.get(group.gid, ()):
            more = [a + b for a, b in zip(more, other.added, strict=True)]
            bodies += sum(other.added)
        return more, bodies + fillers

    def joining(self, group: Group) -> int:
        """Say how many cards that lay before the play may still join a group with a group of their own."""
        return sum(g.was for g in self._alike.get(group.gid, ()))

    def room(self, group: Group) -> tuple[list[int], int, int]:
        """Say what may still come to a group from the hand, and from groups that may become part of it."""
        found = self._room_for_cards(group)
        alike = self._alike.get(group.gid, ())
        if not alike:
            return found
        more, bodies, fillers = found
        for other in alike:
            more = [a + b for a, b in zip(more, other.cards, strict=True)]
            bodies, fillers = bodies + other.body, fillers + other.filler
        form = self.machine.shapes.forms[group.shape]
        return more, min(bodies, max(0, form.most[0] - group.body)), min(fillers, max(0, form.most[1] - group.filler))

    def _room_for_cards(self, group: Group) -> tuple[list[int], int, int]:
        more = self.machine.deck.empty()
        if group.shape < 0:
            return more, 0, 0
        form = self.machine.shapes.forms[group.shape]
        if group.was and not form.grows:
            return more, 0, 0
        if form.order and not any(form.filler):
            return self._room_in_run(form, group, more)
        column, key = form.column, group.key
        bodies, fillers = max(0, form.most[0] - group.body), max(0, form.most[1] - group.filler)
        body = filler = 0
        for kind, n in self._down:
            if form.body[kind]:
                if column[kind] == key:
                    more[kind] = min(n, bodies)
                    body += n
            elif form.filler[kind]:
                more[kind] = min(n, fillers)
                filler += n
        return more, min(body, bodies), min(filler, fillers)

    def _room_in_run(self, form: Form, group: Group, more: list[int]) -> tuple[list[int], int, int]:
        """Say which cards of the hand may still come to a run: one for each place that follows on, over runs that it may be united with."""
        deck = self.machine.deck
        at = {form.order.index(deck.rank[k]): k for k, _ in self._down if form.body[k] and form.column[k] == group.key}
        bridges = self._places(form, self._alike.get(group.gid, ()))
        found = [at[p] for p in beside(self._places(form, [group]), at.keys() | bridges) if p in at]
        for kind in found:
            more[kind] = 1
        return more, len(found), 0

    def laid(self) -> Bag:
        """Show what the play has laid, with all that may still come."""
        if self._laid is None:
            self._laid = raised(self.state.laid, self.placeable, sum(self.placeable))
        return self._laid

    def parts(self) -> Many:
        """Show the parts of the turn, with those that may still be laid."""
        return Many(self.state.parts, sum(self.placeable) + self._unions)

    def possible(self, act: str, onto: bool) -> Range:  # noqa: ARG002, FBT001 - called by generated code by place
        """Leave open what may become possible."""
        return OPEN


def stretches(places: Sequence[int], least: int) -> Iterator[list[int]]:
    """Give the stretches of places that follow one another, as far as they are long enough."""
    stretch: list[int] = []
    for place in places:
        if stretch and place != stretch[-1] + 1:
            if len(stretch) >= least:
                yield stretch
            stretch = []
        stretch.append(place)
    if len(stretch) >= least:
        yield stretch


def beside(run: set[int], others: AbstractSet[int]) -> Iterator[int]:
    """Give those of other places that follow on from a run, one after the other, in both directions."""
    if run:
        for place, step in ((min(run), -1), (max(run), 1)):
            while (place := place + step) in others:
                yield place


def cards_short(wanting: Sequence[tuple[int, Layable]], fillers: int) -> int:
    """Find how many cards must stay in the hand because there are too few fillers for the groups that need some.

    ``wanting`` holds for each body how many of its cards are held, and what can be laid of them.
    """
    held = sum([n for n, _ in wanting])
    if sum([ways[-1][0] for _, ways in wanting]) <= fillers:
        return held - sum([ways[-1][1] for _, ways in wanting])
    best = [0] * (fillers + 1)
    for _, ways in wanting:
        best = [max([best[f - need] + n for need, n in ways if need <= f]) for f in range(fillers + 1)]
    return held - best[-1]


Bounded = Callable[[State, Choice, int, int, Outlook], Any]
