"""The rules by which an engine says it plays, and what that means for a case."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from canasta_conformance.suite import Case, Exchange, Form, Rules

Data = Mapping[str, Any]


class DeclarationError(Exception):
    """A declaration that names what there is not: everything that is wrong with it, each with what to do, if that is known."""

    def __init__(self, faults: str | Sequence[tuple[str, str]]) -> None:
        """Carry the texts and hints; a text by itself has no hint."""
        self.faults = ((faults, ""),) if isinstance(faults, str) else tuple(faults)
        super().__init__("; ".join(told for told, _ in self.faults))

    def __reduce__(self) -> tuple[type["DeclarationError"], tuple[tuple[tuple[str, str], ...]]]:
        """Keep the hints where it goes from one process to another."""
        return type(self), (self.faults,)

    @property
    def hint(self) -> str:
        """All hints in one."""
        return "; ".join(dict.fromkeys(hint for _, hint in self.faults if hint))


class HouseRulesError(DeclarationError):
    """House rules that cannot be read."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One rule set as an engine plays it: every option with its value, those that a case may choose, and house rules."""

    ruleset: str
    options: Mapping[str, str]
    selectable: frozenset[str]
    house_rules: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A form as it is put to one engine; ``declared`` says that what is expected was worked out for its own rules."""

    exchanges: tuple[Exchange, ...]
    declared: bool = False


def declarations(hello: Data, rules: Mapping[str, Rules]) -> dict[str, Declared]:
    """Read what an engine declares, by rule set.

    Raises:
        DeclarationError: for a profile, option or value that its rule set does not have, and for house rules that cannot be read
            or belong to another rule set.
    """
    found: dict[str, Declared] = {}
    for told in hello["rulesets"]:
        name = told["id"]
        if name not in rules:
            continue  # a rule set of its own; no case of the suite speaks of it
        of = rules[name]
        profile = told.get("profile", "")
        if profile and profile not in of.profiles:
            raise DeclarationError(f"{name} has no profile {profile}; known: {', '.join(of.profiles) or 'none'}")
        chosen = {**of.defaults, **of.profiles.get(profile, {}), **told.get("options", {})}
        unknown = [option for option in chosen if option not in of.defaults]
        if unknown:
            raise DeclarationError(f"{name} has no option {unknown[0]}; known: {', '.join(of.defaults) or 'none'}")
        odd = [option for option, value in chosen.items() if value not in of.choices[option]]
        if odd:
            known = ", ".join(of.choices[odd[0]])
            raise DeclarationError(f"{odd[0]} of {name} cannot be {chosen[odd[0]]}; it can be {known}")
        selectable = told.get("selectable", ())
        names = frozenset(of.defaults) if selectable == "all" else frozenset(selectable)
        house_rules = told.get("house_rules", "")
        if house_rules:
            from canasta_conformance.expectations import see_house_rules  # noqa: PLC0415 - only here the reference is needed

            see_house_rules(house_rules, name)
        found[name] = Declared(name, chosen, names, house_rules)
    return found


def meant(rulesets: Iterable[Data], known: Iterable[str]) -> str:
    """Guess which rule set of the suite is meant by a declared name that it does not have; empty where none is near."""
    names = list(known)
    strange = [told["id"] for told in rulesets if told["id"] not in names]
    near = next(((name, found[0]) for name in strange if (found := get_close_matches(name, names, 1, 0.6))), None)
    return f'it plays "{near[0]}", did you mean "{near[1]}"?' if near else ""


def asked(case: Case, form: Form, declared: Declared, rules: Rules) -> Asked | None:
    """Put a form as this engine's rules want it; nothing when the case is about a choice that the engine has made otherwise.

    Nor is a case put that there is not under its rules, such as a deal from a pack that it does not play with.
    """
    wanted = {**rules.defaults, **case.options}
    other = {option: value for option, value in declared.options.items() if wanted.get(option) != value}
    fixed = {option: value for option, value in other.items() if option not in declared.selectable}
    if any(option in fixed for option in case.options):
        return None
    chosen = {option: wanted[option] for option in other if option in declared.selectable}
    exchanges = tuple(with_options(exchange, chosen) for exchange in form.exchanges)
    if not fixed and not declared.house_rules:
        return Asked(exchanges)
    from canasta_conformance.expectations import expected_under  # noqa: PLC0415 - only here the reference is needed

    options = {option: value for option, value in {**wanted, **fixed}.items() if rules.defaults.get(option) != value}
    put = expected_under(case.ruleset, options, declared.house_rules, exchanges)
    return None if put is None else Asked(*put)


def certain(rules: Rules, declared: Declared) -> Rules:
    """Leave out of a rule set what rules of the house may make otherwise: where cards can lie, and what the ledger holds."""
    return replace(rules, zones={}, lines=()) if declared.house_rules else rules


def with_options(exchange: Exchange, chosen: Mapping[str, str]) -> Exchange:
    """Say in a request which options are chosen otherwise than the engine plays of its own accord."""
    if "ruleset" not in exchange.send:
        return exchange
    send = {key: value for key, value in exchange.send.items() if key != "options"}
    return replace(exchange, send={**send, **({"options": dict(chosen)} if chosen else {})})
