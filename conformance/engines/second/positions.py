"""Positions and observations of the protocol, made into a table and back."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from .cards import UNKNOWN, Card
from .dealing import become_partners, begin_stretch, end_deal
from .finishing import can_stay_in
from .going_out import can_go_out
from .melds import Meld, canastas
from .rules import Rules
from .table import OVER, PLAY, REPLY, Table, empty_table

Json = dict[str, Any]

KEPT = frozenset(
    (
        *("total", "opened", "melded", "source", "permission", "hand_before", "owed", "went_out", "concealed"),
        *("fined", "held", "dealer", "deal_no", "sides", "reason", "formed"),
        *("prize_given", "stock_was_gone", "red_three_turned"),
    )
)
"""The values that a position may name."""

SOURCES = {"": "nothing", "stock": "from_stock", "pile": "from_pile"}
ANSWERS = {"": "unasked", "yes": "granted", "no": "refused"}


class UnsupportedError(Exception):
    """Something that this engine cannot be told or asked."""

    def __init__(self, needs: str) -> None:
        """Names what would be needed."""
        super().__init__(needs)
        self.needs = needs


def side_name(table: Table, side: int) -> str:
    """A side as its seats: `NS`. Where partners are found in mid-deal, a side keeps the name of its first seat."""
    if table.rules.pooling:
        return table.rules.seats[side]
    return "".join(table.rules.seats[seat] for seat in table.seats_of(side))


def account_name(table: Table, account: int) -> str:
    """Whose total it is: a side's, or one seat's where everybody keeps his own."""
    return "".join(table.rules.seats[seat] for seat, its in enumerate(table.account) if its == account)


def load(rules: Rules, position: Json) -> Table:
    """The table of a position."""
    seats = rules.seats
    values: Json = position.get("values", {})
    zones: Json = position["zones"]
    dealer = seats.index(values.get("dealer", seats[-1]))
    table = empty_table(rules, dealer)
    table.turn = seats.index(position["seat"])
    table.phase = position["phase"]
    _form_sides(table, values.get("sides", []))
    for place, cards in zones.items():
        _fill(table, place, cards)
    for place, value in values.items():
        _remember(table, place, value)
    for side, melds in table.melds.items():
        table.opened[side] = table.opened[side] or bool(melds)
    begin_stretch(table)
    if table.phase == REPLY:
        table.turn = table.partners(table.turn)[0]  # the seat to act is the one that was asked
    return table


def left_without_an_act(table: Table) -> Table:
    """The table as it is seen: a player who can do nothing at all has ended the deal, though a turn may still be tried on it."""
    if table.phase == PLAY and not can_stay_in(table) and not can_go_out(table):
        seen = deepcopy(table)
        end_deal(seen, "standstill")
        return seen
    return table


def _form_sides(table: Table, sides: list[str]) -> None:
    pair = next((side for side in sides if len(side) > 1), "")
    if table.rules.pooling and pair:
        lone = next(seat for seat in table.rules.seats if seat not in pair)
        become_partners(table, table.rules.seats.index(lone))


def _fill(table: Table, place: str, cards: list[Any]) -> None:
    zone, _, owner = place.partition(".")
    seat = table.rules.seats.index(owner[0]) if owner else 0
    match zone:
        case "stock":
            table.stock = list(cards)
        case "pile":
            table.pile = list(cards)
            table.turned = len(cards) if table.rules.red_threes_laid == "at_once" else 0
        case "hand":
            table.hands[seat] = list(cards)
        case "melds":
            table.melds[table.side[seat]] = [Meld(list(group)) for group in cards]
        case "shown":
            table.red_threes[table.account[seat]] = list(cards)
        case _:
            raise UnsupportedError(f"zones.{zone}")


def _remember(table: Table, place: str, value: Any) -> None:  # noqa: ANN401 - a value of a JSON message, of a kind its name tells
    name, _, owner = place.partition(".")
    if name not in KEPT:
        raise UnsupportedError(f"values.{name}")
    seat = table.rules.seats.index(owner[0]) if owner else 0
    side, account = table.side[seat], table.account[seat]
    match name:
        case "total":
            table.totals[account] = value
        case "opened":
            table.opened[side] = value
        case "melded":
            table.melded[seat] = value
        case "fined":
            table.fined[side] = value
        case "went_out" if value:
            table.went_out = table.turn if table.side[table.turn] == side else seat
        case "concealed" if value:
            table.concealed = True
        case "source":
            table.memory.source = next(ours for ours, theirs in SOURCES.items() if theirs == value)
        case "permission":
            table.memory.answer = next(ours for ours, theirs in ANSWERS.items() if theirs == value)
        case "held":
            table.memory.held = list(value)
        case "reason":
            table.phase, table.reason = OVER, value
        case "formed":
            table.formed = value
        case "deal_no":
            table.deal_no = value
        case "red_three_turned" if value:
            table.turned = len(table.pile)
        case "prize_given":
            table.prize_given = value
        case "stock_was_gone":
            table.stock_was_gone = value


def observe(table: Table, seen_by: int | None = None, also: Iterable[str] = ()) -> Json:
    """What there is to see, for everyone or for one player."""
    rules = table.rules
    zones: Json = {"pile": _shown(table.pile, hidden=seen_by is not None, top=True)}
    zones["stock"] = _shown(table.stock, hidden=seen_by is not None)
    for seat, name in enumerate(rules.seats):
        zones[f"hand.{name}"] = _shown(table.hands[seat], hidden=seen_by not in (None, seat))
    values: Json = {"source": SOURCES[table.memory.source], "dealer": rules.seats[table.dealer]}
    for side in table.sides:
        name = side_name(table, side)
        zones[f"melds.{name}"] = [list(meld.cards) for meld in table.melds[side]]
        values[f"opened.{name}"] = table.opened[side]
        values[f"fined.{name}"] = table.fined[side]
        out = table.went_out is not None and table.side[table.went_out] == side
        values[f"went_out.{name}"] = out
        values[f"concealed.{name}"] = out and table.concealed
    for account in table.accounts:
        zones[f"shown.{account_name(table, account)}"] = list(table.red_threes[account])
        values[f"total.{account_name(table, account)}"] = table.totals[account]
    for seat, name in enumerate(rules.seats):
        values[f"melded.{name}"] = table.melded[seat]
    if rules.partners or rules.pooling:
        values["permission"] = ANSWERS[table.memory.answer]
    if rules.pooling:
        values["formed"] = table.formed
        values["sides"] = ["".join(rules.seats[seat] for seat in table.seats_of(side)) for side in table.sides]
    if rules.prize:
        values["prize_given"] = table.prize_given
    if table.phase == OVER:
        values["reason"] = table.reason
    for place in also:
        _add(values, table, place)
    to_act = table.partners(table.turn)[0] if table.phase == REPLY else table.turn
    return {"seat": rules.seats[to_act], "phase": table.phase, "zones": zones, "values": values}


def _shown(cards: list[Card], *, hidden: bool, top: bool = False) -> list[Card]:
    if not hidden:
        return list(cards)
    seen = cards[-1:] if top else []
    return [UNKNOWN] * (len(cards) - len(seen)) + seen


def _add(values: Json, table: Table, place: str) -> None:
    """What a case wants to know beyond what lies there; nothing is added if this engine does not know."""
    name, _, owner = place.partition(".")
    side = table.side[table.rules.seats.index(owner[0])] if owner else table.side[table.turn]
    if name == "frozen":
        values[place] = table.frozen
    elif name == "frozen_for":
        values[place] = table.frozen or not table.opened[side]
    elif name == "canastas":
        values[place] = canastas(table.melds[side])
