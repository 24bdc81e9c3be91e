"""Whether a file of another program has the form that it should have, and where it has not."""

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from canasta.diagnostics import Diagnostic
from canasta.json_shape import faults_of_shape as in_json
from canasta.json_shape import place_in_json
from canasta.rooms import room

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

MOST_FAULTS = 20


def faults_of_shape(game: Any, text: str, file: str) -> list[Diagnostic]:  # noqa: ANN401 - whatever the JSON holds
    """Find everything in a neutral game that has not the form its schema asks for."""
    hint = "the form is described in docs/reference/neutral-game.md"
    found = in_json(_validator().iter_errors(game), text, file, "PL0041", hint)[:MOST_FAULTS]
    if not found:
        found.extend(_numbers_that_point_nowhere(game, text, file))
    return found


@cache
def _validator() -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - costs 80 ms, and only conversion needs it

    schema = (room("spec") / "schema" / "neutral-game.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(schema))


def _numbers_that_point_nowhere(game: dict[str, Any], text: str, file: str) -> list[Diagnostic]:
    """Find seats that the table does not have, and takes whose top card lies in no such meld."""
    found: list[Diagnostic] = []

    def say(path: list[str | int], message: str, hint: str) -> None:
        found.append(Diagnostic("PL0042", message, place_in_json(text, file, path), hint))

    players = game["players"]
    whole = f"seats are numbered from 0 to {players - 1}"
    if sorted(s for side in game["sides"] for s in side) != list(range(players)):
        say(["sides"], "the sides do not hold every seat once", whole)
    for d, deal in enumerate(game["deals"]):
        here: list[str | int] = ["deals", d]
        if len(deal["hands"]) != players:
            say(
                [*here, "hands"], f"there are {len(deal['hands'])} hands for {players} players", "write one hand a seat"
            )
        seats: list[tuple[list[str | int], int]] = [
            (["dealer"], deal["dealer"]),
            (["end", "seat"], deal["end"].get("seat", 0)),
        ]
        seats += [(["refused", i, "seat"], told["seat"]) for i, told in enumerate(deal.get("refused", []))]
        for i, event in enumerate(deal["events"]):
            seats += [(["events", i, name], event[name]) for name in ("seat", "to") if name in event]
            fault = _fault_of_event(event, deal["events"], players)
            if fault:
                say([*here, "events", i], fault, "compare the event with the program's own record")
        for path, seat in seats:
            if seat >= players:
                say([*here, *path], f"there is no seat {seat}", whole)
        for name, number in (("melds", len(game["sides"])), ("red_threes", len(game["sides"])), ("left", players)):
            if len(deal.get(name, [])) > number:
                say([*here, name], f"{name} has more entries than the table", f"write {number}")
        if len(deal.get("score", [])) > len(game["sides"]):
            say([*here, "score"], "there are more scores than sides", "write one score a side")
    return found[:MOST_FAULTS]


def _fault_of_event(event: dict[str, Any], events: list[dict[str, Any]], players: int) -> str:
    """Say what one event points at that is not there, or nothing."""
    if event["do"] == "take" and not event["pile"]:
        return "an empty pile cannot be taken"
    if "after" in event and len(event["after"].get("hands", [0] * players)) != players:
        return "the hand sizes after the discard are not those of all players"
    later = event.get("top_melded")
    if event.get("top_to_hand") and later is not None:
        inside = 0 <= later < len(events)
        if not inside or event["pile"][-1] not in events[later].get("cards", []):
            return f"event {later} does not hold the taken top card"
    return ""
