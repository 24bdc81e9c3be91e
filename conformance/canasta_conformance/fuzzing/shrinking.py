"""Making a finding small: whatever can be left away while the engine still departs in the same way is left away.

What remains is judged anew by the reference after each step, so a smaller script is as right as the first one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from canasta_conformance.adapters import answer
from canasta_conformance.fuzzing.cut_off import Deadline
from canasta_conformance.fuzzing.probing import Departure, Kind, Probe
from canasta_conformance.fuzzing.referee import Referee, UnaskableError, expected
from canasta_conformance.suite import Exchange

Data = dict[str, Any]
Sends = list[Data]

PROBES: Final = 400
"""So often at most the engine is asked for one finding; where it has to be started afresh each time, much less often."""

PROBES_OF_FAULTS: Final = 24

REQUESTS: Final = 6000
"""So many requests at most are sent for one finding: a long deal takes many for each probe."""

TURNS_BACK: Final = 4
"""From so many of the last turns it is tried to begin with a position: what is wrong may have begun earlier in the same turn."""


@dataclass(frozen=True, slots=True)
class Small:
    """The smallest script that was found, the departure in it, and how often the engine was asked for it.

    ``steady`` says whether the engine departed in the same way when it was asked the same once more.
    """

    exchanges: list[Exchange]
    departure: Departure
    probes: int
    steady: bool = True


def shrink(
    probe: Probe, exchanges: Sequence[Exchange], departure: Departure, deadline: Deadline | None = None,
    *, fault: bool, house_rules: str = "",
) -> Small:  # fmt: skip
    """Make the script of a finding smaller as long as the same kind of departure shows, and no longer than there is time."""
    most = PROBES_OF_FAULTS if fault else PROBES
    return _Shrinking(probe, exchanges, departure, deadline or Deadline(), most, house_rules).smallest()


class _Shrinking:
    """The work of making one finding small."""

    def __init__(
        self, probe: Probe, exchanges: Sequence[Exchange], departure: Departure, deadline: Deadline, most: int, house_rules: str
    ) -> None:  # fmt: skip
        self.probe, self.deadline, self.most, self.house = probe, deadline, most, house_rules
        self.kind: Kind = departure.kind
        self.best = Small(list(exchanges[: departure.at + 1]), departure, 0)
        self.probes = 0
        self.until = probe.asked + REQUESTS

    def smallest(self) -> Small:
        if not self._try(self._sends()):
            return replace(
                self.best, steady=self.deadline.cut
            )  # out of time it was not asked, so nothing speaks against it
        if not any(self._try(sends) for sends in self._from_positions()):
            self._fewer_turns()
        if self.best.exchanges[0].send["op"] == "load":
            self._smaller_position()
        return Small(self.best.exchanges, self.best.departure, self.probes)

    def _try(self, sends: Sends) -> bool:
        """Keep a script if the engine departs in the same way on it."""
        if self._spent() or not _thinkable(sends[0]):
            return False
        try:
            exchanges = expected(sends, self.house)
        except UnaskableError:
            return False
        self.probes += 1
        same = next(iter(self.probe(exchanges)), None)
        if same is None or same.kind != self.kind:
            return False
        self.best = Small(exchanges[: same.at + 1], same, self.probes)
        return True

    # -- from a deal to a position -----------------------------------------------------------------------------------

    def _spent(self) -> bool:
        return self.probes >= self.most or self.probe.asked >= self.until or self.deadline.passed()

    def _from_positions(self) -> Iterator[Sends]:
        """Set up how it stood before the last exchange, before the last turn, or before one of the turns before it."""
        sends = [exchange.send for exchange in self.best.exchanges]
        if "load" not in self.probe.operations or len(sends) == 1:
            return
        turns = [n for n, send in enumerate(sends) if send["op"] == "turn"]
        rules: Data = {key: sends[0][key] for key in ("ruleset", "options") if key in sends[0]}
        for begin in dict.fromkeys([len(sends) - 1, *turns[: -1 - TURNS_BACK : -1]]):
            referee = Referee(self.house)
            with suppress(UnaskableError):
                for send in sends[:begin]:
                    referee.expecting(send)
                rest = [send for send in sends[begin:] if send["op"] != "load"]
                yield [referee.loading(rules), *rest]

    def _fewer_turns(self) -> None:
        """Leave turns and questions of a deal out, many at once first."""
        for sends in self._without(lambda: [e.send for e in self.best.exchanges], first=1, last=1):
            self._try(sends)

    def _without(self, now: Callable[[], list[Any]], first: int = 0, last: int = 0) -> Iterator[list[Any]]:
        """Give a list with a piece left out, from half of it down to single items, going on with what remains."""
        size = max(1, (len(now()) - first - last) // 2)
        while True:
            at = first
            while at < len(now()) - last and not self._spent():
                items = now()
                end = min(at + size, len(items) - last)
                yield items[:at] + items[end:]
                at += 0 if len(now()) < len(items) else size
            if size == 1 or self._spent():
                return
            size //= 2

    # -- a smaller position ------------------------------------------------------------------------------------------

    def _smaller_position(self) -> None:
        """Take away cards, melds, values and acts until nothing more can go."""
        while True:
            before = self.best.exchanges
            self._fewer_acts()
            for name in sorted(self._position()["zones"], key=lambda zone: (zone != "stock", zone)):
                self._fewer_cards(name)
            self._fewer_values()
            if self.best.exchanges == before or self._spent():
                return

    def _sends(self) -> Sends:
        return [exchange.send for exchange in self.best.exchanges]

    def _position(self) -> Data:
        position: Data = self.best.exchanges[0].send["position"]
        return position

    def _with_position(self, change: Data) -> Sends:
        load, *rest = self._sends()
        return [{**load, "position": {**self._position(), **change}}, *rest]

    def _fewer_cards(self, name: str) -> None:
        def now() -> list[Any]:
            cards: list[Any] = self._position()["zones"].get(name, [])
            return cards

        for cards in self._without(now):
            self._zone(name, cards)
        for place in range(len(now()) - 1, -1, -1):
            if isinstance(now()[place], list):
                self._shorter_meld(name, place)

    def _shorter_meld(self, name: str, place: int) -> None:
        def now() -> list[Any]:
            melds = self._position()["zones"].get(name, [])
            return list(melds[place]) if place < len(melds) else []

        for meld in self._without(now):
            if meld and not self._may_lie(meld):
                continue  # nobody knows what the rules say of a table on which such a thing lies
            melds = list(self._position()["zones"][name])
            melds[place : place + 1] = [meld] if meld else []
            self._zone(name, melds)

    def _may_lie(self, meld: list[str]) -> bool:
        load = self._sends()[0]
        options = {"options": load["options"]} if "options" in load else {}
        told = answer(
            Referee(self.house), {"seq": 1, "op": "meld_check", "ruleset": load["ruleset"], **options, "cards": meld}
        )
        return bool(told.get("legal"))

    def _zone(self, name: str, cards: list[Any]) -> bool:
        zones = {**self._position()["zones"], name: cards}
        return self._try(self._with_position({"zones": {n: c for n, c in zones.items() if c}}))

    def _fewer_values(self) -> None:
        for name in sorted(self._position().get("values", {})):
            values = {n: v for n, v in self._position()["values"].items() if n != name}
            self._try(self._with_position({"values": values}))

    def _fewer_acts(self) -> None:
        """Leave acts away, and cards of acts; a card that is laid and not needed goes from the hand as well in its turn."""
        turn = next((n for n, send in enumerate(self._sends()) if send["op"] == "turn"), None)
        if turn is None:
            return

        def now() -> list[Any]:
            acts: list[Any] = self._sends()[turn].get("acts", []) if turn < len(self._sends()) else []
            return acts

        for acts in self._without(now):
            self._acts(turn, acts)
        for place in range(len(now()) - 1, -1, -1):
            if len(now()[place].get("cards", ())) > 1:
                self._fewer_cards_of_an_act(turn, place)

    def _fewer_cards_of_an_act(self, turn: int, place: int) -> None:
        def now() -> list[Any]:
            acts = self._sends()[turn].get("acts", [])
            return list(acts[place].get("cards", [])) if place < len(acts) else []

        for cards in self._without(now):
            if cards:
                acts = list(self._sends()[turn]["acts"])
                acts[place] = {**acts[place], "cards": cards}
                self._acts(turn, acts)

    def _acts(self, turn: int, acts: list[Any]) -> bool:
        sends = self._sends()
        if not acts:
            return False
        sends[turn] = {**sends[turn], "acts": acts}
        return self._try(sends)


def _thinkable(first: Data) -> bool:
    """Ask whether a position is one of which the rules speak: a side that has opened has melds."""
    position = first.get("position", {"zones": {}})
    opened = [
        n.partition(".")[2] for n, v in position.get("values", {}).items() if n.startswith("opened.") and v is True
    ]
    return all(position["zones"].get(f"melds.{side}") for side in opened)
