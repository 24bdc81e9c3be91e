"""Races between all shipped rule sets: how much the rules of one game cost more than those of another, beside one peer.

The same peer is the yardstick as in the races between games; without it the first rule set is. A rule set that is new takes
part by itself.
"""

from functools import cache, partial

from canasta.language.naming import known
from canasta.rooms import room
from canasta_tools.bench import matches, peers, peers_records
from canasta_tools.bench.peers_records import Work, present
from canasta_tools.bench.race import Contender, Race

SEEDS = range(1, 4)
DEALS_AT_PLAY = 4


def playing() -> Race:
    """Ask how fast random legal play goes in each game."""
    here, absent = _yardstick(peers.PLAYERS)
    ours = tuple(
        Contender(name, partial(matches.random_play, by_face=False, deals=DEALS_AT_PLAY, rules=name, seeds=SEEDS))
        for name in known()
    )
    return Race("play-each", "Random legal play, rule set by rule set", "decision", (*here, *ours), absent)


def judging() -> Race:
    """Ask how fast the text of each game's example match becomes a verdict on every act in it."""
    here, absent = _yardstick(peers_records.JUDGES_OF_RECORDS)
    ours = tuple(Contender(name, partial(matches.read_and_judge, (example(name),))) for name in known())
    return Race(
        "judge-each", "Reading and judging the example match of each rule set", "decision", (*here, *ours), absent
    )


@cache
def example(name: str) -> str:
    """Read the example match of a rule set."""
    folder = room("grammar") / "examples" / "matches"
    return (folder / f"{name.replace('/', '-')}.cgn").read_text(encoding="utf-8")


def _yardstick(works: tuple[Work, ...]) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Take the first peer, if it is installed; the races between games have the others."""
    return present(works[:1])
