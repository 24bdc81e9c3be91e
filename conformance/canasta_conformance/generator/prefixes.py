"""The same question after a few turns of play, for engines whose positions cannot be set: a stacked pack, turns that lead there, the turn.

The position that is reached is larger than that of the case: the player holds further cards, or the side has further melds, or the pile
is deeper; the stock is whole. What is added are quiet cards, of ranks that the case does not speak of. A form is made only if
the reference lets every turn before stand, and answers the last one as the case expects, with the same reasons.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.playing.examples import with_options
from canasta_conformance.adapters import answer
from canasta_conformance.generator.beginnings import NoPrefixError, Table, table_of
from canasta_conformance.inprocess.engine import ReferenceEngine

Data = dict[str, Any]

MOST_ROUNDS: Final = 2
POOR: Final = -5
"""A total below zero, with which little is enough to open."""
SHORTEST, LONGEST = 3, 6
"""How many cards a meld may have that is added: enough to be one, too few for a canasta."""

DEAL: Final = "deal_no"
"""Which deal of the match it is: it may begin with any."""


@dataclass(slots=True)
class _Supply:
    """The pack, from which cards are taken; quiet ones of ranks that the case does not speak of."""

    table: Table
    left: Counter[str]
    spoken: frozenset[str]

    def take(self, cards: Sequence[str]) -> list[str]:
        for card in cards:
            if not self.left[card]:
                raise NoPrefixError("the pack has not so many cards of a kind")
            self.left[card] -= 1
        return list(cards)

    def ranks(self) -> list[str]:
        """List quiet ranks, those of which most cards are left first."""
        found = Counter[str]()
        for card, n in self.left.items():
            if n and card in self.table.plain and card[0] not in self.spoken:
                found[card[0]] += n
        return [rank for rank, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]

    def quiet(self, number: int) -> list[str]:
        """Take quiet cards, no more of a rank than can be helped."""
        found: list[str] = []
        while len(found) < number:
            before = len(found)
            for rank in self.ranks():
                card = next(c for c, n in self.left.items() if n and c[0] == rank and c in self.table.plain)
                if len(found) < number:
                    found += self.take([card])
            if len(found) == before:
                raise NoPrefixError("there are not enough quiet cards")
        return found

    def any(self, number: int) -> list[str]:
        """Take cards for those who only draw and throw away: quiet ones if there are, else whatever is natural, else any."""
        found: list[str] = []
        while len(found) < number:
            there = [card for card, n in self.left.items() if n]
            if not there:
                raise NoPrefixError("the pack has not so many cards")
            loud = min(
                there, key=lambda card: (card not in self.table.plain, card[0] in self.spoken, -self.left[card], card)
            )
            found += self.take([loud])
        return found

    def meld(self, number: int) -> list[str]:
        """Take a meld of a quiet rank."""
        for rank in self.ranks():
            there = [c for c, n in self.left.items() if c[0] == rank and c in self.table.plain for _ in range(n)]
            if len(there) >= number:
                return self.take(there[:number])
        raise NoPrefixError("there are not enough quiet cards")


@dataclass(slots=True)
class _Turn:
    """A turn on the way: who plays it, what is laid in it, what is thrown away."""

    seat: str
    melds: list[list[str]] = field(default_factory=list)
    thrown: str = ""

    @property
    def laid(self) -> int:
        return sum(map(len, self.melds))


@dataclass(slots=True)
class Prefix:
    """The search for a play that leads to one position."""

    game: Game
    rules: Data
    position: Data
    asked: Sequence[Data]

    def search(self) -> tuple[bool, int]:
        """Find a way to the position: whether the hand is exactly as told, and how many rounds are played that the pile does not need.

        Raises:
            NoPrefixError: where there is none, with the reason of the last way that was tried.
        """
        told = ""
        for exact in (True, False):
            for rounds in range(MOST_ROUNDS + 1):
                try:
                    told = _differs(self.form(exact=exact, rounds=rounds)["exchange"])
                except NoPrefixError as reason:
                    told = str(reason)
                if not told:
                    return exact, rounds
        raise NoPrefixError(told)

    def form(self, *, exact: bool, rounds: int) -> Data:
        """Make the form of level 2 in one way.

        Raises:
            NoPrefixError: where that way does not lead to the position.
        """
        table = table_of(with_options(self.rules["ruleset"], self.rules.get("options", {})))
        self._suits(table)
        return {"level": 2, "exchange": _Plan(self, table, rounds, exact=exact).exchange()}

    def _suits(self, table: Table) -> None:
        """See that nothing in the position needs more than a few turns."""
        zones, values, parts = self.position["zones"], self.position.get("values", {}), table.parts
        if self.position["phase"] not in table.phases:
            raise NoPrefixError(f"the turn is at {self.position['phase']} already")
        if not zones.get(table.pile):
            raise NoPrefixError(f"there is no {table.pile}")
        for name, cards in zones.items():
            zone, _, owner = name.partition(".")
            if zone not in (table.hand, table.melds, table.pile, table.stock) and cards:
                raise NoPrefixError(f"{zone} lies there")
            if zone == table.hand and owner != self.position["seat"] and cards:
                raise NoPrefixError(f"another {zone} is told")
        for name, value in values.items():
            said, _, side = name.partition(".")
            if said not in (*parts.follow, DEAL):
                raise NoPrefixError(f"{name} is told")
            if said == parts.opened and bool(value) != bool(zones.get(f"{table.melds}.{side}")):
                raise NoPrefixError(f"{name} does not follow from the {table.melds}")
        if set(zones[table.pile]) & table.fleeting:
            raise NoPrefixError(f"a card lies in the {table.pile} that nobody keeps")
        if table.drawn < 1:
            raise NoPrefixError("nothing is drawn")


class _Plan:
    """One way to the position: so many turns more than the pile needs, with the hand exactly as told or with further cards."""

    def __init__(self, of: Prefix, table: Table, rounds: int, *, exact: bool) -> None:
        self.of, self.table, self.exact = of, table, exact
        self.zones, self.seat = of.position["zones"], of.position["seat"]
        self.values: Data = of.position.get("values", {})
        stock = self.zones.get(table.stock, [])
        tops = stock[max(0, len(stock) - table.drawn) :]
        spoken = {
            c[0]
            for n, cards in self.zones.items()
            if n != table.stock
            for p in cards
            for c in (p if isinstance(p, list) else [p])
        }
        self.tops = list(tops[::-1])
        self.supply = _Supply(table, Counter(table.pack), frozenset({*spoken, *(c[0] for c in tops)}))
        seats = table.seats
        least = max(len(self.zones[table.pile]) - 1, 0)
        number = least + rounds * len(seats)
        if rounds == 0 and any(cards for name, cards in self.zones.items() if name.startswith(f"{table.melds}.")):
            number = max(number, len(seats) - 1)
        at = seats.index(self.seat)
        self.turns = [_Turn(seats[(at - number + i) % len(seats)]) for i in range(number)]
        self.dealer = seats[(at - number - 1) % len(seats)]

    @property
    def _drawn(self) -> bool:
        """Whether the turn has begun already with its draw."""
        return bool(self.of.position["phase"] == self.table.phases[1])

    def exchange(self) -> list[Data]:
        """Stack the pack, and give the requests.

        Raises:
            NoPrefixError: where the cards do not come out even.
        """
        supply, table, zones = self.supply, self.table, self.zones
        pile, hand = supply.take(zones[table.pile]), supply.take(zones[f"{table.hand}.{self.seat}"])
        at_play = self._drawn
        tops = [] if at_play else supply.take(self.tops)
        tops += [] if at_play else supply.quiet(table.drawn - len(tops))
        self._assign()
        under = len(self.turns) + 1 - len(pile)
        thrown = supply.quiet(under) + pile
        for turn, card in zip(self.turns, thrown[1:], strict=True):
            turn.thrown = card
        held = self._held(hand, at_play=at_play)
        hands: dict[str, list[str]] = {}
        draws: list[str] = []
        for seat in table.seats:
            own = [t for t in self.turns if t.seat == seat]
            needed = [c for t in own for c in (*(c for m in t.melds for c in m), t.thrown)]
            needed += held if seat == self.seat else []
            hands[seat] = needed
        drawn_by: dict[int, list[str]] = {}
        last = hands[self.seat]
        for number, turn in enumerate(self.turns):
            drawn_by[number] = self._late(hands[turn.seat], turn)
        final = [last.pop() for _ in range(table.drawn)] if at_play else tops
        for number in range(len(self.turns)):
            draws += drawn_by[number]
        draws += final
        for seat in table.seats:
            if len(hands[seat]) > table.size:
                raise NoPrefixError("more cards are needed than are dealt")
            hands[seat] += (supply.quiet if seat == self.seat else supply.any)(table.size - len(hands[seat]))
        return self._requests(hands, thrown[0], draws, at_play=at_play)

    def _assign(self) -> None:
        """Say in which turn each meld is laid: the player's own as far as the hand has to become smaller, the rest by partners."""
        own_turns = [t for t in self.turns if t.seat == self.seat]
        grown = self.table.size + len(own_turns) * (self.table.drawn - 1)
        grown += self.table.drawn if self._drawn else 0
        surplus = grown - len(self.zones[f"{self.table.hand}.{self.seat}"])
        for name, melds in self.zones.items():
            if not name.startswith(f"{self.table.melds}.") or not melds:
                continue
            side = name.partition(".")[2]
            waiting = sorted((self.supply.take(m) for m in melds), key=len)
            mine = side == self.table.sides[self.seat]
            if mine and self.exact and surplus > 0:
                surplus = self._lay_oneself(waiting, own_turns, surplus)
            others = [
                t for t in self.turns if self.table.sides[t.seat] == side and (t.seat != self.seat or not self.exact)
            ]
            for meld in waiting:
                turn = min(
                    (t for t in others if t.laid + len(meld) <= self.table.size - 2), key=lambda t: t.laid, default=None
                )
                if turn is None:
                    raise NoPrefixError("the melds that lie there cannot be laid in so few turns")
                turn.melds.append(meld)
        if self.exact and surplus:
            raise NoPrefixError("the hand is smaller than a hand that is dealt")

    def _lay_oneself(self, waiting: list[list[str]], turns: list[_Turn], surplus: int) -> int:
        """Lay melds of the side, and further quiet ones, until the hand is as small as it has to be."""
        if not turns:
            return surplus
        for meld in list(waiting):
            if len(meld) <= surplus and surplus - len(meld) not in range(1, SHORTEST):
                waiting.remove(meld)
                min(turns, key=lambda t: t.laid).melds.append(meld)
                surplus -= len(meld)
        while surplus >= SHORTEST:
            number = next(n for n in range(min(LONGEST, surplus), 0, -1) if surplus - n not in range(1, SHORTEST))
            min(turns, key=lambda t: t.laid).melds.append(self.supply.meld(number))
            surplus -= number
        return surplus

    def _held(self, hand: list[str], *, at_play: bool) -> list[str]:
        """Give what the player holds when the turn begins, or after the draw: the hand of the case and what has to be added."""
        own = [t for t in self.turns if t.seat == self.seat]
        size = self.table.size + sum(self.table.drawn - 1 - t.laid for t in own)
        size += self.table.drawn if at_play else 0
        if size < len(hand):
            raise NoPrefixError("the hand is larger than one that is dealt")
        return self.supply.quiet(size - len(hand)) + hand if size > len(hand) else hand

    def _late(self, hand: list[str], turn: _Turn) -> list[str]:
        """Choose what is drawn in a turn: what does not find room in the hand that is dealt, else quiet cards."""
        found: list[str] = []
        needed = {*(c for m in turn.melds for c in m), turn.thrown}
        while len(found) < self.table.drawn and len(hand) > self.table.size:
            at = next((i for i, c in enumerate(hand) if c not in needed), 0)
            found.append(hand.pop(at))
        more = self.supply.quiet if turn.seat == self.seat else self.supply.any
        return found + more(self.table.drawn - len(found))

    def _requests(self, hands: Mapping[str, list[str]], upcard: str, draws: list[str], *, at_play: bool) -> list[Data]:
        seats = self.table.seats
        first = seats.index(self.dealer) + 1
        order = [seats[(first + i) % len(seats)] for i in range(len(seats))]
        dealt = [hands[seat][i] for i in range(self.table.size) for seat in order]
        rest = sorted((c for c, n in self.supply.left.items() for _ in range(n)), key=self.table.loudness, reverse=True)
        account = self.of.game.ruleset.state[self.of.game.ruleset.table.account]
        totals = {n.partition(".")[2]: v for n, v in self.values.items() if n.startswith(f"{account.name}.")}
        owners = list(seats) if account.of.value == "seat" else list(dict.fromkeys(self.table.sides.values()))
        for side in sorted({self.table.sides[t.seat] for t in self.turns if t.melds}):
            for owner in owners:
                if owner == side or owner in side:
                    totals.setdefault(owner, POOR)
        send: Data = {"op": "start", **self.of.rules, "dealer": self.dealer}
        send["stock"] = [*rest, *draws[::-1], upcard, *dealt[::-1]]
        send |= {DEAL: self.values[DEAL]} if DEAL in self.values else {}
        send |= {"totals": totals} if totals else {}
        exchange: list[Data] = [{"send": send}]
        exchange += [{"send": {"op": "turn", "seat": t.seat, "acts": _acts(t)}, "leads": True} for t in self.turns]
        asked = self.of.asked[0]
        acts = [{"act": "draw"}, *asked["send"]["acts"]] if at_play else asked["send"]["acts"]
        return [*exchange, {"send": {**asked["send"], "acts": acts}, "expect": asked["expect"]}]


def _acts(turn: _Turn) -> list[Data]:
    melds = [{"act": "meld", "cards": meld} for meld in turn.melds]
    return [{"act": "draw"}, *melds, {"act": "discard", "cards": [turn.thrown]}]


def _differs(exchange: Sequence[Data]) -> str:
    """Say what the reference answers otherwise than is expected; empty where nothing."""
    engine = ReferenceEngine()
    for number, one in enumerate(exchange):
        reply = answer(engine, {"seq": number + 1, **one["send"]})
        if "error" in reply:
            return "it cannot be dealt"
        if "leads" in one and not reply["committed"]:
            return f"a turn on the way is not legal ({', '.join(reply['codes'])})"
        for key, wanted in one.get("expect", {}).items():
            found = reply.get(key)
            if (sorted(found) if isinstance(found, list) else found) != (
                sorted(wanted) if isinstance(wanted, list) else wanted
            ):
                codes = ", ".join(reply.get("codes", ()))
                return f"the turn comes out otherwise there ({codes or 'legal'})"
    return ""


def prefix_of(case: Data) -> Prefix | None:
    """Prepare the search for a case that plays a turn and has no form of level 2 yet; nothing for others."""
    if case["kind"] != "turn" or any(form["level"] == 2 for form in case["forms"]):  # noqa: PLR2004 - the level
        return None
    of = case["ruleset"]
    exchange = next(form["exchange"] for form in case["forms"] if form["level"] == 1)
    rules: Data = {"ruleset": of["name"]} | ({"options": of["options"]} if of["options"] else {})
    game = open_game(with_options(of["name"], of["options"]), by_face=True)
    return Prefix(game, rules, exchange[0]["send"]["position"], exchange[1:])


def led_to(case: Data, ways: Mapping[str, tuple[bool, int]], ruled_out: Mapping[str, str]) -> Data:
    """Add the form of level 2 to a case, by the way that is remembered; one that nothing is remembered of is searched for."""
    name = case["id"].removeprefix(f"{case['ruleset']['name']}/")
    prefix = None if name in ruled_out else prefix_of(case)
    if prefix is None:
        return case
    try:
        exact, rounds = ways[name] if name in ways else prefix.search()
        return case | {"forms": [*case["forms"], prefix.form(exact=exact, rounds=rounds)]}
    except NoPrefixError:
        return case
