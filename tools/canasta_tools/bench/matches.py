"""Matches of random legal play from stated seeds: what our own contenders play, read and judge."""

from dataclasses import dataclass
from functools import cache
from itertools import islice

from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.reader import read_text
from canasta.notation.record import Record, Tag, Written
from canasta.notation.writer import write
from canasta.playing.recording import PlayedDeal, record_match
from canasta.playing.replay import replay
from canasta.random_play import play_match

RULES = "classic"
SEEDS = range(1, 9)
DEALS = 3
"""Deals a match is cut to; a match that a side wins earlier is shorter."""


class WrongRecordError(RuntimeError):
    """What legal play wrote was not read and judged as legal: a fault of the project, and no speed to report."""


def played(game: Game, seed: int, deals: int) -> list[PlayedDeal]:
    """Play the first deals of a match."""
    return [PlayedDeal(*deal[:4]) for deal in islice(play_match(game, seed), deals)]


@cache
def matches(*, by_face: bool) -> tuple[tuple[PlayedDeal, ...], ...]:
    """Play the matches that are replayed, once a process."""
    game = open_game(RULES, by_face=by_face)
    return tuple(tuple(played(game, seed, DEALS)) for seed in SEEDS)


def text_of(deals: tuple[PlayedDeal, ...] | list[PlayedDeal]) -> str:
    """Write deals down as one full record."""
    return write(record_match(open_game(RULES, by_face=True), deals, (Tag("Rules", RULES),)))


@cache
def texts() -> tuple[str, ...]:
    """Write the matches down, once a process."""
    return tuple(text_of(match) for match in matches(by_face=True))


def decisions(record: Record) -> int:
    """Count what the players of a record decided; a red three and what is drawn for it are no decisions."""
    return sum(action.kind is not Written.SHOW for turn in record.turns() for action in turn.actions)


@cache
def decisions_in(written: tuple[str, ...]) -> int:
    """Count the decisions of records once, so that no race pays for the counting."""
    return sum(decisions(record) for text in written for record in read_text(text, "random.cgn")[0])


def random_play(*, by_face: bool, deals: int, rules: str = RULES, seeds: range = SEEDS) -> int:
    """Play matches of random legal acts; every act that was chosen is one decision."""
    game = open_game(rules, by_face=by_face)
    return sum(len(deal.moves) for seed in seeds for deal in played(game, seed, deals))


def read_and_judge(written: tuple[str, ...] = ()) -> int:
    """Read full records, by themselves those of random play, and judge every act, every figure of the pad and the result.

    Raises:
        WrongRecordError: when anything at all is found.
    """
    written = written or texts()
    for text in written:
        records, found = read_text(text, "random.cgn")
        findings = [*found, *(finding for record in records for finding in replay(record, positions=False).findings)]
        if findings:
            raise WrongRecordError(findings[0].message)
    return decisions_in(written)


def read_only() -> int:
    """Read full records and check nothing but the notation; counts characters."""
    for text in texts():
        read_text(text, "random.cgn")
    return sum(len(text) for text in texts())


@dataclass(frozen=True, slots=True)
class Replaying:
    """Carries recorded acts out again through the door that judges each first."""

    game: Game
    matches: tuple[tuple[PlayedDeal, ...], ...]

    def __call__(self) -> int:
        """Apply every act; counts acts."""
        return sum(self._deal(deal) for match in self.matches for deal in match)

    def _deal(self, deal: PlayedDeal) -> int:
        state: State = deal.first
        for move in deal.moves:
            state = self.game.apply(state, move)
        return len(deal.moves)
