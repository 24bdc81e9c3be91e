"""Which clauses of a rule set the options switch off: said in the book, since their text stands there all the same."""

from dataclasses import dataclass

from canasta.language.ruleset import Bound, Clause, Duty, Effect, Ending, Requirement, Ruleset, Score
from canasta.language.settling import settle
from canasta.prose import option_word
from canasta_tools.rulebook.telling import Said, Teller


@dataclass(frozen=True, slots=True)
class Off:
    """What the options of a rule set switch off in a clause: the whole of it, or single demands; told in sentences.

    A sentence names the options, as in ``Not in force in this rule set: option `tie` = `extra_deal` ``.
    """

    whole: bool = False
    lines: tuple[Said, ...] = ()


def out_of_force(rules: Ruleset, clause: Clause, told: Teller) -> Off:
    """Find what the options of a rule set switch off in a clause."""
    if isinstance(clause, Requirement | Bound | Effect | Duty | Score | Ending) and clause.when is not None:
        when = settle(rules, clause.when)
        if when is not None and not when[0] and when[1]:
            return _whole(rules, when[1], told)
    if not isinstance(clause, Requirement | Bound):
        return Off()
    off = {d.code: s[1] for d in clause.require if (s := settle(rules, d.that)) is not None and s[0] and s[1]}
    if len(off) == len(clause.require):
        return _whole(rules, frozenset().union(*off.values()), told)
    lines = tuple(
        told.say("`{code}` is not demanded in this rule set: {options}.", code=code, options=_named(rules, names, told))
        for code, names in off.items()
    )
    return Off(whole=False, lines=lines)


def _whole(rules: Ruleset, options: frozenset[str], told: Teller) -> Off:
    line = told.say("Not in force in this rule set: {options}.", options=_named(rules, options, told))
    return Off(whole=True, lines=(line,))


def _named(rules: Ruleset, options: frozenset[str], told: Teller) -> str:
    chosen = [rules.options[name] for name in rules.options if name in options]
    return ", ".join(
        told.say_in("names", "option `{name}` = `{value}`", name=o.name, value=option_word(o, o.value)) for o in chosen
    )
