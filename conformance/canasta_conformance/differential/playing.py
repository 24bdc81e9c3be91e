"""Deals played at random on both engines; the first difference ends a deal and is told."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.random_play import StuckError, shuffled_pack
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.differential.tables import Tables
from canasta_conformance.fuzzing.legal_play import EAGERNESS, TOTALS, Habits, one_turn
from canasta_conformance.fuzzing.near_misses import near_miss
from canasta_conformance.fuzzing.situation import UNSURE

from second.dealing import deal  # isort: skip  # found by the path that the import above has set
from second.rule_sets import RULE_SETS as SECOND_RULE_SETS, named  # isort: skip  # the same path
from second.rules import Rules  # isort: skip  # the same path

RULE_SETS = ("classic", "classic/two", "classic/three", "samba", "bolivia", "bolivia/handbook")
"""The rule sets on which both have been compared until nothing differed; the second engine knows more."""


@dataclass(slots=True)
class Report:
    """What a comparison has seen."""

    turns: int = 0
    deals: int = 0
    near_misses: int = 0
    findings: list[str] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    """How often each violation was met, so that it can be seen what was not."""
    reasons: Counter[str] = field(default_factory=Counter)


def compare(name: str, turns: int, seed: int, rules: Callable[[str], Rules] = named, most_findings: int = 20) -> Report:
    """Plays whole deals until so many turns are done, each deal with other choices of the table.

    ``rules`` are those of the second engine; others than its own show whether a difference would be seen.
    """
    report = Report()
    names = list(choices(name))
    while report.turns < turns and len(report.findings) < most_findings:
        number = report.deals
        report.deals += 1
        play_deal(names[number % len(names)], derive(seed, number), report, rules)
    return report


def choices(name: str) -> Iterator[str]:
    """A rule set as it stands, by each profile, and with every option chosen otherwise."""
    rule_set = SECOND_RULE_SETS[name]
    yield name
    yield from (f"{name}:{profile}" for profile in rule_set.profiles)
    for option, (_, *others) in rule_set.options.items():
        yield from (f"{name},{option}={value}" for value in others)


def play_deal(name: str, seed: int, report: Report, rules: Callable[[str], Rules] = named) -> None:
    """Plays one deal; every turn of it, and a near miss of most, on both engines."""
    game, generator = open_game(name), SplitMix64(derive(seed, 0))
    tables = begin(game, rules(name), seed, generator)
    found = tables.differences(tables.state, tables.table)
    eagerness = EAGERNESS[generator.below(len(EAGERNESS))]
    while not tables.state.over and not found:
        try:
            moves, after = one_turn(game, tables.state, Habits(eagerness), generator)
        except StuckError:
            found = ["the reference has no legal act left"]
            break
        for _ in range(2):
            missed = near_miss(tables, moves, generator)
            if missed is not None:
                report.near_misses += 1
                found += disagreement(tables, missed, report)
        verdict = tables.ask_second(moves)
        if not verdict.legal:
            found.append(f"{told(game, moves)}: reference legal, second {sorted(verdict.codes)}")
            break
        report.turns += 1
        found += tables.differences(after, verdict.table)
        if found:
            found.append(told(game, moves))
        tables.state, tables.table = after, verdict.table
    report.reasons[tables.state.reason] += 1
    if found:
        report.findings.append(f"{name} seed {seed} turn {tables.state.turn_no}: " + "; ".join(found))


def begin(game: Game, rules: Rules, seed: int, generator: SplitMix64) -> Tables:
    """Deals the same pack to both."""
    pack = shuffled_pack(game, seed)
    seats = game.ruleset.table.seats
    dealer = generator.below(seats)
    account = game.ruleset.table.account
    owners = len(game.turn.blank(dealer, 1, {}).variable(game.ruleset.state[account].index))
    totals = [TOTALS[generator.below(len(TOTALS))] for _ in range(owners)]
    state = game.start(pack, dealer, 1, {account: totals})
    stock = [game.deck.name(card) for card in reversed(pack)]
    table = deal(rules, dealer, stock, dict(enumerate(totals)))
    return Tables(game, state, table)


def disagreement(tables: Tables, moves: list[Move], report: Report) -> list[str]:
    """What the two engines say otherwise of a turn that may be wrong."""
    after, codes = tables.ask_reference(moves)
    verdict = tables.ask_second(moves)
    report.codes.update(codes)
    if codes == UNSURE:
        return []
    if verdict.legal and not codes:
        return tables.differences(after, verdict.table)
    # A look-ahead that finds no way to end the turn says so before it is known what will be wrong.
    foreseen = not verdict.legal and codes == {"NO_WAY_TO_END_THE_TURN"}
    if not foreseen and not codes & (verdict.codes | verdict.stranded):
        state = f"hand {tables.table.hand} pile {tables.table.pile[-3:]} melds {[m.cards for m in tables.table.own]}"
        return [f"{told(tables.game, moves)}: reference {sorted(codes)}, second {sorted(verdict.codes)}; {state}"]
    return []


def told(game: Game, moves: list[Move]) -> str:
    """Moves in words that a person can follow."""
    return " ".join(
        move.act + "".join(f" {game.deck.name(card)}" for card in move.cards) + (f" onto {move.group}" if move.group >= 0 else "")
        for move in moves
    )  # fmt: skip
