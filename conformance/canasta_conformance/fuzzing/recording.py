"""The deal of a finding as a record: from the deal to the turn at stake, to be read, replayed and checked."""

from collections.abc import Sequence
from typing import Any

from canasta.kernel.acts import Move
from canasta.notation.record import COMPASS, Comment, Deal, Line, Record, Score, Tag, Turn
from canasta.notation.writer import write
from canasta.playing.examples import with_options
from canasta.playing.recording import PlayedDeal, Recorder
from canasta_conformance.fuzzing.probing import Departure
from canasta_conformance.fuzzing.referee import Referee
from canasta_conformance.inprocess.acts import action_of
from canasta_conformance.reports.summary import shown
from canasta_conformance.suite import Exchange

Data = dict[str, Any]


def recorded(
    begun: Data, exchanges: Sequence[Exchange], departure: Departure, engine: str, house_rules: str = ""
) -> str:
    """Write the turns that stood, and the last one whatever came of it, with both answers beside it."""
    referee = Referee(house_rules)
    referee.expecting(begun)
    game, first = referee.game, referee.state
    pack = [game.deck.names.index(card) for card in reversed(begun["stock"])]
    moves: list[Move] = []
    turns = [exchange.send for exchange in exchanges[: departure.at + 1] if exchange.send["op"] == "turn"]
    refused: Data | None = None
    for send in turns:
        answered = referee.expecting(send).expect
        refused = None if answered["committed"] else send
        if answered["committed"] and referee.judged is not None:
            moves += referee.judged.moves
    recorder = Recorder(game)
    totals = {owner: points for owner, points in begun.get("totals", {}).items() if points}
    number = 2 if totals else 1
    deal, _ = recorder.deal(PlayedDeal(number, pack, first, moves))
    told = f"expected: {shown(departure.expected)}; {engine}: {shown(departure.found)}"
    lines: list[Line] = list(deal.lines)
    if refused is not None:
        actions = tuple(action_of(act) for act in refused["acts"])
        lines.append(Turn(refused["seat"], actions, comments=(Comment(told, len(actions)),)))
        told = ""
    deals = [Deal(number, deal.dealer, tuple(lines))]
    if totals:
        pad = tuple(Score(owner, (), total=points) for owner, points in begun["totals"].items())
        names = recorder.seats.names
        before = names[names.index(begun["dealer"]) - 1]
        deals.insert(0, Deal(1, before, pad))
    rules = with_options(begun["ruleset"], begun.get("options", {}))
    tags = [Tag("Rules", rules), Tag("Event", "Found by a fuzz campaign")]
    if not set(recorder.seats.names) <= set(COMPASS):
        tags.append(Tag("Seats", " ".join(recorder.seats.names)))
    return write(Record(tuple(tags), tuple(deals), comments=(told,) if told else ()))
