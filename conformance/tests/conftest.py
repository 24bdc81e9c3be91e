"""A small suite of questions that a tiny engine can answer, and runs against engines that go wrong."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from canasta_conformance.connecting import Engine, opener
from canasta_conformance.places import folder
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import Suite, read_suite

Data = dict[str, Any]

HANDS = {
    "king": ["Kc"],
    "deuces": ["2c", "2d"],
    "jokers": ["Jk", "Jk"],
    "ace": ["Ah"],
    "four": ["4s"],
    "mixed": ["Jk", "Kd"],
}
WORTH = {"king": 10, "deuces": 40, "jokers": 100, "ace": 20, "four": 5, "mixed": 60}


def value_case(name: str) -> Data:
    send = {"op": "card_value", "ruleset": "classic", "cards": HANDS[name]}
    return {
        "id": f"classic/cards.values/{name}", "ruleset": {"name": "classic", "options": {}}, "kind": "value", "level": "must",
        "asserts": ["cards.values"], "formal": "0" * 16, "given": {"text": "N at play", "seat": "N", "phase": "play"},
        "steps": [{"ask": "points_of(hand)", "expect": {"value": WORTH[name]}}], "origin": {"from": "example"},
        "forms": [{"level": 0, "exchange": [{"send": send, "expect": {"value": WORTH[name]}}]}],
    }  # fmt: skip


@pytest.fixture(scope="session")
def small_suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    root = tmp_path_factory.mktemp("suite")
    (root / "classic").mkdir()
    rules = (folder("suite") / "classic" / "rules.json").read_text(encoding="utf-8")
    (root / "classic" / "rules.json").write_text(rules, encoding="utf-8")
    cases = [value_case(name) for name in HANDS]
    (root / "classic" / "equipment.json").write_text(json.dumps({"cases": cases}), encoding="utf-8")
    listed = [{"id": case["id"]} for case in cases]
    manifest = {"digest": "a" * 16, "files": ["classic/equipment.json"], "cases": listed}
    (root / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return read_suite(root)


def unreliable(*words: str) -> str:
    path = folder("engines") / "miniatures" / "unreliable.py"
    return f"exec:{sys.executable} {path} {' '.join(words)}"


Judged = Callable[..., Report]


@pytest.fixture
def judged(small_suite: Suite) -> Judged:
    """Run the small suite against the tiny engine that goes wrong in a named way."""

    def run(*words: str, **settings: Any) -> Report:  # noqa: ANN401 - settings of a run
        address = unreliable(*words)
        engine = Engine(opener(address), small_suite.digest, 3.0, 0.7)
        try:
            return collect(Run(engine, address, small_suite, small_suite.chosen(), Settings(**settings)).records())
        finally:
            engine.kill()

    return run


@pytest.fixture
def alive() -> Callable[[int], bool]:
    """Ask whether any process of a group is left."""

    def asked(group: int) -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        return True

    return asked
