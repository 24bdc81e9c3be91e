"""The games that this engine plays, and what a table may choose in each."""

from dataclasses import dataclass, replace
from typing import Any

from .rules import CLASSIC_STEPS, HIGHEST_STEP, Rules

OPTIONS: dict[str, tuple[str, ...]] = {
    "upcard_black_three": ("cover", "keep"),
    "dealt_red_threes": ("before_first_turn", "on_first_turn"),
    "last_red_three": ("ends_deal", "may_meld"),
    "wilds_not_more_than_naturals": ("no", "yes"),
    "wild_onto_natural_canasta": ("yes", "no"),
    "concealed_canasta": ("no", "yes"),
    "concealed_needs_minimum": ("no", "yes"),
    "turned_red_three_freezes": ("yes", "no"),
    "black_three_freezes": ("no", "yes"),
    "take_onto_canasta": ("yes", "no"),
    "one_card_for_one": ("forbidden", "allowed", "when_stock_is_gone"),
    "failed_asking": ("never_offered", "fined"),
    "concealed_after_partner": ("yes", "no"),
    "concealed_after_take": ("yes", "no"),
    "forced_take": ("own_meld", "whenever_possible", "never"),
    "red_threes_need": ("meld", "canasta"),
    "tie": ("extra_deal", "drawn"),
}
"""What a table of a classic game may choose; the default stands first."""

THREE_OPTIONS = {
    **OPTIONS,
    "lone_hand": ("yes", "no"),
    "draw_count": ("2", "1"),
    "canastas_to_go_out": ("2", "1"),
    "match_target": ("7500", "5000"),
    "stock_end": ("last_discard", "pile_goes_on"),
}

CLASSIC = Rules("classic")
TWO = replace(CLASSIC, name="classic/two", seats="NS", partners=False, hand_size=15, draw_count=2, canastas_to_go_out=2)
THREE = replace(
    CLASSIC,
    name="classic/three",
    seats="NES",
    partners=False,
    pooling=True,
    hand_size=13,
    draw_count=2,
    canastas_to_go_out=2,
    match_target=7500,
    stock_end="last_discard",
)

SAMBA = replace(
    CLASSIC,
    name="samba",
    packs=3,
    hand_size=15,
    draw_count=2,
    most_wilds=2,
    canastas_to_go_out=2,
    going_out_bonus=200,
    red_three_set=6,
    red_three_set_bonus=1000,
    red_threes_need="two_canastas",
    minimum=(*CLASSIC_STEPS, (HIGHEST_STEP, 150)),
    highest_minimum=150,
    match_target=10_000,
    tie="drawn",
    runs=True,
    natural_and_wild_take=False,
    concealed_hands=False,
    wild_onto_canasta=False,
    take_onto_canasta=False,
)
BOLIVIA = replace(
    SAMBA,
    name="bolivia",
    wild_melds=True,
    bolivia_bonus=2500,
    escalera_to_go_out=True,
    black_three_in_hand=100,
    match_target=15_000,
)
HANDBOOK = replace(
    BOLIVIA,
    name="bolivia/handbook",
    going_out=False,
    escalera_to_go_out=False,
    going_out_bonus=0,
    bolivia_bonus=2000,
    sevens=(1500, 1000),
    seven_in_hand=500,
    black_three_in_hand=200,
    black_threes_cost_always=True,
    black_threes_any_time=True,
    most_black_threes=4,
    longest_set=7,
    prize=11,
    red_three_set_bonus=2000,
    red_threes_need="key",
    minimum=((None, 60), (3500, 100), (7000, 140), (10_500, 180)),
    highest_minimum=140,
    forced_take="never",
    pass_with_last_card=True,
    deals=4,
)

Choices = dict[str, str]

_HOYLE: Choices = {"dealt_red_threes": "on_first_turn"}
_PAGAT: Choices = {"upcard_black_three": "keep"}
_ARTICLE: Choices = {
    "wilds_not_more_than_naturals": "yes",
    "concealed_canasta": "yes",
    "turned_red_three_freezes": "no",
}
_CLASSIC_PROFILES = {"hoyle": _HOYLE, "pagat": _PAGAT, "article": _ARTICLE}
_THREE_PROFILES = {
    **_CLASSIC_PROFILES,
    "pagat": {**_PAGAT, "canastas_to_go_out": "1", "stock_end": "pile_goes_on"},
    "alone": {
        "lone_hand": "no",
        "draw_count": "1",
        "canastas_to_go_out": "1",
        "match_target": "5000",
        "stock_end": "pile_goes_on",
    },
}


_SAMBA_OWN = {
    "take_onto_canasta": ("no", "yes"),
    "tie": ("drawn", "extra_deal"),
    "wild_onto_canasta": ("no", "yes"),
    "take_own_group": ("yes", "no"),
    "take_onto_sequence": ("whole_pile", "top_card"),
    "highest_minimum": ("150", "160"),
    "red_threes_laid": ("at_once", "at_will"),
    "twice_as_many_naturals": ("no", "yes"),
    "pass_with_last_card": ("no", "yes"),
}
_NOT_IN_SAMBA = frozenset(
    (
        *("wilds_not_more_than_naturals", "wild_onto_natural_canasta", "concealed_canasta", "concealed_needs_minimum"),
        *("concealed_after_partner", "concealed_after_take", "red_threes_need"),
    )
)
SAMBA_OPTIONS = {name: of for name, of in OPTIONS.items() if name not in _NOT_IN_SAMBA} | _SAMBA_OWN
BOLIVIA_OPTIONS = {
    **SAMBA_OPTIONS,
    "most_wilds": ("2", "3", "18"),
    "red_threes_need": ("two_canastas", "going_out"),
    "black_three_in_hand": ("100", "5"),
    "black_threes_any_time": ("no", "yes"),
}
_NOT_IN_HANDBOOK = ("failed_asking", "highest_minimum", "take_onto_canasta")
HANDBOOK_OPTIONS = {
    **{name: of for name, of in SAMBA_OPTIONS.items() if name not in _NOT_IN_HANDBOOK},
    "forced_take": ("never", "own_meld", "whenever_possible"),
    "pass_with_last_card": ("yes", "no"),
    "most_wilds": ("2", "3", "18"),
}

_DUTCH: Choices = {
    "upcard_black_three": "keep",
    "wild_onto_canasta": "yes",
    "take_own_group": "no",
    "take_onto_sequence": "top_card",
    "red_threes_laid": "at_will",
    "twice_as_many_naturals": "yes",
    "pass_with_last_card": "yes",
}
_BOLIVIA_PAGAT: Choices = {
    **{name: choice for name, choice in _DUTCH.items() if name not in ("red_threes_laid", "twice_as_many_naturals")},
    "most_wilds": "18",
    "red_threes_need": "going_out",
    "black_three_in_hand": "5",
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A game with what a table may choose in it, point by point or all at once."""

    rules: Rules
    options: dict[str, tuple[str, ...]]
    profiles: dict[str, Choices]


RULE_SETS = {
    "classic": RuleSet(CLASSIC, OPTIONS, _CLASSIC_PROFILES),
    "classic/two": RuleSet(
        TWO,
        {name: OPTIONS[name] for name in OPTIONS if name not in ("failed_asking", "concealed_after_partner")},
        _CLASSIC_PROFILES,
    ),
    "classic/three": RuleSet(THREE, THREE_OPTIONS, _THREE_PROFILES),
    "samba": RuleSet(SAMBA, SAMBA_OPTIONS, {"dutch": _DUTCH}),
    "bolivia": RuleSet(BOLIVIA, BOLIVIA_OPTIONS, {"pagat": _BOLIVIA_PAGAT}),
    "bolivia/handbook": RuleSet(HANDBOOK, HANDBOOK_OPTIONS, {}),
}


class UnknownRulesError(ValueError):
    """A name that this engine cannot play by."""


def named(name: str) -> Rules:
    """The rules that a name stands for: `classic`, `classic:hoyle`, `classic/two:pagat,tie=drawn`."""
    head, *choices = (part.strip() for part in name.split(","))
    game, _, profile = head.partition(":")
    rule_set = RULE_SETS.get(game)
    if rule_set is None:
        raise UnknownRulesError(f"no rule set {game}")
    if profile and profile not in rule_set.profiles:
        raise UnknownRulesError(f"no profile {profile} of {game}")
    chosen = dict(rule_set.profiles[profile]) if profile else {}
    for choice in choices:
        option, _, value = choice.partition("=")
        chosen[option] = value
    return choose(rule_set, chosen)


def choose(rule_set: RuleSet, chosen: Choices) -> Rules:
    """The rules of a game with some points chosen."""
    changes: dict[str, Any] = {}
    for option, value in chosen.items():
        if value not in rule_set.options.get(option, ()):
            raise UnknownRulesError(f"no choice {option}={value} in {rule_set.rules.name}")
        current = getattr(rule_set.rules, option)
        if isinstance(current, bool):
            changes[option] = value == "yes"
        else:
            changes[option] = int(value) if isinstance(current, int) else value
    return replace(rule_set.rules, **changes)
