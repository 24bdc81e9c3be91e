"""Which clauses of a rule set the options switch off: said in the book, since their text stands there all the same."""

from canasta.language.ruleset import Bound, Clause, Duty, Effect, Ending, Requirement, Ruleset, Score
from canasta.language.settling import settle
from canasta.prose import option_word


def out_of_force(rules: Ruleset, clause: Clause) -> tuple[str, ...]:
    """Say of a clause what the options of its rule set switch off: the whole of it, or single demands by their codes.

    Each sentence names the options, as in ``Not in force in this rule set: option tie = extra_deal``.
    """
    if isinstance(clause, Requirement | Bound | Effect | Duty | Score | Ending) and clause.when is not None:
        when = settle(rules, clause.when)
        if when is not None and not when[0] and when[1]:
            return (f"Not in force in this rule set: {_named(rules, when[1])}.",)
    if not isinstance(clause, Requirement | Bound):
        return ()
    off = {d.code: s[1] for d in clause.require if (s := settle(rules, d.that)) is not None and s[0] and s[1]}
    if len(off) == len(clause.require):
        return (f"Not in force in this rule set: {_named(rules, frozenset().union(*off.values()))}.",)
    return tuple(f"{code} is not demanded in this rule set: {_named(rules, options)}." for code, options in off.items())


def _named(rules: Ruleset, options: frozenset[str]) -> str:
    chosen = [rules.options[name] for name in rules.options if name in options]
    return "option" + ", option".join(f" {o.name} = {option_word(o, o.value)}" for o in chosen)
