"""How the command behaves whatever it is asked: exit codes, formats, colour, wrong calls, streams that break."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from canasta.diagnostic_ids import all_ids, explain
from canasta.language.signing import sign
from canasta.rooms import room
from canasta_tools import cli, dispatch
from canasta_tools.checking import CheckOptions
from canasta_tools.commands.check import command as check_command
from canasta_tools.dispatch import COMMANDS
from canasta_tools.express import plain_check
from canasta_tools.output import Colour, Format, in_colour

Call = Callable[..., Any]
GOOD = '[Rules "classic"]\n\nDeal 1 dealer W\nNS: 300 455 = 755 total 755\nEW: 0 -60 = -60 total -60\n'
BAD = GOOD.replace("= 755", "= 745")
STUCK = """\
ruleset: dead-end
title: Nobody may discard
extends: classic
add:
  clauses:
    - id: nobody.discards
      kind: requirement
      on: [discard]
      title: No discards
      text: Do not discard.
      require: [{code: NO_DISCARD, that: no}]
replace:
  - clause: turn.standstill
    because: a deal is not ended by a seat that can do nothing
    with: {when: turn_no > 1000}
"""


@pytest.fixture(autouse=True)
def good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.cgn").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.cgn").write_text(BAD, encoding="utf-8")
    return tmp_path


def schema(name: str) -> Draft202012Validator:
    data = json.loads((room("spec") / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(data)
    return Draft202012Validator(data)


# -- exit codes and formats ------------------------------------------------------------------------------------------


def test_nothing_wrong_is_0(call: Call) -> None:
    answer = call("check", "good.cgn")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "1 file checked: nothing wrong\n"


def test_findings_are_1_and_have_place_id_and_hint(call: Call) -> None:
    answer = call("check", "bad.cgn")
    assert answer.code == 1
    assert answer.out.startswith("bad.cgn:4:1: CN2002 ")
    assert "hint:" in answer.out
    assert "canasta explain CN2002" in answer.out


def test_unreadable_is_2_and_the_other_files_are_checked_all_the_same(call: Call) -> None:
    answer = call("check", "bda.cgn", "good.cgn", "--json")
    assert answer.code == 2
    assert [f["id"] for f in answer.json["findings"]] == ["US0006"]
    assert answer.json["findings"][0]["hint"] == "did you mean bad.cgn?"
    assert [c["file"] for c in answer.json["checked"]] == ["good.cgn"]


def test_exit_zero_is_for_findings_only(call: Call) -> None:
    assert call("check", "--exit-zero", "bad.cgn").code == 0
    assert call("check", "--exit-zero", "missing.cgn").code == 2


def test_strict_counts_warnings(call: Call) -> None:
    Path("warned.cgn").write_text(GOOD.replace('[Rules "classic"]', '[Rules "classic"]\n[CGN "9"]'), encoding="utf-8")
    assert call("check", "warned.cgn").code == 0
    assert call("check", "--strict", "warned.cgn").code == 1


@pytest.mark.parametrize("file", ["good.cgn", "bad.cgn", "missing.cgn"])
def test_json_has_the_published_shape(call: Call, file: str) -> None:
    answer = call("check", "--json", file)
    assert list(schema("check-output").iter_errors(answer.json)) == []


def test_a_finding_as_json_has_what_scripts_rely_on(call: Call) -> None:
    (finding,) = call("check", "--json", "bad.cgn").json["findings"]
    wanted = {"id": "CN2002", "code": "", "clause": "", "file": "bad.cgn", "line": 4, "col": 1}
    assert wanted.items() <= finding.items()
    assert "755, not 745" in finding["message"]


def test_json_lines_and_annotations_are_one_a_finding(call: Call) -> None:
    (line,) = call("check", "--format", "jsonl", "bad.cgn").out.splitlines()
    assert json.loads(line) == call("check", "--json", "bad.cgn").json["findings"][0]
    assert call("check", "--format", "github", "bad.cgn").out.startswith("::error file=bad.cgn,line=4,")


def test_a_folder_is_walked_in_sorted_order(call: Call, good: Path) -> None:
    (good / "b").mkdir()
    (good / "b" / "z.cgn").write_text(GOOD, encoding="utf-8")
    (good / ".hidden").mkdir()
    (good / ".hidden" / "h.cgn").write_text(BAD, encoding="utf-8")
    (good / "notes.txt").write_text("no record", encoding="utf-8")
    (good / "other.yaml").write_text("a: b", encoding="utf-8")
    files = [c["file"] for c in call("check", "--json", ".").json["checked"]]
    assert files == ["bad.cgn", "good.cgn", "b/z.cgn"]


def test_standard_input_has_the_name_that_it_is_given(call: Call) -> None:
    assert call("check", "-", stdin=GOOD).code == 0
    assert call("check", "-", "--stdin-filename", "x.cgn", stdin=BAD).out.startswith("x.cgn:4:1:")
    assert call("check", "-", stdin=BAD).out.startswith("<stdin>:4:1:")


def test_the_summary_says_how_far_a_file_could_be_checked(call: Call) -> None:
    out = call("check", "--summary", "good.cgn", "bad.cgn").out
    assert "good.cgn: 1 deal, score pad, by classic: nothing wrong (checked: sums" in out
    assert "bad.cgn: 1 deal, score pad, by classic: 1 error" in out


# -- colour ----------------------------------------------------------------------------------------------------------


class Terminal:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "variables", "coloured"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": "1"}, False),
        ("auto", {"NO_COLOR": ""}, True),
        ("auto", {"TERM": "dumb"}, False),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
    ],
)
def test_who_decides_on_colour(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    variables: dict[str, str],
    coloured: bool,  # noqa: FBT001 - the answer
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert in_colour(Colour(choice), Terminal()) is coloured  # type: ignore[arg-type]


def test_no_colour_in_a_pipe_unless_forced(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert "\x1b" not in call("check", "bad.cgn").out
    assert "\x1b" in call("check", "--color", "always", "bad.cgn").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in call("check", "bad.cgn").out


# -- wrong calls -----------------------------------------------------------------------------------------------------

WRONG: dict[str, list[str]] = {
    "US0001": ["chek", "good.cgn"],
    "US0002": ["check", "--jason", "good.cgn"],
    "US0003": ["check"],
    "US0004": ["random", "--deals", "0"],
    "US0005": ["score"],
    "US0006": ["check", "missing.cgn"],
    "US0007": ["fmt", "rules.yaml"],
    "US0008": ["check", "empty"],
    "US0010": ["explain", "no-such-thing"],
    "US0011": ["check", "chapter.yaml"],
    "US0012": ["random", "--rules", "stuck.yaml", "--seed", "1", "--deals", "1"],
    "US0013": ["score", "--new", "folder-that-is-not-there/x.cgn", "--rules", "classic"],
    "US0014": ["show", "good.cgn"],
    "US0016": ["show", "empty.cgn"],
    "US0017": ["rulebook", "rules.yaml", "--output", "rules.yaml"],
    "US0015": ["judge", "N at start; hand.N 459; stock ?30", "{nothing}"],
}


@pytest.fixture
def odd_files(good: Path) -> None:
    (good / "empty").mkdir()
    (good / "empty.cgn").write_text("\n", encoding="utf-8")
    (good / "rules.yaml").write_text("ruleset: mine\n", encoding="utf-8")
    (good / "chapter.yaml").write_text("chapter: lost\ntitle: Lost\n", encoding="utf-8")
    (good / "stuck.yaml").write_text(STUCK, encoding="utf-8")
    (good / "stuck.yaml").write_text(sign("stuck.yaml"), encoding="utf-8")


@pytest.mark.usefixtures("odd_files")
@pytest.mark.parametrize("id_", WRONG)
def test_a_wrong_call_is_told_with_its_id(call: Call, id_: str) -> None:
    answer = call(*WRONG[id_], stdin="\n\n\n\n100\n5\n100\n5\n")
    told = answer.out + answer.err
    assert answer.code == (1 if id_ == "US0011" else 2)
    assert f"{id_} " in told
    assert "Traceback" not in told
    assert "hint:" in told


def test_every_id_of_usage_is_shown_by_a_test() -> None:
    ids = {id_ for id_ in all_ids() if id_.startswith("US")}
    assert ids == {*WRONG, "US0099"}


def test_every_id_in_the_tools_is_registered() -> None:
    folder = Path(cli.__file__).parent
    used = {i for p in folder.rglob("*.py") for i in re.findall(r'"((?:RS|CN|PL|US)\d{4})"', p.read_text("utf-8"))}
    assert [id_ for id_ in sorted(used) if explain(id_) is None] == []


def test_a_fault_of_ours_is_no_traceback(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: list[str]) -> int:
        raise ZeroDivisionError("nobody expected this")

    monkeypatch.setattr(dispatch, "dispatch", broken)
    answer = call("rules")
    assert answer.code == 101
    assert answer.err.startswith("US0099 the command itself is at fault: ZeroDivisionError at test_cli_calls.py:")
    assert "canasta rules" in answer.err
    assert "Traceback" not in answer.err


def test_breaking_off_is_130(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(dispatch, "dispatch", stopped)
    assert call("rules").code == 130


@pytest.mark.parametrize("name", ["\0", "a" * 5000, "\udcff.cgn", "-x-", "--", ""])
def test_no_name_of_a_file_is_too_odd(call: Call, name: str) -> None:
    answer = call("check", name)
    assert answer.code == 2
    assert "US0099" not in answer.err


@pytest.mark.parametrize("name", ["x.cgn", "x.yaml", "x.json", "x.position", "x"])
@pytest.mark.parametrize(
    "text", [b"", b"\0\xff\xfe", b"{", b"[" * 3000, b"{}", b"{" * 3000, b"\xef\xbb\xbf", b"]]>\n" * 9, b'{"deals": 1}']
)
def test_no_text_is_too_odd(call: Call, tmp_path: Path, name: str, text: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    for command in ("check", "fmt", "score", "replay", "show", "convert"):
        answer = call(command, str(path))
        assert answer.code in (0, 1, 2), (command, answer.err)


# -- how it is called ------------------------------------------------------------------------------------------------


def test_help_lists_every_command_with_its_module(call: Call) -> None:
    answer = call("--help")
    assert answer.code == 0
    assert all(f"  {name}" in answer.out for name in COMMANDS)
    for name in COMMANDS:
        told = call(name, "--help")
        assert told.code == 0
        assert told.out.startswith(f"Usage: canasta {name} ")


def test_without_a_command_the_help_is_shown_and_the_call_is_wrong(call: Call) -> None:
    answer = call()
    assert answer.code == 2
    assert "Commands:" in answer.err


def test_versions_stand_one_a_line(call: Call) -> None:
    assert re.fullmatch(r"canasta-spec [\d.]+\nnotation \d+\nprotocol \d+\n", call("--version").out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.cgn"],
        ["a.cgn", "b.cgn", "-"],
        ["--json", "a.cgn"],
        ["a.cgn", "--exit-zero", "--strict"],
        ["a.cgn", "--summary", "-q"],
        ["--quiet", "a.cgn"],
    ],
)
def test_the_express_lane_reads_a_call_as_click_does(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[CheckOptions] = []
    monkeypatch.setattr("canasta_tools.commands.check.check", lambda options: seen.append(options) or 0)
    check_command.main(arguments, standalone_mode=False)
    assert [plain_check(arguments)] == seen


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--format", "jsonl", "a"], ["--rules=x", "a"], ["--", "a"]])
def test_the_express_lane_leaves_the_rest_to_click(arguments: list[str]) -> None:
    assert plain_check(arguments) is None


def test_checking_needs_no_more_than_it_uses(good: Path) -> None:
    asked = (
        "import sys; from canasta_tools.cli import main; code = main(['check', '-q', 'good.cgn']);"
        "unused = ('click', 'rich', 'yaml', 'lark', 'jsonschema', 'jinja2', 'hashlib', 'difflib', 'canasta.kernel.bounds');"
        "print([m for m in unused if m in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=False, cwd=good, encoding="utf-8")  # noqa: S603 - our own
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_a_reader_who_has_seen_enough_hears_no_complaint() -> None:
    asked = "import sys; from canasta_tools.cli import main; sys.exit(main(['rules', '--json']))"
    with subprocess.Popen([sys.executable, "-c", asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_a_shell_can_complete_commands_and_rule_sets() -> None:
    for words, at, wanted in (("canasta ch", "1", "check"), ("canasta random --rules classic:", "3", "classic:hoyle")):
        done = subprocess.run(
            [sys.executable, "-c", "from canasta_tools.cli import main; main([])"],
            env={"_CANASTA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": at, "PATH": ""},
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        assert f"plain,{wanted}" in done.stdout.splitlines(), done.stderr


def test_formats_are_those_that_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "command.md").read_text(encoding="utf-8")
    assert all(f"`{shape}`" in page for shape in Format)
    assert all(f"## canasta {name}" in page for name in COMMANDS)
