"""What the first pages show is what a person sees: their files are written, their commands run, their outputs compared."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/tutorials/first-score-pad.md",
    "docs/tutorials/first-question.md",
    "docs/tutorials/first-engine.md",
    "docs/tutorials/house-rule.md",
    "docs/how-to/see-what-the-suite-catches.md",
    "docs/how-to/write-a-variant.md",
    "docs/reference/command.md",
    "docs/reference/neutral-game.md",
)

BLOCK = re.compile(
    r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$|<!-- file: (?P<file>[^\s]+) -->\n\n?```[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SKIPPED = "…"


@dataclass
class Call:
    command: list[str]
    shown: list[str]


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """Files to write, by name, and console blocks, under the name ``$``, in the order of the page."""
    for found in BLOCK.finditer(page):
        if found["file"]:
            yield found["file"], found["text"]
        elif found["kind"] == "console":
            yield "$", found["body"]


def calls(block: str) -> list[Call]:
    found: list[Call] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Call(shlex.split(line[2:], comments=True), []))
        else:
            found[-1].shown.append(line.rstrip())
    return found


def agrees(shown: list[str], real: list[str]) -> bool:
    """Compare lines; an ellipsis stands for any signs, and alone in a line for any number of lines."""
    if not shown:
        return not real
    if shown[0] == SKIPPED:
        return any(agrees(shown[1:], real[i:]) for i in range(len(real) + 1))
    pattern = ".*".join(re.escape(part) for part in shown[0].split(SKIPPED))
    return bool(real) and re.fullmatch(pattern, real[0]) is not None and agrees(shown[1:], real[1:])


def typed(shown: list[str]) -> tuple[str, list[str]]:
    """Part what a person typed after a question from what the command wrote."""
    answers, kept = [], ""
    for line in shown:
        question = re.match(r"(Rules \[\w+\]|Name of \w|  \w+ base|  \w+ count): ?", line)
        if question:
            answers.append(line[question.end() :])
            kept += f"{question[1]}: "
        else:
            kept += line + "\n"
    return "\n".join([*answers, ""]), kept.splitlines()


def run(call: Callable[..., Any], one: Call) -> None:
    words, stdin = list(one.command), ""
    shown = one.shown
    if words[0] == "cat":
        real = Path(words[1]).read_text(encoding="utf-8").splitlines()
        assert agrees(shown, real), "\n".join(real)
        return
    if "|" in words:
        at = words.index("|")
        stdin, words = call(*words[1:at]).out, words[at + 1 :]
    target = None
    if ">" in words:
        at = words.index(">")
        target, words = words[at + 1], words[:at]
    if "--new" in words:
        stdin, shown = typed(shown)
    assert words[0] == "canasta", words
    answer = call(*words[1:], stdin=stdin)
    assert "US0099" not in answer.err, answer.err
    if target:
        Path(target).write_text(answer.out, encoding="utf-8")
        assert shown == [] == answer.err.splitlines()
        return
    written = answer.err + answer.out if "--new" in words else answer.out + answer.err
    real = [line.rstrip() for line in written.splitlines()]
    same = agrees(_trimmed(shown), _trimmed(real))
    assert same, f"$ {shlex.join(one.command)}\n{written[:4000]}"


def _trimmed(lines: list[str]) -> list[str]:
    """Leave out empty lines: pages set outputs a little closer than a terminal does."""
    return [line for line in lines if line]


@pytest.mark.soon("README.md", "docs/tutorials/first-question.md")
@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_a_person_sees(
    call: Callable[..., Any], page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("canasta_tools.score_pad.today", lambda: "2026-11-29")
    (tmp_path / "grammar").symlink_to(ROOT / "grammar")
    ran = 0
    for name, text in blocks((ROOT / page).read_text(encoding="utf-8")):
        if name != "$":
            Path(name).write_text(text, encoding="utf-8")
            continue
        for one in calls(text):
            if one.command[0] in ("canasta", "cat"):
                run(call, one)
                ran += 1
            elif one.command[0] == "cd":
                monkeypatch.chdir(one.command[1])
    assert ran > 0


def test_a_wrong_output_would_be_seen() -> None:
    assert agrees(["a", "…", "d"], ["a", "b", "c", "d"])
    assert agrees(["a", "…"], ["a"])
    assert agrees(["a … c"], ["a b c"])
    assert not agrees(["a", "…", "d"], ["a", "b"])
    assert not agrees(["a"], ["a", "b"])
    page = "<!-- file: x.cgn -->\n```text\nN 7c\n```\n\n```console\n$ canasta check x.cgn  # comment\nok\n```\n"
    assert list(blocks(page)) == [("x.cgn", "N 7c\n"), ("$", "$ canasta check x.cgn  # comment\nok\n")]
    assert calls("$ canasta check x.cgn  # comment\nok\n") == [Call(["canasta", "check", "x.cgn"], ["ok"])]
    assert typed(["Name of N: Ana", "Deal 1", "  NS base: 500"]) == ("Ana\n500\n", ["Name of N: Deal 1", "  NS base: "])


@pytest.mark.whole
def test_the_adapter_of_the_page_and_its_test_run(tmp_path: Path) -> None:
    """The files of the section on adapters are typed by readers, who run the test with pytest."""
    page = (ROOT / "docs/reference/command.md").read_text(encoding="utf-8")
    section = page.partition("### An adapter in Python\n")[2].partition("\n## ")[0]
    files = {found["file"]: found["text"] for found in BLOCK.finditer(section) if found["file"]}
    assert set(files) == {"mine.py", "test_mine.py"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - our own Python
    assert done.returncode == 0, done.stdout
    (tmp_path / "mine.py").write_text(files["mine.py"].replace('"Jk": 50', '"Jk": 20'), encoding="utf-8")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - our own Python
    assert done.returncode == 1
    assert "cards.values" in done.stdout
