"""The notation: records that can be read, each with its one form as JSON, and records that cannot, each with what is wrong and where."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from canasta.diagnostics import Severity
from canasta.notation.json_form import to_json
from canasta.notation.reader import read_text
from canasta.playing.named_rules import seats_by_rules
from canasta.rooms import room
from canasta_conformance.generator.general import General

Data = dict[str, Any]

VALID: Final = {"classic": ("score-pad", "melds", "kitchen-table"), "gin": ("gin",)}
"""Example records by rule set: a score pad, melds as they lay at the end, one in the words of a kitchen table."""

LONGEST: Final = 700
"""A wrong record that is longer shows nothing that a shorter one does not."""


def read(of: General) -> Iterator[Data]:
    """Make the cases of the notation that speak of a rule set."""
    for name in VALID.get(of.name, ()):
        text = (room("grammar") / "examples" / f"{name}.cgn").read_text(encoding="utf-8")
        yield _case(of, f"record-{name}", text)
    if of.name == "classic":
        for path in sorted(_wrong().glob("*.cgn")):
            try:
                text = path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue  # a message of the protocol is text already
            if len(text) <= LONGEST and _faults(text):
                yield _case(of, f"wrong-record-{path.stem}", text)


def _wrong() -> Path:
    """Find the folder of wrong records; it lies in a checkout alone, as everything does that the suite is made from."""
    return Path(__file__).resolve().parents[3] / "reference" / "tests" / "bad_records"


def _faults(text: str) -> list[Data]:
    records, found = read_text(text, "record", seats_by_rules)
    if records and not any(d.severity is Severity.ERROR for d in found):
        return []
    return [
        {"id": d.id} | ({"line": d.span.line, "column": d.span.column} if d.span else {})
        for d in found
        if d.severity is Severity.ERROR
    ]


def _case(of: General, slug: str, text: str) -> Data:
    faults = _faults(text)
    expect: Data = (
        {"faults": faults} if faults else {"record": to_json(read_text(text, "record", seats_by_rules)[0][0])}
    )
    form = {"level": 0, "exchange": [{"send": {"op": "parse", "text": text}, "expect": expect}]}
    return of.case(slug, "notation", {"text": text}, {"expect": expect}, form)
