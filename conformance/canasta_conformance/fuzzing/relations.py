"""Relations that hold whatever the rules say of a turn: a deal changed in a way after which the answers are known from those before.

Each relation makes scripts out of one, says what the reference itself gets wrong in it, and names the clause from which it follows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from canasta.games import load_ruleset
from canasta.language.ruleset import Score
from canasta.shuffle import SplitMix64
from canasta_conformance.comparing import canonical
from canasta_conformance.fuzzing.referee import Referee, UnaskableError, expected
from canasta_conformance.fuzzing.renaming import Renaming, renamed
from canasta_conformance.suite import Exchange, Rules

Data = dict[str, Any]
Sends = list[Data]

SUITS: Final = {"c": "s", "s": "c", "d": "h", "h": "d"}
"""Each suit becomes the other one of its colour: a three keeps its colour, and cards in sequence stay in one suit."""

DEEP: Final = 12
"""With more cards than these in the stock its last one comes up in no turn."""

MELDS: Final = 3
"""So many melds are needed: one is left away, and something must lie there of a side that has melded."""

OF_MELDS: Final = ("canastas", "melded_cards", "sambas", "bolivias", "sequences", "sevens")
"""How the lines of a ledger end that are added up meld by meld."""


@dataclass(frozen=True, slots=True)
class Related:
    """What a relation made of a script: scripts to be put to the engine, and where the reference itself breaks it."""

    scripts: tuple[tuple[Exchange, ...], ...]
    broken: tuple[str, ...] = ()
    explicit: bool = False
    """Whether every option is to be named to the engine, also where it plays so of its own accord."""


@dataclass(frozen=True, slots=True)
class Base:
    """A script as relations see it, with what may be needed to change it."""

    exchanges: Sequence[Exchange]
    rules: Rules
    generator: SplitMix64
    house_rules: str = ""

    @property
    def sends(self) -> Sends:
        """The requests alone."""
        return [exchange.send for exchange in self.exchanges]

    def changed(self, sends: Sends) -> tuple[Exchange, ...]:
        """Let the reference expect something of a changed script.

        Raises:
            UnaskableError: when nothing can be expected.
        """
        return tuple(expected(sends, self.house_rules))

    def loaded(self, at: int) -> Data:
        """Give the request that sets up how it stands before an exchange.

        Raises:
            UnaskableError: when no position can say it.
        """
        referee = Referee(self.house_rules)
        for send in self.sends[:at]:
            referee.expecting(send)
        return referee.loading({key: self.sends[0][key] for key in ("ruleset", "options") if key in self.sends[0]})


def same_suits(base: Base) -> Related | None:
    """Every suit for the other one of its colour."""
    return _by_renaming(base, Renaming(suits=SUITS))


def next_seats(base: Base) -> Related | None:
    """Everybody moves up by one seat; with partners across the table the sides change places."""
    seats = base.rules.seats
    parties = {str(e.expect["values"].get("sides")) for e in base.exchanges if "values" in e.expect}
    if len(parties) > 1:
        return None  # partners were found in mid-deal, and how their side is called depends on where they sit
    moved = {seat: seats[(n + 1) % len(seats)] for n, seat in enumerate(seats)}
    names = {frozenset(side): side for side in base.rules.sides}
    sides = {side: names.get(frozenset(moved[seat] for seat in side), "") for side in base.rules.sides}
    if "" in sides.values():
        return None  # the sides sit in another way after it
    return _by_renaming(base, Renaming(owners={**sides, **moved}))


def _by_renaming(base: Base, renaming: Renaming) -> Related:
    after = base.changed([renamed(send, renaming) for send in base.sends])
    wanted = [renamed(exchange.expect, renaming) for exchange in base.exchanges]
    return Related((after,), tuple(_unlike(wanted, [exchange.expect for exchange in after])))


def other_stock(base: Base) -> Related | None:
    """Cards of the stock that are never drawn lie in another order."""
    if base.sends[0]["op"] != "start":
        return None
    left = [len(e.expect["zones"].get("stock", ())) for e in base.exchanges if "zones" in e.expect]
    fewest = min(left, default=0)
    if fewest < 2:  # noqa: PLR2004 - a single card has one order
        return None
    start = base.sends[0]
    bottom = start["stock"][:fewest]
    after = base.changed([{**start, "stock": [*bottom[1:], bottom[0], *start["stock"][fewest:]]}, *base.sends[1:]])
    return Related((after,), tuple(_unlike([e.expect for e in base.exchanges], [e.expect for e in after], but="stock")))


def split_adding(base: Base) -> Related | None:
    """Cards that are added to a meld in one act are added in two; where the reference has it otherwise, the rules do not allow it."""
    sends = [{**send, "acts": _split(send["acts"])} if send["op"] == "turn" else send for send in base.sends]
    if sends == base.sends:
        return None
    after = base.changed(sends)
    return Related((after,)) if not _unlike([e.expect for e in base.exchanges], [e.expect for e in after]) else None


def _split(acts: Sequence[Data]) -> list[Data]:
    found: list[Data] = []
    for act in acts:
        if act["act"] == "add" and len(act["cards"]) > 1:
            found += [{**act, "cards": act["cards"][:-1]}, {**act, "cards": act["cards"][-1:]}]
        else:
            found.append(act)
    return found


def named_options(base: Base) -> Related | None:
    """Every option is named with the value that it has anyway: a variant with all options at its parent's values is its parent."""
    if not base.rules.defaults:
        return None
    sends = [
        {**send, "options": {**base.rules.defaults, **send.get("options", {})}} if "ruleset" in send else send
        for send in base.sends
    ]
    after = base.changed(sends)
    unlike = _unlike([e.expect for e in base.exchanges], [e.expect for e in after])
    return Related((after,), tuple(unlike), explicit=True)


def bystander(base: Base) -> Related | None:
    """A card at the bottom of a stock that does not run out is not there: no rule asks for it."""
    turns = [n for n, e in enumerate(base.exchanges) if e.send["op"] == "turn"]
    if not turns:
        return None
    at = turns[base.generator.below(len(turns))]
    load, turn = base.loaded(at), base.sends[at]
    position = load["position"]
    stock = position["zones"].get("stock", [])
    if len(stock) <= DEEP:
        return None
    fewer = {**load, "position": {**position, "zones": {**position["zones"], "stock": stock[1:]}}}
    before = base.changed([load, turn, {"op": "observe"}])
    after = base.changed([fewer, turn, {"op": "observe"}])
    broken = _unlike([e.expect for e in before], [e.expect for e in after], but="stock")
    return Related((before, after), tuple(broken))


def additive(base: Base) -> Related | None:
    """One meld of a side is left away: the lines of melds change by the same, whatever else lies there."""
    load = base.loaded(len(base.exchanges) - 1)
    zones = load["position"]["zones"]
    sides = [name for name, cards in sorted(zones.items()) if len(cards) >= MELDS and isinstance(cards[0], list)]
    if not sides:
        return None
    side = sides[base.generator.below(len(sides))]
    one, *others = zones[side]
    other = others[base.generator.below(len(others))]
    kept: tuple[list[Any], ...] = ([one, *others], others, [one, other], [other])
    scripts = [base.changed([_lying(load, side, left), {"op": "ledger"}]) for left in kept]
    lines = [script[1].expect["lines"] for script in scripts]
    names = [name for name in lines[0] if name.endswith(OF_MELDS)]
    broken = [name for name in names if lines[0][name] - lines[1][name] != lines[2][name] - lines[3][name]]
    return Related(tuple(scripts), tuple(f"{name} is not added up meld by meld" for name in broken))


def _lying(load: Data, side: str, melds: list[list[str]]) -> Data:
    position = load["position"]
    return {**load, "position": {**position, "zones": {**position["zones"], side: melds}}}


def _unlike(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]], but: str = "") -> list[str]:
    """Say where two lists of expectations differ, whatever lies in the zone that is excepted."""
    found: list[str] = []
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        left, right = _plain(one, but), _plain(other, but)
        found += [f"{key} of answer {number}" for key in left if left[key] != right.get(key)]
    return found


def _plain(expect: Mapping[str, Any], but: str) -> Data:
    if "zones" not in expect:
        return {k: sorted(v) if k in ("codes", "winners") else v for k, v in expect.items()}
    seen = canonical(expect)
    values = {n: sorted(map(sorted, v)) if n == "sides" else v for n, v in seen["values"].items()}
    zones = {name: cards for name, cards in seen["zones"].items() if name != but}
    return {**{k: seen[k] for k in ("seat", "phase") if k in expect}, "zones": zones, "values": values}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation: its name, what makes it, and the clauses from which it follows, the first that a rule set has."""

    name: str
    make: Callable[[Base], Related | None]
    clauses: tuple[str, ...]

    def clause(self, rules: Rules) -> str:
        """Name the clause from which it follows in this rule set."""
        scores = (c.id for c in load_ruleset(rules.name).of_kind(Score)) if self.make is additive else iter(())
        return next((name for name in self.clauses if name in rules.clauses), "") or next(
            scores, next(iter(rules.clauses))
        )

    def __call__(self, base: Base) -> Related | None:
        """Make it of a script; nothing where it cannot be made."""
        try:
            return self.make(base)
        except UnaskableError:
            return None


RELATIONS: Final = (
    Relation("suits", same_suits, ("melds.form", "cards.pack")),
    Relation("seats", next_seats, ("turn.order", "deal.rotation", "cards.pack")),
    Relation("stock", other_stock, ("turn.draw.stock", "turn.draw", "deal.stock")),
    Relation("split", split_adding, ("melds.adding", "melds.form", "cards.pack")),
    Relation("options", named_options, ("cards.pack",)),
    Relation("bystander", bystander, ("turn.draw", "deal.stock")),
    Relation("additive", additive, ("scoring.melded-cards",)),
)
