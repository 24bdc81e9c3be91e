"""Turns that are messages of the protocol and nothing more: any acts, any cards, any seat, in any order."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from canasta.notation.record import Written
from canasta.shuffle import SplitMix64
from canasta_conformance.comparing import cards_in

Data = dict[str, Any]

MOST_ACTS: Final = 5
MOST_CARDS: Final = 6


def nonsense(
    seat: str, observation: Mapping[str, Any], pack: tuple[str, ...], kinds: frozenset[Written], generator: SplitMix64
) -> tuple[str, list[Data]]:
    """Make up a seat and some acts of the kinds that the game knows; mostly the seat to act and cards that it can see."""
    making = _Making(seat, observation, pack, generator)
    seats = sorted(name.partition(".")[2] for name in observation["zones"] if name.startswith("hand."))
    who = seats[generator.below(len(seats))] if not generator.below(6) else seat
    makers = [maker for kind, maker in making.makers().items() if kind in kinds]
    acts = [makers[generator.below(len(makers))]() for _ in range(1 + generator.below(MOST_ACTS))]
    if not generator.below(2) and Written.DRAW in kinds:
        acts = [{"act": "draw"}, *acts]
    return who, acts


class _Making:
    """The work of making acts up at one table."""

    def __init__(self, seat: str, observation: Mapping[str, Any], pack: tuple[str, ...], generator: SplitMix64) -> None:
        zones = observation["zones"]
        self.generator, self.pack = generator, pack
        self.hand: list[str] = list(zones.get(f"hand.{seat}", ()))
        self.pile: list[str] = list(zones.get("pile", ()))
        self.lying = cards_in({n: c for n, c in zones.items() if c and isinstance(c[0], list)})

    def makers(self) -> dict[Written, Callable[[], Data]]:
        """Give what makes up an act of each kind."""
        plain = {Written.DRAW: "draw", Written.ASK: "ask", Written.OUT: "out", Written.DECLINE: "decline"}
        found: dict[Written, Callable[[], Data]] = {kind: self._plain(word) for kind, word in plain.items()}
        return found | {
            Written.TAKE: self._take,
            Written.LAY: self._lay,
            Written.DISCARD: lambda: {"act": "discard", "cards": [self._card()]},
            Written.KNOCK: lambda: {"act": "knock", "cards": [self._card()]},
            Written.SHOW: lambda: {"act": "show", "cards": [self._card()]},
            Written.ANSWER: lambda: {"act": "answer", "word": ("yes", "no")[self.generator.below(2)]},
            Written.UNITE: lambda: {"act": "unite", "from": self._target(), "to": self._target()},
        }

    @staticmethod
    def _plain(word: str) -> Callable[[], Data]:
        return lambda: {"act": word}

    def _one_of(self, cards: list[str] | tuple[str, ...]) -> str:
        return cards[self.generator.below(len(cards))]

    def _card(self) -> str:
        return self._one_of(self.hand) if self.hand and self.generator.below(4) else self._one_of(self.pack)

    def _cards(self) -> list[str]:
        """Take some cards, half of the time cards of one rank."""
        cards = [self._card() for _ in range(1 + self.generator.below(MOST_CARDS))]
        return cards if self.generator.below(2) else [c for c in self.hand if c[0] == cards[0][0]] or cards

    def _target(self) -> str:
        return self._one_of(self.lying) if self.lying and self.generator.below(4) else self._card()

    def _take(self) -> Data:
        top = self.pile[-1] if self.pile and self.generator.below(4) else self._card()
        act: Data = {"act": "take", "cards": [top, *self._cards()]}
        return act | ({"to": self._target()} if not self.generator.below(3) else {})

    def _lay(self) -> Data:
        if self.generator.below(2):
            return {"act": "meld", "cards": self._cards()}
        act: Data = {"act": "add", "cards": self._cards(), "to": self._target()}
        return act | ({"nth": 1 + self.generator.below(3)} if not self.generator.below(4) else {})
