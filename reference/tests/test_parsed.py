"""The parsed form of a shipped rule set says the same as its rule files, whatever is chosen."""

from dataclasses import fields, is_dataclass
from enum import Enum

import pytest

from canasta.games import load_ruleset, read_ruleset
from canasta.language.naming import known
from canasta.language.parsed import load_parsed
from canasta.language.ruleset import Option


def word(option: Option, value: int) -> str:
    if option.type.words:
        return option.type.words[value]
    return str(value) if option.type.name == "int" else ("no", "yes")[value]


def choices(name: str) -> list[str]:
    """Pair every profile with half of the options, chosen otherwise, so that every value of every option is chosen once.

    Reading rule files takes a while; one reading compares many options.
    """
    rules = load_ruleset(name)
    found = []
    for i, profile in enumerate(["", *rules.profiles]):
        chosen = [
            f"{o.name}={word(o, o.allowed[(o.allowed.index(o.default) + 1 + i // 2) % len(o.allowed)])}"
            for j, o in enumerate(rules.options.values())
            if (i + j) % 2
        ]
        found.append(",".join([f":{profile}" if profile else "", *chosen]))
    return found


def differences(one: object, other: object, at: str = "") -> list[str]:
    """Compare two values of a rule set field by field, with their types: a word is not the same word of another list."""
    if type(one) is not type(other):
        return [f"{at}: {type(one).__name__} and {type(other).__name__}"]
    if is_dataclass(one):
        return [
            d for f in fields(one) for d in differences(getattr(one, f.name), getattr(other, f.name), f"{at}.{f.name}")
        ]
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            return [f"{at}: {list(one)} and {list(other)}"]
        return [d for k in one for d in differences(one[k], other[k], f"{at}[{k}]")]
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        if len(one) != len(other):
            return [f"{at}: {len(one)} and {len(other)} entries"]
        return [d for i, (x, y) in enumerate(zip(one, other, strict=True)) for d in differences(x, y, f"{at}[{i}]")]
    assert one is None or isinstance(one, str | int | bool | Enum), type(one)
    return [] if one == other else [f"{at}: {one!r} and {other!r}"]


@pytest.mark.parametrize("name", known())
def test_parsed_form_is_what_the_files_say(name: str) -> None:
    every = choices(name)
    for choice in every if name == "classic" else every[::3]:  # the others differ from it in few places
        parsed = load_parsed(name + choice)
        assert parsed is not None, f"the parsed form of {name} is stale: run `canasta generate`"
        assert differences(parsed, read_ruleset(name + choice)) == [], choice


def test_every_value_of_every_option_is_compared() -> None:
    chosen = {one for choice in choices("classic") for one in choice.split(",")[1:]}
    options = load_ruleset("classic").options.values()
    assert chosen >= {f"{o.name}={word(o, v)}" for o in options for v in o.allowed if v != o.default}


def test_a_difference_would_be_seen() -> None:
    rules, other = load_ruleset("classic"), load_ruleset("classic:article,tie=drawn")
    found = differences(rules, other)
    assert any(d.startswith(".options[tie]") for d in found)
    assert any(d.startswith(".clauses[") for d in found), "what an option decides is folded into the clauses"
