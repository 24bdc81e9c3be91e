"""What kind of clause it is and what it is about, in a few words under its heading."""

from canasta.language.ruleset import (
    Bound,
    Clause,
    Custom,
    Definition,
    Duty,
    Effect,
    Ending,
    Requirement,
    Score,
    Structure,
)
from canasta_tools.rulebook.telling import Said, Teller


def concerns(clause: Clause, told: Teller) -> Said:
    """Say in a few words what kind of clause it is and what it is about."""
    match clause:
        case Requirement(on=on):
            return told.say("requirement on {acts}", acts=_named(on, told))
        case Effect(on=on):
            return told.say("effect on {acts}", acts=_named(on, told))
        case Duty(on=on, each_seat=True):
            return told.say("duty after {acts}, for each seat", acts=_named(on, told))
        case Duty(on=on):
            return told.say("duty after {acts}", acts=_named(on, told))
        case Bound(shape=shape):
            return told.say("bound of the shape {shape}", shape=told.name(shape))
        case Structure(refuses=refuses):
            return told.say("structure: {what}", what=refuses)
        case Definition(name=name):
            return told.say("definition of {name}", name=told.name(name))
        case Score(item=item, each_seat=True):
            return told.say("score: {item}, for each seat", item=told.name(item))
        case Score(item=item):
            return told.say("score: {item}, for each side", item=told.name(item))
        case Ending(each_seat=True):
            return told.say("ending, by seats")
        case Ending():
            return told.say("ending, by sides")
        case Custom(follows_from=found) if found:
            return told.say("sums up what other clauses decide")
        case _:
            return told.say("for the people at the table, not executed")


def _named(acts: tuple[str, ...], told: Teller) -> str:
    return told.listed(told.name(act) for act in acts)
