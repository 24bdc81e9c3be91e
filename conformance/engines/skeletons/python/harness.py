"""A harness: reads requests, asks your engine, writes answers. Fill in the methods, one after another.

Every method is named after an operation of the protocol and gets the fields of the request by their names; what it returns is
the answer without its number. Whatever has no method is answered by "unsupported", which is never a failure.

The runner can start this file as a program, "exec:python3 harness.py", or make the class in its own process,
"python:harness:Harness", which a debugger can follow.
"""

import json
import sys
import traceback
from pathlib import Path
from typing import Any

Message = dict[str, Any]

# Replace this by a call of your engine.
POINTS = {"Jk": 50, "2": 20, "A": 20, "3": 5, "4": 5, "5": 5, "6": 5, "7": 5}


class Unsupported(Exception):  # noqa: N818 - what an author wants to raise
    """Raise it with the name of what your engine does not have."""


class KnownBug(Exception):  # noqa: N818 - what an author wants to raise
    """Raise it with the address of the issue in which a fault of your engine is written down."""


class Harness:
    """One method for each operation that your engine can answer. `**_` takes the fields that it does not look at."""

    def hello(self, **_: object) -> Message:
        """Say who you are, by which rules you play, and what you can be asked."""
        return {
            "protocol": 1,
            "engine": {"name": "my-canasta", "version": "0.1", "language": "Python"},
            # Options that you choose otherwise than the rule set: {"id": "classic", "options": {"one_card_for_one": "allowed"}}
            "rulesets": [{"id": "classic"}],
            "levels": [0],
            "operations": ["hello", "card_value", "reset", "bye"],
        }

    def card_value(self, cards: list[str], **_: object) -> Message:
        """Add up what cards count. Red threes count nothing as cards."""
        return {"value": sum(self._points(card) for card in cards)}

    def _points(self, card: str) -> int:
        if card in ("3d", "3h"):
            return 0
        return POINTS.get(card if card == "Jk" else card[0], 10)

    def reset(self, **_: object) -> Message:
        """Forget the position."""
        return {}

    def bye(self, **_: object) -> Message:
        """Nothing needs to be put away."""
        return {}

    # Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal.
    #
    # Level 1, once a position can be set up. Put 1 into "levels", and the names into "operations":
    #
    # def load(self, ruleset, position, options=None, **_):  → {"observation": …}
    # def turn(self, seat, acts, **_):  → {"committed": True} or {"committed": False, "codes": […]}
    # def observe(self, seat=None, **_): → {"observation": …}; one that cannot show what one player sees begins with:
    #     → if seat is not None: raise Unsupported("what one player sees")
    # def ledger(self, **_):            → {"lines": {"NS.total": 570, …}}
    #
    # Level 2, once a deal can be begun from a stacked pack: start(self, ruleset, dealer, stock, **_).


def answer(harness: Harness, request: Message) -> Message:
    """Answer one request; whatever goes wrong in your engine is told, and the harness goes on."""
    method = None if request["op"].startswith("_") else getattr(harness, request["op"], None)
    if method is None:
        return {"seq": request["seq"], "unsupported": True, "needs": request["op"]}
    fields = {name: value for name, value in request.items() if name not in ("seq", "op")}
    try:
        return {"seq": request["seq"], **method(**fields)}
    except Unsupported as lacking:
        return {"seq": request["seq"], "unsupported": True, "needs": str(lacking) or request["op"]}
    except KnownBug as known:
        return {"seq": request["seq"], "known_bug": True, "url": str(known)}
    except Exception as fault:  # noqa: BLE001 - an engine under test may raise anything
        last = traceback.extract_tb(fault.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        return {"seq": request["seq"], "error": True, "text": f"{type(fault).__name__}: {fault} ({place})"}


def serve(harness: Harness) -> None:
    """Answer until `bye` or the end of the input. Standard output belongs to the protocol: log to standard error."""
    for line in sys.stdin:
        request = json.loads(line)
        sys.stdout.write(json.dumps(answer(harness, request)) + "\n")
        sys.stdout.flush()
        if request["op"] == "bye":
            return


if __name__ == "__main__":
    serve(Harness())
