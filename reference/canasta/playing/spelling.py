"""What a person may write next: the signs of the notation for the acts of a phase, each with what it does.

The acts of a rule set have names of its own, which stand in no record. Who is told what may be done has to know what to type.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Act
from canasta.notation.record import Written
from canasta.playing.played import Step
from canasta.playing.seats import Seats

SIGNS: Final = {
    Written.DRAW: "+", Written.TAKE: "^", Written.PICK: "pick", Written.LAY: "the cards alone",
    Written.SHOW: "the card and +", Written.UNITE: "a card of each meld with / between them", Written.ASK: "?out",
    Written.ANSWER: "yes or no", Written.DISCARD: "- and the card", Written.OUT: "out", Written.DECLINE: "pass",
    Written.KNOCK: "knock, - and the card",
}  # fmt: skip
"""How a kind of act is written; of cards that a sign wants it is said where they stand."""


def sign_of(act: Act) -> str:
    """Say how an act is written: its sign, and the card or the meld that it wants."""
    sign = SIGNS[Written(act.written)]
    if act.written == Written.TAKE and act.top:
        return f"{sign} and the cards of the meld"
    if act.written in (Written.OUT, Written.DECLINE) and act.choose == "card":
        return f"{sign}, - and the card"
    return sign


def what_to_write(acts: Iterable[Act]) -> str:
    """List how acts are written, each with what it does in the words of the rule set."""
    return "; ".join(f"{sign_of(act)} ({_does(act)})" for act in acts if act.written)


def known_signs(game: Game) -> str:
    """List all signs that the rule set has an act for, each once, in the order of its acts."""
    return "; ".join(dict.fromkeys(sign_of(act) for act in game.ruleset.acts.values() if act.written and not act.auto))


def _does(act: Act) -> str:
    text = act.text.strip().rstrip(".")
    return f"{text[0].lower()}{text[1:]}" if text else act.name


def now_due(game: Game, seats: Seats, state: State) -> str:
    """Say whose turn it is and what that seat may write in the phase that play has come to."""
    acts = [game.ruleset.acts[name] for name in game.machine.phases[state.phase].acts]
    return f"now {seats.names[state.seat]} may write: {what_to_write(acts)}"


def ended_by(game: Game, seat: int, steps: Sequence[Step]) -> Act | None:
    """Find the act by which a seat has ended its own turn before this, in the same line of the record."""
    for step in steps:
        act = game.ruleset.acts.get(step.move.act)
        if act is not None and act.commit and not act.auto and step.before.seat == seat != step.after.seat:
            return act
    return None


def too_late(act: Act) -> str:
    """Say that something must be written before the act that has ended the turn."""
    return f"`{sign_of(act)}` ends the turn: write before it what was laid"
