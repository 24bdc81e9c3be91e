"""What may happen in one deal: some kinds of act and some changes are left out of each, drawn anew for every deal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from canasta.kernel.game import Game
from canasta.notation.record import Written
from canasta.shuffle import SplitMix64
from canasta_conformance.declared import Declared
from canasta_conformance.fuzzing.legal_play import EAGERNESS, Habits
from canasta_conformance.fuzzing.near_misses import BY_NAME, CHANGES, Change, everything_laid
from canasta_conformance.suite import Rules

LEFT_OUT: Final = frozenset(
    {Written.LAY, Written.TAKE, Written.ASK, Written.OUT, Written.SHOW, Written.UNITE, Written.KNOCK}
)
"""Kinds of act that a deal may do without; the others are needed to play at all."""

NONSENSE: Final = (0, 0, 1, 3)
"""How many times of ten a turn is nonsense."""

BROAD: Final = 2
"""In one deal of so many the players begin many melds and finish few, eagerly, and lay down everything now and then."""
NEAR: Final = (2, 4, 6)
"""How many times of ten a turn is a near miss."""


@dataclass(frozen=True, slots=True)
class Swarm:
    """The habits of one deal: which acts are avoided, which changes are made, and how often anything is wrong."""

    habits: Habits
    changes: tuple[Change, ...]
    near: int
    nonsense: int


def swarm(game: Game, generator: SplitMix64, *, broad: bool = False) -> Swarm:
    """Draw the habits of a deal; in a broad one little is left to chance."""
    names = sorted(act.name for act in game.ruleset.acts.values() if act.written in LEFT_OUT)
    avoided = frozenset(name for name in names if not generator.below(5))
    kept = {name for name in BY_NAME if generator.below(2)}
    kept |= {everything_laid.__name__} if broad else set()
    changes = tuple(change for change in CHANGES if change.__name__ in kept) or CHANGES
    near, nonsense = NEAR[generator.below(len(NEAR))], NONSENSE[generator.below(len(NONSENSE))]
    if broad:
        return Swarm(Habits(EAGERNESS[0], broad=True), changes, NEAR[-1], NONSENSE[0])
    return Swarm(Habits(EAGERNESS[generator.below(len(EAGERNESS))], avoided), changes, near, nonsense)


def options_drawn(declared: Declared, rules: Rules, generator: SplitMix64) -> dict[str, str]:
    """Draw by which options a deal is played: half of the deals as the engine plays anyway, else a profile or one option otherwise.

    What is given are the options that are otherwise than in the rule set.
    """
    own = dict(declared.options)
    choices = list(_choices(declared, rules))
    if choices and generator.below(2):
        own |= choices[generator.below(len(choices))]
    return {name: value for name, value in sorted(own.items()) if rules.defaults[name] != value}


def _choices(declared: Declared, rules: Rules) -> Iterator[Mapping[str, str]]:
    """List what may be chosen otherwise: every profile and every value of every option that a case may choose."""
    for chosen in rules.profiles.values():
        if chosen and declared.selectable.issuperset(chosen):
            yield chosen
    for name, values in rules.choices.items():
        if name in declared.selectable:
            yield from ({name: value} for value in values if value != declared.options[name])
