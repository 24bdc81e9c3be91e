"""What differs from rule set to rule set: figures, and points on which a table chooses."""

from dataclasses import dataclass, replace
from typing import Any

Steps = tuple[tuple[int | None, int], ...]
"""Where each step of the minimum begins (None: below everything else) and what it asks for."""

CLASSIC_STEPS: Steps = ((None, 15), (0, 50), (1500, 90), (3000, 120))


@dataclass(frozen=True, slots=True)
class Rules:
    """A game of the family. The first fields are figures, the later ones choices of the table."""

    name: str
    seats: str = "NESW"
    partners: bool = True
    packs: int = 2
    hand_size: int = 11
    draw_count: int = 1
    most_wilds: int = 3
    canastas_to_go_out: int = 1
    natural_canasta_bonus: int = 500
    mixed_canasta_bonus: int = 300
    concealed_canasta_bonus: int = 100
    going_out_bonus: int = 100
    concealed_bonus: int = 100
    red_three_bonus: int = 100
    red_three_set: int = 4
    red_three_set_bonus: int = 800
    failed_asking_penalty: int = 100
    minimum: Steps = CLASSIC_STEPS
    match_target: int = 5000
    pooling: bool = False
    """Three players: two of them may become partners in mid-deal, and keep totals and red threes of their own."""

    upcard_black_three: str = "cover"
    dealt_red_threes: str = "before_first_turn"
    last_red_three: str = "ends_deal"
    wilds_not_more_than_naturals: bool = False
    wild_onto_natural_canasta: bool = True
    concealed_canasta: bool = False
    concealed_needs_minimum: bool = False
    turned_red_three_freezes: bool = True
    black_three_freezes: bool = False
    take_onto_canasta: bool = True
    one_card_for_one: str = "forbidden"
    failed_asking: str = "never_offered"
    concealed_after_partner: bool = True
    concealed_after_take: bool = True
    forced_take: str = "own_meld"
    red_threes_need: str = "meld"
    tie: str = "extra_deal"
    lone_hand: bool = True
    stock_end: str = "pile_goes_on"

    def minimum_for(self, total: int) -> int:
        """What the initial meld must be worth, by the total at the beginning of the deal."""
        return next(points for start, points in reversed(self.minimum) if start is None or total >= start)


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
