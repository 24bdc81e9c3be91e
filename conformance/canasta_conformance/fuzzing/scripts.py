"""A script: one deal, turn by turn, with what the reference expects; made from a seed before any engine is asked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Final

from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.notation.record import Written
from canasta.playing.examples import with_options
from canasta.playing.seats import seats_of
from canasta.random_play import StuckError, shuffled_pack
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.fuzzing.legal_play import TOTALS, one_turn
from canasta_conformance.fuzzing.near_misses import near_miss
from canasta_conformance.fuzzing.nonsense import nonsense
from canasta_conformance.fuzzing.referee import Referee, UnaskableError, acts_of
from canasta_conformance.fuzzing.situation import Situation
from canasta_conformance.fuzzing.swarm import BROAD, Swarm, swarm
from canasta_conformance.suite import Exchange

Data = dict[str, Any]

MOST_TURNS: Final = 400
"""A deal in which so many turns were tried is left unfinished."""

LEDGER: Final = 6
"""After one turn of so many that stand the score is asked for; at the end of a deal it always is."""


class Kind(StrEnum):
    """The kinds of turn."""

    LEGAL = "legal"
    NEAR_MISS = "near-miss"
    NONSENSE = "nonsense"


@dataclass(slots=True)
class Script:
    """One deal as it is put to an engine, and what was in it."""

    ruleset: str
    options: Mapping[str, str]
    exchanges: list[Exchange] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    """Of each turn, in order, what kind it is."""
    unsure: int = 0
    """Turns that were left out, since the look-ahead of the reference was not sure of them."""
    reason: str = ""
    """How the deal ended."""
    begun: Data = field(default_factory=dict)
    """The request that begins the deal, also where an engine is never sent it."""
    faults: list[str] = field(default_factory=list)
    """What the reference did that it must not do."""

    @property
    def turns(self) -> Counter[str]:
        """How many turns of each kind."""
        return Counter(self.kinds)

    def turns_until(self, at: int) -> Counter[str]:
        """Count the turns up to an exchange, which is the last that was put."""
        return Counter(self.kinds[: sum(e.send["op"] == "turn" for e in self.exchanges[: at + 1])])

    @property
    def rules(self) -> Data:
        """The rule set as requests name it."""
        return {"ruleset": self.ruleset} | ({"options": dict(self.options)} if self.options else {})


def script(
    ruleset: str, options: Mapping[str, str], seed: int, level: int = 2, house_rules: str = "", most: int = MOST_TURNS
) -> Script:
    """Make the script of one deal; for level 1 the position is loaded before each turn."""
    return _Making(Script(ruleset, options), seed, level, house_rules).whole(most)


@cache
def _totals(name: str) -> tuple[int, ...]:
    """List what a side may have when a deal begins: not so much that the match is over."""
    game = open_game(name, by_face=True)
    account = game.ruleset.table.account
    pack = shuffled_pack(game, 0)
    number = len(game.turn.blank(0, 1, {}).variable(game.ruleset.state[account].index))
    begun = ((total, game.start(pack, 0, 1, {account: [total] * number})) for total in TOTALS)
    return tuple(total for total, state in begun if game.match_over(state) is None) or (0,)


class _Making:
    """The work of making one script."""

    def __init__(self, made: Script, seed: int, level: int, house_rules: str) -> None:
        self.made, self.level, self.generator = made, level, SplitMix64(derive(seed, 0))
        self.referee = Referee(house_rules)
        game = open_game(with_options(made.ruleset, dict(made.options)), by_face=True)
        self.pack = tuple(game.deck.name(card) for card in shuffled_pack(game, seed))
        broad = not self.generator.below(BROAD)
        self._start(game, broad=broad)
        game = self.referee.game
        self.swarm: Swarm = swarm(game, self.generator, broad=broad)
        self.kinds = frozenset(Written(act.written) for act in game.ruleset.acts.values() if act.written)

    def _start(self, game: Game, *, broad: bool) -> None:
        """Begin the deal; who is to lay down much has little, so that little is enough to open."""
        names = seats_of(game.ruleset.table).names
        account = game.ruleset.state.get(game.ruleset.table.account)
        dealer = names[self.generator.below(len(names))]
        send: Data = {"op": "start", **self.made.rules, "dealer": dealer, "stock": list(self.pack[::-1])}
        if account is not None:
            owners = seats_of(game.ruleset.table).owners(account.of)
            there = _totals(with_options(self.made.ruleset, dict(self.made.options)))
            drawn = {owner: there[self.generator.below(len(there))] for owner in owners}
            send["totals"] = dict.fromkeys(owners, min(there)) if broad else drawn
        begun = self.referee.expecting(send)
        self.made.begun = send
        if self.level > 1:
            self.made.exchanges.append(begun)

    def whole(self, most: int) -> Script:
        for _ in range(most):
            if self.referee.state.over:
                break
            try:
                legal, _ = one_turn(self.referee.game, self.referee.state, self.swarm.habits, self.generator)
            except StuckError:
                self.made.faults.append("the seat to act has no legal act that the reference is sure of")
                break
            self._step(legal)
        self.made.reason = self.referee.state.reason
        if not self.made.exchanges or self.made.exchanges[-1].send["op"] != "ledger":
            self._asking({"op": "ledger"})
        return self.made

    def _step(self, legal: Sequence[Any]) -> None:
        kind, seat, acts = self._turn(legal)
        before = self.referee.state
        loading = None
        if self.level == 1:
            try:
                loading = Exchange(self.referee.loading(self.made.rules), {})
            except UnaskableError:
                self.made.unsure += 1
        try:
            asked = self.referee.expecting({"op": "turn", "seat": seat, "acts": acts})
        except UnaskableError as error:
            # A deal cannot go on from a turn that the engine was not asked; and this one has changed nothing.
            self.made.unsure += 1
            if "look-ahead" not in str(error):
                self.made.faults.append(f"{error}: {seat} {acts}")
            return
        if self.level == 1 and loading is None:
            return
        self.made.exchanges += [*([loading] if loading else []), asked]
        self.made.kinds.append(str(kind))
        if kind is Kind.LEGAL and not asked.expect["committed"]:
            self.made.faults.append(f"listed as legal and refused as {asked.expect['codes']}: {seat} {acts}")
        if self.referee.state is not before:
            self._asking({"op": "observe"})
            if not self.generator.below(LEDGER):
                self._asking({"op": "ledger"})

    def _asking(self, send: Data) -> None:
        self.made.exchanges.append(self.referee.expecting(send))

    def _turn(self, legal: Sequence[Any]) -> tuple[Kind, str, list[Data]]:
        """Draw what is tried: the legal turn, one that is like it, or nonsense."""
        game, state, drawn = self.referee.game, self.referee.state, self.generator.below(10)
        seat = self.referee.seat
        if drawn < self.swarm.nonsense:
            who, acts = nonsense(seat, self.referee.observe()["observation"], self.pack, self.kinds, self.generator)
            return Kind.NONSENSE, who, acts
        if drawn < self.swarm.nonsense + self.swarm.near:
            missed = near_miss(Situation(game, state), list(legal), self.generator, self.swarm.changes)
            spelt = acts_of(game, state, missed) if missed else None
            if spelt:
                return Kind.NEAR_MISS, seat, spelt
        return Kind.LEGAL, seat, acts_of(game, state, legal) or []
