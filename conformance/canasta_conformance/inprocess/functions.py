"""The single functions of level 0, answered by the reference on a table made for each question.

The table is such that nothing else stands in the way: the side has opened and has a canasta, and cards are left.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.naming import parse_name
from canasta.language.ruleset import Requirement, Score
from canasta.playing.asking import ask
from canasta.playing.examples import with_options
from canasta.playing.seats import seats_of
from canasta.playing.to_the_letter import play_acts
from canasta_conformance.inprocess.acts import action_of, card_of, codes_of
from canasta_conformance.inprocess.positions import to_state

Data = dict[str, Any]
Options = Mapping[str, str]

_NATURALS: Final = "456789TJQKA"
_SUITS: Final = "cdhs"
_STOCK: Final = 20


def game_of(ruleset: str, options: Options | None, *, reasons: bool = True) -> Game:
    """Open a game in which every printed card is told apart.

    Raises:
        CanastaError: when there is no such rule set or option.
    """
    parse_name(ruleset)
    return open_game(with_options(ruleset, dict(options or {})), by_face=True, reasons=reasons)


class Functions:
    """Answers to questions that need no position of the engine's own."""

    def _game(self, ruleset: str, options: Options | None) -> Game:
        """Open the game by which a request is answered."""
        return game_of(ruleset, options, reasons=False)

    def _set_up(self, game: Game, position: Mapping[str, Any]) -> State:
        """Set the position of a request up.

        Raises:
            PositionError: with everything that is wrong with it.
        """
        return to_state(game, position)

    def card_value(self, ruleset: str, cards: Sequence[str], options: Options | None = None) -> Data:
        """Add up what cards count."""
        game = self._game(ruleset, options)
        (values,) = list(game.deck.values.values())[:1]
        kinds = [game.deck.find(card.rank, card.suit) for card in map(card_of, cards)]
        return {"value": sum(values[kind] for kind in kinds)}

    def opening_minimum(self, ruleset: str, total: int, options: Options | None = None) -> Data:
        """Say what the initial meld needs."""
        game = self._game(ruleset, options)
        state = self._set_up(game, _position(game, [], total=total))
        seats = seats_of(game.ruleset.table)
        return {"value": int(ask(game.ruleset, "minimum_needed").answer(game, state, seats))}

    def meld_check(
        self, ruleset: str, cards: Sequence[str], options: Options | None = None,
        onto: Sequence[str] = (), going_out: bool = False,  # noqa: FBT001, FBT002 - fields of the request
    ) -> Data:  # fmt: skip
        """Judge the cards of one meld."""
        game = self._game(ruleset, options)
        spare = _quiet([*cards, *onto])
        canastas = [[f"{rank}{s}" for s in "ccddhhs"] for rank in spare[:2]]
        kept = [f"{rank}{suit}" for suit in _SUITS for rank in spare[2:]]
        hand = [*cards, *kept[: 1 if going_out else 2]]
        act: Data = {"act": "add", "to": onto[0]} if onto else {"act": "meld"}
        position = _position(game, hand, melds=[*canastas, *([list(onto)] if onto else [])])
        return _judged(
            game, self._set_up(game, position), [act | {"cards": list(cards)}, {"act": "discard", "cards": [hand[-1]]}]
        )

    def opening_check(
        self, ruleset: str, total: int, melds: Sequence[Sequence[str]], options: Options | None = None
    ) -> Data:
        """Judge the initial meld of a side."""
        game = self._game(ruleset, options)
        laid = [card for meld in melds for card in meld]
        hand = [*laid, *(f"{rank}c" for rank in _quiet(laid)[:2])]
        acts: list[Data] = [{"act": "meld", "cards": list(meld)} for meld in melds]
        position = _position(game, hand, total=total)
        return _judged(game, self._set_up(game, position), [*acts, {"act": "discard", "cards": [hand[-1]]}])

    def pile_check(self, ruleset: str, position: Data, take: Data, options: Options | None = None) -> Data:
        """Judge a take, but for what the rest of the turn may still bring about."""
        game = self._game(ruleset, options)
        played = play_acts(game, self._set_up(game, position), [action_of(take)])
        found = tuple(played.violations)
        if played.stopped is None and played.state.draft:
            found += tuple(game.turn.force_pending(played.state, Move("", played.state.seat))[1])
        found = tuple(v for v in found if not _asked_later(game, v.clause))
        return {"legal": not found} | ({"codes": codes_of(found)} if found else {})

    def score_deal(self, ruleset: str, position: Data, options: Options | None = None) -> Data:
        """Add up what each side gets."""
        game = self._game(ruleset, options)
        account = f".{game.ruleset.table.account}"
        lines = ledger_lines(game, self._set_up(game, position))
        return {"value": {n.removesuffix(account): points for n, points in lines.items() if n.endswith(account)}}


def ledger_lines(game: Game, state: State) -> dict[str, int]:
    """Give the lines of the ledger by SIDE.ITEM and their sums; where seats play alone, by SEAT.ITEM."""
    seats, ledger, account = seats_of(game.ruleset.table), game.ledger(state), game.ruleset.table.account
    shares = {seats.sides[side]: ledger.items(side) for side in state.sides}
    if any(side in seats.names for side in seats.sides):
        shares = {name: ledger.share(seat, state.side_of[seat]) for seat, name in enumerate(seats.names)}
    items = dict.fromkeys(score.item for score in game.ruleset.of_kind(Score))
    lines: dict[str, int] = {}
    for owner, points in shares.items():
        lines |= {f"{owner}.{item}": points.get(item, 0) for item in items}
        lines[f"{owner}.{account}"] = sum(points.values())
    return lines


def _asked_later(game: Game, clause: str) -> bool:
    """Ask whether a clause judges the end of the turn as well."""
    found = game.ruleset.clauses[clause]
    return isinstance(found, Requirement) and "discard" in found.on


def _judged(game: Game, state: State, acts: Sequence[Data]) -> Data:
    played = play_acts(game, state, [action_of(act) for act in acts])
    found = played.violations
    return {"legal": not found} | ({"codes": codes_of(found)} if found else {})


def _quiet(cards: Sequence[str]) -> list[str]:
    """List ranks that none of the cards has."""
    ranks = {card[0] for card in cards}
    return [rank for rank in _NATURALS if rank not in ranks]


def _position(
    game: Game, hand: Sequence[str], total: int | None = None, melds: Sequence[Sequence[str]] = ()
) -> Data:  # fmt: skip
    """Make a position in which the first seat has drawn: with a total the side has not opened, without one it has."""
    seats = seats_of(game.ruleset.table)
    seat, side = seats.names[0], seats.sides[0]
    values: Data = {"source": "from_stock"} | ({f"opened.{side}": True} if total is None else {f"total.{side}": total})
    zones: Data = {f"hand.{seat}": list(hand), f"melds.{side}": [list(m) for m in melds]}
    lying = [*hand, *(card for meld in melds for card in meld)]
    quiet = _quiet(lying)
    cards = [f"{rank}{suit}" for rank in (*quiet, *(r for r in _NATURALS if r not in quiet)) for suit in _SUITS]
    top, *zones["stock"] = [card for card in cards if lying.count(card) < game.ruleset.pack.packs][:_STOCK]
    zones["pile"] = [top]
    return {"seat": seat, "phase": "play", "zones": zones, "values": values}
