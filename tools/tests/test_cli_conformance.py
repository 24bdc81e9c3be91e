"""`canasta conformance`: its sub-commands, their exit codes, and what a wrong call is told."""

import json
import re
import shlex
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canasta.diagnostic_ids import register
from canasta_conformance.beginning import languages
from canasta_conformance.places import folder

Call = Callable[..., Any]

WHICH = "classic/cards.values"


def harness(tmp_path: Path, old: str = "", new: str = "") -> str:
    """Copy the Python skeleton, with one thing in it changed, and give its address."""
    path = tmp_path / "harness.py"
    text = (folder("engines") / "skeletons" / "python" / "harness.py").read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return f"exec:{sys.executable} {path}"


def unreliable(way: str) -> str:
    return f"exec:{sys.executable} {folder('engines') / 'miniatures' / 'unreliable.py'} {way}"


# ---- run -------------------------------------------------------------------------------------------------------------


def test_an_engine_that_is_right_gives_0(call: Call) -> None:
    answer = call("conformance", "run", "reference", "classic/melds.wilds")
    assert answer.code == 0
    assert "claim: canasta-spec reference" in answer.out


def test_an_engine_that_departs_gives_1_with_clause_and_command(call: Call, tmp_path: Path) -> None:
    address = harness(tmp_path, '"Jk": 50', '"Jk": 20')
    answer = call("conformance", "run", address, WHICH)
    assert answer.code == 1
    assert "classic cards.values: " in answer.out
    assert "value: expected 175, found 145" in answer.out
    assert f"{WHICH}/one-of-each-rank" in answer.out


def test_an_engine_that_breaks_the_protocol_gives_3(call: Call) -> None:
    assert call("conformance", "run", unreliable("refuses-to-start"), WHICH).code == 3
    assert call("conformance", "run", unreliable("exits-after-hello"), WHICH, "--restarts", "3").code == 3


def test_the_stream_is_written_and_reported_in_every_form(call: Call, tmp_path: Path) -> None:
    stream = tmp_path / "run.jsonl"
    address = harness(tmp_path, '"Jk": 50', '"Jk": 20')
    assert call("conformance", "run", address, WHICH, "--output", str(stream)).code == 1
    for shape, sign in {"text": "claim:", "markdown": "# Conformance of", "html": "<!doctype html>", "junit": "<testsuites",
                        "badge": '"schemaVersion": 1', "github": "::error title=fail"}.items():  # fmt: skip
        answer = call("conformance", "report", str(stream), "--format", shape)
        assert answer.code == 1
        assert sign in answer.out, shape
    page = tmp_path / "report.html"
    assert (
        call("conformance", "report", str(stream), str(stream), "--format", "html", "-o", str(page), "--exit-zero").code
        == 0
    )
    assert "stock" in page.read_text(encoding="utf-8")
    assert call("conformance", "report", str(stream), str(stream), "--format", "junit").code == 2


def test_json_lines_are_the_stream_and_annotations_one_a_finding(call: Call, tmp_path: Path) -> None:
    address = harness(tmp_path, '"Jk": 50', '"Jk": 20')
    lines = call("conformance", "run", address, WHICH, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["type"] for line in (lines[0], lines[-1])] == ["run", "end"]
    found = call("conformance", "run", address, WHICH, "--format", "github").out.splitlines()
    assert found
    assert all(re.match("::error title=fail%3A [^:]+::cards.values: What the cards count", line) for line in found)


def test_the_same_run_twice_gives_the_same_bytes(call: Call, tmp_path: Path) -> None:
    address = harness(tmp_path)
    one, other = (call("conformance", "run", address, WHICH, "--format", "jsonl", "--seed", "7").out for _ in range(2))
    assert one == other


def test_two_runs_are_compared(call: Call, tmp_path: Path) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    call("conformance", "run", harness(tmp_path), WHICH, "-o", str(before))
    call("conformance", "run", harness(tmp_path, '"Jk": 50', '"Jk": 20'), WHICH, "-o", str(after))
    answer = call("conformance", "diff", str(before), str(after))
    assert answer.code == 1
    assert "fails now: 2" in answer.out
    assert call("conformance", "diff", str(after), str(before)).code == 0
    assert call("conformance", "diff", str(before), str(after), "--fail-on", "nothing").code == 0
    assert call("conformance", "diff", str(before), str(after), "--json").json["regressions"]


def test_what_is_known_to_fail_is_no_finding_and_what_does_not_hold_is(call: Call, tmp_path: Path) -> None:
    address, listed = harness(tmp_path, '"Jk": 50', '"Jk": 20'), tmp_path / "known.txt"
    assert call("conformance", "run", address, "--expect", str(listed), "--fix").code == 0
    assert f"{WHICH}/one-of-each-rank@0  fail  # not looked into yet" in listed.read_text(encoding="utf-8")
    assert call("conformance", "run", address, "--expect", str(listed)).code == 0
    answer = call("conformance", "run", harness(tmp_path), "--expect", str(listed))
    assert answer.code == 1
    assert "passes now: take the entry out" in answer.err


def test_a_list_that_is_not_there_is_told_unless_it_is_to_be_begun(call: Call, tmp_path: Path) -> None:
    answer = call("conformance", "run", "reference", "classic/melds.size", "--expect", str(tmp_path / "knwon.txt"))
    assert (answer.code, "CF0004" in answer.err, "there is no file" in answer.err) == (2, True, True)


def test_the_report_on_a_miniature_is_a_list_of_known_failures(call: Call, tmp_path: Path) -> None:
    path = folder("engines") / "miniatures" / "reports" / "one-card-for-one.txt"
    asked = ("classic/take.one-card", "classic/take.unfrozen", "classic/stock.forced-take")
    answer = call("conformance", "run", "miniature:one-card-for-one", *asked, "--expect", str(path))
    assert (answer.code, answer.err) == (0, "")
    mended = call("conformance", "run", "reference", *asked, "--expect", str(path))
    assert mended.code == 1
    assert "c56-pile-of-one@1: passes now: take the entry out" in mended.err
    changed = tmp_path / "changed.txt"
    changed.write_text(path.read_text(encoding="utf-8").replace("  fail  ", "  crash  "), encoding="utf-8")
    assert (
        "is fail now" in call("conformance", "run", "miniature:one-card-for-one", *asked, "--expect", str(changed)).err
    )
    changed.write_text("classic/*  fail  # everything\n", encoding="utf-8")
    assert call("conformance", "run", "miniature:one-card-for-one", *asked, "--expect", str(changed)).code == 1


def test_cases_are_listed_by_name_clause_and_level(call: Call) -> None:
    names = call("conformance", "list", "classic/melds.*", "--level", "0").out.splitlines()
    assert names
    assert all("0" in line.split()[0] and "/melds." in line for line in names)
    assert call("conformance", "list", "--clause", "take.one-card").out.count("take.one-card") >= 3


# ---- which engine ----------------------------------------------------------------------------------------------------


def test_the_engine_is_the_first_word_or_follows_the_option(call: Call) -> None:
    told = [
        call("conformance", "run", "second", "classic/melds.size"),
        call("conformance", "run", "--engine", "second", "classic/melds.size"),
        call("conformance", "run", "classic/melds.size", "--engine", "second"),
    ]
    assert [answer.code for answer in told] == [0, 0, 0]
    assert len({answer.out for answer in told}) == 1
    assert "claim: second 1 on classic" in told[0].out
    assert call("conformance", "check", "--engine", "reference").code == 0


@pytest.mark.parametrize(
    ("words", "id_", "told"),
    [
        (["run"], "US0003", "needs an engine"),
        (["check"], "US0003", "needs an engine"),
        (["run", "reference", "--engine", "second"], "US0005", "two engines are named, reference and second"),
        (["check", "exec:x", "--engine", "second"], "US0005", "two engines are named, exec:x and second"),
        (["check", "reference", "second"], "US0005", "second is too much"),
        (["run", "classic/melds.size"], "CF0001", "is no address of an engine"),
        (["run", "--engine", "", "classic/melds.size"], "CF0001", "an empty text"),
    ],
)
def test_an_engine_named_not_at_all_or_twice_is_told(call: Call, words: list[str], id_: str, told: str) -> None:
    answer = call("conformance", *words)
    assert answer.code == 2
    assert id_ in answer.err
    assert told in answer.err


def test_wrong_engines_are_listed_and_told_about(call: Call) -> None:
    listed = call("conformance", "miniatures").out
    assert "one-card-for-one " in listed
    told = call("conformance", "miniatures", "one-card-for-one").out
    assert "Caught by take.one-card, as fail" in told
    assert "classic/take.one-card/c56-pile-of-one@1  fail" in told
    assert "- {clause: take.one-card, with: {when: no}}" in told
    assert call("conformance", "run", "miniature:one-card-for-one", "classic/take.one-card").code == 1
    unknown = call("conformance", "miniatures", "no-such")
    assert (unknown.code, "CF0001" in unknown.err) == (2, True)


# ---- harnesses -------------------------------------------------------------------------------------------------------


def test_a_harness_is_begun_checked_and_judged(call: Call, tmp_path: Path) -> None:
    answer = call("conformance", "init", "--lang", "python", str(tmp_path / "mine"))
    assert answer.code == 0
    assert 'canasta conformance check "exec:python3 harness.py"' in answer.out
    address = f"exec:{sys.executable} {tmp_path / 'mine' / 'harness.py'}"
    assert call("conformance", "check", address).code == 0
    assert call("conformance", "run", address).code == 0


@pytest.mark.parametrize("language", languages())
def test_who_begins_a_harness_is_told_to_build_it_and_what_it_needs(call: Call, tmp_path: Path, language: str) -> None:
    told, answer = languages()[language], call("conformance", "init", "--lang", language, str(tmp_path / "mine"))
    *_, build, check = answer.out.splitlines()
    assert check.startswith('  canasta conformance check "exec:')
    if told["build"]:
        assert build == f"  {told['build']}"
        assert f"a harness that needs {told['needs']}. " in answer.out
    else:
        assert "a harness that runs. " in build


def test_a_broken_harness_gives_3_and_a_wrong_engine_1(call: Call, tmp_path: Path) -> None:
    broken = call("conformance", "check", unreliable("refuses-to-start"))
    assert broken.code == 3
    assert "your harness is broken" in broken.out
    wrong = call("conformance", "check", harness(tmp_path, '"Jk": 50', '"Jk": 20'))
    assert wrong.code == 1
    assert "your engine is wrong" in wrong.out


def test_what_was_said_is_recorded(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    assert call("conformance", "record", "reference", "classic/melds.size", "-o", str(path)).code == 0
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {"send", "reply"} == set(lines[0]["exchange"][0])


# ---- the suite itself ------------------------------------------------------------------------------------------------


def test_digests_tell_what_has_changed_since(call: Call, tmp_path: Path) -> None:
    answer = call("conformance", "digest", "classic/melds.size")
    assert answer.code == 0
    before = tmp_path / "digests"
    before.write_text(answer.out, encoding="utf-8")
    assert call("conformance", "digest", "classic/melds.size", "--against", str(before)).code == 0
    lines = answer.out.splitlines()
    before.write_text(
        "\n".join([f"{'0' * 16}  {lines[0].split()[1]}", *lines[2:], f"{'0' * 16}  classic/melds.size/of-old"])
    )
    differing = call("conformance", "digest", "classic/melds.size", "--against", str(before))
    assert differing.code == 1
    assert [line.split()[0] for line in differing.out.splitlines()] == ["changed", "gone", "new"]


def test_the_packed_suite_is_whole_needs_no_python_and_is_always_the_same(call: Call, tmp_path: Path) -> None:
    for name in ("one.tar.gz", "two.tar.gz"):
        assert call("conformance", "pack", "-o", str(tmp_path / name)).code == 0
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        names = archive.getnames()
        archive.extractall(tmp_path, filter="data")
    assert {Path(name).suffix for name in names} <= {".json", ".md", ".txt", ""}
    assert {f"canasta-suite/protocol/{n}.schema.json" for n in ("case", "messages", "aliases", "comparators")} <= set(
        names
    )
    assert {"canasta-suite/README.md", "canasta-suite/LICENSE", "canasta-suite/suite/manifest.json"} <= set(names)
    answer = call("conformance", "list", "classic/melds.size", "--suite", str(tmp_path / "canasta-suite" / "suite"))
    assert answer.code == 0


NAMED = re.compile(r"`((?:\.\./)*[\w./-]+(?:\.md|\.json|\.py|/))`|\]\(([^)#:]+)[^)]*\)")


def dangling(root: Path) -> list[str]:
    """List what the pages in a folder name as files and is not there; ``rules.json`` lies in many folders of the suite."""
    there = {path.name for path in root.rglob("*")}
    return [
        f"{path.name}: {name}"
        for path in root.rglob("*.md")
        for name in (a or b for a, b in NAMED.findall(path.read_text(encoding="utf-8")))
        if not (path.parent / name).exists() and ("/" in name.strip("/") or name.strip("/") not in there)
    ]


def test_what_the_pages_of_the_packed_suite_name_is_in_it(call: Call, tmp_path: Path) -> None:
    call("conformance", "pack", "-o", str(tmp_path / "suite.tar.gz"))
    with tarfile.open(tmp_path / "suite.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    root = tmp_path / "canasta-suite"
    assert not list(root.rglob(".*"))
    assert "`protocol.md`" in (root / "README.md").read_text(encoding="utf-8")
    assert "`../protocol.md`" in (root / "suite" / "README.md").read_text(encoding="utf-8")
    assert dangling(root) == []
    (root / "protocol.md").unlink()
    assert "README.md: protocol.md" in dangling(root)


@pytest.mark.parametrize("language", languages())
def test_what_the_page_of_a_harness_names_lies_beside_it(call: Call, tmp_path: Path, language: str) -> None:
    assert call("conformance", "init", "--lang", language, str(tmp_path / "mine")).code == 0
    page = (tmp_path / "mine" / "README.md").read_text(encoding="utf-8")
    assert "`protocol.md`" in page
    assert languages()[language]["main"] in page
    assert "](" not in (tmp_path / "mine" / "protocol.md").read_text(encoding="utf-8").replace("](#", "")


def test_a_place_that_cannot_be_written_is_named_as_it_was_typed(call: Call, tmp_path: Path) -> None:
    stream, page = tmp_path / "run.jsonl", tmp_path / "nowhere" / "page.html"
    assert call("conformance", "run", "reference", "classic/melds.size", "-o", str(stream)).code == 0
    for words in (["report", str(stream), "--format", "html"], ["pack"], ["record", "reference", "classic/melds.size"]):
        answer = call("conformance", *words, "-o", str(page))
        assert answer.code == 2
        assert f"US0013 {page}: No such file or directory" in answer.err


def test_a_report_says_why_its_exit_code_is_not_0(call: Call, tmp_path: Path) -> None:
    stream, page = str(tmp_path / "run.jsonl"), str(tmp_path / "page.html")
    call("conformance", "run", "miniature:accepts-all", "classic/melds.size", "-o", stream)
    answer = call("conformance", "report", stream, "--format", "html", "-o", page)
    assert answer.code == 1
    assert f"{page} is written; the exit code is 1" in answer.err
    drawn = Path(page).read_text(encoding="utf-8").partition("<h2>Departures")[2]
    assert re.search("pile .*[♣♦♥♠]", drawn), "the position that was sent, with its suits"
    assert "Deal 1" not in drawn
    assert call("conformance", "report", stream, "--format", "html", "-o", page, "--exit-zero").err == ""


@pytest.mark.parametrize(
    "words", [["check", "exec:node", "mine.mjs"], ["run", "node", "mine.mjs"], ["run", "exec:node", "mine.mjs"]]
)
def test_a_command_without_quotation_marks_is_told_so(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.mjs").touch()
    answer = call("conformance", *words)
    assert (answer.code, "US0005" in answer.err) == (2, True)
    assert 'put all of it into quotation marks: "exec:node mine.mjs"' in answer.err


# ---- wrong calls -----------------------------------------------------------------------------------------------------


def cut(tmp_path: Path) -> str:
    path = tmp_path / "cut.jsonl"
    path.write_text('{"type": "run"', encoding="utf-8")
    return str(path)


def listed(tmp_path: Path) -> str:
    path = tmp_path / "known.txt"
    path.write_text("classic/melds.* passes\n", encoding="utf-8")
    return str(path)


def campaign(tmp_path: Path, *more: str) -> list[str]:
    return ["fuzz", "reference", "--rules", "gin", "--examples", "1", "--jobs", "1", *more, "-o", str(tmp_path)]


WRONG: dict[str, Callable[[Path], list[str]]] = {
    "CF0001": lambda _: ["run", "my-engine"],
    "CF0002": lambda path: ["report", cut(path)],
    "CF0003": lambda _: ["run", "reference", "classic/no.such/case"],
    "CF0004": lambda path: ["run", "reference", "classic/melds.size", "--expect", listed(path)],
    "CF0005": lambda path: ["run", harness(path, '{"id": "classic"}]', '{"id": "classic", "profile": "nowhere"}]')],
    "CF0006": lambda path: ["init", "--lang", "python", str(path)],
    "CF0007": lambda path: ["run", "reference", "--suite", str(path)],
    "CF0008": lambda path: ["run", "reference", "classic/melds.size", "--expect", str(path / "new.txt"), "--fix"],
    "CF0020": lambda path: ["digest", "--against", str(path / "something")],
    "CF0021": campaign,
    "CF0022": lambda path: campaign(path / "new", "--rules", "no-game"),
    "CF0023": lambda path: campaign(path / "new", "--cluster", "tcp://nowhere.invalid:1"),
    "CF0025": lambda path: ["record", f"exec:{path}/nowhere", "classic/melds.size"],
    "CF0026": lambda path: ["init", str(path / "mine")],
    "CF0024": lambda path: ["power", "gin", "--journal", str(path / "something")],
}


@pytest.mark.parametrize("id_", WRONG)
def test_a_wrong_call_is_told_with_its_id(call: Call, tmp_path: Path, id_: str) -> None:
    (tmp_path / "something").write_text("of mine", encoding="utf-8")
    answer = call("conformance", *WRONG[id_](tmp_path))
    assert answer.code == 2, answer.out
    assert id_ in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["classic/take.frozen"], "write 'classic/take.frozen*'"),
        (["classic/meld.size"], "did you mean classic/melds.size?"),
        (["--clause", "meld.size"], "did you mean --clause melds.size?"),
        (["--clause", "take.froz"], "write --clause 'take.froz*'"),
        (["nothing/like/it"], "`canasta conformance list` shows the ids"),
    ],
)
def test_what_fits_no_case_is_guessed_at(call: Call, words: list[str], hint: str) -> None:
    answer = call("conformance", "list", *words)
    assert (answer.code, "CF0003" in answer.err) == (2, True)
    assert hint in answer.err


def test_no_short_help_is_cut(call: Call) -> None:
    assert "..." not in call("conformance", "--help").out.partition("Commands:")[2]


def test_every_id_of_conformance_is_shown_by_a_test() -> None:
    assert {id_ for id_ in register() if id_.startswith("CF")} == set(WRONG)


def test_a_list_is_written_anew_only_where_there_is_one(call: Call) -> None:
    assert "US0003" in call("conformance", "run", "reference", "--fix").err


def test_the_suite_may_lie_elsewhere(call: Call, tmp_path: Path) -> None:
    for name in ("whole", "torn"):
        shutil.copytree(folder("suite"), tmp_path / name)
    (tmp_path / "torn" / "classic" / "melds.json").write_text('{"cases": []}', encoding="utf-8")
    assert call("conformance", "list", "classic/melds.size", "--suite", str(tmp_path / "whole")).code == 0
    answer = call("conformance", "list", "--suite", str(tmp_path / "torn"))
    assert (answer.code, "CF0007" in answer.err) == (2, True)


# ---- asking again ----------------------------------------------------------------------------------------------------


def suite_with(tmp_path: Path, tier: str) -> Path:
    """Copy the suite, with one case in the tier, or with no tier."""
    root = tmp_path / "my suite"
    shutil.copytree(folder("suite"), root)
    manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["cases"]:
        entry.pop("tier", None)
        if tier and entry["id"] == f"{WHICH}/one-of-each-rank":
            entry["tier"] = tier
    (root / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return root


def test_the_command_that_asks_again_names_the_same_suite_and_tier(call: Call, tmp_path: Path) -> None:
    root, address = suite_with(tmp_path, "core"), harness(tmp_path, '"Jk": 50', '"Jk": 20')
    answer = call("conformance", "run", address, WHICH, "--suite", str(root), "--tier", "core")
    (again,) = {line.split("again  ")[1] for line in answer.out.splitlines() if "again  " in line}
    words = shlex.split(again)
    assert words[words.index("--suite") + 1 :] == [str(root), "--tier", "core"]
    assert call(*words[1:]).code == 1


def test_a_tier_that_nobody_has_measured_is_told_so(call: Call, tmp_path: Path) -> None:
    answer = call("conformance", "run", "reference", "--suite", str(suite_with(tmp_path, "")), "--tier", "core")
    assert answer.code == 2
    assert "has not been measured" in answer.err
    assert "canasta conformance power --core FILE" in answer.err


# ---- count -----------------------------------------------------------------------------------------------------------

COUNTED = "N at start; hand.N KcKd4s9h; hand.S 8c8d8h2c; pile 5dKh; stock 7cJk8s9c; melds.N QcQdQh; opened.N"


def test_plays_are_counted_as_the_page_shows(call: Call) -> None:
    for depth, value in ((0, 1), (1, 9), (2, 203)):
        answer = call("conformance", "count", COUNTED, "--rules", "classic/two", "--depth", str(depth))
        assert (answer.code, answer.out.strip()) == (0, str(value))
    told = call("conformance", "count", COUNTED, "--rules", "classic/two", "--depth", "2", "--divide")
    *plays, empty, total = told.out.splitlines()
    assert (len(plays), empty, total) == (9, "", "203")
    assert sum(int(line.split()[0]) for line in plays) == 203
    assert any(line.endswith("4s8s9c9hKc | QcQdQh | 5dKhKd") or "| 5dKh" in line for line in plays)
    data = call("conformance", "count", COUNTED, "--rules", "classic/two", "--divide", "--json").json
    assert data["value"] == sum(data["divide"].values()) == 9


@pytest.mark.parametrize(
    "position", [COUNTED.replace("7cJk8s9c", "?4"), COUNTED.replace("8c8d8h2c", "8882"), "nonsense"]
)
def test_what_is_not_known_is_not_counted(call: Call, position: str) -> None:
    answer = call("conformance", "count", position, "--rules", "classic/two")
    assert (answer.code, answer.out) == (2, "")
    assert "US0099" not in answer.err


def test_a_run_in_which_nothing_is_judged_is_no_success(call: Call) -> None:
    answer = call("conformance", "run", "second", "gin/match.over")
    assert answer.code == 1
    assert "nothing was judged" in answer.err


def test_a_claim_of_some_cases_says_so(call: Call) -> None:
    answer = call("conformance", "run", "reference", "classic/cards.values")
    assert answer.code == 0
    assert " of its " in next(line for line in answer.out.splitlines() if line.startswith("claim: "))


def test_digests_of_a_selection_are_compared_with_those_of_all(call: Call, tmp_path: Path) -> None:
    (tmp_path / "all").write_text(call("conformance", "digest").out, encoding="utf-8")
    answer = call("conformance", "digest", "classic/cards.values", "--against", str(tmp_path / "all"))
    assert answer.code == 0, answer.out


def test_a_list_of_failures_serves_a_selection_too(call: Call, tmp_path: Path) -> None:
    (tmp_path / "known.txt").write_text("gin/knock.limit fail\n", encoding="utf-8")
    told = call("conformance", "run", "reference", "classic/cards.values", "--expect", str(tmp_path / "known.txt"))
    assert told.code == 0, told.err
