"""Drawing the table: the seats around it, what lies in the middle, and what lies before each side.

Nothing here knows a game: which places there are, who owns them and who sees them is declared by the rule set.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.language.ruleset import Form, Owner, Seen, Variable, Zone
from canasta.language.types import BAG, BOOL, SEAT
from canasta.playing.cards import CardNames
from canasta.playing.seats import Seats, seats_of

WIDTH: Final = 88
_FLANK: Final = 22
_MIDDLE: Final = 34
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_RED: Final = re.compile(r"(?<!\w)(?:[2-9TJQKA]|10)[♦♥]")
_BOX: Final = {"round": "╭─╮│╰╯", "plain": "+-+|++"}
_TIE: Final = "\N{NO-BREAK SPACE}"
"""Keeps a group on one line until the lines are broken."""

_COUNTED: Final = 5
"""From so many cards on, a group's size is written beside it."""


@dataclass(slots=True)
class Drawing:
    """How to draw: whose eyes (None sees all), names of the players, plain signs only, colour, deal and turn at the top."""

    game: Game
    viewer: int | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    ascii: bool = False
    colour: bool = False
    seat_names: tuple[str, ...] = ()
    headed: bool = True
    seats: Seats = field(init=False)
    names: CardNames = field(init=False)

    def __post_init__(self) -> None:
        """Prepare the names of seats and cards."""
        self.seats = seats_of(self.game.ruleset.table, self.seat_names)
        self.names = CardNames(self.game.ruleset, self.game.deck)

    def draw(self, state: State) -> str:
        """Draw one state; the lines end without a line feed after the last."""
        around = {4: self._four, 2: self._two}.get(len(self.seats.names), self._list)
        head = [*self._head(state), ""] if self.headed else []
        lines = [*head, *around(state), "", *self._sides(state)]
        text = "\n".join(line.rstrip() for line in lines).replace(_TIE, " ")
        if self.ascii:
            text = text.translate({ord("·"): "-", ord("▸"): ">", ord("…"): "."})
        return _RED.sub(lambda m: f"\x1b[31m{m[0]}\x1b[0m", text) if self.colour else text

    # -- the seats around the table ----------------------------------------------------------------------------------

    def _four(self, state: State) -> list[str]:
        """Put seat 0 at the top and go round clockwise."""
        top, right, bottom, left = (
            self._seat(state, seat, wide) for seat, wide in enumerate((True, False, True, False))
        )
        middle = self._middle(state, max(len(left), len(right)) - 2)
        height = max(len(left), len(right), len(middle))
        rows = [
            f"{_at(left, i):<{_FLANK}}  {_at(middle, i):<{_MIDDLE}}  {_at(right, i):<{_FLANK}}" for i in range(height)
        ]
        pad = " " * (_FLANK + 2)
        return [*(pad + line for line in top), *rows, *(pad + line for line in bottom)]

    def _two(self, state: State) -> list[str]:
        top, bottom = (self._seat(state, seat, wide=True) for seat in range(2))
        pad = " " * (_FLANK + 2)
        return [pad + line for line in (*top, *self._middle(state, 1), *bottom)]

    def _list(self, state: State) -> list[str]:
        lines = [line for seat in range(len(self.seats.names)) for line in self._seat(state, seat, wide=True)]
        return [*self._middle(state, 1), *lines]

    def _seat(self, state: State, seat: int, wide: bool) -> list[str]:  # noqa: FBT001 - one of two widths
        """Describe a seat: its name, a mark if it is to act, and its cards as far as they are seen."""
        name = self.seats.names[seat]
        player = self.players.get(name, "")
        acting = not state.over and state.seat == seat
        head = f"{'▸ ' if acting else ''}{name}{f' {player}' if player else ''}"
        width = WIDTH - _FLANK - 2 if wide else _FLANK
        lines = [f"{head} · {self.game.machine.phases[state.phase].name}" if acting else head]
        if seat not in state.playing:
            return [*lines, "sits out"]
        for zone in self._zones(Owner.SEAT):
            content = state.zone(zone.index)[seat]
            if zone.index == self.game.machine.hand:
                lines += textwrap.wrap(self._hand(zone, content, seat), width)
            elif self._size(zone, content):
                lines += textwrap.wrap(f"{zone.name}: {self._content(zone, content, seat, state)}", width)
        lines += textwrap.wrap(", ".join(self._facts(state, Owner.SEAT, seat)), width)
        return lines

    def _hand(self, zone: Zone, content: list[int], seat: int) -> str:
        size = sum(content)
        cards = f"{size} card{'' if size == 1 else 's'}"
        known = size - content[-1]
        if not known or not self._sees(zone, seat, None):
            return cards
        shown = self._cards(listed(content[:-1]))
        return f"{cards}; known: {shown}" if content[-1] else shown

    # -- the middle --------------------------------------------------------------------------------------------------

    def _middle(self, state: State, height: int) -> list[str]:
        """Draw a frame with what belongs to nobody."""
        corner = _BOX["plain" if self.ascii else "round"]
        inner = _MIDDLE - 4
        lines: list[str] = []
        for zone in self._zones(Owner.TABLE):
            content = state.zone(zone.index)
            lines += textwrap.wrap(f"{zone.name} {self._content(zone, content, -1, state)}", inner)
        lines += textwrap.wrap(", ".join(self._facts(state, Owner.TABLE, 0)), inner)
        spare = max(0, height - len(lines))
        lines = [*[""] * (spare // 2), *lines, *[""] * (spare - spare // 2)]
        framed = [f"{corner[3]} {line:<{inner}} {corner[3]}" for line in lines]
        return [
            corner[0] + corner[1] * (inner + 2) + corner[2],
            *framed,
            corner[4] + corner[1] * (inner + 2) + corner[5],
        ]

    # -- the sides ---------------------------------------------------------------------------------------------------

    def _sides(self, state: State) -> list[str]:
        return [line for side in state.sides for line in (*self._side(state, side), "")][:-1]

    def _side(self, state: State, side: int) -> list[str]:
        rules = self.game.ruleset
        facts = self._facts(state, Owner.SIDE, side)
        account = rules.state[rules.table.account]
        if account.of is Owner.SIDE:
            points = state.variable(account.index)[side]
            facts += [f"{table.name} {table.look_up(points)}" for table in rules.steps.values()]
        members = self.seats.party([s for s in range(len(self.seats.names)) if state.side_of[s] == side])
        lines = [f"{members}  {', '.join(facts)}"]
        for zone in self._zones(Owner.SIDE):
            content = state.zone(zone.index)[side]
            if not self._size(zone, content):
                continue
            told = f"{zone.name}: {self._content(zone, content, -1, state)}"
            lines += textwrap.wrap(
                told, WIDTH - 4, initial_indent="    ", subsequent_indent="      ", break_long_words=False
            )
        return lines

    # -- what places hold --------------------------------------------------------------------------------------------

    def _zones(self, of: Owner) -> list[Zone]:
        return [zone for zone in self.game.ruleset.zones.values() if zone.of is of]

    def _size(self, zone: Zone, content: Any) -> int:  # noqa: ANN401 - what a zone holds
        return (
            len(content.cards)
            if isinstance(content, Stack)
            else len(content)
            if zone.form is Form.GROUPS
            else sum(content)
        )

    def _sees(self, zone: Zone, seat: int, state: State | None) -> bool:
        if zone.seen is Seen.ALL or (self.viewer is None and zone.seen is not Seen.NONE):
            return True
        mine = seat == self.viewer if zone.of is Owner.SEAT or state is None else False
        return zone.seen is Seen.OWNER and mine

    def _content(self, zone: Zone, content: Any, seat: int, state: State) -> str:  # noqa: ANN401 - what a zone holds
        """Write what lies in a place, as far as it is seen."""
        if zone.form is Form.GROUPS:
            return "   ".join(self._group(group) for group in self._sorted(content)) or "empty"
        size = self._size(zone, content)
        if not size:
            return "empty"
        if zone.seen is Seen.TOP and isinstance(content, Stack):
            return f"{size}, top {self._cards(content.cards[-1:])}"
        if not self._sees(zone, seat, state):
            return str(size)
        return self._cards(content.cards if isinstance(content, Stack) else listed(content))

    def _sorted(self, groups: Iterable[Group]) -> list[Group]:
        return sorted(groups, key=lambda g: (-g.rank, g.suit, g.gid))

    def _group(self, group: Group) -> str:
        """Write a group: body first, what stands in for it last; unbroken, so that no line ends inside it."""
        forms = self.game.machine.shapes.forms
        body = forms[group.shape].body if group.shape >= 0 else (True,) * len(group.cards)
        cards = listed(group.cards)
        shown = [*(c for c in cards if body[c]), *(c for c in cards if not body[c])]
        words = [self.game.ruleset.marks[m] for m in group.marks]
        words = ([str(group.size)] if group.size >= _COUNTED else []) + words
        words += [] if group.shape >= 0 else ["no meld"]
        return _TIE.join([*(self._card(c) for c in shown), *([f"({', '.join(words)})"] if words else [])])

    def _cards(self, kinds: Iterable[int]) -> str:
        ordered = sorted(kinds, key=lambda k: (-self.game.deck.rank[k], k) if k < self.game.deck.size else (1, k))
        return " ".join(self._card(kind) for kind in ordered)

    def _card(self, kind: int) -> str:
        card = self.names.card(kind)
        return str(card) if self.ascii else card.rank + _SUITS.get(card.suit, card.suit)

    # -- facts -------------------------------------------------------------------------------------------------------

    def _head(self, state: State) -> list[str]:
        parts = [f"Deal {state.deal_no}", f"dealer {self.seats.names[state.dealer]}"]
        parts.append(f"turn {state.turn_no}" if not state.over else f"over: {state.reason}")
        return [f"{' · '.join(parts)} · {self.game.ruleset.name}"]

    def _facts(self, state: State, of: Owner, owner: int) -> list[str]:
        """Write the state variables that are not as they were at the start."""
        found = []
        for variable in self.game.ruleset.state.values():
            if variable.of is of and variable.type != BAG:
                content = state.variable(variable.index)
                value = content if of is Owner.TABLE else content[owner]
                if value != variable.start or variable.name == self.game.ruleset.table.account:
                    found.append(self._fact(variable, value))
        return found

    def _fact(self, variable: Variable, value: int) -> str:
        if variable.type == BOOL:
            return variable.name if value else f"not {variable.name}"
        if variable.type.words:
            return f"{variable.name} {variable.type.words[value]}"
        return f"{variable.name} {self.seats.names[value] if variable.type == SEAT else value}"


def _at(lines: list[str], i: int) -> str:
    return lines[i] if i < len(lines) else ""
