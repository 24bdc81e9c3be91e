"""Deals at random: rules that nothing ever calls on, and positions in which a mutant does something else.

Turns are played carefully, so that the deal goes on, and carelessly beside it: parts are laid with no thought of how the turn will end, and
whatever could end it is put to the judge. So illegal turns of every kind are met, most of them wrong in one thing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from canasta.games import load_ruleset, open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.language.ruleset import Duty, Effect, Requirement, Ruleset, Score
from canasta.notation.position_text import write_position
from canasta.playing.describing import of_state
from canasta.random_play import RandomPlayer, StuckError, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64, derive
from canasta_conformance.inprocess.positions import observed
from canasta_conformance.power.recording import Seen, recorded

CARELESS: Final = 3
"""So often each turn is played carelessly."""
PARTS: Final = 4
"""So many parts are laid in a careless turn at most."""


def never_called_on(ruleset: str, deals: int, seed: int = 1) -> list[str]:
    """Name the clauses that never come into play in so many deals: no condition met, nothing done, nothing scored."""
    rules = load_ruleset(ruleset)
    table = recorded(rules, whole=False)
    with table.watched() as seen:
        for number in range(deals):
            last = [after for _, _, after in _deal(table.game, derive(seed, number, 0))][-1]
            table.game.ledger(last)
            table.game.match_over(last)
    return [id_ for id_ in rules.clauses if not _came(rules, id_, seen)]


def _deal(game: Game, seed: int) -> Iterator[tuple[State, Move, State]]:
    state = game.start(shuffled_pack(game, seed), seed % game.ruleset.table.seats)
    yield state, Move("", state.seat), state
    try:
        yield from play_deal(state, RandomPlayer(game, SplitMix64(derive(seed, 0, 1))))
    except StuckError:
        return  # where the look ahead gives up, the deal has shown what it could


def _came(rules: Ruleset, id_: str, seen: Seen) -> bool:
    when = seen.values.get(f"{id_}/when", set())
    match rules.clauses[id_]:
        case Requirement():
            return any(path.startswith(f"{id_}/require") for path in seen.values)
        case Effect() | Duty():
            return 1 in when
        case Score():
            return bool(seen.values.get(f"{id_}/points", set()) - {0})
        case _:
            return True


@dataclass(frozen=True, slots=True)
class Tried:
    """One act on one position, and what comes of it by the rules as they are."""

    state: State
    move: Move
    codes: tuple[str, ...]
    after: State | None
    """How things lie afterwards; nothing where it is refused."""
    lines: Any


class Corpus:
    """Positions and acts of one rule set, to which every survivor is put."""

    def __init__(self, ruleset: str, most: int, seed: int = 1) -> None:
        """Play until so many acts are collected."""
        self.game = open_game(ruleset, by_face=True, reasons=False)
        self.tried: list[Tried] = []
        number = 0
        while len(self.tried) < most and number < most:
            number += 1
            for state, move in self._acts(derive(seed, number, 2)):
                self.tried.append(Tried(state, move, *result_of(self.game, state, move)))
                if len(self.tried) >= most:
                    break

    def _acts(self, seed: int) -> Iterator[tuple[State, Move]]:
        generator = SplitMix64(derive(seed, 0, 3))
        for state, move, _ in _deal(self.game, seed):
            if not move.act:
                continue
            yield state, move
            if not state.parts:
                for _ in range(CARELESS):
                    yield from self._carelessly(state, generator)

    def _carelessly(self, state: State, generator: SplitMix64) -> Iterator[tuple[State, Move]]:
        game = self.game
        for _ in range(PARTS):
            moves = game.listing.candidates(state)
            ends = [move for move in moves if not game.ruleset.acts[move.act].lays]
            if ends:
                yield state, ends[generator.below(len(ends))]
            parts = [move for move in moves if game.ruleset.acts[move.act].lays]
            if not parts:
                return
            state = game.turn.carry_out(state, parts[generator.below(len(parts))])
            if state.over:
                return

    def tells_apart(self, other: Game) -> str:
        """Find the first position in which another game does something else, and say what; nothing where there is none."""
        return tells_apart(self.game, self.tried, other)


def tells_apart(game: Game, tried: Iterable[Tried], other: Game) -> str:
    """Find the first act of which something else comes by another game, and say what; nothing where there is none."""
    alike = _named(game) == _named(other)
    for one in tried:
        codes, after, lines = result_of(other, one.state, one.move)
        told = _difference(one, codes, lines)
        if not told and one.after is not None and after is not None:
            # What is the same in the machine is shown the same, and is not written out to be compared.
            same = (alike and _lying(one.after) == _lying(after)) or _shown(game, one.after) == _shown(other, after)
            told = "" if same else "things lie otherwise afterwards"
        if told:
            cards = " ".join(game.deck.name(kind) for kind in one.move.cards)
            position = write_position(of_state(game, one.state))
            return f"{position} | {one.move.act} {cards}".rstrip() + f": {told}"
    return ""


def _named(game: Game) -> object:
    """Give the names and numbers by which an observation is written."""
    rules = game.ruleset
    zones = [(zone.name, zone.index, zone.of, zone.form) for zone in rules.zones.values()]
    variables = [(v.name, v.index, v.of, v.type) for v in rules.state.values()]
    return zones, variables, tuple(rules.phases), rules.table.sides, rules.table.seats, game.deck.names


def _lying(state: State) -> list[object]:
    """Give everything that an observation shows, as the machine keeps it."""
    told: list[object] = [state.seat, state.phase, state.dealer, state.deal_no, state.side_of, state.sides]
    told += [state.over, state.reason if state.over else ""]
    return [*told, *(_cards_in(getattr(state, place)) for place in state.places)]


def _cards_in(content: Any) -> Any:  # noqa: ANN401 - a stack, a bag, groups, or a list of them
    if isinstance(content, Stack | Group):
        return content.cards
    if isinstance(content, list) and content and not isinstance(content[0], int):
        return [_cards_in(one) for one in content]
    return content


def result_of(game: Game, state: State, move: Move) -> tuple[tuple[str, ...], State | None, Any]:
    """Say what comes of an act: the codes of what is wrong with it, or how things lie afterwards and what that scores."""
    try:
        codes = tuple(sorted(set(game.judge(state, move).codes)))
        if codes:
            return codes, None, None
        after = game.turn.perform(state, move)
        ledger = game.ledger(after) if after.over else None
        lines = None if ledger is None else [(line.side, line.seat, line.item, line.points) for line in ledger.lines]
    except Exception as error:  # noqa: BLE001 - changed rules may lead anywhere; that they do is the difference
        return (type(error).__name__,), None, None
    else:
        return codes, after, lines


def _shown(game: Game, state: State) -> object:
    try:
        return observed(game, state)
    except Exception as error:  # noqa: BLE001 - as above
        return type(error).__name__


def _difference(one: Tried, codes: Sequence[str], lines: Any) -> str:  # noqa: ANN401 - lines of a ledger
    if tuple(codes) != one.codes:
        return f"{_verdict(one.codes)} by the rules, {_verdict(codes)} by the mutant"
    return "it scores otherwise" if lines != one.lines else ""


def _verdict(codes: Sequence[str]) -> str:
    return f"illegal ({', '.join(codes)})" if codes else "legal"
