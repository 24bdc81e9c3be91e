"""Races between whole games: ours beside other games' engines and records, and our compiler beside our evaluator."""

import re
from functools import partial

from canasta.games import open_game
from canasta_tools.bench import matches, peers, peers_records
from canasta_tools.bench.matches import RULES, Replaying
from canasta_tools.bench.peers_records import present
from canasta_tools.bench.race import Contender, Race

DEALS_AT_PLAY = 4
WORD = re.compile(r"\S+")


def playing() -> Race:
    """Ask how fast random legal play goes: everyone draws among what is legal now."""
    here, absent = present(peers.PLAYERS)
    ours = (
        Contender("canasta", partial(matches.random_play, by_face=False, deals=DEALS_AT_PLAY)),
        Contender(
            "canasta, every printed card told apart", partial(matches.random_play, by_face=True, deals=DEALS_AT_PLAY)
        ),
    )
    return Race("play", "Random legal play", "decision", (*here, *ours), absent)


def judging_records() -> Race:
    """Ask how fast a text becomes a verdict on every act in it."""
    here, absent = present(peers_records.JUDGES_OF_RECORDS)
    matches.texts()
    ours = (Contender("canasta, CGN", matches.read_and_judge),)
    return Race("replay", "Reading records and judging every act", "decision", (*here, *ours), absent)


def judging_acts() -> Race:
    """Ask how fast recorded acts are judged and carried out, with nothing to read."""
    here, absent = present(peers_records.JUDGES_OF_ACTS)
    ours = tuple(
        Contender(name, Replaying(open_game(RULES, by_face=by_face), matches.matches(by_face=by_face)))
        for name, by_face in (("canasta", False), ("canasta, every printed card told apart", True))
    )
    return Race("judge", "Judging recorded acts", "decision", (*here, *ours), absent)


def reading_records() -> Race:
    """Ask how fast the reader is by itself; finding the words and nothing more is the floor."""
    here, absent = present(peers_records.READERS)
    texts = matches.texts()

    def words() -> int:
        for text in texts:
            WORD.findall(text)
        return sum(len(text) for text in texts)

    ours = (Contender("canasta, CGN", matches.read_only), Contender("re.findall of words, CGN", words))
    return Race("read", "Reading records", "character", (*here, *ours), absent)


def compiling() -> Race:
    """Ask what compiling the rules brings over evaluating them as they stand, which is what they mean."""
    one = (matches.matches(by_face=False)[0][:1],)
    contenders = (
        Contender("evaluator", Replaying(open_game(RULES, evaluated=True), one)),
        Contender("compiler", Replaying(open_game(RULES), matches.matches(by_face=False)[:4])),
    )
    return Race("compile", "Judging recorded acts by the rules", "decision", contenders)
