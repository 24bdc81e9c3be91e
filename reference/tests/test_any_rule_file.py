"""Whatever a person does to a rule file, it loads or is told what is wrong; nothing else ever happens."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from canasta.diagnostic_ids import explain
from canasta.diagnostics import CanastaError
from canasta.language.build import build
from canasta.language.loading import load_document
from canasta.language.signing import sign
from canasta.rendering import source_of, to_github, to_json, to_terminal

GOOD = Path(__file__).parent / "bad" / "good"
PAGES = [path.read_text(encoding="utf-8") for path in sorted(GOOD.glob("*.yaml"))]
CHILD = """\
ruleset: child
title: Child
extends: parent.yaml:strict
set: {hand_size: 7, may_throw_wild: no}
add:
  phases: {play: [draw]}
  clauses:
    - {id: table.manners, kind: custom, title: Be kind, text: Be kind.}
replace:
  - clause: discard.not-wild
    formal: f3c84e7e8dd147a0
    with: {title: Keep wild cards}
remove:
  - {clause: end.empty, formal: 271fb3dbde38d0e9, because: we play on}
"""
PIECES = [
    "\n",
    " ",
    "  ",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "'",
    '"',
    "&a ",
    "*a",
    "!!",
    "#",
    "no",
    "0",
    "-",
    "\t",
    "é",
    "$",
    "(",
]

edits = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(0, 25), st.sampled_from(["", *PIECES]) | st.just("swap")),
    min_size=1,
    max_size=3,
)


def edited(page: str, changes: list[tuple[int, int, str]]) -> str:
    """Delete, insert or copy short stretches."""
    for at, length, piece in changes:
        begin = at % (len(page) + 1)
        there = page[begin * 7 % len(page) :][:length] if piece == "swap" and page else piece
        page = page[:begin] + there + page[begin + length :]
    return page


@given(st.sampled_from([*PAGES, CHILD]), edits)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_edited_file_loads_or_is_told_what_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, page: str, changes: list[tuple[int, int, str]]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "parent.yaml").write_text(PAGES[0], encoding="utf-8")
    path = folder / "edited.yaml"
    path.write_bytes(edited(page, changes).encode("utf-8", "surrogatepass"))
    try:
        loaded = load_document(str(path))
        build(loaded.document, loaded.base, loaded.profile, loaded.chosen, loaded.chapter_of)
    except CanastaError as error:
        found = error.diagnostics
    else:
        found = loaded.findings
    for d in found:
        assert explain(d.id) is not None
        assert to_terminal(d, source_of, colour=True)
    assert len(to_json(found)) == to_github(found).count("\n")
    try:
        signed = sign(str(path))
    except CanastaError:
        return
    path.write_bytes(signed.encode())
    assert sign(str(path)) == signed
