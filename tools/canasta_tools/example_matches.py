"""The example matches: one whole match of each shipped rule set, played by the random player from a stated seed.

They show what a record of each game looks like, and are checked, replayed and scored by the tests. Each is what the command
in its tag ``MadeBy`` prints.
"""

from dataclasses import replace
from typing import Final

from canasta.notation.record import Record, Tag
from canasta.notation.writer import write
from canasta_tools.commands.random_match import random_record

FOLDER: Final = "grammar/examples/matches"

SEEDS: Final = range(1, 5)
"""The seeds that are tried; the match of the first that keeps within the limits is the example."""

MOST_DEALS: Final = 40
LARGEST: Final = 120_000
"""Characters. A reader should get to the end of an example."""

FEW_DEALS: Final = 6
"""Deals of the example of a game that random play does not bring to its end."""


def path_of(name: str) -> str:
    """Say where the example of a rule set lies, from the root of the checkout."""
    return f"{FOLDER}/{name.replace('/', '-')}.cgn"


def example_of(name: str) -> str:
    """Make the example of one rule set: a whole match, or a few deals where it gets no nearer to its end.

    Raises:
        CanastaError: with every fault of the rule set.
    """
    first = random_record(name, SEEDS[0], most=FEW_DEALS)
    if not is_over(first) and _gets_nowhere(first):
        made = Tag("MadeBy", f"{first.tag('MadeBy')} --deals {FEW_DEALS}")
        return write(replace(first, tags=tuple(made if tag.name == made.name else tag for tag in first.tags)))
    for seed in SEEDS:
        record = random_record(name, seed, most=MOST_DEALS)
        if is_over(record) and len(text := write(record)) <= LARGEST:
            return text
    return write(random_record(name, SEEDS[0], FEW_DEALS))


def _gets_nowhere(record: Record) -> bool:
    """Whether everybody has fewer points than at the beginning: where most of what is begun costs points, random play never ends."""
    return record.result is not None and all(points < 0 for _, points in record.result.totals)


def is_over(record: Record) -> bool:
    """Whether the match was played to its end."""
    return record.result is not None and not record.result.word
