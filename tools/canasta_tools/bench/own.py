"""The project's own work beside the plainest other way of doing it: what care costs, and what it does not."""

import os
import random
import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path

import yaml

from canasta.language.expressions import parse_expression
from canasta.language.source import read_text
from canasta.rooms import room
from canasta.shuffle import shuffled
from canasta_tools.bench import matches
from canasta_tools.bench.race import Contender, Race

PACK = 108
STARTS = 10


def shuffling() -> Race:
    """Ask what a shuffle costs that any language can repeat."""

    def by_random() -> int:
        for seed in range(200):
            cards = list(range(PACK))
            random.Random(seed).shuffle(cards)  # noqa: S311 - the yardstick
        return 200

    def by_ours() -> int:
        for seed in range(200):
            shuffled(range(PACK), seed)
        return 200

    contenders = (Contender("random.Random(seed).shuffle", by_random), Contender("canasta.shuffle.shuffled", by_ours))
    return Race("shuffle", f"Shuffling {PACK} cards from a seed", "shuffle", contenders)


def starting() -> Race:
    """Ask what it costs to start: the same command is the referee that a run starts again and again."""
    # The script itself, and not a shell around it: its first line names this very interpreter.
    command = str(Path(sys.executable).with_name("canasta"))
    pad = str(room("grammar") / "examples" / "score-pad.cgn")
    deal = matches.text_of(matches.matches(by_face=True)[0][:1]).encode()
    ways: tuple[tuple[str, tuple[str, ...], bytes], ...] = (
        ("python -c pass", ("-c", "pass"), b""),
        ("canasta --version", (command, "--version"), b""),
        ("canasta check, a score pad", (command, "check", pad), b""),
        ("canasta check, a full deal", (command, "check", "-"), deal),
    )
    runs = {name: _starts(arguments, given) for name, arguments, given in ways}
    absent = tuple(f"{name}: it does not run here" for name, well in runs.items() if not well)
    here = tuple(Contender(name, partial(_start, arguments, given)) for name, arguments, given in ways if runs[name])
    return Race("start", "Starting a process", "start", here, absent)


def _starts(arguments: tuple[str, ...], given: bytes) -> bool:
    # What pip installs is compiled; a checkout is compiled by its first run, unless the environment forbids to keep that.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run([sys.executable, *arguments], check=False, capture_output=True, input=given, env=kept)  # noqa: S603 - our own commands
    return ran.returncode == 0


def _start(arguments: tuple[str, ...], given: bytes) -> int:
    return sum(_starts(arguments, given) for _ in range(STARTS))


def reading_yaml() -> Race:
    """Ask what it costs to keep the place of every node, guess no types and refuse what YAML should not do."""
    name = "sources.yaml"
    text = (room("spec") / name).read_text(encoding="utf-8")
    size = len(text)

    def composed() -> int:
        yaml.compose(text, Loader=yaml.SafeLoader)
        return size

    def loaded() -> int:
        yaml.safe_load(text)
        return size

    def read() -> int:
        read_text(text, name)
        return size

    contenders = (
        Contender("yaml.safe_load", loaded),
        Contender("yaml.compose", composed),
        Contender("read_text", read),
    )
    return Race("yaml", f"Reading spec/{name}", "character", contenders)


def parsing() -> Race:
    """Ask how our expressions parse beside Python's own of the same meaning."""
    # Texts that were parsed before are remembered, so no text may come twice.
    fresh = count()

    def by_python() -> int:
        for _ in range(100):
            text = f"sum(n for c, n in from_hand if natural(c) and rank(c) == rank(top_card)) >= {next(fresh)}"
            compile(text, "expression", "eval")
        return 100

    def by_ours() -> int:
        for _ in range(20):
            parse_expression(f"count(c in from_hand where c is natural and c.rank = top_card.rank) >= {next(fresh)}")
        return 20

    contenders = (Contender("Python's compile()", by_python), Contender("parse_expression", by_ours))
    return Race("parse", "Parsing an expression", "expression", contenders)
