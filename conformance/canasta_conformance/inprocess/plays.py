"""Plays counted: how many different whole turns there are, and how many ways to go on for so many turns.

A play is one whole turn of a seat, told by how it leaves the cards: what the player still holds, the melds of the player's side
(or of the table, where there is only one place for them), and the pile. Two turns that leave the same are the same play, in
whatever order things were laid. What `docs/reference/counting.md` says is done here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from canasta.kernel.game import Game
from canasta.kernel.state import Stack, State
from canasta.language.ruleset import Form, Owner

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
NOTHING: Final = "-"
Key = tuple[object, ...]


class UncountedError(ValueError):
    """A position in which the look ahead does not settle what is legal."""


@dataclass(slots=True)
class Plays:
    """Counts plays in one game."""

    game: Game
    known: dict[tuple[Key, int], int] = field(default_factory=dict)
    listed: dict[Key, dict[str, State]] = field(default_factory=dict)

    def count(self, state: State, depth: int) -> int:
        """Count the ways to play so many turns; a deal that is over has none.

        Raises:
            UncountedError: where it is not settled what is legal.
        """
        if depth == 0:
            return 1
        if state.over:
            return 0
        key = (lying(self.game, state), depth)
        if key not in self.known:
            self.known[key] = sum(self.count(after, depth - 1) for after in self.plays(state).values())
        return self.known[key]

    def divide(self, state: State, depth: int) -> dict[str, int]:
        """Count the ways to go on after each first play.

        Raises:
            UncountedError: where it is not settled what is legal.
        """
        plays = {} if state.over else self.plays(state)
        return {play: self.count(after, depth - 1) for play, after in sorted(plays.items())}

    def plays(self, state: State) -> dict[str, State]:
        """List the plays of the seat to act, each with how things stand after it.

        Raises:
            UncountedError: where it is not settled what is legal.
        """
        here = lying(self.game, state)
        if here not in self.listed:
            self.listed[here] = self._plays(state)
        return self.listed[here]

    def _plays(self, state: State) -> dict[str, State]:
        waiting, seen, ends = [state], set[Key](), dict[str, State]()
        while waiting:
            one = waiting.pop()
            if one.over or one.turn_no != state.turn_no:
                ends[self.told(one, state)] = one
                continue
            legal = self.game.legal(one)
            if legal.unknown:
                raise UncountedError("what is legal here cannot be settled")
            for move in legal.moves:
                after = self.game.turn.perform(one, move)
                key = lying(self.game, after)
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)
        return ends

    def told(self, after: State, before: State) -> str:
        """Write a play by what it leaves: hand, melds, pile."""
        seat, rules = before.turn_seat, self.game.ruleset
        side = before.side_of[seat]
        hand = self._cards(after.zone(self.game.machine.hand)[seat])
        melds: list[str] = []
        piles: list[str] = []
        for zone in rules.zones.values():
            content = after.zone(zone.index)
            if zone.form is Form.GROUPS:
                own = content if zone.of is Owner.TABLE else content[seat if zone.of is Owner.SEAT else side]
                melds += [self._cards(group.cards) for group in own]
            elif zone.form is Form.STACK and zone.of is Owner.TABLE and zone.name != rules.table.order:
                piles.append("".join(self.game.deck.name(card) for card in content.cards) or NOTHING)
        ordered = sorted(melds, key=lambda meld: [_place(c) for c in _split(meld)])
        return f"{hand} | {' '.join(ordered) or NOTHING} | {' '.join(piles)}"

    def _cards(self, bag: Iterable[int]) -> str:
        names = [
            self.game.deck.name(kind) for kind, n in enumerate(bag) for _ in range(n) if kind < self.game.deck.size
        ]
        return "".join(sorted(names, key=_place)) or NOTHING


def _place(name: str) -> tuple[int, int]:
    """Find the place of a card in the order in which a play names them: by rank from two to ace, then suit; jokers last."""
    return (len(RANKS), 0) if name == "Jk" else (RANKS.index(name[0]), SUITS.index(name[1]))


def _split(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def lying(game: Game, state: State) -> Key:
    """Say how everything lies, whatever the numbers of the groups and the order in which they were laid."""
    found: list[object] = [
        state.seat, state.phase, state.turn_no, state.over, state.reason, state.stage, bool(state.draft), *state.laid,
    ]  # fmt: skip
    united = {p.gid for p in state.parts if p.unites and p.stage == state.stage}
    for zone in game.ruleset.zones.values():
        content = state.zone(zone.index)
        places = [content] if zone.of is Owner.TABLE else content
        found += [_groups(place, united) if zone.form is Form.GROUPS else _loose(place) for place in places]
    return (*found, *(repr(state.variable(v.index)) for v in game.ruleset.state.values()))


def _groups(place: list[Any], united: set[int]) -> Key:
    return tuple(
        sorted((g.shape, g.was, tuple(g.cards), tuple(g.added), g.turn, g.marks, g.gid in united) for g in place)
    )


def _loose(place: Stack | list[int]) -> tuple[int, ...]:
    return tuple(place.cards if isinstance(place, Stack) else place)
