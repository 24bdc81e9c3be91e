"""What one seat may see of a state."""

from dataclasses import dataclass
from typing import Any

from canasta.kernel.cards import listed
from canasta.kernel.machine import Machine
from canasta.kernel.state import Group, Stack, State
from canasta.language.ruleset import Form, Owner, Seen, Zone


@dataclass(frozen=True, slots=True)
class Lot:
    """What is seen of cards in one place: how many there are, and those that are visible, in order where there is one."""

    size: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat may see: zones by name and owner, variables, whose turn it is."""

    zones: tuple[tuple[str, int, Lot | tuple[tuple[int, ...], ...]], ...]
    variables: tuple[tuple[str, tuple[int, ...]], ...]
    seat: int
    phase: str
    turn_no: int
    dealer: int
    over: bool
    reason: str


@dataclass(slots=True)
class Observing:
    """Shows states to seats."""

    machine: Machine

    def observe(self, state: State, seat: int | None) -> Observation:
        """Show what a seat may see; ``None`` is an onlooker without cards."""
        rules = self.machine.ruleset
        zones = tuple(
            (zone.name, owner, self._seen(zone, content, owner, state, seat))
            for zone in rules.zones.values()
            for owner, content in self._contents(zone, state)
        )
        variables = tuple(
            (v.name, self._numbers(state.variable(v.index), v.of))
            for v in rules.state.values() if v.type.name != "bag"
        )  # fmt: skip
        phase = self.machine.phases[state.phase].name
        return Observation(zones, variables, state.seat, phase, state.turn_no, state.dealer, state.over, state.reason)

    def _contents(self, zone: Zone, state: State) -> list[tuple[int, Any]]:
        content = state.zone(zone.index)
        return [(-1, content)] if zone.of is Owner.TABLE else list(enumerate(content))

    def _numbers(self, value: Any, of: Owner) -> tuple[int, ...]:  # noqa: ANN401 - a number or a list of them
        return (int(value),) if of is Owner.TABLE else tuple(int(v) for v in value)

    def _seen(
        self,
        zone: Zone,
        content: Any,  # noqa: ANN401 - what a zone holds
        owner: int,
        state: State,
        seat: int | None,
    ) -> Lot | tuple[tuple[int, ...], ...]:
        if zone.form is Form.GROUPS:
            return tuple(self._group(g) for g in content)
        size = len(content.cards) if isinstance(content, Stack) else sum(content)
        mine = seat is not None and owner == (seat if zone.of is Owner.SEAT else state.side_of[seat])
        if zone.seen is Seen.ALL or (zone.seen is Seen.OWNER and mine):
            cards = content.cards if isinstance(content, Stack) else listed(content)
            return Lot(size, tuple(cards))
        if zone.seen is Seen.TOP and isinstance(content, Stack):
            return Lot(size, tuple(content.cards[-1:]))
        return Lot(size, ())

    def _group(self, group: Group) -> tuple[int, ...]:
        return (group.gid, group.turn, *listed(group.cards))
