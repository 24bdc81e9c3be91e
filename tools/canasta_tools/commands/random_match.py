"""`canasta random`: play a match of random legal acts and print its record."""

import secrets
from itertools import islice
from shlex import quote

import click

from canasta.games import open_game
from canasta.notation.record import Record, Tag
from canasta.notation.writer import write as written
from canasta.playing.recording import PlayedDeal, record_match
from canasta.random_play import StuckError, play_match
from canasta.shuffle import LARGEST_SEED
from canasta_tools.dispatch import UsageFault
from canasta_tools.output import Code, say, write, write_json
from canasta_tools.parameters import rules_option
from canasta_tools.progress import Progress

MOST_DEALS = 1000
"""A match of random acts that is not over by then is left unfinished."""


@click.command("random", short_help="Play a match of random legal acts and print its record.")
@rules_option("The rule set to play by.", "classic")
@click.option(
    "--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help="The seed; without it one is drawn and told."
)
@click.option(
    "--deals", type=click.IntRange(1, MOST_DEALS), metavar="K", help="Play so many deals; without it a whole match."
)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
def command(*, rules: str, seed: int | None, deals: int | None, as_json: bool) -> int:
    """Play a match of random legal acts and print its record.

    The same seed gives the same bytes on every machine. Every legal act that can be listed is as likely as any other, so the
    players are no good; but whatever the rules allow comes up sooner or later.
    """
    chosen = secrets.randbits(32) if seed is None else seed
    open_game(rules, by_face=True)  # what is wrong with the rules is told before any seed
    if seed is None:
        say(f"seed {chosen}")
    record = random_record(rules, chosen, deals)
    if as_json:
        from canasta.notation.json_form import to_json  # noqa: PLC0415 - only for those who ask for it

        write_json(to_json(record))
    else:
        write(written(record))
    return Code.CLEAN


def random_record(rules: str, seed: int, deals: int | None = None, most: int = MOST_DEALS) -> Record:
    """Play a match by a rule set and write it down in full: to its end, or so many deals, and never more than ``most``.

    Raises:
        CanastaError: with every fault of the rule set, or US0012 when its rules leave a seat nothing to do.
    """
    game = open_game(rules, by_face=True)
    progress = Progress()
    played: list[PlayedDeal] = []
    try:
        for number, pack, first, moves, _ in islice(play_match(game, seed), deals or most):
            played.append(PlayedDeal(number, pack, first, moves))
            progress.step(f"{number} deals played")
    except StuckError as error:
        message = f"by {rules} with seed {seed} a seat comes to a point where it can do nothing: {error}"
        hint = "a rule set says under `stuck` what happens then"
        raise UsageFault("US0012", message, hint) from error
    finally:
        progress.clear()
    made = f"canasta random --rules {quote(rules)} --seed {seed}{f' --deals {deals}' if deals else ''}"
    tags = {"Rules": rules, "Event": "Random legal play", "Seed": str(seed), "MadeBy": made}
    return record_match(game, played, [Tag(name, value) for name, value in tags.items()])
