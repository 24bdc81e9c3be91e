"""The same table in both engines: how a move is said to the second one, and whether things lie alike."""

import sys
from collections.abc import Sequence
from typing import Any

from canasta.kernel.acts import NEW_GROUP, Move
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, State
from canasta.rooms import room
from canasta_conformance.fuzzing.situation import Situation

sys.path.insert(0, str(room("conformance") / "engines"))

from second import acts as second
from second.scoring import red_three_points, side_scores
from second.table import OVER, Table

from second.turn import Verdict, play  # isort: skip


class Tables(Situation):
    """One deal as both engines hold it."""

    def __init__(self, game: Game, state: State, table: Table) -> None:
        """Begins where both have dealt the same pack."""
        super().__init__(game, state)
        self.table = table
        self.variables = {name: variable.index for name, variable in game.ruleset.state.items()}

    def variable(self, state: State, name: str) -> Any:  # noqa: ANN401 - a variable holds a number, a bag, or a list of them
        """What the reference remembers."""
        return state.variable(self.variables[name])

    def names(self, bag: Sequence[int]) -> list[str]:
        """The cards of a bag, in the order of the deck."""
        return [self.game.deck.name(kind) for kind, count in enumerate(bag) for _ in range(count)]

    # How a turn is said to the second engine

    def acts(self, moves: Sequence[Move]) -> list[second.Act]:
        """Moves of a turn as the second engine's acts. Picking the pile up is no act there: it follows from the take."""
        lying = self._lying()
        found = list[second.Act]()
        next_group = self.state.next_gid
        for move in moves:
            act = self._act(move, lying)
            if act is not None:
                found.append(act)
            if move.act in {"take", "lay"} and move.group == NEW_GROUP:
                lying.append(next_group)
                next_group += 1
            elif isinstance(act, second.Unite) and max(act.source, act.onto) < len(lying):
                lying.pop(max(act.source, act.onto))
        return found

    def _lying(self) -> list[int]:
        """The reference's numbers of the groups of the side in turn, in the order in which they lie in the second engine."""
        groups = {group.gid: sorted(self.names(group.cards)) for group in self._groups()}
        found: list[int] = []
        for meld in self.table.own:
            cards = sorted(meld.cards)
            found.append(next(gid for gid, its in groups.items() if its == cards and gid not in found))
        return found

    def _groups(self) -> Any:  # noqa: ANN401 - the groups of one side, of whose making only the reference knows
        return self.zone(self.state, "melds")[self.state.side_of[self.state.turn_seat]]

    def _act(self, move: Move, lying: list[int]) -> second.Act | None:
        cards = tuple(self.game.deck.name(card) for card in move.cards)
        onto = second.NEW if move.group == NEW_GROUP else self._number(move.group, lying)
        match move.act:
            case "draw":
                return second.Draw()
            case "take":
                return second.Take(cards, onto)
            case "lay":
                return second.Lay(cards, onto)
            case "ask":
                return second.Ask()
            case "answer":
                return second.Answer(self._words("answer")[move.option] == "granted")
            case "discard":
                return second.Discard(cards[0])
            case "out":
                return second.Out()
            case "unite":
                return second.Unite(self._number(getattr(move, "other", NEW_GROUP), lying), onto)
            case "show_three":
                return second.Show(cards[0])
            case "decline" | "pass":
                return second.Decline()
            case _:
                return None

    @staticmethod
    def _number(group: int, lying: list[int]) -> int:
        return lying.index(group) if group in lying else len(lying)

    def _words(self, act: str) -> Sequence[str]:
        kind = self.game.ruleset.acts[act].option_type
        return kind.words if kind else ()

    # What both make of it

    def ask_second(self, moves: Sequence[Move]) -> Verdict:
        """The same from the second engine."""
        return play(self.table, self.table.turn, self.acts(moves))

    # Whether things lie alike

    def differences(self, state: State, table: Table) -> list[str]:
        """Everything in which the two differ, in words."""
        pairs: list[tuple[str, object, object]] = [
            ("over", state.over, table.phase == OVER),
            ("reason", state.reason, table.reason),
            (
                "sides",
                [state.side_of.index(side) for side in state.side_of],
                [table.side.index(its) for its in table.side],
            ),
            ("stock", [self.game.deck.name(card) for card in self.zone(state, "stock").cards], table.stock),
            ("pile", [self.game.deck.name(card) for card in self.zone(state, "pile").cards], table.pile),
        ]
        if not state.over:
            pairs.append(("seat", state.seat, table.turn))
        hands = self.zone(state, "hand")
        pairs += [
            (f"hand {seat}", sorted(self.names(hands[seat])), sorted(hand)) for seat, hand in enumerate(table.hands)
        ]
        for side in state.sides:
            seat = state.side_of.index(side)
            ours = sorted(sorted(self.names(group.cards)) for group in self.zone(state, "melds")[side])
            theirs = sorted(sorted(meld.cards) for meld in table.melds[table.side[seat]])
            pairs += [
                (f"melds {seat}", ours, theirs),
                (f"opened {seat}", bool(self.variable(state, "opened")[side]), table.opened[table.side[seat]]),
            ]
            if state.over or not state.parts:
                pairs.append((f"score {seat}", self._scores(state, side), self._second_scores(table, seat)))
        shown = self.zone(state, "shown")
        for owner, bag in enumerate(shown):
            pairs.append((f"shown {owner}", sorted(self.names(bag)), sorted(table.red_threes[owner])))
        return [f"{what}: reference {ours}, second {theirs}" for what, ours, theirs in pairs if ours != theirs]

    def _scores(self, state: State, side: int) -> dict[str, int]:
        lines = self.game.ledger(state).lines
        found: dict[str, int] = {}
        for line in lines:
            if line.side == side:
                item = line.item if line.seat == NOBODY else f"{line.item} {line.seat}"
                found[item] = found.get(item, 0) + line.points
        return found

    def _second_scores(self, table: Table, seat: int) -> dict[str, int]:
        found = side_scores(table, table.side[seat])
        if table.account == table.side and not table.rules.pooling:
            found["red_threes"] = red_three_points(table, table.account[seat])
        else:
            for other in table.seats_of(table.side[seat]):
                found[f"red_threes {other}"] = red_three_points(table, other)
        return {item: points for item, points in found.items() if points}
