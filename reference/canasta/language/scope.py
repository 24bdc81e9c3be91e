"""What the names of a rule set mean, and which of them may be used at a given place."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.language.ruleset import Act, Option, Pack, Shape, StepTable, Variable, Zone
from canasta.language.types import Numbering, Type

ALWAYS: Final = frozenset({"turn_no", "deal_no", "turn_seat", "dealer", "seats", "sides", "laid", "parts"})
ACTOR: Final = frozenset({"seat", "side"})
BOUND_WORDS: Final = frozenset({"size", "body", "filler"})


@dataclass(frozen=True, slots=True)
class Signature:
    """What a definition is called with and what it gives."""

    context: tuple[str, ...]
    parameters: tuple[tuple[str, Type], ...]
    result: Type


@dataclass(slots=True)
class Declared:
    """Every declared name of a rule set, as far as it has been read."""

    pack: Pack
    classes: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    parameters: dict[str, int] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    steps: dict[str, StepTable] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    state: dict[str, Variable] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    shapes: dict[str, Shape] = field(default_factory=dict)
    acts: dict[str, Act] = field(default_factory=dict)
    phases: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    definition_names: set[str] = field(default_factory=set)
    signature: Callable[[str], Signature | None] = field(default=lambda _: None)
    numbering: Numbering = field(default_factory=Numbering)

    def every_name(self) -> list[str]:
        """List all names an expression may use, for a hint when one is mistyped."""
        return [
            *self.parameters, *self.options, *self.steps, *self.zones, *self.state, *self.definition_names,
            *ALWAYS, *ACTOR, "card", "option", "left", "top_card", "from_hand", "group",
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be used at one place: the context words, the bound variables, and whether the state may be read."""

    words: frozenset[str]
    variables: dict[str, tuple[str, Type]] = field(default_factory=dict)
    reads_state: bool = True
    where: str = ""
    option: Type | None = None

    def bind(self, name: str, unique: str, kind: Type) -> "Scope":
        """Add a bound variable."""
        return replace(self, variables={**self.variables, name: (unique, kind)})


def words_of_acts(acts: tuple[Act, ...]) -> frozenset[str]:
    """List the context words that every one of these acts gives a meaning to."""
    given = [_words_of_act(a) for a in acts]
    return frozenset.intersection(*given) if given else ALWAYS


def _words_of_act(act: Act) -> frozenset[str]:
    words = set(ALWAYS | ACTOR)
    if act.choose == "card":
        words.add("card")
    if act.choose == "option":
        words.add("option")
    if act.lays:
        words |= {"group", "from_hand", "top_card"}
    if act.left is not None:
        words.add("left")
    return frozenset(words)
