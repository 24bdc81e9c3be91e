"""Everything that is generated and committed: books, pages, resolved rule sets, the suite, examples; written or compared.

What is generated is the same bytes on every machine. Files are written whole or not at all, and a file that is no longer
generated is taken away, so that the tree never holds a page that nothing stands behind.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.naming import known
from canasta_tools.rulebook.markdown import MARK

SUITE: Final = "conformance/suite"
REPORTS: Final = "conformance/engines/miniatures/reports"

OWNED: Final = (
    *("spec/resolved", "spec/parsed", "spec/distinguishing", SUITE, "grammar/examples/matches"), REPORTS,
)  # fmt: skip
"""Folders in which everything is generated."""

MARKED: Final = ("docs",)
"""Folders in which generated pages lie between written ones, told apart by their first line."""

IDS: Final = "conformance/suite/ids.txt"
"""Every id that a case of the suite ever had."""

KEPT: Final = (".keep", "README.md")
"""Written by hand, also in folders that are generated."""


class Change(StrEnum):
    """How a generated file differs from the one in the tree."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "no longer generated"


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not as it should be: its path from the root of the checkout, and how it differs."""

    path: str
    change: Change


def contents() -> dict[str, str]:
    """Make every generated file: its text by its path from the root of the checkout, in alphabetical order.

    Raises:
        CanastaError: with every fault of a shipped rule set, its texts or the register.
    """
    suite = dict(_suite())
    return dict(
        sorted({**dict(_pages()), **suite, **dict(_from_suite(suite)), **dict(_parsed()), **dict(_matches())}.items())
    )


def generate(*, check: bool = False, root: Path | None = None) -> tuple[Difference, ...]:
    """Bring all generated files up to date, or only say which are not if ``check``; give what differed.

    Raises:
        CanastaError: RS7006 when there is no checkout to write into; or with every fault of what is generated from.
    """
    base = checkout() if root is None else root
    wanted = contents()
    found = tuple(_differences(wanted, base))
    if not check:
        for difference in found:
            path = base / difference.path
            if difference.change is Change.GONE:
                path.unlink()
            else:
                _write(path, wanted[difference.path])
    return found


def checkout() -> Path:
    """Find the root of the checkout that this code lies in.

    Raises:
        CanastaError: RS7006 when the package is installed without one.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / "pyproject.toml").is_file() or not (root / "spec" / "rules").is_dir():
        hint = "run it in a checkout of the project"
        raise CanastaError([Diagnostic("RS7006", "there is no checkout here to generate into", hint=hint)])
    return root


def _pages() -> Iterator[tuple[str, str]]:
    """Make the books, the pages of the reference and the resolved rule sets."""
    from canasta.playing.remembered import file_of  # noqa: PLC0415
    from canasta_tools.differences import memory_of, of_shipped, pairs  # noqa: PLC0415
    from canasta_tools.pages.codes import codes_page, diagnostics_page  # noqa: PLC0415 - Jinja is slow to start
    from canasta_tools.pages.coverage import coverage_page  # noqa: PLC0415
    from canasta_tools.pages.differences import differences_page  # noqa: PLC0415
    from canasta_tools.pages.language import language_page  # noqa: PLC0415
    from canasta_tools.pages.options import options_page  # noqa: PLC0415
    from canasta_tools.pages.protocol import protocol_page  # noqa: PLC0415
    from canasta_tools.pages.resolved import resolved  # noqa: PLC0415
    from canasta_tools.pages.rulings import contradictions_page, rulings_page, sources_page  # noqa: PLC0415
    from canasta_tools.rulebook.lawbook import law_book  # noqa: PLC0415
    from canasta_tools.rulebook.material import material, register  # noqa: PLC0415
    from canasta_tools.ruling_checks import check_rulings  # noqa: PLC0415

    if unfit := [finding for name in known() for finding in check_rulings(name)]:
        raise CanastaError(unfit)
    books = [material(name) for name in known()]
    for book in books:
        slug = book.loaded.base.replace("/", "-")
        yield f"docs/rulebooks/{slug}.md", law_book(book.loaded.base)
        yield f"spec/resolved/{slug}.json", resolved(book)
    for parent, child in pairs():
        found = of_shipped(parent, child)
        yield f"docs/rulebooks/differences/{child.replace('/', '-')}.md", differences_page(found)
        yield f"spec/{file_of(child)}", memory_of(found)
    entries = register()
    yield "docs/reference/contradictions.md", contradictions_page(entries)
    yield "docs/reference/coverage.md", coverage_page(entries, books)
    yield "docs/reference/diagnostics.md", diagnostics_page()
    yield "docs/reference/options.md", options_page(books)
    yield "docs/reference/protocol.md", protocol_page(books)
    yield "docs/reference/rule-language-reference.md", language_page()
    yield "docs/reference/rulings.md", rulings_page(entries, books)
    yield "docs/reference/sources.md", sources_page(entries)
    yield "docs/reference/violation-codes.md", codes_page(books)


def _suite() -> Iterator[tuple[str, str]]:
    """Make the cases of the conformance suite."""
    from canasta_conformance.generator import every_id, suite_files  # noqa: PLC0415 - not every kind of file needs it

    files = suite_files(known())
    for path, text in files.items():
        yield f"{SUITE}/{path}", text
    # The one generated file that remembers: an id that was given once is never given to anything else, and never lost.
    ids = checkout() / IDS
    yield IDS, every_id(ids.read_text(encoding="utf-8") if ids.is_file() else "", files)


def _from_suite(files: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Make what is read off the suite, as it has just been made: the reports on the miniatures, and the page of routes."""
    from canasta_conformance.miniatures.reports import report_files  # noqa: PLC0415 - it runs the suite
    from canasta_conformance.suite import read_suite  # noqa: PLC0415
    from canasta_tools.pages.routes import routes_page  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="suite-") as name:
        for path, text in files.items():
            _write(Path(name) / path.removeprefix(f"{SUITE}/"), text)
        suite = read_suite(Path(name))
    yield "docs/reference/routes.md", routes_page(suite)
    for file, text in report_files(suite).items():
        yield f"{REPORTS}/{file}", text


def _parsed() -> Iterator[tuple[str, str]]:
    """Make the parsed forms, and the tables of the notation's grammar."""
    from canasta.games import read_ruleset  # noqa: PLC0415
    from canasta.language import parsed  # noqa: PLC0415 - not every kind of file needs it
    from canasta.language.loading import load_document  # noqa: PLC0415

    for name in known():
        lineage = load_document(name).lineage
        text = parsed.write(read_ruleset(name), parsed.digest_of_sources(name, lineage), lineage)
        yield f"spec/parsed/{name.replace('/', '.')}.json", text


def _matches() -> Iterator[tuple[str, str]]:
    """Make the example matches."""
    from canasta_tools.example_matches import example_matches  # noqa: PLC0415 - plays whole matches

    yield from example_matches()


def _differences(wanted: dict[str, str], base: Path) -> Iterator[Difference]:
    for path, text in wanted.items():
        try:
            there = (base / path).read_bytes()
        except FileNotFoundError:
            yield Difference(path, Change.NEW)
            continue
        if there != text.encode("utf-8"):
            yield Difference(path, Change.CHANGED)
    for path in _generated_before(base):
        if path not in wanted:
            yield Difference(path, Change.GONE)


def _generated_before(base: Path) -> Iterator[str]:
    for folder in OWNED:
        for path in sorted((base / folder).rglob("*")):
            if path.is_file() and path.name not in KEPT:
                yield path.relative_to(base).as_posix()
    for folder in MARKED:
        for path in sorted((base / folder).rglob("*.md")):
            if "_build" not in path.parts and path.read_bytes().startswith(MARK.encode("utf-8")):
                yield path.relative_to(base).as_posix()


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(text.encode("utf-8"))
    unfinished.replace(path)
