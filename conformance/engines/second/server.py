"""The answering side of the protocol: one JSON object a line, one answer for each request."""

import json
from collections.abc import Callable
from typing import Any, TextIO

from .acts import NEW, Act, Answer, Ask, Decline, Discard, Draw, Lay, Out, Show, Take, Unite
from .cards import WILD, Card, alike, pack, values
from .dealing import deal
from .melds import BLACKS, Meld, faults, one_meld
from .positions import Json, UnsupportedError, account_name, left_without_an_act, load, observe, side_name
from .rule_sets import RULE_SETS, UnknownRulesError, choose
from .rules import Rules
from .scoring import match_over, scores_of, side_scores, winners
from .table import Table, empty_table
from .turn import play

VERSION = "1"


def acts_of(table: Table, acts: list[Json]) -> list[Act]:
    """The acts of a `turn`. A meld is named by a card in it, also one begun in this very turn, so they are read in order."""
    lying = [list(meld.cards) for meld in table.own]
    return [_act(act, lying) for act in acts]


def _act(act: Json, lying: list[list[Card]]) -> Act:
    cards = tuple(act.get("cards", ()))
    match act["act"]:
        case "take":
            return Take(cards[1:], _target(act, lying), cards[0])
        case "meld" | "add":
            return Lay(cards, _target(act, lying))
        case "unite":
            source, onto = (
                _named(lying, act["from"], act.get("from_nth", 1)),
                _named(lying, act["to"], act.get("nth", 1)),
            )
            if source != onto and max(source, onto) < len(lying):
                first, second = sorted((source, onto))
                lying[first] += lying.pop(second)
            return Unite(source, onto)
        case "discard":
            return Discard(cards[0])
        case "show":
            return Show(cards[0])
        case "answer":
            return Answer(act["word"] == "yes")
        case plain if plain in PLAIN:
            return PLAIN[plain]
        case other:
            raise UnsupportedError(f"act {other}")


PLAIN: dict[str, Act] = {"draw": Draw(), "ask": Ask(), "out": Out(), "decline": Decline()}


def _named(lying: list[list[Card]], card: Card, nth: int) -> int:
    """The number of the meld that holds a card, or one that there is not."""
    holding = [number for number, meld in enumerate(lying) if any(alike(other, card) for other in meld)]
    if card in WILD:  # first those in which it stands for itself
        holding.sort(key=lambda number: any(other not in WILD for other in lying[number]))
    return holding[nth - 1] if nth <= len(holding) else len(lying)


def _target(act: Json, lying: list[list[Card]]) -> int:
    """The number of the meld that an act adds to; what is laid is noted for the acts that follow."""
    cards = list(act["cards"])
    if "to" not in act:
        lying.append(cards)
        return NEW
    number = _named(lying, act["to"], act.get("nth", 1))
    if number < len(lying):
        lying[number].extend(cards)
    return number


class Server:
    """Answers requests about one table at a time."""

    def __init__(self) -> None:
        """Begins without a table."""
        self.table: Table | None = None
        self.operations: dict[str, Callable[[Json], Json]] = {
            "hello": self.hello,
            "card_value": self.card_value,
            "meld_check": self.meld_check,
            "opening_minimum": self.opening_minimum,
            "opening_check": self.opening_check,
            "pile_check": self.pile_check,
            "score_deal": self.score_deal,
            "load": self.load,
            "start": self.start,
            "turn": self.turn,
            "observe": self.observe,
            "ledger": self.ledger,
            "reset": self.reset,
            "bye": self.bye,
        }

    def answer(self, request: Json) -> Json:
        """The answer to a request, whatever it is."""
        operation = self.operations.get(request.get("op", ""))
        if operation is None:
            body: Json = {"unsupported": True, "needs": str(request.get("op"))}
        else:
            try:
                body = operation(request)
            except UnsupportedError as unsupported:
                body = {"unsupported": True, "needs": unsupported.needs}
            except UnknownRulesError as unknown:
                body = {"unsupported": True, "needs": str(unknown)}
        return {"seq": request.get("seq"), **body}

    def hello(self, _: Json) -> Json:
        """Who answers, and by which rules."""
        return {
            "protocol": 1,
            "engine": {"name": "second", "version": VERSION, "language": "Python"},
            "rulesets": [{"id": name, "selectable": "all"} for name in RULE_SETS],
            "levels": [0, 1, 2],
            "operations": list(self.operations),
        }

    def card_value(self, request: Json) -> Json:
        """What cards count together."""
        _rules(request)
        return {"value": values(request["cards"])}

    def meld_check(self, request: Json) -> Json:
        """Whether cards may lie as a meld, or join one."""
        rules = _rules(request)
        onto = request.get("onto")
        return _legality(check_meld(rules, request["cards"], onto, going_out=request.get("going_out", False)))

    def opening_minimum(self, request: Json) -> Json:
        """What the initial meld must be worth."""
        return {"value": _rules(request).minimum_for(request["total"])}

    def opening_check(self, request: Json) -> Json:
        """Whether melds are enough for the initial one."""
        rules = _rules(request)
        found: set[str] = set()
        ranks: set[str] = set()
        for cards in request["melds"]:
            found |= check_meld(rules, cards, None, going_out=False)
            rank = Meld(cards).rank
            if rank in ranks and not rules.runs:
                found.add("RANK_ALREADY_MELDED")
            ranks.add(rank)
        if sum(values(cards) for cards in request["melds"]) < rules.minimum_for(request["total"]):
            found.add("BELOW_MINIMUM")
        return _legality(found)

    def pile_check(self, request: Json) -> Json:
        """Whether the pile may be taken so, whatever becomes of the turn."""
        table = load(_rules(request), request["position"])
        verdict = play(table, table.turn, acts_of(table, [request["take"]]))
        return _legality(set(verdict.codes) - {"NO_WAY_TO_END_THE_TURN", "BELOW_MINIMUM"})

    def score_deal(self, request: Json) -> Json:
        """What each side gets for a deal."""
        table = load(_rules(request), request["position"])
        return {"value": {account_name(table, name): sum(scores_of(table, name).values()) for name in table.accounts}}

    def load(self, request: Json) -> Json:
        """Sets a position up."""
        self.table = load(_rules(request), request["position"])
        return {"observation": observe(left_without_an_act(self.table))}

    def start(self, request: Json) -> Json:
        """Begins a deal from a stacked pack."""
        rules = _rules(request)
        stock = request["stock"]
        if sorted(stock) != sorted(pack(rules.packs)):
            raise UnsupportedError("a whole pack")
        table = empty_table(rules, 0)
        totals = {name: request.get("totals", {}).get(account_name(table, name), 0) for name in table.accounts}
        self.table = deal(rules, rules.seats.index(request["dealer"]), stock, totals)
        self.table.deal_no = request.get("deal_no", 1)
        return {"observation": observe(self.table)}

    def _at(self) -> Table:
        if self.table is None:
            raise UnsupportedError("a position")
        return self.table

    def turn(self, request: Json) -> Json:
        """Plays a turn, or leaves everything as it was."""
        table = self._at()
        verdict = play(table, table.rules.seats.index(request["seat"]), acts_of(table, request["acts"]))
        self.table = verdict.table
        if verdict.legal:
            return {"committed": True}
        return {"committed": False, "codes": sorted(verdict.codes)}

    def observe(self, request: Json) -> Json:
        """Shows how things lie."""
        table = left_without_an_act(self._at())
        seat = table.rules.seats.index(request["seat"]) if "seat" in request else None
        return {"observation": observe(table, seat, request.get("also", ()))}

    def ledger(self, _: Json) -> Json:
        """Shows how the score stands."""
        table = self._at()
        lines: Json = {}
        for account in table.accounts:
            name, scores = account_name(table, account), scores_of(table, account)
            lines |= {f"{name}.{item}": points for item, points in scores.items()}
            lines[f"{name}.total"] = sum(scores.values())
        for side in table.sides:
            if side_name(table, side) not in {account_name(table, account) for account in table.accounts}:
                name = side_name(table, side)
                lines |= {f"{name}.{item}": points for item, points in side_scores(table, side).items()}
        totals = {account_name(table, account): total for account, total in table.totals.items()}
        over = match_over(table.rules, table.totals, table.deal_no)
        names = [account_name(table, account) for account in winners(table.totals)] if over else []
        return {"lines": lines, "totals": totals, "over": over, "winners": names}

    def reset(self, _: Json) -> Json:
        """Forgets the table."""
        self.table = None
        return {}

    def bye(self, _: Json) -> Json:
        """Says good-bye."""
        return {}


def check_meld(rules: Rules, cards: list[Card], onto: list[Card] | None, *, going_out: bool) -> set[str]:
    """What is wrong with cards as a meld, or with adding them to one."""
    lying = onto or []
    meld = Meld([*lying, *cards], settled=len(lying), settled_wilds=sum(card in WILD for card in lying))
    if not one_meld(meld.cards, rules) or (lying and meld.kind == BLACKS):
        return {"NO_MELD"}
    found = faults(meld, rules)
    if meld.kind == BLACKS and not going_out and not rules.black_threes_any_time:
        found.add("BLACK_THREES_ONLY_GOING_OUT")
    return found


def _legality(codes: set[str]) -> Json:
    return {"legal": False, "codes": sorted(codes)} if codes else {"legal": True}


def _rules(request: Json) -> Rules:
    name = request["ruleset"]
    if name not in RULE_SETS:
        raise UnknownRulesError(f"no rule set {name}")
    return choose(RULE_SETS[name], request.get("options", {}))


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answers until there is nothing more to answer."""
    server = Server()
    for line in requests:
        request: dict[str, Any] = json.loads(line)
        answers.write(json.dumps(server.answer(request)) + "\n")
        answers.flush()
        if request.get("op") == "bye":
            return
