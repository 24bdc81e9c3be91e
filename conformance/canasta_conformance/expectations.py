"""What a case expects under rules that an engine has declared, worked out by the reference under exactly those rules.

Where the reference answers as the case expects anyway, the expectation of the case stands, for a person typed it. Only where
the declared rules give something else is it replaced, and the report says so.
"""

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.rendering import hint_of
from canasta_conformance.declared import HouseRulesError
from canasta_conformance.inprocess.answering import answered
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.suite import Exchange

Data = Mapping[str, Any]


def expected_under(
    ruleset: str, options: Mapping[str, str], house_rules: str, exchanges: Sequence[Exchange]
) -> tuple[tuple[Exchange, ...], bool] | None:
    """Give the exchanges with what is expected under these rules, and whether that is other than the case says.

    Where there is no such position, deal or question under these rules, or the turns that lead to it are not legal, there is
    nothing to ask.

    Raises:
        HouseRulesError: when the rules of the house cannot be read.
    """
    name = house_rule_file(house_rules) if house_rules else ruleset
    under: Data = {"ruleset": name, "options": dict(options)}
    asked = [replace(e, send={**e.send, **under}) if "ruleset" in e.send else e for e in exchanges]
    came = answered(ReferenceEngine(), asked, whole=True)
    if came.stopped:
        return None
    if came.holds:
        return tuple(exchanges), False
    return tuple(map(_replaced, exchanges, came.replies)), True


def _replaced(exchange: Exchange, reply: Data) -> Exchange:
    """Expect what the reference answers, of the same things that the case speaks of."""
    expect: dict[str, Any] = {}
    observation = reply.get("observation", {})
    for key, wanted in exchange.expect.items():
        if key in ("zones", "values"):
            expect[key] = {name: observation[key].get(name, wanted[name]) for name in wanted}
        elif key in ("seat", "phase"):
            expect[key] = observation[key]
        elif key == "lines":
            expect[key] = {name: reply[key].get(name, 0) for name in wanted}
        elif key in reply:
            expect[key] = reply[key]
    if reply.get("committed") is False or reply.get("legal") is False:
        expect["codes"] = reply["codes"]
    return Exchange(exchange.send, expect, exchange.leads)


@cache
def see_house_rules(text: str, ruleset: str) -> None:
    """See that the text of a house-rule file can be read, and changes the rule set for which it was declared.

    Raises:
        HouseRulesError: when it has faults, or changes another rule set.
    """
    from canasta.language.loading import load_document  # noqa: PLC0415 - only for house rules

    lineage = load_document(house_rule_file(text)).lineage
    if lineage[:1] != (ruleset,):
        told = f"it extends {lineage[0]}" if lineage else "it extends nothing"
        other = f', or declare it with "id": "{lineage[0]}"' if lineage else ""
        hint = f"let it say `extends: {ruleset}`{other}"
        raise HouseRulesError([(f"house_rules of {ruleset} does not change {ruleset}: {told}", hint)])


@cache
def house_rule_file(text: str) -> str:
    """Put the text of a house-rule file where it can be loaded from.

    Raises:
        HouseRulesError: when it has faults.
    """
    path = Path(_folder().name) / f"house-{hashlib.sha256(text.encode()).hexdigest()[:8]}.yaml"
    path.write_text(text, encoding="utf-8")
    from canasta.games import load_ruleset  # noqa: PLC0415 - only for house rules

    try:
        load_ruleset(str(path))
    except CanastaError as error:
        faults = [_told(d, str(path), text) for d in error.diagnostics]
        raise HouseRulesError(faults) from None
    return str(path)


def _told(found: Diagnostic, path: str, text: str) -> tuple[str, str]:
    """Tell a fault of house rules, and what to do; the file into which they were put here is nobody's concern."""
    told, hint = f"house_rules{_where(found, path, text)}: {found.id} {found.message}", hint_of(found)
    if path in hint:
        hint = f"{hint}, where FILE holds the text of house_rules; what it then holds is sent"
    return told.replace(path, "FILE"), hint.replace(path, "FILE")


def _where(found: Diagnostic, path: str, text: str) -> str:
    """Name the line of house rules in which something was found, and show it."""
    if found.span is None or found.span.file != path:
        return ""
    lines = text.splitlines()
    line = lines[found.span.line - 1].strip() if found.span.line <= len(lines) else ""
    return f", line {found.span.line}" + (f" (`{line}`)" if line else "")


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """Keep a folder for house rules until the run has ended."""
    return tempfile.TemporaryDirectory(prefix="house-rules-")
