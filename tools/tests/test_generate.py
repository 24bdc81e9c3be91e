"""Generated files: the same bytes every time, and every difference from the tree is told."""

from pathlib import Path

import pytest

from canasta.diagnostics import CanastaError
from canasta_tools import generate as module
from canasta_tools.generate import Change, Difference, generate
from canasta_tools.pages.codes import diagnostics_page
from canasta_tools.pages.language import language_page
from canasta_tools.rulebook.markdown import MARK


def quickly() -> dict[str, str]:
    """Make what is quickly made of all that is generated; `make check` makes everything and compares it with the tree."""
    pages = {
        "docs/reference/diagnostics.md": diagnostics_page(),
        "docs/reference/rule-language-reference.md": language_page(),
    }
    return dict(sorted({**pages, **dict(module._suite()), **dict(module._parsed())}.items()))


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """Make it once."""
    return quickly()


@pytest.fixture
def once(made: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the contents once for the tests that ask what is done with them."""
    monkeypatch.setattr(module, "contents", lambda: dict(made))


def test_making_twice_gives_the_same_bytes(made: dict[str, str]) -> None:
    assert quickly() == made


@pytest.mark.usefixtures("once")
def test_what_has_been_generated_does_not_differ(made: dict[str, str], tmp_path: Path) -> None:
    first = generate(root=tmp_path)
    assert {d.change for d in first} == {Change.NEW}
    assert {d.path for d in first} == set(made)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert generate(check=True, root=tmp_path) == ()
    assert generate(root=tmp_path) == ()
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    assert len(before) == len(first)


@pytest.mark.usefixtures("once")
def test_check_tells_every_difference_and_writes_nothing(tmp_path: Path) -> None:
    generate(root=tmp_path)
    changed, left = tmp_path / "docs/reference/rule-language-reference.md", tmp_path / "spec/parsed/old.json"
    changed.write_text("other", encoding="utf-8")
    left.write_text("{}", encoding="utf-8")
    (tmp_path / "docs/reference/diagnostics.md").unlink()
    (tmp_path / "docs/old.md").write_text(f"{MARK}\n\n# Old\n", encoding="utf-8")
    (tmp_path / "docs/written.md").write_text("# By hand\n", encoding="utf-8")
    assert set(generate(check=True, root=tmp_path)) == {
        Difference("docs/reference/rule-language-reference.md", Change.CHANGED),
        Difference("docs/reference/diagnostics.md", Change.NEW),
        Difference("spec/parsed/old.json", Change.GONE),
        Difference("docs/old.md", Change.GONE),
    }
    assert changed.read_text(encoding="utf-8") == "other"
    generate(root=tmp_path)
    assert generate(check=True, root=tmp_path) == ()
    assert not left.exists()
    assert (tmp_path / "docs/written.md").exists()


def test_every_generated_page_says_so(made: dict[str, str]) -> None:
    for path, text in made.items():
        assert text.endswith("\n"), path
        assert not path.endswith(".md") or text.startswith(MARK), path


def test_without_a_checkout_there_is_a_diagnostic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "__file__", str(tmp_path / "lib" / "canasta_tools" / "generate.py"))
    with pytest.raises(CanastaError) as caught:
        generate(check=True)
    assert [d.id for d in caught.value.diagnostics] == ["RS7006"]
