"""Whole deals from a stacked pack: every turn as it was played, how things lie at the end, and the score."""

from collections.abc import Iterator
from typing import Any

from canasta.kernel.state import State
from canasta.random_play import RandomPlayer, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.generator.general import General, told_of
from canasta_conformance.inprocess.acts import told_moves
from canasta_conformance.inprocess.functions import ledger_lines
from canasta_conformance.inprocess.positions import observed

Data = dict[str, Any]


def deals(of: General) -> Iterator[Data]:
    """Play the deals of a rule set: those of the seeds that are written for it, else the first."""
    for name, seed in (told_of("deals", of.name) or {"whole-deal": 1}).items():
        yield _deal(of, seed, name)


def _deal(of: General, seed: int, slug: str) -> Data:
    game = of.game
    pack = shuffled_pack(game, derive(seed, 1, 0))
    first = game.start(pack, game.ruleset.table.seats - 1)
    turns, last = _turns(of, first, RandomPlayer(game, SplitMix64(derive(seed, 1, 1))))
    end = observed(game, last)
    lines = {name: points for name, points in ledger_lines(game, last).items() if points}
    lying = {name: cards for name, cards in end["zones"].items() if name != game.ruleset.table.order}
    stock = [game.deck.name(card) for card in reversed(pack)]
    dealer = end["values"]["dealer"]
    given = {
        "text": f"{dealer} at setup; dealer {dealer}; stock {''.join(stock)}",
        "seat": dealer,
        "phase": "setup",
        "zones": {"stock": stock},
    }
    after: Data = {"zones": lying, "values": {"reason": last.reason}}
    exchange: list[Data] = [{"send": {"op": "start", "ruleset": of.name, "dealer": dealer, "stock": stock}}]
    exchange += [{"send": {"op": "turn", **turn}, "expect": {"committed": True}} for turn in turns]
    exchange += [
        {"send": {"op": "observe"}, "expect": after},
        {"send": {"op": "ledger"}, "expect": {"lines": lines}},
    ]
    step = {"turns": len(turns), "expect": {"verdict": "legal", "ledger": lines}}
    return of.case(slug, "deal", given, step, {"level": 2, "exchange": exchange})


def _turns(of: General, state: State, player: RandomPlayer) -> tuple[list[Data], State]:
    """Play a deal; give every turn with its acts, and the last state."""
    found: list[tuple[int, str, list[Data]]] = []
    last = state
    for before, move, after in play_deal(state, player):
        acts = list(told_moves(of.game, before, move))
        if not found or found[-1][0] != before.turn_no:
            found.append((before.turn_no, observed(of.game, before)["seat"], []))
        found[-1][2].extend(acts)
        last = after
    return [{"seat": seat, "acts": acts} for _, seat, acts in found], last
