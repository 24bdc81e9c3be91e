"""What was laid in a turn under way, as a position writes it: ``parts lay:555/2; laid start take:QQ^Q/3``.

A part is the act, the cards from the hand, after ``^`` the top card that was taken, and after ``/`` the number of the group
it went to, with the owner and a dot before it when that is not the side whose turn it is. Where a group became part of
another, the cards are those of it that lay before the play. ``parts`` holds what is settled in this turn, ``laid`` the phase
in which the present play began and its parts.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from canasta.diagnostics import Span
from canasta.kernel.effects import every_groups
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Group, Part, State
from canasta.language.ruleset import Act, Owner
from canasta.notation.cards import CardFault, read_cards
from canasta.notation.position_text import Field, Value
from canasta.playing.cards import CardNames
from canasta.playing.seats import Seats

Say = Callable[[str, str, Span | None, str], None]
_PART: Final = re.compile(
    r"(?P<act>[a-z_0-9]+):(?P<cards>[^:^/]*)(?:\^(?P<top>[^:^/]+))?"
    r"/(?:(?P<owner>[A-Za-z0-9]+)\.)?(?P<nth>[1-9][0-9]?)"
)
HINT: Final = "write act:cards/number, such as lay:555/2, or take:QQ^Q/3 with the top card that was taken"


@dataclass(slots=True)
class Laying:
    """Reads and writes what was laid in a turn under way."""

    game: Game
    names: CardNames
    seats: Seats
    say: Say

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, state: State, settled: Field | None, composed: Field | None) -> None:
        """Tell a state, whose cards lie as they lie now, what was laid in this turn."""
        for value in settled.values if settled else ():
            part = self._part(state, value, stage=0)
            if part is not None:
                state.parts.append(part)
        if settled:
            state.stage = 1
        if composed is None:
            return
        first, *rest = composed.values or (Value(""),)
        phase = self.game.ruleset.phases.get(first.text)
        if phase is None:
            hint = f"laid begins with the phase in which the play began: {', '.join(self.game.ruleset.phases)}"
            self.say("PL0007", f"there is no phase {first.text}", first.span or composed.span, hint)
            return
        current = [p for p in (self._part(state, v, stage=state.stage) for v in rest) if p is not None]
        for part, value in zip(current, rest, strict=False):
            self._grow(state, part, value)
        before = state.copy()
        state.parts += current
        state.draft = len(current)
        state.base = self._unlaid(before, current, phase.index)

    def _part(self, state: State, value: Value, stage: int) -> Part | None:
        found = _PART.fullmatch(value.text)
        act = self.game.ruleset.acts.get(found["act"]) if found else None
        if found is None or act is None or not act.lays:
            self.say("PL0011", f"{value.text} is no part of a play", value.span, HINT)
            return None
        zone = self.game.ruleset.zones[act.into]
        owner = self._owner(state, act, found["owner"])
        cards, top = self._kinds(found["cards"], value), self._kinds(found["top"], value) or [NOBODY]
        content = state.zone(zone.index)
        groups: list[Group] = content if zone.of is Owner.TABLE else content[owner if owner is not None else 0]
        nth = int(found["nth"])
        if owner is None or nth > len(groups):
            self.say("PL0011", f"the group that {value.text} went to does not lie there", value.span, HINT)
            return None
        gid, unites = groups[nth - 1].gid, act.choose == "groups"
        return Part(act.index, gid, zone.index, owner, self.game.deck.bag(cards), top[0], stage, unites=unites)

    def _owner(self, state: State, act: Act, name: str | None) -> int | None:
        of = self.game.ruleset.zones[act.into].of
        if of is Owner.TABLE:
            return NOBODY
        if name:
            return self.seats.owner(of, name)
        return state.turn_seat if of is Owner.SEAT else state.side_of[state.turn_seat]

    def _kinds(self, run: str | None, value: Value) -> list[int]:
        cards = read_cards(run) if run else ()
        if isinstance(cards, CardFault):
            self.say(cards.id, cards.message, value.span, cards.hint)
            return []
        kinds = [self.names.kinds(c) for c in cards]
        for card, found in zip(cards, kinds, strict=True):
            if len(found) != 1:
                self.say(
                    "PL0004", f"{card} does not settle which card is meant, or is not in this pack", value.span, ""
                )
        return [k[0] for k in kinds if len(k) == 1]

    def _grow(self, state: State, part: Part, value: Value) -> None:
        """Note in the group, and in what the play has laid, that these cards came there just now."""
        if part.unites:
            self._unite(state, part)
            return
        came = part.cards[:]
        if part.top >= 0:
            came[part.top] += 1
        for groups in every_groups(self.game.machine, state):
            for i, group in enumerate(groups):
                if group.gid == part.gid:
                    groups[i] = grown = group.copy()
                    grown.added = [a + b for a, b in zip(group.added, came, strict=True)]
                    grown.was = grown.size - sum(grown.added)
                    if any(a > c for a, c in zip(grown.added, grown.cards, strict=True)):
                        self.say(
                            "PL0011",
                            f"the group does not hold the cards that {value.text} laid there",
                            value.span,
                            HINT,
                        )
        state.laid = [a + b for a, b in zip(state.laid, came, strict=True)]

    def _unite(self, state: State, part: Part) -> None:
        """Note in a group how much of it lay in one when the play began: the larger of the two that were united."""
        for groups in every_groups(self.game.machine, state):
            for i, group in enumerate(groups):
                if group.gid == part.gid:
                    groups[i] = united = group.copy()
                    lay = group.size - sum(group.added)
                    united.was = max(lay - sum(part.cards), sum(part.cards))

    def _unlaid(self, state: State, parts: list[Part], phase: int) -> State:
        """Work out how things lay before the present play."""
        hand = state.zone(self.game.machine.hand)[state.turn_seat]
        for part in reversed(parts):
            if part.unites:
                self._part_again(state, part)
                continue
            for kind, n in enumerate(part.cards):
                hand[kind] += n
            act = tuple(self.game.ruleset.acts.values())[part.act]
            if part.top >= 0 and act.top:
                self.game.turn.judge.stack(state, act.top, state.turn_seat).push(part.top)
        for groups in every_groups(self.game.machine, state):
            groups[:] = [self._before(g) for g in groups if g.was]
        state.phase, state.seat = phase, state.turn_seat
        state.laid, state.draft, state.base = self.game.deck.empty(), 0, None
        return state

    def _part_again(self, state: State, part: Part) -> None:
        """Put apart two groups that the play united, the one that went as the last of its zone."""
        for groups in every_groups(self.game.machine, state):
            for i, group in enumerate(groups):
                if group.gid == part.gid and any(part.cards):
                    twin = group.copy()
                    twin.cards = [n - c for n, c in zip(group.cards, part.cards, strict=True)]
                    twin.size = sum(twin.cards)
                    twin.was = twin.size - sum(twin.added)
                    groups[i] = self.game.machine.shapes.settle(twin)
                    again = Group(state.next_gid, group.shape, group.turn, part.cards)
                    again.was, again.added = again.size, self.game.deck.empty()
                    groups.append(self.game.machine.shapes.settle(again))
                    state.next_gid += 1
                    return

    def _before(self, group: Group) -> Group:
        if not any(group.added):
            return group
        twin = group.copy()
        twin.cards = [c - a for c, a in zip(group.cards, group.added, strict=True)]
        twin.size, twin.added = sum(twin.cards), self.game.deck.empty()
        return self.game.machine.shapes.settle(twin)

    # -- writing -----------------------------------------------------------------------------------------------------

    def fields(self, state: State) -> Iterator[Field]:
        """Write what was laid in a turn under way; nothing when nothing was."""
        parts = [(p, p.stage == state.stage) for p in state.parts]
        settled = [self._text(state, p) for p, now in parts if not now]
        composed = [self._text(state, p) for p, now in parts if now]
        if settled:
            yield Field("parts", "", tuple(Value(t) for t in settled))
        if composed:
            began = self.game.machine.phases[(state.base or state).phase].name
            yield Field("laid", "", tuple(Value(t) for t in (began, *composed)))

    def _text(self, state: State, part: Part) -> str:
        act = tuple(self.game.ruleset.acts.values())[part.act]
        zone = self.game.ruleset.zones[act.into]
        content: Any = state.zone(zone.index)
        groups: list[Group] = content if zone.of is Owner.TABLE else content[part.owner]
        nth = next((i + 1 for i, g in enumerate(groups) if g.gid == part.gid), 0)
        cards = "".join(str(self.names.card(k)) for k, n in enumerate(part.cards) for _ in range(n))
        top = f"^{self.names.card(part.top)}" if part.top >= 0 else ""
        own = part.owner == self._owner(state, act, None)
        owner = "" if own else f"{self.seats.owners(zone.of)[part.owner]}."
        return f"{act.name}:{cards}{top}/{owner}{nth}"
