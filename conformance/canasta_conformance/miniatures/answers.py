"""Engines that know the rules and answer wrongly all the same, each in one way."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from canasta.kernel.game import Game
from canasta.playing.binding import play_turn
from canasta_conformance.inprocess.acts import action_of
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.inprocess.functions import Options, game_of

Data = dict[str, Any]

CANASTA: Final = 7
BONUSES: Final = {True: ("mixed_canastas", 300), False: ("natural_canastas", 500)}
"""The line of the ledger and the points of a canasta, by whether it holds wild cards."""
_SHAPE_CODES: Final = frozenset({"MELD_TOO_SHORT", "TOO_FEW_NATURALS", "NO_MELD"})


class Wrong(ReferenceEngine):
    """Plays classic by the book, until a fault is added to it."""

    def __init__(self, name: str) -> None:
        """Know its name."""
        super().__init__()
        self._name = name

    def hello(self, **fields: object) -> Data:
        """Say who answers: one rule set, no option of which can be chosen."""
        told = super().hello(**fields)
        return told | {"engine": told["engine"] | {"name": f"miniature {self._name}"}, "rulesets": [{"id": "classic"}]}

    def _replay(self, seat: str, acts: Sequence[Data]) -> None:
        """Let the acts stand, whatever is wrong with them."""
        table = self._at_table()
        played = play_turn(table.game, table.state, [action_of(act) for act in acts], table.seats.seat(seat))
        self._table = replace(table, state=played.state)

    def _position(self) -> Data:
        """Give what lies on the table, to be changed and loaded again."""
        told: Data = super().observe()["observation"]
        return told


class AcceptsAll(Wrong):
    """Every turn stands; what cannot be done is left out."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Say yes."""
        super().turn(seat, acts)
        return {"committed": True}

    def meld_check(self, *_: object, **__: object) -> Data:
        """Say yes."""
        return {"legal": True}

    def opening_check(self, *_: object, **__: object) -> Data:
        """Say yes."""
        return {"legal": True}

    def pile_check(self, *_: object, **__: object) -> Data:
        """Say yes."""
        return {"legal": True}


class RejectsAll(Wrong):
    """No turn stands."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:  # noqa: ARG002 - as every engine is asked
        """Say no."""
        return {"committed": False}

    def meld_check(self, *_: object, **__: object) -> Data:
        """Say no."""
        return {"legal": False}

    def opening_check(self, *_: object, **__: object) -> Data:
        """Say no."""
        return {"legal": False}

    def pile_check(self, *_: object, **__: object) -> Data:
        """Say no."""
        return {"legal": False}


class WrongCode(Wrong):
    """Every illegal turn is called by one name."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Judge rightly, and give the reason wrongly."""
        told = super().turn(seat, acts)
        return told | ({"codes": ["ILLEGAL_MOVE"]} if "codes" in told else {})


class OffByOne(Wrong):
    """Melded cards count one point too many."""

    def ledger(self) -> Data:
        """Add one to what the melds count, and to the sum."""
        told = super().ledger()
        lines = told["lines"]
        for name in [n for n, points in lines.items() if n.endswith(".melded_cards") and points]:
            lines[name] += 1
            lines[f"{name.partition('.')[0]}.total"] += 1
        return told

    def score_deal(self, ruleset: str, position: Data, options: Options | None = None) -> Data:
        """Add one to every sum."""
        told: Data = super().score_deal(ruleset, position, options)["value"]
        return {"value": {side: points + 1 for side, points in told.items()}}


class ClaimsTooMuch(Wrong):
    """Offers every option and listens to none."""

    def hello(self, **fields: object) -> Data:
        """Offer every option."""
        return super().hello(**fields) | {"rulesets": [{"id": "classic", "selectable": "all"}]}

    def _game(self, ruleset: str, options: Options | None) -> Game:  # noqa: ARG002 - that is the fault
        return game_of(ruleset, None)


class LeaksState(Wrong):
    """Remembers beyond a reset that a turn was refused: the next one stands, whatever it is."""

    _refused = False

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Never refuse twice in a row."""
        told = super().turn(seat, acts)
        refused, self._refused = self._refused, not self._refused and not told["committed"]
        return {"committed": True} if refused else told


class LosesACard(Wrong):
    """The bottom card of the stock is gone from sight after a turn that stands."""

    _played = False

    def load(self, ruleset: str, position: Data, options: Options | None = None) -> Data:
        """Set up as it is told."""
        self._played = False
        return super().load(ruleset, position, options)

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Play by the book."""
        told = super().turn(seat, acts)
        self._played = told["committed"]
        return told

    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        """Show a card too few."""
        told = super().observe(seat, also)
        if self._played:
            self._spoil(told["observation"]["zones"])
        return told

    def _spoil(self, zones: Data) -> None:
        del zones["stock"][:1]


class DoublesACard(LosesACard):
    """The bottom card of the stock is another one than it was; as many cards lie there as before."""

    def _spoil(self, zones: Data) -> None:
        stock = zones["stock"]
        if len(stock) > 1 and stock[0] != stock[-1]:
            stock[0] = stock[-1]


class StirsTheStock(LosesACard):
    """The two bottom cards of the stock change places in a turn that stands."""

    def _spoil(self, zones: Data) -> None:
        zones["stock"][:2] = zones["stock"][:2][::-1]


class MixesHands(LosesACard):
    """Two players who have nothing to do in a turn that stands have each a card of the other afterwards."""

    def _spoil(self, zones: Data) -> None:
        at_table = self._at_table()
        state, names = at_table.state, at_table.seats.names
        one, other = (zones[f"hand.{names[(state.seat + step) % len(names)]}"] for step in (1, 2))
        if one and other:
            one[0], other[0] = other[0], one[0]


class LeavesATrace(Wrong):
    """What was done in a refused turn stays done."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Refuse, and leave everything as it was played."""
        table = self._at_table()
        told = super().turn(seat, acts)
        if not told["committed"]:
            self._table = table
            self._replay(seat, acts)
        return told


class QuestionsMove(Wrong):
    """A question for the score makes the next player act."""

    def ledger(self) -> Data:
        """Tell the score, and pass the turn on."""
        told = super().ledger()
        table = self._at_table()
        state = table.state.copy()
        state.seat = (state.seat + 1) % len(table.seats.names)
        self._table = replace(table, state=state)
        return told


class NoWayOn(Wrong):
    """Lists nothing that could be done."""

    def legal(self, seat: str) -> Data:  # noqa: ARG002 - as every engine is asked
        """Say that nothing can be done."""
        return {"acts": [], "complete": True}


class OrderCounts(Wrong):
    """Stops looking for canastas at the first meld that is none."""

    def ledger(self) -> Data:
        """Leave the bonus of what lies behind out."""
        told = super().ledger()
        lines = told["lines"]
        for name, melds in self._position()["zones"].items():
            place, _, side = name.partition(".")
            if place != "melds":
                continue
            first = next((i for i, meld in enumerate(melds) if len(meld) < CANASTA), len(melds))
            for meld in (m for m in melds[first:] if len(m) >= CANASTA):
                item, points = BONUSES[any(card[0] == "2" or card == "Jk" for card in meld)]
                lines[f"{side}.{item}"] -= points
                lines[f"{side}.total"] -= points
        return told


class StaleDeal(Wrong):
    """Gathers the first deal's upcard in twice: in every later deal it lies at the bottom of the stock as well."""

    _kept = ""
    _stale = False

    def start(
        self, ruleset: str, dealer: str, stock: Sequence[str], options: Options | None = None,
        deal_no: int = 1, totals: Mapping[str, int] | None = None,
    ) -> Data:  # fmt: skip
        """Deal, and remember the first upcard for good."""
        self._stale = bool(self._kept)
        told = super().start(ruleset, dealer, stock, options, deal_no, totals)
        self._kept = self._kept or told["observation"]["zones"]["pile"][-1]
        return told

    def load(self, ruleset: str, position: Data, options: Options | None = None) -> Data:
        """Set up as it is told."""
        self._stale = False
        return super().load(ruleset, position, options)

    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        """Show how things lie, with the card that is there too often."""
        told = super().observe(seat, also)
        if self._stale:
            told["observation"]["zones"]["stock"][0] = self._kept
        return told


class TopCardKept(Wrong):
    """Takes the pile into the hand where its top card makes no meld."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Take without a meld, where none can be made, and play on."""
        before = self._at_table()
        told = super().turn(seat, acts)
        if told["committed"] or acts[0]["act"] != "take" or not _SHAPE_CODES.issuperset(told["codes"]):
            return told
        position = self._position()
        zones = position["zones"]
        zones[f"hand.{seat}"] += zones["pile"]
        zones["pile"] = []
        values = position["values"] | {"source": "from_pile"}
        self.load("classic", position | {"phase": "play", "values": values})
        late = super().turn(seat, acts[1:])
        if not late["committed"]:
            self._table = before
        return late


class DeadEnd(Wrong):
    """Lets a turn stand that cannot be ended."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Look at each act by itself, and not at what is left."""
        table = self._at_table()
        told = super().turn(seat, acts)
        played = play_turn(table.game, table.state, [action_of(act) for act in acts], table.seats.seat(seat))
        if told["committed"] or played.violations or played.stopped is not None:
            return told
        self._table = replace(table, state=played.state)
        return {"committed": True}


class OutOfTurn(Wrong):
    """Does not look whose turn it is."""

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:
        """Let the acts after the own turn stand as well."""
        told = super().turn(seat, acts)
        if told.get("codes") != ["NOT_YOUR_TURN"]:
            return told
        for act in acts:
            table = self._at_table()
            state = table.state.copy()
            state.seat = table.seats.seat(seat) or 0
            state.phase = next(i for i, phase in enumerate(table.game.machine.phases) if phase.name == "play")
            self._table = replace(table, state=state)
            self._replay(seat, [act])
        return {"committed": True}


class UpcardDestroyed(Wrong):
    """Forgets the cards under the upcard of a new deal."""

    def start(
        self, ruleset: str, dealer: str, stock: Sequence[str], options: Options | None = None,
        deal_no: int = 1, totals: Mapping[str, int] | None = None,
    ) -> Data:  # fmt: skip
        """Deal, and keep the top card of the pile alone."""
        super().start(ruleset, dealer, stock, options, deal_no, totals)
        position = self._position()
        position["zones"]["pile"] = position["zones"]["pile"][-1:]
        return self.load(ruleset, position)
