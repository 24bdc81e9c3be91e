"""Gin Rummy played move by move beside OpenSpiel's `gin_rummy`: the same deal, the same moves, every legal move compared.

The rule set `gin:openspiel` names in its options what OpenSpiel plays. The two tell a deal in different steps:

* OpenSpiel asks for a knock, then for its discard, then for the melds one by one, each of at most five cards, then for a pass. Here
  melds are laid before the knock that commits them, and the knock names its discard. So its knock, discard and melds
  are legal here if some way leads from them to a legal knock with that discard, by laying melds of at most five cards.
* OpenSpiel asks the other player for single cards to lay off, a pass, melds, a pass. Here they come in any order, and one act
  ends them. Its first pass changes nothing here. After gin it leaves out laying off; here no such move may then be legal.
* At the end of the stock its knock includes taking the last discard; here it is the act of taking it in order to knock.

Two faults of OpenSpiel are known and counted, each proved against OpenSpiel's own functions where it comes up; any other
difference is an error. See docs/explanation/gin.md. Run: `python -m canasta_tools.bench.beside_open_spiel --games 2000`.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations
from types import ModuleType
from typing import Any, Final

import click

from canasta.games import open_game
from canasta.kernel.acts import NEW_GROUP, Move
from canasta.kernel.game import Game
from canasta.kernel.state import Group, State
from canasta.random_play import shuffled_pack
from canasta.shuffle import SplitMix64, derive

RULES: Final = "gin:openspiel"
SUITS: Final = "scdh"
RANKS: Final = "A23456789TJQK"
UPCARD, STOCK, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
LONGEST: Final = 5
"""OpenSpiel lays a longer run as two melds."""

PLAIN: Final = {"accept": UPCARD, "refuse": PASS, "draw": STOCK, "pick": UPCARD, "pick_to_knock": KNOCK, "forgo": PASS}
"""The acts that are one step in both programs."""

Meld = frozenset[int]


class DifferenceError(AssertionError):
    """The two programs part ways, and none of the known faults explains it."""


@dataclass(slots=True)
class Table:
    """One deal on both programs."""

    game: Game
    peer: Any
    state: State
    other: Any
    rest: list[int]
    knocking: bool = False
    thrown: int = -1
    laid_off: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    # -- cards -------------------------------------------------------------------------------------------------------

    def theirs(self, kind: int) -> int:
        """Give OpenSpiel's number of a card."""
        name = self.game.deck.name(kind)
        return SUITS.index(name[1]) * len(RANKS) + RANKS.index(name[0])

    def ours(self, card: int) -> int:
        """Give our number of a card."""
        name = RANKS[card % len(RANKS)] + SUITS[card // len(RANKS)]
        return next(k for k in range(self.game.deck.size) if self.game.deck.name(k) == name)

    def hand(self, seat: int) -> list[int]:
        """List the cards of a hand, without the one that a knock is going to throw away."""
        counts = self.state.zone(self.game.machine.hand)[seat]
        held = [k for k, n in enumerate(counts) if n]
        return [k for k in held if k != self.thrown or seat != self.state.seat]

    @property
    def phase(self) -> str:
        """The name of our phase."""
        return self.game.machine.phases[self.state.phase].name

    # -- what is legal here, in OpenSpiel's words --------------------------------------------------------------------

    def legal(self) -> set[int]:
        """List what our rules allow now, told in the steps of OpenSpiel."""
        if self.phase == "layoff":
            return self._laying()
        if self.knocking:
            return self._knocking()
        found: set[int] = set()
        for move in self._listed():
            if move.act == "discard":
                found.add(self.theirs(move.cards[0]))
            elif move.act in ("lay", "knock"):
                found.add(KNOCK)
            else:
                found.add(PLAIN[move.act])
        return found

    def _listed(self) -> tuple[Move, ...]:
        listed = self.game.legal(self.state)
        if listed.unknown:
            raise DifferenceError("our look ahead has spent its budget")
        return listed.moves

    def _knocking(self) -> set[int]:
        ways = Ways(self.game)
        if self.thrown < 0:
            return {self.theirs(k) for k in self.hand(self.state.seat) if ways.lead_on(self.state, k)}
        found = {
            self.number(m)
            for m in ways.melds(self.state)
            if self.thrown not in m and ways.after(self.state, m, self.thrown)
        }
        return found | ({PASS} if ways.may_knock(self.state, self.thrown) else set())

    def _laying(self) -> set[int]:
        listed = self._listed()
        single = {m.cards[0] for m in listed if m.act == "lay" and m.group in self._knockers()}
        if not any(m.act == "show" for m in listed):
            raise DifferenceError("laying off cannot be ended")
        if self._gin() and single:
            raise DifferenceError("something can be laid off against gin")
        if not self.laid_off and not self._gin():
            return {PASS, *map(self.theirs, single)}
        return {PASS, *(self.number(m) for m in Ways(self.game).melds(self.state))}

    def _gin(self) -> bool:
        return bool(self.state.variable(self.game.ruleset.state["gin"].index))

    def _groups(self) -> list[Group]:
        groups: list[Group] = self.state.zone(self.game.ruleset.zones["melds"].index)
        return groups

    def _knockers(self) -> list[int]:
        return [g.gid for g in self._groups() if g.turn != self.state.turn_no]

    def number(self, meld: Meld) -> int:
        """Give OpenSpiel's number of laying a meld."""
        found: int = MELDS + self.peer.meld_to_int([self.theirs(k) for k in sorted(meld)])
        return found

    # -- comparing ---------------------------------------------------------------------------------------------------

    def compare(self) -> list[int]:
        """Compare everything that both programs know, and give the moves that both allow."""
        self._same("seat to act", self.state.seat, self.other.current_player())
        for seat in (0, 1):
            self._same(f"hand of {seat}", {self.theirs(k) for k in self.hand(seat)}, set(self.other.hands()[seat]))
        self._same("stock", len(self._stack("stock")), self.other.stock_size())
        ours, theirs = self.legal(), set(self.other.legal_actions())
        for action in sorted(ours - theirs):
            self.counts[self._fault(action)] += 1
        self._same("legal moves", theirs - ours, set())
        self.counts["positions"] += 1
        self.counts["moves compared"] += len(ours | theirs)
        return sorted(ours & theirs)

    def _same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise DifferenceError(f"{what}: {ours} here, {theirs} in OpenSpiel\n{self.other}")

    @property
    def pile(self) -> list[int]:
        """The discard pile, from the bottom up."""
        return self._stack("pile")

    def _stack(self, name: str) -> list[int]:
        cards: list[int] = self.state.zone(self.game.ruleset.zones[name].index).cards
        return cards

    def _fault(self, action: int) -> str:
        """Name the known fault for which OpenSpiel does not offer a move that our rules allow.

        Raises:
            DifferenceError: when it is none of them.
        """
        hand = self.other.hands()[self.state.seat]
        if action == KNOCK and self.phase in ("play", "wall"):
            if self.phase == "wall":
                hand = [*hand, self.theirs(self.pile[-1])]
            limit = self.other.knock_card()
            if self.peer.min_deadwood(hand) > limit and self.peer.legal_discards(hand, limit):
                return "knocks that OpenSpiel overlooks"
        if self.phase == "layoff" and action < UPCARD and not self.laid_off:
            beside = [c for c in self.other.layoffs() if c // 13 == action // 13]
            if any({action + way, action + 2 * way} <= set(beside) for way in (1, -1)):
                return "third cards that OpenSpiel does not let lay off"
        raise DifferenceError(f"{self.other.action_to_string(action)} is legal here, not in OpenSpiel\n{self.other}")

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(self, action: int) -> None:
        """Make a move on both programs."""
        self._here(action)
        self.other.apply_action(action)
        while self.other.is_chance_node():
            self.other.apply_action(self.theirs(self.rest.pop(0)))

    def _here(self, action: int) -> None:
        if self.phase == "layoff":
            self._lay_off(action)
        elif self.knocking:
            self._knock(action)
        elif action == KNOCK:
            self.knocking = True
            self.counts["knocks"] += 1
            if self.phase == "wall":
                self._apply("pick_to_knock")
        elif action < UPCARD:
            self._apply("discard", (self.ours(action),))
        else:
            self._apply(next(m.act for m in self._listed() if PLAIN.get(m.act) == action))

    def _knock(self, action: int) -> None:
        if self.thrown < 0:
            self.thrown = self.ours(action)
        elif action == PASS:
            thrown, self.thrown = self.thrown, -1
            self._apply("knock", (thrown,))
            self.counts["gins"] += self._gin()
        else:
            self._apply("lay", self._cards(action))

    def _lay_off(self, action: int) -> None:
        if action == PASS:
            if self.laid_off or self._gin():
                self._apply("show")
            self.laid_off = True
        elif action >= MELDS:
            self._apply("lay", self._cards(action))
        else:
            card = self.ours(action)
            fitting = [
                m.group for m in self._listed() if m.act == "lay" and m.cards == (card,) and m.group in self._knockers()
            ]
            suited = {g.gid for g in self._groups() if g.suit >= 0}
            # OpenSpiel does not ask where it goes. On a run it may open the way for others, on a set it never does.
            self._apply("lay", (card,), min(fitting, key=lambda gid: gid not in suited))
            self.counts["cards laid off"] += 1

    def _cards(self, action: int) -> tuple[int, ...]:
        return tuple(self.ours(c) for c in self.peer.int_to_meld[action - MELDS])

    def _apply(self, act: str, cards: tuple[int, ...] = (), group: int = NEW_GROUP) -> None:
        self.state = self.game.apply(self.state, Move(act, self.state.seat, cards, group))

    def finish(self) -> None:
        """Compare how the deal has ended."""
        self._same("end", self.state.over, self.other.is_terminal())
        totals = self.game.ledger(self.state)
        points = [totals.total(seat) for seat in (0, 1)]
        self._same("score", [points[0] - points[1], points[1] - points[0]], [int(x) for x in self.other.returns()])
        self.counts[f"ended: {self.state.reason}"] += 1
        self.counts["undercuts"] += any(line.item == "undercut" for line in totals.lines)


@dataclass(slots=True)
class Ways:
    """Searches for ways from laying melds, each of at most five cards, to a legal knock; whatever it lays our judge has accepted."""

    game: Game
    _leads: dict[tuple[Meld, int], bool] = field(default_factory=dict)

    def melds(self, state: State) -> list[Meld]:
        """List the melds that can be laid from the hand, out of all sets of three to five of its cards."""
        held = [k for k, n in enumerate(state.zone(self.game.machine.hand)[state.seat]) if n]
        return [
            frozenset(cards)
            for size in range(3, LONGEST + 1)
            for cards in combinations(held, size)
            if not self.game.judge(state, Move("lay", state.seat, cards)).violations
        ]

    def may_knock(self, state: State, card: int) -> bool:
        """Ask whether a knock with this discard is legal as the cards lie."""
        return not self.game.judge(state, Move("knock", state.seat, (card,))).violations

    def lead_on(self, state: State, card: int) -> bool:
        """Ask whether some way leads to a legal knock with this discard."""
        key = (frozenset(k for k, n in enumerate(state.zone(self.game.machine.hand)[state.seat]) if n), card)
        if key not in self._leads:
            self._leads[key] = self.may_knock(state, card) or any(
                self.after(state, meld, card) for meld in self.melds(state) if card not in meld
            )
        return self._leads[key]

    def after(self, state: State, meld: Meld, card: int) -> bool:
        """Ask the same for the position after a meld."""
        return self.lead_on(self.game.turn.carry_out(state, Move("lay", state.seat, tuple(sorted(meld)))), card)


def deal(game: Game, spiel: ModuleType, seed: int) -> Table:
    """Deal the same cards on both programs; our second seat deals, for OpenSpiel's first player begins."""
    peer = spiel.gin_rummy.GinRummyUtils(len(RANKS), len(SUITS), 10)
    pack = shuffled_pack(game, seed)
    other = spiel.load_game("gin_rummy").new_initial_state()
    table = Table(game, peer, game.start(pack, 1), other, pack[21:])
    for kind in (*pack[0:20:2], *pack[1:20:2], pack[20]):
        other.apply_action(table.theirs(kind))
    return table


def play_random(game: Game, spiel: ModuleType, seed: int) -> Counter[str]:
    """Play a deal with moves drawn at random from all that both programs allow."""
    table, chance = deal(game, spiel, derive(seed, 0)), SplitMix64(derive(seed, 1))
    while not table.state.over:
        moves = table.compare()
        table.play(moves[chance.below(len(moves))])
    table.finish()
    return table.counts


def play_collecting(game: Game, spiel: ModuleType, seed: int) -> Counter[str]:
    """Play a deal by players who collect melds and knock now and then, so that knocks, gin and laying off come up often."""
    table, chance = deal(game, spiel, derive(seed, 2)), SplitMix64(derive(seed, 3))
    while not table.state.over:
        table.play(collecting(table, table.compare(), chance))
    table.finish()
    return table.counts


def collecting(table: Table, moves: list[int], chance: SplitMix64) -> int:
    """Choose the move of a player who collects melds."""
    peer, hand = table.peer, list(table.other.hands()[table.state.seat])
    if table.phase in ("offer", "start"):
        top = table.theirs(table.pile[-1])
        helps = peer.min_deadwood([*hand, top]) < peer.min_deadwood(hand)
        return UPCARD if helps and UPCARD in moves else next(m for m in moves if m != UPCARD)
    if KNOCK in moves and (peer.min_deadwood(hand) == 0 or chance.below(12) == 0):
        return KNOCK
    if table.phase == "play" and not table.knocking:
        melded = {card for meld in peer.best_meld_group(hand) for card in meld}
        # The card just taken is kept, lest two players hand it to and fro.
        loose = [m for m in moves if m < UPCARD and m not in melded and m != table.other.prev_upcard()]
        return max(loose, key=lambda m: m % len(RANKS)) if loose else moves[chance.below(len(moves))]
    laid = [m for m in moves if m != PASS]
    return laid[chance.below(len(laid))] if laid and chance.below(8) else moves[chance.below(len(moves))]


def play_many(games: int, seed: int = 1, rules: str = RULES) -> Iterator[tuple[str, Counter[str]]]:
    """Play that many deals at random, then as many collecting: the kind of players, what was met in each deal."""
    spiel = import_module("pyspiel")
    game = open_game(rules, by_face=True)
    for players, play in (("at random", play_random), ("collecting", play_collecting)):
        for number in range(games):
            yield players, play(game, spiel, derive(seed, number))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play deals on both programs, and say what was compared; a difference ends it with exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m canasta_tools.bench.beside_open_spiel", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="deals for each kind of players (default 2000)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    met: dict[str, Counter[str]] = {}
    try:
        for players, counts in play_many(chosen.games, chosen.seed):
            met.setdefault(players, Counter()).update(counts)
    except DifferenceError as difference:
        click.echo(f"{difference}", err=True)
        return 1
    for players, total in met.items():
        click.echo(f"{chosen.games} deals, {players}: no difference but the known ones")
        for what, number in sorted(total.items()):
            click.echo(f"  {number:>9,}  {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
