"""Stale overrides: when a clause of a parent is executed otherwise, every child that changes it is told to read it again.

Each test works on a copy of the whole room of rules, in which one formal part of the parent is edited, with the real
loader and the real command.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from canasta import games, rooms
from canasta.diagnostics import CanastaError
from canasta.language import parsed
from canasta.language.loading import load_document
from canasta.language.naming import known
from canasta.rooms import room

Call = Callable[..., Any]

PARENT = "classic"

EDITS = {
    "a parameter": ("parameters.red_three_set", "scoring.yaml", "red_three_set: {is: 4,", "red_three_set: {is: 3,"),
    "the table": ("table", "ruleset.yaml", "hand: hand", "hand: hand\n  rota: [[0, 1, 2, 3], [1, 2, 3, 0]]"),
    "a requirement": ("asking.once", "asking.yaml", "that: permission = $unasked", "that: permission != $granted"),
    "an effect": ("turn.discard.passes", "turn.yaml", "- turn next(seat)", "- turn next(next(seat))"),
    "a duty": (
        "red-threes.drawn", "red-threes.yaml",
        "when: any(c in hand where c is red_three)\n    do:\n      - set owed",
        "when: any(c in hand where c is red_three) and size(stock) > 0\n    do:\n      - set owed",
    ),
    "a definition": ("going-out.concealed-hand", "going-out.yaml", "not melded and size(parts) > 0", "size(parts) > 0"),
    "a score": ("scoring.cards-left", "scoring.yaml", "points: -sum(s in seats", "points: -2 * sum(s in seats"),
    "an ending": ("match.winner", "match.yaml", "winner: total", "winner: 2 * total"),
    "a structure": ("melds.own", "melds.yaml", "code: NO_SUCH_MELD", "code: NOT_A_MELD_OF_YOURS"),
}  # fmt: skip
"""By kind: what is edited, in which file of the parent, the text there, and what is put in its place."""


LINEAGE = {name: load_document(name).lineage for name in known()}
FAMILY = tuple(name for name in LINEAGE if name == PARENT or PARENT in LINEAGE[name])


def forget() -> None:
    """Forget every rule set that has been read, for the files are other ones now."""
    games._loaded.cache_clear()
    games._opened.cache_clear()
    parsed._read.cache_clear()


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of rule sets in a copy of the rooms, which the loader and the command use from now on."""
    for name in ("spec", "grammar"):
        shutil.copytree(Path(str(room(name))), tmp_path / name)
    monkeypatch.setattr(rooms, "_root", lambda: str(tmp_path))
    forget()
    yield tmp_path / "spec" / "rules"
    forget()


def edit(rules: Path, file: str, before: str, after: str) -> None:
    path = rules / PARENT / file
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file} no longer holds {before!r} once"
    path.write_text(text.replace(before, after), encoding="utf-8")
    forget()


def overrides(rules: Path, target: str) -> dict[str, tuple[str, int]]:
    """Find by the texts of the files which rule sets change or remove a thing, and the line of the digest."""
    found = {}
    for name in FAMILY:
        shown = f"spec/rules/{name}/ruleset.yaml"
        lines = (rules / name / "ruleset.yaml").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if re.search(rf"- (\{{)?(clause|declaration): {re.escape(target)}(,|$)", line):
                at = next(n for n in range(number, number + 2) if "formal:" in lines[n - 1])
                found[name] = (shown, at)
    return found


def stale(name: str) -> dict[str, tuple[str, int]]:
    """Load a rule set, and list what is told of stale overrides: the named thing with the place."""
    try:
        load_document(name)
    except CanastaError as error:
        found = error.diagnostics
    else:
        return {}
    assert {d.id for d in found} == {"RS2031"}
    assert all(d.span is not None and d.labels and "rules sign" in d.hint for d in found)
    named = re.compile("the (?:clause|declaration) ([^ ]+) has changed")
    return {
        f"{d.span.file}: {named.findall(d.message)[0]}": (d.span.file, d.span.line) for d in found if d.span is not None
    }


def wanted_of(rules: Path, name: str) -> dict[str, tuple[str, int]]:
    """List what should be told of a rule set when everything in the table of edits has changed."""
    targets = {target for target, *_ in EDITS.values()}
    line = (name, *LINEAGE[name])
    found = {target: overrides(rules, target) for target in targets}
    return {
        f"{found[t][n][0]}: {t}": found[t][n]
        for t in targets
        for n in line
        if n in found[t] and not set_between(rules, n, t)
    }


def set_between(rules: Path, name: str, target: str) -> bool:
    """Ask whether a rule set between the parent and this one sets the thing, so that a change of the parent's does not come through."""
    texts = [(rules / n / "ruleset.yaml").read_text(encoding="utf-8") for n in LINEAGE[name] if n != PARENT]
    return any(re.search(rf"^  {target.partition('.')[2]}: \d", text, re.MULTILINE) for text in texts)


@pytest.mark.whole
def test_every_child_that_changes_a_clause_is_told_and_no_other_until_it_is_signed(rules: Path, call: Call) -> None:
    for _, *change in EDITS.values():
        edit(rules, *change)
    assert all(overrides(rules, target) for target, *_ in EDITS.values()), (
        "no child changes this any more: choose another"
    )
    for name in FAMILY:
        wanted = wanted_of(rules, name)
        assert stale(name) == wanted, name
        answer = call("rules", "check", "--no-examples", name)
        assert answer.code == (1 if wanted else 0), answer.out + answer.err
        for what, (place, number) in wanted.items():
            target = what.partition(": ")[2]
            assert re.search(rf"{place}:{number}:\d+: RS2031 .* {re.escape(target)} has changed since", answer.out)
        assert answer.out.count(": RS2031 ") == len(wanted)
    for name in sorted(FAMILY, key=lambda n: len(LINEAGE[n])):  # a child is signed against what its parent says now
        if name == PARENT:
            continue
        path = rules / name / "ruleset.yaml"
        before = path.read_text(encoding="utf-8").splitlines()
        own = {
            number for place, number in wanted_of(rules, name).values() if place == f"spec/rules/{name}/ruleset.yaml"
        }
        assert call("rules", "sign", str(path)).code == 0
        assert call("rules", "sign", "--check", str(path)).code == 0
        after = path.read_text(encoding="utf-8").splitlines()
        changed = {i for i, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b}
        assert changed == own if LINEAGE[name][0] == PARENT else changed <= own
        assert stale(name) == {}, name


@pytest.mark.parametrize("kind", EDITS)
def test_a_change_of_each_kind_is_told_alone(rules: Path, kind: str) -> None:
    target, *change = EDITS[kind]
    edit(rules, *change)
    child, place = next((n, at) for n, at in overrides(rules, target).items() if not set_between(rules, n, target))
    told = {what: at for what, at in stale(child).items() if at[0] == place[0]}
    assert told == {f"{place[0]}: {target}": place}


def test_a_reworded_text_makes_no_override_stale(rules: Path) -> None:
    edit(rules, "asking.yaml", "Ask only once in a turn. In a later turn", "Ask but once in a turn. In a later turn")
    edit(rules, "scoring.yaml", "title: Cards left in hand", "title: What is left in hand")
    assert all(stale(name) == {} for name in FAMILY)


def test_spaces_and_brackets_in_a_formal_part_make_no_override_stale(rules: Path) -> None:
    edit(rules, "asking.yaml", "that: permission = $unasked", "that: (permission  =  $unasked)")
    assert all(stale(name) == {} for name in FAMILY)


def test_two_changes_of_the_parent_are_both_told(rules: Path) -> None:
    for kind in ("a requirement", "a score"):
        edit(rules, *EDITS[kind][1:])
    told = stale("classic/two")
    assert {name.partition(": ")[2] for name in told} == {EDITS["a requirement"][0], EDITS["a score"][0]}
