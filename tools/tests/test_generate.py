"""Generated files: the same bytes every time, and every difference from the tree is told."""

from functools import partial
from pathlib import Path

import pytest

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.naming import known
from canasta_tools import generate as module
from canasta_tools.differences import pairs
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
    differs = module.what_differs("classic", "classic/five")
    return dict(sorted({**pages, **differs, **module.book("gin"), **module.example_match("classic/two")}.items()))


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
    left.parent.mkdir(parents=True)
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


def made_by(name: str) -> dict[str, str]:
    return {"docs/b.md" if name == "one" else "docs/a.md": name}


def faulty(id_: str) -> dict[str, str]:
    raise CanastaError([Diagnostic(id_, "it cannot be made", hint="do it otherwise")])


def test_files_are_made_side_by_side_and_listed_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "jobs", lambda: [partial(made_by, "one"), partial(made_by, "other")])
    assert list(module.contents().items()) == [("docs/a.md", "other"), ("docs/b.md", "one")]


def test_every_fault_is_told_whatever_process_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "jobs", lambda: [partial(faulty, "RS7006"), partial(faulty, "RS5014")])
    with pytest.raises(CanastaError) as caught:
        module.contents()
    assert [(d.id, d.hint) for d in caught.value.diagnostics] == [(i, "do it otherwise") for i in ("RS7006", "RS5014")]


def test_everything_that_is_owned_is_made_by_a_job() -> None:
    told = [(job.func, job.args) if isinstance(job, partial) else (job, ()) for job in module.jobs()]
    for function in (module.book, module.example_match):
        assert [args for f, args in told if f is function] == [(name,) for name in known()]
    assert [args for f, args in told if f is module.what_differs] == list(pairs())
    assert {f for f, _ in told if f in (module.pages, module.parsed_forms, module.suite_and_reports)} == {
        module.pages, module.parsed_forms, module.suite_and_reports,
    }  # fmt: skip


def test_without_a_checkout_there_is_a_diagnostic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "__file__", str(tmp_path / "lib" / "canasta_tools" / "generate.py"))
    with pytest.raises(CanastaError) as caught:
        generate(check=True)
    assert [d.id for d in caught.value.diagnostics] == ["RS7006"]
