"""A table of the reference in the middle of a deal, as those who make turns up look at it."""

from collections.abc import Sequence
from typing import Any, Final

from canasta.kernel.acts import Move, RefusedError
from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.state import Group, State
from canasta.language.ruleset import Owner
from canasta.notation.record import Written

UNSURE: Final = frozenset(("cannot be known",))
"""What the reference answers where its look-ahead has spent its budget."""


class Situation:
    """One deal of the reference as it stands."""

    def __init__(self, game: Game, state: State) -> None:
        """Look at a state of a game."""
        self.game, self.state = game, state
        self.zones = {name: zone.index for name, zone in game.ruleset.zones.items()}

    def zone(self, state: State, name: str) -> Any:  # noqa: ANN401 - a zone holds a stack, a bag or groups, or a list of them
        """Give what lies in a zone."""
        return state.zone(self.zones[name])

    def stack(self, name: str) -> Sequence[int]:
        """List the cards of a stack, the top one last; none where the game has no such stack."""
        cards: Sequence[int] = self.zone(self.state, name).cards if name in self.zones else ()
        return cards

    def hand(self, state: State | None = None) -> list[int]:
        """List the cards of the player in turn."""
        there = self.state if state is None else state
        return listed(there.zone(self.game.machine.hand)[self.state.turn_seat][:-1])

    def own_groups(self) -> list[Group]:
        """List the groups that the player in turn may add to."""
        if "melds" not in self.zones:
            return []
        content = self.zone(self.state, "melds")
        match self.game.ruleset.zones["melds"].of:
            case Owner.TABLE:
                return list(content)
            case Owner.SEAT:
                return list(content[self.state.turn_seat])
            case _:
                return list(content[self.state.side_of[self.state.turn_seat]])

    def wild(self, card: int) -> bool:
        """Ask whether a card may stand for others."""
        return "wild" in self.game.deck.classes and bool(self.game.deck.classes["wild"][card])

    def act(self, *kinds: Written) -> str:
        """Name the act of the rule set that is written in one of these ways, the first that there is; else nothing."""
        acts = self.game.ruleset.acts.values()
        return next((act.name for kind in kinds for act in acts if act.written == kind), "")

    def ending(self, *kinds: Written) -> str:
        """Name the act by which a turn ends that is written in one of these ways: of acts written alike the one that comes last."""
        acts = list(self.game.ruleset.acts.values())
        return next((act.name for kind in kinds for act in reversed(acts) if act.written == kind), "")

    def kind(self, move: Move) -> Written:
        """Say how an act is written."""
        return Written(self.game.ruleset.acts[move.act].written)

    def ask_reference(self, moves: Sequence[Move]) -> tuple[State, frozenset[str]]:
        """Give the state after the moves, or the state before them and the codes of the first that was refused.

        Picking the pile up follows from the take as soon as it may; what keeps it from that is told when something else is done.
        """
        state = self.state
        try:
            for move in moves:
                pick = self._pick(state)
                if pick and not self._still_shown(state, move):
                    state = self.game.apply(state, Move(pick, state.seat))
                state = self.game.apply(state, move)
            pick = self._pick(state)
            if pick:
                state = self.game.apply(state, Move(pick, state.seat))
        except RefusedError as refused:
            return self.state, frozenset(refused.verdict.codes) or UNSURE
        return state, frozenset()

    def _pick(self, state: State) -> str:
        """Name the act that follows by itself in this phase: the rest of the pile is picked up."""
        auto = self.game.machine.phases[state.phase].auto
        acts = self.game.ruleset.acts
        return auto[0] if auto and not state.over and acts[auto[0]].written == Written.PICK else ""

    def _still_shown(self, state: State, move: Move) -> bool:
        """Ask whether an act may come before the rest of the pile is picked up: laying what is in the hand already."""
        hand = state.zone(self.game.machine.hand)[state.seat]
        return move.act == "lay" and all(hand[card] >= move.cards.count(card) for card in move.cards)
