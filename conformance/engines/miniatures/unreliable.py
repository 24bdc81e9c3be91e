"""A tiny engine that knows what cards count, and goes wrong in one named way when they count a hundred or more.

It is here to try the runner: whatever it does, every other question it is asked must get its verdict. A second argument
names a file that it leaves behind, so that what is to happen only once happens only once.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

FOR_EVER = 3600
A_LONG_START = 15
"""Seconds; the runner waits for ten unless it is told to be patient."""
A_MOMENT = 0.05
MANY = 100
SECOND = 2
POINTS = {"Jk": 50, "2": 20, "A": 20, "3": 5, "4": 5, "5": 5, "6": 5, "7": 5}
HELLO = {
    "protocol": 1,
    "engine": {"name": "unreliable", "version": "1", "language": "Python"},
    "rulesets": [{"id": "classic"}],
    "levels": [0],
    "operations": ["hello", "card_value", "reset", "bye"],
}


def say(message: object) -> None:
    """Write one line and see that it leaves."""
    sys.stdout.write(f"{json.dumps(message)}\n")
    sys.stdout.flush()


def value(cards: list[str]) -> int:
    """Add up what cards count."""
    return sum(POINTS.get(card if card == "Jk" else card[0], 10) for card in cards if card not in ("3d", "3h"))


SLEEPER = [sys.executable, "-c", f"import time; time.sleep({FOR_EVER})"]
"""A program that keeps the pipes open, and is to be killed with its parent."""


def crash(code: int) -> None:
    """End at once, with a last word."""
    sys.stderr.write("segmentation fault, as it were\n")
    sys.stderr.flush()
    os._exit(code)


def go_wrong(way: str, seq: int, right: int) -> None:
    """Do what the way says; some ways do not return."""
    match way:
        case "hang":
            time.sleep(FOR_EVER)
        case "hang-with-a-child":
            subprocess.run(SLEEPER, check=False)  # noqa: S603 - our own
        case "late":
            time.sleep(1.5)
            say({"seq": seq, "value": right})
        case "crash":
            crash(139)
        case "crash-with-a-child":
            subprocess.Popen(SLEEPER)  # noqa: S603 - our own
            crash(139)
        case "answers-and-crashes-with-a-child":
            subprocess.Popen(SLEEPER)  # noqa: S603 - our own
            say({"seq": seq, "value": right})
            crash(139)
        case "noise":
            sys.stdout.write("debug: adding up\n")
            say({"seq": seq, "value": right})
        case "wrong-seq":
            say({"seq": seq - 1, "value": right})
        case "flood-of-lines":
            while True:
                say({"seq": seq, "value": right})
        case "flood-without-end":
            while True:
                sys.stdout.write("x" * 65536)
        case "twice":
            say({"seq": seq, "value": right})
            say({"seq": seq, "value": right})
        case "bad-reply":
            say({"seq": seq, "value": "many"})
        case "deep":
            sys.stdout.write("[" * 100_000 + "\n")
            sys.stdout.flush()
        case "error":
            say({"seq": seq, "error": True, "text": "index out of range"})
        case _:
            say({"seq": seq, "value": right})


AFTER_RESET = ("line-after-reset", "noise-after-reset", "line-later", "ends-later")
"""Ways of going wrong when the case is over."""


def go_on(way: str, seq: int) -> None:
    """Do what the way says after the answer to a reset: at once, or a moment later, when the next case has begun."""
    match way:
        case "line-after-reset":
            say({"seq": seq})
        case "noise-after-reset":
            sys.stdout.write("debug: forgotten\n")
            sys.stdout.flush()
        case "line-later":
            threading.Timer(A_MOMENT, say, [{"seq": seq, "value": 7}]).start()
        case "ends-later":
            threading.Timer(A_MOMENT, os._exit, [3]).start()


def main(way: str, trace: str = "") -> None:
    """Answer until there is nothing more to answer."""
    if way == "refuses-to-start":
        sys.exit("no licence found")
    if way == "starts-slowly":
        time.sleep(A_LONG_START)
    asked, high = 0, False
    for line in sys.stdin:
        request = json.loads(line)
        op, seq = request["op"], request["seq"]
        if op == "hello":
            if way == "silent":
                time.sleep(FOR_EVER)
            say({"seq": seq, **HELLO})
            if way == "exits-after-hello":
                return
        elif op == "card_value":
            cards = request["cards"]
            done = bool(trace) and Path(trace).exists()
            asked += 1
            if way in AFTER_RESET and asked > 1 and value(cards) < MANY:
                time.sleep(2 * A_MOMENT)  # what is still to come, comes before this one is answered
            high = value(cards) >= MANY
            if way == "crash-on-second":
                go_wrong("crash" if asked == SECOND else "", seq, value(cards))
            elif value(cards) >= MANY and not done:
                if trace:
                    Path(trace).touch()
                go_wrong(way, seq, value(cards))
            else:
                say({"seq": seq, "value": value(cards)})
        elif op in ("reset", "bye"):
            say({"seq": seq})
            if op == "bye":
                return
            if high and way in AFTER_RESET:
                high = False
                go_on(way, seq)
        else:
            say({"seq": seq, "unsupported": True, "needs": op})


if __name__ == "__main__":
    main(*sys.argv[1:])
