"""`canasta conformance power`: what its exit code says."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from canasta_conformance.power.measuring import Outcome, mutants_of
from canasta_conformance.power.report import Power
from canasta_conformance.power.trials import Fate
from canasta_tools.conformance import strength

Call = Callable[..., Any]


@pytest.mark.parametrize(("more", "code"), [(("--require",), 1), ((), 0)])
def test_targets_that_are_missed_are_told_only_where_they_are_asked_for(
    call: Call, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], code: int
) -> None:
    measured = Power("x" * 16, [], [Outcome(mutant, Fate.SURVIVED) for mutant in mutants_of("gin")[:20]])
    monkeypatch.setattr(strength, "measure_power", lambda *_: measured)
    answer = call("conformance", "power", "gin", *more)
    assert answer.code == code
    assert ("mutants killed: 0 of 20, and at least 95% must be" in answer.out) is bool(code)
    assert ("missed" in json.loads(call("conformance", "power", "gin", *more, "--json").out)) is bool(code)
